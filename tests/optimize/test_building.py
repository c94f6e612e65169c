"""From a preset to its optimizer: what is wrong is found before a call is paid for."""

from __future__ import annotations

import dspy
import pytest

from optimize import presets
from optimize.building import build_optimizer
from optimize.presets import PRESETS, Preset, Scope
from signatures.errors import InputError, MissingError
from tests.support.toy_program import toy_lm


def metric(example: object, pred: object, trace: object = None) -> float:
    return 1.0


def build(name: str, scope: Scope = "predictor", **options: object):  # type: ignore[no-untyped-def]
    return build_optimizer(
        name, metric=metric, scope=scope, options=options, train=[1, 2, 3], dev=[4]
    )


def test_options_reach_the_class_and_are_kept_for_the_card() -> None:
    made = build("bootstrap", max_rounds=2)
    assert made.teleprompter.max_rounds == 2
    assert made.teleprompter.metric is metric
    assert made.options == {
        "max_bootstrapped_demos": 4,
        "max_rounds": 2,
        "max_labeled_demos": 8,
    }


def test_unreadable_answers_cannot_end_a_study() -> None:
    assert build("bootstrap", max_rounds=2).teleprompter.max_errors == 7


def test_an_option_of_compile_is_passed_to_compile() -> None:
    assert build("labeled", sample=False).compile_options == {"sample": False}


def test_a_whole_program_gets_no_gold_demonstrations() -> None:
    assert build("bootstrap", scope="program").options["max_labeled_demos"] == 0
    with pytest.raises(InputError, match="max_labeled_demos must be 0 for a whole program"):
        build("bootstrap", scope="program", max_labeled_demos=4)
    with pytest.raises(InputError, match="labeled compiles one predictor, not a whole program"):
        build("labeled", scope="program")


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("boostrap", {}, "'boostrap' is unknown; did you mean 'bootstrap'. use one of labeled"),
        ("bootstrap", {"max_round": 2}, "no option 'max_round'; did you mean max_rounds"),
        ("bootstrap", {"metric": "x"}, "no option 'metric'"),
        ("bootstrap", {"max_rounds": "two"}, "a whole number from 0, got 'two'"),
    ],
)
def test_a_wrong_name_or_option_says_what_there_is(
    name: str, options: dict[str, object], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        build(name, **options)


def test_a_missing_package_is_named_before_anything_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = Preset(
        name="new", target="dspy.teleprompt:LabeledFewShot", about="", needs=("no_such_package",)
    )
    monkeypatch.setattr(presets, "PRESETS", {**PRESETS, "new": entry})
    with pytest.raises(MissingError, match="needs no_such_package; install with"):
        build("new")


def test_a_new_optimizer_is_one_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = Preset(name="new", target="dspy.teleprompt:LabeledFewShot", about="", defaults={"k": 1})
    monkeypatch.setattr(presets, "PRESETS", {**PRESETS, "new": entry})
    assert build("new", scope="program").teleprompter.k == 1


def test_a_minibatch_larger_than_dev_is_found_before_a_call() -> None:
    assert PRESETS["mipro"].defaults["minibatch"] is False
    with dspy.context(lm=toy_lm()), pytest.raises(InputError, match="minibatch of 35 is larger"):
        build("mipro", minibatch=True)


@pytest.mark.parametrize("name", ["mipro", "mipro-zero", "gepa"])
def test_an_optimizer_that_proposes_needs_a_model_before_it_starts(name: str) -> None:
    def five(gold: object, pred: object, trace: object, name: object, of: object) -> float:
        return 1.0

    with dspy.context(lm=None), pytest.raises(InputError, match="needs a language model"):
        build_optimizer(name, metric=five, scope="predictor", train=[1], dev=[1])


def test_what_the_study_lends_may_not_be_set() -> None:
    with dspy.context(lm=toy_lm()), pytest.raises(InputError, match="no option 'log_dir'"):
        build("mipro", log_dir="x")
