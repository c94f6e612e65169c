"""Who the patient is: age and sex, by rules."""

from __future__ import annotations

import math
import re
from typing import NamedTuple

from retrievers.numbers import NUMBER, SPELLED, to_number
from retrievers.patient_ages import YEARS, Years, few_words, several_parts
from retrievers.patient_chart import Sex, charted
from retrievers.patient_lab_words import names_pattern
from retrievers.patient_text import span_of
from signatures.schema import Age

_NUM = rf"(?P<number>{NUMBER}|{SPELLED})"
_FEMALE = r"(?:female|woman|women|girl|lady|daughter)"
_MALE = r"(?:male|man|men|boy|gentleman|son)"
_AGES = (
    re.compile(
        rf"\b{_NUM}(?P<half>\s*(?:1/2|½))?[- ]*(?P<unit>years?|yrs?|y|months?|mos?|"
        r"weeks?|wks?|days?|hours?)[-/ ]*(?:old|o\b|of age)",
        re.IGNORECASE,
    ),
    re.compile(rf"\b{_NUM}\s*(?P<unit>y)\s*[./]?\s*o\b", re.IGNORECASE),
    re.compile(
        rf"\bage[d]?\s*(?::|of|is)?\s*{_NUM}(?:[- ]*(?P<unit>years?|yrs?|months?|mos?|"
        r"weeks?|days?))?"
        r"(?![\d.,]*\s*(?:to|-)\s*\d)", re.IGNORECASE
    ),
    re.compile(r"(?<![\w.,/])(?P<number>\d{1,3})\s?(?=[FM]\b)"),
    re.compile(rf"^{_NUM}\s*(?P<unit>years?|yrs?|y|months?|mos?|weeks?|wks?|days?)(?:[,;]|$)",
               re.IGNORECASE),
)  # fmt: skip
_AGE_WORD, _LETTER = _AGES[2], _AGES[3]
_RELATIVES_AGE = re.compile(
    r"\b(?:mother|father|brother|sister|uncle|aunt|cousin|grandmother|grandfather|mum|dad|son|"
    r"daughter|husband|wife|sibling)s?\b[^.;:\n]{0,20}[ (,]$", re.IGNORECASE
)  # fmt: skip
"""`father MI age 52`."""
_OWN_AGE = re.compile(
    r"(?:^|[.;:\n(]|\b(?:m[ae]n|wom[ae]n|(?:fe)?male|patient|boy|girl|child|infant|lady|gentleman|"
    r"person|adult|is|was)\b,?)\s*$", re.IGNORECASE
)  # fmt: skip
"""Before an `aged 45` that is the patient's, whoever else is said to be how old."""
_WARM = re.compile(
    r"\b(?:temp(?:erature)?|t-?max|t|fever|febrile|afebrile|pyrexia)\b[^.;\n]{0,20}$", re.IGNORECASE
)
"""Before degrees Fahrenheit, which are no age: `T 101 F`."""
_NOT_THE_PATIENT = re.compile(
    r"(?:\b(?:his|her|their|whose|our|my)\s+(?:\w+\s+)?|\b(?:at|at the|since|since the|"
    r"from the|until|by|"
    r"died at|onset at|before|after|over|under|above|below|than|for|in|past|"
    r"last)\s+(?:an? )?"
    r"|\b(?:onset|died|deceased|dead|dx|diagnosed|menarche|menopause)\s+(?:at\s+)?(?:(?:the\s+)?aged?\s+)?"
    r"|\b(?:gestational|bone|mental|developmental)\s+|\bborn to an?\s+)$", re.IGNORECASE
)  # fmt: skip
_RELATIVE_AFTER = re.compile(
    r"^[- ]*(?:old\s+)?(?:\w+\s+)?(?:son|daughter|child of|brother|sister|wife|husband|"
    r"mother|father|"
    r"sibling|history|course|follow)\b", re.IGNORECASE
)  # fmt: skip
_DECADES = {
    "teens": 10, "twenties": 20, "thirties": 30, "forties": 40, "fifties": 50, "sixties": 60,
    "seventies": 70, "eighties": 80, "nineties": 90,
}  # fmt: skip
_DECADE = re.compile(
    rf"\bin\s+(?:his|her|their|the)\s+(?:(?:early|mid|late)[- ])?(?:(?P<digits>[1-9]0)'?s"
    rf"|(?P<word>{'|'.join(_DECADES)}))\b", re.IGNORECASE
)  # fmt: skip
_GROUPS = (
    (re.compile(r"\b(?:octogenarian)\b", re.IGNORECASE), 80.0, 89.0),
    (re.compile(r"\b(?:septuagenarian)\b", re.IGNORECASE), 70.0, 79.0),
    (re.compile(r"\b(?:newborn|neonate)\b", re.IGNORECASE), 0.0, 27.9 / 365.25),
    (re.compile(r"\b(?:elderly|geriatric)\b", re.IGNORECASE), 65.0, 120.0),
)
"""Words for an age, as intervals in years; elderly from 65 (ICH E7)."""
_SEX_NEAR_AGE = re.compile(
    (
        rf"(?:old|\bo|yo|y/o|\bage)\W+(?:[\w'-]+\W+){{0,5}}?(?:(?P<female>{_FEMALE})|"
        rf"(?P<male>{_MALE}))\b"
    ),
    re.IGNORECASE,
)
_SEX_LETTER = re.compile(
    r"(?<![\w.,/])\d{1,3}\s?(?:yo|y/o|y\.o\.|years? old)?[ ,]?\s?(?:(?P<female>F)|(?P<male>M))\b"
)
_SEX_NOUN = re.compile(
    r"\b(?:an?|the|this|that|young|old|elderly|older|pregnant|nulliparous|postmenopausal|"
    r"middle-aged)\s+"
    rf"(?:[\w'-]+\s+){{0,3}}?(?:(?P<female>{_FEMALE})|(?P<male>{_MALE}))\b"
    r"|\b(?:(?P<female2>female|woman)|(?P<male2>male|man))\s+"
    r"(?:patient|in (?:his|her|their)|aged|with|who|presents)\b",
    re.IGNORECASE,
)
_AGE_BEFORE = re.compile(
    rf"(?:{NUMBER}|{SPELLED})[- ]*(?:years?|yrs?|y|months?|mos?|weeks?|wks?|days?)?[-/ ]*$", re.I
)
_SOMEONES = re.compile(
    r"\b(?:(?:his|her|their|whose|our|my)\s+(?:\w+\s+)?|(?:from|donated by|born to)\s+an?\s+)$",
    re.I,
)
_BRINGS = re.compile(r"\b(?:brings?|brought)(?: in)? (?:his|her|their) $", re.IGNORECASE)
_PRONOUNS: dict[Sex, re.Pattern[str]] = {
    "female": re.compile(r"\b(?:she|her|hers|herself)\b", re.IGNORECASE),
    "male": re.compile(r"\b(?:he|his|him|himself)\b", re.IGNORECASE),
}


