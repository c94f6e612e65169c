"""One answered question on the terminal: answer, reasons, patient, facts, what was not covered."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable

import dspy
from pydantic import BaseModel
from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from data.wording import counted
from metrics.answers import read_answer
from optimize.asking import Answered
from optimize.folding import folding_table
from optimize.show_evidence import PROPOSED, options_table, proposed_table
from retrievers.analytes import analyte_table
from retrievers.evaluation_numbers import as_stated, spaced
from retrievers.numbers import Interval, show
from retrievers.patient_text import DAYS
from signatures.schema import (
    Age,
    ClaimVerdict,
    ConstraintVerdict,
    Hop,
    PatientContext,
    Quantity,
    Question,
    ReviewedTriplet,
)

_COUNTED_TO = {"year": math.inf, "week": 0.25, "day": 0.1, "month": 2.0}
"""Years of age below which a whole number of these units is shown."""
_STATUS_STYLE = {"SUPPORTED": "green", "CONTRADICTED": "red", "NO_COVERAGE": "yellow"}


def answer_json(question: Question, answered: Answered) -> str:
    """Return the answer and everything it rests on as JSON; an open end of a range is `null`."""
    trace = dump(answered.prediction)
    usage = answered.usage.model_dump(mode="json")
    asked = question.model_dump(mode="json")
    return json.dumps({"question": asked, **trace, "usage": usage}, allow_nan=False)


def dump(prediction: dspy.Prediction) -> dict[str, object]:
    """Turn a program's prediction into plain JSON values; what is not finite becomes `None`."""
    return {name: _plain(value) for name, value in prediction.items()}


def _plain(value: object) -> object:
    if isinstance(value, BaseModel):
        return _plain(value.model_dump(mode="json"))
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    return value


def show_question(question: Question, *, console: Console | None = None) -> None:
    """Print a question with its options."""
    options = [f"{letter}. {text}" for letter, text in question.options.items()]
    (console or Console()).print(Panel(_lines([question.text, *options]), title="Question"))


def show_answer(question: Question, answered: Answered, *, console: Console | None = None) -> None:
    """Print the answer with its reasons; texts of models and graphs are shown as they are."""
    out = console or Console()
    for part in _parts(question, answered):
        out.print(part)


def _parts(question: Question, answered: Answered) -> Iterable[RenderableType]:
    said = answered.prediction
    yield Panel(_headline(question, said), title="Answer", title_align="left", border_style="bold")
    if patient := said.get("patient"):
        yield Panel(_patient(patient), title="Patient, as read", title_align="left")
    if report := said.get("report"):
        yield _claims(report)
        yield from _audits(report)
    if hops := said.get("hops"):
        yield _hops(hops)
        if any(hop.hypotheses for hop in hops):
            yield proposed_table(_hypotheses(hops), title=f"Hypotheses: {PROPOSED}")
    if reviewed := said.get("reviewed"):
        named = ((f"t{place}", one) for place, one in enumerate(reviewed, start=1))
        yield proposed_table(named, title=f"Triplets: {PROPOSED}")
    if not report and (scores := said.get("scores")):
        yield options_table(scores, question.options)
    if missing := said.get("not_covered"):
        yield Panel(_lines(missing), title="Not covered by the graph", title_align="left")
    if first := said.get("first"):
        yield Text(f"first answer, before the graph was asked: {first.llm_answer_choice}")
    if notes := said.get("notes"):
        yield _lines(notes, style="dim")
    yield Text(_spent(answered), style="dim")


def _headline(question: Question, said: dspy.Prediction) -> Group:
    response = said.response
    chosen = response.selected_option_text
    answer = f"{response.llm_answer_choice}  {chosen}" if chosen else response.llm_answer_choice
    unread = unread_line(question, response.llm_answer_choice)
    lines = [Text(answer, style="bold"), *([Text(unread, style="yellow")] if unread else [])]
    return Group(*lines, Text(response.reasoning))


_UNREAD = {
    "unparsed": "no letter could be read",
    "ambiguous": "no letter could be read: several are named",
    "out_of_range": "no letter could be read: the one named is no option",
}


def unread_line(question: Question, answer: str) -> str:
    """Say why an answer stands for no option; empty where it does, or abstains, or needs none.

    >>> asked = Question(id="q", source="s", text="Which?", options={"A": "zinc", "B": "iron"})
    >>> unread_line(asked, "hard to say"), unread_line(asked, "B")
    ('no letter could be read', '')
    """
    if not question.options:
        return ""
    return _UNREAD.get(read_answer(answer, question.options).kind, "")


def _patient(patient: PatientContext) -> Group:
    return _lines(patient_lines(patient))


