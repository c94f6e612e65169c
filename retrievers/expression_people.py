"""Leaves of a constraint about who the patient is: age, sex, pregnancy and lactation."""

from __future__ import annotations

import math
import re
from typing import Literal

from retrievers.expression_times import PERIOD, days_of
from retrievers.expression_types import (
    AgeIs,
    All,
    AnyOf,
    Everyone,
    Expression,
    HasDiagnosis,
    Lactating,
    Postpartum,
    PregnantIs,
    SexIs,
)
from retrievers.numbers import (
    AFTER_NUMBER,
    COMPARATOR,
    NUMBER,
    Interval,
    comparator_of,
    interval_of,
    to_number,
)

_AFTER = "|".join(words for words, _ in AFTER_NUMBER)


_YEARS = {
    "year": 1.0,
    "yr": 1.0,
    "month": 1 / 12,
    "mo": 1 / 12,
    "week": 7 / 365.25,
    "wk": 7 / 365.25,
    "day": 1 / 365.25,
}
_AGE_UNIT = r"(?P<per>years?|yrs?|months?|mos?|weeks?|wks?|days?)"
_AGE = re.compile(
    rf"(?:patients? |ages? ?|aged |of age |who are |are |is |between |from |of |range |the |: ?)*"
    rf"(?P<value>(?:{COMPARATOR})?\s*{NUMBER}"
    rf"(?:(?:\s*years?(?: old)?)?\s*(?:-|to|and)\s*(?:{COMPARATOR})?\s*{NUMBER})?)"
    rf"(?P<plus>\s*\+)?\s*(?:{_AGE_UNIT})?(?P<plus2>\s*\+)?(?:[- ]old)?(?: of age)?(?: old)?"
    rf"\s*(?P<after>{_AFTER})?(?: (?:of age|years of age|years|years old|in age))?"
)
_TWO_UNITS = re.compile(
    rf"(?:ages? |aged |between |from |of )*(?P<low>{NUMBER})\s*(?P<per>month|week|day)s?(?: old)?"
    rf"\s*(?:-|to|and)\s*(?P<high>{NUMBER})\s*(?P<per2>year|month)s?(?: of age| old)?"
)
"""`2 months to 17 years`."""
_AGE_CUE = re.compile(r"\bage[ds]?\b|years?\b|yrs?\b|months?\b|days? old|weeks? old|older|younger")
AGE_GROUPS: tuple[tuple[str, Interval], ...] = (
    (r"(?:newborns?|neonates?|neonatal(?: patients?)?)", Interval(0, 28 / 365.25, high_open=True)),
    (r"infants?(?: and toddlers)?|infancy", Interval(28 / 365.25, 2, high_open=True)),
    (r"(?:young )?child(?:ren)?|paediatric|pediatric|paediatrics|pediatrics|children and "
    r"adolescents"
     r"|minors?", Interval(0, 18, high_open=True)),
    (r"adolescents?|teenagers?|adolescence", Interval(12, 18, high_open=True)),
    (r"adults?|adulthood", Interval(18, math.inf)),
    (r"elderly|older adults?|geriatric|older|seniors?|older people|advanced age|older age|old age"
     r"|elderly adults?|aged", Interval(65, math.inf)),
)  # fmt: skip
"""ICH E11(R1) paediatric groups; 65 years is the geriatric limit of ICH E7."""
TRIMESTER_WEEKS: dict[Literal[1, 2, 3], Interval] = {
    1: Interval(0, 14, high_open=True),
    2: Interval(14, 28, high_open=True),
    3: Interval(28, 45),
}
"""ACOG: first to 13 weeks 6 days, second to 27 weeks 6 days."""
_ORDINALS: dict[str, Literal[1, 2, 3]] = {
    "first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "last": 3,
}  # fmt: skip
_ORDINAL = "|".join(_ORDINALS)
_PREGNANT = r"(?:pregnant|pregnancy|gestation|during pregnancy|in pregnancy|currently pregnant)"
_TRIMESTERS = re.compile(
    rf"(?:{_PREGNANT}(?:,| and| \()?\s*)?(?:in |during |the |early |late )*(?P<which>(?:{_ORDINAL})"
    rf"(?:\s*(?:,|or|and|and/or|to|,\s*or)\s*(?:the )?(?:{_ORDINAL}))*)\s+trimesters?"
    rf"(?:\s*(?:of )?{_PREGNANT})?\)?"
)
_GESTATION = re.compile(
    rf"(?:{_PREGNANT}\s*)?(?:at term|from|at|of|,|\(|with|gestational age|\s)*"
    rf"(?P<value>(?:after|before|beyond|{COMPARATOR})?\s*{NUMBER}(?:\s*(?:-|to|and)\s*{NUMBER})?)"
    rf"\s*weeks?'?(?: of)?(?P<cue>\s*(?:gestation|pregnancy|gestational age))?\)?"
)

