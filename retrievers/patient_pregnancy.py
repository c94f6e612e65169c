"""Pregnancy and lactation of the patient, by rules."""

from __future__ import annotations

import re
from typing import Literal

from retrievers.patient_gestation import read_gestation
from retrievers.patient_text import span_of
from signatures.schema import Pregnancy

_TRIMESTER = re.compile(
    r"\b(?P<which>first|second|third|1st|2nd|3rd)[- ]trimester\b", re.IGNORECASE
)
_NOT_PREGNANT = re.compile(
    r"\b(?:(?:is|was|are) )?(?:not|never been|no longer) (?:currently )?pregnant\b|"
    r"\bnon-?pregnant\b"
    r"|\bpregnancy (?:is|was|has been) (?:excluded|ruled out)\b"
    r"|\bden(?:ies|ied|ying) (?:being pregnant|pregnancy|any possibility of pregnancy)\b"
    r"|\b(?:pregnancy test|(?:β|beta|b|urine |serum )?-?\s?hcg(?: test)?|uhcg|UPT)(?: "
    r"\w+){0,3}?:? (?:is |was |were )?(?:negative\b|-ve\b|neg\b)"
    r"|\bnegative (?:urine |serum )?(?:pregnancy test|(?:β|beta|b)?-?\s?hcg)\b"
    r"|\b(?:weeks?|months?|days?|years?)[- ](?:post-?partum|after (?:delivery|giving "
    r"birth|childbirth))\b"
    r"|\bpost-?partum\b|\b(?:past (?:the )?menopause|post-?menopausal|after menopause)\b"
    r"|\bexcluded pregnancy\b|\b(?:neither|nor) pregnant\b|\bno pregnancy\b"
    r"|\bnot (?:\w+ ){0,3}or pregnant\b",
    re.IGNORECASE,
)
_PREGNANT = re.compile(
    r"\b(?:is|who is|currently|woman|patient|and|year-old|weeks?|months?|now|newly|she's|"
    r",)\s+pregnant\b"
    r"|\bpregnant\s+(?:\d{1,2}-year-old|woman|patient|with|at|female)\b|\bprimigravida\b"
    r"|\b(?:pregnancy test|(?:β|beta|b|urine |serum )?-?\s?hcg(?: test)?|uhcg|UPT)(?: today| now)?"
    r":? (?:is |was |were )?(?:positive\b|\+ve\b|pos\b)|\bpositive (?:UPT|(?:β|beta|b)?-?\s?hcg)\b|"
    r"\bpositive pregnancy test\b|\bprenatal "
    r"(?:visit|care)\b"
    r"|\b(?:during|in) (?:this|her current|the current|her) pregnancy\b|"
    r"\bG\d\s*P\d\w*\s+(?:at|presents)"
    r"|(?<!in )(?<!during )(?<!after )(?<!since )(?<!with )(?<!from )(?<!of )"
    r"\bher (?:first|second|third) pregnancy\b|\b(?:is|currently|now|woman|patient|old|female|"
    r",) in her \w+ pregnancy\b"
    r"|\bgravid\b(?!a)|\bexpect(?:ing|ant) (?:mother|twins|triplets|an? (?:\w+ )?(?:baby|child|"
    r"boy|girl)|"
    r"her (?:\w+ )?(?:baby|child))\b|\bmother-to-be\b|\bpregnant\b",
    re.IGNORECASE,
)  # fmt: skip
_WITH_CHILD = (
    r"(?=(?:[^.;]|\.(?=\d)){0,60}\b(?:boy|girl|baby|infant|newborn|neonate|son|daughter|twins|triplets|child|"
    r"placenta|vaginally)\b)"
)
_DELIVERS = re.compile(rf"\b(?:gives birth\b|delivers\b{_WITH_CHILD})", re.IGNORECASE)
_DELIVERED = re.compile(
    rf"\b(?:(?:gave|given) birth\b|delivered\b{_WITH_CHILD})"
    r"(?![^.;]{0,60}\b(?:years?|months?|first|last|previous|prior|19\d\d|20\d\d)\b)",
    re.IGNORECASE,
)
_NOT_YET = re.compile(
    r"\b(?:if|when|until|before|once|after|should|in case|will (?:be|have)|be|previously|first|"
    r"last|years? ago|earlier|past)\b[^.;]{0,30}$",
    re.IGNORECASE,
)
"""Before a birth that is to come, or that of an earlier child."""
_UNSURE_PREGNANT = re.compile(
    r"\b(?:become|becoming|get|getting|be|if|could be|may be|trying to (?:be|become)|"
    r"planning|plans|"
    r"wants? to (?:be|become)|were|when|previously|last|her (?:sister|mother|wife) "
    r"is)\s+(?:\w+ )?$",
    re.IGNORECASE,
)
_FOUND = re.compile(r"\b(?:found|noted|known|confirmed) to be\s+$", re.IGNORECASE)
_OPEN = re.compile(
    r"\b(?:whether|if|unless|unsure|uncertain|thinks?|suspects?|hopes?|denies|wife|partner|surrogate|"
    r"not|no longer)\b(?:\s+(?:or|not|she|that|the|patient|is|was|may|might|could|be|are|they|"
    r"currently)){1,5}\s+$|\b(?:not|never|no longer|is she|wife|partner)\s+$",
    re.IGNORECASE,
)
"""`does not know whether she is pregnant`."""
_WAS = re.compile(
    r"\b(?:was|had been|been)\s+pregnant\b[^.;,]{0,25}\b(?:last (?:year|month|summer|winter|fall|"
    r"spring)|(?:years?|months?) (?:ago|earlier|before)|previously|before|once|in (?:19|20)\d\d|"
    r"in the "
    r"past)\b|\b(?:last (?:year|month)|(?:years?|months?) ago|previously|"
    r"once),?\s+(?:\w+\s+)?(?:was|"
    r"been)\s+pregnant\b",
    re.IGNORECASE,
)
_NOT_LACTATING = re.compile(
    (
        r"\b(?:not|neither|nor|never|stopped)\s+(?:\w+ ){0,3}?(?:breast-?feed(?:ing|s)?|"
        r"nursing|lactating)\b"
    ),
    re.IGNORECASE,
)
_LACTATING = re.compile(
    r"\b(?:breast-?feeds|breast-?feeding|lactating|nursing (?:her|an?|mother))\b", re.IGNORECASE
)


