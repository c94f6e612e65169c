"""Evaluate a typed expression for a patient, in three-valued logic (Kleene).

What the text does not say is INDETERMINATE, never false. `All` fails as soon as one part fails,
`AnyOf` holds as soon as one part holds, and otherwise one unknown part makes the whole unknown.
Every leaf is evaluated and leaves one line in the audit, so the trace shows all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from retrievers import evaluation_drugs as drugs
from retrievers import evaluation_facts as facts
from retrievers import evaluation_limits as limits
from retrievers import evaluation_numbers as numbers
from retrievers.evaluation_types import Case, Finding
from retrievers.expression_types import (
    AgeIs,
    All,
    AllergyTo,
    AnyOf,
    AtLeast,
    Concept,
    Everyone,
    Expression,
    FirstKnown,
    HasDiagnosis,
    HasHabit,
    Lactating,
    Measure,
    Negated,
    Postpartum,
    PregnantIs,
    SexIs,
    TakesDrug,
    TimesLimit,
    Unread,
)
from signatures.schema import Match


def conjunction(matches: Iterable[Match]) -> Match:
    """Join by "and".

    >>> conjunction(["MET", "INDETERMINATE"]), conjunction(["INDETERMINATE", "NOT_MET"])
    ('INDETERMINATE', 'NOT_MET')
    >>> conjunction([])
    'MET'
    """
    found = set(matches)
    if "NOT_MET" in found:
        return "NOT_MET"
    return "INDETERMINATE" if found - {"MET"} else "MET"


def disjunction(matches: Iterable[Match]) -> Match:
    """Join by "or".

    >>> disjunction(["MET", "INDETERMINATE"]), disjunction(["INDETERMINATE", "NOT_MET"])
    ('MET', 'INDETERMINATE')
    >>> disjunction([])
    'NOT_MET'
    """
    return negation(conjunction(negation(match) for match in matches))


def negation(match: Match) -> Match:
    """Turn a verdict round; unknown stays unknown.

    >>> negation("MET"), negation("INDETERMINATE")
    ('NOT_MET', 'INDETERMINATE')
    """
    return {"MET": "NOT_MET", "NOT_MET": "MET"}.get(match, match)  # type: ignore[return-value]


def at_least(count: int, matches: Iterable[Match]) -> Match:
    """Say whether at least `count` hold.

    >>> at_least(2, ["MET", "MET", "INDETERMINATE"]), at_least(2, ["MET", "NOT_MET", "NOT_MET"])
    ('MET', 'NOT_MET')
    >>> at_least(2, ["MET", "INDETERMINATE", "NOT_MET"])
    'INDETERMINATE'
    """
    found = list(matches)
    sure = found.count("MET")
    if sure >= count:
        return "MET"
    return "NOT_MET" if len(found) - found.count("NOT_MET") < count else "INDETERMINATE"


def evaluate(expression: Expression, case: Case) -> Finding:
    """Evaluate an expression for a patient.

    >>> from retrievers.expressions import parse_condition
    >>> from signatures.schema import PatientContext
    >>> finding = evaluate(parse_condition("eGFR < 30"), Case(PatientContext()))
    >>> finding.match, finding.audit
    ('INDETERMINATE', ('eGFR < 30 mL/min/1.73 m² → INDETERMINATE; no eGFR given',))
    """
    match expression:
        case All(parts=parts):
            return _joined(conjunction, parts, case)
        case AnyOf(parts=parts):
            return _joined(disjunction, parts, case)
        case AtLeast(parts=parts):
            return _joined(lambda found: at_least(expression.count, found), parts, case)
        case Negated(part=part):
            inside = evaluate(part, case)
            return Finding(negation(inside.match), tuple(f"not: {line}" for line in inside.audit))
        case FirstKnown(parts=parts):
            return _first_known(parts, case)
        case Concept():
            return _concept(expression, case)
    return _leaf(expression, case)


def _joined(
    join: Callable[[Iterable[Match]], Match], parts: tuple[Expression, ...], case: Case
) -> Finding:
    findings = [evaluate(part, case) for part in parts]
    lines = tuple(line for finding in findings for line in finding.audit)
    return Finding(join([finding.match for finding in findings]), lines)


def _first_known(parts: tuple[Expression, ...], case: Case) -> Finding:
    lines: tuple[str, ...] = ()
    for part in parts:
        finding = evaluate(part, case)
        lines += finding.audit
        if finding.match != "INDETERMINATE":
            return Finding(finding.match, lines)
    return Finding("INDETERMINATE", lines)


def _concept(concept: Concept, case: Case) -> Finding:
    lines: tuple[str, ...] = ()
    if concept.met_if is not None:
        holds = evaluate(concept.met_if, case)
        lines += holds.audit
        if holds.match == "MET" or (concept.not_if is None and holds.match == "NOT_MET"):
            return Finding(holds.match, lines)
    if concept.not_if is not None:
        fails = evaluate(concept.not_if, case)
        if fails.match == "MET":
            return Finding("NOT_MET", (*lines, *(f"not: {line}" for line in fails.audit)))
    stated = evaluate(concept.stated, case)
    return Finding(stated.match, (*lines, *stated.audit))


def _leaf(leaf: Expression, case: Case) -> Finding:
    match leaf:
        case Everyone():
            return Finding("MET", ("general population → MET; unconditional",))
        case Unread(text=text):
            return Finding("INDETERMINATE", (f"'{text}' → INDETERMINATE; not read by rules",))
        case Measure():
            return numbers.measure(leaf, case.patient)
        case AgeIs():
            return numbers.age(leaf, case.patient)
        case SexIs():
            return numbers.sex(leaf, case.patient)
        case PregnantIs():
            return numbers.pregnancy(leaf, case.patient)
        case Lactating():
            return numbers.lactation(case.patient)
        case Postpartum():
            return facts.postpartum(leaf, case)
        case TimesLimit():
            return limits.times_limit(leaf, case.patient)
        case HasDiagnosis():
            return facts.diagnosis(leaf, case)
        case TakesDrug():
            return drugs.drug(leaf, case)
        case AllergyTo():
            return drugs.allergy(leaf, case)
        case HasHabit():
            return facts.habit(leaf, case)
    raise TypeError(f"wanted a leaf of retrievers.expression_types, got {type(leaf).__name__}")