TERM_WEEKS = 37.0
"""From 37 weeks 0 days a pregnancy is at term (WHO, ICD-11)."""
_AT_TERM = re.compile(
    r"(?:(?:at )?(?:full[- ])?term (?:pregnan(?:cy|t)|gestation)|(?:pregnan(?:cy|t)|gestation) at "
    r"(?:full )?term)(?: wom[ae]n)?"
)
_PRETERM = re.compile(
    r"(?:preterms?|prematures?|premature(?:ly)? born|preterm born)(?P<who> (?:newborns?|neonates?|"
    r"infants?|bab(?:y|ies)))?"
)
_NEONATE = Interval(0, 28 / 365.25, high_open=True)
_POSTPARTUM = re.compile(
    r"(?:(?:in|during) the |early |immediate )*(?:post-?partum|puerperium|puerperal)(?: period)?"
    r"(?: wom[ae]n| mothers?)?|after (?:delivery|childbirth|giving birth)"
)
_BIRTH = re.compile(
    rf"(?:(?:in|during|within) )?(?:the )?(?:first )?(?P<sign>{COMPARATOR})?\s*{PERIOD}\s*"
    r"(?:post-?partum|(?:after|following|of|since) (?:a )?(?:delivery|childbirth|giving birth))"
)


def age_leaf(text: str) -> Expression | None:
    """Read an age or an age group.

    >>> age_leaf("age ≥ 65 years").wanted, age_leaf("18-65 years old").wanted
    (Interval(low=65.0, high=inf, low_open=False, high_open=False), Interval(low=18.0, high=65.0, \
low_open=False, high_open=False))
    >>> age_leaf("children").wanted.high, age_leaf("under 2 months").wanted.high == 2 / 12
    (18.0, True)
    """
    for words, interval in AGE_GROUPS:
        if re.fullmatch(words, text):
            return AgeIs(wanted=interval)
    early = _PRETERM.fullmatch(text)
    if early is not None:
        born = re.search("newborn|neonate", early["who"] or "")
        age = AgeIs(wanted=_NEONATE if born else Interval(0, 1, high_open=True))
        return All(parts=(age, HasDiagnosis(name="preterm birth", timing="ever")))
    two = _TWO_UNITS.fullmatch(text)
    if two is not None:
        low, high = (
            to_number(two[e]) * _YEARS[two[p]] for e, p in (("low", "per"), ("high", "per2"))
        )
        return AgeIs(wanted=Interval(low, high)) if low <= high else None
    found = _AGE.fullmatch(text)
    if found is None or _AGE_CUE.search(text) is None:
        return None
    after = found.group("after") or (
        "and up" if found.group("plus") or found.group("plus2") else None
    )
    value = re.sub(r"\s*years?(?: old)?\s*(?=-|to|and)", " ", found.group("value")).strip()
    interval_ = _interval(value, after)
    if interval_ is None:
        return None
    per = _YEARS[(found.group("per") or "year").rstrip("s")]
    return AgeIs(wanted=Interval(interval_.low * per, interval_.high * per, *interval_[2:]))


