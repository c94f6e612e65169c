"""The journal of a study: on disk at once, read past a torn end, never gone on with when done."""

from __future__ import annotations

from pathlib import Path

import dspy
import pytest

from optimize.dspy_metrics import domain_match
from optimize.journal import FILE, Entry, Journal, candidate_key, example_key, score_once
from signatures.errors import ParseError, RunNotWritten
from signatures.schema import Usage
from tests.support.toy_program import TypeDomain

RIGHT = Entry(1.0, failed=False)
EXAMPLE = dspy.Example(question="q", domain="INTEGRATED").with_inputs("question")


def test_scores_come_back_and_a_torn_line_does_not(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.add("c", "e", RIGHT)
    journal.add("c", "f", Entry(0.0, failed=True))
    journal.note_learnt({"predict": {"demos": []}})
    with (tmp_path / FILE).open("a") as out:
        out.write('{"candidate": "c", "example": "g", "val')
    again = Journal(tmp_path)
    assert again.resumed == 2
    assert again.get("c", "e") == RIGHT and again.get("c", "f") == Entry(0.0, failed=True)
    assert again.get("c", "g") is None
    assert again.learnt == {"predict": {"demos": []}}
    again.add("c", "g", RIGHT)
    assert Journal(tmp_path).get("c", "g") == RIGHT, "the torn line was closed first"


def test_a_finished_study_is_begun_anew(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.add("c", "e", RIGHT)
    journal.finish()
    assert Journal(tmp_path).resumed == 0


def test_what_several_processes_spent_adds_up(tmp_path: Path) -> None:
    first = Journal(tmp_path)
    first.note_spent(Usage(calls=3))
    first.note_spent(Usage(calls=5))
    second = Journal(tmp_path)
    assert second.spent(Usage(calls=2)).calls == 7
    second.note_spent(Usage(calls=4))
    assert second.spent(Usage(calls=4)).calls == 9


def test_a_candidate_is_run_once_per_example_and_a_failure_is_kept() -> None:
    journal, runs = Journal(), [0]

    def run() -> dspy.Prediction:
        runs[0] += 1
        raise ParseError("no reading")

    for _ in range(2):
        entry = score_once(run, EXAMPLE, domain_match, name="m", journal=journal, candidate="c")
        assert entry == Entry(0.0, failed=True)
    assert runs == [1]


def test_a_candidate_is_named_by_what_compiling_changes() -> None:
    one, same, other = TypeDomain(), TypeDomain(), TypeDomain()
    other.predict.demos = [dspy.Example(question="x", domain="INTEGRATED")]
    assert candidate_key(one) == candidate_key(same) != candidate_key(other)
    changed = dspy.Example(question="q", domain="GENE_PROTEIN").with_inputs("question")
    assert example_key(EXAMPLE) != example_key(changed)


def test_a_full_disk_is_resumable(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RunNotWritten, match="make room and start the same command again"):
        Journal(tmp_path / "file").add("c", "e", RIGHT)
