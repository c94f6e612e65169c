"""Evaluation with a scripted model: threads, outages, budgets, parse failures, bugs, repeats."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import dspy
import pytest

from optimize.adapter import QkgramAdapter
from optimize.bookkeeping import BLANK
from optimize.budget import Budget
from optimize.evaluate import evaluate
from optimize.forecast import forecast
from optimize.meter import Meter
from optimize.outages import GIVE_UP_AFTER, failure, is_lasting, reason
from optimize.runs import read_run
from optimize.scripted import Answer, ScriptedCall
from optimize.summary import Summary
from signatures.errors import ModelCallError
from signatures.schema import Question, Usage
from tests.support.cache import memory_cache
from tests.support.evaluate_toy import Toy, open_toy, toy_lm, toy_questions


class Notes:
    """Keeps what the user is told."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.begun: tuple[int, int] | None = None
        self.advanced = 0

    def begin(self, total: int, *, done: int) -> None:
        self.begun = (total, done)

    def advance(self, *, spent: Usage, right: float | None) -> None:
        self.advanced += 1

    def note(self, line: str) -> None:
        self.lines.append(line)


def run_toy(
    path: Path,
    answer: Callable[[ScriptedCall], Answer] | str = "B",
    *,
    count: int = 6,
    questions: tuple[Question, ...] | None = None,
    budget: Budget | None = None,
    program: dspy.Module | None = None,
    progress: Notes | None = None,
    repeats: int = 1,
    threads: int = 2,
    cache: bool = False,
    retries: int = 0,
) -> tuple[Summary, int]:
    """Evaluate; return the summary and how many calls reached the model."""
    meter = Meter(budget)
    lm = toy_lm(answer, meter=meter, retries=retries)
    lm.cache = cache
    with (
        open_toy(path, questions or toy_questions(count), repeats=repeats) as run,
        dspy.context(lm=lm, roles={"reasoner": lm}, adapter=QkgramAdapter(reasks=0)),
    ):
        summary = evaluate(program or Toy(), run, meter=meter, threads=threads, progress=progress)
    return summary, len(lm.asked)


def number(call: ScriptedCall) -> int:
    return int(call.user.split("number ")[1].split("?")[0])


def reply(letter: str) -> dict[str, str]:
    return {"answer": letter, "domain": "DRUG_THERAPY"}


def test_a_run_is_summed_up(tmp_path: Path) -> None:
    progress = Notes()
    summary, calls = run_toy(
        tmp_path,
        lambda call: reply("A" if number(call) in (0, 2) else "B"),
        progress=progress,
    )
    assert (summary.done, summary.incomplete, summary.stopped, calls) == (6, False, None, 6)
    assert summary.accuracy.value == pytest.approx(4 / 6)
    assert summary.first is not None
    assert summary.first.value == 0.0
    assert {name: part.right for name, part in summary.by_source.items()} == {"even": 1, "odd": 3}
    assert summary.by_domain["DRUG_THERAPY"].counted == 6
    assert summary.usage.calls == summary.spent.calls == summary.stages["choose"].calls == 6
    assert (progress.begun, progress.advanced) == ((6, 0), 6)
    assert progress.lines[0].startswith("the remaining 3 questions take about")


def test_a_row_holds_what_the_answer_rests_on(tmp_path: Path) -> None:
    run_toy(tmp_path, count=1)
    row = next(iter(read_run(tmp_path).rows.values()))
    assert (row.answer, row.first, row.models) == ("B", "A", {"reasoner": "scripted/model"})
    assert row.outcome is not None
    assert (row.outcome.kind, row.outcome.letter, row.outcome.gold) == ("correct", "B", "B")
    assert row.first_outcome is not None
    assert row.first_outcome.kind == "wrong"
    assert row.trace["domain"] == "DRUG_THERAPY"
    assert row.trace["gold_seen"] is None
    assert row.usage.calls == row.stages["choose"].calls == 1
    assert row.rollout is None


def test_other_threads_resume_and_call_nothing(tmp_path: Path) -> None:
    run_toy(tmp_path, threads=1)
    summary, calls = run_toy(tmp_path, threads=4)
    assert (calls, summary.done, summary.usage.calls, summary.spent.calls) == (0, 6, 6, 0)


