"""Paired tests of two runs on the same questions (QKG §3.3).

mcnemar       is the difference in rightness more than chance? exact, two-sided
holm          the p-values of a family of comparisons, adjusted
paired_test   both of the above's input from two runs, unmatched questions named
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from metrics.measures import Measure
from metrics.pairing import Pairing, pair_keys
from signatures.schema import Record

P_VALUE = Measure(
    name="mcnemar_p",
    low=0,
    high=1,
    direction="neither",
    unit="probability",
    source="QKG §3.3: exact two-sided McNemar",
)

DIFFERENCE = Measure(
    name="accuracy_difference",
    low=-1,
    high=1,
    direction="higher",
    unit="proportion",
    source="QKG §5: accuracy of B minus accuracy of A on the shared questions",
)


class McNemar(Record):
    """Discordant counts of A and B, and the exact two-sided p."""

    breaks: int
    """b: questions right under A and wrong under B."""
    fixes: int
    """c: questions wrong under A and right under B."""
    p: float

    @property
    def identical(self) -> bool:
        """True when no question is right under one and wrong under the other."""
        return self.breaks == 0 and self.fixes == 0

    @property
    def words(self) -> str:
        """The direction in words, so that b and c cannot be confused.

        >>> mcnemar(22, 39).words
        'B fixes 39, breaks 22'
        >>> mcnemar(0, 0).words
        'no difference: B fixes 0, breaks 0'
        """
        said = f"B fixes {self.fixes}, breaks {self.breaks}"
        return f"no difference: {said}" if self.identical else said


def mcnemar(breaks: int, fixes: int) -> McNemar:
    """Exact two-sided McNemar test of b=`breaks` and c=`fixes` discordant questions.

    p = min(1, 2 Σ_{k ≥ max(b,c)} C(b+c, k) 2^-(b+c)); with no discordant question p is 1.

    >>> round(mcnemar(22, 39).p, 5), mcnemar(5, 5).p, mcnemar(0, 0).p
    (0.03962, 1.0, 1.0)

    Raises:
        ValueError: a count is negative.
    """
    if breaks < 0 or fixes < 0:
        raise ValueError(f"wanted counts of at least 0, got breaks={breaks}, fixes={fixes}")
    if breaks + fixes == 0:
        return McNemar(breaks=0, fixes=0, p=1.0)
    from scipy.stats import binomtest

    p = float(binomtest(fixes, breaks + fixes, 0.5).pvalue)
    return McNemar(breaks=breaks, fixes=fixes, p=min(1.0, p))


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Adjust the p-values of one family by Holm's step-down method, in the order given.

    The i-th smallest of m is multiplied by m - i + 1; an adjusted p is never below a smaller one's
    and never above 1 (Holm 1979).

    >>> holm([0.01, 0.04, 0.03])
    (0.03, 0.06, 0.06)

    Raises:
        ValueError: a value is not between 0 and 1.
    """
    wrong = [p for p in p_values if not 0 <= p <= 1]
    if wrong:
        raise ValueError(f"wanted p-values from 0 to 1, got {wrong[0]}")
    adjusted, highest, total = [0.0] * len(p_values), 0.0, len(p_values)
    for rank, place in enumerate(sorted(range(total), key=p_values.__getitem__)):
        highest = max(highest, min(1.0, p_values[place] * (total - rank)))
        adjusted[place] = highest
    return tuple(adjusted)


class PairedTest(Record):
    """Two runs on the questions they share."""

    pairing: Pairing
    right_a: int
    """Of the shared questions, those that A answers rightly."""
    right_b: int
    mcnemar: McNemar
    fixed: tuple[str, ...]
    """Keys that B fixes, sorted."""
    broken: tuple[str, ...]
    """Keys that B breaks, sorted."""

    @property
    def total(self) -> int:
        """How many questions were compared."""
        return len(self.pairing.both)

    @property
    def difference(self) -> float | None:
        """Accuracy of B minus accuracy of A on the shared questions; `None` when there is none."""
        return (self.right_b - self.right_a) / self.total if self.total else None


def paired_test(
    a: Mapping[str, bool], b: Mapping[str, bool], *, without: Iterable[str] = ()
) -> PairedTest:
    """Compare two runs, each a mapping of question key to "was it right".

    Args:
        a: The run that is compared against.
        b: The run that may be better.
        without: Keys left out of both runs before pairing, as the leakage adjustment does.

    >>> a, b = {"q1": True, "q2": False, "q3": True}, {"q1": True, "q2": True, "q4": True}
    >>> test = paired_test(a, b)
    >>> test.mcnemar.words, test.fixed, test.pairing.only_a, test.pairing.only_b
    ('B fixes 1, breaks 0', ('q2',), ('q3',), ('q4',))
    """
    dropped = frozenset(without)
    pairing = pair_keys(a.keys() - dropped, b.keys() - dropped)
    fixed = tuple(key for key in pairing.both if b[key] and not a[key])
    broken = tuple(key for key in pairing.both if a[key] and not b[key])
    return PairedTest(
        pairing=pairing,
        right_a=sum(a[key] for key in pairing.both),
        right_b=sum(b[key] for key in pairing.both),
        mcnemar=mcnemar(len(broken), len(fixed)),
        fixed=fixed,
        broken=broken,
    )
