"""What an answer says, before it is compared with the gold."""

from __future__ import annotations

from typing import Literal

from metrics.answer_options import Options
from signatures.schema import Record

ReadingKind = Literal["letter", "abstained", "ambiguous", "unparsed", "out_of_range"]
"""What a text says: one option, none, several, nothing that can be read, or a letter beyond."""


class Reading(Record):
    """What an answer says, before it is compared with the gold."""

    kind: ReadingKind
    letter: str | None = None
    """The option's letter; set for `letter` alone."""
    letters: tuple[str, ...] = ()
    """Every letter that was read, sorted: several when `ambiguous`, one when `out_of_range`."""


UNPARSED = Reading(kind="unparsed")
ABSTAINED = Reading(kind="abstained")


def reading_of(letters: frozenset[str], options: Options) -> Reading:
    """The reading of the letters that an answer names."""
    named = tuple(sorted(letters))
    if not options.letters:
        return UNPARSED
    if len(named) > 1:
        return Reading(kind="ambiguous", letters=named)
    if named[0] in options.letters:
        return Reading(kind="letter", letter=named[0], letters=named)
    return Reading(kind="out_of_range", letters=named)


def none_right(options: Options) -> Reading:
    """No option is right: the option that says so, else an abstention."""
    return reading_of(options.none, options) if options.none else ABSTAINED