def test_usage_is_booked_to_the_question_that_spent_it(tmp_path: Path) -> None:
    class Often(Toy):
        def forward(self, question: Question) -> dspy.Prediction:
            for _ in range(int(question.id[1:])):
                self.choose(question=question.text)
            return super().forward(question=question)

    run_toy(tmp_path, program=Often(), threads=4)
    rows = read_run(tmp_path).rows.values()
    assert {row.question: row.usage.calls for row in rows} == {f"q{n}": n + 1 for n in range(6)}


def test_an_answer_that_cannot_be_read_is_wrong_and_counted_apart(tmp_path: Path) -> None:
    summary, _ = run_toy(
        tmp_path,
        lambda call: "{}" if number(call) == 1 else reply("hm" if number(call) == 2 else "B"),
    )
    assert (summary.accuracy.counts["unparsed"], summary.accuracy.right) == (2, 4)
    assert summary.accuracy.value == pytest.approx(4 / 6)
    assert summary.accuracy.parsed_only == 1.0
    assert not summary.incomplete
    row = next(r for r in read_run(tmp_path).rows.values() if r.question == "q1")
    assert row.answer is None
    assert row.reason
    assert "\n" not in row.reason
    assert row.usage.calls == 1
    assert run_toy(tmp_path)[1] == 0


def test_an_outage_is_never_wrong_and_is_tried_again(tmp_path: Path) -> None:
    def down(call: ScriptedCall) -> Answer:
        return dspy.LMServerError("503") if number(call) == 3 else reply("B")

    progress = Notes()
    summary, calls = run_toy(tmp_path, down, progress=progress, threads=1)
    assert calls == 6
    assert (summary.done, summary.incomplete, summary.accuracy.value) == (5, True, 1.0)
    assert summary.accuracy.not_run == 1
    assert any("'q3' was not run" in line for line in progress.lines)
    assert list(summary.reasons.values()) == [1]

    summary, calls = run_toy(tmp_path)
    assert (calls, summary.done, summary.incomplete, summary.reasons) == (1, 6, False, {})


def test_an_outage_that_passes_is_waited_for(tmp_path: Path) -> None:
    failed: list[int] = []

    def flaky(call: ScriptedCall) -> Answer:
        if number(call) == 2 and not failed:
            failed.append(1)
            return dspy.LMTransportError("reset")
        return reply("B")

    summary, calls = run_toy(tmp_path, flaky, retries=1)
    assert (summary.incomplete, calls) == (False, 7)
    assert len((tmp_path / "rows.jsonl").read_text().splitlines()) == 6


def test_a_refused_key_is_not_asked_again(tmp_path: Path) -> None:
    summary, calls = run_toy(tmp_path, lambda call: dspy.LMAuthError("no"), count=1)
    assert (calls, summary.done, summary.incomplete) == (1, 0, True)


@pytest.mark.parametrize("retries", [0, 1, 3])
def test_a_dead_server_stops_the_run_after_as_many_tries_as_are_set(
    tmp_path: Path, retries: int
) -> None:
    summary, calls = run_toy(
        tmp_path, lambda call: dspy.LMServerError("500"), count=30, threads=1, retries=retries
    )
    assert summary.stopped is not None
    assert summary.stopped.startswith(f"{GIVE_UP_AFTER} questions in a row could not be run")
    assert calls == GIVE_UP_AFTER * (1 + retries)
    assert summary.accuracy.value is None


@pytest.mark.parametrize(
    "error", [dspy.LMAuthError("no"), dspy.LMBillingError("no"), dspy.LMError("no", status=404)]
)
def test_what_no_other_question_could_pass_stops_the_run_at_once(
    tmp_path: Path, error: dspy.LMError
) -> None:
    progress = Notes()
    summary, calls = run_toy(tmp_path, lambda call: error, count=30, threads=1, progress=progress)
    assert (calls, summary.done, summary.incomplete) == (1, 0, True)
    assert summary.stopped is not None
    assert sum(summary.stopped in line for line in progress.lines) == 1
    assert "lasting" not in (tmp_path / "rows.jsonl").read_text()
    assert run_toy(tmp_path, count=30)[0].done == 30


