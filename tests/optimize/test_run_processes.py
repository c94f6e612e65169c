"""Runs as real processes: killed, interrupted, two at once, on a full disk."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

REPO = Path(__file__).resolve().parents[2]
PATIENCE = 120.0
"""Seconds before a process counts as stuck."""


def start(
    folder: Path, count: int, *, threads: int = 2, delay: float = 0.0, max_bytes: str = ""
) -> subprocess.Popen[str]:
    arguments = [str(folder), str(count), str(threads), str(delay), max_bytes]
    return subprocess.Popen(
        [sys.executable, "-m", "tests.support.evaluate_toy_run", *arguments],
        cwd=REPO,
        env={**os.environ, "DSPY_CACHEDIR": str(folder.parent / "cache")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def lines(folder: Path) -> list[bytes]:
    file = folder / "rows.jsonl"
    return file.read_bytes().splitlines(keepends=True) if file.exists() else []


def wait_for_rows(folder: Path, count: int, process: subprocess.Popen[str]) -> None:
    until = time.monotonic() + PATIENCE
    while len(lines(folder)) < count:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < until
        time.sleep(0.02)


def finish(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    out, err = process.communicate(timeout=PATIENCE)
    return process.returncode, out, err


def test_kill_9_and_resume(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    process = start(folder, 40, delay=0.05)
    wait_for_rows(folder, 6, process)
    process.send_signal(signal.SIGKILL)
    finish(process)
    before = lines(folder)
    assert 6 <= len(before) < 40

    code, out, err = finish(start(folder, 40, threads=3))
    assert (code, out.split()[0]) == (0, "40"), err
    after = lines(folder)
    keys = [json.loads(line)["question"] for line in after if line.strip()]
    assert sorted(keys) == sorted(f"q{n}" for n in range(40))
    whole = [line for line in before if line.endswith(b"\n")]
    assert after[: len(whole)] == whole


def test_ctrl_c_finishes_the_questions_at_hand(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    process = start(folder, 40, delay=0.1)
    wait_for_rows(folder, 3, process)
    process.send_signal(signal.SIGINT)
    code, out, err = finish(process)
    assert (code, out.split()[1]) == (2, "interrupted"), err
    assert "Traceback" not in err
    rows = [json.loads(line) for line in lines(folder)]
    assert 3 <= len(rows) < 40
    assert len({row["key"] for row in rows}) == len(rows) == int(out.split()[0])


def test_two_processes_never_write_one_run(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    first = start(folder, 30, delay=0.4)
    wait_for_rows(folder, 1, first)
    code, _, err = finish(start(folder, 30))
    first.send_signal(signal.SIGINT)
    finish(first)
    assert code == 1
    assert "another process writes the run" in err
    assert len(err.splitlines()) == 1


def test_a_full_disk_is_one_line_and_loses_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    code, _, err = finish(start(folder, 20, max_bytes="6000"))
    assert code == 2
    assert len(err.splitlines()) == 1
    assert "cannot write" in err
    assert "rows.jsonl" in err
    before = [json.loads(line) for line in lines(folder)]
    assert 0 < len(before) < 20

    code, out, err = finish(start(folder, 20))
    assert (code, out.split()[0]) == (0, "20"), err
    assert len({json.loads(line)["key"] for line in lines(folder)}) == len(lines(folder)) == 20
