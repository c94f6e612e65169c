"""Word a validation report for a model: per option what it comes to, then why."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from programs.decide import Standing, standing
from programs.wording import one_line
from signatures.schema import ClaimVerdict

_STANDING: Mapping[Standing, str] = {
    "for": "SUPPORTED for this patient",
    "against": "RULED OUT for this patient",
    "open": "not covered by the graph",
}
_STATUS = {"SUPPORTED": "confirmed", "CONTRADICTED": "refuted", "NO_COVERAGE": "not covered"}


def report_lines(report: Iterable[ClaimVerdict], options: Mapping[str, str]) -> str:
    """Word a report, one option a line: its standing, then the claims behind it.

    What a claim's status means for its option takes two steps of thought (a refuted argument
    against an option speaks for it); they are taken here, by the rule that also decides, and not
    left to the model.
    """
    verdicts = tuple(report)
    return "\n".join(_option_line(verdicts, letter, text) for letter, text in options.items())


def _option_line(verdicts: tuple[ClaimVerdict, ...], letter: str, text: str) -> str:
    mine = [verdict for verdict in verdicts if verdict.claim.option == letter]
    claims = "; ".join(_claim(verdict) for verdict in mine)
    return f"{letter}. {one_line(text)}: {_STANDING[standing(mine)]}. {claims}".rstrip()


def _claim(verdict: ClaimVerdict) -> str:
    claim = verdict.claim
    fact = one_line(f"{claim.head} {claim.predicate} {claim.tail}")
    return f"{fact} is {_STATUS[verdict.status]}: {one_line(verdict.reason)}"
