"""Read the patient: rules first, the model for what they left open (QKG algorithm 1, line 3)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

import dspy

from programs.caps import Caps
from programs.roles import step
from programs.toolbox import Toolbox
from programs.wording import one_line
from retrievers.analytes import analyte_by_alias
from retrievers.normalise import normalise
from retrievers.numbers import NUMBER, Interval, to_number
from retrievers.patient import read_patient
from retrievers.patient_text import plain, span_of
from retrievers.unit_spellings import UNIT, read_unit
from retrievers.units import resolve_unit
from retrievers.vocabulary import canonical
from signatures.patient import ReadPatient as ReadPatientSignature
from signatures.patient import StatedFact, StatedValue
from signatures.schema import (
    Age,
    Node,
    PatientContext,
    PatientFact,
    Pregnancy,
    Quantity,
    Span,
)

OLDEST = 120.0
"""Years beyond which an age is not believed."""
_SEXES = {"female": "female", "woman": "female", "girl": "female", "male": "male", "man": "male",
          "boy": "male"}  # fmt: skip
_TYPES = {
    "diagnosis": frozenset({"disease", "effect/phenotype"}),
    "medication": frozenset({"drug"}),
}


class Reading(NamedTuple):
    """The patient, and what became of the model's statements."""

    patient: PatientContext
    added: int
    """Statements of the model that were taken."""
    dropped: int
    """Statements whose quote is not in the text, or that the quote does not state."""


class ReadPatient(dspy.Module):
    """Read the patient by rules, then ask the model for what is left.

    What rules read is never changed: the model adds. Its every statement needs a quote that stands
    in the text word for word and holds the number or the name; others are dropped and counted.
    """

    def __init__(self, tools: Toolbox, *, ask: bool = False, caps: Caps = Caps()) -> None:
        super().__init__()
        self.tools = tools
        # Only where it is asked: an optimizer spends calls on every predictor that it finds.
        self.predict = (
            dspy.Predict(ReadPatientSignature, max_tokens=caps.reasoning) if ask else None
        )

    def forward(self, text: str) -> Reading:
        """Return the patient of a question's text, without its options."""
        by_rules = read_patient(text, linker=self.tools.linker)
        if self.predict is None:
            return Reading(by_rules, 0, 0)
        with step("read_patient"):
            said = self.predict(text=text, known=known_lines(by_rules))
        return add_stated(by_rules, text, said.numbers, said.facts, link=self._node)

    def _node(self, name: str, kind: str) -> Node | None:
        types = _TYPES.get(kind)
        return self.tools.linker.link_name(name, types=types).node if types else None


def add_stated(
    patient: PatientContext,
    text: str,
    values: Iterable[StatedValue],
    facts: Iterable[StatedFact],
    *,
    link: Callable[[str, str], Node | None],
) -> Reading:
    """Add a model's statements to what rules read, as far as the text bears them out."""
    added = dropped = 0
    everything: tuple[StatedValue | StatedFact, ...] = (*values, *facts)
    for stated in everything:
        span = _quoted(text, stated.quote)
        update = None
        if span is not None and isinstance(stated, StatedValue):
            update = _value(patient, stated, span)
        elif span is not None and isinstance(stated, StatedFact):
            update = _fact(patient, stated, span, link)
        if update is None:
            dropped += 1
        elif update:
            added += 1
            patient = patient.model_copy(update=update)
    return Reading(patient, added, dropped)


def known_lines(patient: PatientContext) -> str:
    """Word what rules have read, one per line, for the model to leave out."""
    lines = [one_line(span.text) for span in (_span(patient.age), _span(patient.pregnancy)) if span]
    lines += [one_line(q.span.text) for q in patient.quantities]
    lines += [one_line(f.span.text) for f in patient.facts]
    return "\n".join(dict.fromkeys(lines)) or "nothing"


def _span(field: Age | Pregnancy | None) -> Span | None:
    return None if field is None else field.span


def _quoted(text: str, quote: str) -> Span | None:
    """Return where the quote stands in the text, in any spacing; `None` when it does not."""
    words = plain(quote).split()
    if not words:
        return None
    found = re.search(r"\s+".join(map(re.escape, words)), plain(text))
    return None if found is None else span_of(text, found.start(), found.end())


def _value(patient: PatientContext, stated: StatedValue, span: Span) -> dict[str, object] | None:
    """Return the fields to change: none when it is known, `None` when the quote lacks it."""
    numbers = {to_number(n) for n in re.findall(NUMBER, plain(span.text))}
    if stated.value not in numbers:
        return None
    name = stated.name.strip()
    if name.lower() == "age":
        if not 0 <= stated.value <= OLDEST or not re.search("year|yr|y", stated.unit.lower()):
            return None
        age = Age(low=stated.value, high=stated.value, span=span)
        return {} if patient.age is not None else {"age": age}
    analyte = analyte_by_alias().get(name) or analyte_by_alias().get(name.lower())
    if analyte is None:
        return None
    if any(q.analyte == analyte for q in patient.quantities):
        return {}
    unit = read_unit(stated.unit) if re.fullmatch(UNIT, stated.unit.strip()) else None
    if stated.unit.strip() and unit is None:
        return None
    if resolve_unit(analyte, Interval(stated.value, stated.value), unit)[0] is None:
        return None
    quantity = Quantity(analyte=analyte, low=stated.value, high=stated.value, unit=unit, span=span)
    return {"quantities": (*patient.quantities, quantity)}


def _fact(
    patient: PatientContext,
    stated: StatedFact,
    span: Span,
    link: Callable[[str, str], Node | None],
) -> dict[str, object] | None:
    quote, name = normalise(span.text), stated.name.strip()
    if stated.kind == "sex":
        sex = _SEXES.get(name.lower())
        said = sex is not None and any(w in _SEXES for w in re.findall(r"[a-z]+", quote))
        return ({} if patient.sex is not None else {"sex": sex}) if said else None
    if stated.kind == "pregnancy":
        if "pregnan" not in span.text.lower() or stated.assertion not in ("present", "absent"):
            return None
        pregnancy = Pregnancy(pregnant=stated.assertion == "present", span=span)
        return {} if patient.pregnancy is not None else {"pregnancy": pregnancy}
    if not name or f" {normalise(name)} " not in f" {quote} ":
        return None
    if any(_same(fact, stated.kind, name, span) for fact in patient.facts):
        return {}
    fact = PatientFact(
        name=name,
        kind=stated.kind,
        assertion=stated.assertion,
        node=link(name, stated.kind),
        span=span,
    )
    return {"facts": (*patient.facts, fact)}


def _same(fact: PatientFact, kind: str, name: str, span: Span) -> bool:
    """Say whether rules have read this fact: the same name, or a name in the same place."""
    if fact.kind != kind:
        return False
    if fact.kind == "habit":
        return fact.span.start < span.end and span.start < fact.span.end
    return canonical(fact.name, fact.kind) == canonical(name, fact.kind)
