"""Annotating a store: ledger, resume, budget, failures, and the release file read back."""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import dspy
import pytest

from data.primekg import read_constraints
from optimize.adapter import QkgramAdapter
from optimize.annotating import (
    AnnotationSummary,
    Tasks,
    annotate,
    tasks_from_graph,
    tasks_from_labels,
)
from optimize.annotation_ledger import LEDGER, RELEASE, Ledger, LedgerCard
from optimize.budget import Budget
from optimize.call_errors import CallFailed
from optimize.meter import Meter
from optimize.scripted import ScriptedLM
from programs.annotate import Annotate
from retrievers.build import build_store
from retrievers.graph import GraphStore
from signatures.errors import InputError
from tests.support.graphs import make_graph

FACTS = [
    ("Drugone", "drug", "indication", "gout", "disease"),
    ("Drugtwo", "drug", "indication", "asthma", "disease"),
    ("Drugtwo", "drug", "contraindication", "gout", "disease"),
    ("Drugone", "drug", "drug_protein", "GENE1", "gene/protein"),
    ("Drugone", "drug", "drug_effect", "Nausea", "effect/phenotype"),
]


@pytest.fixture
def graph(tmp_path: Path) -> GraphStore:
    return make_graph(tmp_path, FACTS)


def card(graph: GraphStore, **changed: Any) -> LedgerCard:
    fields = {"model": "m", "sampling": {}, "prompts": "p", "graph": graph.fingerprint}
    return LedgerCard.model_validate({**fields, "version": "1", **changed})


def reply(call: Any) -> dict[str, Any]:
    levels = ("general population", "Definitely Applicable"), ("pregnant", "Decreased Likelihood")
    return {
        "groups": [
            {"patient_characteristics": name, "applicability": level, "evidence": call.user[:60]}
            for name, level in levels
        ]
    }


def run(
    graph: GraphStore,
    folder: Path,
    script: Callable[[Any], Any] = reply,
    *,
    tasks: Tasks | None = None,
    budget: Budget | None = None,
    threads: int = 1,
) -> tuple[AnnotationSummary, ScriptedLM]:
    meter = Meter(budget)
    model = ScriptedLM(script, role="annotator", meter=meter)
    with (
        dspy.context(lm=model, roles={"annotator": model}, adapter=QkgramAdapter(reasks=0)),
        Ledger.open(folder, card(graph)) as ledger,
    ):
        found = annotate(
            Annotate(),
            ledger,
            tasks or tasks_from_graph(graph),
            meter=meter,
            threads=threads,
        )
    return found, model


def test_the_four_relations_are_annotated_and_read_back_into_a_store(
    graph: GraphStore, tmp_path: Path
) -> None:
    found, model = run(graph, tmp_path / "out", threads=3)
    assert (found.tasks, found.annotated, found.triplets, found.items) == (4, 4, 4, 8)
    assert not found.incomplete
    assert not any("GENE1" in call.user for call in model.asked)
    lines = list(read_constraints(tmp_path / "out" / RELEASE))
    assert {line.relation for line in lines} == {"indication", "contraindication", "drug_effect"}
    build_store(tmp_path / "kg.csv", tmp_path / "again", constraints=tmp_path / "out" / RELEASE)
    store = GraphStore.open(tmp_path / "again")
    assert store.manifest.report.constraint_items == 8
    assert store.manifest.report.constraint_unmatched == 0


def test_the_release_file_has_the_releases_keys(graph: GraphStore, tmp_path: Path) -> None:
    run(graph, tmp_path / "out")
    first = json.loads((tmp_path / "out" / RELEASE).read_text().splitlines()[0])
    assert set(first) == {"triplet", "relation_constraints"}
    assert {"index", "name", "type"} <= set(first["triplet"]["x"])
    assert set(first["relation_constraints"][0]) == {
        "patient_characteristics",
        "applicability",
        "evidence",
    }


def test_a_second_call_asks_nothing_and_an_interrupted_one_goes_on(
    graph: GraphStore, tmp_path: Path
) -> None:
    found, model = run(graph, tmp_path / "out", budget=Budget(max_calls=2))
    assert (found.annotated, len(model.asked)) == (2, 2)
    assert found.incomplete
    assert found.stopped is not None
    assert "budget of 2 calls" in found.stopped
    found, model = run(graph, tmp_path / "out")
    assert (found.annotated, found.reused, len(model.asked)) == (4, 2, 2)
    found, model = run(graph, tmp_path / "out")
    assert (found.reused, model.asked) == (4, ())


