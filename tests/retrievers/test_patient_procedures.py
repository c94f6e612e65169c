"""Procedures and devices that are planned or over, and those that the patient has."""

from __future__ import annotations

import pytest

from retrievers.matching import match_item
from retrievers.patient import read_patient
from signatures.schema import ConstraintItem


def match(constraint: str, text: str) -> str:
    item = ConstraintItem(
        patient_characteristics=constraint, applicability="Definitely Applicable", evidence=""
    )
    return match_item(item, read_patient(text)).match


def told(text: str) -> set[tuple[str, str]]:
    return {(fact.name, fact.assertion) for fact in read_patient(text).facts}


@pytest.mark.parametrize(
    "text",
    [
        "Dialysis is planned.",
        "Dialysis has been scheduled.",
        "Dialysis is scheduled for Monday.",
        "Dialysis: planned.",
        "Dialysis may be needed soon.",
        "Dialysis to be started.",
        "Considering dialysis. eGFR 8.",
        "Considering transplant or dialysis.",
        "She declines dialysis.",
        "He refuses dialysis.",
        "He will need dialysis soon.",
        "He will start dialysis next week.",
        "He is reluctant to start dialysis.",
        "A dialysis fistula was made in preparation for dialysis.",
    ],
)
def test_planned_dialysis_is_not_dialysis(text: str) -> None:
    assert told(text) & {("dialysis", "present"), ("Dialysis", "present")} == set()
    assert match("on dialysis", text) == "INDETERMINATE"


@pytest.mark.parametrize(
    ("constraint", "text"),
    [
        ("with a pacemaker", "Awaiting pacemaker."),
        ("with a pacemaker", "Pacemaker is being considered."),
        ("with a pacemaker", "Scheduled for pacemaker implantation."),
        ("with a pacemaker", "He was evaluated for a pacemaker."),
        ("with a pacemaker", "He needs a permanent pacemaker."),
        ("after coronary artery bypass graft surgery", "Awaiting CABG."),
        ("after coronary artery bypass graft surgery", "CABG planned next month."),
        ("after coronary artery bypass graft surgery", "CABG (scheduled for June)."),
        ("after coronary artery bypass graft surgery", "CABG was cancelled."),
        ("mechanical heart valve", "Mechanical valve planned."),
        ("mechanical heart valve", "Mechanical valve replacement was recommended."),
        ("kidney transplant", "A candidate for kidney transplant."),
        ("kidney transplant", "Kidney transplant candidate."),
        ("kidney transplant", "Listed for kidney transplant."),
        ("kidney transplant", "On the waiting list for a kidney transplant."),
    ],
)
def test_a_planned_procedure_is_not_there(constraint: str, text: str) -> None:
    assert match(constraint, text) == "INDETERMINATE"
    assert told(text) == set()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("He stopped dialysis after a transplant.", "dialysis"),
        ("Past dialysis for acute kidney injury in 2019.", "dialysis"),
        ("He was on dialysis for a month in 2019 and recovered.", "on dialysis"),
        ("He was on hemodialysis, now has a kidney transplant.", "hemodialysis"),
        ("He is no longer on dialysis.", "on dialysis"),
        ("He is off dialysis.", "dialysis"),
        ("Dialysis was stopped.", "Dialysis"),
        ("Dialysis (discontinued in June).", "Dialysis"),
        ("Pacemaker removed.", "Pacemaker"),
        ("His pacemaker was removed because of infection.", "pacemaker"),
        ("Removal of the pacemaker.", "pacemaker"),
    ],
)
def test_what_was_removed_is_past(text: str, name: str) -> None:
    assert (name, "past") in told(text)
    assert match("on dialysis", text) == "INDETERMINATE"
    assert match("with a pacemaker", text) == "INDETERMINATE"


@pytest.mark.parametrize(
    ("constraint", "text"),
    [
        ("on dialysis", "On hemodialysis three times a week."),
        ("on dialysis", "He is dialysis-dependent."),
        ("on dialysis", "He started dialysis last week."),
        ("on dialysis", "He was started on dialysis."),
        ("on dialysis", "He missed his scheduled dialysis."),
        ("on dialysis", "A man on dialysis is scheduled for surgery."),
        ("on dialysis", "A man on dialysis is awaiting kidney transplant."),
        ("on dialysis", "Kidney transplant candidate on dialysis."),
        ("on dialysis", "End-stage renal disease requiring dialysis."),
        ("on dialysis", "On dialysis - stopped smoking."),
        ("on dialysis", "He wants to stop dialysis."),
        ("with a pacemaker", "s/p pacemaker."),
        ("with a pacemaker", "He was found to have a pacemaker."),
        ("with a pacemaker", "Evaluation of her pacemaker."),
        ("with a pacemaker", "He has a pacemaker and is scheduled for CABG."),
        ("with a pacemaker", "He has a pacemaker, drain removed."),
        ("mechanical heart valve", "A woman with a mechanical valve."),
        ("mechanical heart valve", "Mechanical valve, awaiting CABG."),
        ("after coronary artery bypass graft surgery", "History of CABG."),
        ("after coronary artery bypass graft surgery", "CABG 2010."),
        ("after coronary artery bypass graft surgery", "He underwent elective CABG."),
        ("after coronary artery bypass graft surgery",
         "He was evaluated for chest pain and underwent CABG."),
    ],
)  # fmt: skip
def test_a_procedure_that_was_done_stays(constraint: str, text: str) -> None:
    assert match(constraint, text) == "MET"


@pytest.mark.parametrize("text", ["He was never on dialysis.", "He isn't on dialysis."])
def test_a_denied_procedure_stays_denied(text: str) -> None:
    assert match("on dialysis", text) == "NOT_MET"


def test_a_disease_is_no_procedure() -> None:
    assert told("He was evaluated because of asthma.") == {("asthma", "present")}
    assert told("Asthma treatment is planned.") == {("Asthma", "present")}
