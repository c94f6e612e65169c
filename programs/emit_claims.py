"""QKG's Reasoner, first turn: an answer and one claim per option (QKG algorithm 1, line 4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import dspy

from programs.caps import Caps
from programs.polarity import turn_claims
from programs.roles import step
from programs.synthesise import respond
from programs.wording import option_lines
from signatures.claims import EmitClaims as EmitClaimsSignature
from signatures.schema import Claim, QAResponse, Question

CLAIM_TOKENS = 64
"""Room for one claim: about forty tokens as JSON, more for long names."""


class Proposal(NamedTuple):
    """The reasoner's first answer and the claims it rests on."""

    response: QAResponse
    claims: tuple[Claim, ...]
    dropped: int
    """Claims about a letter that is no option."""
    completed: int
    """Claims that were worded after a sibling's because the model left an option out."""
    turned: int = 0
    """Claims whose `supports` the question's own words corrected."""


class EmitClaims(dspy.Module):
    """Answer and state what decides each option."""

    def __init__(self, *, caps: Caps = Caps()) -> None:
        super().__init__()
        self.caps = caps
        self.predict = dspy.Predict(EmitClaimsSignature)

    def forward(self, question: Question) -> Proposal:
        """Return the proposal, with at least one claim about every option."""
        room = self.caps.classification + CLAIM_TOKENS * len(question.options)
        with step("emit_claims"):
            said = self.predict(
                question=question.text,
                options=option_lines(question.options),
                config={"max_tokens": room},
            )
        kept = keep_claims(said.claims, question.options)
        complete = complete_claims(kept, question.options)
        claims = turn_claims(complete, question.text, question.options)
        return Proposal(
            response=respond(said.answer, question.options, reasoning="before the graph is asked"),
            claims=claims,
            dropped=len(said.claims) - len(kept),
            completed=len(claims) - len(kept),
            turned=sum(a != b for a, b in zip(complete, claims, strict=True)),
        )


def set_aside(proposal: Proposal) -> tuple[str, ...]:
    """Say what was dropped, added or turned on the way to the claims."""
    said = (
        (proposal.dropped, "claims dropped: no such option"),
        (proposal.completed, "options had no claim: asked like their sibling"),
        (proposal.turned, "claims argued the other way than the question asks"),
    )
    return tuple(f"{count} {text}" for count, text in said if count)


def keep_claims(claims: Iterable[Claim], options: Mapping[str, str]) -> tuple[Claim, ...]:
    """Keep claims about existing options, each once."""
    return tuple(dict.fromkeys(claim for claim in claims if claim.option in options))


def complete_claims(claims: Sequence[Claim], options: Mapping[str, str]) -> tuple[Claim, ...]:
    """Add a claim for every option without one: the first claim's, with the option as its head.

    Options of one question are of one kind, so what is claimed of one can be asked of all.

    >>> first = Claim(option="A", head="Metformin", predicate="treats", tail="gout", supports=True)
    >>> [c.head for c in complete_claims([first], {"A": "Metformin", "B": "Allopurinol"})]
    ['Metformin', 'Allopurinol']
    """
    missing = [letter for letter in options if all(c.option != letter for c in claims)]
    if not claims or not missing:
        return tuple(claims)
    model = next((c for c in claims if c.supports), claims[0])
    added = (
        model.model_copy(update={"option": letter, "head": options[letter]}) for letter in missing
    )
    return (*claims, *added)
