"""Both case studies of QKG §5.2: a question, its options, and the few facts that decide it."""

from __future__ import annotations

from tests.programs.small import Items
from tests.support.graphs import Fact

STROKE = (
    "A {age}-year-old man is brought in 2 hours after the onset of right-sided weakness. "
    "Ischemic stroke is confirmed. Blood pressure is 160/90 mmHg. His platelet count is "
    "{platelets}/mm³. What should he be given?"
)
LYSIS = {"A": "Alteplase", "B": "Aspirin"}
LYSIS_FACTS: list[Fact] = [
    ("Alteplase", "drug", "indication", "ischemic stroke", "disease"),
    ("Aspirin", "drug", "indication", "ischemic stroke", "disease"),
]
LYSIS_ITEMS: Items = {
    ("Alteplase", "indication", "ischemic stroke"): [
        ("within 4.5 hours of symptom onset", "Definitely Applicable"),
        ("platelet count < 100,000/mm³", "Definitely NOT Applicable"),
    ],
    ("Aspirin", "indication", "ischemic stroke"): [("general population", "Definitely Applicable")],
}

TENDON = (
    "A {age}-year-old man has pain above the heel for two days. {habits} He finished a course of "
    "ciprofloxacin {ago}. What is the most likely diagnosis?"
)
HEEL = {"A": "Plantar fasciitis", "B": "Fluoroquinolone-associated tendinopathy"}
HEEL_FACTS: list[Fact] = [
    ("Ciprofloxacin", "drug", "drug_effect", "Tendinopathy", "effect/phenotype"),
    (
        "plantar fasciitis",
        "disease",
        "disease_phenotype_negative",
        "Pain above the heel",
        "effect/phenotype",
    ),
]
HEEL_ITEMS: Items = {
    ("Ciprofloxacin", "drug_effect", "Tendinopathy"): [
        ("general population", "Not Determinable"),
        (
            "at least 3 of: age > 60 years, current smoker, alcohol use, fluoroquinolone use "
            "within the past 30 days",
            "Increased Likelihood",
        ),
        ("no fluoroquinolone use within the past 6 months", "Definitely NOT Applicable"),
    ]
}
