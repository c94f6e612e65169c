"""Comparing runs question by question: pairs of runs, and each run with its own first answer.

Unmatched questions come first in everything that is written of a comparison; a question that was
not run is unmatched, never wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Literal, NamedTuple

from data.wording import counted
from metrics.bootstrap import bootstrap_difference
from metrics.exact_match import RIGHT
from metrics.intervals import LEVEL
from metrics.power import minimal_detectable_effect
from metrics.significance import PairedTest, holm, paired_test
from optimize.results import ResultRow, Results
from signatures.errors import InputError
from signatures.schema import Outcome, Record


class Flip(Record):
    """A question that is right under one condition and wrong under the other."""

    key: str
    change: Literal["fixed", "broken"]
    """What B does to it."""
    gold: str | None
    answer_a: str
    answer_b: str
    place_a: str
    """File and line of the row: `runs/a/rows.jsonl:17`."""
    place_b: str


class Comparison(Record):
    """Two conditions on the questions that both answered."""

    a: str
    b: str
    only_a: tuple[str, ...]
    """Keys that B lacks or did not run."""
    only_b: tuple[str, ...]
    total: int
    """Questions in both."""
    accuracy_a: float | None
    """On the shared questions, from 0 to 1; `None` when there is none."""
    accuracy_b: float | None
    difference: float | None
    """Accuracy of B minus accuracy of A, from -1 to 1."""
    low: float | None
    """Ends of the paired bootstrap interval of `difference`."""
    high: float | None
    level: float
    breaks: int
    """b: right under A, wrong under B."""
    fixes: int
    """c: wrong under A, right under B."""
    words: str
    p: float | None
    """Exact two-sided McNemar p; `None` where train or dev questions are among them."""
    p_holm: float | None
    """The same, adjusted over all comparisons made together that have one."""
    detectable: float | None
    """Least difference that this N would show with power 0.8; `None`: no difference would."""
    flips: tuple[Flip, ...]


class Condition(NamedTuple):
    """Answers of one condition that were run, by question key."""

    name: str
    outcomes: dict[str, Outcome]
    rows: dict[str, ResultRow]
    tuned: bool
    """See `Results.tuned`."""

    @property
    def right(self) -> dict[str, bool]:
        """Whether each question was answered rightly."""
        return {key: outcome.kind in RIGHT for key, outcome in self.outcomes.items()}


def final_condition(results: Results) -> Condition:
    """The run's final answers."""
    return _condition(results, results.name, ((row, row.final) for row in results.once))


def first_condition(results: Results) -> Condition:
    """The reasoner's first answers in the same run: the paper's *no validator* (QKG §3.3)."""
    name = f"{results.name}, first answer"
    return _condition(results, name, ((row, row.first) for row in results.once))


def compare(
    runs: Sequence[Results], *, within: bool = False, level: float = LEVEL, seed: int = 0
) -> tuple[Comparison, ...]:
    """Compare every pair of runs and, with `within`, each run with its own first answers.

    Args:
        runs: At least two, or one with `within`.
        within: Whether a run's first answers are compared with its final ones.
        level: Confidence level of the bootstrap intervals.
        seed: Seed of the bootstrap.

    Raises:
        InputError: nothing to compare, one run without first answers, no shared question, or two
            runs that do not agree on a gold.
    """
    return _compare(_pairs(runs, within=within), level=level, seed=seed)


def compare_with(
    base: Results, others: Sequence[Results], *, level: float = LEVEL, seed: int = 0
) -> tuple[Comparison, ...]:
    """Compare each of several runs, as B, with one run, as A; Holm's family is these comparisons.

    Raises:
        InputError: no shared question, or two runs that do not agree on a gold.
    """
    a = final_condition(base)
    return _compare([(a, final_condition(other)) for other in others], level=level, seed=seed)


def _compare(
    pairs: Sequence[tuple[Condition, Condition]], *, level: float, seed: int
) -> tuple[Comparison, ...]:
    tests = [paired_test(a.right, b.right) for a, b in pairs]
    for (a, b), test in zip(pairs, tests, strict=True):
        _check(a, b, test)
    found = [
        _comparison(a, b, test, level=level, seed=seed)
        for (a, b), test in zip(pairs, tests, strict=True)
    ]
    return with_holm(found)


