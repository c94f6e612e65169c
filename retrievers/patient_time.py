"""When the patient's symptoms began, where the text counts it in hours or days."""

from __future__ import annotations

import re

from retrievers.numbers import NUMBER, SPELLED, to_number
from retrievers.patient_text import DAYS, span_of
from signatures.schema import PatientFact

ONSET = "symptom onset"
"""Name of the fact."""
_PERIOD = (
    rf"(?P<count>{NUMBER}|{SPELLED}|an?)(?P<half> and a half)?\s*(?P<unit>minute|hour|"
    r"day|week|month|year)s?"
)
_ONSETS = (
    re.compile(
        (
            rf"\b{_PERIOD}\s+(?:after|since|from|following)\s+(?:the\s+|his\s+|"
            r"her\s+)?(?:sudden\s+|acute\s+)?(?:onset|symptoms?)\b"
        ),
        re.IGNORECASE,
    ),
    re.compile(
        rf"\b(?:symptoms?|deficits?|weakness|onset)\b[^.;]{{0,50}}?\b(?:began|started|"
        r"onset|developed|occurred|was|were)\s+"
        rf"(?:about\s+|approximately\s+)?{_PERIOD}\s+(?:ago|earlier|before)\b",
        re.IGNORECASE,
    ),
    re.compile(
        (
            r"\b(?:began|started|came on|set in)\s+(?:about\s+|"
            rf"suddenly\s+)?{_PERIOD}\s+(?:ago|earlier|before)\b"
        ),
        re.IGNORECASE,
    ),
    re.compile(
        (
            rf"\b{_PERIOD}\s+(?:ago|earlier),?\s+(?:\w+\s+){{0,4}}(?:developed|noticed|woke|"
            r"had sudden|lost)\b"
        ),
        re.IGNORECASE,
    ),
)


def read_onset(text: str) -> tuple[PatientFact, ...]:
    """Return the time since symptoms began.

    >>> read_onset("He arrives 2 hours after the onset of weakness.")[0].days_ago * 24
    2.0
    """
    for pattern in _ONSETS:
        found = pattern.search(text)
        if found is not None:
            count = found["count"].lower()
            number = 1.0 if count in ("a", "an") else to_number(count)
            days = (number + (0.5 if found["half"] else 0.0)) * DAYS[found["unit"].lower()]
            span = span_of(text, found.start(), found.end())
            return (
                PatientFact(
                    name=ONSET, kind="diagnosis", assertion="past", days_ago=days, span=span
                ),
            )
    return ()
