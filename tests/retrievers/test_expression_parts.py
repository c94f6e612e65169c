"""Groups that rules read in part: decided only where no unread word can change the verdict."""

from __future__ import annotations

import pytest

from retrievers.expression_parts import parse_parts
from retrievers.matching import match_item
from retrievers.patient import read_patient
from signatures.schema import ConstraintItem


def match(constraint: str, patient: str) -> str:
    item = ConstraintItem(
        patient_characteristics=constraint, applicability="Definitely Applicable", evidence=""
    )
    return match_item(item, read_patient(patient)).match


@pytest.mark.parametrize(
    ("constraint", "patient", "expected"),
    [
        # One of an open list is enough; none of it decides nothing.
        ("one or more risk factors such as gout, a pacemaker, or asthma", "She has asthma.", "MET"),
        ("one or more risk factors such as gout, a pacemaker, or asthma",
         "She denies gout and asthma.", "UNJUDGED"),
        ("any allergy to drugs such as penicillin", "He takes penicillin.", "UNJUDGED"),
        ("any family history of cancers such as melanoma", "He has melanoma.", "UNJUDGED"),
        # One alternative holds by a number.
        ("heart rate > 100/min or the use of a cardiac pump", "A man. HR 120.", "MET"),
        ("heart rate > 100/min or the use of a cardiac pump", "A man. HR 80.", "UNJUDGED"),
        ("heart rate > 100/min or lying flat for 3 hours", "A man. HR 120.", "UNJUDGED"),
        ("people near gout or asthma", "He has asthma.", "UNJUDGED"),
        ("no BMI > 30 or being near a cardiac pump", "BMI 35", "UNJUDGED"),
        # One conjunct fails by a number.
        ("a blown left pupil and GCS = 3", "The GCS was 7/15.", "NOT_MET"),
        ("a blown left pupil and GCS = 3", "The GCS was 3/15.", "UNJUDGED"),
        # The age of people of whom more is said.
        ("all patients seen in the ward who are over 60 years old and walk with aids",
         "A 45-year-old man", "NOT_MET"),
        ("all patients seen in the ward who are over 60 years old and walk with aids",
         "A 75-year-old man", "UNJUDGED"),
        ("women aged 20 to 40 years resident in the district", "A 50-year-old woman", "NOT_MET"),
        ("patients aged 18 at diagnosis living at home", "A 50-year-old man", "UNJUDGED"),
        ("patients aged 18 or living at home", "A 50-year-old man", "UNJUDGED"),
        ("patients living at home unless aged over 80", "A 50-year-old man", "UNJUDGED"),
        ("patients who are not over 60 years old and walk with aids", "A 75-year-old man",
         "UNJUDGED"),
        # What must last cannot last where it is not.
        ("persistent elevation of potassium > 5.5 mmol/L", "Potassium 4.1 mmol/L", "NOT_MET"),
        ("persistent elevation of potassium > 5.5 mmol/L", "Potassium 6.1 mmol/L", "UNJUDGED"),
        # Who cannot bear a child plans none.
        ("pregnant or planning to become pregnant within a year", "A 70-year-old woman", "NOT_MET"),
        ("pregnant or planning to become pregnant within a year", "A 40-year-old man", "NOT_MET"),
        ("pregnant or planning to become pregnant within a year", "A 30-year-old woman",
         "UNJUDGED"),
        ("pregnant or planning to become pregnant within a year",
         "A 30-year-old woman at 20 weeks gestation", "MET"),
    ],
)  # fmt: skip
def test_partly_read(constraint: str, patient: str, expected: str) -> None:
    assert match(constraint, patient) == expected


def test_an_unread_part_is_in_the_audit() -> None:
    item = ConstraintItem(
        patient_characteristics="a blown left pupil and GCS = 3",
        applicability="Definitely Applicable",
        evidence="",
    )
    audit = match_item(item, read_patient("The GCS was 7/15.")).audit
    assert any("not read by rules" in line for line in audit)


@pytest.mark.parametrize("text", ["", "gout", "people living nearby", "a or b", "(", "aged"])
def test_nothing_to_decide_with(text: str) -> None:
    assert parse_parts(text) is None


