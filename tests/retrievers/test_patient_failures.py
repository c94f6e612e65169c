"""Section F of the known failures, each input with its right outcome, by its number."""

from __future__ import annotations

import math

import pytest

from data.primekg import read_constraints
from retrievers.expressions import parse_condition
from retrievers.matching import match_item
from retrievers.patient import read_patient
from retrievers.unit_spellings import read_unit
from retrievers.validity import validity
from signatures.errors import GraphFileError
from signatures.schema import ConstraintItem, ConstraintVerdict


def match(constraint: str, patient: str) -> str:
    item = ConstraintItem(
        patient_characteristics=constraint, applicability="Definitely Applicable", evidence=""
    )
    return match_item(item, read_patient(patient)).match


@pytest.mark.parametrize(
    ("written", "unit"),
    [("/mm³", "1/uL"), ("kg/m²", "kg/m^2"), ("10⁹/L", "1e9/L"), ("10*9/L", "1e9/L"),
     ("mL/min/1.73 m²", "mL/min/1.73m2"), ("×10^9/L", "1e9/L")],
)  # fmt: skip
def test_f06_exponents_are_read(written: str, unit: str) -> None:
    assert read_unit(written) == unit


@pytest.mark.parametrize(
    ("constraint", "value", "expected"),
    [
        ("age ≥65 years", "A 65-year-old man", "MET"),
        ("age =>65 years", "A 65-year-old man", "MET"),
        ("at least 65 years old", "A 65-year-old man", "MET"),
        ("65 years or older", "A 65-year-old man", "MET"),
        ("over 65 years", "A 65-year-old man", "NOT_MET"),
        ("age > 65 years", "A 65-year-old man", "NOT_MET"),
        ("eGFR <30", "eGFR 30 mL/min/1.73 m²", "NOT_MET"),
        ("eGFR less than 30", "eGFR 29.9 mL/min/1.73 m²", "MET"),
        ("INR not more than 3", "INR 3.0", "MET"),
        ("INR not more than 3", "INR 3.1", "NOT_MET"),
        ("HbA1c >9%", "HbA1c 9.0%", "NOT_MET"),
        ("HbA1c ≥ 9.0% or 75 mmol/mol", "HbA1c 75 mmol/mol", "MET"),
    ],
)
def test_f10_comparators_are_exact_at_the_boundary(
    constraint: str, value: str, expected: str
) -> None:
    assert match(constraint, value) == expected


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("18-month-old", 1.5, 1.5),
        ("3-day-old neonate", 0.008, 0.008),
        ("6 wk", 0.115, 0.115),
        ("7 y.o.", 7, 7),
        ("72F", 72, 72),
        ("a man in his 60s", 60, 69),
        ("sixty-two-year-old", 62, 62),
    ],
)
def test_f11_age_units(text: str, low: float, high: float) -> None:
    age = read_patient(text).age
    assert age is not None
    assert (age.low, age.high) == pytest.approx((low, high), abs=5e-4)


def test_f12_a_duration_is_no_age() -> None:
    text = "45-year-old with a 3-year history of diabetes and 20 pack-years"
    age = read_patient(text).age
    assert age is not None
    assert (age.low, age.high) == (45, 45)


@pytest.mark.parametrize(
    ("text", "pregnant", "trimester"),
    [
        ("28 weeks' gestation", True, 3),
        ("G2P1 at 32w4d", True, 3),
        ("first trimester", True, 1),
        ("6 weeks postpartum", False, None),
        ("not pregnant", False, None),
        ("β-hCG negative", False, None),
    ],
)
def test_f13_pregnancy(text: str, pregnant: bool, trimester: int | None) -> None:
    patient = read_patient(text)
    assert patient.pregnancy is not None
    assert (patient.pregnancy.pregnant, patient.pregnancy.trimester) == (pregnant, trimester)
    assert patient.age is None


def test_f13_weeks_and_days_and_breastfeeding() -> None:
    pregnancy = read_patient("G2P1 at 32w4d").pregnancy
    assert pregnancy is not None
    assert pregnancy.weeks == pytest.approx(32 + 4 / 7)
    assert read_patient("breastfeeding").lactating is True


