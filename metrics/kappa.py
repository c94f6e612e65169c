"""Cohen's kappa: how far two judges agree beyond chance on the answers that both judged."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Mapping
from statistics import NormalDist
from typing import Annotated

from pydantic import PlainSerializer

from metrics.intervals import LEVEL, Interval
from metrics.measures import Measure
from signatures.schema import Record

MEASURE = Measure(
    name="kappa",
    low=-1.0,
    high=1.0,
    direction="higher",
    unit="agreement beyond chance",
    source="Cohen 1960, Educ. Psychol. Meas. 20:37; variance of Fleiss, Cohen and Everitt 1969",
)


class Kappa(Record):
    """Agreement of two judges."""

    shared: int
    """Items that both labelled."""
    agreed: int
    value: float | None
    """From -1 to 1; `None` when it is not defined."""
    interval: Annotated[Interval, PlainSerializer(Interval._asdict)] | None
    """Large-sample interval, cut to -1 to 1; without width when all agree, however few they are."""
    reason: str | None
    """Why there is no value."""

    @property
    def agreement(self) -> float | None:
        """Share of shared items with one label."""
        return self.agreed / self.shared if self.shared else None


def cohen_kappa(
    a: Mapping[str, Hashable], b: Mapping[str, Hashable], *, level: float = LEVEL
) -> Kappa:
    """Compare the labels of two judges on the items that both labelled.

    Args:
        a: Item to label by the first judge; an item that it did not score is absent.
        b: The same by the second.
        level: Confidence level, between 0 and 1.

    Of 50 items both say yes to 20 and no to 15; chance agreement is 0.5:

    >>> yes_no = ["yy"] * 20 + ["yn"] * 5 + ["ny"] * 10 + ["nn"] * 15
    >>> a, b = ({str(i): pair[side] for i, pair in enumerate(yes_no)} for side in (0, 1))
    >>> found = cohen_kappa(a, b)
    >>> round(found.value, 3), round(found.interval.low, 3), round(found.interval.high, 3)
    (0.4, 0.151, 0.649)
    >>> cohen_kappa({"q": True}, {"q": True}).reason
    'both judges give every shared item the same one label: chance agreement is 1'
    >>> cohen_kappa({"q": True}, {"r": True}).reason
    'no item was scored by both judges'
    """
    shared = sorted(a.keys() & b.keys())
    n = len(shared)
    cells = Counter((a[item], b[item]) for item in shared)
    agreed = sum(count for (x, y), count in cells.items() if x == y)
    if n == 0:
        return _undefined(0, 0, "no item was scored by both judges")
    rows, columns = Counter(a[item] for item in shared), Counter(b[item] for item in shared)
    if sum(rows[label] * columns[label] for label in rows) == n * n:
        why = "both judges give every shared item the same one label: chance agreement is 1"
        return _undefined(n, agreed, why)
    chance = sum(rows[label] * columns[label] for label in rows) / n**2
    value = (agreed / n - chance) / (1 - chance)
    error = _standard_error(cells, rows, columns, n=n, chance=chance, kappa=value)
    z = NormalDist().inv_cdf((1 + level) / 2)
    interval = Interval(max(-1.0, value - z * error), min(1.0, value + z * error), level)
    return Kappa(shared=n, agreed=agreed, value=value, interval=interval, reason=None)


def _undefined(shared: int, agreed: int, reason: str) -> Kappa:
    return Kappa(shared=shared, agreed=agreed, value=None, interval=None, reason=reason)


def _standard_error(
    cells: Mapping[tuple[Hashable, Hashable], int],
    rows: Mapping[Hashable, int],
    columns: Mapping[Hashable, int],
    *,
    n: int,
    chance: float,
    kappa: float,
) -> float:
    """Fleiss, Cohen and Everitt's, for an interval around a kappa that is not 0."""
    spread = 0.0
    for (x, y), count in cells.items():
        if x == y:
            weight = 1 - (rows[x] + columns[x]) / n * (1 - kappa)
        else:
            # The row of the first label meets the column of the second crosswise.
            weight = (1 - kappa) * (columns.get(x, 0) + rows.get(y, 0)) / n
        spread += count / n * weight**2
    variance = (spread - (kappa - chance * (1 - kappa)) ** 2) / (n * (1 - chance) ** 2)
    return math.sqrt(max(0.0, variance))
