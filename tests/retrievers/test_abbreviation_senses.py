"""Abbreviations that stand for no disease where they stand."""

from __future__ import annotations

import pytest

from retrievers.linking import GraphLinker
from retrievers.patient import read_patient
from tests.support.graphs import Fact, make_graph

NAMES = [
    *("rheumatoid arthritis", "multiple sclerosis", "pulmonary embolism", "stroke"),
    *("myasthenia gravis", "atrial fibrillation"),
]


@pytest.fixture(scope="module")
def linker(tmp_path_factory: pytest.TempPathFactory) -> GraphLinker:
    facts: list[Fact] = [
        (name, "disease", "disease_protein", "INSR", "gene/protein") for name in NAMES
    ]
    return GraphLinker(make_graph(tmp_path_factory.mktemp("senses"), facts))


def diagnoses(text: str, linker: GraphLinker | None) -> list[str]:
    facts = read_patient(text, linker=linker).facts
    return [fact.name for fact in facts if fact.kind == "diagnosis"]


@pytest.mark.parametrize(
    "text",
    [
        "Sats 96% RA.", "SpO2 97% (RA).", "O2 sat 96 on RA.", "RA pressure 8 mmHg.", "97 % on RA.",
        "METFORMIN 500 MG PO BID.", "MG 2.1, K 4.0.", "Aspirin 81 MG daily.",
        "PE: lungs clear.", "On PE, lungs clear.", "PE lungs clear.", "PE shows a soft abdomen.",
        "MS: alert and oriented.", "Altered MS.", "QTc 480 MS.", "No CVA tenderness.",
        "VS: AF, VSS.", "LVF normal.", "Good LVF.",
    ],
)  # fmt: skip
def test_another_sense_is_no_disease(linker: GraphLinker, text: str) -> None:
    assert diagnoses(text, linker) == []
    assert diagnoses(text, None) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("She has RA and takes methotrexate.", ["RA"]),
        ("RA on methotrexate; HTN.", ["RA", "HTN"]),
        ("PMH: RA, PE, MS, MG, CVA.", ["RA", "PE", "MS", "MG", "CVA"]),
        ("She had a PE in 2019.", ["PE"]),
        ("SpO2 97% on RA. She has RA.", ["RA"]),
        ("He has had MS for 10 years.", ["MS"]),
        ("Age 54, RA.", ["RA"]),
        ("MG on pyridostigmine.", ["MG"]),
        ("He has AF.", ["AF"]),
    ],
)
def test_the_disease_stays(linker: GraphLinker, text: str, expected: list[str]) -> None:
    assert diagnoses(text, linker) == expected
    assert diagnoses(text, None) == expected
