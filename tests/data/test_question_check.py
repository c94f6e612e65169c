"""What a check of question files finds, and what it leaves alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from data.question_check import check_questions

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
    assert check_questions([path, path], against=[path]).clean


@pytest.mark.parametrize(
    ("file", "kinds"),
    [
        ("medqa_focused_1030.json", set()),
        ("kgrag_mcq_questions.csv", set()),
        ("medhalt_fake_dev.csv", {"duplicate_options"}),
        ("mirage_medmcqa_bioasq_dev.json", {"duplicate", "near_duplicate", "duplicate_options"}),
    ],
)
def test_real_files(shared_data: Path, file: str, kinds: set[str]) -> None:
    result = check_questions([shared_data / file])
    assert {finding.kind for finding in result.findings} == kinds
