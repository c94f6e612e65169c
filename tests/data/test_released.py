from __future__ import annotations

import json
from pathlib import Path

import pytest

from data.released import is_case_file, is_row_file, read_cases, read_rows
from signatures.errors import InputError

HEADER = "sample_key,gold_answer,reasoner_answer,final_answer,reasoner_correct,final_correct"
CASES = (
    "run_label,sample_key,reasoner_answer,final_answer,gold_answer,regex_label,"
    "of_which_context_driven,llm_label,llm_reasoning,final_label,label_source"
)


def test_rows_of_a_csv(tmp_path: Path) -> None:
    path = tmp_path / "run.csv"
    path.write_text(f"\ufeff{HEADER}\nq1,J,a,J,0,1\nq2,B,B,B,1,1\n", encoding="utf-8")
    rows = read_rows(path).rows
    assert [(r.key, r.gold, r.first, r.final, r.line) for r in rows] == [
        ("q1", "J", "A", "J", 2),
        ("q2", "B", "B", "B", 3),
    ]
    assert (rows[0].first_right, rows[0].final_right) == (False, True)
    assert is_row_file(path)
    assert not is_case_file(path)


def test_h01_the_last_valid_row_of_a_question_counts(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    lines = [
        {"sample_key": "qa_1", "gold_answer": "B", "final_answer": None},
        {"sample_key": "qa_1", "gold_answer": "B", "final_answer": "B"},
        {"sample_key": "qa_1", "gold_answer": "B", "final_answer": ""},
    ]
    path.write_text("\n".join(map(json.dumps, lines)) + '\n\n{"sample_key": "qa_2", "fin')
    found = read_rows(path)
    assert [(r.key, r.final) for r in found.rows] == [("qa_1", "B")]
    assert (found.repeated, found.unreadable) == (2, 1)


def test_a_log_keeps_its_report(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    row = {
        "sample_key": "q",
        "gold_answer": "A",
        "final_answer": "A",
        "validation_report": ["x", {}],
    }
    path.write_text(json.dumps(row))
    assert read_rows(path).rows[0].report == ("x", {})


def test_other_columns_are_named(tmp_path: Path) -> None:
    path = tmp_path / "run.csv"
    path.write_text("sample_key,answer\nq,A\n")
    with pytest.raises(InputError, match="final_answer is missing"):
        read_rows(path)


def test_a_row_without_a_key_is_named_by_its_line(tmp_path: Path) -> None:
    path = tmp_path / "run.csv"
    path.write_text(f"{HEADER}\nq1,A,A,A,1,1\n,A,A,A,1,1\n")
    with pytest.raises(InputError, match=r"run\.csv:3"):
        read_rows(path)


def test_cases(tmp_path: Path) -> None:
    path = tmp_path / "cases.csv"
    path.write_text(
        f'{CASES}\nrun,q1,A,B,B,UNCLASSIFIED,False,LIKELY_LEAKAGE,"a, b",LIKELY_LEAKAGE,llm\n'
        "run,q2,A,B,B,MIXED,True,,,MIXED,regex\n"
    )
    first, second = read_cases(path)
    assert (first.rule_label, first.model_label, first.label) == (
        "UNCLASSIFIED",
        "LIKELY_LEAKAGE",
        "LIKELY_LEAKAGE",
    )
    assert first.justification == "a, b"
    assert (second.model_label, second.context_driven) == (None, True)
    assert is_case_file(path)
    assert not is_row_file(path)


def test_an_unknown_label_is_named(tmp_path: Path) -> None:
    path = tmp_path / "cases.csv"
    path.write_text(f"{CASES}\nrun,q1,A,B,B,PERHAPS,False,,,PERHAPS,regex\n")
    with pytest.raises(InputError, match=r"cases\.csv:2: wanted one of .*'PERHAPS'"):
        read_cases(path)
