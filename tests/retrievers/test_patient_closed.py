"""A general denial closes the history only when what stands before it was read."""

from __future__ import annotations

import pytest

from retrievers.patient import read_patient
from retrievers.vocabulary import CHRONIC_DENIAL


def closed(text: str) -> bool:
    return any(fact.name == CHRONIC_DENIAL for fact in read_patient(text).facts)


@pytest.mark.parametrize(
    "text",
    [
        "72M with CCF and a PPM in situ, no other past medical history.",
        "He has a Zorblax device. No other medical problems.",
        "50M with asthma and quibble syndrome, no other comorbidities.",
        "PPM in situ, otherwise healthy.",
        "A man with a cardiac device, otherwise healthy.",
        "A man has no past medical history apart from a PPM.",
        "No medical history except PPM in situ.",
        "No significant past medical history other than a PPM.",
    ],
)
def test_an_unread_word_keeps_the_history_open(text: str) -> None:
    assert not closed(text)


@pytest.mark.parametrize(
    "text",
    [
        "A 24-year-old man with no past medical history",
        "72M with CCF. No past medical history.",
        "A 30-year-old man, otherwise healthy, has a sore throat.",
        "An otherwise healthy 30-year-old woman has migraine.",
        "A 40-year-old woman with asthma, otherwise healthy.",
        "50M with HTN, no other comorbidities.",
        "A 40-year-old woman with asthma and gout, no other medical problems.",
        "She has had no health problems besides gout.",
        "A 40-year-old woman has an eGFR of 90, no other medical problems.",
    ],
)
def test_a_list_that_was_read_is_closed(text: str) -> None:
    assert closed(text)
