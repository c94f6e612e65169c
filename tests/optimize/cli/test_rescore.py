from __future__ import annotations

import json
from pathlib import Path

import typer
from typer.testing import CliRunner

from optimize.cli.rescore import rescore_command
from tests.support.run_folder import make_question, write_run

app = typer.Typer()
app.command()(rescore_command)


def test_a_run_is_scored_again_in_every_format(tmp_path: Path) -> None:
    questions = [make_question(0), make_question(1)]
    run = write_run(tmp_path / "run", questions, {"q0": "A", "q1": "hm"})
    runner = CliRunner()
    (found,) = json.loads(runner.invoke(app, [str(run), "--format", "json"]).stdout)["runs"]
    assert (found["whole"]["value"], found["whole"]["parsed_only"]) == (0.5, 1.0)
    table = runner.invoke(app, [str(run)], env={"COLUMNS": "200"}).stdout
    assert "1 unparsed" in table
    for style in ("csv", "markdown", "latex"):
        result = runner.invoke(app, [str(run), "--format", style])
        assert result.exit_code == 0
        assert "50.00" in result.stdout
