"""How records are worded for a model: compact lines, one fact each.

Names come from a graph that anybody may edit, so a line break in a name never makes a second line.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from signatures.schema import ConstraintVerdict, Hop, Triplet


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


def group_lines(verdicts: Iterable[ConstraintVerdict]) -> str:
    """Word constraint groups that a model must judge: id first, one per line."""
    return "\n".join(f"{v.id}: {one_line(v.item.patient_characteristics)}" for v in verdicts)
