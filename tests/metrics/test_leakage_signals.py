"""The strings that QKG A.3 and A.4 quote, and their neighbours."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.leakage import label_evidence
from metrics.leakage_signals import read_signals


@pytest.mark.parametrize(
    "text",
    [
        "AVOID in this patient",
        "label RECOMMENDED for the patient",
        "use with CAUTION.",
        "The ConstraintItem says eGFR < 30",
        "two constraintitems apply",
        "the Safety Judgment is negative",
        "safety judgement",
    ],
)
def test_context_tokens_count(text: str) -> None:
    assert read_signals(text).context
    assert label_evidence(text) == "EV_CONTEXT"


@pytest.mark.parametrize(
    "text",
    [
        "AHA guidelines explicitly RECOMMEND antibiotic prophylaxis",
        "evidence-based applicability for this trial",
        "avoid it, with caution; recommended by some",
        "Avoid NSAIDs. Caution is advised. Recommended dose",
        "UNAVOIDABLE",
        "the patient is pregnant",
    ],
)
def test_ordinary_words_are_no_context(text: str) -> None:
    assert not read_signals(text).context


@pytest.mark.parametrize(
    "text",
    [
        "KG confirms a direct indication relation between the two",
        "entity 30494 has direct positive phenotype relations to AKI",
        "KG entity 30494 has direct positive phenotype relations to acute kidney injury",
        "KG explicitly links X to Y",
        "The knowledge graph shows a contraindication",
        "a direct contraindication edge joins metformin and acidosis",
        "[e412] Metformin is indicated for type 2 diabetes mellitus (F=0 AVOID)".replace(
            " AVOID", ""
        ),
    ],
)
def test_kg_support(text: str) -> None:
    assert read_signals(text).kg_support
    assert label_evidence(text) == "EV_KG_GROUNDED"


@pytest.mark.parametrize(
    "text",
    [
        "KG lacks such relations",
        "the query returned no results",
        "returned an empty list",
        "empty list",
        "contains no clinical guideline or prophylaxis protocol data",
        "no clinical guideline data",
        "KG does not encode this",
        "KG confirms no contraindication",
        "KG confirms the absence of an indication",
        "KG search for Amoxicillin does not list it",
        "no triplet joins them",
    ],
)
def test_kg_gap_is_no_support(text: str) -> None:
    found = read_signals(text)
    assert found.kg_gap
    assert not found.kg_support
    assert label_evidence(text) == "EV_UNCLASSIFIED"


@pytest.mark.parametrize(
    "text",
    [
        "Medically, this is wrong",
        "That fails; clinically, the picture differs",
        "Clinically the picture differs",
        "AHA/CDC/ACIP guidelines",
        "AHA guidelines ask for it",
        "this is the standard of care",
        "as given per standard clinical guidelines",
        "guidelines recommend it",
    ],
)
def test_parametric(text: str) -> None:
    assert read_signals(text).parametric
    assert label_evidence(text) == "EV_LEAKAGE"


@pytest.mark.parametrize(
    "text",
    ["clinically flawed", "while medically accurate", "a clinical guideline", "who guided it"],
)
def test_words_that_lean_on_nothing(text: str) -> None:
    assert not read_signals(text).parametric


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("KG lacks edges. Medically, it is harmful.", "EV_LEAKAGE"),
        ("KG confirms the indication. KG lacks doses. Medically, no.", "EV_LEAKAGE"),
        ("KG confirms the indication. Medically, it fits.", "EV_KG_GROUNDED"),
        ("KG confirms the indication. KG lacks doses.", "EV_KG_GROUNDED"),
        ("Medically, it fits.", "EV_LEAKAGE"),
        ("Medically, AVOID it; KG lacks edges.", "EV_CONTEXT"),
        ("A classic sign.", "EV_UNCLASSIFIED"),
        ("", "EV_UNCLASSIFIED"),
    ],
)
def test_label_evidence_is_algorithm_2(text: str, label: str) -> None:
    assert label_evidence(text) == label


@given(st.text(max_size=400))
def test_any_text_has_a_label(text: str) -> None:
    assert label_evidence(text).startswith("EV_")


def test_unclassified_cases_of_the_release_stay_unclassified(shared_data: Path) -> None:
    """The release's judge quotes the evidence of the cases that its patterns did not match."""
    figures = shared_data / "qkg_results" / "figures"
    names = ("leakage_classification_per_case_llm.csv", "leakage_classification_c2w_per_case.csv")
    quotes = []
    for name in names:
        with (figures / name).open(encoding="utf-8", newline="") as lines:
            for row in csv.DictReader(lines):
                if row["regex_label"] == "UNCLASSIFIED":
                    quotes += re.findall(r"(?<!\w)'([^']{8,}(?:'s [^']*)?)'", row["llm_reasoning"])
    assert len(quotes) > 50
    assert [q for q in quotes if label_evidence(q) != "EV_UNCLASSIFIED"] == []
