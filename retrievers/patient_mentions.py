"""Find names of conditions and drugs in a running text, longest first, without a graph."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from types import MappingProxyType
from typing import NamedTuple

from data.synonyms import read_synonyms
from retrievers.abbreviation_senses import means_another
from retrievers.expression_names import QUALIFIERS
from retrievers.normalise import normalise, tokens
from retrievers.patient_queries import REACH, queried
from retrievers.vocabulary import Kind, entries, names
from retrievers.wordlists import LOWER_CASE

SHORT = 4
"""Names of at most this many letters that are abbreviations must stand in capitals."""
WORDS = frozenset(
    normalise(word)
    for word in (
        *("gout", "acne", "rash", "flu", "tics", "falls", "hives", "labor", "iron", "fever"),
        *("cough", "heroin", "shock", "obese", "mania", "azole", "hernia", "lupus", "stroke"),
    )
)
"""Short names that are words and may stand in lower case (written form)."""
CLIPPED = frozenset({"pen"})
"""Names so short that they are a drug's only before `allergic`."""
_ALLERGIC = re.compile(r"[\s-]+allerg", re.IGNORECASE)
_QUALIFIER = re.compile(
    (
        rf"(?<![\w-])(?:(?:{'|'.join(sorted(map(re.escape, QUALIFIERS), key=len, reverse=True))})"
        r"[, ]+(?:and |or )?)+$"
    ),
    re.IGNORECASE,
)
_SOUND = re.compile(r"(?:controlled|compensated|corrected|treated|stable)\b", re.IGNORECASE)
_TURNED = re.compile(
    r"\b(?!(?:current|present)ly)(?:\w+ly|not|never|less|than|far from)\s+$", re.IGNORECASE
)
"""`barely controlled` is not controlled; how a state is had is not known then."""
_PART_OF = re.compile(
    r"^\s*(?:vaccin\w*|screening|test\w*\b(?!\s+(?:positive|negative)\s+for\b)|prophylaxis|antibod\w*|antigen|serolog\w*|risk|"
    r"panel|clinic|"
    r"specialist|receptor|enzyme|gene|allele|kit|scan|education|-?free|level\b|levels\b|factor\b|"
    r"(?:cannot|can not|could not|has not been|was not)(?: yet)?(?: be)? (?:ruled out|excluded))",
    re.IGNORECASE,
)  # fmt: skip
_OTHER_SENSE = re.compile(r"\b(?:segment|ST|bone marrow|CNS|myocardial|T-wave)[- ]+$")
"""`ST-segment depression` is no depression of mood."""
_UNSURE = re.compile(
    r"\b(?:risk (?:of|for|factors? for)|at risk (?:of|for)|concern(?:ed)? (?:for|about)|"
    r"worr(?:y|ied) about|"
    r"suspect\w*|suspicion of|possible|possibly|probable|to rule out|r/o|rule out|"
    r"screen(?:ed|ing)? for|"
    r"prevent(?:ion of|s|ing)?|vaccinated against|immunized against|exposure to|exposed to|"
    r"prophylaxis (?:of|for|against)|may (?:have|develop)|might (?:have|develop)|could (?:have|be)|"
    r"likely|differential|looked for|reduce(?:s)? the (?:risk|chance) of|tested for|evaluat\w+ for|"
    r"instead of|passed over|avoid(?:s|ed|ing)?|whether|complications? of|if)\s+(?:\w+\s+){0,3}$",
    re.IGNORECASE,
)


class Mention(NamedTuple):
    """A name in the text."""

    start: int
    end: int
    kind: Kind
    form: str
    """Canonical written form."""


@lru_cache(maxsize=1024)
def find_mentions(text: str) -> tuple[Mention, ...]:
    """Return the names of conditions and drugs in a text, longest first, without overlap.

    >>> [m.form for m in find_mentions("She has CHF and takes metoprolol.")]
    ['heart failure', 'metoprolol']
    >>> find_mentions("The car hit a pad.")
    ()
    """
    words = tokens(text)
    found, place = [], 0
    while place < len(words):
        for size in range(min(_longest(), len(words) - place), 0, -1):
            piece = words[place : place + size]
            known = _index().get(" ".join(word.norm for word in piece))
            start, end = piece[0].start, piece[-1].end
            if (
                known is not None
                and _is_written(text, start, end)
                and _together(text[start:end])
                and not means_another(text, start, end)
            ):
                found.append(Mention(start, end, known[0], known[1]))
                place += size - 1
                break
        place += 1
    return tuple(found)


def widened(text: str, start: int) -> int:
    """Return where the qualifiers before a name begin.

    >>> text = "has severe, uncontrolled asthma"
    >>> text[widened(text, text.index("asthma")):]
    'severe, uncontrolled asthma'
    """
    found = _QUALIFIER.search(text, max(0, start - 60), start)
    if found is None or (
        _SOUND.match(found.group())
        and _TURNED.search(text[max(0, found.start() - 20) : found.start()])
    ):
        return start
    return found.start()


def unsure(text: str, start: int, end: int, sentence_start: int) -> bool:
    """Say whether a name is a possibility, a test or a vaccine rather than a fact.

    >>> unsure("hepatitis B vaccine", 0, 11, 0), unsure("at risk of stroke", 11, 17, 0)
    (True, True)
    """
    before = text[max(sentence_start, start - 60) : start]
    if _OTHER_SENSE.search(before):
        return True
    if queried(text[max(0, start - REACH) : start]):
        return True
    return _PART_OF.match(text[end : end + 25]) is not None or _UNSURE.search(before) is not None


@cache
def _index() -> Mapping[str, tuple[Kind, str, str]]:
    index: dict[str, tuple[Kind, str, str]] = {}
    written = _written()
    for kind in ("diagnosis", "medication"):
        for alias, form in names(kind).items():
            index.setdefault(alias, (kind, form, written.get(alias, alias)))
    return MappingProxyType(index)


@cache
def _written() -> Mapping[str, str]:
    """Return how a form was written first, to know which are abbreviations."""
    found: dict[str, str] = {}
    for row in read_synonyms():
        if row.kind == "abbreviation":
            found.setdefault(normalise(row.alias), row.alias)
    for kind in ("diagnosis", "medication"):
        for entry in entries(kind).values():
            for name in (entry.name, *entry.aliases):
                found.setdefault(normalise(name), name)
    return MappingProxyType(found)


@cache
def _longest() -> int:
    return max(len(name.split()) for name in _index())


def _is_written(text: str, start: int, end: int) -> bool:
    if normalise(text[start:end]) in CLIPPED:
        return _ALLERGIC.match(text, end) is not None
    return _in_case(text[start:end])


def _in_case(text: str) -> bool:
    letters = re.sub(r"[^A-Za-z]", "", text)
    if text in LOWER_CASE:
        return True
    if len(letters) > SHORT or normalise(text) in WORDS or " " in text.strip():
        return len(letters) > 1 or any(ch.isdigit() for ch in text)
    return sum(ch.isupper() for ch in letters) >= 2


def _together(text: str) -> bool:
    return re.search(r"[.;:!?()]\s|\n", text) is None