def test_a_torn_line_costs_its_task_only(graph: GraphStore, tmp_path: Path) -> None:
    run(graph, tmp_path / "out")
    path = tmp_path / "out" / LEDGER
    path.write_bytes(path.read_bytes()[:-40])
    found, model = run(graph, tmp_path / "out")
    assert (found.annotated, len(model.asked)) == (4, 1)


def test_failures_are_listed_and_tried_again(graph: GraphStore, tmp_path: Path) -> None:
    def failing(call: Any) -> Any:
        return {"groups": "none"} if "asthma" in call.user else reply(call)

    found, _ = run(graph, tmp_path / "out", failing)
    assert found.annotated == 3
    (failed,) = found.failures
    assert "could not be read" in failed
    found, model = run(graph, tmp_path / "out")
    assert (found.annotated, found.failures, len(model.asked)) == (4, (), 1)


def test_a_model_that_is_away_stops_the_call_and_writes_no_items(
    graph: GraphStore, tmp_path: Path
) -> None:
    found, _ = run(graph, tmp_path / "out", lambda call: CallFailed("the server is away"))
    assert (found.annotated, found.items, found.triplets) == (0, 0, 0)
    assert all("away" in line for line in found.failures)


def test_rows_of_another_model_are_not_mixed_in(graph: GraphStore, tmp_path: Path) -> None:
    run(graph, tmp_path / "out")
    with pytest.raises(InputError, match="another model"):
        Ledger.open(tmp_path / "out", card(graph, model="other"))


def test_two_processes_never_write_one_ledger(graph: GraphStore, tmp_path: Path) -> None:
    with (
        Ledger.open(tmp_path / "out", card(graph)),
        pytest.raises(InputError, match="another process"),
    ):
        Ledger.open(tmp_path / "out", card(graph))


def labels(path: Path, rows: list[tuple[str, str, str]]) -> Path:
    with gzip.open(path, "wt", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("drug_id", "y_id", "label_text"), *rows])
    return path


def test_labels_find_their_triplets_and_the_evidence_must_quote_them(
    graph: GraphStore, tmp_path: Path
) -> None:
    ids = {name: node.id for name in ("Drugone", "Drugtwo", "gout", "asthma")
           for node in [graph.node(dict(graph.names())[name])]}  # fmt: skip
    text = "Contraindicated in patients with gout who are pregnant."
    file = labels(
        tmp_path / "labels.csv.gz",
        [
            (ids["Drugtwo"], ids["gout"], text),
            (ids["Drugtwo"], ids["gout"], text),
            (ids["Drugone"], ids["asthma"], "No such edge."),
        ],
    )
    tasks = tasks_from_labels(graph, file)
    assert [task.triplet.relation for task in tasks.tasks] == ["contraindication"]
    assert tasks.unmatched == 1

    def quoting(call: Any) -> Any:
        level = "Definitely Applicable"
        said = [("pregnant", "patients with gout who are pregnant"), ("male", "Avoid in men.")]
        return {
            "groups": [
                {"patient_characteristics": name, "applicability": level, "evidence": words}
                for name, words in said
            ]
        }

    found, _ = run(graph, tmp_path / "out", quoting, tasks=tasks)
    assert (found.items, found.unquoted, found.unmatched) == (1, 1, 1)


def test_an_unknown_relation_is_answered_with_the_four(graph: GraphStore) -> None:
    with pytest.raises(InputError, match="drug_effect"):
        tasks_from_graph(graph, relations=["treats"])


def test_a_label_file_without_its_columns_is_named(graph: GraphStore, tmp_path: Path) -> None:
    file = tmp_path / "labels.csv"
    file.write_text("drug,disease\n")
    with pytest.raises(InputError, match="drug_id"):
        tasks_from_labels(graph, file)


def test_real_labels_join_to_triplets(shared_data: Path, tmp_path: Path) -> None:
    """The first rows of the label files are contraindications of drugs on PrimeKG's own ids."""
    from data.labels import read_labels

    rows = list(read_labels(shared_data / "label_contraindications_primekg_ids.csv.gz"))
    assert len(rows) == 2130
    assert rows[0].drug_id == "DB01324"
