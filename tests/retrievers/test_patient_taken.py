"""Drugs that are taken, held, stopped, resumed, switched or never begun."""

from __future__ import annotations

import pytest

from retrievers.patient import read_patient


def told(text: str) -> dict[str, str]:
    return {fact.name.casefold(): fact.assertion for fact in read_patient(text).facts}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Meds: warfarin (held), metformin (stopped), lisinopril.",
         {"warfarin": "stopped", "metformin": "stopped", "lisinopril": "present"}),
        ("Metformin 500 mg bd (stopped 2 weeks ago).", {"metformin": "stopped"}),
        ("Lisinopril - stopped due to cough.", {"lisinopril": "stopped", "cough": "present"}),
        ("Metformin → stopped; started empagliflozin.",
         {"metformin": "stopped", "empagliflozin": "present"}),
        ("Warfarin d/c'd.", {"warfarin": "stopped"}),
        ("He takes warfarin, stopped on Monday.", {"warfarin": "stopped"}),
        ("STOPPED: ibuprofen, pioglitazone. Meds: carvedilol.",
         {"ibuprofen": "stopped", "pioglitazone": "stopped", "carvedilol": "present"}),
        ("Discontinued medications: warfarin.", {"warfarin": "stopped"}),
        ("Held: warfarin. Continued: aspirin.", {"warfarin": "stopped", "aspirin": "present"}),
        ("Was on warfarin.", {"warfarin": "past"}),
        ("He used to be on warfarin.", {"warfarin": "past"}),
        ("She was on metformin and is now on insulin.",
         {"metformin": "past", "insulin": "present"}),
        ("He was on warfarin, started apixaban.", {"warfarin": "past", "apixaban": "present"}),
        ("She used nitroglycerin years ago but no longer does.", {"nitroglycerin": "stopped"}),
        ("She took ibuprofen but stopped because of bleeding.",
         {"ibuprofen": "stopped", "bleeding": "present"}),
        ("He was prescribed metformin but never took it.", {}),
        ("He is reluctant to take warfarin.", {}),
        ("He is unwilling to be treated with metformin.", {}),
        ("She refuses to take warfarin.", {}),
        ("He will be started on apixaban.", {}),
        ("Meds on admission: ramipril, warfarin. Warfarin stopped.",
         {"ramipril": "present", "warfarin": "stopped"}),
        ("He has been off warfarin for a week.", {"warfarin": "stopped"}),
        ("He takes metformin and is off warfarin.",
         {"metformin": "present", "warfarin": "stopped"}),
    ],
)  # fmt: skip
def test_a_drug_that_is_not_taken_now(text: str, expected: dict[str, str]) -> None:
    assert told(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He resumed warfarin.", {"warfarin": "present"}),
        ("He restarted metformin.", {"metformin": "present"}),
        ("Warfarin was held and then restarted.", {"warfarin": "present"}),
        ("Warfarin was stopped, later resumed.", {"warfarin": "present"}),
        ("Warfarin held for bleeding. Restarted 1 week later.",
         {"warfarin": "present", "bleeding": "present"}),
        ("He stopped warfarin and restarted metformin.",
         {"warfarin": "stopped", "metformin": "present"}),
        ("Warfarin was stopped and aspirin was restarted.",
         {"warfarin": "stopped", "aspirin": "present"}),
        ("Warfarin was held and will be resumed.", {"warfarin": "stopped"}),
        ("He never restarted warfarin.", {"warfarin": "absent"}),
        ("Plan to resume warfarin.", {}),
    ],
)  # fmt: skip
def test_a_drug_that_is_taken_again(text: str, expected: dict[str, str]) -> None:
    assert told(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He was switched from warfarin to apixaban 2 months ago.",
         {"warfarin": "stopped", "apixaban": "present"}),
        ("Changed from lisinopril to losartan.", {"lisinopril": "stopped", "losartan": "present"}),
        ("Switched to apixaban from warfarin.", {"apixaban": "present", "warfarin": "stopped"}),
        ("He will be switched from warfarin to apixaban.", {}),
        ("Stroke 2 years ago, switched to apixaban.", {"stroke": "past", "apixaban": "present"}),
    ],
)  # fmt: skip
def test_a_switch_has_two_sides(text: str, expected: dict[str, str]) -> None:
    assert told(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He takes metformin and stopped smoking.", {"metformin": "present", "smoking": "past"}),
        ("He takes metformin and no longer takes warfarin.",
         {"metformin": "present", "warfarin": "stopped"}),
        ("On warfarin, d/c'd home yesterday.", {"warfarin": "present"}),
        ("She takes aspirin; she was on holiday when she started ciprofloxacin.",
         {"aspirin": "present", "ciprofloxacin": "present"}),
        ("He was started on warfarin.", {"warfarin": "present"}),
        ("She declined aspirin but takes warfarin.", {"warfarin": "present"}),
        ("He takes warfarin but never took aspirin.",
         {"warfarin": "present", "aspirin": "absent"}),
        ("He takes warfarin and used nitroglycerin but no longer does.",
         {"warfarin": "present", "nitroglycerin": "stopped"}),
        ("Seizures stopped 2 years ago.", {"seizures": "past"}),
    ],
)  # fmt: skip
def test_a_drug_that_is_still_taken(text: str, expected: dict[str, str]) -> None:
    assert told(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "He stopped warfarin. Now he takes warfarin again.",
        "Current medications: warfarin. In 2015 warfarin was stopped.",
        "Takes insulin at home. The insulin infusion, which was stopped, had helped.",
    ],
)
def test_a_stop_of_another_time_takes_nothing_away(text: str) -> None:
    assert "present" in {fact.assertion for fact in read_patient(text).facts}


def test_how_long_it_was_stopped_is_not_how_long_it_is_taken() -> None:
    (fact,) = read_patient("He stopped warfarin for a month and restarted it.").facts
    assert (fact.assertion, fact.for_days) == ("present", None)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("DHx: insulin glargine, salbutamol.",
         {"insulin glargine": "present", "salbutamol": "present"}),
        ("DHx ramipril 5 mg od, clopidogrel.", {"ramipril": "present", "clopidogrel": "present"}),
        ("Drug history: warfarin.", {"warfarin": "present"}),
        ("Pen allergic.", {"pen": "allergy"}),
        ("PCN allergy.", {"pcn": "allergy"}),
        ("She is allergic to PCN.", {"pcn": "allergy"}),
        ("Allergies - penicillin. Meds - ramipril.",
         {"penicillin": "allergy", "ramipril": "present"}),
        ("Penicillin allergy - takes warfarin.",
         {"penicillin": "allergy", "warfarin": "present"}),
        ("Not pen allergic.", {}),
        ("He takes an insulin pen.", {"insulin": "present"}),
        ("INSULIN PEN 10 UNITS.", {}),
    ],
)  # fmt: skip
def test_headings_and_clipped_names(text: str, expected: dict[str, str]) -> None:
    assert told(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A man with epilepsy tests positive for HLA-B*15:02.", "present"),
        ("A man with epilepsy tested negative for syphilis.", "present"),
        ("Epilepsy testing is planned.", None),
        ("An epilepsy test was done.", None),
        ("Epilepsy tests are normal.", None),
    ],
)
def test_who_tests_positive_keeps_the_disease(text: str, expected: str | None) -> None:
    assert told(text).get("epilepsy") == expected
