"""Sentence vectors: the encoder of ReGraM §3.2 (all-MiniLM-L6-v2) from a local folder.

The weights are trusted by their SHA-256, not by where they came from. Nothing is imported, read or
hashed before the first text is embedded, and the network is never touched.
"""

from __future__ import annotations

import hashlib
import os
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import Any, Protocol, Self

import numpy as np
import numpy.typing as npt

from data.paths import cache_home
from signatures.errors import ModelNotFound

Vectors = npt.NDArray[np.float32]

MINILM = "all-minilm-l6-v2"
MINILM_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""`model.safetensors` of sentence-transformers/all-MiniLM-L6-v2."""
MINILM_DIMENSION = 384

WEIGHTS = "model.safetensors"
REMEMBERED = 8192
"""Texts whose vectors stay in memory: 12 MB."""
BATCH = 64
LENGTH = 128
"""Word pieces that are read, the length MiniLM was trained on. Of a longer text the end is kept: a
vignette asks in its last sentence, and reading twice as much takes twice as long."""
SHORT = 400
"""Characters below which texts run on one thread: two take longer to meet than to multiply. A
sentence has fewer; a vignette takes 28 ms on two threads and 43 ms on one."""


class Embedder(Protocol):
    """Turns texts into unit vectors; equal texts always get equal vectors."""

    @property
    def id(self) -> str:
        """Name of the encoder; a change of weights changes it."""
        ...

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one unit row per text, shape (n, dimension)."""
        ...


class SentenceEncoder:
    """An `Embedder` over a sentence-transformers folder; thread-safe, shared, never copied."""

    def __init__(
        self,
        folder: Path | None = None,
        *,
        sha256: str = MINILM_SHA256,
        dimension: int = MINILM_DIMENSION,
    ) -> None:
        """Use the model in `folder`, by default where `qkgram models fetch` puts MiniLM."""
        self.folder = folder or cache_home() / "models" / MINILM
        self.sha256 = sha256
        self._dimension = dimension
        self._model: Any = None
        self._lock = RLock()
        self._recent: OrderedDict[str, Vectors] = OrderedDict()

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Return the encoder itself: the weights are shared."""
        return self

    @property
    def id(self) -> str:
        """Folder name and the first digits of the weights' SHA-256."""
        return f"{self.folder.name}-{self.sha256[:8]}"

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return self._dimension

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one unit row per text, shape (n, dimension), float32.

        Of a text longer than `LENGTH` word pieces the end is read.

        Raises:
            ModelNotFound: the folder has no weights, or other ones than expected.
        """
        with self._lock:
            new = [text for text in dict.fromkeys(texts) if text not in self._recent]
            fresh = dict(zip(new, self._encode(new), strict=True)) if new else {}
            found = {text: fresh[text] if text in fresh else self._recent[text] for text in texts}
            self._remember(found)
        rows = [found[text] for text in texts]
        return np.stack(rows) if rows else np.zeros((0, self.dimension), np.float32)

    def _encode(self, texts: list[str]) -> Vectors:
        if self._model is None:
            self._model = self._load()
        with _threads(1 if sum(map(len, texts)) < SHORT else None):
            rows = self._model.encode(
                texts,
                batch_size=BATCH,
                normalize_embeddings=True,
                convert_to_numpy=True,
                show_progress_bar=False,
            )
        return np.asarray(rows, dtype=np.float32)

    def _remember(self, found: dict[str, Any]) -> None:
        for text, row in found.items():
            self._recent[text] = row
            self._recent.move_to_end(text)
        while len(self._recent) > REMEMBERED:
            self._recent.popitem(last=False)

    def _load(self) -> Any:
        check_weights(self.folder, sha256=self.sha256)
        os.environ.setdefault("HF_HUB_OFFLINE", "1")
        # Waiting threads must not spin: on a busy machine that makes one query 15 times slower.
        os.environ.setdefault("OMP_WAIT_POLICY", "passive")
        from sentence_transformers import SentenceTransformer
        from transformers.utils import logging

        logging.disable_progress_bar()  # type: ignore[no-untyped-call]
        model = SentenceTransformer(str(self.folder), device="cpu", local_files_only=True)
        model.max_seq_length = LENGTH
        model.tokenizer.truncation_side = "left"
        return model


def check_weights(folder: Path, *, sha256: str) -> None:
    """Check that `folder` holds the weights with this SHA-256.

    Raises:
        ModelNotFound: it does not; the message holds the command that fetches them.
    """
    remedy = f"run: qkgram models fetch {MINILM}"
    file = folder / WEIGHTS
    if not file.is_file():
        raise ModelNotFound(f"no sentence encoder at {file}; {remedy}")
    with file.open("rb") as weights:
        found = hashlib.file_digest(weights, "sha256").hexdigest()
    if found != sha256:
        raise ModelNotFound(f"{file}: wanted SHA-256 {sha256[:12]}, found {found[:12]}; {remedy}")


@contextmanager
def _threads(count: int | None) -> Iterator[None]:
    """Let torch use `count` threads inside, as many as before when `None`."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(count or before)
    try:
        yield
    finally:
        torch.set_num_threads(before)
