"""When the patient's symptoms began, or she gave birth, where the text counts the time."""

from __future__ import annotations

import re

from retrievers.evaluation_facts import CHILDBIRTH
from retrievers.numbers import NUMBER, SPELLED, to_number
from retrievers.patient_text import DAYS, span_of
from signatures.schema import PatientFact

ONSET = "symptom onset"
"""Name of the fact."""
_PERIOD = (
    rf"(?P<count>{NUMBER}|{SPELLED}|an?)(?P<half> and a half)?\s*(?P<unit>minute|hour|"
    r"day|week|month|year|hr|h|min)s?"
)
_SHORT = {"h": "hour", "hr": "hour", "min": "minute"}
_LAST_WELL = r"(?:LKW|last\s+(?:known|seen)\s+(?:to\s+be\s+)?(?:well|normal|at\s+baseline))"
"""Where nobody saw the onset, it counts from there (AHA/ASA stroke guideline)."""
_ONSETS = (
    re.compile(
        rf"\b(?:onset|{_LAST_WELL})[\s:,(~]+(?:was\s+)?(?:about\s+|approximately\s+)?{_PERIOD}\s+"
        r"(?:ago|earlier|before)\b",
        re.IGNORECASE,
    ),
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


_CAESAREAN = r"(?:c(?:a?e)?sarean|C-?section|LSCS)"
_BIRTHS = (
    re.compile(rf"\b{_PERIOD}[- ]+post-?partum\b", re.IGNORECASE),
    re.compile(r"\bpost-?partum (?P<unit>day|week) (?P<count>\d+)(?P<half>(?!))?", re.IGNORECASE),
    re.compile(
        rf"\b{_PERIOD}\s+(?:after|since|following)\s+(?:her\s+|an?\s+|the\s+)?(?:\w+\s+){{0,3}}?"
        rf"(?:delivery|childbirth|giving birth|birth of|{_CAESAREAN})\b",
        re.IGNORECASE,
    ),
    re.compile(
        rf"\b(?:{_CAESAREAN}|(?:vaginal|forceps|ventouse|spontaneous|instrumental) delivery)\b"
        r"(?:\s+(?:section|delivery|birth|done|performed|for\s+[a-z-]+(?:\s+[a-z-]+)?))*[\s,(]+"
        rf"(?:about\s+)?{_PERIOD}\s+(?:ago|earlier)\b",
        re.IGNORECASE,
    ),
    re.compile(
        rf"\b(?:g[ai]ven? birth|delivered (?:an?|her))\b[^.;]{{0,50}}?\b{_PERIOD}\s+"
        r"(?:ago|earlier|before|prior)\b",
        re.IGNORECASE,
    ),
    re.compile(rf"\bshe\s+delivered\s+{_PERIOD}\s+(?:ago|earlier)\b", re.IGNORECASE),
)
_POSTPARTUM = re.compile(
    r"\b(?:is|a|an|currently|now)\s+post-?partum\b|\bpost-?partum (?:woman|patient|visit|check)",
    re.IGNORECASE,
)
_THE_CHILD = re.compile(r"\b(?:newborn|neonate|infant|baby|boy|girl|son|daughter|he)\b[^.]*$", re.I)
"""`a girl is seen 2 days after delivery`: the patient is the child."""
_A_CHILD = re.compile(
    r"^,?\s+(?:an?|the|this)\s+(?:[\w,]+[- ]){0,6}?(?:newborn|neonate|infant|baby|boy|girl)\b", re.I
)
"""`Two days after delivery, a newborn …`."""


def read_birth(text: str) -> tuple[PatientFact, ...]:
    """Return that the patient gave birth, and how long ago.

    >>> read_birth("She is 6 weeks postpartum.")[0].days_ago
    42.0
    >>> read_birth("A newborn boy, 2 days after delivery"), read_birth("postpartum hemorrhage")
    ((), ())
    >>> read_birth("Two days after delivery, a newborn is blue.")
    ()
    """
    for pattern in (*_BIRTHS, _POSTPARTUM):
        found = pattern.search(text)
        if found is None or _THE_CHILD.search(text[: found.start()]):
            continue
        if _A_CHILD.match(text[found.end() : found.end() + 80]):
            continue
        days = None if pattern is _POSTPARTUM else _days(found)
        span = span_of(text, found.start(), found.end())
        return (
            PatientFact(
                name=CHILDBIRTH, kind="diagnosis", assertion="past", days_ago=days, span=span
            ),
        )
    return ()


def read_onset(text: str) -> tuple[PatientFact, ...]:
    """Return the time since symptoms began.

    >>> read_onset("He arrives 2 hours after the onset of weakness.")[0].days_ago * 24
    2.0
    """
    for pattern in _ONSETS:
        found = pattern.search(text)
        if found is not None:
            days = _days(found)
            span = span_of(text, found.start(), found.end())
            return (
                PatientFact(
                    name=ONSET, kind="diagnosis", assertion="past", days_ago=days, span=span
                ),
            )
    return ()


def _days(found: re.Match[str]) -> float:
    count = found["count"].lower()
    number = 1.0 if count in ("a", "an") else to_number(count)
    unit = found["unit"].lower()
    return (number + (0.5 if found["half"] else 0.0)) * DAYS[_SHORT.get(unit, unit)]
