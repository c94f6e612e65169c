"""What is told of relatives, and the family history that is given or denied."""

from __future__ import annotations

import pytest

from retrievers.patient import read_patient


def told(text: str) -> dict[str, str]:
    return {fact.name: fact.assertion for fact in read_patient(text).facts}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Dad has gout.", {"gout": "family"}),
        ("She says mum has osteoporosis.", {"osteoporosis": "family"}),
        ("Her mom has asthma.", {"asthma": "family"}),
        ("A woman with gout. Her daughter is allergic to penicillin.", {"gout": "present"}),
        ("A woman with gout. Her son takes warfarin.", {"gout": "present"}),
        ("A woman with gout. Niece is allergic to penicillin.", {"gout": "present"}),
        ("A man with gout. Nephew: epilepsy.", {"gout": "present", "epilepsy": "family"}),
        ("A woman with gout. Mother on insulin.", {"gout": "present"}),
        ("A man with gout. Grandfather on warfarin.", {"gout": "present"}),
        ("A woman with gout. Mother is allergic to sulfa.", {"gout": "present"}),
        ("Mother: T2DM. Father: HTN", {"T2DM": "family", "HTN": "family"}),
        ("Mother: T2DM, father: HTN, PMH: gout",
         {"T2DM": "family", "HTN": "family", "gout": "present"}),
        ("Father (gout), sister (asthma). Takes warfarin.",
         {"gout": "family", "asthma": "family", "warfarin": "present"}),
        ("Father (52) has gout.", {"gout": "family"}),
        ("Gout. T2DM (father).", {"Gout": "present", "T2DM": "family"}),
        ("Gout, T2DM (mother and maternal aunt).", {"Gout": "present", "T2DM": "family"}),
        ("Both parents were hypertensive.", {"hypertensive": "family"}),
        ("Gout. Both her parents were hypertensive.",
         {"Gout": "present", "hypertensive": "family"}),
        ("A newborn, mother is 32 and has T1DM and takes insulin.", {"T1DM": "family"}),
        ("A newborn whose mother took valproic acid.", {}),
        ("A boy born at 38 weeks to a 30-year-old woman with T1DM has jaundice.",
         {"T1DM": "family", "jaundice": "present"}),
        ("A 2-day-old infant of a diabetic mother.", {"diabetic": "family"}),
    ],
)  # fmt: skip
def test_what_is_told_of_kin_is_not_the_patients(text: str, expected: dict[str, str]) -> None:
    assert told(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Her daughter is pregnant.",
        "A woman with gout. Niece is pregnant.",
        "Mom is pregnant. A girl with acne.",
        "A boy was born to a 30-year-old woman who was pregnant with twins.",
    ],
)
def test_the_pregnancy_of_kin_is_not_the_patients(text: str) -> None:
    assert read_patient(text).pregnancy is None


def test_the_age_of_the_woman_who_bore_the_patient() -> None:
    patient = read_patient("A newborn boy, born to a 30-year-old woman with T1DM, has jaundice.")
    assert patient.age is not None
    assert (patient.age.high < 1, patient.sex) == (True, "male")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A 30-year-old mother of two takes insulin.", {"insulin": "present"}),
        ("The patient, a father of three, is on warfarin.", {"warfarin": "present"}),
        ("Mother is on insulin, fetus well.", {"insulin": "present"}),
        ("A mother on insulin is 12 weeks pregnant.", {"insulin": "present"}),
        ("Mother says he is on warfarin.", {"warfarin": "present"}),
        ("His father on the phone says he takes warfarin.", {"warfarin": "present"}),
        ("History from mother: he has asthma.", {"asthma": "present"}),
        ("Her daughter says she takes warfarin.", {"warfarin": "present"}),
        ("She lives with her daughter. She takes warfarin.", {"warfarin": "present"}),
        ("Her daughter is here because of gout.", {"gout": "present"}),
        ("Asthma (mother reports wheeze).", {"Asthma": "present"}),
        ("MOM on hold, gout.", {"gout": "present"}),
        ("Grandmother of 4, has gout.", {"gout": "present"}),
    ],
)
def test_what_is_told_of_the_patient_beside_kin(text: str, expected: dict[str, str]) -> None:
    assert told(text) == expected


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Strong FH of IHD.", ["IHD"]),
        ("FH of premature CAD.", ["CAD"]),
        ("A man. FH gout, T2DM.", ["gout", "T2DM"]),
        ("F/H: gout.", ["gout"]),
        ("FH - gout.", ["gout"]),
        ("Fam hx: sister w/ MEN2.", ["MEN2"]),
        ("Fam. hx: gout.", ["gout"]),
        ("+FH of medullary thyroid cancer.", ["medullary thyroid cancer"]),
        ("FHx positive for gout.", ["gout"]),
        ("Family history of MTC: yes.", ["MTC"]),
    ],
)
def test_short_headings_of_a_family_history(text: str, names: list[str]) -> None:
    assert told(text) == dict.fromkeys(names, "family")


@pytest.mark.parametrize(
    "text",
    [
        "A man with FH on atorvastatin, gout.",
        "He has FH: gout too.",
        "Heterozygous FH: gout too.",
        "PMH: FH, gout.",
        "FH since childhood, gout.",
        "FHx unknown. Gout.",
        "FHx: -ve. Gout.",
        "FHx nil. Gout.",
    ],
)
def test_other_diseases_beside_such_letters(text: str) -> None:
    assert {name.lower(): said for name, said in told(text).items()}["gout"] == "present"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("FHx neg for MTC, MEN2.", ["MTC", "MEN2"]),
        ("FHx: nil for MTC.", ["MTC"]),
        ("FH -ve for MTC.", ["MTC"]),
        ("FH negative for MEN2.", ["MEN2"]),
        ("Neg FHx of MTC.", ["MTC"]),
        ("Denied any family history of MTC.", ["MTC"]),
        ("Family history of MTC: none.", ["MTC"]),
        ("Family history of MTC is denied.", ["MTC"]),
        ("Family history of MTC or MEN2: negative.", ["MTC", "MEN2"]),
    ],
)
def test_a_denied_family_history(text: str, names: list[str]) -> None:
    assert told(text) == {f"family history of {name}": "absent" for name in names}


@pytest.mark.parametrize(
    "text",
    [
        "No personal or family history of MTC.",
        "Denies personal/family history of MTC.",
        "No personal history or family history of MTC.",
        "No personal or FH of MTC.",
        "No family or personal history of MTC.",
        "Personal or family history of MTC: none.",
    ],
)
def test_both_histories_denied(text: str) -> None:
    assert told(text) == {"MTC": "absent", "family history of MTC": "absent"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("No personal history of MTC.", {"MTC": "absent"}),
        ("Father has T2DM; no family history of MTC.",
         {"T2DM": "family", "family history of MTC": "absent"}),
        ("FHx positive for MTC. No asthma.", {"MTC": "family", "asthma": "absent"}),
        ("Family history of MTC in father.", {"MTC": "family"}),
        ("No family history of MTC but has gout.",
         {"family history of MTC": "absent", "gout": "present"}),
    ],
)  # fmt: skip
def test_a_denial_takes_no_more_than_it_names(text: str, expected: dict[str, str]) -> None:
    assert told(text) == expected