def sex_leaf(text: str) -> Expression | None:
    """Read a sex, and a woman who may become pregnant.

    >>> sex_leaf("male"), sex_leaf("women")
    (SexIs(sex='male'), SexIs(sex='female'))
    """
    if re.fullmatch(r"(?:fe)?male(?: sex| gender)?|(?:wo)?m[ae]n|girls?|boys?|(?:fe)?males", text):
        return SexIs(sex="female" if re.match(r"fem|wom|girl", text) else "male")
    if re.fullmatch(
        r"(?:any|both|either) (?:sex|sexes|gender|genders)(?: (?:is|are) eligible.*)?", text
    ):
        return Everyone()
    if re.fullmatch(
        r"(?:(?:females?|wom[ae]n)\s*(?:of|with|who are of)\s*)?(?:child-?bearing|reproductive)\s+"
        r"(?:potential|age|capacity)|wom[ae]n (?:who|that) can become pregnant"
        r"|females? (?:who|that) can become pregnant|wom[ae]n who may become pregnant",
        text,
    ):
        return All(parts=(SexIs(sex="female"), AgeIs(wanted=Interval(15, 50, high_open=True))))
    return None


def pregnancy_leaf(text: str) -> Expression | None:
    """Read pregnancy with trimester or weeks, and lactation.

    >>> sorted(pregnancy_leaf("pregnant, second or third trimester").trimesters)
    [2, 3]
    >>> pregnancy_leaf("breastfeeding")
    Lactating()
    """
    if re.fullmatch(
        rf"{_PREGNANT}(?: or breast-?\s?feeding)?(?:,? as confirmed by .+)?|"
        r"gravid|gestational|current pregnancy",
        text,
    ):
        if "feeding" in text:
            return AnyOf(parts=(PregnantIs(), Lactating()))
        return PregnantIs()
    if re.fullmatch(
        r"(?:currently |during )?(?:breast-?\s?feeding|lactating|lactation|nursing)"
        r"(?: mothers?| wom[ae]n| an infant)?",
        text,
    ):
        return Lactating()
    if _AT_TERM.fullmatch(text):
        return PregnantIs(weeks=Interval(TERM_WEEKS, math.inf))
    found = _TRIMESTERS.fullmatch(text)
    if found is not None:
        which = [_ORDINALS[w] for w in re.findall(_ORDINAL, found.group("which"))]
        return PregnantIs(trimesters=frozenset(which))
    found = _GESTATION.fullmatch(text)
    if found is None or not (found.group("cue") or re.match(_PREGNANT, text)):
        return None
    weeks = _interval(
        re.sub(r"^(?:after|beyond)", ">=", found.group("value").strip()).replace("before", "<")
    )
    return None if weeks is None else PregnantIs(weeks=weeks)


def postpartum_leaf(text: str) -> Postpartum | None:
    """Read the time after a birth.

    >>> postpartum_leaf("postpartum"), postpartum_leaf("within 6 weeks postpartum").within_days.high
    (Postpartum(within_days=None), 42.0)
    >>> postpartum_leaf("postpartum hemorrhage") is None
    True
    """
    if _POSTPARTUM.fullmatch(text):
        return Postpartum()
    found = _BIRTH.fullmatch(text)
    if found is None:
        return None
    days = days_of(found)
    if found["sign"] is None:
        return Postpartum(within_days=Interval(0.0, days))
    when = interval_of(comparator_of(found["sign"]) or "=", days)
    return Postpartum(within_days=when._replace(low=max(0.0, when.low)))


def _interval(text: str, after: str | None = None) -> Interval | None:
    found = re.fullmatch(
        (
            rf"(?P<sign>{COMPARATOR})?\s*(?P<low>{NUMBER})(?:\s*(?:-|to|"
            rf"and)\s*(?P<second>{COMPARATOR})?\s*(?P<high>{NUMBER}))?"
        ),
        text,
    )
    if found is None:
        return None
    low = to_number(found["low"])
    if found["high"]:
        return _between(low, to_number(found["high"]), found["sign"], found["second"])
    return interval_of(comparator_of(after or found["sign"] or "=") or "=", low)


def _between(low: float, high: float, first: str | None, second: str | None) -> Interval | None:
    """Return a range; its ends may carry signs: `≥ 18 to ≤ 60`.

    >>> _between(18, 60, ">", "<"), _between(18, 60, "<", None)
    (Interval(low=18, high=60, low_open=True, high_open=True), None)
    """
    signs = comparator_of(first or ">="), comparator_of(second or "<=")
    if low > high or signs[0] not in (">", ">=") or signs[1] not in ("<", "<="):
        return None
    return Interval(low, high, signs[0] == ">", signs[1] == "<")
