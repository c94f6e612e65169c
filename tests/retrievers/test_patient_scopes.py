"""How far a cue reaches: across commas, back over a name, to other people and other times."""

from __future__ import annotations

import pytest

from retrievers.patient import read_patient


def told(text: str) -> dict[str, str]:
    return {fact.name: fact.assertion for fact in read_patient(text).facts}


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("He denies dyspnea, gout since his twenties.", "gout", "present"),
        ("No acute distress, known epilepsy, on lamotrigine.", "epilepsy", "present"),
        ("Not in pain, diabetic.", "diabetic", "present"),
        ("Alcohol denied, gout diagnosed at 40.", "gout", "present"),
        ("She has no illnesses other than epilepsy.", "epilepsy", "present"),
        ("No recent gout flares.", "gout", "present"),
        ("She has no complaints from her asthma.", "asthma", "present"),
        ("No injury, previously well girl with fever.", "fever", "present"),
        ("No fever, 30-year-old woman with asthma.", "asthma", "present"),
        ("No smoking, asthma treated with salbutamol.", "salbutamol", "present"),
        ("No family history of cancer, gout since childhood.", "gout", "present"),
        ("Heart failure absent, gout (+).", "gout", "present"),
        ("He stopped phenelzine 10 days ago, asthma.", "asthma", "present"),
        ("Denies fever, nausea, cough or gout.", "gout", "absent"),
        ("No gout, asthma or heart failure since childhood.", "heart failure", "absent"),
        ("No epilepsy, COPD, or asthma.", "epilepsy", "absent"),
        ("No history of gout, prior stroke, or asthma.", "stroke", "absent"),
        ("She is not asthmatic, diabetic or hypertensive.", "hypertensive", "absent"),
        ("He does not take his warfarin.", "warfarin", "absent"),
    ],
)
def test_a_scope_ends_where_a_piece_stands_alone(text: str, name: str, expected: str) -> None:
    assert told(text)[name] == expected


@pytest.mark.parametrize(
    "after",
    [" excluded", ": no", " (-)", ": negative", " - none", ": absent", " ruled out by imaging",
     " was suspected but dismissed", "? No", " no, otherwise well", " (neg)",
     " has been excluded by echocardiography"],
)  # fmt: skip
def test_a_negation_after_the_name(after: str) -> None:
    assert told(f"A man with hypertension, heart failure{after}.") == {
        "hypertension": "present",
        "heart failure": "absent",
    }


@pytest.mark.parametrize(
    "after",
    [", absent breath sounds", ": no wheeze", " - no recent attacks", ", no fever",
     "; excluded food", ", negative troponin", ""],
)  # fmt: skip
def test_a_negation_of_what_comes_next(after: str) -> None:
    assert told(f"He has asthma{after}.")["asthma"] == "present"


@pytest.mark.parametrize(
    "text",
    ["Pneumonia cannot be ruled out.", "We cannot exclude gout.", "Gout? Unclear.",
     "Gout unlikely.",
     "Does he have gout?", "Gout was never confirmed.", "Denies fatigue, gout for 3 days.",
     "No gout attacks.", "No allergies, gout.", "Gout is suspected.", "Her HIV-negative husband."],
)  # fmt: skip
def test_what_is_unclear_is_left_out(text: str) -> None:
    names = {"gout", "pneumonia", "hiv"}
    assert not {name for name in told(text) if name.lower() in names}


def test_pairs_and_questions_are_answered() -> None:
    assert told("gout/epilepsy: neither") == {"gout": "absent", "epilepsy": "absent"}
    assert told("Does she have gout? Yes.").get("gout") != "absent"
    assert told("He is not known to have gout.") == {"gout": "absent"}
    assert told("Which drug is best for a man with gout?") == {"gout": "present"}


@pytest.mark.parametrize(
    "text",
    ["Penicillin allergy ruled out.", "Allergy to penicillin denied.", "No allergy to penicillin.",
     "He is not allergic to penicillin."],
)  # fmt: skip
def test_a_denied_allergy_is_no_allergy(text: str) -> None:
    assert "penicillin" not in {name.lower() for name in told(text)}


def test_an_allergy_after_a_denial_stays() -> None:
    assert told("No fever, penicillin allergy.")["penicillin"] == "allergy"
    assert told("No allergies other than penicillin.")["penicillin"] == "allergy"


