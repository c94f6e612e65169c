"""Every command of the README and the guides is run, in order, as a newcomer would run it.

The language model is a server on the loopback that answers whatever the schema allows; encoder,
graph, questions and runs are real and small. What needs the network, a browser or minutes is named
in `NOT_RUN`.
"""

from __future__ import annotations

import csv
import json
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from data.paths import cache_home, sample_dir
from optimize.cli.main import app
from optimize.run_records import Run, read_run
from signatures.errors import QkgramError
from tests.support.cache import memory_cache
from tests.support.documents import (
    DOCUMENTS,
    README,
    REPO,
    any_answer,
    lines,
    words_of,
)
from tests.support.fake_openai import FakeOpenAI

FIXTURES = REPO / "tests" / "fixtures"
NOT_RUN = {
    ("make",): "it makes an environment and fetches gigabytes",
    ("qkgram", "ui"): "it serves pages until it is stopped",
    ("qkgram", "kg", "download"): "it asks Dataverse",
    ("qkgram", "models", "fetch"): "it asks the hub",
    ("qkgram", "reviewer"): "training takes a minute; its own tests do it",
}
"""Commands that are only parsed, by their first words, and why."""
TRACKED = {"--track", "--experiment"}
"""Left out with their value: a tracking store takes ten seconds to make, and has tests of its own.
"""
MAY_FIND = {("qkgram", "doctor"), ("qkgram", "kg", "doctor")}
"""Commands that say 1 when they find something."""
QUESTION = "Which drug suits type 2 diabetes?\nA. Metformin\nB. Linagliptin\n"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with the files that the documents name, and a model behind an address."""
    write_files(tmp_path)
    models = cache_home() / "models"
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "models").symlink_to(models, target_is_directory=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QKGRAM_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COLUMNS", "160")
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    assert cache_home() == tmp_path / "home"
    with FakeOpenAI(any_answer) as server, memory_cache():
        monkeypatch.setenv("QKGRAM_MODEL", "toy-7b")
        monkeypatch.setenv("QKGRAM_API_BASE", server.url)
        yield tmp_path


def write_files(folder: Path) -> None:
    sample = (sample_dir() / "questions.jsonl").read_text(encoding="utf-8").splitlines(True)
    (folder / "mine.jsonl").write_text("".join(sample[-3:]), encoding="utf-8")
    (folder / "theirs.jsonl").write_text("".join(sample[:3]), encoding="utf-8")
    (folder / "question.txt").write_text(QUESTION, encoding="utf-8")
    for name in ("kg.csv", "primekg/kg.csv"):
        (folder / name).parent.mkdir(exist_ok=True)
        shutil.copy(FIXTURES / "kg_small.csv", folder / name)
    shutil.copy(FIXTURES / "constraints_small.jsonl", folder / "items.jsonl")
    shutil.copy(FIXTURES / "drug_features.csv", folder / "primekg")
    shutil.copy(FIXTURES / "mini.obo", folder / "hp.obo")
    (folder / "data").mkdir()
    (folder / "data" / "sample").symlink_to(sample_dir(), target_is_directory=True)
    with (folder / "labels.csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(("drug_id", "y_id", "label_text"))
        rows.writerow(("DB00331", "5148", "Metformin is an adjunct to diet in type 2 diabetes."))
    atom = "C0011860|ENG|P|L1|PF|S1|Y|A1||||SNOMEDCT_US|PT|44054006|Type 2 diabetes|0|N||"
    (folder / "MRCONSO.RRF").write_text(atom + "\n", encoding="utf-8")
    (folder / "MRREL.RRF").write_text("", encoding="utf-8")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.stem)
def test_every_command_runs(document: Path, place: Path) -> None:
    ran = [line for line in lines(document) if _run(line)]
    assert ran or document.stem == "numbers"
    if document == README:
        ran_here = {run.card.identity.program for run in _runs(place)}
        assert ran_here == {"adjacency", "direct", "qkg", "qkgram", "regram"}
    if document.stem == "tutorial":
        assert json.loads((place / "bootstrap.json").read_text())
        assert "McNemar" in (place / "report.html").read_text(encoding="utf-8")


def _run(line: str) -> bool:
    words = words_of(line)
    if not words or _starts(words, NOT_RUN) or "program.reviewer=rotate" in words:
        return False
    if words[0] != "qkgram":
        subprocess.run(["bash", "-c", line], check=True)
        return True
    result = CliRunner().invoke(app, _untracked(words[1:]))
    shown = f"{line}\n{result.output}\n{result.exception!r}"
    assert not isinstance(result.exception, QkgramError), shown
    assert result.exit_code in ((0, 1) if _starts(words, MAY_FIND) else (0,)), shown
    return True


def _untracked(words: list[str]) -> list[str]:
    given = zip(["", *words], words, strict=False)
    return [word for before, word in given if not {before, word} & TRACKED]


def _starts(words: list[str], beginnings: Iterable[tuple[str, ...]]) -> bool:
    return any(tuple(words[: len(first)]) == first for first in beginnings)


def _runs(place: Path) -> Iterator[Run]:
    for card in sorted((place / "runs").rglob("run.json")):
        yield read_run(card.parent)
