"""Scores of verdicts against labels, shared by the constraint benchmarks: pure, no files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

LABELS = ("MET", "NOT_MET", "INDETERMINATE")


class Scores(NamedTuple):
    """How verdicts compare with labels."""

    items: int
    read: int
    """Items whose criterion the rules understood to the last word."""
    decided: int
    """Items with MET or NOT_MET."""
    right: int
    """Decided items whose label is the same."""
    macro_recall: float
    """Mean over the labels of the share found; an unread item counts as INDETERMINATE."""


def score(pairs: Sequence[tuple[str, str]]) -> Scores:
    """Score (label, verdict) pairs.

    >>> score([("MET", "MET"), ("NOT_MET", "MET"), ("NOT_MET", "UNJUDGED")])
    Scores(items=3, read=2, decided=2, right=1, macro_recall=0.5)
    """
    counted = confusion(pairs)
    decided = [(label, verdict) for label, verdict in pairs if verdict in ("MET", "NOT_MET")]
    recalls = []
    for label in LABELS:
        of_label = sum(n for (given, _), n in counted.items() if given == label)
        if of_label:
            recalls.append(counted[label, label] / of_label)
    return Scores(
        items=len(pairs),
        read=sum(verdict != "UNJUDGED" for _, verdict in pairs),
        decided=len(decided),
        right=sum(label == verdict for label, verdict in decided),
        macro_recall=sum(recalls) / len(recalls) if recalls else 0.0,
    )


def confusion(pairs: Sequence[tuple[str, str]]) -> Counter[tuple[str, str]]:
    """Count (label, verdict); an unread item stands under INDETERMINATE."""
    return Counter((a, "INDETERMINATE" if b == "UNJUDGED" else b) for a, b in pairs)


def constant(pairs: Sequence[tuple[str, str]], answer: str) -> Scores:
    """Score a program that always gives one verdict."""
    return score([(label, answer) for label, _ in pairs])


def table(pairs: Sequence[tuple[str, str]]) -> str:
    """Word the confusion table: a row per label, a column per verdict."""
    counted = confusion(pairs)
    lines = [f"{'label':>15} " + " ".join(f"{v:>14}" for v in LABELS)]
    for label in LABELS:
        cells = " ".join(f"{counted[label, verdict]:>14}" for verdict in LABELS)
        lines.append(f"{label:>15} {cells}")
    return "\n".join(lines)


def report(name: str, pairs: Sequence[tuple[str, str]]) -> str:
    """Word the scores with the constant-answer baselines beside them."""
    found = score(pairs)
    share = found.right / found.decided if found.decided else float("nan")
    lines = [
        f"== {name}",
        f"items {found.items}, read by rules {found.read} ({found.read / found.items:.1%})",
        f"decided {found.decided} ({found.decided / found.items:.1%}), of these right "
        f"{found.right} ({share:.1%}), macro-recall {found.macro_recall:.3f}",
        table(pairs),
    ]
    for answer in LABELS:
        always = constant(pairs, answer)
        right = confusion([(a, answer) for a, _ in pairs])[answer, answer]
        lines.append(
            f"always {answer}: right {right / found.items:.1%} of all items, macro-recall "
            f"{always.macro_recall:.3f}"
        )
    return "\n".join(lines)