def with_holm(found: Sequence[Comparison]) -> tuple[Comparison, ...]:
    """Adjust the p-values of comparisons that were made together; one without stays without."""
    adjusted = iter(holm([comparison.p for comparison in found if comparison.p is not None]))
    return tuple(
        comparison.model_copy(update={"p_holm": None if comparison.p is None else next(adjusted)})
        for comparison in found
    )


def _pairs(runs: Sequence[Results], *, within: bool) -> list[tuple[Condition, Condition]]:
    if len(runs) < 2 and not within:
        raise InputError(
            "wanted two runs to compare, got one: name a second run, or add --within to compare "
            "the run's first answers with its final ones"
        )
    if len(runs) == 1 and runs[0].rows and not any(row.first for row in runs[0].rows):
        raise InputError(f"{runs[0].name} has no first answers: --within needs qkg or qkgram")
    finals = [final_condition(results) for results in runs]
    firsts = [first_condition(results) for results in runs] if within else []
    # A program without first answers, `direct` say, is compared with the other runs alone.
    own = [
        (first, final)
        for first, final in zip(firsts, finals, strict=False)
        if first.outcomes or len(runs) == 1
    ]
    return [*own, *combinations(finals, 2)]


def _condition(
    results: Results, name: str, pairs: Iterable[tuple[ResultRow, Outcome | None]]
) -> Condition:
    ran = [(row, o) for row, o in pairs if o is not None and o.kind != "not_run"]
    outcomes, rows = {row.key: o for row, o in ran}, {row.key: row for row, _ in ran}
    return Condition(name, outcomes, rows, results.tuned)


def _check(a: Condition, b: Condition, test: PairedTest) -> None:
    if not test.total:
        raise InputError(
            f"{a.name} and {b.name} share no answered question: "
            f"{len(a.outcomes)} and {counted(len(b.outcomes), 'row')}, no key in common"
        )
    differ = [key for key in test.pairing.both if _differs(a, b, key)]
    if differ:
        raise InputError(
            f"{a.name} and {b.name} do not agree on the text or gold of "
            f"{counted(len(differ), 'question')}, "
            f"first {differ[0]}: compare runs over the same question file"
        )


def _differs(a: Condition, b: Condition, key: str) -> bool:
    """Tell whether one key names two questions; files without texts are compared by gold."""
    texts = {digest for digest in (a.rows[key].digest, b.rows[key].digest) if digest is not None}
    return len(texts) > 1 or a.outcomes[key].gold != b.outcomes[key].gold


def _comparison(
    a: Condition, b: Condition, test: PairedTest, *, level: float, seed: int
) -> Comparison:
    keys = test.pairing.both
    right_a, right_b = a.right, b.right
    interval = bootstrap_difference(
        [right_a[k] for k in keys], [right_b[k] for k in keys], level=level, seed=seed
    )
    mcnemar = test.mcnemar
    return Comparison(
        a=a.name,
        b=b.name,
        only_a=test.pairing.only_a,
        only_b=test.pairing.only_b,
        total=test.total,
        accuracy_a=test.right_a / test.total,
        accuracy_b=test.right_b / test.total,
        difference=test.difference,
        low=interval.low,
        high=interval.high,
        level=level,
        breaks=mcnemar.breaks,
        fixes=mcnemar.fixes,
        words=mcnemar.words,
        p=None if a.tuned or b.tuned else mcnemar.p,
        p_holm=None,
        detectable=minimal_detectable_effect(
            test.total, (mcnemar.breaks + mcnemar.fixes) / test.total
        ),
        flips=tuple(_flips(a, b, test)),
    )


def _flips(a: Condition, b: Condition, test: PairedTest) -> Iterable[Flip]:
    changed: list[tuple[str, Literal["fixed", "broken"]]] = [
        *((key, "fixed") for key in test.fixed),
        *((key, "broken") for key in test.broken),
    ]
    for key, change in changed:
        yield Flip(
            key=key,
            change=change,
            gold=a.outcomes[key].gold,
            answer_a=worded(a.outcomes[key]),
            answer_b=worded(b.outcomes[key]),
            place_a=a.rows[key].place,
            place_b=b.rows[key].place,
        )


def worded(outcome: Outcome) -> str:
    """The letter that was read, or why there is none.

    >>> worded(Outcome(kind="unparsed", letter=None, gold="A"))
    'unparsed'
    """
    return outcome.letter or outcome.kind
