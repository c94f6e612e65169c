"""Which of two values, grades or weights is the present one."""

from __future__ import annotations

import pytest

from retrievers.patient import read_patient


def values(text: str, name: str) -> list[float]:
    return [q.low for q in read_patient(text).quantities if q.analyte == name]


@pytest.mark.parametrize(
    ("text", "name", "low"),
    [
        ("K 4.9 at discharge (5.8 on admission)", "potassium", 4.9),
        ("K 5.8 on admission, 4.9 at discharge", "potassium", 4.9),
        ("eGFR 58 at follow-up, 22 on admission", "egfr", 58),
        ("Creatinine 1.1 (3.2 on admission)", "creatinine", 1.1),
        ("eGFR on admission 22, at discharge 58", "egfr", 58),
        ("eGFR 24, at follow-up 50", "egfr", 50),
        ("eGFR was 22 on admission; at discharge, 58", "egfr", 58),
        ("BP 88/50 on arrival, 122/76 after fluids", "systolic_bp", 122),
        ("BP 122/76 after fluids (88/50 on arrival)", "systolic_bp", 122),
        ("BP 132/84 (180/110 on admission)", "systolic_bp", 132),
        ("Hb 7.1 on admission, 9.8 after transfusion", "hemoglobin", 9.8),
        ("K 5.9 before dialysis, 4.1 after dialysis", "potassium", 4.1),
        ("eGFR 22 during his AKI, since recovered to baseline of 70", "egfr", 70),
        ("eGFR 22 during AKI, now 70", "egfr", 70),
        ("previously NYHA class III, now class I", "nyha", 1),
        ("NYHA class III last year, now class II", "nyha", 2),
        ("NYHA III, now II.", "nyha", 2),
        ("Child-Pugh B last year, now Child-Pugh C", "child_pugh", 10),
        ("Child-Pugh B, now C", "child_pugh", 10),
        ("CKD stage 3 two years ago, now stage 5", "egfr", 0),
        ("CKD stage 3, progressed to stage 4", "egfr", 15),
        ("stage 3 CKD in 2019, stage 4 CKD now", "egfr", 15),
        ("weighed 90 kg last year, now 55 kg", "weight", 55),
        ("weighed 90 kg a year ago and 55 kg today", "weight", 55),
        ("weighed 90 kg last year, now weighs 55 kg", "weight", 55),
    ],
)
def test_the_newer_is_read(text: str, name: str, low: float) -> None:
    assert values(text, name) == [low]


@pytest.mark.parametrize(
    ("text", "name", "lows"),
    [
        ("K 5.8 on admission", "potassium", [5.8]),
        ("K 4.9 at discharge", "potassium", [4.9]),
        ("eGFR 24 now, 2 stents", "egfr", [24]),
        ("K 4.9 at discharge (5.8)", "potassium", [4.9, 5.8]),
        ("eGFR 22, 58", "egfr", [22]),
        ("BP 88/50 on arrival", "systolic_bp", [88]),
        ("BP 88/50 on arrival, HR 122 after fluids", "systolic_bp", [88]),
        ("home BP 130/80. BP 180/110 on arrival.", "systolic_bp", [130, 180]),
        ("glucose 95, 140 after meals", "glucose", [95]),
        ("NYHA class III", "nyha", [3]),
        ("NYHA III, previously II", "nyha", [3]),
        ("CKD stage 3, now on 5 mg ramipril", "egfr", [30]),
        ("CKD stage 4, now 5 days of fever", "egfr", [15]),
        ("Child-Pugh B, now a candidate for transplant", "child_pugh", [7]),
        ("Prior MI, CKD stage 4, eGFR 70", "egfr", [15, 70]),
        ("weighs 80 kg, previously 90 kg", "weight", [80]),
        ("weighs 80 kg, now 5 kg lighter", "weight", [80]),
    ],
)
def test_others_stay(text: str, name: str, lows: list[float]) -> None:
    assert values(text, name) == lows
