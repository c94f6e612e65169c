"""Old values beside new ones: which of two the text gives as the present one.

"24 in 2019, now 75", "180/110 last month, now 132/84", "fell from 190/110 to 140/85".
"""

from __future__ import annotations

import re

from retrievers.numbers import COMPARATOR, NUMBER
from retrievers.unit_spellings import UNIT

EARLIER = re.compile(
    (
        r"\b(?:previous(?:ly)?|prior|last (?:year|month|week)|earlier|ago|baseline|before|"
        r"used to be)\b"
    ),
    re.IGNORECASE,
)
_WHEN = (
    rf"(?:\(?\s*(?:(?:back\s+)?in\s+(?:\w+\s+)?(?:19|20)\d\d|(?:in|at|on)\s+(?:baseline|admission|"
    rf"arrival|presentation|discharge|diagnosis)|last\s+\w+|yesterday|previously|before|initially|"
    rf"(?:{NUMBER}|\w+)\s+(?:hour|day|week|month|year)s?\s+(?:ago|earlier|before|prior))\s*\)?)"
)
_NOW = r"(?:now|currently|today|at present|presently|this (?:morning|week|month))"
_AFTER = (
    r"(?:after|following|post|(?:at|on|by)\s+(?:discharge|follow-?up|repeat|re-?check|review))\b"
    r"(?!\s+(?:food|meals?|eating|load|glucose|standing))"
)
_FIRST = (
    r"(?:\s*\(?(?:initially\b|(?:on|at)\s+(?:admission|arrival|presentation|baseline)\b|"
    r"(?:before|during)(?:\s+(?!and\b|but\b|then\b|now\b)[\w-]+){1,3})\)?)"
)
"""Of two values the first of a stay or of a treatment: "5.9 before dialysis"."""
_CHANGED = (
    r"(?:ris(?:en|ing)|rose|increas(?:ed|ing)|climb(?:ed|ing)|f[ae]ll(?:en|ing)?|dropp(?:ed|ing)|"
    r"declin(?:ed|ing)|decreas(?:ed|ing)|improv(?:ed|ing)|worsen(?:ed|ing)|recover(?:ed|ing)|"
    r"went|gone|up|down|progress(?:ed|ing)|normali[sz](?:ed|ing)|correct(?:ed|ing)|settl(?:ed|ing))"
)
_SIGN = rf"(?:(?P<sign>{COMPARATOR})\s*)?"
_NUMBER = (
    rf"(?:about\s+|only\s+)?{_SIGN}(?P<low>{NUMBER})(?![.,]?\d)(?!\s*/)(?![\s-]*(?:years?|months?|weeks?|days?|"
    rf"hours?|units?|tablets?|times|x|kg|mg(?!\s*/))\b)\s*(?P<unit>{UNIT})?"
)
_PAIR = (
    rf"(?:about\s+|only\s+)?{_SIGN}(?P<high>\d{{2,3}})\s*/\s*(?P<low>\d{{2,3}})(?![\d/])"
    r"(?:\s*mm\s?Hg)?"
)
IN_YEAR = re.compile(r"\s*\(?\s*(?:back\s+)?in\s+(?:\w+\s+)?(?:19|20)\d\d\b", re.IGNORECASE)
_COUNTED_AGO = re.compile(r"\s*\(?(?:\w+ ){1,3}ago")


def later_forms(new: str, *, told: bool = False) -> tuple[re.Pattern[str], ...]:
    """Return the patterns of what follows a first value where a second, newer one is given.

    Args:
        new: the pattern of the second value.
        told: whether "88/50, 122/76 after fluids" needs a word on the first value, "on arrival".
    """
    joint = rf"\s*{_WHEN}?\s*[;,.]?\s*(?:(?:and|but|then|which|it|that)\s+)*"
    rests = (
        rf"(?:(?:is|has been|are)\s+)?{_NOW}\s*:?\s*(?:(?:it|is|at|of|was)\s+)*{new}",
        rf"(?:(?:has|had|have|since|later|now|subsequently|is)\s+)*{_CHANGED}\s+(?:(?:up|down)\s+)?"
        rf"(?:to|at)\s+{new}",
        rf"(?:->|\u2192|-->)\s*{new}",
        rf"(?:(?:is|was|it)\s+)*{new}(?:\s+|\s*\(){_NOW}\b",
        rf"(?<=[,)]\s)is\s+{new}",
    )
    first = _FIRST if told else rf"{_FIRST}?"
    after = rf"{first}\s*[;,.(]\s*(?:(?:and|but|then|was|it)\s+)*{new}(?=\s*\(?{_AFTER})"
    return (
        *(re.compile(joint + rest, re.IGNORECASE) for rest in rests),
        re.compile(after, re.IGNORECASE),
    )


LATER = later_forms(_NUMBER, told=True)
"""A newer number: "24 in 2019, now 75"."""
LATER_PAIR = later_forms(_PAIR)
"""A newer blood pressure: "180/110 last month, now 132/84"."""
LATER_WEIGHT = later_forms(
    rf"(?:(?:weighs|weighing|about|only)\s+)*(?P<low>{NUMBER})\s*(?P<unit>kg|kilograms?|lbs?|pounds?)\b"
    r"(?!\s+(?:lighter|heavier|less|more|lost|gained|weight))"
)
"""A newer body weight: "90 kg last year, now 55 kg"."""


def is_earlier(text: str, start: int, end: int) -> bool:
    """Say whether what stands at `start` to `end` is told of an earlier time.

    >>> text = "previous INR 3.1, INR 2.2"
    >>> is_earlier(text, 9, 16), is_earlier(text, 18, 25)
    (True, False)
    >>> is_earlier("BP 180/110 last month", 0, 10)
    True
    """
    clause = re.split(r"[.;]|\b(?:now|currently|today)\b|\d,\s", text[max(0, start - 40) : start])[
        -1
    ]
    after = text[end : end + 25]
    found = (
        EARLIER.search(clause)
        or EARLIER.match(after.strip(" ("))
        or _COUNTED_AGO.match(after)
        or IN_YEAR.match(after)
    )
    return found is not None
