"""RotatE on a small graph: the split, the corruption, the folder, and what it learns."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from retrievers.graph import GraphStore
from retrievers.rotate import RotateModel, default_folder
from retrievers.rotate_data import (
    Known,
    Triples,
    all_triples,
    corrupt,
    pools_of,
    sides_of,
    split_edges,
    with_mirrors,
)
from retrievers.rotate_fit import Fitted, batch_size, fit
from retrievers.rotate_manifest import RotateManifest, RotateSettings
from retrievers.rotate_train import train_rotate
from signatures.errors import InputError, MissingError, ModelNotFound, StoreMismatch
from tests.support.graphs import Fact, make_graph

GROUPS, MEMBERS = 3, 8
QUICK = RotateSettings(
    dimension=8, epochs=12, batch=32, negatives=8, learning_rate=0.05, held_out=0.2
)


@pytest.fixture(scope="module", autouse=True)
def one_thread() -> Iterator[None]:
    """Tensors of this size only wait for each other's threads."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def facts() -> list[Fact]:
    """Drugs of a group treat most diseases of the group and no others; diseases of one are kin."""
    rng = np.random.default_rng(0)
    made: list[Fact] = []
    for group in range(GROUPS):
        for drug in range(MEMBERS):
            for disease in range(MEMBERS):
                if rng.random() < 0.8:
                    ends = (f"drug {group}.{drug}", "drug", "indication")
                    made.append((*ends, f"disease {group}.{disease}", "disease"))
        for one in range(MEMBERS - 1):
            ends = (f"disease {group}.{one}", "disease", "disease_disease")
            made.append((*ends, f"disease {group}.{one + 1}", "disease"))
    drug, disease = "drug 0.0", "disease 1.0"
    return [*made, (drug, "drug", "contraindication", disease, "disease")]


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> GraphStore:
    return make_graph(tmp_path_factory.mktemp("graph"), facts())


@pytest.fixture(scope="module")
def trained(graph: GraphStore) -> RotateManifest:
    return train_rotate(graph, settings=QUICK)


@pytest.fixture(scope="module")
def model(graph: GraphStore, trained: RotateManifest) -> RotateModel:
    return RotateModel.open(graph)


def pairs(triples: Triples) -> set[frozenset[int]]:
    return {frozenset(ends) for ends in zip(triples.head, triples.tail, strict=True)}


# --- parts ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
def test_no_pair_of_nodes_stands_in_two_parts(graph: GraphStore, seed: int) -> None:
    triples = all_triples(graph)
    doubled = Triples(*(np.concatenate([c, c]) for c in triples))
    reversed_too = Triples(
        np.concatenate([triples.head, triples.tail]),
        doubled.relation,
        np.concatenate([triples.tail, triples.head]),
    )
    split = split_edges(reversed_too, held_out=0.3, rng=np.random.default_rng(seed))
    parts = [pairs(reversed_too.take(part)) for part in split]
    assert all(parts)
    assert not (parts[0] & parts[1] or parts[0] & parts[2] or parts[1] & parts[2])
    assert sorted(np.concatenate(split)) == list(range(len(reversed_too.head)))


@pytest.mark.parametrize("seed", range(5))
def test_every_node_and_relation_trains(graph: GraphStore, seed: int) -> None:
    triples = all_triples(graph)
    split = split_edges(triples, held_out=0.9, rng=np.random.default_rng(seed))
    train = triples.take(split.train)
    assert set(train.head) | set(train.tail) == set(range(graph.node_count))
    assert set(train.relation) == set(range(len(graph.relations)))


def test_the_split_is_the_seed_s(graph: GraphStore) -> None:
    triples = all_triples(graph)
    first, again, other = (
        split_edges(triples, held_out=0.2, rng=np.random.default_rng(seed)) for seed in (1, 1, 2)
    )
    assert first.test.tolist() == again.test.tolist() != other.test.tolist()


def test_corrupted_triplets_are_new_keep_types_and_one_end(graph: GraphStore) -> None:
    triples, sides = all_triples(graph), sides_of(graph)
    known = Known(triples, nodes=graph.node_count)
    for pool in pools_of(triples, sides, relations=len(graph.relations)):
        made, made_from = corrupt(triples, pool, known, np.random.default_rng(0))
        true = triples.take(made_from)
        assert len(made_from) > 0.9 * len(triples.head)
        assert not known(made).any()
        assert not (made.head == made.tail).any()
        assert ((made.head == true.head) ^ (made.tail == true.tail)).all()
        assert (sides.types[made.head] == sides.types[true.head]).all()
        assert (sides.types[made.tail] == sides.types[true.tail]).all()


