"""Training RotatE with PyKEEN: the only file that needs PyKEEN and torch.

The loss is the self-adversarial one of Sun et al. 2019 (RotatE, section 3.2). Each negative has one
end replaced by a node of the same type: half of them drawn evenly, so that the model learns which
nodes a relation prefers, half by degree within the relation, so that popularity alone does not pay.
"""

from __future__ import annotations

import os
import tempfile
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from data.paths import cache_home
from retrievers.rotate_data import Pools, Triples
from signatures.errors import MissingError

if TYPE_CHECKING:
    from retrievers.rotate_manifest import RotateSettings

Complex = npt.NDArray[np.complex64]

LEAST_STEPS = 50
"""Steps that an epoch has at least, by smaller batches: a small graph would else learn nothing."""

SMALLEST_BATCH = 16


class Fitted(NamedTuple):
    """What training gives."""

    entity: Complex
    """Shape (nodes, dimension)."""
    relation: Complex
    """Shape (relations, dimension); every number has modulus 1."""
    losses: tuple[float, ...]
    """Mean loss of each epoch."""
    versions: dict[str, str]
    """Versions of PyKEEN and torch."""


def fit(
    triples: Triples,
    pools: Pools,
    *,
    nodes: int,
    relations: int,
    settings: RotateSettings,
    progress: Callable[[int, int], None] | None = None,
) -> Fitted:
    """Train RotatE on the triples.

    Args:
        triples: training triples only, mirrors included.
        pools: for negatives.
        nodes: number of nodes of the graph.
        relations: number of relation codes of the graph.
        settings: dimension, epochs, seed and the rest.
        progress: told how many batches are done, and of how many.

    Raises:
        MissingError: PyKEEN is not installed.
    """
    pykeen_version = require_pykeen()
    import torch
    from pykeen.losses import NSSALoss
    from pykeen.models import RotatE
    from pykeen.triples import CoreTriplesFactory

    mapped = torch.from_numpy(np.stack(triples, axis=1))
    factory = CoreTriplesFactory(mapped, num_entities=nodes, num_relations=relations)
    size = batch_size(len(triples.head), most=settings.batch)
    batches = -(-len(triples.head) // size)
    with (
        warnings.catch_warnings(),
        torch.random.fork_rng(),
        tempfile.TemporaryDirectory() as unused,
    ):
        # PyKEEN 1.11 warns of a flag that it passes to itself.
        warnings.filterwarnings("ignore", "Training instances are always", DeprecationWarning)
        torch.manual_seed(settings.seed)
        model = RotatE(
            triples_factory=factory,
            embedding_dim=settings.dimension,
            random_seed=settings.seed,
            loss=NSSALoss(settings.margin, settings.temperature),
        )
        loop = _loop()(
            model=model,
            triples_factory=factory,
            optimizer=torch.optim.Adam(model.parameters(), lr=settings.learning_rate),
            automatic_memory_optimization=False,
            negative_sampler=_sampler(),
            negative_sampler_kwargs={
                "pools": pools,
                "seed": settings.seed,
                "num_negs_per_pos": settings.negatives,
            },
        )
        losses = loop.train(
            triples_factory=factory,
            num_epochs=settings.epochs,
            batch_size=size,
            use_tqdm=False,
            pin_memory=False,
            checkpoint_directory=unused,
            callbacks=_callback(progress, batches * settings.epochs),
        )
    return Fitted(
        _complex(model.entity_representations[0]),
        _complex(model.relation_representations[0]),
        tuple(float(loss) for loss in losses or ()),
        {"pykeen": pykeen_version, "torch": str(torch.__version__)},
    )


def batch_size(edges: int, *, most: int) -> int:
    """Return how many edges a step takes.

    >>> batch_size(417_463, most=4096), batch_size(3_000, most=4096), batch_size(20, most=4096)
    (4096, 60, 16)
    """
    return min(most, max(SMALLEST_BATCH, edges // LEAST_STEPS))


def require_pykeen() -> str:
    """Return the version of PyKEEN; its import is kept from making a folder in the user's home.

    Raises:
        MissingError: it is not installed.
    """
    os.environ.setdefault("PYSTOW_HOME", str(cache_home() / "pystow"))
    try:
        from pykeen.version import VERSION
    except ModuleNotFoundError as error:
        raise MissingError(
            f"training RotatE needs PyKEEN, and {error.name} is not installed; "
            "run: pip install 'qkgram[reviewer]'"
        ) from error
    return str(VERSION)


def _sampler() -> Any:
    """Return the class of negative samplers; made here because its base needs PyKEEN."""
    import torch
    from pykeen.sampling import NegativeSampler

    class TypeMatched(NegativeSampler):
        """Replaces one end of a triple, the same in all its negatives, by nodes of its type."""

        def __init__(self, *, pools: Pools, seed: int, **options: Any) -> None:
            super().__init__(**options)
            self._pools = pools
            self._rng = np.random.default_rng(seed)

        def corrupt_batch(self, positive_batch: Any) -> Any:
            true = positive_batch.cpu().numpy()
            made = np.repeat(true[:, None, :], self.num_negs_per_pos, axis=1)
            column = np.zeros_like(made[..., :1]) + 2 * self._rng.integers(
                2, size=(len(made), 1, 1)
            )
            replaced = np.take_along_axis(made, column, axis=2)[..., 0]
            half = made.shape[1] // 2
            relation = made[..., 1]
            others = (
                self._pools.matched.like(replaced[:, :half], relation[:, :half], self._rng),
                self._pools.even.like(replaced[:, half:], relation[:, half:], self._rng),
            )
            np.put_along_axis(made, column, np.concatenate(others, axis=1)[..., None], axis=2)
            return torch.from_numpy(made)

    return TypeMatched


def _loop() -> Any:
    """Return the class of PyKEEN's training loop that scores all negatives of a triple at once."""
    import torch
    from pykeen.training import SLCWATrainingLoop

    class OneSided(SLCWATrainingLoop):
        """Rotates the end that stays once per triple, not once per negative: three times faster."""

        def _process_batch(self, batch: Any, start: int, stop: int, *args: Any, **kw: Any) -> Any:
            true, made = batch["positives"][start:stop], batch["negatives"][start:stop]
            true, made = true.to(self.model.device), made.to(self.model.device)
            at_head = (made[..., 0] != true[:, None, 0]).any(dim=1)
            h, t = true[at_head], true[~at_head]
            heads = self.model.score_h(h[:, 1:], heads=made[at_head][..., 0])
            tails = self.model.score_t(t[:, :2], tails=made[~at_head][..., 2])
            return self.loss.process_slcwa_scores(
                positive_scores=self.model.score_hrt(torch.cat([h, t])),
                negative_scores=torch.cat([heads, tails]),
            )

    return OneSided


def _callback(progress: Callable[[int, int], None] | None, total: int) -> Any:
    """Return a PyKEEN callback that counts batches."""
    from pykeen.training.callbacks import TrainingCallback

    class Count(TrainingCallback):
        """Tells `progress` after each batch."""

        def __init__(self) -> None:
            super().__init__()
            self.done = 0

        def post_batch(self, *args: Any, **kwargs: Any) -> None:
            self.done += 1
            if progress is not None:
                progress(self.done, total)

    return Count()


def _complex(representation: Any) -> Complex:
    """Return the table of a PyKEEN representation."""
    import torch

    with torch.no_grad():
        table = representation(indices=None).cpu().numpy()
    return np.ascontiguousarray(table, dtype=np.complex64)
