"""What the graph alone says of the options: pure, and the rule that the answer is held to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple

from signatures.schema import ABSTAIN, ClaimVerdict

Standing = Literal["for", "against", "open"]


class Decision(NamedTuple):
    """The graph's decision over the options."""

    choice: str | None
    """A letter, `abstain` when every option is ruled out, `None` when the graph does not decide."""
    standings: dict[str, Standing]
    reason: str

    @property
    def silent(self) -> bool:
        """Whether the graph says nothing of any option."""
        return self.choice is None and all(s == "open" for s in self.standings.values())


def standing(verdicts: Iterable[ClaimVerdict]) -> Standing:
    """Say whether an option's claims stand for it, against it, or leave it open.

    A SUPPORTED claim counts for its option when it argues for it, against it otherwise; a
    CONTRADICTED claim the other way round. One point against outweighs all points for (safety
    first, as in the design's evidence table).
    """
    points = {
        (v.status == "SUPPORTED") == v.claim.supports for v in verdicts if v.status != "NO_COVERAGE"
    }
    if False in points:
        return "against"
    return "for" if True in points else "open"


def decide(report: Iterable[ClaimVerdict], options: Mapping[str, str]) -> Decision:
    """Decide by the graph: one option stands for itself, or all stand against.

    Two options that stand for themselves, or open options without any that stands, are left to the
    model: the graph does not decide between them.
    """
    verdicts = tuple(report)
    standings = {
        letter: standing(v for v in verdicts if v.claim.option == letter) for letter in options
    }
    winners = [letter for letter, s in standings.items() if s == "for"]
    if len(winners) == 1:
        return Decision(winners[0], standings, f"only {winners[0]} is supported for this patient")
    if options and all(s == "against" for s in standings.values()):
        return Decision(ABSTAIN, standings, "every option is ruled out for this patient")
    undecided = Decision(None, standings, "the graph does not decide between the options")
    if undecided.silent:
        said = "the graph says nothing of any option: the model answers alone"
        return undecided._replace(reason=said)
    return undecided


def settle(decision: Decision, letter: str | None) -> Decision:
    """Hold the model's letter to the graph: an option that is ruled out is never the answer.

    Where the graph decides, its decision stands. Where it does not and the model chose an option
    that is ruled out, the one option that is left becomes the answer; with several left, none does.

    >>> open_ = Decision(None, {"A": "against", "B": "open"}, "undecided")
    >>> settle(open_, "A").choice, settle(open_, "B").choice
    ('B', None)
    """
    if decision.choice is not None or letter is None or decision.standings[letter] != "against":
        return decision
    left = [option for option, stands in decision.standings.items() if stands != "against"]
    if len(left) == 1:
        return decision._replace(
            choice=left[0], reason=f"{left[0]} is the only option that is not ruled out"
        )
    return decision._replace(
        choice=ABSTAIN, reason=f"{letter}, the model's choice, is ruled out for this patient"
    )