def test_a_matched_end_has_the_relation(graph: GraphStore) -> None:
    triples, sides = all_triples(graph), sides_of(graph)
    matched = pools_of(triples, sides, relations=len(graph.relations)).matched
    code = graph.relations.index("contraindication")
    only = triples.take(triples.relation == code)
    drawn = matched.like(np.repeat(only.head, 20), np.full(20, code), np.random.default_rng(0))
    assert set(drawn) == set(only.head)


def test_known_sees_both_directions() -> None:
    known = Known(Triples(np.array([1]), np.array([0]), np.array([2])), nodes=5)
    asked = Triples(np.array([1, 2, 1]), np.array([0, 0, 0]), np.array([2, 1, 3]))
    assert known(asked).tolist() == [True, True, False]


def test_only_relations_without_direction_are_mirrored(graph: GraphStore) -> None:
    triples, sides = all_triples(graph), sides_of(graph)
    kin = triples.relation == graph.relations.index("disease_disease")
    assert len(with_mirrors(triples, sides.directed).head) == len(triples.head) + kin.sum()


# --- the model -----------------------------------------------------------------------------------


def test_it_tells_held_out_edges_from_corrupted_ones_better_than_degree(
    trained: RotateManifest,
) -> None:
    figures = trained.overall
    assert figures.auc is not None and figures.auc > 0.8
    assert figures.degree_auc is not None and figures.auc > figures.degree_auc + 0.1
    assert figures.matched_auc is not None and figures.matched_auc > 0.8
    assert trained.brier is not None and trained.brier < 0.2
    assert trained.losses[-1] < trained.losses[0]
    assert set(trained.versions) == {"pykeen", "torch"}


def test_probabilities_rank_a_group_above_strangers(graph: GraphStore, model: RotateModel) -> None:
    node = {graph.node(i).name: i for i in range(graph.node_count)}
    code = model.code("indication")
    assert code is not None
    drugs = np.array([node[f"drug {g}.{m}"] for g in range(GROUPS) for m in range(MEMBERS)])
    own = np.array([node[f"disease {g}.3"] for g in range(GROUPS) for m in range(MEMBERS)])
    codes = np.full(len(drugs), code)
    kin = model.probability(Triples(drugs, codes, own))
    strange = model.probability(Triples(drugs, codes, np.roll(own, MEMBERS)))
    assert ((kin >= 0) & (kin <= 1)).all()
    assert kin.mean() > 0.6 > 0.4 > strange.mean()


def test_a_relation_without_direction_reads_the_same_both_ways(model: RotateModel) -> None:
    code = model.code("disease_disease")
    assert code is not None
    ends = np.arange(10), np.arange(10, 20)
    codes = np.full(10, code)
    there = model.score(Triples(ends[0], codes, ends[1]))
    back = model.score(Triples(ends[1], codes, ends[0]))
    assert np.allclose(there, back, rtol=1e-6)


def test_scores_are_those_of_pykeen(graph: GraphStore, model: RotateModel) -> None:
    import torch
    from pykeen.nn.modules import RotatEInteraction

    triples = all_triples(graph)
    code = model.code("indication")
    some = triples.take(triples.relation == code)
    entity = torch.from_numpy(np.load(model.path / "entity.npy"))
    relation = torch.from_numpy(np.load(model.path / "relation.npy"))
    theirs = RotatEInteraction()(entity[some.head], relation[some.relation], entity[some.tail])
    assert np.allclose(model.score(some), theirs.numpy(), rtol=1e-5)


def fit_one_epoch(
    graph: GraphStore, seed: int, progress: Callable[[int, int], None] | None = None
) -> Fitted:
    triples, sides = all_triples(graph), sides_of(graph)
    relations = len(graph.relations)
    return fit(
        triples,
        pools_of(triples, sides, relations=relations),
        nodes=graph.node_count,
        relations=relations,
        settings=QUICK.model_copy(update={"epochs": 1, "seed": seed}),
        progress=progress,
    )


def test_equal_seeds_give_equal_vectors(graph: GraphStore) -> None:
    first, again, other = (fit_one_epoch(graph, seed).entity.tobytes() for seed in (1, 1, 2))
    assert first == again != other


def test_relations_only_turn(graph: GraphStore) -> None:
    assert np.allclose(np.abs(fit_one_epoch(graph, 0).relation), 1, atol=1e-5)


def test_training_leaves_the_random_state_of_others_alone(graph: GraphStore) -> None:
    import torch

    torch.manual_seed(7)
    expected = torch.rand(1)
    torch.manual_seed(7)
    fit_one_epoch(graph, 0)
    assert torch.rand(1) == expected


