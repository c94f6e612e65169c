"""Relatives by blood and the headings of a family history, one list for every rule on them."""

from __future__ import annotations

import re

KIN = (
    r"(?:grand(?:mother|father|parent|son|daughter)|(?:step|half-)?(?:mother|father|brother|sister)|"
    r"parent|(?-i:[Mm]om|[Mm]um|[Dd]ad)|sibling|uncle|aunt|cousin|niece|nephew|son|daughter)"
)
"""MOM is milk of magnesia, and DAD diffuse alveolar damage."""

_LIPIDS = (
    r"(?<!\bhas )(?<!\bhad )(?<!\bhave )(?<!\bwith )(?<!zygous )(?<!\bknown )(?<!definite )"
    r"(?<!probable )(?<!possible )(?<!confirmed )(?<!\bgenetic )"
)
"""What stands before FH that is familial hypercholesterolaemia: `heterozygous FH: LDL 190`."""
FAMILY_HISTORY = (
    r"(?:\bfam(?:ily|\.)?\s*(?:(?:/|or|nor|and)\s*personal\s+)?(?:history|hx|h/o|h/x)\b|\bF/?M?Hx\b|\bFMH(?=\s*:)|\bF/H\b|"
    r"\bFH(?=\s+(?:of|for)\b|\+)"
    rf"|{_LIPIDS}\bFH(?=\s*:|\s+-\s|\s+(?:is\s+|was\s+)?(?:neg|negative|-ve|\+ve|nil|none|positive|pos|"
    r"significant|strong|unremarkable|unknown|non-?contributory|denied)(?!\w))"
    r"|(?:(?<=\+)|(?<=\bstrong )|(?<=\bpositive )|(?<=\bpersonal or )|(?<=\bpersonal/))FH\b"
    r"|(?:^|(?<=[.;]\s)|(?<=\n))FH(?=[^\S\n]+(?:\w|$))(?!\s+(?:on|with|and|patients?|is|was|has|who|diagnosed|"
    r"since|treated|confirmed|in|due|by|at|heterozyg\w+|homozyg\w+)\b))"
)
"""`FH of gout`, `FH: gout`, `+FH`; at the head of a sentence also `FH gout`."""

NEGATIVE = r"(?:negative|neg\.?(?!\w)|(?<!\w)-ve\b|nil|none)"
PERSONAL_TOO = (
    r"(?:personal|past|own|medical)(?:\s+history)?\s*(?:/|or|nor|and/or|and)\s*(?=fam|F/?M?H)"
)
"""`no personal or family history of gout` denies both."""

_WORDS = r"(?:[\w-]+(?:'s)?\s+){0,5}?"
_BEARER = re.compile(
    r"\b(?:(?:born|delivered)\b[^.;\n]{0,60}?\bto|(?:infant|newborn|neonate|baby|child|boy|girl)\s+of)"
    rf"\s+(?:an?|the)\s+(?P<words>{_WORDS}(?:woman|mother|lady|female|primigravida|G\d+\s?P\d+\w*))\b",
    re.IGNORECASE,
)

_FETUS = re.compile(r"\bfo?et(?:us|al)\b", re.IGNORECASE)
_CHILD_IS_SEEN = re.compile(
    r"\b(?:infant|newborn|neonate|baby|toddler|child|boy|girl)\b"
    r"|\b(?:with|brings?|brought|for|about)\s+(?:in\s+)?(?:his|her|their)\s+(?:[\w-]+\s+){0,3}?"
    r"(?:son|daughter)\b"
    r"|\b(?:mother|father|parents?|mom|mum|dad)\b[^.;]{0,40}?\b(?:says?|said|reports?|reported|"
    r"states?|brings?|brought|worried|concerned|notes?|noticed|calls?|called|asks?|presents?|comes?)\b",
    re.IGNORECASE,
)


def is_the_patient(text: str, word: str) -> bool:
    """Say whether the relative who begins a clause may be the patient.

    A mother is where the text is of a fetus; a son or daughter where parents bring their child.

    >>> text = "Mother is on insulin, fetus well. Her son has asthma."
    >>> is_the_patient(text, "Mother"), is_the_patient(text, "son")
    (True, False)
    """
    seen = _CHILD_IS_SEEN.search(text) is not None
    if word.casefold() in ("mother", "mom", "mum"):
        return not seen and _FETUS.search(text) is not None
    return seen and word.casefold() in ("son", "daughter")


def bearers(text: str) -> list[tuple[int, int]]:
    """Return where a text names the woman who bore the patient, with what is said before her.

    >>> text = "A boy born at 38 weeks to a 30-year-old diabetic woman has jaundice."
    >>> [text[start:end] for start, end in bearers(text)]
    ['30-year-old diabetic woman']
    """
    return [found.span("words") for found in _BEARER.finditer(text)]
