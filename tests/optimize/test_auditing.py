from __future__ import annotations

from pathlib import Path

import pytest

from metrics.leakage import label_evidence
from optimize.auditing import audit_run, compare_audits, relabelled_audit, revised_cases
from optimize.leakage_tables import (
    accounting_table,
    case_table,
    class_table,
    odd_table,
    paired_table,
)
from optimize.results import read_results
from programs.reasons import claim_reason
from signatures.errors import InputError
from signatures.schema import Evidence, Node, Triplet
from tests.support.run_folder import make_question, write_run

QUESTIONS = [make_question(n) for n in range(6)]


def item(option: str, supports: bool, evidence: str) -> dict[str, object]:
    return {"option": option, "supports": supports, "status": "CONTRADICTED", "evidence": evidence}


def make_run(path: Path) -> Path:
    """Gold is A: q0 leaks, q1 is grounded, q2 regresses by context, q3 by leakage, q4, q5 stay."""
    return write_run(
        path,
        QUESTIONS,
        {"q0": "A", "q1": "A", "q2": "B", "q3": "B", "q4": "A", "q5": "C"},
        firsts={"q0": "B", "q1": "B", "q2": "A", "q3": "A", "q4": "A", "q5": "B"},
        reports={
            "q0": [item("B", True, "KG lacks it. Medically, no.")],
            "q1": [item("B", True, "KG confirms the contraindication.")],
            "q2": [item("A", True, "ConstraintItem met: AVOID"), item("C", True, "Medically, no.")],
            "q3": [item("B", False, "Clinically, it fits.")],
            "q4": ["A: SUPPORTED", {"status": "PARTIAL_COVERAGE"}],
        },
    )


def test_an_audit_counts_classes_and_adjusts(tmp_path: Path) -> None:
    found = audit_run(read_results(make_run(tmp_path / "run")))
    assert [(c.key, c.label, c.context_driven) for c in found.cases] == [
        ("q0", "LIKELY_LEAKAGE", False),
        ("q1", "LIKELY_KG_SUPPORTED", False),
        ("q2", "LIKELY_KG_SUPPORTED", True),
        ("q3", "LIKELY_LEAKAGE", False),
    ]
    assert found.raw == pytest.approx(3 / 6)
    assert found.adjusted == pytest.approx((3 - 1) / (6 - 1 - 1))
    assert (found.removed, found.odd_statuses) == (2, {"PARTIAL_COVERAGE": 1})


def test_tables(tmp_path: Path) -> None:
    audits = [audit_run(read_results(make_run(tmp_path / name))) for name in ("a", "b")]
    assert accounting_table(audits).rows[0] == ("a", "6", "2", "2", "2", "50.00", "50.00")
    assert class_table(audits).rows[:2] == (
        ("a", "W→C", "1 (0)", "0", "1", "0"),
        ("a", "C→W", "1 (1)", "0", "1", "0"),
    )
    assert odd_table(audits).rows[0] == ("a", "PARTIAL_COVERAGE", "1")
    pairs = paired_table(compare_audits(audits)).rows
    assert [row[2] for row in pairs] == ["all", "without 2 flagged"]
    assert [row[5] for row in pairs] == ["6", "4"]
    for table in (accounting_table(audits), class_table(audits), case_table(audits)):
        assert all(len(row) == len(table.header) for row in table.rows)


def test_other_labels_are_counted_again(tmp_path: Path) -> None:
    found = audit_run(read_results(make_run(tmp_path / "run")))
    changed = [c.model_copy(update={"label": "MIXED"}) for c in found.cases]
    again = relabelled_audit(found, changed)
    assert (again.improved.mixed, again.removed, again.adjusted) == (2, 0, again.raw)


def test_a_run_without_first_answers_cannot_be_audited(tmp_path: Path) -> None:
    run = read_results(write_run(tmp_path / "run", QUESTIONS, {"q0": "A"}))
    with pytest.raises(InputError, match="no first answers"):
        revised_cases(run)


def test_a_run_without_reports_cannot_be_audited(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", QUESTIONS, {"q0": "A"}, firsts={"q0": "B"})
    with pytest.raises(InputError, match="1 revisions and no validation report"):
        audit_run(read_results(run))


def test_k02_a_decided_avoid_constraint_leaves_its_token_in_the_report() -> None:
    node = {"id": "1", "type": "drug", "source": "s"}
    triplet = Triplet(
        id="e1",
        head=Node(index=0, name="Metformin", **node),
        relation="contraindication",
        display_relation="contraindication",
        tail=Node(index=1, name="acidosis", **node),
        text="Metformin is contraindicated in acidosis",
    )
    plain, avoid = (
        Evidence(triplet=triplet, validity=1),
        Evidence(triplet=triplet, validity=1, label="AVOID"),
    )
    assert label_evidence(claim_reason("CONTRADICTED", [avoid])) == "EV_CONTEXT"
    assert label_evidence(claim_reason("CONTRADICTED", [plain])) == "EV_KG_GROUNDED"