def test_progress_counts_every_batch(graph: GraphStore) -> None:
    told: list[tuple[int, int]] = []
    fit_one_epoch(graph, 0, lambda done, total: told.append((done, total)))
    total = -(-graph.edge_count // batch_size(graph.edge_count, most=QUICK.batch))
    assert told == [(done, total) for done in range(1, total + 1)]


# --- the folder ----------------------------------------------------------------------------------


def test_the_folder_holds_arrays_and_json_only(graph: GraphStore, trained: RotateManifest) -> None:
    folder = default_folder(graph)
    names = {file.name for file in folder.iterdir()}
    assert names == {"manifest.json", "entity.npy", "relation.npy"}
    assert json.loads((folder / "manifest.json").read_text())["fingerprint"] == graph.fingerprint
    assert np.load(folder / "entity.npy", allow_pickle=False).shape == (graph.node_count, 8)


def test_copies_share_the_vectors(model: RotateModel) -> None:
    assert copy.deepcopy(model) is model
    assert isinstance(model._entity.base, np.memmap)


def test_no_model_names_the_command(tmp_path: Path) -> None:
    graph = make_graph(tmp_path, facts())
    with pytest.raises(ModelNotFound, match=f"qkgram reviewer train --graph {graph.path}$"):
        RotateModel.open(graph)
    with pytest.raises(ModelNotFound, match="--out .*elsewhere"):
        RotateModel.open(graph, tmp_path / "elsewhere")


def test_the_model_of_another_graph_is_refused(tmp_path: Path, model: RotateModel) -> None:
    other = make_graph(tmp_path, facts()[:-1])
    with pytest.raises(StoreMismatch, match="was made from store .* qkgram reviewer train"):
        RotateModel.open(other, model.path)


@pytest.mark.parametrize("damage", ["cut", "gone", "version", "json"])
def test_damage_is_an_error_with_the_command(
    graph: GraphStore, model: RotateModel, tmp_path: Path, damage: str
) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    for file in model.path.iterdir():
        (folder / file.name).write_bytes(file.read_bytes())
    manifest = folder / "manifest.json"
    if damage == "cut":
        (folder / "entity.npy").write_bytes((folder / "entity.npy").read_bytes()[:-8])
    elif damage == "gone":
        (folder / "relation.npy").unlink()
    elif damage == "version":
        manifest.write_text(json.dumps({**json.loads(manifest.read_text()), "schema_version": 0}))
    else:
        manifest.write_text("{")
    with pytest.raises(StoreMismatch, match="qkgram reviewer train"):
        RotateModel.open(graph, folder)


def test_an_interrupt_leaves_the_older_model_and_nothing_else(
    graph: GraphStore, model: RotateModel
) -> None:
    before = {file.name: file.read_bytes() for file in model.path.iterdir()}
    beside = set(graph.path.parent.iterdir())

    def stop(done: int, total: int) -> None:
        if done > 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_rotate(graph, settings=QUICK, progress=stop)
    assert {file.name: file.read_bytes() for file in model.path.iterdir()} == before
    assert set(graph.path.parent.iterdir()) == beside


def test_a_place_that_holds_something_else_is_refused(graph: GraphStore, tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("mine")
    for place in (graph.path, tmp_path, tmp_path / "notes"):
        with pytest.raises(InputError, match="no RotatE model; name another --out"):
            train_rotate(graph, place, settings=QUICK)
    assert GraphStore.open(graph.path).edge_count == graph.edge_count


def test_a_graph_without_a_pair_to_hold_out_is_refused(tmp_path: Path) -> None:
    tiny = make_graph(tmp_path, facts()[:1])
    with pytest.raises(InputError, match="too small to train RotatE"):
        train_rotate(tiny, settings=QUICK)
    assert not default_folder(tiny).exists()


def test_without_pykeen_the_error_says_how_to_install_it(
    graph: GraphStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pykeen.version", None)
    with pytest.raises(MissingError, match=r"pip install 'qkgram\[reviewer\]'"):
        train_rotate(graph, tmp_path / "model", settings=QUICK)
    assert not (tmp_path / "model").exists()


def test_scoring_needs_neither_pykeen_nor_torch(model: RotateModel, graph: GraphStore) -> None:
    code = f"""
import sys
from retrievers.graph import GraphStore
from retrievers.rotate import RotateModel
from retrievers.rotate_data import all_triples
graph = GraphStore.open({str(graph.path)!r})
RotateModel.open(graph).probability(all_triples(graph))
assert not {{"torch", "pykeen", "sklearn"}} & sys.modules.keys()
"""
    repo = Path(__file__).resolve().parents[2]
    subprocess.run([sys.executable, "-c", code], cwd=repo, check=True)
