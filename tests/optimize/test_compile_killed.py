"""A compile that is killed goes on where it was: what was scored is not asked for again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from optimize.artefacts import load_program, read_card
from tests.support.compile_toy_run import DEV, TEST
from tests.support.toy_program import Toy

REPO = Path(__file__).resolve().parents[2]


def start(optimizer: str, out: Path, log: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.support.compile_toy_run", optimizer, str(out), str(log)]
    cache = {"DSPY_CACHEDIR": str(out.parent / "cache")}
    return subprocess.Popen(
        command, cwd=REPO, env=os.environ | cache, stdout=subprocess.PIPE, text=True
    )


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines() if path.is_file() else []


def kill_after(process: subprocess.Popen[str], log: Path, calls: int) -> None:
    while len(lines(log)) < calls and process.poll() is None:
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert process.returncode == -signal.SIGKILL, "it ended before it could be killed"


def test_no_candidate_is_evaluated_twice_after_a_kill(tmp_path: Path) -> None:
    """GEPA goes on by its own state, its evaluations and the study's by the journal."""
    out, log = tmp_path / "x.json", tmp_path / "calls.log"
    kill_after(start("gepa", out, log), log, 17)
    card = read_card(out)
    assert card.kept == "before" and not card.complete, "the best so far is on disk"
    load_program(Toy(), out, name="toy")
    kept = journal_of(out).read_text(encoding="utf-8").count('"value"')
    process = start("gepa", out, log)
    said, _ = process.communicate(timeout=120)
    assert process.returncode == 0
    score, resumed = said.split()
    assert (float(score), int(resumed)) == (1.0, kept)
    check_nothing_twice(out, log)


def check_nothing_twice(out: Path, log: Path) -> None:
    assert read_card(out).complete
    journal = [json.loads(line) for line in lines(journal_of(out))]
    scored = Counter((x["candidate"], x["example"]) for x in journal if "value" in x)
    assert set(scored.values()) == {1}
    held_out = [question.text for question in (*DEV, *TEST)]
    asked = Counter(line for line in lines(log) if any(text in line for text in held_out))
    again = [line for line, times in asked.items() if times > 1]
    assert len(again) <= 1, "only the answer at hand when it was killed"


def journal_of(out: Path) -> Path:
    return next(out.parent.rglob("journal.jsonl"))
