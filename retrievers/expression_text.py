"""The text side of reading constraints: one spelling, brackets, lists and population words."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from retrievers.numbers import COMPARATOR, SPELLED, to_number

_SIGNS = str.maketrans({
    "\u2212": "-", "\u2013": "-", "\u2014": "-", "\u2011": "-", "\u2010": "-", "\u2019": "'",
    "\u2018": "'", "\u201c": '"', "\u201d": '"', "\u00a0": " ", "\u2009": " ", "\u202f": " ",
    "\uff1c": "<", "\uff1e": ">", "\u2a7e": "≥", "\u2a7d": "≤", "\u2267": "≥", "\u2266": "≤",
    "[": "(", "]": ")", ";": ";",
})  # fmt: skip

_ABLE = re.compile(
    r"\b(?P<un>un)?(?:able|willing|likely)(?:(?:,|,? and|,? or) (?:un)?(?:able|willing|likely))+"
    r"(?= to\b)",
    re.IGNORECASE,
)
"""`able and willing to`, `unable or unwilling to`: one condition."""
_STANDARD = re.compile(
    r",?\s+(?:diagnosed |defined |classified )?(?:by|with|per|using|according to|based on|as per|"
    r"meeting)(?: the)? (?:dsm|icd)(?:[- ]?(?:iv|v|iii|\d{1,2}))?(?:-?(?:tr|r))?(?: criteria)?$",
    re.IGNORECASE,
)
"""`diagnosed with DSM-IV criteria`: the usual standard of any such diagnosis."""
_ALL_KINDS = re.compile(r"\s*\((?:type )?(?:[ivx\d]+[ab]?(?:,| or| and|, or|, and) )+nos\)", re.I)
"""`(I, II, NOS)`: "not otherwise specified" leaves no kind out."""
_LIST_NUMBER = re.compile(r"^(?:\d{1,2}[.)]|[•*-])\s+(?=[A-Za-z≥≤<>])")
_SUBJECT = re.compile(
    r"^(?:the )?(?:(?:patient|subject|participant|volunteer|individual|person)s?\s+"
    r"(?:must be|must have|should be|should have|is|are|has|have)|is|are|has|have)"
    r"\s+(?!not\b|no\b)",
    re.IGNORECASE,
)
"""`Subject is 18 years or older`: a criterion that speaks in whole sentences."""
_AT_ENTRY = re.compile(
    r"[, ]+(?:on the day of|at(?: the)?(?: time of)?|prior to|before) (?:the )?"
    r"(?:inclusion|enrol?lment|study entry|entry|screening|baseline|randomi[sz]ation)$",
    re.IGNORECASE,
)
_HEADS = (
    r"(?:patients?|individuals?|people|persons?|subjects?|cases|population|populations|recipients|"
    r"candidates|users|those|participants?|volunteers?)"
)
_NOUNS = (
    r"(?:non-?pregnant|non-?smokers?|smokers?|adults?|elderly|older adults?|older|"
    r"geriatric|pediatric|paediatric|children|child|"
    r"adolescents?|infants?|neonates?|newborns?|wom[ae]n|females?|m[ae]n|males?|girls?|boys?|"
    r"pregnant|breastfeeding|lactating|obese|diabetic|hypertensive|postmenopausal|overweight|"
    r"asthmatic|premenopausal)"
)
_STARTER = (
    r"(?:who (?:have|has|are|is)|with|having|who|aged|age|on|taking|receiving|using|treated with|"
    r"over|under|above|below|older than|younger than|less than|more than|within|≥|>|<|≤|at least|"
    r"between|suffering from|presenting with|presents? with|complaining of|"
    r"diagnosed with|whose|of|in|without|not|during|undergoing|allergic to|and|requiring|\d+)"
)
_POPULATION = re.compile(
    rf"(?P<words>(?:{_NOUNS}\s+)*(?:{_NOUNS}|{_HEADS}))(?:\s+{_HEADS})?"
    rf"(?:,?\s+(?P<rest>{_STARTER}\b.+|[<>≥≤].+))?"
)
_DROP_STARTER = re.compile(
    r"^(?:who (?:have|has|are|is)|with|having|who|suffering from|diagnosed with|"
    r"presenting with|presents? with|complaining of|whose|in|and|of)\s+"
)
_BARE_AGE = re.compile(rf"(?:{COMPARATOR}|between)?\s*\d", re.IGNORECASE)
_NOT_AN_AGE = re.compile(r"\b(?:post-?partum|after|since|of (?:delivery|childbirth)|weeks'? gest)")
_PEOPLE = re.compile(
    r"(?:[\w-]+ ){0,2}(?:patients|individuals|people|persons|subjects|adults|children|adolescents|"
    r"infants|neonates|newborns|women|men|females|males|girls|boys)\b", re.IGNORECASE
)  # fmt: skip
_YOUNG = re.compile(
    r"(?:preterms?|premature)(?: (?:newborns?|neonates?|infants?))?|newborns?|neonates?|infants?|"
    r"children|adolescents|pregnan(?:cy|t)|lactation|breast-?feeding", re.IGNORECASE
)  # fmt: skip
"""People by age or pregnancy, of whom nobody can be two: joined by "and", either is meant."""
_SHARED_LAST = re.compile(
    r"(?P<before>.*?)\b(?P<one>[\w-]+)(?P<joint>\s+or\s+|\s+and\s+|\s+and/or\s+|"
    r"/)(?P<two>[\w-]+)\s+"
    r"(?P<noun>(?:liver |kidney |renal |heart |lung )?(?:impairment|insufficiency|"
    r"failure|disease|dysfunction|disorders?|infections?|cancers?|"
    r"carcinoma|transplant|transplantation|ulcers?|bleeding|inhibitors?|agonists?|antagonists?|"
    r"blockers?|diuretics?|hypertension|diabetes|migraine))(?P<after>.*)"
)
_KIND = r"(?:[\w-]+(?:ic|ac|al|ar|ary|ous|ive|ory|ine)|liver|kidney|heart|lung)"
_SEVERAL_KINDS = re.compile(
    rf"(?P<kinds>{_KIND}(?:,\s*{_KIND})+,?\s+(?:and|or|and/or)\s+{_KIND})\s+"
    r"(?P<noun>diseases?|disorders?|impairment|insufficiency|failure|dysfunction)",
    re.IGNORECASE,
)
"""`hepatic, renal, and vascular disease`: kinds of disease, of which any is meant."""
_QUALIFIED = re.compile(
    r"(?P<qualifier>severe|moderate|mild|acute|chronic|active|known|history "
    r"of)\s+(?P<rest>.+)"
)  # fmt: skip
_TWO_SEVERITIES = re.compile(
    r"(?P<one>mild|moderate|severe)(?:\s*(?:to|or|and|-|-to-|/)\s*-?)(?P<two>moderate|"
    r"severe)\s+(?P<rest>.+)"
)
_FRAME_VERB = re.compile(
    r"(?:concomitantly |concurrently |currently )?(?:taking|receiving|using|treated with|on|with|"
    r"without|not|allerg(?:y|ic) to|hypersensitivity to|history of|a history of|family history of|"
    r"age|aged|prior|previous)\b"
)


_MARK = re.compile(
    r",?\s+(?:and|plus|or(?!\s+(?:lower|higher|more|less|older|younger|above|below|greater|over|under|"
    r"fewer|later)\b))\s+|,\s+|;\s+",
    re.IGNORECASE,
)
"""Joints of a list; "32 or lower" is one threshold."""


class Split(NamedTuple):
    """A list taken apart at its top level."""

    joint: Literal["and", "or"]
    pieces: list[str]


def tidy(text: str) -> str:
    """Bring a constraint's text into one spelling, case kept.

    >>> tidy("eGFR  ⩾ 30 and/or “CKD”; sixty-five years or older.")
    'eGFR ≥ 30 or "CKD"; 65 years or older'
    """
    plain = text.translate(_SIGNS)
    plain = re.sub(r"\s+", " ", plain).strip(" .")
    plain = _AT_ENTRY.sub("", _LIST_NUMBER.sub("", plain))
    plain = _ALL_KINDS.sub("", _STANDARD.sub("", _SUBJECT.sub("", plain)))
    plain = _ABLE.sub(lambda m: f"{m['un'] or ''}able", plain)
    plain = re.sub(r"\s*\(?\binclusive\b\)?", "", plain, flags=re.IGNORECASE)
    plain = re.sub(r">\s*/?\s*=|=\s*>", "≥", plain)
    plain = re.sub(r"<\s*/?\s*=|=\s*<", "≤", plain)
    plain = re.sub(r"(?<=\d)\s*~\s*(?=\d)", "-", plain)
    plain = re.sub(r"\band\s*/\s*or\b", "or", plain, flags=re.IGNORECASE)
    plain = re.sub(r"\b(AND|OR|NOT|UNLESS|WITHOUT)\b", lambda m: m.group().lower(), plain)
    plain = re.sub(r"\s*&\s*", " and ", plain)
    plain = re.sub(r"\b(mild|moderate)-to-(moderate|severe)\b", r"\1 to \2", plain)
    return re.sub(
        rf"\b{SPELLED}\b(?=[ -](?:years?|months?|weeks?|days?|hours?)\b)",
        lambda m: f"{to_number(m.group()):g}",
        plain,
        flags=re.IGNORECASE,
    )


def outer_brackets(text: str) -> str | None:
    """Return the inside when one pair of brackets holds the whole text.

    >>> outer_brackets("(a or b)"), outer_brackets("(a) or (b)")
    ('a or b', None)
    """
    if not (text.startswith("(") and text.endswith(")")):
        return None
    depth = 0
    for place, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")")
        if depth == 0 and place < len(text) - 1:
            return None
    return text[1:-1]


def split_top(text: str) -> Split | None:
    """Split a list at its outermost joint, or return `None` when there is none or it is ambiguous.

    >>> split_top("a, b or c")
    Split(joint='or', pieces=['a', 'b', 'c'])
    >>> split_top("diabetes and taking losartan or valsartan")
    Split(joint='and', pieces=['diabetes', 'taking losartan or valsartan'])
    >>> split_top("a and b or c") is None
    True
    >>> split_top("a and (b or c)")
    Split(joint='and', pieces=['a', '(b or c)'])
    """
    marks = [m for m in _MARK.finditer(text) if _depth(text, m.start()) == 0]
    words = [_joint(mark.group()) for mark in marks]
    if "and" in words and "or" in words:
        return _split_at_verb(text, marks, words)
    joint: Literal["and", "or"] | None = (
        "and" if "and" in words else "or" if "or" in words else None
    )
    if joint is None or any(";" in mark.group() for mark in marks):
        return None
    ends = [0, *(m.end() for m in marks)], [*(m.start() for m in marks), len(text)]
    pieces = [text[a:b].strip() for a, b in zip(*ends, strict=True)]
    pieces[0] = re.sub(r"^(?:either|both)\s+", "", pieces[0], flags=re.IGNORECASE)
    if joint == "and" and _are_groups(pieces):
        joint = "or"
    elif joint == "and" and re.fullmatch(_NOUNS, pieces[0].lower()) and joins_people(text.lower()):
        # "Male and non-pregnant females aged 18": whom the age is said of is open.
        return None
    return Split(joint, pieces)


def expand_shared_words(text: str) -> str:
    """Repeat a noun or a severity that two names share.

    >>> expand_shared_words("severe renal or hepatic impairment")
    'severe renal impairment or severe hepatic impairment'
    >>> expand_shared_words("hepatic, renal, and cardiac disease")
    'hepatic disease or renal disease or cardiac disease'
    >>> expand_shared_words("moderate to severe asthma")
    'moderate asthma or severe asthma'
    """
    two = _TWO_SEVERITIES.fullmatch(text)
    if two is not None:
        return f"{two['one']} {two['rest']} or {two['two']} {two['rest']}"
    several = _SEVERAL_KINDS.fullmatch(text)
    if several is not None:
        kinds = re.split(r",\s*(?:and\s+|or\s+)?|\s+and\s+|\s+or\s+", several["kinds"])
        return " or ".join(f"{kind} {several['noun']}" for kind in kinds)
    shared = _SHARED_LAST.fullmatch(text)
    if shared is None or "," in shared["before"] or shared["after"].strip():
        return text
    joint = " or " if shared["joint"].strip() in ("/", "and/or", "or") else " and "
    before, noun = shared["before"], shared["noun"]
    qualified = _QUALIFIED.fullmatch(before + "x")
    again = before if qualified is not None else ""
    return f"{before}{shared['one']} {noun}{joint}{again}{shared['two']} {noun}"


def population(text: str) -> tuple[list[str], str] | None:
    """Take the people apart from what is said of them.

    >>> population("elderly women with heart failure")
    (['elderly', 'women'], 'heart failure')
    >>> population("patients on dialysis"), population("gout")
    (([], 'on dialysis'), None)
    """
    found = _POPULATION.fullmatch(text.lower())
    if found is None:
        return None
    if (found["rest"] or "").startswith("and ") and joins_people(text.lower()):
        return None
    words = [w for w in re.findall(_NOUNS, found["words"]) if not re.fullmatch(_HEADS, w)]
    start = found.start("rest")
    rest = _DROP_STARTER.sub("", text[start:]) if found["rest"] else ""
    bare = _BARE_AGE.match(rest) and not _NOT_AN_AGE.search(rest)
    rest = f"age {rest}" if bare else rest
    return None if rest == text else (words, rest)


def joins_people(text: str) -> bool:
    """Say whether a text speaks of two groups of people.

    >>> joins_people("male and non-pregnant females"), joins_people("women with gout and asthma")
    (True, False)
    """
    return re.search(rf"\b(?:and|or|as well as)\s+(?:[\w-]+\s+){{0,2}}{_NOUNS}\b", text) is not None


def _are_groups(pieces: list[str]) -> bool:
    """`pregnant women and children`: two groups of people are joined, not two conditions."""
    if all(_PEOPLE.match(piece) or _YOUNG.fullmatch(piece) for piece in pieces):
        return True
    if all(
        re.fullmatch(r"(?:both )?(?:fe)?males?(?: patients)?|(?:wo)?m[ae]n", p.lower())
        for p in pieces
    ):
        return True
    plain = rf"{_NOUNS}(?:\s+{_HEADS}|\s+wom[ae]n)?"
    pair = ("pregnant", "breastfeeding", "lactating")
    return all(re.fullmatch(plain, p.lower()) and p.lower().startswith(pair) for p in pieces)


def _joint(mark: str) -> str:
    word = mark.strip(" ,").lower()
    return "and" if word == "plus" else word


def _depth(text: str, place: int) -> int:
    return text.count("(", 0, place) - text.count(")", 0, place)


def _split_at_verb(text: str, marks: list[re.Match[str]], words: list[str]) -> Split | None:
    first_or = words.index("or")
    opening = [
        i
        for i, word in enumerate(words)
        if word == "and" and _FRAME_VERB.match(text, marks[i].end())
    ]
    if not opening or opening[-1] > first_or or "and" in words[opening[-1] + 1 :]:
        return None
    at = marks[opening[-1]]
    return Split("and", [text[: at.start()].strip(), text[at.end() :].strip()])
