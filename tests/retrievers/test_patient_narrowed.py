"""A name without its qualifier does not say that the qualifier holds."""

from __future__ import annotations

import pytest

from retrievers.linking import GraphLinker
from retrievers.matching import Matcher
from retrievers.patient import read_patient
from signatures.schema import ConstraintItem
from tests.support.graphs import Fact, make_graph

NAMES = [
    *("hypertension", "hyperkalemia", "thrombocytopenia", "hypertriglyceridemia"),
    *("peptic ulcer disease", "heart failure", "tuberculosis", "cardiovascular disease"),
    *("atrial fibrillation", "bradycardia", "coronary artery disease", "heart block"),
]
"""Nodes of the graph to which these names link without their qualifiers."""


@pytest.fixture(scope="module")
def linker(tmp_path_factory: pytest.TempPathFactory) -> GraphLinker:
    facts: list[Fact] = [
        (name, "disease", "disease_protein", "INSR", "gene/protein") for name in NAMES
    ]
    return GraphLinker(make_graph(tmp_path_factory.mktemp("narrowed"), facts))


def verdict(linker: GraphLinker | None, text: str, group: str) -> str:
    item = ConstraintItem(
        patient_characteristics=group, applicability="Definitely Applicable", evidence=""
    )
    return Matcher(linker=linker).match(item, read_patient(text, linker=linker)).match


CASES = [
    ("She has well-controlled hypertension.", "uncontrolled hypertension", "NOT_MET"),
    ("Her hypertension is well controlled.", "uncontrolled hypertension", "NOT_MET"),
    ("She has hypertension.", "uncontrolled hypertension", "INDETERMINATE"),
    ("She has barely controlled hypertension.", "uncontrolled hypertension", "INDETERMINATE"),
    ("She has uncontrolled hypertension.", "uncontrolled hypertension", "MET"),
    ("She has poorly-controlled hypertension.", "uncontrolled hypertension", "MET"),
    ("Her hypertension is poorly controlled.", "uncontrolled hypertension", "MET"),
    ("She has not well controlled hypertension.", "poorly controlled hypertension", "MET"),
    ("She has poorly controlled hypertension.", "controlled hypertension", "NOT_MET"),
    ("She has hypertension.", "severe hypertension", "INDETERMINATE"),
    ("She has severe hypertension.", "severe hypertension", "MET"),
    ("She has hyperkalemia.", "severe hyperkalemia", "INDETERMINATE"),
    ("She has mild hyperkalemia.", "severe hyperkalemia", "NOT_MET"),
    ("She has severe hyperkalemia.", "severe hyperkalemia", "MET"),
    ("She has no hyperkalemia.", "severe hyperkalemia", "NOT_MET"),
    ("She has thrombocytopenia.", "severe thrombocytopenia", "INDETERMINATE"),
    ("She has hypertriglyceridemia.", "severe hypertriglyceridemia", "INDETERMINATE"),
    ("She has peptic ulcer disease.", "active peptic ulcer disease", "INDETERMINATE"),
    ("She has active peptic ulcer disease.", "active peptic ulcer disease", "MET"),
    ("She has heart failure.", "worsening heart failure", "INDETERMINATE"),
    ("She has worsening heart failure.", "worsening heart failure", "MET"),
    ("She has worsening heart failure.", "heart failure", "MET"),
    ("She has no heart failure.", "worsening heart failure", "NOT_MET"),
    ("She has tuberculosis.", "active tuberculosis", "INDETERMINATE"),
    ("She has atrial fibrillation.", "new-onset atrial fibrillation", "INDETERMINATE"),
    ("She has new-onset atrial fibrillation.", "new-onset atrial fibrillation", "MET"),
    ("She has severe renal insufficiency.", "severe renal impairment", "MET"),
    ("She has moderate renal impairment.", "severe renal impairment", "NOT_MET"),
    ("She has uncontrolled hypertension.", "hypertension", "MET"),
]


@pytest.mark.parametrize(("text", "group", "expected"), CASES)
def test_a_qualifier_must_be_stated(
    linker: GraphLinker, text: str, group: str, expected: str
) -> None:
    assert verdict(linker, text, group) == expected
    assert verdict(None, text, group) == expected


@pytest.mark.parametrize("group", ["established cardiovascular disease", "ASCVD"])
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("She has hypertension.", "INDETERMINATE"),
        ("She has atrial fibrillation and bradycardia.", "INDETERMINATE"),
        ("She has heart block.", "INDETERMINATE"),
        ("She has Wolff-Parkinson-White syndrome.", "INDETERMINATE"),
        ("She has aortic stenosis.", "INDETERMINATE"),
        ("She has a cardiovascular disease.", "INDETERMINATE"),
        ("She has coronary artery disease.", "MET"),
        ("She has peripheral artery disease.", "MET"),
        ("She has an acute myocardial infarction.", "MET"),
        ("She has an ischemic stroke.", "MET"),
        ("She has no cardiovascular disease.", "NOT_MET"),
    ],
)
def test_established_cardiovascular_disease_is_atherosclerotic(
    linker: GraphLinker, text: str, group: str, expected: str
) -> None:
    assert verdict(linker, text, group) == expected
    assert verdict(None, text, group) == expected


def test_the_broad_group_stays_broad(linker: GraphLinker) -> None:
    assert verdict(linker, "She has hypertension.", "cardiovascular disease") == "MET"
    assert verdict(linker, "She has angina.", "cardiovascular disease") == "MET"
