"""Every optimizer through the whole study, with a model that gets better by its instructions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import dspy
import pytest

from optimize.adapter import QkgramAdapter
from optimize.artefacts import load_program, read_card
from optimize.compile import compile_program, forecast_calls
from optimize.examples import predictor_examples, program_examples
from optimize.meter import Meter
from optimize.presets import PRESETS
from optimize.scripted import ScriptedCall, ScriptedLM
from optimize.settings import Budget
from optimize.study import Compiled, Study
from signatures.errors import BudgetExceeded, InputError, ModelCallError
from tests.support.toy_program import Toy, toy_questions

TRAIN, DEV, TEST = toy_questions(0, 9), toy_questions(9, 15), toy_questions(15, 24)
WHOLE = Study(program="toy")
ALONE = Study(program="toy", predictor="type_domain.predict", metric="domain_match")
BETTER = "Read what stands in brackets."


def answer(call: ScriptedCall) -> Mapping[str, object]:
    """Propose the better instruction when asked for one; answer rightly only under it."""
    if not set(call.fields) & {"domain", "answer"}:
        return dict.fromkeys(call.fields, BETTER)
    gold = re.findall(r"\[right is (\w), domain (\w+)\]", call.user)[-1]
    seen = BETTER in call.system
    values = {
        "domain": gold[1] if seen else "DRUG_THERAPY",
        "reasoning": "because",
        "answer": gold[0] if seen else "A",
    }
    return {name: values[name] for name in call.fields}


def study_of(
    study: Study,
    out: Path,
    *,
    script=answer,  # type: ignore[no-untyped-def]
    program: dspy.Module | None = None,
    budget: Budget | None = None,
    **options: object,
) -> tuple[Compiled, dict[str, ScriptedLM], Meter]:
    toy, meter = program or Toy(), Meter(budget)
    lms = {
        role: ScriptedLM(script, model=f"scripted/{role}", role=role, meter=meter)
        for role in ("reasoner", "proposer", "validator")
    }
    with dspy.context(lm=lms["reasoner"], roles=lms, adapter=QkgramAdapter()):
        done = compile_program(
            toy,
            study,
            **examples(toy, study),  # type: ignore[arg-type]
            out=out,
            meter=meter,
            **options,  # type: ignore[arg-type]
        )
    return done, lms, meter


def examples(toy: dspy.Module, study: Study) -> dict[str, list[dspy.Example]]:
    parts = {"train": TRAIN, "dev": DEV, "test": TEST}
    if study.predictor is None:
        return {part: program_examples(held) for part, held in parts.items()}
    predictor = dict(toy.named_predictors())[study.predictor]
    return {part: predictor_examples(predictor, q, field="domain") for part, q in parts.items()}


@pytest.mark.parametrize("name", PRESETS)
def test_every_optimizer_goes_all_the_way_with_one_predictor(name: str, tmp_path: Path) -> None:
    out = tmp_path / "x.json"
    done, lms, meter = study_of(ALONE.model_copy(update={"optimizer": name}), out)
    card = read_card(out)
    assert card == done.card and card.complete
    assert card.usage is not None and card.usage.calls == meter.usage().calls
    loaded = Toy()
    load_program(loaded, out, name="toy")
    rewritten = loaded.type_domain.predict.signature.instructions == BETTER
    assert rewritten == (PRESETS[name].rewrites != "nothing")
    assert done.after.value == (1.0 if rewritten else pytest.approx(2 / 6))
    assert (len(lms["proposer"].asked) > 0) == rewritten
    assert loaded.answer.predict.signature.instructions == "Answer the question."
    assert not list(tmp_path.rglob("gepa_state.bin")), "a finished study leaves no optimizer state"


@pytest.mark.parametrize("name", ["mipro", "gepa"])
def test_every_optimizer_goes_all_the_way_with_a_program(name: str, tmp_path: Path) -> None:
    study = WHOLE.model_copy(update={"optimizer": name})
    done, lms, _ = study_of(study, tmp_path / "x.json")
    assert done.card.complete
    assert done.after.value == 1.0 > done.before.value
    assert lms["proposer"].asked, "the proposer's own model wrote the instructions"
    assert not any("domain" in call.fields for call in lms["proposer"].asked)


def test_two_studies_of_one_seed_are_one_program(tmp_path: Path) -> None:
    for name in ("mipro-zero", "gepa"):
        study = ALONE.model_copy(update={"optimizer": name, "seed": 4})
        first, again = (study_of(study, tmp_path / f"{name}{i}.json")[0] for i in (1, 2))
        assert first.after == again.after
        texts = [(tmp_path / f"{name}{i}.json").read_text().partition('"state"')[2] for i in (1, 2)]
        assert texts[0] == texts[1]


def test_mipro_without_demonstrations_leaves_none(tmp_path: Path) -> None:
    study = WHOLE.model_copy(update={"optimizer": "mipro-zero", "options": {"num_trials": 2}})
    done, _, _ = study_of(study, tmp_path / "x.json")
    assert done.demos == {"type_domain.predict": 0, "answer.predict": 0}


def test_gepa_stops_at_a_perfect_dev_score_and_inside_its_budget(tmp_path: Path) -> None:
    study = ALONE.model_copy(update={"optimizer": "gepa"})
    _, lms, _ = study_of(study, tmp_path / "x.json")
    calls = len(lms["reasoner"].asked)
    assert calls < 60, "150 were allowed"


def test_gepa_is_told_what_was_wrong(tmp_path: Path) -> None:
    _, lms, _ = study_of(ALONE.model_copy(update={"optimizer": "gepa"}), tmp_path / "1.json")
    told = lms["proposer"].asked[0].user
    assert "Wrong: domain was DRUG_THERAPY; it should be" in told
    _, lms, _ = study_of(WHOLE.model_copy(update={"optimizer": "gepa"}), tmp_path / "2.json")
    assert "Wrong: the answer was A (first" in lms["proposer"].asked[0].user


def test_gepa_rewrites_only_what_it_may(tmp_path: Path) -> None:
    study = WHOLE.model_copy(update={"optimizer": "gepa", "components": ("answer",)})
    done, _, _ = study_of(study, tmp_path / "x.json")
    assert done.program.type_domain.predict.signature.instructions != BETTER
    assert done.program.answer.predict.signature.instructions == BETTER
    assert done.card.components == ("answer.predict",)


class WithAgent(Toy):
    """The toy, with an agent whose instructions hold its tools."""

    def __init__(self) -> None:
        super().__init__()
        self.agent = dspy.ReAct("question -> answer", tools=[])


def test_an_agent_s_list_of_tools_is_never_rewritten(tmp_path: Path) -> None:
    out = tmp_path / "x.json"
    done, _, _ = study_of(WHOLE.model_copy(update={"optimizer": "gepa"}), out, program=WithAgent())
    assert "agent.react" not in done.card.components
    with pytest.raises(InputError, match="agent.react holds a list of tools; use gepa with"):
        study_of(
            WHOLE.model_copy(update={"optimizer": "mipro"}),
            out,
            program=WithAgent(),
            overwrite=True,
        )
    with pytest.raises(InputError, match="agent.react hold an agent's list of tools"):
        study_of(
            WHOLE.model_copy(update={"optimizer": "gepa", "components": ("agent.react",)}),
            out,
            program=WithAgent(),
            overwrite=True,
        )


def test_the_test_split_is_reported_with_intervals_and_the_paired_test(tmp_path: Path) -> None:
    notes: list[str] = []
    study = ALONE.model_copy(update={"optimizer": "gepa"})
    done, _, _ = study_of(study, tmp_path / "x.json", note=notes.append)
    found = done.test
    assert found is not None and done.card.reported == found
    assert (found.n, found.fixes, found.breaks) == (9, 6, 0)
    assert found.p == pytest.approx(2 * 0.5**6)
    assert found.before == pytest.approx(1 / 3) and found.after == 1.0
    assert found.before_low < 1 / 3 < found.before_high < found.after
    assert found.low <= found.difference <= found.high
    assert any(line.startswith("forecast: at most") for line in notes)
    assert any(line.startswith("best so far: trial") for line in notes)
    assert notes[-1].startswith("test domain_match: 0.333 [")


def test_a_teacher_answers_while_bootstrapping(tmp_path: Path) -> None:
    study = ALONE.model_copy(update={"teacher": "proposer"})
    _, lms, _ = study_of(study, tmp_path / "x.json")
    assert any("domain" in call.fields for call in lms["proposer"].asked)
    with pytest.raises(InputError, match="the teacher must be a role with a model, got 'x'"):
        study_of(ALONE.model_copy(update={"teacher": "x"}), tmp_path / "y.json")


class Validates(dspy.Module):
    """A predictor of a step that the validator takes."""

    def __init__(self) -> None:
        super().__init__()
        self.match_constraints = dspy.Predict("question -> domain")

    def forward(self, question: str) -> dspy.Prediction:
        raise AssertionError("the program is not run")


def test_a_lone_predictor_runs_under_its_step_s_role(tmp_path: Path) -> None:
    study = ALONE.model_copy(update={"predictor": "match_constraints"})
    _, lms, _ = study_of(study, tmp_path / "x.json", program=Validates())
    assert lms["validator"].asked and not lms["reasoner"].asked


def test_the_forecast_is_an_upper_bound(tmp_path: Path) -> None:
    for name in ("random-search", "mipro-zero", "gepa"):
        study = ALONE.model_copy(update={"optimizer": name})
        guess = forecast_calls(Toy(), study, train=len(TRAIN), dev=len(DEV), test=len(TEST))
        _, _, meter = study_of(study, tmp_path / f"{name}.json")
        assert meter.usage().calls <= guess.calls, name


def test_a_refused_forecast_costs_its_three_answers_and_can_be_gone_on_with(tmp_path: Path) -> None:
    out = tmp_path / "x.json"
    with pytest.raises(BudgetExceeded, match="the forecast was refused"):
        study_of(ALONE, out, confirm=lambda forecast: forecast.calls < 3)
    done, lms, _ = study_of(ALONE, out)
    assert done.resumed == 3
    assert len({call.user for call in lms["reasoner"].asked[: len(DEV) - 3]}) == len(DEV) - 3


@pytest.mark.parametrize("name", ["gepa", "mipro-zero"])
def test_a_dead_server_fails_the_study_which_goes_on_later(name: str, tmp_path: Path) -> None:
    study, out = WHOLE.model_copy(update={"optimizer": name}), tmp_path / "x.json"
    _, lms, meter = study_of(study, tmp_path / "whole.json")
    calls, made = meter.usage().calls, [0]

    def dies(call: ScriptedCall) -> object:
        made[0] += 1
        return dspy.LMServerError("503") if made[0] > calls // 2 else answer(call)

    with pytest.raises(ModelCallError, match="503"):
        study_of(study, out, script=dies)
    assert made[0] == calls // 2 + 1, "nothing is asked of a dead server twice"
    assert read_card(out).complete is False
    done, _, again = study_of(study, out)
    assert done.card.complete and done.resumed > 0
    assert again.usage().calls < calls
    assert done.after.value == read_card(tmp_path / "whole.json").score


@pytest.mark.parametrize("name", ["gepa", "mipro"])
def test_a_spent_budget_leaves_a_program_that_loads(name: str, tmp_path: Path) -> None:
    study, out = WHOLE.model_copy(update={"optimizer": name}), tmp_path / "x.json"
    with pytest.raises(BudgetExceeded, match="the budget of 40 calls is spent.*; the best so far"):
        study_of(study, out, budget=Budget(max_calls=40))
    load_program(Toy(), out, name="toy")
    done, _, meter = study_of(study, out)
    assert done.card.usage is not None
    assert done.card.usage.calls == 40 + meter.usage().calls, "both calls are on the card"


def test_no_candidate_is_evaluated_twice(tmp_path: Path) -> None:
    """Optuna tries combinations again; the model is not asked again."""
    study = ALONE.model_copy(update={"optimizer": "mipro-zero", "options": {"num_trials": 12}})
    _, lms, _ = study_of(study, tmp_path / "x.json")
    asked = [(call.system, call.user) for call in lms["reasoner"].asked]
    dev = {question.text for question in DEV}
    on_dev = [pair for pair in asked if any(text in pair[1] for text in dev)]
    assert len(on_dev) == len(set(on_dev)) == 2 * len(DEV)


def test_an_allowed_overlap_is_on_the_card(tmp_path: Path) -> None:
    out, toy = tmp_path / "x.json", Toy()
    given = examples(toy, ALONE)
    lm = ScriptedLM(answer)
    with dspy.context(lm=lm, adapter=QkgramAdapter()):
        with pytest.raises(InputError, match="dev and test must not share a question"):
            compile_program(toy, ALONE, **{**given, "test": given["dev"]}, out=out)  # type: ignore[arg-type]
        allowed = ALONE.model_copy(update={"allow_overlap": True})
        compile_program(toy, allowed, **{**given, "test": given["dev"]}, out=out)  # type: ignore[arg-type]
    assert read_card(out).overlap == ("dev and test must not share a question, they share 6",)
