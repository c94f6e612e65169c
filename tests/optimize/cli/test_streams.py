"""The streams of a command: an encoding that lacks signs, a reader that leaves."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from optimize.cli.streams import asks_json

COMMAND = (sys.executable, "-c", "from optimize.cli import main; main()")
CASE = (
    "ask",
    "--program",
    "adjacency",
    "T2DM, eGFR 24. Which?",
    "-o",
    "Metformin",
    "-o",
    "Linagliptin",
)


def qkgram(*words: str, encoding: str = "utf-8") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        (*COMMAND, *words),
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": encoding, "COLUMNS": "200"},
    )


@pytest.mark.parametrize("encoding", ["latin-1", "ascii", "cp1252"])
def test_signs_that_the_terminal_lacks_are_replaced(encoding: str) -> None:
    done = qkgram(*CASE, encoding=encoding)
    shown = done.stdout.decode(encoding)
    assert (done.returncode, done.stderr) == (0, b"")
    assert "? MET" in shown
    assert "not for clinical use" in shown


def test_an_error_is_one_line_on_such_a_terminal() -> None:
    done = qkgram("ask", "→", "--file", "α", encoding="ascii")
    assert done.returncode == 1
    assert done.stderr.count(b"\n") == 1
    missing = qkgram("data", "check", "α.jsonl", encoding="ascii")
    assert missing.stderr == b"qkgram: ?.jsonl: there is no such file; check the path\n"


def test_json_keeps_every_sign(tmp_path: Path) -> None:
    file = tmp_path / "q.jsonl"
    row = {"id": "α😀é", "text": "Which?", "options": {"A": "a→", "B": "a→"}, "gold": "A"}
    file.write_text(json.dumps({**row, "source": "s"}), encoding="utf-8")
    (found,) = json.loads(qkgram("data", "check", str(file), "--json", encoding="ascii").stdout)[
        "findings"
    ]
    assert found["places"] == ["q.jsonl: α😀é"]
    assert "a→" in found["detail"]


def test_a_stream_in_utf_8_is_as_before() -> None:
    assert "→ MET" in qkgram(*CASE).stdout.decode()


@pytest.mark.parametrize(
    "words", [CASE, (*CASE, "--json"), ("--help",), ("link", "metformin for T2DM")]
)
def test_a_reader_that_leaves_ends_it_quietly(words: tuple[str, ...]) -> None:
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run((*COMMAND, *words), stdout=write, stderr=subprocess.PIPE, check=False)
    os.close(write)
    assert (done.returncode, done.stderr) == (141, b"")


def test_errors_to_a_reader_that_left_end_quietly() -> None:
    read, write = os.pipe()
    os.close(read)
    words = (*COMMAND, "ask", "")
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=write, check=False)
    os.close(write)
    assert (done.returncode, done.stdout) == (141, b"")


def test_json_is_asked_for_by_either_flag() -> None:
    assert asks_json(["rescore", "a", "--format=json"])
    assert asks_json(["link", "a", "--json"])
    assert not asks_json(["compare", "a", "--format", "table"])
