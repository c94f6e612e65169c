"""Leaves of a constraint about time: what happened within it, a drug taken for so long."""

from __future__ import annotations

import re

from retrievers.expression_names import DRUG_FRAME, DRUG_SUFFIX, diagnosis_name, drug_name
from retrievers.expression_types import AnyOf, Expression, TakesDrug
from retrievers.numbers import COMPARATOR, NUMBER, Interval, comparator_of, interval_of, to_number

_DAYS = {
    "minute": 1 / 1440,
    "hour": 1 / 24,
    "hr": 1 / 24,
    "day": 1.0,
    "week": 7.0,
    "month": 30.44,
    "year": 365.25,
}
"""Days per unit; months and years at their Gregorian mean."""
PERIOD = (
    rf"(?P<count>{NUMBER}|an?|one|two|three|four|six|twelve)[ -](?P<unit>minute|hour|hr|"
    r"day|week|month|year)s?"
)  # fmt: skip
WITHIN_SUFFIX = re.compile(
    rf"(?P<name>.+?),?\s+(?:with)?in (?:the )?(?:past|last|previous|preceding|prior)?\s*{PERIOD}"
)
ONSET_PREFIX = re.compile(
    r"(?:symptom )?onset of (?:an? |the )?(?P<name>.+?)(?: symptoms?)? (?:with)?in (?:the )?"
    rf"(?:past|last|previous|preceding|prior)?\s*{PERIOD}"
)
"""`onset of stroke or TIA symptoms within the previous 60 days`: each of the names."""
WITHIN_PREFIX = re.compile(
    rf"(?:(?:with)?in|less than|<) (?:the )?(?:first )?{PERIOD}\s+(?:of|after|following|"
    r"from|since)\s+"
    r"(?:an? |the |stopping |discontinuing |discontinuation of |last dose of |receiving |taking )*"
    r"(?P<name>.+)"
)
SINCE_PREFIX = re.compile(
    rf"(?P<sign>{COMPARATOR})\s*{PERIOD}\s+(?:after|since|from|of)\s+(?:an? |the )?(?P<name>.+)"
)
BETWEEN_PREFIX = re.compile(
    rf"(?:between )?(?P<low>{NUMBER})\s*(?:-|to|and)\s*{PERIOD}\s+(?:after|since|from)\s+"
    r"(?:an? |the )?(?P<name>.+)"
)
DURATION = re.compile(
    rf"(?P<what>.+?),?\s+(?:for|lasting|of)\s+(?:a (?:duration|period) of )?"
    rf"(?P<sign>{COMPARATOR})?\s*{PERIOD}(?P<after> or (?:longer|more))?"
)
"""`taking prednisone for more than 3 weeks`."""
TREATMENT = re.compile(
    r"(?:(?:continuous|continued|prolonged|long-term|chronic|extended)\s+)?"
    r"(?:treatment|therapy|use|usage|administration|treatment duration)"
)
"""A treatment without a name: that of the item's own triplet."""
LAST_DOSE = re.compile(
    rf"(?:with)?in (?:the )?{PERIOD}\s+(?:of|after|following)\s+(?:its|their|the|stopping|"
    r"discontinuing|discontinuation|last|final|dose|of|use|treatment|therapy|it|them| )+"
)
"""`or within 14 days of its last dose`, after a drug."""


def within_interval(found: re.Match[str]) -> Interval:
    """Return the days of a matched period as `0 to N`.

    >>> within_interval(re.match(PERIOD, "2 weeks"))
    Interval(low=0.0, high=14.0, low_open=False, high_open=False)
    """
    return Interval(0.0, days_of(found))


def days_of(found: re.Match[str]) -> float:
    """Return the length in days of a matched `PERIOD`."""
    count = found.group("count")
    number = 1.0 if count in ("a", "an") else to_number(count)
    return number * _DAYS[found.group("unit")]


def duration_leaf(text: str) -> TakesDrug | None:
    """Read how long a drug is taken; without a name it is the drug of the item's triplet.

    >>> duration_leaf("treatment for longer than 12 weeks").for_days.low
    84.0
    >>> duration_leaf("taking prednisone for more than 3 weeks").name
    'prednisone'
    """
    found = DURATION.fullmatch(text)
    if found is None or not (found["sign"] or found["after"]):
        return None
    sign = ">=" if found["after"] else comparator_of(found["sign"]) or "="
    when = interval_of(sign, days_of(found))
    when = when._replace(low=max(0.0, when.low))
    if TREATMENT.fullmatch(found["what"]):
        return TakesDrug(name="", for_days=when)
    framed = DRUG_FRAME.fullmatch(found["what"]) or DRUG_SUFFIX.fullmatch(found["what"])
    name = drug_name(framed["name"], sure=True) if framed else drug_name(found["what"], sure=False)
    return None if name is None else TakesDrug(name=name, for_days=when)


def event_leaf(text: str) -> Expression | None:
    """Read something that happened within a time: `myocardial infarction within 3 months`.

    >>> event_leaf("stroke within the past 3 months").within_days.high > 90
    True
    >>> event_leaf("within 24 hours of alteplase").name
    'alteplase'
    """
    began = ONSET_PREFIX.fullmatch(text)
    if began is not None:
        return _began(began["name"], within_interval(began))
    found = BETWEEN_PREFIX.fullmatch(text)
    if found is not None:
        unit = _DAYS[found.group("unit")]
        return _timed(found["name"], Interval(to_number(found["low"]) * unit, days_of(found)))
    found = SINCE_PREFIX.fullmatch(text)
    if found is not None:
        sign = comparator_of(found["sign"]) or "="
        when = interval_of(sign, days_of(found))
        return _timed(found["name"], when._replace(low=max(0.0, when.low)))
    found = WITHIN_PREFIX.fullmatch(text) or WITHIN_SUFFIX.fullmatch(text)
    return None if found is None else _timed(found["name"], within_interval(found))


def _began(names: str, when: Interval) -> Expression | None:
    parts = [_timed(name, when) for name in re.split(r",? or |, ", names)]
    understood = tuple(part for part in parts if part is not None)
    if len(understood) < len(parts):
        return None
    return understood[0] if len(understood) == 1 else AnyOf(parts=understood)


def _timed(name: str, when: Interval) -> Expression | None:
    framed = DRUG_FRAME.fullmatch(name) or DRUG_SUFFIX.fullmatch(name)
    drug = drug_name(framed["name"], sure=True) if framed else drug_name(name, sure=False)
    if drug is not None:
        return TakesDrug(name=drug, within_days=when)
    diagnosis = diagnosis_name(
        re.sub(r"^(?:recent|prior|previous|history of)\s+", "", name), sure=False
    )
    if diagnosis is None:
        return None
    return diagnosis.model_copy(update={"within_days": when, "timing": "ever"})
