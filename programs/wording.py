"""How records are worded for a model: compact lines, one fact each.

Names come from a graph that anybody may edit, so a line break in a name never makes a second line.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from signatures.schema import ClaimVerdict, ConstraintVerdict, Hop, Triplet


def one_line(text: str) -> str:
    r"""Join a text to one line.

    >>> one_line("heart\n failure")
    'heart failure'
    """
    return " ".join(text.split())


def option_lines(options: Mapping[str, str]) -> str:
    """Word the options, one per line.

    >>> print(option_lines({"A": "Metformin", "B": "Linagliptin"}))
    A. Metformin
    B. Linagliptin
    """
    return "\n".join(f"{letter}. {one_line(text)}" for letter, text in options.items())


def fact_lines(triplets: Iterable[Triplet]) -> str:
    """Word triplets as facts: id first, one per line."""
    return "\n".join(f"{triplet.id}: {one_line(triplet.text)}" for triplet in triplets)


def hop_lines(hops: Iterable[Hop]) -> str:
    """Word the evidence map: mode, sub-question and answer of each hop."""
    return "\n".join(
        f"[{hop.mode}] {one_line(hop.sub_question)} {one_line(hop.answer)}" for hop in hops
    )


def report_lines(report: Iterable[ClaimVerdict]) -> str:
    """Word a validation report: what each option's claim came to, and why."""
    return "\n".join(_verdict_line(verdict) for verdict in report)


_WORDS = {"SUPPORTED": "confirmed", "CONTRADICTED": "refuted", "NO_COVERAGE": "not covered"}


def _verdict_line(verdict: ClaimVerdict) -> str:
    claim = verdict.claim
    fact = one_line(f"{claim.head} {claim.predicate} {claim.tail}")
    side = "for" if claim.supports else "against"
    found = f"{fact} ({side} {claim.option}) is {_WORDS[verdict.status]} for this patient"
    return f"{claim.option}. {found}: {one_line(verdict.reason)}"


def group_lines(verdicts: Iterable[ConstraintVerdict]) -> str:
    """Word constraint groups that a model must judge: id first, one per line."""
    return "\n".join(f"{v.id}: {one_line(v.item.patient_characteristics)}" for v in verdicts)
