"""The model adds to what rules read, and only what the text bears out."""

from __future__ import annotations

from typing import Any

import dspy
import pytest

from optimize.adapter import QkgramAdapter
from optimize.scripted import ScriptedLM
from programs.read_patient import Reading, ReadPatient, add_stated, known_lines
from retrievers.patient import read_patient
from signatures.patient import StatedFact, StatedValue
from signatures.schema import Node, PatientContext

TEXT = (
    "A 62-year-old woman with an eGFR of 24 says that her sugar doctor put her on the purple "
    "inhaler. The phosphorus came back as\n4.1 (mg/dL). She cannot stand cats."
)


def value(name: str, number: float, unit: str, quote: str) -> StatedValue:
    return StatedValue(name=name, value=number, unit=unit, quote=quote)


def fact(name: str, quote: str, *, kind: str = "medication", how: str = "present") -> StatedFact:
    return StatedFact.model_validate({"name": name, "kind": kind, "assertion": how, "quote": quote})


def add(text: str, *stated: StatedValue | StatedFact) -> Reading:
    values = [s for s in stated if isinstance(s, StatedValue)]
    facts = [s for s in stated if isinstance(s, StatedFact)]
    return add_stated(read_patient(text), text, values, facts, link=lambda name, kind: None)


def test_a_fact_that_rules_missed_is_added_with_its_span() -> None:
    found = add(TEXT, fact("purple inhaler", "put her on the purple inhaler"))
    (added,) = [f for f in found.patient.facts if f.name == "purple inhaler"]
    assert TEXT[added.span.start : added.span.end] == "put her on the purple inhaler"
    assert (found.added, found.dropped) == (1, 0)


@pytest.mark.parametrize(
    "stated",
    [
        fact("warfarin", "she takes warfarin"),
        fact("warfarin", "put her on the purple inhaler"),
        fact("purple inhaler", ""),
        value("sodium", 128, "mEq/L", "sodium of 128 mEq/L"),
        value("phosphorus", 4.2, "mg/dL", "The phosphorus came back as 4.1"),
        value("phosphorus", 4.1, "furlongs", "The phosphorus came back as 4.1"),
        value("phosphorus", 4.1, "kg", "The phosphorus came back as 4.1"),
        value("shoe size", 24, "", "an eGFR of 24"),
        fact("male", "her sugar doctor", kind="sex"),
        fact("pregnant", "She cannot stand cats", kind="pregnancy"),
    ],
)
def test_what_the_text_does_not_bear_out_is_dropped_and_counted(
    stated: StatedValue | StatedFact,
) -> None:
    found = add("Someone. " + TEXT.replace("woman", "person"), stated)
    assert (found.added, found.dropped) == (0, 1)
    assert found.patient == read_patient("Someone. " + TEXT.replace("woman", "person"))


def test_a_quote_may_run_over_a_line_break() -> None:
    text = "Her phosphor-\nus: see chart. Corrected calcium was\n9.1 mg/dL."
    bare = PatientContext()
    found = add_stated(
        bare,
        text,
        [value("calcium", 9.1, "mg/dL", "Corrected calcium was 9.1 mg/dL")],
        [],
        link=lambda name, kind: None,
    )
    (added,) = found.patient.quantities
    assert (added.analyte, added.low, added.unit) == ("calcium", 9.1, "mg/dL")
    assert added.span.text == "Corrected calcium was\n9.1 mg/dL"


def test_rules_are_never_changed() -> None:
    found = add(
        TEXT,
        value("eGFR", 24, "mL/min", "an eGFR of 24"),
        value("age", 62, "years", "A 62-year-old woman"),
        fact("female", "A 62-year-old woman", kind="sex"),
    )
    assert found == Reading(read_patient(TEXT), 0, 0)


def test_age_sex_and_pregnancy_are_taken_where_rules_found_none() -> None:
    text = "Born sixty-odd, well 64 years back; a lady, sure. Pregnancy: none whatsoever."
    found = add_stated(
        PatientContext(),
        text,
        [value("age", 64, "years", "64 years back")],
        [fact("pregnancy", "Pregnancy: none", kind="pregnancy", how="absent")],
        link=lambda name, kind: None,
    )
    assert found.patient.age is not None
    assert found.patient.age.low == 64
    assert found.patient.pregnancy is not None
    assert not found.patient.pregnancy.pregnant


class Linker:
    """Knows one name."""

    def link(self, text: str) -> tuple[Any, ...]:
        return ()

    def link_name(self, name: str, *, types: frozenset[str] | None = None) -> Any:
        from signatures.schema import Link

        known = Node(index=3, id="DB1", type="drug", name="Fluticasone", source="DrugBank")
        return Link(
            mention=name, start=0, end=len(name), node=known, method="alias", score=100, reason=""
        )


class Tools:
    linker = Linker()


def test_the_model_is_asked_only_when_the_setting_says_so() -> None:
    reply = {
        "numbers": [],
        "facts": [fact("purple inhaler", "the purple inhaler"), fact("x", "not in the text")],
    }
    model = ScriptedLM([reply])
    with dspy.context(lm=model, adapter=QkgramAdapter()):
        off = ReadPatient(Tools())(TEXT)  # type: ignore[arg-type]
        on = ReadPatient(Tools(), ask=True)(TEXT)  # type: ignore[arg-type]
    assert (off.added, len(model.asked)) == (0, 1)
    assert (on.added, on.dropped) == (1, 1)
    added = next(f for f in on.patient.facts if f.name == "purple inhaler")
    assert added.node is not None
    assert added.node.name == "Fluticasone"
    assert "eGFR of 24" in model.asked[0].user
    assert ReadPatient(Tools()).named_predictors() == []  # type: ignore[arg-type]


def test_known_lines_name_what_rules_read() -> None:
    assert known_lines(read_patient("A 62-year-old man with gout")) == "62-year-old\ngout"
    assert known_lines(PatientContext()) == "nothing"