@pytest.mark.parametrize(
    ("after", "expected"),
    [(" negative", "absent"), ("-negative", "absent"), (": not detected", "absent"),
     (" allele absent", "absent"), (" test was negative", "absent"), ("", "present")],
)  # fmt: skip
def test_genotypes(after: str, expected: str) -> None:
    facts = told(f"A man with gout, HLA-B*58:01{after}.")
    assert [facts[name] for name in facts if name.startswith("HLA-B")] == [expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A man with gout, wife takes metformin for diabetes.", {"gout": "present"}),
        ("A man with gout, his cat has asthma.", {"gout": "present"}),
        ("A man with gout, donor had asthma.", {"gout": "present"}),
        ("Her roommate, a father of three, has asthma.", {}),
        ("Her partner, 44, has asthma; she has gout.", {"gout": "present"}),
        ("A living kidney donor has gout.", {"gout": "present"}),
        ("FHx: epilepsy. PMH: gout.", {"epilepsy": "family", "gout": "present"}),
        ("Breast cancer in an aunt.", {"Breast cancer": "family"}),
        ("Gout, breast cancer in a cousin.", {"Gout": "present", "breast cancer": "family"}),
        ("Gout, no asthma in the family.",
         {"Gout": "present", "family history of asthma": "absent"}),
        ("Family history negative for gout.", {"family history of gout": "absent"}),
        ("No one in her family has gout.", {"family history of gout": "absent"}),
        ("Family history is unremarkable, gout.", {"gout": "present"}),
    ],
)  # fmt: skip
def test_other_people(text: str, expected: dict[str, str]) -> None:
    assert told(text) == expected


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Her husband, 71, has an eGFR of 20; hers is 85.", 85.0),
        ("His sister has a creatinine of 3.2, his is 1.1.", 1.1),
    ],
)
def test_the_patients_own_value_beside_anothers(text: str, value: float) -> None:
    assert [quantity.low for quantity in read_patient(text).quantities] == [value]


@pytest.mark.parametrize(
    ("text", "age", "sex"),
    [
        ("A 29-year-old mother brings her 5-year-old son who has gout.", 5.0, "male"),
        ("A 40-year-old woman brought her 3-month-old daughter with gout.", 0.25, "female"),
        ("A 41-year-old father of a 2-year-old girl has gout.", 41.0, "male"),
        ("A mother of a 3-year-old boy calls; he has gout.", 3.0, "male"),
    ],
)
def test_parents_and_children(text: str, age: float, sex: str) -> None:
    patient = read_patient(text)
    assert patient.age is not None
    assert (patient.age.low, patient.sex) == (age, sex)
    assert told(text) == {"gout": "present"}


def test_a_mothers_age_is_not_her_childs() -> None:
    assert read_patient("A mother aged 30 brings her son. The boy has gout.").age is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("She was pregnant two years ago.", None),
        ("She was pregnant last year.", None),
        ("It is unclear whether she is pregnant.", None),
        ("She thinks she may be pregnant.", None),
        ("She had preeclampsia in her first pregnancy.", None),
        ("She is not expecting a baby.", None),
        ("A woman expecting twins has gout.", True),
        ("A gravid woman has gout.", True),
        ("She is currently pregnant.", True),
        ("She was found to be pregnant.", True),
        ("A woman in her second pregnancy.", True),
        ("She is not pregnant.", False),
    ],
)
def test_pregnancy(text: str, expected: bool | None) -> None:
    found = read_patient(text).pregnancy
    assert (None if found is None else found.pregnant) is expected


@pytest.mark.parametrize(
    ("text", "name", "expected", "days"),
    [
        ("Gout, seizure 2 years ago.", "seizure", "past", 730.5),
        ("Gout, seizure 2 years ago.", "Gout", "present", None),
        ("Gout, had an abortion last year.", "Gout", "present", None),
        ("Last dose of sacubitril 3 days ago.", "sacubitril", "past", 3.0),
        ("She was on sacubitril until yesterday.", "sacubitril", "past", 1.0),
        ("Took amoxicillin, rifampin and metronidazole 5 days ago.", "amoxicillin", "past", 5.0),
        ("Asthma resolved in childhood. Which drug should be started?", "Asthma", "past", None),
        ("He used to have asthma.", "asthma", "past", None),
        ("History of asthma, resolved.", "asthma", "past", None),
        ("Asthma, pneumonia resolved.", "Asthma", "present", None),
        ("Gestational diabetes in a previous pregnancy.", "Gestational diabetes", "past", None),
        ("He used heroin in the past but stopped.", "heroin", "past", None),
        ("His asthma is no longer present.", "asthma", "past", None),
    ],
)
def test_times(text: str, name: str, expected: str, days: float | None) -> None:
    fact = next(fact for fact in read_patient(text).facts if fact.name == name)
    assert (fact.assertion, fact.days_ago) == (expected, days)
