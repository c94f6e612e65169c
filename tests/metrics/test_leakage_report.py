from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.leakage_report import decisive, read_report

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=12),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["option", "supports", "status", "evidence", "claim", "x"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


def item(option: Any, supports: Any, status: Any = "CONTRADICTED") -> dict[str, Any]:
    return {"option": option, "supports": supports, "status": status, "evidence": f"{option}"}


def test_k05_strings_odd_statuses_and_missing_keys() -> None:
    report = read_report(
        [
            "A: SUPPORTED",
            "Option b - CONTRADICTED: KG confirms it",
            "C: NO COVERAGE",
            "nothing to see",
            {"status": "PARTIAL_COVERAGE"},
            {"status": "parse error", "option": "D"},
            {},
            None,
        ]
    )
    assert [(i.option, i.status) for i in report.items] == [
        ("A", "SUPPORTED"),
        ("B", "CONTRADICTED"),
        ("C", "NO_COVERAGE"),
        (None, "MISSING"),
        (None, "PARTIAL_COVERAGE"),
        ("D", "PARSE_ERROR"),
        (None, "MISSING"),
        (None, "MISSING"),
    ]
    assert report.items[1].evidence == "KG confirms it"
    assert report.odd == {"MISSING": 3, "PARSE_ERROR": 1, "PARTIAL_COVERAGE": 1}


def test_k05_three_reports_for_five_claims() -> None:
    report = read_report([item("A", True)] * 3, claims=5)
    assert [i.status for i in report.items[3:]] == ["NO_COVERAGE", "NO_COVERAGE"]
    assert report.items[4].evidence == "validator skipped"


@pytest.mark.parametrize(
    ("option", "supports", "is_decisive"),
    [
        ("B", True, True),
        ("b", "true", True),
        ("Option B", "True", True),
        ("(B)", 1, True),
        ("D", False, True),
        ("d", "false", True),
        ("D", "no", True),
        ("B", False, False),
        ("D", True, False),
        ("A", True, False),
        ("?", True, False),
        ("B", None, False),
        ("B", "perhaps", False),
        ("Bisoprolol", True, False),
    ],
)
def test_k07_decisive_items(option: Any, supports: Any, is_decisive: bool) -> None:
    report = read_report([item(option, supports), item("D", False)])
    found = decisive(report.items, original="B", final="D")
    assert (report.items[0] in found) is is_decisive


def test_a_revision_to_a_wrong_answer_is_moved_by_claims_against_that_answer() -> None:
    items = read_report([item("A", "false"), item("C", False)]).items
    assert [i.option for i in decisive(items, original="C", final="A")] == ["A"]


def test_without_decisive_items_all_contradicted_ones_count() -> None:
    items = read_report([item("A", True), item("?", True), item("B", True, "SUPPORTED")]).items
    assert len(decisive(items, original="B", final="D")) == 2


def test_rows_of_this_project_are_read_too() -> None:
    row = {
        "claim": {"option": "A", "head": "h", "predicate": "treats", "tail": "t", "supports": True},
        "status": "CONTRADICTED",
        "label": "AVOID",
        "evidence": [{"triplet": {"id": "e1"}}],
        "reason": "[e1] Metformin is contraindicated in acidosis (F=1 AVOID)",
    }
    (read,) = read_report([row]).items
    assert (read.option, read.supports, read.status) == ("A", True, "CONTRADICTED")
    assert read.evidence == row["reason"]


@given(JSON)
def test_no_report_raises(report: Any) -> None:
    items = read_report(report).items
    decisive(items, original="A", final="B")
