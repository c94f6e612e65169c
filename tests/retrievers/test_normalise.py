"""Spelling variants fall together (known failures B05 and B16); different names do not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrievers.normalise import normalise, tokens

SAME = [
    ("anaemia", "anemia"),
    ("tumour", "tumor"),
    ("oedema", "edema"),
    ("haemorrhage", "hemorrhage"),
    ("diarrhoea", "diarrhea"),
    ("oesophagitis", "esophagitis"),
    ("leukaemia", "leukemia"),
    ("dyspnoea", "dyspnea"),
    ("ischaemic stroke", "ischemic stroke"),
    ("Crohn's disease", "Crohn disease"),
    ("Crohn\u2019s disease", "Crohn's disease"),
    ("myocardial infarctions", "Myocardial infarction"),
    ("non-small-cell lung cancers", "non small cell lung cancer"),
    ("X-linked ichthyosis", "x linked ichthyosis"),
    ("type II diabetes", "type 2 diabetes"),
    ("Factor VIII deficiency", "factor 8 deficiency"),
    ("\u03b2-thalassemia", "beta-thalassemia"),
    ("Sj\u00f6gren syndrome", "Sjogren syndrome"),
    ("Conjunctivitis", "conjunctivitis (disease)"),
    ("sulphasalazine", "sulfasalazine"),
]

DIFFERENT = [
    ("hyperthyroidism", "hypothyroidism"),
    ("type 1 diabetes", "type 2 diabetes"),
    ("type II diabetes", "type I diabetes"),
    ("prednisone", "prednisolone"),
    ("interleukin-1", "interleukin-10"),
    ("diabetes mellitus", "diabetes insipidus"),
    ("vitamin D", "vitamin D3"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_spellings_of_one_name_fall_together(one: str, other: str) -> None:
    assert normalise(one) == normalise(other)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_different_names_stay_apart(one: str, other: str) -> None:
    assert normalise(one) != normalise(other)


@pytest.mark.parametrize("name", ["5'-nucleotidase", "3',5'-cyclic-AMP", 'a {b} -> c, "d"'])
def test_punctuation_of_chemical_names_is_survived(name: str) -> None:
    assert normalise(name) == normalise(name.upper()) != ""


@given(st.text(max_size=60))
def test_offsets_always_point_into_the_text(text: str) -> None:
    for token in tokens(text):
        assert 0 <= token.start < token.end <= len(text)
        assert text[token.start : token.end].strip()