OLDEST = 120.0
"""Years beyond which an age is not believed."""


class _Read(NamedTuple):
    low: float
    high: float
    start: int
    end: int
    sure: bool = True
    """Whether it can be nobody else's: `48M`, unlike `MI age 52`."""


def read_age(text: str) -> Age | None:
    """Return the patient's age in years, the first that is not a duration or someone else's.

    >>> read_age("A 45-year-old with a 3-year history of diabetes and 20 pack-years").low
    45.0
    >>> read_age("An 18-month-old girl").low, read_age("a man in his sixties").high
    (1.5, 69.0)
    >>> read_age("a 3-day-old neonate").high < 0.01, read_age("28 weeks' gestation") is None
    (True, True)
    """
    several = several_parts(text)
    found = [
        read
        for pattern in _AGES
        for m in pattern.finditer(text)
        if not any(one.start <= m.start() < one.end for one in several)
        and not (pattern is _LETTER and _WARM.search(text[max(0, m.start() - 30) : m.start()]))
        and (read := _age(text, m, sure=_is_sure(text, m)))
    ]
    found += [
        _Read(one.years, one.years, one.start, one.end)
        for one in (*several, *few_words(text, besides=several), *_heads(text))
        if one.years <= OLDEST and not _of_another(text, one.start, one.end)
    ]
    found.sort(key=lambda read: (not read.sure, read.start))
    decade = _DECADE.search(text)
    if decade is not None and not _of_a_value(text, decade):
        low = float(decade["digits"] or _DECADES[decade["word"].lower()])
        found.append(_Read(low, low + 9, decade.start(), decade.end()))
    for pattern, low, high in _GROUPS:
        word = pattern.search(text)
        if word is not None:
            found.append(_Read(low, high, word.start(), word.end()))
    if not found:
        return None
    low, high, start, end, _ = found[0]
    return Age(low=low, high=high, span=span_of(text, start, end))


