"""What a question asks of its options, read from its words and from what the options are.

No model is asked: options that are genes can only be associated or targeted, and of a drug the last
sentence says whether it is to be given, to be avoided, or the cause of something.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from programs.polarity import EXCEPTION, asks_for_harm, sentences_of
from signatures.schema import Predicate

CONDITIONS = frozenset({"disease", "effect/phenotype"})
GENE, DRUG = "gene/protein", "drug"

_CAUSED = re.compile(
    r"\b(?:side[- ]?effects?|adverse|toxic(?:ity|ities)?|complications?|caus(?:e|es|ed|ing)"
    r"|induc(?:e|es|ed|ing)|responsible|due to|lead(?:s|ing)? to|risk of|associated with)\b",
    re.IGNORECASE,
)
_USED = re.compile(
    r"\b(?:drug of choice|doc|treat(?:ed|ments?|ing)?|therap(?:y|ies|eutic)|pharmacotherapy"
    r"|prescri\w+|indicat(?:ed|ions?)|approved|used (?:in|for|to|as)|uses?|use of|prophyla\w+"
    r"|manage(?:d|ment)?|given (?:in|to|for))\b",
    re.IGNORECASE,
)


class Asked(NamedTuple):
    """What is asked, in the predicates of claims."""

    predicates: tuple[Predicate, ...]
    """The first one that an edge speaks of decides its sign."""
    negated: bool = False
    """True for "all except" and "which is not": the option that fits least is asked for."""


def asked_of(text: str, types: Iterable[str]) -> Asked:
    """Read what a question asks of options that name nodes of these types.

    >>> asked_of("Which drug should be avoided in asthma?", {"drug"})
    Asked(predicates=('contraindicated',), negated=False)
    >>> asked_of("Adverse effects of salbutamol are all except", {"effect/phenotype"})
    Asked(predicates=('presents', 'causes', 'associated'), negated=True)
    >>> asked_of("Which drug treats gout?", {"drug"}).predicates
    ('treats', 'targets')
    """
    kinds, asks = frozenset(types), last_sentence(text)
    harm = DRUG in kinds and asks_for_harm(text)
    found: list[Predicate] = []
    if GENE in kinds:
        found += ["associated", "targets"]
    if DRUG in kinds:
        found += ["contraindicated"] if harm else [_of_drug(asks), "targets"]
    if kinds & CONDITIONS:
        found += _of_condition(asks)
    return Asked(
        predicates=tuple(dict.fromkeys(found)) or ("associated",),
        negated=not harm and bool(EXCEPTION.search(asks)),
    )


def last_sentence(text: str) -> str:
    """Return the sentence that asks.

    >>> last_sentence("He has gout. Which drug?")
    'Which drug?'
    """
    sentences = sentences_of(text)
    return sentences[-1] if sentences else ""


def _of_drug(asks: str) -> Predicate:
    return "causes" if _CAUSED.search(asks) and not _USED.search(asks) else "treats"


def _of_condition(asks: str) -> list[Predicate]:
    if _USED.search(asks) and not _CAUSED.search(asks):
        return ["treats", "presents", "associated"]
    return ["presents", "causes", "associated"]
