"""What a check of question files finds, and what it leaves alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from data.question_check import check_questions
from signatures.errors import QuestionFileError

VIGNETTE = (
    "A 40-year-old man with gout and a creatinine of 3.1 asks for a drug against an acute attack "
    "in his left knee. Which of the following drugs is the best choice for him today?"
)


def own(id: str, text: str, gold: str | None = "A", **more: object) -> dict[str, object]:
    return {"id": id, "text": text, "options": {"A": "x", "B": "y"}, "gold": gold, **more}


def write(path: Path, *items: object) -> Path:
    path.write_text("\n".join(map(json.dumps, items)), encoding="utf-8")
    return path


def test_a_clean_file(tmp_path: Path) -> None:
    result = check_questions([write(tmp_path / "a.jsonl", own("1", "Why?"), own("2", "How?"))])
    assert result.clean
    assert (result.files[0].read, result.files[0].gold) == (2, 2)


def test_duplicates_within_a_file(tmp_path: Path) -> None:
    items = own("1", VIGNETTE), own("2", VIGNETTE.replace("40", "44")), own("3", VIGNETTE, "B")
    result = check_questions([write(tmp_path / "a.jsonl", *items)])
    assert [(f.kind, f.places) for f in result.findings] == [
        ("near_duplicate", ("a.jsonl: 1", "a.jsonl: 2")),
        ("duplicate", ("a.jsonl: 1", "a.jsonl: 3")),
    ]
    assert "another right answer" in result.findings[1].detail


def test_splits_and_files_overlap(tmp_path: Path) -> None:
    inside = write(
        tmp_path / "a.jsonl", own("1", VIGNETTE, split="train"), own("2", VIGNETTE, split="test")
    )
    (found,) = check_questions([inside]).findings
    assert (found.kind, found.detail) == ("overlap", "the same question; splits train and test")
    train = write(tmp_path / "train.jsonl", own("1", VIGNETTE), own("2", VIGNETTE))
    test = write(tmp_path / "test.jsonl", own("1", VIGNETTE.replace("gout", "Gout,")))
    result = check_questions([test], against=[train])
    assert [(f.kind, f.places) for f in result.findings] == [
        ("overlap", ("test.jsonl: 1", "train.jsonl: 1")),
        ("overlap", ("test.jsonl: 1", "train.jsonl: 2")),
    ]


def test_faults_of_the_other_file_are_not_reported(tmp_path: Path) -> None:
    train = write(tmp_path / "train.jsonl", own("1", VIGNETTE), own("2", VIGNETTE))
    assert check_questions([write(tmp_path / "a.jsonl", own("1", "?"))], against=[train]).clean


def test_keys_and_options(tmp_path: Path) -> None:
    doubled = {**own("3", "When?"), "options": {"A": "x", "B": "X ", "C": "+", "D": "-"}}
    path = write(
        tmp_path / "a.jsonl",
        own("1", "Why?", "C"),
        own("2", "How?", None),
        doubled,
        own("4", "Who?", None, labelled=True),
        {"id": "5", "text": "Where?"},
        {"id": "6", "text": "What?", "optoins": 1},
    )
    result = check_questions([path])
    assert [finding.kind for finding in result.findings] == [
        "gold_out_of_range",
        "unreadable",
        "duplicate_options",
    ]
    (file,) = result.files
    assert (file.read, file.unreadable, file.choice) == (4, 2, 3)
    assert (file.gold, file.no_option_right, file.unlabelled) == (1, 1, 1)
    assert file.without_reference == 1
    assert "options A, B" in result.findings[2].detail


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"text": "x" * 100_001}, "field text: wanted at most 100,000 characters, got 100,001"),
        ({"text": 5}, "field text: wanted text, got 5"),
        ({"options": ["x", "y"]}, "field options: wanted an object of letters and texts"),
        ({"options": {"A": "x", "B": None}}, "field options.B: wanted text, got nothing (null)"),
        ({"options": {"A": "x", "Q": "y"}}, "field options.Q: wanted a letter from A to J"),
        ({"gold": "Z"}, "field gold: wanted a letter from A to J, got 'Z'"),
        ({"split": "val"}, "field split: wanted train, dev or test, got 'val'"),
        ({"labelled": "maybe"}, "field labelled: wanted true or false, got 'maybe'"),
        ({"refrence": "x"}, "field refrence: a question has no such field; did you mean reference"),
    ],
)
def test_a_wrong_field_is_worded_for_who_wrote_it(
    tmp_path: Path, wrong: dict[str, object], said: str
) -> None:
    items = own("1", "Why?"), {**own("2", "How?"), **wrong}
    (found,) = check_questions([write(tmp_path / "a.jsonl", *items)]).findings
    assert found.kind == "unreadable"
    assert said in found.detail
    assert "nput should" not in found.detail


def test_a_benchmark_field_of_another_kind_is_not_said_in_python(tmp_path: Path) -> None:
    medqa = {"question": "Why?", "options": {"A": "x", "B": "y"}, "answer": "x", "answer_idx": "A"}
    items = medqa, {**medqa, "question": 7}, {**medqa, "question": "How?", "options": "A. x B. y"}
    first, second = check_questions([write(tmp_path / "a.jsonl", *items)]).findings
    assert "question is a number, options is an object" in first.detail
    assert "field options: wanted a list or an object, got 'A. x B. y'" in second.detail


def test_blank_texts_are_found(tmp_path: Path) -> None:
    blank = {"A": "x", "B": " ", "C": ""}
    items = own("1", "  "), own("2", ""), {**own("3", "Why?"), "options": blank}
    found = check_questions([write(tmp_path / "a.jsonl", *items)]).findings
    assert [f.kind for f in found] == ["blank_question", "blank_question", "blank_option"]
    assert found[2].detail == "the text of B, C is blank"


def test_a_key_that_names_two_options_and_a_lone_option_are_found(tmp_path: Path) -> None:
    exam = {
        "question": "Which one?",
        "options": {"A": "x", "B": "y"},
        "answer_idx": "A",
        "answer": "y",
    }
    lone = {**own("2", "Why?"), "options": {"A": "x"}}
    (bad,) = check_questions([write(tmp_path / "exam.jsonl", exam)]).findings
    assert bad.kind == "key_disagrees"
    (alone,) = check_questions([write(tmp_path / "a.jsonl", own("1", "How?"), lone)]).findings
    assert (alone.kind, alone.places) == ("one_option", ("a.jsonl: 2",))


def test_a_folder_is_no_question_file(tmp_path: Path) -> None:
    with pytest.raises(QuestionFileError, match="is a folder: give one of its files"):
        check_questions([tmp_path])


def test_files_of_one_name_are_told_apart(tmp_path: Path) -> None:
    paths = [tmp_path / name / "q.jsonl" for name in ("a", "b")]
    for path in paths:
        path.parent.mkdir()
        write(path, own("1", VIGNETTE))
    (found,) = check_questions(paths).findings
    assert found.kind == "overlap"
    assert found.places[0] != found.places[1]


def test_a_file_against_itself_is_read_once(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", own("1", VIGNETTE))
    assert check_questions([path, path]).clean
    result = check_questions([path, path], against=[path])
    assert [f.places for f in result.findings] == [("a.jsonl",)]
    assert len(result.files) == 1


@pytest.mark.parametrize(
    ("file", "kinds"),
    [
        ("medqa_focused_1030.json", set()),
        ("kgrag_mcq_questions.csv", set()),
        ("medhalt_fake_dev.csv", {"duplicate_options", "one_option"}),
        ("mirage_medmcqa_bioasq_dev.json", {"duplicate", "near_duplicate", "duplicate_options"}),
    ],
)
def test_real_files(shared_data: Path, file: str, kinds: set[str]) -> None:
    result = check_questions([shared_data / file])
    assert {finding.kind for finding in result.findings} == kinds


@pytest.mark.parametrize("broken", ['{"id": "1"', "[3]", "no JSON"])
def test_every_line_that_holds_no_object_is_listed(tmp_path: Path, broken: str) -> None:
    """Wherever it stands: a first line decides how a file is read, and must not end the check."""
    path = tmp_path / "a.jsonl"
    good, odd = json.dumps(own("2", "Why?")), json.dumps({"id": "5", "text": "?", "optoins": 1})
    path.write_text("\n".join([broken, good, "", "nonsense", odd]), encoding="utf-8")
    result = check_questions([path])
    assert [f.kind for f in result.findings] == ["unreadable"] * 3
    places = ("line 1: ", "line 4: not JSON", "line 5: field optoins")
    assert all(p in f.detail for p, f in zip(places, result.findings, strict=True))
    assert (result.files[0].read, result.files[0].unreadable) == (1, 3)