def read_pregnancy(text: str) -> Pregnancy | None:
    """Return pregnancy with weeks and trimester, as far as the text says.

    >>> read_pregnancy("G2P1 at 32w4d").weeks, read_pregnancy("at 28 weeks' gestation").trimester
    (32.57142857142857, 3)
    >>> read_pregnancy("She is 6 weeks postpartum.").pregnant
    False
    >>> read_pregnancy("A man with gout") is None
    True
    """
    denied = _NOT_PREGNANT.search(text)
    if denied is not None:
        return Pregnancy(pregnant=False, span=span_of(text, denied.start(), denied.end()))
    for birth in _DELIVERS.finditer(text):
        if not _NOT_YET.search(text[max(0, birth.start() - 40) : birth.start()]):
            return Pregnancy(pregnant=False, span=span_of(text, birth.start(), birth.end()))
    found = _stated(text)
    return None if found is not None and _over(text, found) else found


def _over(text: str, found: Pregnancy) -> bool:
    """Say whether a birth is told after the pregnancy: then nothing says whether it goes on."""
    return any(
        not _NOT_YET.search(text[max(0, birth.start() - 40) : birth.start()])
        for birth in _DELIVERED.finditer(text, found.span.end)
    )


def _stated(text: str) -> Pregnancy | None:
    counted = read_gestation(text)
    if counted is not None:
        span = span_of(text, counted.start, counted.end)
        return Pregnancy(pregnant=True, weeks=counted.weeks, trimester=counted.trimester, span=span)
    trimester = _TRIMESTER.search(text)
    if trimester is not None:
        which: dict[str, Literal[1, 2, 3]] = {"f": 1, "s": 2, "t": 3, "1": 1, "2": 2, "3": 3}
        return Pregnancy(
            pregnant=True,
            trimester=which[trimester["which"][0].lower()],
            span=span_of(text, trimester.start(), trimester.end()),
        )
    for found in _PREGNANT.finditer(text):
        at = text.lower().find("pregnan", found.start())
        at = at if found.start() <= at < found.end() else found.start()
        before = text[max(0, at - 40) : at]
        if _FOUND.search(before) or not (
            _UNSURE_PREGNANT.search(before)
            or _OPEN.search(before)
            or _WAS.search(text[max(0, at - 60) : at + 60])
        ):
            return Pregnancy(pregnant=True, span=span_of(text, found.start(), found.end()))
    return None


def read_lactation(text: str) -> bool | None:
    """Return whether the patient breastfeeds, or `None` when the text does not say.

    >>> read_lactation("She is breastfeeding."), read_lactation("She is not breastfeeding.")
    (True, False)
    """
    if _NOT_LACTATING.search(text):
        return False
    found = _LACTATING.search(text)
    if found is None or re.search(r"\bwas\s+$", text[max(0, found.start() - 8) : found.start()]):
        return None
    return True