def test_f13_postpartum_is_a_state_of_its_own() -> None:
    (birth,) = read_patient("6 weeks postpartum").facts
    assert (birth.name, birth.days_ago) == ("childbirth", 42)
    assert match("postpartum", "6 weeks postpartum") == "MET"


@pytest.mark.parametrize(
    ("constraint", "leaves"),
    [
        ("age ≥65 AND eGFR <30", 2),
        ("diabetes OR CKD", 2),
        ("unless on dialysis", 1),
        ("without heart failure", 1),
    ],
)
def test_f15_every_leaf_of_a_composite_is_in_the_audit(constraint: str, leaves: int) -> None:
    item = ConstraintItem(
        patient_characteristics=constraint, applicability="Definitely Applicable", evidence=""
    )
    verdict = match_item(item, read_patient("A man"))
    assert verdict.match == "INDETERMINATE"
    assert sum("→" in line for line in verdict.audit) >= leaves


def test_f16_the_specific_item_wins_over_the_general_one() -> None:
    patient = read_patient("A 30-year-old woman at 20 weeks' gestation")
    levels = (
        ("general population", "Definitely Applicable"),
        (
            "pregnant",
            "Definitely NOT Applicable",
        ),
    )
    verdicts = []
    for number, (group, level) in enumerate(levels):
        item = ConstraintItem.model_validate(
            {"patient_characteristics": group, "applicability": level, "evidence": ""}
        )
        found = match_item(item, patient)
        verdicts.append(
            ConstraintVerdict(
                id=f"e1.{number}", item=item, match=found.match, decided_by="rules",
                audit=found.audit,
            )
        )  # fmt: skip
    found_validity = validity(verdicts, "indication")
    assert (found_validity.value, found_validity.label) == (0.0, "AVOID")


@pytest.mark.parametrize("level", ["increased likelihood", "NOT DETERMINABLE"])
def test_f17_levels_are_read_in_any_case(tmp_path, level: str) -> None:  # type: ignore[no-untyped-def]
    assert next(constraint_lines(tmp_path, level)).items[0].applicability.lower() == level.lower()


