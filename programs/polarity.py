"""What a question asks for, a drug to give or one to avoid, and claims that argue the wrong way.

A small model often marks "metformin is contraindicated" as an argument *for* metformin where the
question asks what to start. The flag decides what a confirmed claim counts for, so it is not left
to the model where the question's own words settle it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from signatures.schema import Claim

_HARM = re.compile(
    r"\b(?:contra-?indicated|avoid(?:ed)?|withh(?:eld|old)|discontinued?|stop(?:ped)?|unsafe|harmful"
    r"|not be (?:given|used|started|taken|prescribed|continued)|should not|must not|cannot be"
    r"|inappropriate|ruled out|wrong|danger(?:ous)?|least appropriate)\b",
    re.IGNORECASE,
)

EXCEPTION = re.compile(
    r"\b(?:except|not|false|incorrect|untrue|least|never|excluding|unlikely|rarely)\b",
    re.IGNORECASE,
)
"""Words by which a question asks for what does not fit."""

_WHICH_ONE = re.compile(r"\bwhich (?:one|of (?:them|these))\b", re.IGNORECASE)
"""The question leans on the sentence before: "One must be avoided. Which one?"."""


def sentences_of(text: str) -> list[str]:
    """Split a text into its sentences.

    >>> sentences_of("He has gout. Which drug?")
    ['He has gout.', 'Which drug?']
    """
    return [part for part in re.split(r"(?<=[.?!])\s+", text.strip()) if part]


def asks_for_harm(question: str) -> bool:
    """Tell whether the question's last sentence asks which option is to be avoided.

    >>> asks_for_harm("He has an eGFR of 24. Which drug should be avoided?")
    True
    >>> asks_for_harm("Sulfonamides must be avoided. Which drug should be started?")
    False
    """
    sentences = sentences_of(question)
    asked = sentences[-2:] if sentences and _WHICH_ONE.search(sentences[-1]) else sentences[-1:]
    return bool(_HARM.search(" ".join(asked)))


def asks_for_the_exception(question: str) -> bool:
    """Tell whether the question's last sentence asks for the option that does not fit.

    >>> asks_for_the_exception("All of these are effects of salbutamol except?")
    True
    """
    sentences = sentences_of(question)
    return bool(sentences) and EXCEPTION.search(sentences[-1]) is not None


def turn_claims(
    claims: Iterable[Claim], question: str, options: Mapping[str, str]
) -> tuple[Claim, ...]:
    """Set `supports` where the question's own words settle what a claim argues for.

    A *treats* or *contraindicated* claim argues for its option or against it by whether a drug to
    give or one to avoid is asked for. Where an option is what a claim ends at, an effect, a finding
    or a target, the claim states that the option fits.

    >>> claim = Claim(
    ...     option="A", head="Metformin", predicate="contraindicated", tail="ckd", supports=True
    ... )
    >>> turn_claims([claim], "Which drug should be started?", {"A": "Metformin"})[0].supports
    False
    >>> harm = Claim(option="A", head="Iohexol", predicate="causes", tail="AKI", supports=False)
    >>> turn_claims([harm], "Which harm is she at risk of?", {"A": "AKI"})[0].supports
    True
    """
    helpful = "contraindicated" if asks_for_harm(question) else "treats"
    fits = not asks_for_the_exception(question)

    def turned(claim: Claim) -> bool:
        if claim.predicate in ("treats", "contraindicated"):
            return claim.predicate == helpful
        ends_at = claim.tail.casefold().strip() == options.get(claim.option, "").casefold().strip()
        return fits if ends_at else claim.supports

    return tuple(claim.model_copy(update={"supports": turned(claim)}) for claim in claims)
