from __future__ import annotations

from pathlib import Path

import pytest

from optimize.results import is_run, name_results, read_results
from signatures.errors import InputError
from tests.support.run_folder import make_question, write_run

HEADER = "sample_key,gold_answer,reasoner_answer,final_answer,reasoner_correct,final_correct"


def test_a_released_file(tmp_path: Path) -> None:
    path = tmp_path / "run.csv"
    path.write_text(f"{HEADER}\nq1,A,B,A,0,1\nq2,A,A,L,1,0\nq3,A,A,,1,0\n")
    found = read_results(path)
    assert [row.final.kind for row in found.rows] == ["correct", "out_of_range", "unparsed"]
    assert [row.place for row in found.rows] == [f"{path}:{line}" for line in (2, 3, 4)]
    assert found.rows[0].first is not None
    assert found.rows[0].first.kind == "wrong"
    assert found.name == "run"


@pytest.mark.parametrize("name", ["absent", "absent.csv"])
def test_a_run_that_is_not_there(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="no such run"):
        read_results(tmp_path / name)


def test_another_csv_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("a,b\n1,2\n")
    with pytest.raises(InputError, match="wanted the columns"):
        read_results(tmp_path / "x.csv")


def test_a_folder_that_is_no_run(tmp_path: Path) -> None:
    assert not is_run(tmp_path)
    with pytest.raises(InputError, match="no run there"):
        read_results(tmp_path)


def test_names_tell_runs_apart(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "run.csv").write_text(f"{HEADER}\nq1,A,A,A,1,1\n")
    results = [read_results(tmp_path / folder / "run.csv") for folder in ("a", "b")]
    assert [r.name for r in name_results(results, [])] == ["a/run", "b/run"]
    assert [r.name for r in name_results(results, ["x", "y"])] == ["x", "y"]
    with pytest.raises(InputError, match="one --name per run"):
        name_results(results, ["x"])
    with pytest.raises(InputError, match="same name"):
        name_results(results, ["x", "x"])


def test_a_run_folder(tmp_path: Path) -> None:
    questions = [make_question(n, split="test") for n in range(3)]
    path = write_run(
        tmp_path / "mine", questions, {"q0": "A", "q1": "the answer is B"}, firsts={"q0": "C"}
    )
    found = read_results(path)
    assert [(row.key, row.final.kind) for row in found.rows] == [
        ("q0", "correct"),
        ("q1", "wrong"),
        ("q2", "not_run"),
    ]
    assert found.rows[0].first is not None
    assert found.rows[0].first.letter == "C"
    assert found.rows[1].place == f"{path / 'rows.jsonl'}:2"
    assert "1 of 3 questions were not run: the run is incomplete" in found.notes
