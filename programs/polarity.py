"""What a question asks for, a drug to give or one to avoid, and claims that argue the wrong way.

A small model often marks "metformin is contraindicated" as an argument *for* metformin where the
question asks what to start. The flag decides what a confirmed claim counts for, so it is not left
to the model where the question's own words settle it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from signatures.schema import Claim

_HARM = re.compile(
    r"\b(?:contra-?indicated|avoid(?:ed)?|withh(?:eld|old)|discontinued?|stop(?:ped)?|unsafe|harmful"
    r"|not be (?:given|used|started|taken|prescribed|continued)|should not|must not|cannot be"
    r"|inappropriate|ruled out|wrong|danger(?:ous)?|least appropriate)\b",
    re.IGNORECASE,
)

_WHICH_ONE = re.compile(r"\bwhich (?:one|of (?:them|these))\b", re.IGNORECASE)
"""The question leans on the sentence before: "One must be avoided. Which one?"."""


def asks_for_harm(question: str) -> bool:
    """Tell whether the question's last sentence asks which option is to be avoided.

    >>> asks_for_harm("He has an eGFR of 24. Which drug should be avoided?")
    True
    >>> asks_for_harm("Sulfonamides must be avoided. Which drug should be started?")
    False
    """
    sentences = [part for part in re.split(r"(?<=[.?!])\s+", question.strip()) if part]
    asked = sentences[-2:] if sentences and _WHICH_ONE.search(sentences[-1]) else sentences[-1:]
    return bool(_HARM.search(" ".join(asked)))


def turn_claims(claims: Iterable[Claim], question: str) -> tuple[Claim, ...]:
    """Set `supports` of *treats* and *contraindicated* claims by what the question asks for.

    >>> claim = Claim(
    ...     option="A", head="Metformin", predicate="contraindicated", tail="ckd", supports=True
    ... )
    >>> turn_claims([claim], "Which drug should be started?")[0].supports
    False
    """
    helpful = "contraindicated" if asks_for_harm(question) else "treats"
    return tuple(
        claim.model_copy(update={"supports": claim.predicate == helpful})
        if claim.predicate in ("treats", "contraindicated")
        else claim
        for claim in claims
    )
