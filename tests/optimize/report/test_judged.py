"""What `qkgram judge` left beside a run stands in its report, with judge and unscored count."""

from __future__ import annotations

from pathlib import Path

from optimize.report.collect import collect
from optimize.report.judged import judged_table
from optimize.report.page import report_page
from optimize.report.records import ReportData
from optimize.report.table_set import TABLES, summary_tables
from optimize.run_records import QUESTIONS
from tests.support.judged_runs import judge, open_question, write_answers

ANSWERS = ["x [0.9]", "x [0.1]", "x [high]", "I do not know."]


def write(path: Path) -> Path:
    return write_answers(path, [open_question(n) for n in range(4)], ANSWERS)


def test_the_judges_of_a_run_stand_in_a_table_of_the_page(tmp_path: Path) -> None:
    run = write(tmp_path / "a")
    judge(run)
    judge(run, name="judge/two", limit=1)
    data = collect([run, write(tmp_path / "b")])
    rows = [dict(zip(judged_table(data).table.header, r, strict=True)) for r in _rows(data)]
    assert [(row["Run"], row["Judge"]) for row in rows] == [("a", "judge/one")] * 2 + [
        ("a", "judge/two")
    ] * 2
    assert rows[0] == {
        "Run": "a",
        "Answers": "4",
        "Judge": "judge/one",
        "Measure": "correct (similarity ≥ 0.8)",
        "Value": "33.33",
        "95 % interval": "6.1 to 79.2",
        "If unscored": "25.00 to 50.00",
        "Scored": "2",
        "Unscored": "1",
        "Abstained": "1",
    }
    page = report_page(data)
    assert 'id="table-judged"' in page
    assert "judge/two" in page


def test_runs_that_nobody_judged_have_no_such_table(tmp_path: Path) -> None:
    data = collect([write(tmp_path / "a")])
    assert "judged" in TABLES
    assert "judged" not in [shown.name for shown in summary_tables(data)]


def test_verdicts_on_other_answers_do_not_count_and_are_said(tmp_path: Path) -> None:
    run = write(tmp_path / "a")
    judge(run)
    asked = run / QUESTIONS
    asked.write_text(asked.read_text().replace("reference 0", "another"))
    data = collect([run])
    assert "a: 1 verdict of a judge is left out: its answer has changed since" in data.notes
    (row, _) = _rows(data)
    assert row[-3:] == ("1", "1", "1")


def _rows(data: ReportData) -> tuple[tuple[str, ...], ...]:
    return judged_table(data).table.rows
