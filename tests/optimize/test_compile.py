"""Compiling with a model that only gets better with demonstrations."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable
from pathlib import Path

import dspy
import pytest

from optimize import presets
from optimize.adapter import QkgramAdapter
from optimize.artefacts import load_program, read_card
from optimize.call_errors import BudgetStop
from optimize.compile import compile_program
from optimize.dspy_metrics import exact_match
from optimize.examples import fingerprint, predictor_examples, program_examples
from optimize.meter import Meter
from optimize.scripted import ScriptedCall, ScriptedLM
from optimize.settings import Budget
from optimize.state import program_state
from optimize.study import Compiled, Study, find_predictor
from optimize.tracking import NOTHING, NullTracker
from programs.regram import ReGraM
from signatures.errors import BudgetExceeded, InputError, ModelCallError, ProgramStateError
from tests.support.toy_program import Toy, toy_answer, toy_lm, toy_questions

TRAIN, DEV = toy_questions(0, 9), toy_questions(9, 15, split="dev")
WHOLE = Study(program="toy")
ALONE = Study(program="toy", predictor="type_domain.predict", metric="domain_match")


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "compiled.json"


def study_of(
    study: Study,
    out: Path,
    *,
    lm: dspy.LM | None = None,
    program: dspy.Module | None = None,
    adapter: dspy.Adapter | None = None,
    **options: object,
) -> Compiled:
    toy = program or Toy()
    examples = {
        name: program_examples(questions)
        if study.predictor is None
        else predictor_examples(
            dict(toy.named_predictors())[study.predictor], questions, field="domain"
        )
        for name, questions in (("train", TRAIN), ("dev", DEV))
    }
    chat = dspy.ChatAdapter(use_json_adapter_fallback=False)
    with dspy.context(lm=lm or toy_lm(), adapter=adapter or chat):
        return compile_program(toy, study, out=out, **{**examples, **options})  # type: ignore[arg-type]


def dies_after(calls: int, error: Exception) -> Callable[[str, str], str]:
    lock, made = threading.Lock(), [0]

    def answer(everything: str, last: str) -> str:
        with lock:
            made[0] += 1
        if made[0] > calls:
            raise error
        return toy_answer(everything, last)

    return answer


@pytest.mark.parametrize("study", [WHOLE, ALONE], ids=["program", "predictor"])
def test_demonstrations_of_right_answers_lift_the_dev_score(study: Study, out: Path) -> None:
    toy = Toy()
    untouched = program_state(toy)
    done = study_of(study, out, program=toy)
    assert (done.before.value, done.after.value) == (pytest.approx(2 / 6), 1.0)
    assert program_state(toy) == untouched
    card = read_card(out)
    assert card == done.card
    assert (card.baseline, card.score, card.kept) == (pytest.approx(2 / 6), 1.0, "after")
    assert card.complete and card.train.n == 9 and card.dev.n == 6
    assert done.demos["type_domain.predict"] > 0
    assert (done.demos["answer.predict"] > 0) == (study is WHOLE)


def test_domain_typing_of_a_real_program_is_compiled_without_its_graph(out: Path) -> None:
    done = study_of(
        ALONE.model_copy(update={"program": "regram"}),
        out,
        program=ReGraM(None),  # type: ignore[arg-type]
        adapter=QkgramAdapter(),
        lm=toy_lm(in_json),
    )
    assert (done.before.value, done.after.value) == (pytest.approx(2 / 6), 1.0)
    loaded = ReGraM(None)  # type: ignore[arg-type]
    card = load_program(loaded, out, name="regram")
    assert card.predictor == "type_domain.predict"
    assert done.demos["decompose.predict"] == 1, "its own worked example"
    assert program_state(loaded) == program_state(done.program)


def in_json(everything: str, last: str) -> str:
    """Answer as `toy_answer` does, in the shape that our adapter asks for."""
    shown = everything.count("[right is ") > last.count("[right is ")
    gold = re.findall(r"\[right is \w, domain (\w+)\]", last)[-1]
    return json.dumps({"domain": gold if shown else "DRUG_THERAPY"})


def test_the_saved_program_answers_as_it_was_scored(out: Path) -> None:
    done = study_of(WHOLE, out)
    loaded = Toy()
    load_program(loaded, out, name="toy")
    assert program_state(loaded) == program_state(done.program)
    with dspy.context(lm=toy_lm()):
        right = [
            exact_match(example, loaded(**example.inputs())) for example in program_examples(DEV)
        ]
    assert sum(right) / len(right) == done.after.value


def test_labeled_takes_gold_examples_without_a_call(out: Path) -> None:
    lm = toy_lm()
    study = ALONE.model_copy(update={"optimizer": "labeled", "options": {"k": 2}})
    done = study_of(study, out, lm=lm)
    assert done.demos == {"type_domain.predict": 2, "answer.predict": 0}
    assert len(lm.engine.requests) == 2 * len(DEV)


def test_a_whole_program_is_shown_no_raw_question(out: Path) -> None:
    lm = toy_lm()
    study_of(WHOLE, out, lm=lm)
    sent = "".join(str(request[:2]) for request in lm.engine.requests)
    assert "labelled" not in sent and "gold_claims" not in sent


def test_a_prompt_s_own_demonstration_stays_first(out: Path) -> None:
    toy = Toy()
    worked = dspy.Example(question="worked example", domain="INTEGRATED")
    toy.type_domain.predict.demos = [worked]
    for study in (WHOLE, ALONE):
        done = study_of(study, out, program=toy, overwrite=True)
        demos = dict(done.program.named_predictors())["type_domain.predict"].demos
        assert demos[0]["question"] == "worked example"
        assert len(demos) > 1


def test_two_studies_of_one_seed_are_one_program(tmp_path: Path) -> None:
    first, again, other = (
        study_of(WHOLE.model_copy(update={"seed": seed}), tmp_path / f"{i}.json")
        for i, seed in enumerate((1, 1, 2))
    )
    assert program_state(first.program) == program_state(again.program)
    assert program_state(first.program) != program_state(other.program)


def test_threads_change_nothing(tmp_path: Path) -> None:
    one = study_of(WHOLE, tmp_path / "1.json")
    three = study_of(WHOLE.model_copy(update={"threads": 3}), tmp_path / "3.json")
    assert program_state(one.program) == program_state(three.program)
    assert one.after == three.after


def test_a_compiled_program_can_be_compiled_again(out: Path) -> None:
    toy = Toy()
    toy._compiled = True
    toy.type_domain._compiled = True
    first = study_of(WHOLE, out, program=toy)
    assert first.after.value == 1.0
    second = study_of(WHOLE, out, program=first.program, overwrite=True)
    assert second.before.value == 1.0
    assert second.card.kept == "before"


def test_a_program_that_learnt_nothing_is_not_scored_twice(out: Path) -> None:
    lm = toy_lm(lambda everything, last: "[[ ## domain ## ]]\nINTEGRATED")
    done = study_of(ALONE.model_copy(update={"options": {"max_labeled_demos": 0}}), out, lm=lm)
    assert done.before == done.after
    assert done.card.kept == "before" and done.card.complete
    assert len(lm.engine.requests) == len(DEV) + len(TRAIN)


def test_a_worse_program_is_not_kept(out: Path) -> None:
    def spoiled(everything: str, last: str) -> str:
        shown = everything.count("[right is ") > last.count("[right is ")
        return "[[ ## domain ## ]]\n" + ("INTEGRATED" if shown else "DRUG_THERAPY")

    done = study_of(ALONE, out, lm=toy_lm(spoiled))
    assert done.after.value == 0.0 < done.before.value
    assert done.card.kept == "before"
    assert read_card(out).score == done.before.value


@pytest.mark.parametrize("calls", [0, 3, 14, 20])
def test_an_outage_fails_the_study_wherever_it_happens(calls: int, out: Path) -> None:
    """0 and 3: while scoring before; 14: while bootstrapping; 20: a little later."""
    lm = toy_lm(dies_after(calls, dspy.LMServerError("503 bad gateway")))
    with pytest.raises(ModelCallError, match="503 bad gateway"):
        study_of(WHOLE, out, lm=lm)
    assert len(lm.engine.requests) == calls + 1
    if calls >= 2 * len(DEV):
        card = read_card(out)
        assert (card.kept, card.complete) == ("before", False)
    else:
        assert not out.exists()


def test_a_spent_budget_saves_the_best_so_far_and_exits_2(out: Path) -> None:
    spent = BudgetStop("the budget of 14 calls is spent")
    with pytest.raises(
        BudgetExceeded, match=r"14 calls is spent; the best so far \(before, dev 0.333\)"
    ) as stop:
        study_of(WHOLE, out, lm=toy_lm(dies_after(14, spent)))
    assert stop.value.exit_code == 2
    assert read_card(out).complete is False
    resumed = study_of(WHOLE, out)
    assert resumed.card.complete is True


def test_the_meter_s_own_budget_stops_a_study_at_the_call(out: Path) -> None:
    """The whole way of a real model: adapter, meter, budget."""

    def script(call: ScriptedCall) -> dict[str, str]:
        assert call.fields == ("domain",)
        return {"domain": "DRUG_THERAPY"}

    meter = Meter(Budget(max_calls=9))
    lm = ScriptedLM(script, meter=meter)
    with pytest.raises(BudgetExceeded, match="the budget of 9 calls is spent.*is saved at"):
        study_of(ALONE, out, lm=lm, meter=meter, adapter=QkgramAdapter())
    assert len(lm.asked) == 9
    assert meter.usage().calls == 9
    card = read_card(out)
    assert card.score == pytest.approx(2 / 6)
    assert card.usage is not None and card.usage.calls == 6
    assert meter.by_stage().keys() == {"compile"}


def test_an_answer_that_cannot_be_read_after_the_re_asks_is_a_failed_example(out: Path) -> None:
    lm = ScriptedLM(lambda call: "I would rather not say.")
    done = study_of(ALONE, out, lm=lm, adapter=QkgramAdapter(reasks=1))
    assert (done.before.value, done.before.failed) == (0.0, len(DEV))


def test_a_budget_spent_before_any_score_saves_nothing(out: Path) -> None:
    spent = BudgetStop("the budget of 1 calls is spent")
    with pytest.raises(BudgetExceeded, match="nothing is saved"):
        study_of(WHOLE, out, lm=toy_lm(dies_after(1, spent)))
    assert not out.exists()


def test_a_candidate_that_could_not_be_scored_is_kept_beside(out: Path) -> None:
    whole = toy_lm()
    study_of(WHOLE, out.with_name("other.json"), lm=whole)
    almost = len(whole.engine.requests) - 2
    spent = BudgetStop("the budget is spent")
    with pytest.raises(BudgetExceeded):
        study_of(WHOLE, out, lm=toy_lm(dies_after(almost, spent)))
    beside = out.with_name("compiled.unscored.json")
    card = read_card(beside)
    assert (card.score, card.complete) == (None, False)
    study_of(WHOLE, out)
    assert not beside.exists()


def test_unreadable_answers_are_counted_and_do_not_end_the_study(out: Path) -> None:
    lm = toy_lm(lambda everything, last: "mumble")
    done = study_of(WHOLE, out, lm=lm)
    assert (done.before.value, done.before.failed) == (0.0, len(DEV))
    assert done.card.complete


def test_a_metric_without_a_value_ends_the_study_at_once(out: Path) -> None:
    def forgets(example: object, pred: object, trace: object = None) -> float | None:
        return None if trace is not None else 0.0

    with pytest.raises(InputError, match="must return a number, it returned NoneType"):
        study_of(WHOLE, out, metric=forgets)


def test_a_partial_score_makes_no_demonstration(out: Path) -> None:
    done = study_of(WHOLE, out, metric=lambda example, pred, trace=None: 0.4)
    assert set(done.demos.values()) == {0}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"optimizer": "gradient"}, "optimizer 'gradient' is unknown"),
        ({"options": {"rounds": 3}}, "has no option 'rounds'; did you mean max_rounds"),
        ({"metric": "bleu"}, "metric 'bleu' is unknown"),
        ({"metric": "domain_match"}, "judges a predictor, this study compiles a program"),
        ({"optimizer": "labeled"}, "not a whole program"),
    ],
)
def test_what_is_wrong_is_found_before_a_call(
    changes: dict[str, object], message: str, out: Path
) -> None:
    lm = toy_lm()
    with pytest.raises(InputError, match=message):
        study_of(WHOLE.model_copy(update=changes), out, lm=lm)
    assert lm.engine.requests == []
    assert not out.exists()


def test_train_and_dev_must_differ(out: Path) -> None:
    same = program_examples(TRAIN)
    lm = toy_lm()
    with pytest.raises(InputError, match="they share 9"):
        study_of(WHOLE, out, lm=lm, train=same, dev=same)
    assert lm.engine.requests == []


def test_a_bound_model_is_refused_before_a_call(out: Path) -> None:
    toy, lm = Toy(), toy_lm()
    toy.answer.predict.lm = lm
    with pytest.raises(ProgramStateError, match="has a language model of its own"):
        study_of(WHOLE, out, program=toy, lm=lm)
    assert lm.engine.requests == []


def test_a_finished_program_is_not_replaced_unasked(out: Path) -> None:
    study_of(ALONE, out)
    content = out.read_text()
    with pytest.raises(InputError, match="holds a finished program; choose another --out or pass"):
        study_of(ALONE, out)
    assert out.read_text() == content
    study_of(ALONE, out, overwrite=True)


SEARCH = {"optimizer": "random-search", "options": {"num_candidate_programs": 2}}


@pytest.mark.parametrize("study", [WHOLE, ALONE], ids=["program", "predictor"])
def test_random_search_is_followed_trial_by_trial(study: Study, out: Path) -> None:
    tracker = Recorder()
    done = study_of(study.model_copy(update=SEARCH), out, tracker=tracker)
    trials = {said[1]: said[2]["dev.score"] for said in tracker.said if "trial" in said[1]}
    assert list(trials) == [f"trial {i:03}" for i in range(5)]
    assert trials["trial 000"] == pytest.approx(2 / 6, abs=1e-4)
    assert max(trials.values()) == 1.0 == done.after.value
    assert done.card.complete


def test_a_search_that_dies_leaves_the_best_trial_on_disk(out: Path) -> None:
    lm = toy_lm()
    study = WHOLE.model_copy(update=SEARCH)
    study_of(study, out.with_name("whole.json"), lm=lm)
    calls = len(lm.engine.requests) - 3 * 2 * len(DEV)
    with pytest.raises(BudgetExceeded, match=r"the best so far \(trial 002, dev 1.000\)"):
        study_of(study, out, lm=toy_lm(dies_after(calls, BudgetStop("spent"))))
    card = read_card(out)
    assert (card.kept, card.score, card.complete) == ("trial 002", 1.0, False)


def test_a_trial_without_the_prompt_s_own_demonstration_is_not_saved(out: Path) -> None:
    toy = Toy()
    toy.type_domain.predict.demos = [dspy.Example(question="worked", domain="INTEGRATED")]
    lm = toy_lm()
    study = WHOLE.model_copy(update=SEARCH)
    study_of(study, out.with_name("whole.json"), lm=lm, program=toy)
    calls = len(lm.engine.requests) - 3 * 2 * len(DEV)
    with pytest.raises(BudgetExceeded, match=r"the best so far \(before"):
        study_of(study, out, program=toy, lm=toy_lm(dies_after(calls, BudgetStop("spent"))))


def test_an_outage_stops_a_search_at_once(out: Path) -> None:
    lm = toy_lm(dies_after(40, dspy.LMServerError("503")))
    with pytest.raises(ModelCallError):
        study_of(WHOLE.model_copy(update=SEARCH), out, lm=lm)
    assert len(lm.engine.requests) == 41


def test_a_missing_package_is_found_before_a_call(
    out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = presets.PRESETS["bootstrap"].model_copy(update={"needs": ("no_such_package",)})
    monkeypatch.setattr(presets, "PRESETS", {"bootstrap": entry})
    lm = toy_lm()
    with pytest.raises(presets.MissingError, match="no_such_package"):
        study_of(WHOLE, out, lm=lm)
    assert lm.engine.requests == []


class Recorder(NullTracker):
    """A tracker that keeps what it is told."""

    def __init__(self) -> None:
        self.said: list[tuple[str, str, dict[str, object]]] = []

    def start(self, study, *, params=NOTHING) -> None:  # type: ignore[no-untyped-def]
        self.said.append(("start", study, dict(params)))

    def candidate(
        self, name, *, program=None, params=NOTHING, metrics=NOTHING, texts=NOTHING
    ) -> None:  # type: ignore[no-untyped-def]
        self.said.append(("candidate", name, dict(metrics)))

    def finish(self, *, status, metrics=NOTHING, texts=NOTHING) -> None:  # type: ignore[no-untyped-def]
        self.said.append(("finish", status, dict(texts)))


def test_a_study_is_followed_from_start_to_finish(out: Path) -> None:
    tracker = Recorder()
    study_of(WHOLE, out, tracker=tracker)
    assert [said[:2] for said in tracker.said] == [
        ("start", "bootstrap toy"),
        ("candidate", "before"),
        ("candidate", "after"),
        ("finish", "FINISHED"),
    ]
    params = tracker.said[0][2]
    assert params["train_sha"] == fingerprint(program_examples(TRAIN))[:16]
    assert params["options"]["max_labeled_demos"] == 0  # type: ignore[index]
    measured = {name: tracker.said[2][2][f"dev.{name}"] for name in ("score", "n", "failed")}
    assert measured == {"score": 1.0, "n": 6, "failed": 0}
    assert 0 < tracker.said[2][2]["dev.low"] < 1.0 == tracker.said[2][2]["dev.high"]  # type: ignore[operator]
    assert tracker.said[3][2] == {"program.json": out.read_text()}


@pytest.mark.parametrize(
    ("error", "raised", "status"),
    [
        (dspy.LMServerError("503"), ModelCallError, "FAILED"),
        (BudgetStop("spent"), BudgetExceeded, "KILLED"),
    ],
)
def test_a_stopped_study_is_closed_as_such(
    error: Exception, raised: type[Exception], status: str, out: Path
) -> None:
    tracker = Recorder()
    with pytest.raises(raised):
        study_of(WHOLE, out, tracker=tracker, lm=toy_lm(dies_after(5, error)))
    assert tracker.said[-1][:2] == ("finish", status)


def test_progress_counts_every_stage(out: Path) -> None:
    seen: list[tuple[str, int, int]] = []
    study_of(WHOLE, out, progress=lambda *step: seen.append(step))
    assert [s for s in seen if s[0] == "before"] == [("before", i, 6) for i in range(1, 7)]
    assert [s for s in seen if s[0] == "after"] == [("after", i, 6) for i in range(1, 7)]
    assert ("compile", 1, 9) in seen


def test_optimizers_print_nothing(out: Path, capfd: pytest.CaptureFixture[str]) -> None:
    study_of(WHOLE, out)
    said = capfd.readouterr()
    assert said.out == ""
    assert "Bootstrapped" not in said.err and "it/s" not in said.err


@pytest.mark.parametrize("name", ["type_domain", "type_domain.predict"])
def test_a_predictor_is_found_by_its_step(name: str) -> None:
    assert find_predictor(Toy(), name) == "type_domain.predict"


@pytest.mark.parametrize("name", ["type", "predict", "", "nothing"])
def test_an_unknown_predictor_lists_those_there_are(name: str) -> None:
    with pytest.raises(InputError, match="use one of type_domain.predict, answer.predict"):
        find_predictor(Toy(), name)
