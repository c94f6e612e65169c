"""What is negated, past, of the family, an allergy or stopped, and what is not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from retrievers.assertion import assertion_of

CASES = [
    ("The patient denies chest pain but has asthma.", "chest pain", "absent"),
    ("The patient denies chest pain but has asthma.", "asthma", "present"),
    ("No evidence of pulmonary embolism; she takes metformin.", "pulmonary embolism", "absent"),
    ("No evidence of pulmonary embolism; she takes metformin.", "metformin", "present"),
    ("Patient without diabetes mellitus presents with fever.", "diabetes mellitus", "absent"),
    ("Patient without diabetes mellitus presents with fever.", "fever", "present"),
    ("She denies fever, chills, nausea, or vomiting.", "vomiting", "absent"),
    ("Pulmonary embolism was ruled out.", "Pulmonary embolism", "absent"),
    ("He does not have epilepsy.", "epilepsy", "absent"),
    ("She is not taking warfarin.", "warfarin", "absent"),
    ("She has never had a seizure.", "seizure", "absent"),
    ("Pain not relieved by ibuprofen.", "ibuprofen", "present"),
    ("The headache does not respond to indomethacin.", "indomethacin", "present"),
    ("He has a history of hypertension.", "hypertension", "present"),
    ("A 10-year history of type 2 diabetes.", "type 2 diabetes", "present"),
    ("She was diagnosed with asthma 5 years ago.", "asthma", "present"),
    ("He had a stroke 3 years ago.", "stroke", "past"),
    ("Status post myocardial infarction.", "myocardial infarction", "past"),
    ("His pneumonia resolved.", "pneumonia", "past"),
    ("She has had nausea for the last year.", "nausea", "present"),
    ("Family history is positive for gout.", "gout", "family"),
    ("His father had schizophrenia.", "schizophrenia", "family"),
    ("Her mother died of breast cancer.", "breast cancer", "family"),
    ("Breast cancer in her mother.", "Breast cancer", "family"),
    ("Her mother says she has been having fever.", "fever", "present"),
    ("The boy is brought by his mother with fever.", "fever", "present"),
    ("His father had gout. He has asthma.", "asthma", "present"),
    ("She is allergic to penicillin and latex.", "latex", "allergy"),
    ("She has a penicillin allergy.", "penicillin", "allergy"),
    ("Metformin was discontinued last week.", "Metformin", "stopped"),
    ("She stopped taking warfarin.", "warfarin", "stopped"),
    ("He no longer takes lisinopril.", "lisinopril", "stopped"),
]


SCOPES = Path(__file__).with_name("assertion_cases.txt")
"""Where a scope ends: text | mention=assertion ..."""


def _scopes() -> list[tuple[str, str, str]]:
    lines = (line.split("|") for line in SCOPES.read_text("utf-8").splitlines())
    told = ((text, re.findall(r"([^=]+)=(\w+) ?", expected)) for text, expected in lines)
    return [(text, mention.strip(), word) for text, pairs in told for mention, word in pairs]


@pytest.mark.parametrize(("text", "mention", "expected"), [*CASES, *_scopes()])
def test_assertions(text: str, mention: str, expected: str) -> None:
    start = text.index(mention)
    assert assertion_of(text, start, start + len(mention)) == expected
