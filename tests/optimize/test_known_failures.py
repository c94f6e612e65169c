"""Inputs that broke other systems: files that hold code, programs without a class, attempts."""

from __future__ import annotations

import os
import pickle
import sqlite3
from contextlib import closing
from pathlib import Path

import dspy
import pytest

from optimize.adapter import QkgramAdapter
from optimize.answer_cache import use_answer_cache
from optimize.artefacts import load_program
from optimize.budget import Budget
from optimize.evaluate import evaluate
from optimize.meter import Meter
from optimize.runs import read_run
from optimize.scripted import ScriptedLM
from programs.registry import build_program
from signatures.errors import InputError, QkgramError
from tests.support.cache import memory_cache
from tests.support.evaluate_toy import Toy as AskedToy
from tests.support.evaluate_toy import open_toy, toy_lm, toy_questions
from tests.support.toy_program import Toy

PICKLED = 4
"""How diskcache marks a value that is to be unpickled."""


class Planted:
    """Makes a file when it is unpickled."""

    def __init__(self, made: Path) -> None:
        self.made = made

    def __reduce__(self) -> tuple[object, tuple[str, int]]:
        return os.mkdir, (str(self.made), 0o700)


def plant(cache: Path, code: bytes) -> int:
    """Put a pickle in the place of every answer that a cache folder holds; return how many."""
    changed = 0
    for file in cache.rglob("cache.db"):
        with closing(sqlite3.connect(file)) as table, table:
            rows = table.execute(
                "UPDATE Cache SET mode = ?, value = ?, filename = NULL", (PICKLED, code)
            )
            changed += rows.rowcount
    return changed


def test_code_in_an_answer_cache_is_not_run(tmp_path: Path) -> None:
    """C26: a cache file that holds code; the answer is asked for anew."""
    with memory_cache():
        use_answer_cache(tmp_path / "cache")
        lm = ScriptedLM(["first", "second"], cache=True)
        assert lm("question") == ["first"]
        assert plant(tmp_path / "cache", pickle.dumps(Planted(tmp_path / "pwned"))) == 1
        dspy.cache.memory_cache.clear()
        said = lm("question")
    assert not (tmp_path / "pwned").exists()
    assert said == ["second"]


@pytest.mark.parametrize("whole", [True, False], ids=["folder with a pickle", "state of DSPy"])
def test_a_program_that_dspy_saved_is_refused_and_not_run(tmp_path: Path, whole: bool) -> None:
    """D14: a whole-program save needs its class and runs code; its state lacks the sampling."""
    path = tmp_path / ("whole" if whole else "state.json")
    program = dspy.Predict("question -> answer")
    program.save(str(path), save_program=whole)
    if whole:
        (path / "program.pkl").write_bytes(pickle.dumps(Planted(tmp_path / "pwned")))
    with pytest.raises(QkgramError, match="make one with: qkgram compile") as caught:
        load_program(Toy(), path)
    assert str(path) in str(caught.value)
    assert not (tmp_path / "pwned").exists()


def test_a_program_that_this_version_lacks_is_named() -> None:
    """D14: the class is looked up by its name in our registry."""
    with pytest.raises(InputError, match="'a-later-program'"):
        build_program("a-later-program", tools=None)


def test_what_any_attempt_finished_is_done(tmp_path: Path) -> None:
    """H08: three attempts, each cut off by its budget; the second one forgot the first's."""
    asked = []
    for calls in (3, 2, 9):
        meter = Meter(Budget(max_calls=calls))
        lm = toy_lm(meter=meter)
        with (
            open_toy(tmp_path, toy_questions(8)) as run,
            dspy.context(lm=lm, roles={"reasoner": lm}, adapter=QkgramAdapter()),
        ):
            evaluate(AskedToy(), run, meter=meter, threads=1)
        asked.append(len(lm.asked))
    assert asked == [3, 2, 3]
    assert len(read_run(tmp_path).rows) == 8
    assert not read_run(tmp_path).incomplete


def test_a_failed_first_row_costs_no_field_of_the_later_ones(tmp_path: Path) -> None:
    """D05: the first row has no prediction, the others have one."""
    meter = Meter()
    lm = toy_lm(lambda call: "{}" if "number 0?" in call.user else REPLY, meter=meter)
    with (
        open_toy(tmp_path, toy_questions(3)) as run,
        dspy.context(lm=lm, roles={"reasoner": lm}, adapter=QkgramAdapter(reasks=0)),
    ):
        evaluate(AskedToy(), run, meter=meter, threads=1)
    rows = {row.question: row for row in read_run(tmp_path).rows.values()}
    assert "domain" not in rows["q0"].trace
    assert [rows[q].trace["domain"] for q in ("q1", "q2")] == ["DRUG_THERAPY"] * 2


REPLY = {"answer": "B", "domain": "DRUG_THERAPY"}
