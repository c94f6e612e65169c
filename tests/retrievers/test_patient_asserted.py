"""Denials, doubts and ends in the short forms of a ward note."""

from __future__ import annotations

import pytest

from retrievers.patient import read_patient


def told(text: str) -> dict[str, str]:
    return {fact.name: fact.assertion for fact in read_patient(text).facts}


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("T2DM is not adequately controlled with insulin.", "insulin", "present"),
        ("T2DM not well controlled on insulin.", "insulin", "present"),
        ("Gout not fully relieved by colchicine, he takes colchicine.", "colchicine", "present"),
        ("T2DM is not optimally managed with metformin.", "metformin", "present"),
        ("Asthma, not adequately responding to salbutamol therapy.", "salbutamol", "present"),
        ("He denies missing any doses of insulin.", "insulin", "present"),
        ("He denies stopping warfarin.", "warfarin", "present"),
        ("She has not stopped warfarin.", "warfarin", "present"),
        ("Never discontinued warfarin.", "warfarin", "present"),
        ("He denies taking insulin.", "insulin", "absent"),
        ("He is not treated with insulin.", "insulin", "absent"),
        ("T2DM is not currently treated with insulin.", "insulin", "absent"),
        ("T2DM is not managed with insulin.", "insulin", "absent"),
        ("He is not adequately hydrated, no asthma.", "asthma", "absent"),
        ("He stopped warfarin.", "warfarin", "stopped"),
    ],
)
def test_a_denial_of_success_or_of_an_end(text: str, name: str, expected: str) -> None:
    assert told(text)[name] == expected


@pytest.mark.parametrize(
    "text",
    [
        "?gout",
        "A man, ?gout on aspiration.",
        "? gout",
        "?RA/gout",
        "?RA or gout",
        "Query gout.",
        "Differential includes gout and RA.",
        "The differential diagnosis is RA, psoriasis, gout.",
        "DDx: gout vs septic arthritis",
        "DDx: septic arthritis vs. gout",
        "Ddx RA, gout.",
    ],
)
def test_a_doubt_before_a_name(text: str) -> None:
    assert not {"gout", "RA", "septic arthritis"} & set(told(text))


@pytest.mark.parametrize(
    "text",
    [
        "Is this RA? Gout since his twenties.",
        "HTN, ?RA, known gout.",
        "AKI ?cause. Gout.",
        "Diagnoses include gout and asthma.",
        "Differential includes RA. She has gout.",
        "DDx: RA. He has gout.",
        "Query answered; she has gout.",
    ],
)
def test_a_doubt_of_something_else(text: str) -> None:
    assert {name.lower(): said for name, said in told(text).items()}["gout"] == "present"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("IHD-, CKD-.", ["IHD", "CKD"]),
        ("DM -", ["DM"]),
        ("DM -; gout -.", ["DM", "gout"]),
        ("-ve for gout.", ["gout"]),
        ("CTPA neg for PE.", ["PE"]),
        ("Neg. for PE, DVT.", ["PE", "DVT"]),
    ],
)
def test_a_minus_and_its_like(text: str, names: list[str]) -> None:
    assert told(text) == dict.fromkeys(names, "absent")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("T2DM - on metformin.", "T2DM"),
        ("T2DM -on metformin.", "T2DM"),
        ("T2DM - diet controlled.", "T2DM"),
        ("CKD - stage 3.", "CKD"),
        ("CKD-stage 3.", "CKD"),
        ("HTN-related headache.", "HTN"),
        ("HER2-positive breast cancer.", "breast cancer"),
    ],
)
def test_a_dash_is_no_minus(text: str, name: str) -> None:
    assert told(text)[name] == "present"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("No history of alcohol excess.", {"heavy alcohol use": "absent"}),
        ("No asthma or alcoholism.", {"heavy alcohol use": "absent"}),
        ("Denies alcohol abuse.", {"heavy alcohol use": "absent"}),
        ("alcohol abuse, sober x 5 years", {"heavy alcohol use": "past"}),
        ("Alcohol misuse, abstinent since 2010.", {"heavy alcohol use": "past"}),
        ("Former alcoholic.", {"heavy alcohol use": "past"}),
        ("His father was an alcoholic.", {}),
        ("Denies alcohol.", {"alcohol use": "absent"}),
        ("Alcohol excess.", {"heavy alcohol use": "present"}),
        ("Alcohol abuse, not sober.", {"heavy alcohol use": "present"}),
        ("Alcohol abuse, quit smoking.", {"heavy alcohol use": "present", "smoking": "past"}),
        ("No asthma; binge drinks at weekends.", {"heavy alcohol use": "present"}),
        ("Gout, sober since 2010.", {}),
    ],
)
def test_heavy_drinking(text: str, expected: dict[str, str]) -> None:
    facts = read_patient(text).facts
    assert {fact.name: fact.assertion for fact in facts if fact.kind == "habit"} == expected


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("Denies ever having had asthma.", "asthma", "absent"),
        ("Denies having had pancreatitis.", "pancreatitis", "absent"),
        ("Reports never having had a seizure.", "seizure", "absent"),
        ("He reports having had asthma.", "asthma", "present"),
        ("He denies pain, having had asthma for years.", "asthma", "present"),
        ("Gout, sober since 2010.", "Gout", "present"),
    ],
)
def test_having_had(text: str, name: str, expected: str) -> None:
    assert told(text)[name] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("s/p CABG on aspirin, atorvastatin and metoprolol.",
         {"CABG": "past", "aspirin": "present", "atorvastatin": "present",
          "metoprolol": "present"}),
        ("s/p renal transplant on ciclosporin.",
         {"renal transplant": "present", "ciclosporin": "present"}),
        ("Status post MI, taking aspirin and clopidogrel.",
         {"MI": "past", "aspirin": "present", "clopidogrel": "present"}),
        ("s/p thyroidectomy now on levothyroxine.", {"levothyroxine": "present"}),
        ("s/p stroke with gout.", {"stroke": "past", "gout": "present"}),
        ("s/p stroke, seizure.", {"stroke": "past", "seizure": "past"}),
        ("s/p MI on 3/2/2020, stroke.", {"MI": "past", "stroke": "past"}),
        ("s/p pneumonia treated with amoxicillin.",
         {"pneumonia": "past", "amoxicillin": "past"}),
    ],
)  # fmt: skip
def test_what_follows_an_operation(text: str, expected: dict[str, str]) -> None:
    assert told(text) == expected