@pytest.mark.parametrize("level", ["Increased Likelyhood", "", "maybe"])
def test_f17_a_level_with_a_slip_is_refused(tmp_path, level: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(GraphFileError):
        next(constraint_lines(tmp_path, level))


def constraint_lines(folder, level: str):  # type: ignore[no-untyped-def]
    import json

    line = {
        "triplet": {"x": {"name": "a"}, "relation": "indication", "y": {"name": "b"}},
        "relation_constraints": [
            {"patient_characteristics": "x", "applicability": level, "evidence": ""}
        ],
    }
    file = folder / "c.jsonl"
    file.write_text(json.dumps(line) + "\n")
    return read_constraints(file)


@pytest.mark.parametrize(
    ("patient", "expected"),
    [("A 40-year-old man", "NOT_MET"), ("They feel ill.", "INDETERMINATE"),
     ("The patient feels ill.", "INDETERMINATE")],
)  # fmt: skip
def test_f18_sex_specific(patient: str, expected: str) -> None:
    assert match("pregnant", patient) == expected


@pytest.mark.parametrize(
    ("text", "analyte", "value"),
    [
        ("Na 128 mEq/L (normal 135-145)", "sodium", 128),
        ("Platelets 95,000/mm3 (N: 150,000–400,000)", "platelets", 95_000),
        ("potassium (reference 3.5-5.0) 5.9 mmol/L", "potassium", 5.9),
    ],
)
def test_f20_the_reference_range_is_not_the_value(text: str, analyte: str, value: float) -> None:
    (found,) = read_patient(text).quantities
    assert (found.analyte, found.low) == (analyte, value)


@pytest.mark.parametrize(
    "text",
    [
        "glucose-6-phosphate dehydrogenase deficiency",
        "a sodium-glucose cotransporter-2 inhibitor",
        "calcium-2 channel",
        "albumin 25% infusion",
        "glucose 5% in water",
        "sodium chloride 0.9%",
        "calcium 600 mg daily",
        "magnesium 2 g intravenously",
        "LDL 2 receptor",
        "creatinine kinase 3",
        "amylase 3 isoenzyme",
        "glucose 3+ on the dipstick",
        "weight at the 5th percentile",
        "potassium 20 mEq tablets",
        "lipase 3 times a day",
        "alpha-1-antitrypsin and beta-2-microglobulin",
        "vitamin B12 supplement",
        "25-hydroxyvitamin D",
        "hemoglobin A1 variant",
    ],
)
def test_a_number_inside_a_name_is_no_value(text: str) -> None:
    assert read_patient(f"He has {text}.").quantities == ()


@pytest.mark.parametrize(
    ("text", "analyte", "value"),
    [
        ("glucose 310", "glucose", 310),
        ("K+ 5.9", "potassium", 5.9),
        ("glucose-310 mg/dL", None, None),
        ("lactate dehydrogenase 300 U/L", "ldh", 300),
        ("HbA1c 9.2%", "hba1c", 9.2),
        ("T-score -2.8", "t_score", -2.8),
        ("platelets are 95,000", "platelets", 95_000),
    ],
)
def test_values_beside_such_names_are_still_read(
    text: str, analyte: str | None, value: float | None
) -> None:
    found = {q.analyte: q.low for q in read_patient(f"He has {text}.").quantities}
    assert found == ({} if analyte is None else {analyte: value})


def test_a_multiple_of_the_limit_is_a_unit_of_its_own() -> None:
    (found,) = read_patient("His ALT is 5 times the upper limit of normal.").quantities
    assert (found.analyte, found.low, found.unit) == ("alt", 5, "xULN")
    leaf = parse_condition("ALT > 3 × ULN")
    assert leaf is not None
    assert not math.isinf(leaf.times.low)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("No known allergies except aspirin.", {("aspirin", "allergy")}),
        ("Pulmonary embolism cannot be excluded.", set()),
        ("Rule out heart failure.", set()),
        ("RA factor negative.", set()),
        ("A man without asthma, on digoxin.", {("asthma", "absent"), ("digoxin", "present")}),
    ],
)
def test_a_possibility_a_test_and_an_exception_are_read_as_such(
    text: str, facts: set[tuple[str, str]]
) -> None:
    assert {(fact.name.casefold(), fact.assertion) for fact in read_patient(text).facts} == facts


@pytest.mark.parametrize(
    "text",
    [
        "He denies chest pain, heart failure or haematuria. He is allergic to penicillin.",
        "He has no gout, heart failure or COPD and is allergic to penicillin.",
        "He denies gout, heart failure or haematuria but has asthma.",
    ],
)
def test_a_denied_list_ends_before_the_next_verb(text: str) -> None:
    found = {fact.name: fact.assertion for fact in read_patient(text).facts}
    assert found["heart failure"] == "absent"


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("A woman with gout. Her husband has chronic kidney disease and an eGFR of 20.",
         {("gout", "present")}),
        ("A man. His wife, a 60-year-old woman with asthma, accompanies him.", set()),
        ("His roommate has heart failure.", set()),
        ("His elderly wife has COPD.", set()),
        ("A man whose twin brother takes warfarin for atrial fibrillation.",
         {("atrial fibrillation", "family")}),
        ("A 3-month-old infant. Mother is breastfeeding and takes sertraline.", set()),
        ("His mother is allergic to penicillin and had a creatinine of 3.", set()),
        ("His wife has asthma. She takes warfarin. She is breastfeeding. He has gout.",
         {("gout", "present")}),
        ("A man came with his wife, who has asthma and HIV, and has diabetes.",
         {("diabetes", "present")}),
        ("Her husband's eGFR is 20.", set()),
    ],
)  # fmt: skip
def test_another_person_is_not_the_patient(text: str, facts: set[tuple[str, str]]) -> None:
    patient = read_patient(text)
    assert {(fact.name, fact.assertion) for fact in patient.facts} == facts
    assert patient.quantities == ()
    assert patient.lactating is None
    assert patient.age is None or patient.age.low == 0.25


