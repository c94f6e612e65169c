"""Where a text calls the patient a parent: "a 30-year-old mother of two" is a woman, not kin.

Everywhere else a mother or a father is a relative: "her mother", "mother with asthma", "born to a
30-year-old mother".
"""

from __future__ import annotations

import re

from retrievers.numbers import SPELLED

PARENT = r"(?:(?:great-?\s?)?grand|step)?-?(?P<parent>mother|father|parent|mom|mum|dad)\b"
_CHILDREN = (
    r"(?:children|kids|sons|daughters|boys|girls|infants|babies|grandchildren|toddlers|teenagers|"
    r"twins|triplets)"
)
_UNIT = r"[-\s]*(?:year|month|week|day)s?\b"
_SAID_OF_THEM = r"\s+(?:with|who|whose|affected|diagnosed|suffering)\b"
OF_CHILDREN = (
    rf"\s+(?:of|to)\s+(?:(?:\d{{1,2}}|{SPELLED}|several|many|multiple)\b(?!{_UNIT})"
    rf"(?!\s+(?:[\w-]+\s+){{0,2}}?{_CHILDREN}\b)"
    rf"|(?:(?!\d+{_UNIT})[\w-]+\s+){{0,3}}?{_CHILDREN}\b(?!{_SAID_OF_THEM}))"
)
"""`of two`, `of 3 young children`, `of twins`; "of a 3-year-old boy" may tell of the boy, and
"of two boys with hemophilia" does."""
_PARENT_OF = re.compile(rf"\b{PARENT}{OF_CHILDREN}", re.IGNORECASE)
_AGED_PARENT = re.compile(
    rf"(?<=-old )(?:[\w-]+ ){{0,2}}?(?P<word>{PARENT})(?!'s?\b)(?!\s+of\b)", re.IGNORECASE
)
"""`a 30-year-old single mother`."""
_NOT_THE_PATIENT = re.compile(
    r"(?:\b(?:his|her|their|whose|my|our)|'s?|\b(?:by|to|with|from|of|for|and)(?:\s+(?:an?|the))?)"
    r"\s+(?:[\w-]+\s+){0,3}$",
    re.IGNORECASE,
)
"""`her single`, `born to a`, `brought in by a`: somebody else's parent, or one who comes along."""
_HERSELF = re.compile(r"\band\s+(?:an?|the)\s+$", re.IGNORECASE)
_HER_CHILD = re.compile(
    r"^[^.;!?]*\b(?:her|his|their)\s+(?:[\w-]+\s+){0,3}(?:son|daughter|child|infant|baby|newborn|"
    r"neonate|toddler|boy|girl)\b",
    re.IGNORECASE,
)
"""`A mother of two brings her son`: the son is the patient."""
_OF_ONE_CHILD = re.compile(
    rf"\b{PARENT}\s+(?:of|to)\s+an?\s+(?:[\w-]+{_UNIT}[-\s]*old\s+)?(?:[\w-]+\s+)?(?:boy|girl|child|son|"
    r"daughter|infant|baby|toddler|newborn|teenager)(?=\s+(?:has|had|presents?|presented|comes|came|"
    r"takes|complains|develops|developed|suffers|uses|is (?:treated|diagnosed|seen|evaluated|"
    r"found)|"
    r"was (?:treated|diagnosed|seen|evaluated|found))\b"
    r"(?!\s+(?:noticed|noted|brought|reported|concerns?|questions?|worries|with (?:her|his)|to ask|"
    r"asking|because|that|(?:her|his) (?:son|daughter|child))\b))",
    re.IGNORECASE,
)
"""`a father of a 4-year-old girl has gout`: the father is the patient."""
_BRINGS_CHILD = re.compile(
    r"(?P<age>\b\d{1,2}[- ]years?[- ]old\s+)?(?:\w+\s+)?\b(?P<parent>mother|father|parents?|mom|"
    r"mum|dad|woman|man|couple)\b[^.;!?]{0,60}?\b"
    r"(?:brings?|brought)(?:\s+in)?\s+(?:her|his|their)\s+(?:[\w-]+\s+){0,3}?(?P<child>son|daughter)\b(?!')",
    re.IGNORECASE,
)
"""`A mother brings her son, who has a cough`."""
_AGED = re.compile(
    r"(?<=mother|father|parent)(?:,\s*\d{1,2}\s*,|,?\s+aged\s+\d{1,2}\b)(?=[^.;!?]*$)"
    r"|(?<=mum|dad|mom)\s+(?:,\s*\d{1,2}\s*,|,?\s*aged\s+\d{1,2}\b)(?=[^.;!?]*$)",
    re.IGNORECASE,
)
"""`A mother aged 30` is not the child's age."""
_ADULTS = {"woman": "mum", "man": "dad"}
_BOYS = {"son": "boy", "daughter": "girl"}
_CALLED = {"mother": "woman", "mom": "woman", "mum": "woman", "father": "man", "dad": "man"}


def of_parents(text: str) -> str:
    """Return the text with the patient's own parenthood as plain sex, every offset kept.

    >>> of_parents("A 30-year-old mother of two has gout.")
    'A 30-year-old woman         has gout.'
    >>> of_parents("Her mother has gout."), of_parents("She was born to a mother of two.")
    ('Her mother has gout.', 'She was born to a mother of two.')
    """
    for found in reversed(list(_BRINGS_CHILD.finditer(text))):
        start, end = found.span("child")
        text = text[:start] + _BOYS[found["child"].lower()].ljust(end - start) + text[end:]
        for span, word in ((found.span("parent"), found["parent"]), (found.span("age"), "")):
            said = _ADULTS.get((word or "").lower(), word or "")
            if span[0] >= 0:
                text = text[: span[0]] + said.ljust(span[1] - span[0]) + text[span[1] :]
        text = _AGED.sub(lambda age: " " * len(age.group()), text[:start]) + text[start:]
    for pattern in (_OF_ONE_CHILD, _PARENT_OF, _AGED_PARENT):
        for found in reversed(list(pattern.finditer(text))):
            if _is_patient(text, found):
                start = found.start("word") if pattern is _AGED_PARENT else found.start()
                word = _CALLED.get(found["parent"].lower(), "adult")
                same = word[: found.end() - start].ljust(found.end() - start)
                text = text[:start] + same + text[found.end() :]
    return text


def _is_patient(text: str, found: re.Match[str]) -> bool:
    before, after = text[max(0, found.start() - 50) : found.start()], text[found.end() :]
    if _HER_CHILD.match(after):
        return False
    return _HERSELF.search(before) is not None or _NOT_THE_PATIENT.search(before) is None
