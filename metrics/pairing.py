"""Which questions two runs share: what is unmatched is named, never silently left out."""

from __future__ import annotations

from collections.abc import Iterable

from signatures.schema import Record


class Pairing(Record):
    """Keys of two runs, each tuple sorted."""

    both: tuple[str, ...]
    only_a: tuple[str, ...]
    only_b: tuple[str, ...]

    @property
    def complete(self) -> bool:
        """True when neither run has a key that the other lacks."""
        return not self.only_a and not self.only_b


def pair_keys(a: Iterable[str], b: Iterable[str]) -> Pairing:
    """Match two runs' question keys.

    >>> pair_keys(["q1", "q2", "q3"], ["q2", "q3", "q4"])
    Pairing(both=('q2', 'q3'), only_a=('q1',), only_b=('q4',))
    """
    left, right = set(a), set(b)
    return Pairing(
        both=tuple(sorted(left & right)),
        only_a=tuple(sorted(left - right)),
        only_b=tuple(sorted(right - left)),
    )