@pytest.mark.parametrize(
    "text",
    [
        "His wife reports that he has asthma.",
        "He lives with his wife, a nurse, and has asthma.",
        "He lives with his wife and has asthma.",
        "A man accompanied by his wife was found to have asthma.",
        "A man whose wife has HIV presents with asthma.",
        "His mother is here because of his asthma.",
        "His wife recently noticed asthma.",
        "Her husband has gout and she has asthma.",
        "The wife states that her husband has asthma.",
        "A man is brought in by his roommate with asthma.",
        "A boy is brought by his mother with asthma.",
        "A man is brought by his wife, a day after he had asthma.",
    ],
)
def test_what_another_person_tells_is_the_patients(text: str) -> None:
    found = [(fact.name, fact.assertion) for fact in read_patient(text).facts]
    assert found == [("asthma", "present")]


@pytest.mark.parametrize(
    ("text", "analyte", "value"),
    [
        ("eGFR was 24 in 2019, now 75", "egfr", 75),
        ("In 2019 his eGFR was 24; now it is 75.", "egfr", 75),
        ("eGFR was 24 in 2019. eGFR is 75.", "egfr", 75),
        ("His eGFR was 24 last year and is 75 now.", "egfr", 75),
        ("eGFR was 45 two years ago, now 22", "egfr", 22),
        ("Baseline creatinine 1.1 mg/dL rose to 3.9 mg/dL.", "creatinine", 3.9),
        ("Creatinine was 1.1 mg/dL at baseline and 3.9 mg/dL today.", "creatinine", 3.9),
        ("eGFR fell from 70 to 24", "egfr", 24),
        ("INR 2.5, now 65 years old", "inr", 2.5),
        ("eGFR was 24 last year.", "egfr", 24),
        ("Sodium 130 today.", "sodium", 130),
    ],
)
def test_the_newest_value_counts(text: str, analyte: str, value: float) -> None:
    (found,) = read_patient(text).quantities
    assert (found.analyte, found.low, found.high) == (analyte, value, value)
    assert text[found.span.start : found.span.end] == found.span.text


@pytest.mark.parametrize(
    ("text", "systolic", "diastolic"),
    [
        ("BP was 180/110 last month, now 132/84", 132, 84),
        ("BP 180/110 last month and 132/84 today.", 132, 84),
        ("BP 180/110 (last week), 132/84 (today)", 132, 84),
        ("BP was 180/110. It is now 132/84.", 132, 84),
        ("His blood pressure was 180/110 mmHg a year ago; today it is 132/84 mmHg.", 132, 84),
        ("Blood pressure fell from 180/110 to 132/84.", 132, 84),
        ("BP improved from 180/110 last year to 132/84.", 132, 84),
        ("BP: 180/110 mmHg (2 weeks ago) -> 132/84 mmHg", 132, 84),
        ("Blood pressure, 180/110 mmHg at baseline, has dropped to 132/84 mmHg.", 132, 84),
        ("BP 132/84 today (180/110 mmHg last month)", 132, 84),
        ("BP 132/84 (previously 180/110)", 132, 84),
        ("Previously BP 180/110 mmHg, currently BP 132/84 mmHg.", 132, 84),
        ("Last year his BP was 180/110. BP today is 132/84.", 132, 84),
        ("BP was 132/84 in 2019, 180/110 now", 180, 110),
        ("BP was 180/110 last month.", 180, 110),
    ],
)
def test_the_newest_blood_pressure_counts(text: str, systolic: float, diastolic: float) -> None:
    found = {q.analyte: (q.low, q.high) for q in read_patient(text).quantities}
    assert found == {"systolic_bp": (systolic,) * 2, "diastolic_bp": (diastolic,) * 2}
    assert all(
        text[q.span.start : q.span.end] == q.span.text for q in read_patient(text).quantities
    )


