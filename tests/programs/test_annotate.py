"""Annotation: items from a model, each quoted from the label when one is given."""

from __future__ import annotations

from typing import Any

import dspy
import pytest

from optimize.adapter import QkgramAdapter
from optimize.scripted import ScriptedLM
from programs.annotate import LONGEST_LABEL, Annotate, Annotation, keep_groups, quotes
from signatures.annotation import StatedGroup
from signatures.errors import ParseError
from signatures.schema import Node, Triplet

LABEL = "Contraindicated in severe renal impairment (eGFR below 30). Use with care in the elderly."


def triplet() -> Triplet:
    drug = Node(index=0, id="DB1", type="drug", name="Metformin", source="DrugBank")
    disease = Node(index=1, id="9", type="disease", name="type 2 diabetes", source="MONDO")
    return Triplet(
        id="e0",
        head=drug,
        relation="indication",
        display_relation="indication",
        tail=disease,
        text="Metformin is indicated for type 2 diabetes",
    )


def group(name: str, evidence: str, level: str = "Definitely NOT Applicable") -> dict[str, str]:
    return {"patient_characteristics": name, "applicability": level, "evidence": evidence}


def annotate(groups: Any, label: str = "", *, reasks: int = 0) -> tuple[Annotation, ScriptedLM]:
    model = ScriptedLM(lambda call: {"groups": groups})
    with dspy.context(
        lm=ScriptedLM([]), roles={"annotator": model}, adapter=QkgramAdapter(reasks=reasks)
    ):
        return Annotate()(triplet(), label), model


def test_an_item_needs_a_quote_of_the_label() -> None:
    found, model = annotate(
        [
            group("severe renal impairment", "Contraindicated in severe\n renal impairment"),
            group("pregnant", "Avoid in pregnancy."),
            group("elderly", "care"),
        ],
        LABEL,
    )
    assert [item.patient_characteristics for item in found.items] == ["severe renal impairment"]
    assert found.items[0].evidence == "Contraindicated in severe renal impairment"
    assert found.unquoted == 2
    assert LABEL in model.asked[0].user


def test_a_contraindication_is_denied_only_by_words_that_lift_it() -> None:
    said = [
        StatedGroup(patient_characteristics=name, evidence=words, applicability=level)
        for name, words, level in [
            ("anuria", "Contraindicated in anuria.", "Definitely NOT Applicable"),
            ("asthma", "Contraindicated in asthma.", "Definitely Applicable"),
            ("mild asthma", "It may be used in mild asthma.", "Decreased Likelihood"),
        ]
    ]
    label = " ".join(group.evidence for group in said)
    found = keep_groups(said, label=label, relation="contraindication")
    assert [item.patient_characteristics for item in found.items] == ["asthma", "mild asthma"]
    assert found.inverted == 1
    assert keep_groups(said, label=label, relation="indication").inverted == 0


def test_without_a_label_the_models_word_is_kept() -> None:
    found, _ = annotate([group("pregnant", "Avoid."), group("Pregnant", "Again."), group(" ", "")])
    assert [item.patient_characteristics for item in found.items] == ["pregnant"]
    assert (found.unquoted, found.repeated) == (0, 2)


@pytest.mark.parametrize("level", ["definitely not applicable", "Perhaps", ""])
def test_a_level_outside_the_five_is_refused(level: str) -> None:
    with pytest.raises(ParseError):
        annotate([group("pregnant", "Avoid.", level)])


def test_a_long_label_is_cut_and_said_so() -> None:
    found, model = annotate([], LABEL + " x" * LONGEST_LABEL)
    assert found.cut
    assert len(model.asked[0].user) < LONGEST_LABEL + 300


@pytest.mark.parametrize(
    ("evidence", "expected"),
    [
        ("Use with care in the elderly.", True),
        ('"Use with care in the elderly."', True),
        ("use with care in the elderly", False),
        ("renal", False),
        ("", False),
    ],
)
def test_quotes(evidence: str, expected: bool) -> None:
    assert quotes(LABEL, evidence) is expected
