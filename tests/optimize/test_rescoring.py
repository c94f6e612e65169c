from __future__ import annotations

from pathlib import Path

import pytest

from optimize.rescoring import accuracy_table, change_table, measure_table, rescore
from optimize.results import read_results
from tests.support.run_folder import make_question, write_run


def test_a_saved_run_is_scored_again(tmp_path: Path) -> None:
    questions = [
        make_question(0, source="x", domain="DRUG_THERAPY"),
        make_question(1, source="y"),
        make_question(2, source="y"),
        make_question(3, source="y"),
    ]
    answers = {"q0": "A", "q1": "B", "q2": "I cannot determine this."}
    found = rescore(
        read_results(write_run(tmp_path / "run", questions, answers, firsts={"q1": "A"}))
    )
    assert (found.whole.right, found.whole.counted, found.whole.not_run) == (1, 3, 1)
    assert found.whole.value == pytest.approx(1 / 3)
    assert {name: a.value for name, a in found.groups["source"].items()} == {"x": 1.0, "y": 0.0}
    assert list(found.groups["domain"]) == ["DRUG_THERAPY"]
    assert found.measures["correct_to_wrong"] == 1.0
    assert found.changes == ()


def test_what_changed_is_listed_with_its_row(tmp_path: Path) -> None:
    path = write_run(tmp_path / "run", [make_question(0)], {"q0": "B"})
    (path / "questions.jsonl").write_text(make_question(0, gold="B").model_dump_json() + "\n")
    found = rescore(read_results(path))
    rows = change_table([found]).rows
    assert rows == (("run", "q0", "wrong B", "correct B", f"{path / 'rows.jsonl'}:1"),)


def test_repeats_have_a_mean_and_a_spread(tmp_path: Path) -> None:
    questions = [make_question(n) for n in range(2)]
    run = write_run(tmp_path / "run", questions, {"q0": "A", "q1": "B"}, repeats=2)
    found = rescore(read_results(run))
    assert found.repeats == (0.5, 0.5)
    assert ("run", "accuracy, repeats", "0.5000 ± 0.0000 (2 repeats)") in measure_table(
        [found]
    ).rows
    assert found.whole.counted == 2


def test_tables_have_a_cell_per_column(tmp_path: Path) -> None:
    found = rescore(read_results(write_run(tmp_path / "run", [make_question(0)], {"q0": "A"})))
    for table in (accuracy_table([found]), measure_table([found])):
        assert table.rows
        assert all(len(row) == len(table.header) for row in table.rows)