def test_a_question_that_a_server_refuses_does_not_stop_the_others(tmp_path: Path) -> None:
    def refuses(call: ScriptedCall) -> Answer:
        refused = dspy.LMInvalidRequestError("content policy", status=400)
        return refused if number(call) == 2 else reply("B")

    summary, calls = run_toy(tmp_path, refuses, threads=1)
    assert (calls, summary.done, summary.accuracy.not_run) == (6, 5, 1)


def test_a_spent_budget_is_clean_and_resumable(tmp_path: Path) -> None:
    progress = Notes()
    summary, calls = run_toy(
        tmp_path, count=10, budget=Budget(max_calls=4), threads=1, progress=progress
    )
    assert (calls, summary.done, summary.incomplete) == (4, 4, True)
    assert summary.stopped is not None
    assert "budget of 4 calls" in summary.stopped
    assert any("the budget ends the run after about" in line for line in progress.lines)
    assert not read_run(tmp_path).failed
    summary, calls = run_toy(tmp_path, count=10)
    assert (calls, summary.done, summary.incomplete) == (6, 10, False)


def test_a_bug_is_raised_and_finished_rows_are_kept(tmp_path: Path) -> None:
    class Buggy(Toy):
        def forward(self, question: Question) -> dspy.Prediction:
            if question.id == "q3":
                raise KeyError("no such field")
            return super().forward(question=question)

    with pytest.raises(KeyError, match="no such field"):
        run_toy(tmp_path, program=Buggy(), threads=1)
    assert [row.question for row in read_run(tmp_path).rows.values()] == ["q0", "q1", "q2"]


def test_a_blank_question_does_not_stop_the_others(tmp_path: Path) -> None:
    blank = toy_questions(3)[1].model_copy(update={"text": " \n"})
    questions = (toy_questions(3)[0], blank, toy_questions(3)[2])
    for _ in range(2):
        summary, _ = run_toy(tmp_path, questions=questions)
        assert (summary.done, summary.accuracy.not_run, summary.stopped) == (2, 1, None)
        assert summary.reasons == {BLANK: 1}
    assert len((tmp_path / "rows.jsonl").read_text().splitlines()) == 3


def test_repeats_are_asked_anew_past_the_cache(tmp_path: Path) -> None:
    with memory_cache():
        summary, calls = run_toy(tmp_path, count=2, repeats=3, cache=True)
    assert calls == 6
    assert sorted(row.rollout or 0 for row in read_run(tmp_path).rows.values()) == [
        0,
        0,
        1,
        1,
        2,
        2,
    ]
    assert len(summary.repeats) == 3
    assert summary.sd == 0.0


def test_models_of_the_callers_context_are_used_in_threads(tmp_path: Path) -> None:
    seen: set[str] = set()

    class Looks(Toy):
        def forward(self, question: Question) -> dspy.Prediction:
            seen.add(f"{dspy.settings.lm.model} {threading.current_thread().name[:8]}")
            return super().forward(question=question)

    run_toy(tmp_path, program=Looks(), threads=3)
    assert seen == {"scripted/model evaluate"}


def test_a_prompt_too_long_is_the_questions_own_failure(tmp_path: Path) -> None:
    summary, _ = run_toy(tmp_path, lambda call: dspy.ContextWindowExceededError(), count=1)
    assert summary.accuracy.counts["unparsed"] == 1
    assert "longer than the model's context" in next(iter(summary.reasons))


def test_failures_are_told_apart() -> None:
    assert failure(ModelCallError("down")) == "outage"
    assert failure(ValueError("bug")) is None
    assert not is_lasting(dspy.LMRateLimitError("slow down"))
    assert is_lasting(dspy.LMAuthError("no"))
    assert reason(ModelCallError("a\n b")) == "a b"


def test_a_forecast_of_free_calls_has_no_cost(tmp_path: Path) -> None:
    run_toy(tmp_path, count=2)
    rows = list(read_run(tmp_path).rows.values())
    found = forecast(
        rows, seconds=10, remaining=6, budget=Budget(max_minutes=1), spent=Usage(calls=2)
    )
    assert (found.calls, found.seconds, found.within_budget) == (6, 30.0, None)
    tight = forecast(
        rows, seconds=10, remaining=60, budget=Budget(max_minutes=1), spent=Usage(calls=2)
    )
    assert tight.within_budget == 10
