"""Names that must not be joined (known failures B01, B03, B07) and names that may."""

from __future__ import annotations

import pytest

from retrievers.guards import different, is_measurement, is_symbol, needs_cue
from retrievers.normalise import normalise

APART = [
    ("hyperparathyroidism", "hypoparathyroidism"),
    ("hypercalcemia", "hypocalcemia"),
    ("hyperkalemia", "hypernatremia"),
    ("type 1 diabetes mellitus", "type 2 diabetes mellitus"),
    ("interleukin-10", "interleukin-1"),
    ("diabetic neuropathy", "diabetic nephropathy"),
    ("alpha thalassemia", "beta thalassemia"),
    ("acute pancreatitis", "chronic pancreatitis"),
    ("tachycardia", "bradycardia"),
    ("proximal tubulopathy", "distal tubulopathy"),
    ("autosomal dominant deafness", "autosomal recessive deafness"),
    ("obstructive uropathy", "nonobstructive uropathy"),
    ("factor V deficiency", "factor VII deficiency"),
    ("vitamin B deficiency", "vitamin D deficiency"),
    ("clinodactyly of the 4th finger", "clinodactyly of the 4th toe"),
    ("decreased urinary norepinephrine level", "decreased urinary epinephrine level"),
    ("abnormal interferon concentration", "abnormal interleukin concentration"),
    ("spondylometaphyseal dysplasia", "spondyloepimetaphyseal dysplasia"),
    ("neuronal inclusion bodies", "extraneuronal inclusion bodies"),
    ("linear IgA deposit of the membrane", "linear IgG deposit of the membrane"),
    ("small intestine carcinoid", "small intestine carcinoma"),
]

TOGETHER = [
    ("chronic kidny disease", "chronic kidney disease"),
    ("diabetis mellitus", "diabetes mellitus"),
    ("hypertrofic cardiomyopathy", "hypertrophic cardiomyopathy"),
    ("myocardial infraction", "myocardial infarction"),
]


@pytest.mark.parametrize(("one", "other"), APART)
def test_look_alikes_are_kept_apart_both_ways(one: str, other: str) -> None:
    assert different(normalise(one), normalise(other))
    assert different(normalise(other), normalise(one))


@pytest.mark.parametrize(("one", "other"), TOGETHER)
def test_misspellings_are_not_objected_to(one: str, other: str) -> None:
    assert different(normalise(one), normalise(other)) is None


def test_symbols_are_told_from_words() -> None:
    assert all(map(is_symbol, ["INS", "HLA-B", "C9orf72", "TNF", "SLC22A1"]))
    assert not any(map(is_symbol, ["Insulin", "insulin", "A", "Cough", "PHENYLALANINE"]))


def test_short_and_ambiguous_symbols_need_a_cue() -> None:
    assert all(map(needs_cue, ["ACE", "CAT", "MET", "ANA", "T3", "AR", "IMPACT", "SET"]))
    assert not any(map(needs_cue, ["BRCA1", "DPP4", "INSR"]))


@pytest.mark.parametrize(
    ("text", "measured"),
    [
        ("serum potassium was high", True),
        ("Potassium 5.9 mEq/L", True),
        ("glucose of 240 mg/dL", True),
        ("she takes potassium daily", False),
    ],
)
def test_laboratory_values_are_no_drugs(text: str, measured: bool) -> None:
    word = "glucose" if "glucose" in text else text[text.lower().index("potassium") :][:9]
    start = text.index(word)
    assert is_measurement(text, start, start + len(word)) is measured