@pytest.mark.parametrize(
    ("constraint", "patient", "expected"),
    [
        # Whom a list is told of holds for the whole list.
        ("women with gout or asthma", "A man with asthma", "NOT_MET"),
        ("women with gout or asthma", "A woman with asthma", "MET"),
        ("patients aged 18 to 60 with gout or asthma", "A 12-year-old boy with asthma", "NOT_MET"),
        ("patients aged 18-60 presenting with dysphagia or food impaction",
         "A 40-year-old man with difficulty swallowing", "MET"),
        ("women with gout or men with asthma", "A man with asthma", "MET"),
        ("hepatic, renal, or cardiac disease", "He has liver disease.", "MET"),
        ("hepatic, renal, and cardiac disease", "A previously healthy 30-year-old", "NOT_MET"),
        # Pregnancy, birth and age.
        ("term pregnancy", "A woman at 39 weeks gestation", "MET"),
        ("pregnancy at term", "A woman at 20 weeks gestation", "NOT_MET"),
        ("term pregnancy", "She had given birth to a healthy boy 2 weeks before.", "NOT_MET"),
        ("pregnant", "A 72-year-old woman", "NOT_MET"),
        ("breastfeeding", "A 72-year-old woman", "NOT_MET"),
        ("pregnant", "A 50-year-old woman", "INDETERMINATE"),
        ("pregnant", "A 5-year-old girl", "NOT_MET"),
        ("premenopausal women", "A 40-year-old woman with irregular periods", "MET"),
        ("postmenopausal women", "A 40-year-old woman with heavy menstrual bleeding", "NOT_MET"),
        ("preterm infants", "A 3-year-old girl", "NOT_MET"),
        ("preterm newborns", "A 3-day-old girl", "INDETERMINATE"),
        # Drugs and events.
        ("patients who have already been given warfarin", "She takes warfarin.", "MET"),
        ("patients who have already been given warfarin", "She takes no medications.", "NOT_MET"),
        ("previously treated with warfarin", "Warfarin was stopped last year.", "MET"),
        ("onset of stroke or TIA symptoms within the last 30 days",
         "He had a stroke 10 days ago.", "MET"),
        ("onset of stroke or TIA symptoms within the last 30 days",
         "He had a stroke.", "INDETERMINATE"),
        ("asthma according to ICD-10 criteria", "She has asthma.", "MET"),
        ("asthma confirmed by spirometry", "She has asthma.", "UNJUDGED"),
        # Consent and the protocol.
        ("able and willing to give consent and able to attend all visits",
         "She gave informed consent.", "INDETERMINATE"),
        ("unable or unwilling to give written, informed consent",
         "He will provide informed consent.", "NOT_MET"),
        ("refusal of the subject to participate in the trial",
         "He will provide informed consent.", "NOT_MET"),
        ("unable, in the investigator's opinion, to comply with the protocol",
         "He will comply with the study protocol.", "NOT_MET"),
        ("poor compliance with medication", "He will comply with the study protocol.", "UNJUDGED"),
        ("refusal of surgery", "He will provide informed consent.", "UNJUDGED"),
        ("able to climb stairs", "He will provide informed consent.", "UNJUDGED"),
        # A denied history.
        ("diabetes", "A previously healthy 30-year-old man", "NOT_MET"),
        ("diabetes", "An otherwise healthy man with diabetes", "MET"),
        ("diabetes", "A healthy-appearing man", "INDETERMINATE"),
        ("diabetes", "He was not previously healthy.", "INDETERMINATE"),
        ("diabetes", "Her previously healthy husband is here.", "INDETERMINATE"),
        ("diabetes", "A kidney from an otherwise healthy donor", "INDETERMINATE"),
        ("diabetes", "She has had no health problems besides gout.", "NOT_MET"),
        ("stroke", "A previously healthy 30-year-old man", "INDETERMINATE"),
    ],
)  # fmt: skip
def test_wordings_of_criteria(constraint: str, patient: str, expected: str) -> None:
    assert match(constraint, patient) == expected