def patient_lines(patient: PatientContext) -> tuple[str, ...]:
    """Word each fact of the patient with the words it was read from."""
    lines: list[str] = []
    if patient.age:
        lines.append(f"age {_age(patient.age)}  ({patient.age.span.text})")
    if patient.sex:
        lines.append(patient.sex)
    if patient.pregnancy:
        state = "pregnant" if patient.pregnancy.pregnant else "not pregnant"
        lines.append(f"{state}  ({patient.pregnancy.span.text})")
    lines += [f"{_measured(q)}  ({q.span.text})" for q in patient.quantities]
    lines += [f"{f.kind} {f.assertion}: {f.name}" for f in patient.facts]
    lines += [f"not read: '{passage}'" for passage in patient.unread]
    return tuple(lines) or ("nothing about a patient",)


def _measured(quantity: Quantity) -> str:
    """Word a value with its usual name and unit; a class or a ratio, whose unit is 1, has none."""
    row = analyte_table().get(quantity.analyte)
    name = quantity.analyte if row is None else row.label
    value = show(as_stated(Interval(quantity.low, quantity.high)))
    return f"{name} {spaced(value, quantity.unit)}"


def _age(age: Age) -> str:
    """Word an age in years, or in the months, weeks or days of a small child."""
    if age.low < age.high:
        return f"{show(Interval(age.low, age.high))} years"
    units = (("year", DAYS["year"]), ("week", 7.0), ("day", 1.0), ("month", DAYS["year"] / 12))
    for unit, days in units:
        count = age.low * DAYS["year"] / days
        whole = count > 0 and math.isclose(count, round(count), abs_tol=0.01)
        if age.low < _COUNTED_TO[unit] and whole:
            return counted(round(count), unit)
    return counted(round(age.low, 2), "year")


def _claims(report: Iterable[ClaimVerdict]) -> Table:
    columns = ("", "claim", "status", "why")
    table = folding_table(*columns, title="Claims", title_justify="left", expand=True)
    for verdict in report:
        claim = verdict.claim
        status = f"{verdict.status} {verdict.label or ''}".strip()
        table.add_row(
            Text(claim.option),
            Text(f"{claim.head} {claim.predicate} {claim.tail}"),
            Text(status, style=_STATUS_STYLE[verdict.status]),
            Text(verdict.reason),
        )
    return table


def _audits(report: Iterable[ClaimVerdict]) -> Iterable[RenderableType]:
    """Show the groups that the question decides; those it says nothing of are counted."""
    evidence = {e.triplet.id: e for verdict in report for e in verdict.evidence}
    verdicts = [v for item in evidence.values() for v in item.verdicts]
    decided = [v for v in verdicts if v.match in ("MET", "NOT_MET")]
    lines = [line for verdict in decided for line in audit_lines(verdict)]
    silent = len(verdicts) - len(decided)
    if silent:
        groups = counted(silent, "further group is", "further groups are")
        lines.append(f"{groups} left open: the question does not say")
    if lines:
        yield Panel(_lines(lines), title="Constraints checked", title_align="left")


def audit_lines(verdict: ConstraintVerdict) -> tuple[str, ...]:
    """Word a constraint verdict, one line per leaf."""
    item = verdict.item
    return tuple(f"[{verdict.id}] {item.applicability}: {line}" for line in verdict.audit)


def _hops(hops: Iterable[Hop]) -> Table:
    table = folding_table(
        "mode", "sub-question", "answer", "facts", title="Hops", title_justify="left", expand=True
    )
    for hop in hops:
        cited = [t for t in hop.region.triplets if t.id in hop.cited]
        lines = [f"[{t.id}] {t.text}" for t in cited]
        lines += [f"{i}, a hypothesis, not a fact" for i in hop.cited_hypotheses]
        facts = "\n".join(lines) or "none cited"
        table.add_row(*(Text(x) for x in (hop.mode, hop.sub_question, hop.answer, facts)))
    return table


def _hypotheses(hops: Iterable[Hop]) -> Iterable[tuple[str, ReviewedTriplet]]:
    """Name what HYBRID hops proposed beyond their facts, used or not."""
    for number, hop in enumerate(hops, start=1):
        for place, triplet in enumerate(hop.hypotheses, start=1):
            yield f"hop {number}, h{place}", triplet


def _lines(lines: Iterable[str], *, style: str = "") -> Group:
    return Group(*(Text(line, style=style) for line in lines))


def _spent(answered: Answered) -> str:
    usage = answered.usage
    tokens = usage.prompt_tokens + usage.completion_tokens
    spent = f"{counted(usage.calls, 'call')}, {counted(tokens, 'token')}"
    return f"{spent}, {answered.seconds:.1f} s; not for clinical use"
