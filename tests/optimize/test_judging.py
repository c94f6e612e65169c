"""Judging a run: verdicts on disk, resume after a kill, two judges, what is not judged."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from optimize.budget import Budget
from optimize.call_errors import CallFailed
from optimize.judged_results import judged_run
from optimize.judged_tables import judged_tables
from optimize.judging import judge_settings
from optimize.model_spec import ModelSpec
from optimize.run_records import QUESTIONS
from optimize.settings import Settings
from optimize.verdicts import VERDICTS, open_verdicts, read_verdicts
from signatures.errors import InputError
from signatures.schema import Question
from tests.support.judged_runs import judge, open_question, scores, write_answers
from tests.support.run_folder import write_run

REPO = Path(__file__).resolve().parents[2]


def write_six(path: Path) -> Path:
    """Two right, one wrong, one unreadable, one out of range, one abstained."""
    answers = ["x [0.9]", "x [0.8]", "x [0.1]", "x [high]", "x [80]", "I do not know."]
    return write_answers(path, [open_question(n) for n in range(6)], answers)


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (path / VERDICTS).read_text().splitlines()]


def test_verdicts_stand_in_the_run_and_what_has_no_score_is_counted(tmp_path: Path) -> None:
    run = write_six(tmp_path / "run")
    summary, model = judge(run, threads=3)
    assert (summary.tasks, summary.judged, summary.reused) == (6, 6, 0)
    assert not summary.incomplete
    assert len(model.asked) == 5
    kinds = [line["verdict"]["kind"] for line in lines_of(run)]
    assert sorted(kinds) == ["abstained", *["scored"] * 3, *["unscored"] * 2]
    (result,) = judged_run(run).judges
    assert result.similarity is not None
    accuracy = result.similarity.accuracy
    assert (accuracy.count, accuracy.counted, accuracy.unscored) == (2, 4, 2)
    assert accuracy.value == 0.5
    assert (accuracy.low, accuracy.high) == pytest.approx((2 / 6, 4 / 6))


def test_nothing_is_judged_twice(tmp_path: Path) -> None:
    run = write_six(tmp_path / "run")
    summary, model = judge(run, budget=Budget(max_calls=2))
    assert (summary.judged, len(model.asked)) == (2, 2)
    assert summary.incomplete
    assert summary.stopped is not None
    assert "budget of 2 calls" in summary.stopped
    summary, model = judge(run)
    assert (summary.judged, summary.reused, len(model.asked)) == (6, 2, 3)
    before = (run / VERDICTS).read_text()
    summary, model = judge(run)
    assert (summary.reused, model.asked) == (6, ())
    assert (run / VERDICTS).read_text() == before


def test_a_killed_judge_goes_on_where_it_was(tmp_path: Path) -> None:
    questions = [open_question(n) for n in range(30)]
    run = write_answers(tmp_path / "run", questions, ["x [0.9]"] * 30)
    log = tmp_path / "log"
    command = [sys.executable, "-m", "tests.support.judge_toy_run", str(run), str(log)]
    process = subprocess.Popen(command, cwd=REPO, stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 120
    while not (run / VERDICTS).exists() or len(lines_of(run)) < 5:
        assert time.monotonic() < deadline
        assert process.poll() is None
        time.sleep(0.01)
    process.kill()
    process.wait()
    with (run / VERDICTS).open("ab") as file:
        file.write(b'{"key": "torn')
    kept = len(read_verdicts(run))
    assert 5 <= kept < 30
    assert len(log.read_text().splitlines()) <= kept + 1
    summary, model = judge(run)
    assert (summary.judged, summary.reused, len(model.asked)) == (30, kept, 30 - kept)
    assert len({row.key for row in read_verdicts(run)}) == 30


def test_an_outage_is_tried_again_and_an_unreadable_reply_is_not(tmp_path: Path) -> None:
    run = write_six(tmp_path / "run")
    summary, _ = judge(run, lambda call: CallFailed("the judge is away"))
    assert summary.incomplete
    assert summary.stopped is not None
    assert all("away" in line for line in summary.failures)
    assert {row.verdict.kind for row in read_verdicts(run) if row.verdict} <= {"abstained"}
    summary, model = judge(run)
    assert (summary.judged, summary.failures) == (6, ())
    assert judge(run)[1].asked == ()


def test_two_judges_stand_side_by_side_with_their_kappa(tmp_path: Path) -> None:
    run = write_six(tmp_path / "run")
    judge(run)
    alone = judged_run(run)
    assert alone.agreements == ()

    def other(call: Any) -> Any:
        said = scores(call)
        return {**said, "similarity": {"0.8": 0.4, "80": 0.9}.get(said["similarity"], 0.9)}

    judge(run, other, name="judge/two")
    found = judged_run(run)
    assert [result.judge for result in found.judges] == ["judge/one", "judge/two"]
    (agreement,) = found.agreements
    assert (agreement.judges, agreement.threshold) == (("judge/one", "judge/two"), 0.8)
    # One says yes, yes, no of the three that both scored; two says yes, no, yes.
    assert (agreement.kappa.shared, agreement.kappa.agreed) == (3, 1)
    assert agreement.kappa.value == pytest.approx(-0.5)
    titles = [table.title for table in judged_tables(found)]
    assert titles == ["Judged measures (%)", "Agreement of two judges"]


def test_a_judge_without_a_shared_item_has_no_kappa_but_a_reason(tmp_path: Path) -> None:
    run = write_answers(tmp_path / "run", [open_question(0)], ["x [0.9]"])
    judge(run)
    judge(run, name="judge/two")
    (agreement,) = judged_run(run).agreements
    assert agreement.kappa.value is None
    assert agreement.kappa.reason is not None
    cells = judged_tables(judged_run(run))[1].rows[0]
    assert agreement.kappa.reason in cells


def test_other_sampling_is_another_verdict_of_the_same_model(tmp_path: Path) -> None:
    run = write_six(tmp_path / "run")
    judge(run)
    _, model = judge(run, settings={"temperature": 0.0, "max_tokens": 64})
    assert len(model.asked) == 5
    names = [result.judge for result in judged_run(run).judges]
    assert len(names) == 2
    assert all(name.startswith("judge/one#") for name in names)


def test_a_changed_reference_is_judged_anew_and_the_old_verdict_does_not_count(
    tmp_path: Path,
) -> None:
    run = write_answers(tmp_path / "run", [open_question(0)], ["x [0.9]"])
    judge(run)
    text = (run / QUESTIONS).read_text().replace("reference 0", "another reference")
    (run / QUESTIONS).write_text(text)
    assert (judged_run(run).stale, judged_run(run).judges) == (1, ())
    summary, model = judge(run)
    assert (summary.reused, len(model.asked)) == (0, 1)
    assert judged_run(run).stale == 1
    assert len(judged_run(run).judges) == 1


def test_what_an_answer_lacks_is_said_and_not_judged(tmp_path: Path) -> None:
    questions = [open_question(0), open_question(1, reference=None)]
    run = write_answers(tmp_path / "run", questions, ["x [0.1]", "y [0.1]"])
    summary, model = judge(run, measures=("inconsistency", "evidence_inconsistency"))
    assert len(model.asked) == 1
    assert summary.skipped == {
        "inconsistency: no reference": 1,
        "evidence_inconsistency: no evidence and no reasoning": 2,
    }


def test_a_judge_sees_the_option_in_words_and_the_evidence_of_the_run(tmp_path: Path) -> None:
    question = Question(
        id="q",
        source="s",
        text="Which?",
        options={"A": "Metformin", "B": "Linagliptin"},
        gold="B",
        labelled=True,
    )
    trace = {
        "response": {"llm_answer_choice": "B", "reasoning": "Because [0]."},
        "hops": [
            {
                "answer": "The hop says so.",
                "cited": ["e1"],
                "region": {"triplets": [{"id": "e1", "text": "FACT"}, {"id": "e2", "text": "NO"}]},
            }
        ],
        "report": [
            {
                "claim": {"head": "Metformin", "predicate": "treats", "tail": "gout"},
                "status": "CONTRADICTED",
                "reason": "e1 is ruled out",
            }
        ],
    }
    run = write_answers(tmp_path / "run", [question], ["The answer is (B)."], trace=trace)
    _, model = judge(run, measures=("evidence_inconsistency",))
    (call,) = model.asked
    for text in ("Linagliptin", "FACT", "The hop says so.", "Because", "e1 is ruled out"):
        assert text in call.user
    assert "The answer is (B)" not in call.user
    _, model = judge(run, lambda call: {"comparison": "", "similarity": 1})
    assert model.asked[0].user.count("Linagliptin") == 2


def test_a_long_answer_that_admits_a_gap_is_still_judged(tmp_path: Path) -> None:
    answers = ["Metformin helps, but I do not know the best dose of it. [0.9]", "I don't know."]
    run = write_answers(tmp_path / "run", [open_question(n) for n in range(2)], answers)
    _, model = judge(run)
    assert len(model.asked) == 1


def test_medhallu_needs_three_measures_and_shows_the_passage(tmp_path: Path) -> None:
    question = open_question(0, knowledge="THE PASSAGE")
    trace = {"response": {"reasoning": "A step."}}
    run = write_answers(tmp_path / "run", [question], ["x [1]"], trace=trace)
    _, model = judge(run, measures=("similarity", "hallucination", "reasoning_error"))
    assert len(model.asked) == 3
    assert sum("THE PASSAGE" in call.user for call in model.asked) == 1
    (result,) = judged_run(run).judges
    assert result.hallucination is not None
    assert result.reasoning_error is not None
    assert (result.hallucination.value, result.reasoning_error.value) == (1.0, 1.0)


def test_the_first_answers_alone_are_judged_with_a_limit(tmp_path: Path) -> None:
    run = write_six(tmp_path / "run")
    summary, model = judge(run, limit=2)
    assert (summary.tasks, len(model.asked)) == (2, 2)
    assert not summary.incomplete


def test_verdicts_may_stand_elsewhere(tmp_path: Path) -> None:
    run = write_six(tmp_path / "run")
    judge(run, out=tmp_path / "elsewhere")
    assert not (run / VERDICTS).exists()
    assert len(judged_run(run, verdicts=tmp_path / "elsewhere").judges) == 1


def test_two_processes_never_judge_into_one_folder(tmp_path: Path) -> None:
    run = write_six(tmp_path / "run")
    with open_verdicts(run), pytest.raises(InputError, match="another process judges"):
        open_verdicts(run)


def test_a_judge_of_its_own_answers_is_named(tmp_path: Path) -> None:
    run = write_six(tmp_path / "run")
    summary, _ = judge(run, name="scripted/model")
    assert any("its own answers" in note for note in summary.notes)
    assert not judge(run)[0].notes


def test_judging_is_at_temperature_0_with_the_judges_model_alone() -> None:
    spec = ModelSpec(model="openai/gpt-4o", temperature=0.7, top_p=0.5)
    settings = judge_settings(Settings(roles={"judge": spec}))
    for role in ("reasoner", "judge"):
        found = settings.spec(role)  # type: ignore[arg-type]
        assert (found.model, found.temperature, found.top_p) == ("openai/gpt-4o", 0.0, None)
    thinking = judge_settings(Settings(roles={"judge": ModelSpec(model="openai/o3")}))
    assert thinking.spec("judge").temperature is None


def test_medhalt_runs_are_scored_without_a_judge(tmp_path: Path) -> None:
    options = {"A": "Iron", "B": "None of the above"}
    questions = [
        Question(id=f"n{n}", source="s", text=f"{n}?", options=options, gold="B", labelled=True)
        for n in range(3)
    ]
    run = write_run(tmp_path / "run", questions, {"n0": "B", "n1": "A", "n2": "abstain"})
    found = judged_run(run)
    assert found.medhalt is not None
    score = found.medhalt["NOTA"]
    assert (score.accuracy, score.hallucination, score.silent) == (1 / 3, 1 / 3, 1)
    other = write_run(
        tmp_path / "other",
        [*questions, questions[0].model_copy(update={"id": "x", "gold": "A"})],
        {"n0": "B"},
    )
    assert judged_run(other).medhalt is None


def test_inconsistency_by_domain_beside_coverage(tmp_path: Path) -> None:
    questions = [open_question(n) for n in range(2)]
    fields = {"domain": "GENE_PROTEIN", "modes": ("KG-STRICT", "LLM-GUESS")}
    run = write_answers(tmp_path / "run", questions, ["x [0.2]", "x [0.6]"], **fields)
    plain = judged_run(run).domains
    assert plain is not None
    assert plain.scored_by == "accuracy"
    judge(run, measures=("inconsistency",))
    table = judged_run(run).domains
    assert table is not None
    assert table.scored_by == "inconsistency by judge/one"
    genes = table.by_hops["GENE_PROTEIN"]
    assert (genes.coverage, genes.scored) == (0.5, 2)
    assert genes.score == pytest.approx(0.4)
    assert table.by_entities["GENE_PROTEIN"].coverage is None
