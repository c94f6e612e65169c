"""Properties of matching, the paper's two cases, and the comparison by nodes."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from retrievers.matching import match_item
from retrievers.patient import read_patient
from retrievers.units import convert
from retrievers.validity import validity
from signatures.schema import (
    ConstraintItem,
    ConstraintVerdict,
    Link,
    Node,
    PatientContext,
    PatientFact,
    Quantity,
    Span,
)

SPAN = Span(start=0, end=1, text="x")
UNITS = {
    "glucose": ("mg/dL", "mmol/L", 40, 400),
    "creatinine": ("mg/dL", "umol/L", 0.4, 10),
    "bilirubin": ("mg/dL", "umol/L", 0.3, 20),
    "calcium": ("mg/dL", "mmol/L", 6, 14),
    "uric_acid": ("mg/dL", "umol/L", 2, 14),
    "ldl": ("mg/dL", "mmol/L", 30, 300),
    "triglycerides": ("mg/dL", "mmol/L", 40, 900),
    "hba1c": ("%", "mmol/mol", 4, 14),
    "platelets": ("1/uL", "1e9/L", 5000, 600000),
    "temperature": ("degC", "degF", 34, 42),
    "weight": ("kg", "lb", 10, 150),
    "hemoglobin": ("g/dL", "g/L", 4, 20),
}
WORDS = {"1/uL": "/µL", "1e9/L": "×10⁹/L", "umol/L": "µmol/L", "degC": "°C", "degF": "°F"}
SPOKEN = {"ldl": "LDL", "uric_acid": "uric acid"}
UNRELATED = (
    "She has gout.",
    "He takes metformin.",
    "She denies asthma.",
    "The sodium is 139 mEq/L.",
    "His father had a stroke.",
    "She has never smoked.",
    "He is allergic to penicillin.",
)


def item(text: str, level: str = "Definitely NOT Applicable") -> ConstraintItem:
    return ConstraintItem.model_validate(
        {"patient_characteristics": text, "applicability": level, "evidence": ""}
    )


def measured(analyte: str, value: float, unit: str) -> PatientContext:
    quantity = Quantity(analyte=analyte, low=value, high=value, unit=unit, span=SPAN)
    return PatientContext(quantities=(quantity,))


@settings(deadline=None)
@given(st.data(), st.sampled_from(sorted(UNITS)), st.sampled_from(("<", "≤", ">", "≥")))
def test_converting_units_never_flips_a_verdict(
    data: st.DataObject, analyte: str, sign: str
) -> None:
    unit, other, low, high = UNITS[analyte]
    value = data.draw(st.floats(low, high, allow_nan=False))
    threshold = round(data.draw(st.floats(low, high, allow_nan=False)), 1)
    constraint = item(f"{SPOKEN.get(analyte, analyte)} {sign} {threshold} {WORDS.get(unit, unit)}")
    converted = convert(value, analyte=analyte, source=unit, target=other)
    assert converted is not None
    first = match_item(constraint, measured(analyte, value, unit))
    second = match_item(constraint, measured(analyte, converted, other))
    assert first.match in ("MET", "NOT_MET"), first.audit
    assert first.match == second.match, (first.audit, second.audit)


@settings(deadline=None)
@given(
    st.sampled_from(
        (
            ("eGFR < 30 mL/min/1.73 m²", "A 70-year-old woman has an eGFR of 24."),
            ("age ≥ 65 years", "A 70-year-old woman has an eGFR of 24."),
            ("pregnant", "A 30-year-old woman is 20 weeks pregnant."),
            ("taking warfarin", "A 70-year-old woman takes warfarin."),
            ("heart failure", "A 70-year-old woman has no heart failure."),
            ("severe renal impairment", "A 70-year-old woman has an eGFR of 24."),
        )
    ),
    st.lists(st.sampled_from(UNRELATED), unique=True),
)
def test_unrelated_facts_change_nothing(case: tuple[str, str], more: list[str]) -> None:
    constraint, patient = item(case[0]), case[1]
    alone = match_item(constraint, read_patient(patient)).match
    together = match_item(constraint, read_patient(" ".join((patient, *more)))).match
    assert alone == together != "INDETERMINATE"


@settings(deadline=None)
@given(st.integers(5, 120))
def test_without_the_deciding_fact_nothing_is_decided(egfr: int) -> None:
    patient = read_patient(f"A 70-year-old woman with gout has an eGFR of {egfr}.")
    constraint = item("eGFR < 30 mL/min/1.73 m²")
    assert match_item(constraint, patient).match == ("MET" if egfr < 30 else "NOT_MET")
    bare = patient.model_copy(update={"quantities": ()})
    assert match_item(constraint, bare).match == "INDETERMINATE"


def test_the_audit_names_value_threshold_verdict_and_source() -> None:
    verdict = match_item(item("eGFR < 30 mL/min/1.73 m²"), read_patient("She has an eGFR of 24."))
    assert verdict.audit == ("eGFR 24 mL/min/1.73 m² < 30 → MET; from 'eGFR of 24'",)


def test_every_leaf_is_in_the_audit() -> None:
    verdict = match_item(
        item("age ≥65 AND (eGFR <30 or diabetes)"), read_patient("A 50-year-old man")
    )
    assert len(verdict.audit) == 3


def as_verdicts(items: list[ConstraintItem], patient: PatientContext) -> list[ConstraintVerdict]:
    return [
        ConstraintVerdict(
            id=f"e1.{place}", item=one, match=found.match, decided_by="rules", audit=found.audit
        )
        for place, one in enumerate(items)
        for found in (match_item(one, patient),)
    ]


def test_paper_case_tendinopathy() -> None:
    """QKG §5.2: age, smoking, alcohol and the time since ciprofloxacin make the relation hold."""
    patient = read_patient(
        "A 63-year-old man has pain above the heel. He smokes a pack of cigarettes per day and "
        "drinks two beers every evening. He finished a course of ciprofloxacin 10 days ago."
    )
    raised = item(
        "at least 3 of: age > 60 years, current smoker, alcohol use, "
        "fluoroquinolone use within the past 30 days",
        "Increased Likelihood",
    )
    items = [item("general population", "Not Determinable"), raised]
    assert [v.match for v in as_verdicts(items, patient)] == ["MET", "MET"]
    assert validity(as_verdicts(items, patient), "drug_effect").value == 0.75
    young = read_patient("A 25-year-old man who has never smoked does not drink alcohol.")
    assert match_item(raised, young).match == "NOT_MET"


def test_paper_case_thrombolysis() -> None:
    """QKG §5.2: a platelet count of 95,000/mm³ against the threshold of 100,000 for IV tPA."""
    items = [
        item("general population", "Definitely Applicable"),
        item("platelet count < 100,000/mm³"),
    ]
    patient = read_patient("A 68-year-old man; laboratory: platelet count of 95,000/mm³.")
    found = validity(as_verdicts(items, patient), "indication")
    assert (found.value, found.label, found.ruled_out) == (0.0, "AVOID", True)
    enough = read_patient("A 68-year-old man; laboratory: platelet count of 105,000/mm³.")
    assert validity(as_verdicts(items, enough), "indication").label == "RECOMMENDED"


def node(index: int, name: str, kind: str = "disease") -> Node:
    return Node(index=index, id=str(index), type=kind, name=name, source="test")


class NamesOf:
    """A linker of two names."""

    def __init__(self, nodes: dict[str, Node]) -> None:
        self.nodes = nodes

    def link_name(self, name: str, *, types: frozenset[str] | None = None) -> Link:
        found = self.nodes.get(name)
        method = "exact" if found else "none"
        return Link(
            mention=name, start=0, end=len(name), node=found, method=method, score=100, reason=""
        )


def had(name: str, at: Node) -> PatientContext:
    fact = PatientFact(name=name, kind="diagnosis", assertion="present", node=at, span=SPAN)
    return PatientContext(facts=(fact,))


def test_names_are_compared_by_node_when_both_link() -> None:
    nephropathy = node(7, "diabetic kidney damage")
    linker = NamesOf({"glomerular syndrome": nephropathy})
    patient = had("kidney trouble of diabetes", nephropathy)
    constraint = item("glomerular syndrome")
    assert match_item(constraint, patient).match == "INDETERMINATE"
    assert match_item(constraint, patient, linker=linker).match == "MET"


def test_a_kind_of_disease_answers_for_the_disease() -> None:
    parent, child = node(1, "parent syndrome"), node(2, "child syndrome")
    linker = NamesOf({"parent syndrome": parent, "child syndrome": child})

    def is_a(first: Node, second: Node) -> bool:
        return (first.index, second.index) == (2, 1)

    match = match_item(item("parent syndrome"), had("child x", child), is_a=is_a, linker=linker)
    assert match.match == "MET"
    open_ = match_item(item("child syndrome"), had("parent x", parent), is_a=is_a, linker=linker)
    assert open_.match == "INDETERMINATE"
