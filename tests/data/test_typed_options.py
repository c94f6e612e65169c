"""Options at the end of a typed question, in the writings that people use."""

from __future__ import annotations

import pytest

from data.typed import read_typed
from data.typed_options import split_typed
from signatures.errors import InputError

STEM = "She has gout and an eGFR of 28. Which drug suits her?"
PAIR = ("Febuxostat", "Colchicine 0.5 mg")


@pytest.mark.parametrize(
    "lines",
    [
        "A. {}\nB. {}",
        "a. {}\nb. {}",
        "A) {}\nB) {}",
        "(A) {}\n(B) {}",
        "(a){}\n(b){}",
        "A){}\nB){}",
        "A.{}\nB.{}",
        "[A] {}\n[B] {}",
        "A: {}\nB: {}",
        "A:{}\nB:{}",
        "A - {}\nB - {}",
        "a – {}\nb – {}",
        "- A. {}\n- B. {}",
        "  A. {}\n\n  B. {}\n",
        "1. {}\n2. {}",
        "1) {}\n2) {}",
        "(1) {}\n(2) {}",
        "1: {}\n2: {}",
        "1 - {}\n2 - {}",
        "- {}\n- {}",
        "* {}\n* {}",
        "• {}\n• {}",
        "A: {}; B: {}",
        "(a) {} (b) {}",
        "(A) {}, or (B) {}",
        "A. {} B. {}",
        "A) {}; B) {};",
        "A - {} B - {}",
    ],
)
@pytest.mark.parametrize("gap", ["\n", " "])
def test_each_writing_is_read(lines: str, gap: str) -> None:
    if gap == " " and "\n" in lines:
        pytest.skip("a list on lines begins on a line")
    asked = read_typed(STEM + gap + lines.format(*PAIR))
    assert asked.text == STEM
    assert tuple(asked.options.values()) == PAIR


def test_two_options_on_each_line() -> None:
    found = split_typed("Which?\nA. zinc  B. iron\nC. tin  D. lead")
    assert found.options == ("zinc", "iron", "tin", "lead")


@pytest.mark.parametrize(
    "text",
    [
        "He has (a) a cough and (b) fever. Which drug suits him?",
        "Findings: (a) a cough; (b) fever. Which drug suits him?",
        "He has hemophilia A. His brother has hemophilia B. Name the factor.",
        "Hepatitis A. Hepatitis B. Which vaccine is live?",
        "Which vitamin is it: A or B?",
        "1. Which drug lowers urate?",
        "1. He has gout.\n2. Which drug lowers urate?",
        "- gout\n- eGFR 28\nWhich drug lowers urate?",
        "The culture grew\nE. coli. Which drug?",
        "Sodium fell to 128.\n2.5 g of salt were given.",
        "Fever for\n2 - 3 days.",
        "Which drug lowers urate?",
    ],
)
def test_what_is_no_option_stays_in_the_question(text: str) -> None:
    found = split_typed(text)
    assert found.options == ()
    assert found.stem == text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Which drug suits a man with\n- gout\n- eGFR 28", "lines 2-3 look like options: write `A"),
        ("Which drug?\n1. Febuxostat", "line 2 looks like an option"),
        ("Which drug?\n1. Febuxostat\n3. Colchicine", "lines 2-3 look like options"),
        ("Which drug?\n\n- Febuxostat", "line 3 looks like an option"),
        ("Which drug?\nA. Febuxostat\nC. Colchicine", "lettered A, B, got A, C"),
        ("Which drug?\nB. Febuxostat\nC. Colchicine", "lettered A, B, got B, C"),
        ("Which drug?\n1. Febuxostat\n2. febuxostat", "two options are the same"),
        ("A. Febuxostat\nB. Colchicine", "nothing to ask"),
    ],
)
def test_what_is_not_clear_is_refused_in_one_line(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said) as refused:
        read_typed(text)
    assert "\n" not in str(refused.value)


def test_the_stem_keeps_its_lines() -> None:
    found = split_typed("He has gout.\n\nE.g. in the toe. Which?\nA. zinc\nB. iron")
    assert found.stem == "He has gout.\n\nE.g. in the toe. Which?"


def test_facts_in_a_list_stay_when_options_are_given_apart() -> None:
    asked = read_typed("Which drug suits a man with\n- gout\n- eGFR 28", options=PAIR)
    assert asked.text.endswith("- eGFR 28")
    assert tuple(asked.options.values()) == PAIR
    with pytest.raises(InputError, match="give them in one place"):
        read_typed("Which?\nA: zinc; B: iron", options=PAIR)
