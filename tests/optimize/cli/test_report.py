from __future__ import annotations

from pathlib import Path

import typer
from typer.testing import CliRunner

from optimize.cli.report import report_command
from signatures.errors import InputError
from tests.support.report_study import question, write_study_run

app = typer.Typer()
app.command()(report_command)


def test_a_page_and_its_tables_are_written_and_the_remarks_said(tmp_path: Path) -> None:
    asked = [question(n) for n in range(3)]
    run = write_study_run(tmp_path / "a", asked, {"q0": "B", "q1": "A"})
    out, tables = tmp_path / "new" / "r.html", tmp_path / "t"
    words = [str(run), "--out", str(out), "--tables", str(tables), "--name", "A", "--title", "T"]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0, result.output
    assert "<title>T</title>" in out.read_text()
    assert "1 of 3 questions were not run" in result.stderr
    assert (tables / "headline.tex").is_file()


def test_no_run_is_an_error_in_one_line(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, [str(tmp_path / "none"), "--out", str(tmp_path / "r.html")])
    assert isinstance(result.exception, InputError)
    assert not (tmp_path / "r.html").exists()
