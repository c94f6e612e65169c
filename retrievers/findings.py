"""What an examination of a graph found, in words that a user can act on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from signatures.schema import Record

SHOWN = 5
"""Examples of one finding."""


class Finding(Record):
    """One kind of oddity, how often it occurs, and what to do."""

    kind: str
    """`mirrored_rows`, `date_like_genes` …; stable, for scripts."""
    severity: Literal["note", "problem"]
    """A note is dealt with by the build; a problem wants a repair of the file."""
    count: int
    what: str
    examples: tuple[str, ...]
    """The first few, with their row, edge or node."""
    advice: str


class Diagnosis(Record):
    """Everything found in one graph file or store."""

    source: str
    """Name of the file, or folder of the store."""
    kind: Literal["file", "store"]
    findings: tuple[Finding, ...]

    @property
    def sound(self) -> bool:
        """True when nothing wants a repair."""
        return all(finding.severity == "note" for finding in self.findings)


def note(
    kind: str, what: str, examples: Sequence[str], advice: str, *, count: int | None = None
) -> tuple[Finding, ...]:
    """Return a finding that the build deals with; nothing when there is none to report."""
    return _finding("note", kind, what, examples, advice, count)


def problem(
    kind: str, what: str, examples: Sequence[str], advice: str, *, count: int | None = None
) -> tuple[Finding, ...]:
    """Return a finding that wants a repair; nothing when there is none to report."""
    return _finding("problem", kind, what, examples, advice, count)


def _finding(
    severity: Literal["note", "problem"],
    kind: str,
    what: str,
    examples: Sequence[str],
    advice: str,
    count: int | None,
) -> tuple[Finding, ...]:
    times = len(examples) if count is None else count
    if not times:
        return ()
    return (
        Finding(
            kind=kind,
            severity=severity,
            count=times,
            what=what,
            examples=tuple(examples[:SHOWN]),
            advice=advice,
        ),
    )
