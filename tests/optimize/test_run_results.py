from __future__ import annotations

from pathlib import Path

from optimize.run_results import read_run_results
from tests.support.run_folder import make_question, write_run


def test_repeats_are_kept_and_compared_once(tmp_path: Path) -> None:
    questions = [make_question(n) for n in range(2)]
    path = write_run(tmp_path / "run", questions, {"q0": "A", "q1": "B"}, repeats=3)
    found = read_run_results(path)
    assert (len(found.rows), len(found.once)) == (6, 2)
    assert any("first of 3 repeats" in note for note in found.notes)


def test_two_questions_with_one_id_keep_apart(tmp_path: Path) -> None:
    one, other = make_question(1), make_question(1).model_copy(update={"text": "Another?"})
    found = read_run_results(write_run(tmp_path / "run", [one, other], {"q1": "A"}))
    assert len({row.key for row in found.rows}) == 2
    assert all(row.key.startswith("q1 (") for row in found.rows)


def test_questions_without_gold_are_left_out_and_said(tmp_path: Path) -> None:
    open_question = make_question(1).model_copy(update={"gold": None, "labelled": False})
    path = write_run(tmp_path / "run", [make_question(0), open_question], {"q0": "A"})
    found = read_run_results(path)
    assert [row.key for row in found.rows] == ["q0"]
    assert any("1 question has no gold" in note for note in found.notes)


def test_p_values_of_tuned_splits_are_warned_of(tmp_path: Path) -> None:
    questions = [make_question(0, split="dev"), make_question(1, split="test")]
    found = read_run_results(write_run(tmp_path / "run", questions, {"q0": "A", "q1": "A"}))
    assert "1 question is of the train or dev split: no p-value is reported" in found.notes


def test_saved_outcome_stands_beside_the_one_read_today(tmp_path: Path) -> None:
    path = write_run(tmp_path / "run", [make_question(0)], {"q0": "A"})
    changed = make_question(0, gold="B").model_dump_json() + "\n"
    (path / "questions.jsonl").write_text(changed)
    (row,) = read_run_results(path).rows
    assert row.stored is not None
    assert (row.stored.kind, row.final.kind) == ("correct", "wrong")