def test_two_present_blood_pressures_are_both_kept() -> None:
    text = "Blood pressure is 150/90 mm Hg in the right arm and 138/88 mm Hg in the left."
    assert [q.low for q in read_patient(text).quantities] == [150, 90, 138, 88]
    assert match("systolic blood pressure > 140 mmHg", text) == "INDETERMINATE"


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("CKD stage 4 (eGFR 24)", [(24, 24)]),
        ("stage 3 CKD with an eGFR of 45 mL/min/1.73m2", [(45, 45)]),
        ("stage 4 CKD (eGFR 24), eGFR 50 in 2019", [(24, 24)]),
        ("CKD stage 3b, eGFR now 35", [(35, 35)]),
        ("CKD stage 3, eGFR 24", [(30, 60), (24, 24)]),
        ("CKD stage 4", [(15, 30)]),
    ],
)
def test_a_measured_value_wins_over_the_range_of_a_stage(
    text: str, values: list[tuple[float, float]]
) -> None:
    found = [(q.low, q.high) for q in read_patient(text).quantities if q.analyte == "egfr"]
    assert found == [pytest.approx(value, rel=1e-5) for value in values]


def test_a_stage_and_a_value_that_contradict_it_decide_nothing() -> None:
    assert match("eGFR < 30", "CKD stage 3, eGFR 24") == "INDETERMINATE"
    assert match("eGFR < 20", "CKD stage 4 (eGFR 24)") == "NOT_MET"
    assert match("eGFR < 20", "CKD stage 4") == "INDETERMINATE"


@pytest.mark.parametrize(
    ("text", "sex"),
    [
        ("A 30-year-old mother of two has asthma.", "female"),
        ("A 30-year-old single mother has asthma.", "female"),
        ("A 62-year-old father of 3 with asthma asks for advice.", "male"),
        ("A 70-year-old grandmother of four has asthma.", "female"),
        ("The patient, a mother of three, has asthma.", "female"),
        ("A 34-year-old woman, mother of two young children, has asthma.", "female"),
        ("She is a stepmother of several children and has asthma.", "female"),
        ("A parent of twins, he has asthma.", "male"),
        ("The patient is a 52-year-old father of four teenagers and has asthma.", "male"),
    ],
)
def test_a_parent_of_children_is_the_patient(text: str, sex: str) -> None:
    patient = read_patient(text)
    assert [(fact.name, fact.assertion) for fact in patient.facts] == [("asthma", "present")]
    assert patient.sex == sex
    assert patient.age is None or text.startswith(patient.age.span.text, patient.age.span.start)
    assert all(text[f.span.start : f.span.end] == f.span.text for f in patient.facts)


@pytest.mark.parametrize(
    "text",
    [
        "Her mother has asthma.",
        "mother with asthma",
        "His father, a father of six, has asthma.",
        "Her sister, a mother of two, has asthma.",
        "Her mother of two has asthma.",
        "The mother of the patient has asthma.",
        "The mother of the boy has asthma.",
        "A 3-week-old boy was born to a 30-year-old mother with asthma.",
        "A father of two boys with asthma asks for advice.",
    ],
)
def test_a_parent_of_the_patient_is_family(text: str) -> None:
    found = [(fact.name, fact.assertion) for fact in read_patient(text).facts]
    assert found == [("asthma", "family")]


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("He previously took metformin, which was discontinued because of lactic acidosis.",
         {("metformin", "stopped"), ("lactic acidosis", "present")}),
        ("He took lisinopril, but it was stopped.", {("lisinopril", "stopped")}),
        ("He takes metformin and aspirin, which was stopped.",
         {("metformin", "present"), ("aspirin", "stopped")}),
        ("He previously took aspirin and now takes warfarin.",
         {("aspirin", "past"), ("warfarin", "present")}),
    ],
)  # fmt: skip
def test_a_drug_that_was_ended_is_not_taken(text: str, facts: set[tuple[str, str]]) -> None:
    assert {(fact.name, fact.assertion) for fact in read_patient(text).facts} == facts


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("PMH: HTN, T2DM, CKD stage 4 (eGFR was 45 two years ago, now 22), HFrEF",
         {"HTN": None, "T2DM": None, "CKD": None, "HFrEF": None}),
        ("HTN, stroke (2 weeks ago), CKD", {"HTN": None, "stroke": 14, "CKD": None}),
    ],
)  # fmt: skip
def test_a_time_in_brackets_does_not_spread(text: str, days: dict[str, float | None]) -> None:
    assert {fact.name: fact.days_ago for fact in read_patient(text).facts} == days
