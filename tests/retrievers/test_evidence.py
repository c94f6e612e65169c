"""Evidence of a claim: both ends, other diseases of the patient, and never outside the region."""

from __future__ import annotations

import pytest

from data.paths import sample_dir
from retrievers.build import build_store
from retrievers.evidence import EvidenceFinder
from retrievers.graph import GraphStore
from retrievers.linking import GraphLinker
from retrievers.patient import read_patient
from retrievers.unjudged import answer, unjudged
from signatures.schema import Claim, Region


@pytest.fixture(scope="module")
def finder(tmp_path_factory: pytest.TempPathFactory) -> EvidenceFinder:
    sample = sample_dir()
    if not (sample / "kg.csv").is_file():
        pytest.skip("the sample is not there")
    out = tmp_path_factory.mktemp("evidence") / "store"
    build_store(sample / "kg.csv", out, constraints=sample / "constraints.jsonl")
    graph = GraphStore.open(out)
    return EvidenceFinder(graph, GraphLinker(graph))


def treats(head: str, tail: str) -> Claim:
    return Claim(option="A", head=head, predicate="treats", tail=tail, supports=True)


def test_head_and_tail_are_joined(finder: EvidenceFinder) -> None:
    patient = read_patient("A 50-year-old man")
    found = finder.find(treats("Metformin", "type 2 diabetes mellitus"), patient)
    assert [t.relation for t in found] == ["indication"]


def test_an_unlinked_end_gives_no_evidence(finder: EvidenceFinder) -> None:
    patient = read_patient("A 50-year-old man")
    assert finder.find(treats("Nosuchdrugol", "type 2 diabetes mellitus"), patient) == ()


def test_a_name_of_another_kind_is_not_called_unknown(finder: EvidenceFinder) -> None:
    assert finder.unlinked(treats("VKORC1", "Nosuchosis")) == (
        "VKORC1 is a gene/protein, which 'treats' does not take there",
        "the graph does not know Nosuchosis",
    )
    assert finder.unlinked(treats("Metformin", "type 2 diabetes mellitus")) == ()


def test_the_region_is_a_hard_boundary(finder: EvidenceFinder) -> None:
    patient = read_patient("A 50-year-old man")
    claim = treats("Metformin", "type 2 diabetes mellitus")
    (inside,) = finder.find(claim, patient)
    empty = Region(
        query="q", domain="INTEGRATED", anchors=(), triplets=(), relevance=(), candidates=0
    )
    full = empty.model_copy(update={"triplets": (inside,), "relevance": (0.9,)})
    assert finder.find(claim, patient, region=empty) == ()
    assert finder.find(claim, patient, region=full) == (inside,)


def test_a_contraindication_to_another_disease_of_the_patient_counts(
    finder: EvidenceFinder,
) -> None:
    claim = treats("Propranolol", "hypertension")
    without = finder.find(claim, read_patient("A man with hypertension", linker=finder.linker))
    asthma = "A man with hypertension and asthma"
    with_it = finder.find(claim, read_patient(asthma, linker=finder.linker))
    extra = set(with_it) - set(without)
    assert {(t.relation, t.tail.name) for t in extra} == {("contraindication", "asthma")}
    denied = read_patient("A man with hypertension. He denies asthma.", linker=finder.linker)
    assert finder.find(claim, denied) == without


def test_a_low_egfr_rules_metformin_out(finder: EvidenceFinder) -> None:
    patient = read_patient("A 70-year-old man has an eGFR of 24.", linker=finder.linker)
    triplets = finder.find(treats("Metformin", "type 2 diabetes mellitus"), patient)
    (piece,) = finder.weigh(triplets, patient)
    assert (piece.validity, piece.label, piece.ruled_out) == (0.0, "AVOID", True)
    (plain,) = finder.weigh(triplets, patient, paradigm="conventional")
    assert plain.validity == 1.0


def test_a_model_answers_only_what_rules_leave_open(finder: EvidenceFinder) -> None:
    patient = read_patient("A 34-year-old man with type 1 diabetes", linker=finder.linker)
    triplets = finder.find(treats("Pramlintide", "type 1 diabetes mellitus"), patient)
    verdicts = finder.judge(triplets, patient)
    left = unjudged(verdicts)
    assert left
    filled = answer(left[0], {left[0].id: "MET"})
    assert (filled.match, filled.decided_by) == ("MET", "model")
    decided = next(v for group in verdicts.values() for v in group if v.match != "UNJUDGED")
    assert answer(decided, {decided.id: "NOT_MET"}) is decided
