from __future__ import annotations

from typing import Any

import pytest

from metrics.leakage import (
    Case,
    Direction,
    classify_case,
    count_classes,
    join_labels,
    relabelled,
)

SUPPORT = "KG confirms the contraindication relation."
LEAK = "KG lacks any edge. Medically, another drug is right."
CONTEXT = "ConstraintItem eGFR < 30 is met: AVOID."
OPEN = "A classic sign."


def case(*evidence: str, direction: Direction = "wrong_to_correct", **fields: Any) -> Case:
    report = tuple(
        {"option": "B", "supports": True, "status": "CONTRADICTED", "evidence": text}
        for text in evidence
    )
    values = {"key": "q", "original": "B", "final": "D", "gold": "D", "report": report, **fields}
    return Case(direction=direction, **values)


@pytest.mark.parametrize(
    ("evidence", "label", "context"),
    [
        ((SUPPORT,), "LIKELY_KG_SUPPORTED", False),
        ((CONTEXT,), "LIKELY_KG_SUPPORTED", True),
        ((SUPPORT, OPEN), "LIKELY_KG_SUPPORTED", False),
        ((LEAK,), "LIKELY_LEAKAGE", False),
        ((LEAK, OPEN), "LIKELY_LEAKAGE", False),
        ((LEAK, SUPPORT), "MIXED", False),
        ((LEAK, CONTEXT), "MIXED", True),
        ((OPEN,), "UNCLASSIFIED", False),
        ((), "UNCLASSIFIED", False),
    ],
)
def test_classify_case(evidence: tuple[str, ...], label: str, context: bool) -> None:
    found = classify_case(case(*evidence))
    assert (found.label, found.context_driven, found.decided_by) == (label, context, "rules")


def test_case_a_of_the_appendix_is_leakage() -> None:
    # QKG A.4, qa_9542: B is NO_COVERAGE, D is CONTRADICTED; the release's label is LIKELY_LEAKAGE.
    report = (
        {"option": "B", "supports": True, "status": "NO_COVERAGE", "evidence": "KG confirms B"},
        {
            "option": "D",
            "supports": False,
            "status": "CONTRADICTED",
            "evidence": "KG contains vaccine entities (indices 20940, etc.) but no scheduling "
            "data. Medically, this claim incorrectly eliminates D.",
        },
    )
    assert classify_case(case(report=report)).label == "LIKELY_LEAKAGE"


def test_case_b_of_the_appendix_is_leakage() -> None:
    # QKG A.4, qa_6324, from C to A; "RECOMMEND" in upper case is no context.
    report = (
        {
            "option": "C",
            "supports": True,
            "status": "CONTRADICTED",
            "evidence": "KG query for Nitrous oxide (DB06690) contraindications returned an empty "
            "list. Medically, nitrous oxide is contraindicated in closed gas-filled spaces.",
        },
        {
            "option": "A",
            "supports": False,
            "status": "CONTRADICTED",
            "evidence": "KG search for Amoxicillin (DB01060) indications lists various infections "
            "but contains no clinical guideline or prophylaxis protocol data. Medically, AHA "
            "guidelines explicitly RECOMMEND antibiotic prophylaxis.",
        },
    )
    found = classify_case(case(report=report, original="C", final="A", gold="A"))
    assert (found.label, found.context_driven) == ("LIKELY_LEAKAGE", False)


def test_only_decisive_evidence_counts() -> None:
    report = (
        {"option": "B", "supports": True, "status": "CONTRADICTED", "evidence": SUPPORT},
        {"option": "A", "supports": True, "status": "CONTRADICTED", "evidence": LEAK},
        {"option": "B", "supports": True, "status": "SUPPORTED", "evidence": LEAK},
    )
    found = classify_case(case(report=report))
    assert found.label == "LIKELY_KG_SUPPORTED"
    assert found.decisive == (SUPPORT,)


def test_the_reason_names_signals_and_quotes_the_evidence() -> None:
    assert classify_case(case(OPEN, LEAK)).reason == f"EV_LEAKAGE (kg_gap, parametric): {LEAK}"
    assert classify_case(case()).reason == "no contradicted claim in the report"


def test_odd_statuses_are_counted_not_fatal() -> None:
    report = ("A: SUPPORTED", {"status": "PARSE_ERROR"}, 7)
    found = classify_case(case(report=report))
    assert (found.label, found.odd_statuses) == ("UNCLASSIFIED", {"MISSING": 1, "PARSE_ERROR": 1})


def test_a_model_changes_unclassified_cases_only() -> None:
    open_case, leak = classify_case(case(OPEN)), classify_case(case(LEAK))
    changed = relabelled(open_case, "LIKELY_LEAKAGE", "it cites nothing")
    assert (changed.label, changed.rule_label) == ("LIKELY_LEAKAGE", "UNCLASSIFIED")
    assert (changed.decided_by, changed.reason) == ("model", "it cites nothing")
    assert relabelled(leak, "LIKELY_KG_SUPPORTED", "no") == leak


def test_counts_are_by_direction_and_context_is_part_of_supported() -> None:
    cases = [
        classify_case(case(CONTEXT)),
        classify_case(case(SUPPORT)),
        classify_case(case(CONTEXT, LEAK)),
        classify_case(case(LEAK, direction="correct_to_wrong")),
    ]
    counts = count_classes(cases, "wrong_to_correct")
    assert (counts.kg_supported, counts.context_driven, counts.mixed, counts.total) == (2, 1, 1, 3)
    assert count_classes(cases, "correct_to_wrong").leakage == 1


def test_join_labels_ignores_order() -> None:
    assert join_labels(["EV_LEAKAGE", "EV_KG_GROUNDED"]) == "MIXED"
    assert join_labels(["EV_KG_GROUNDED", "EV_LEAKAGE"]) == "MIXED"
