"""The typed expression that a constraint's free text is read into.

A leaf asks one thing of the patient; `All`, `AnyOf`, `Negated`, `AtLeast` and `FirstKnown` join
leaves. Every record is frozen and hashable, so a parsed text is kept and used for all patients.
"""

from __future__ import annotations

from typing import Literal

from retrievers.numbers import Interval
from signatures.schema import Record

Timing = Literal["now", "ever", "family"]
"""When it must hold: at present, at any time of life, or in a relative."""


class Everyone(Record):
    """`general population`: holds for every patient and carries no condition."""


class Measure(Record):
    """A value lies in an interval: `eGFR < 30 mL/min/1.73 m²`."""

    analyte: str
    wanted: Interval
    unit: str | None
    """`None` when the text gives none; decided by plausibility."""


class TimesLimit(Record):
    """A value is so many times its upper limit of normal: `ALT > 3 × ULN`."""

    analyte: str
    times: Interval


class AgeIs(Record):
    """Age in years lies in an interval."""

    wanted: Interval


class SexIs(Record):
    """The patient is of this sex."""

    sex: Literal["female", "male"]


class PregnantIs(Record):
    """The patient is pregnant, in these trimesters and weeks when given."""

    trimesters: frozenset[Literal[1, 2, 3]] = frozenset()
    weeks: Interval | None = None


class Lactating(Record):
    """The patient breastfeeds."""


class Postpartum(Record):
    """The patient gave birth, in this time when given."""

    within_days: Interval | None = None
    """Days since the birth; `None` is the postpartum period."""


class HasDiagnosis(Record):
    """The patient has, ever had, or has in the family, this diagnosis or finding."""

    name: str
    qualifiers: tuple[str, ...] = ()
    """Words that must be stated too: `severe`, `acute`, `uncontrolled`."""
    timing: Timing = "now"
    within_days: Interval | None = None
    """How long ago it happened, in days."""


class TakesDrug(Record):
    """The patient takes this drug or a member of this class, or took it in this time."""

    name: str
    timing: Timing = "now"
    within_days: Interval | None = None
    """How long ago the last dose was, in days; taking it now is zero days ago."""
    for_days: Interval | None = None
    """How long it has been taken, in days."""


class AllergyTo(Record):
    """The patient is allergic to this drug, a member of this class, or this substance."""

    name: str


class HasHabit(Record):
    """A habit such as smoking, now or ever."""

    name: str
    timing: Timing = "now"


class All(Record):
    """Every part holds."""

    parts: tuple[Expression, ...]


class AnyOf(Record):
    """At least one part holds."""

    parts: tuple[Expression, ...]


class AtLeast(Record):
    """At least `count` of the parts hold."""

    count: int
    parts: tuple[Expression, ...]


class Negated(Record):
    """The part does not hold."""

    part: Expression


class FirstKnown(Record):
    """The first part that can be decided decides: several ways to know one thing."""

    parts: tuple[Expression, ...]


class Concept(Record):
    """A condition that a number defines: `severe renal impairment` is an eGFR below 30.

    `met_if` holding makes it MET; `not_if` holding (where it is `None`: `met_if` failing) makes it
    NOT_MET; else the diagnosis as stated decides.
    """

    stated: HasDiagnosis
    met_if: Expression | None
    not_if: Expression | None


class Unread(Record):
    """A part of a text that rules cannot read; it is never decided."""

    text: str


Leaf = (
    Everyone
    | Unread
    | Measure
    | TimesLimit
    | AgeIs
    | SexIs
    | PregnantIs
    | Lactating
    | Postpartum
    | HasDiagnosis
    | TakesDrug
    | AllergyTo
    | HasHabit
)
Expression = Leaf | All | AnyOf | AtLeast | Negated | FirstKnown | Concept

for _record in (All, AnyOf, AtLeast, Negated, FirstKnown, Concept):
    _record.model_rebuild()