def read_sex(text: str) -> Sex | None:
    """Return the patient's sex, or `None` when the text does not say or says both.

    >>> read_sex("A 62-year-old woman and her husband"), read_sex("72M with chest pain")
    ('female', 'male')
    >>> read_sex("The patient says that they smoke.") is None
    True
    """
    heads = [head for head in charted(text) if not _of_another(text, head.start, head.end)]
    if heads:
        return heads[0].sex
    for pattern in (_SEX_NEAR_AGE, _SEX_LETTER, _SEX_NOUN):
        for found in pattern.finditer(text):
            if not _sex_of_another(text, found):
                groups = found.groupdict()
                return "female" if groups.get("female") or groups.get("female2") else "male"
    said = [sex for sex, pronoun in _PRONOUNS.items() if pronoun.search(text)]
    return said[0] if len(said) == 1 else None


def _heads(text: str) -> list[Years]:
    return [
        Years(head.years, head.start, head.end) for head in charted(text) if head.years is not None
    ]


def _is_sure(text: str, found: re.Match[str]) -> bool:
    if found.re is _AGE_WORD:
        return _OWN_AGE.search(text[max(0, found.start() - 20) : found.start()]) is not None
    return True


def _sex_of_another(text: str, found: re.Match[str]) -> bool:
    """Say whether a person beside an age is the patient's child or donor: `her 8-year-old son`."""
    before = text[max(0, found.start() - 60) : found.start()]
    if found.re is _SEX_LETTER:
        return _WARM.search(before) is not None
    age = _AGE_BEFORE.search(before)
    before = before if age is None else before[: age.start()]
    if _BRINGS.search(before):
        return False
    return age is not None and _SOMEONES.search(before) is not None


def _age(text: str, found: re.Match[str], *, sure: bool = True) -> _Read | None:
    if _of_another(text, found.start(), found.end()):
        return None
    if found.re is _AGE_WORD and _RELATIVES_AGE.search(
        text[max(0, found.start() - 35) : found.start()]
    ):
        return None
    groups = found.groupdict()
    number = to_number(found["number"]) + (0.5 if groups.get("half") else 0.0)
    years = number * YEARS[(groups.get("unit") or "years")[0].lower()]
    if years > OLDEST or math.isnan(years):
        return None
    return _Read(years, years, found.start(), found.end(), sure)


def _of_a_value(text: str, decade: re.Match[str]) -> bool:
    """Say whether a decade is told of a value: `eGFR now in the 20s`."""
    before = text[max(0, decade.start() - 60) : decade.start()]
    return " the " in decade.group() and names_pattern().search(before) is not None


def _of_another(text: str, start: int, end: int) -> bool:
    """Say whether a time at a place is a duration or the age of someone else."""
    before, after = text[max(0, start - 30) : start], text[end : end + 30]
    if _BRINGS.search(before):
        return False
    return bool(_NOT_THE_PATIENT.search(before) or _RELATIVE_AFTER.match(after))
