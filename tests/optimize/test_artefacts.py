"""Saved programs: what is sent after loading is what was sent before saving, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import dspy
import pytest

from optimize.adapter import QkgramAdapter
from optimize.artefacts import (
    Card,
    SplitCard,
    load_program,
    read_card,
    save_program,
)
from optimize.state import apply_state, field_names, program_state, thaw
from signatures.errors import MissingError, ProgramStateError
from signatures.schema import Claim, Quantity, Span
from tests.support.toy_program import Toy, toy_lm, toy_questions

CARD = Card(
    program="toy",
    optimizer="bootstrap",
    seed=0,
    train=SplitCard(n=2, fingerprint="a"),
    dev=SplitCard(n=1, fingerprint="b"),
    metric="exact_match",
)
CLAIM = Claim(option="A", head="metformin", predicate="treats", tail="diabetes", supports=True)
EGFR = Quantity(
    analyte="egfr", low=float("-inf"), high=30, unit=None, span=Span(start=0, end=1, text="x")
)


class Emit(dspy.Signature):
    """Emit claims."""

    quantities: tuple[Quantity, ...] = dspy.InputField()
    claims: list[Claim] = dspy.OutputField()


class Nested(dspy.Module):
    """Records in the demonstrations, options on the predictor, a list of sub-modules."""

    def __init__(self) -> None:
        super().__init__()
        self.steps = [Toy(), Toy()]
        self.emit = dspy.Predict(Emit, temperature=0.3, max_tokens=77)


def compiled_nested() -> Nested:
    program = Nested()
    program.emit.demos = [dspy.Example(quantities=(EGFR,), claims=[CLAIM], augmented=True)]
    program.emit.signature = program.emit.signature.with_instructions("Emit claims, better.")
    program.steps[1].answer.predict.demos = [
        dspy.Example(question="q", domain="d", reasoning="r", answer="B", augmented=True)
    ]
    program.steps[1]._compiled = True
    return program


def requests_of(program: Nested, adapter: dspy.Adapter) -> list[tuple[object, ...]]:
    """Run every predictor once and return what the model was sent, sampling included."""
    lm = toy_lm(lambda everything, last: "mumble", temperature=0.0)
    thaw(program)
    with dspy.context(lm=lm, adapter=adapter):
        for _, predictor in program.named_predictors():
            with pytest.raises(dspy.AdapterParseError):
                predictor(**dict.fromkeys(predictor.signature.input_fields, "value"))
    requests: list[tuple[object, ...]] = lm.engine.requests
    return requests


@pytest.mark.parametrize(
    "adapter",
    [QkgramAdapter(reasks=0), dspy.ChatAdapter(use_json_adapter_fallback=False)],
    ids=["ours", "chat"],
)
def test_every_request_is_the_same_before_saving_and_after_loading(
    tmp_path: Path, adapter: dspy.Adapter
) -> None:
    before = compiled_nested()
    save_program(before, tmp_path / "p.json", card=CARD)
    after = Nested()
    load_program(after, tmp_path / "p.json")
    sent = requests_of(before, adapter)
    assert len(sent) == 5
    assert sent == requests_of(after, adapter)
    assert sent != requests_of(Nested(), adapter)


def test_infinite_ends_survive(tmp_path: Path) -> None:
    save_program(compiled_nested(), tmp_path / "p.json", card=CARD)
    after = Nested()
    load_program(after, tmp_path / "p.json")
    assert after.emit.demos[0]["quantities"] == (EGFR,)


def test_options_of_a_predictor_are_restored(tmp_path: Path) -> None:
    save_program(compiled_nested(), tmp_path / "p.json", card=CARD)
    after = Nested()
    after.emit.config = {"max_tokens": 5}
    load_program(after, tmp_path / "p.json")
    assert after.emit.config == {"temperature": 0.3, "max_tokens": 77}


def test_sub_modules_that_an_optimizer_froze_are_saved_too(tmp_path: Path) -> None:
    program = compiled_nested()
    assert not any(name.startswith("steps[1]") for name, _ in program.named_predictors())
    save_program(program, tmp_path / "p.json", card=CARD)
    assert program.steps[1]._compiled is True
    after = Nested()
    load_program(after, tmp_path / "p.json")
    assert len(after.steps[1].answer.predict.demos) == 1


def test_saving_twice_gives_the_same_state(tmp_path: Path) -> None:
    save_program(compiled_nested(), tmp_path / "a.json", card=CARD)
    again = Nested()
    load_program(again, tmp_path / "a.json")
    save_program(again, tmp_path / "b.json", card=CARD)
    assert (tmp_path / "a.json").read_text() == (tmp_path / "b.json").read_text()


class Renamed(dspy.Signature):
    """A signature with a field put in front of the one that was saved."""

    question: str = dspy.InputField()
    certainty: str = dspy.OutputField()
    domain: str = dspy.OutputField()


def test_other_field_names_are_refused_and_nothing_is_changed(tmp_path: Path) -> None:
    saved = Toy()
    saved.type_domain.predict.demos = [dspy.Example(question="q", domain="INTEGRATED")]
    save_program(saved, tmp_path / "p.json", card=CARD)
    other = Toy()
    other.type_domain.predict = dspy.Predict(Renamed)
    unchanged = program_state(other)
    with pytest.raises(
        ProgramStateError,
        match="question -> domain for predictor type_domain.predict, this version has question -> "
        "certainty, domain; compile it again",
    ):
        load_program(other, tmp_path / "p.json")
    assert program_state(other) == unchanged


def test_a_missing_or_an_extra_predictor_is_refused(tmp_path: Path) -> None:
    save_program(Toy(), tmp_path / "p.json", card=CARD)
    bigger = Toy()
    bigger.extra = dspy.Predict("a -> b")
    with pytest.raises(ProgramStateError, match="the same predictors, they differ in extra"):
        load_program(bigger, tmp_path / "p.json")
    save_program(bigger, tmp_path / "q.json", card=CARD)
    with pytest.raises(ProgramStateError, match="they differ in extra"):
        load_program(Toy(), tmp_path / "q.json")


def test_another_program_s_file_is_refused_by_name(tmp_path: Path) -> None:
    save_program(Toy(), tmp_path / "p.json", card=CARD)
    assert load_program(Toy(), tmp_path / "p.json", name="toy").program == "toy"
    with pytest.raises(ProgramStateError, match="holds program 'toy', not 'regram'"):
        load_program(Toy(), tmp_path / "p.json", name="regram")


def test_a_program_keeps_no_model_address_or_key(tmp_path: Path) -> None:
    bound = Toy()
    bound.answer.predict.lm = toy_lm()
    with pytest.raises(ProgramStateError, match="answer.predict has a language model of its own"):
        save_program(bound, tmp_path / "p.json", card=CARD)
    for key, value in (("api_base", "http://x/v1"), ("api_key", "sk-test-12345678")):
        addressed = Toy()
        addressed.answer.predict.config = {key: value}
        with pytest.raises(ProgramStateError, match=f"answer.predict holds {key}"):
            save_program(addressed, tmp_path / "p.json", card=CARD)
    assert list(tmp_path.iterdir()) == []


def test_a_secret_in_a_demonstration_is_refused_and_in_the_card_is_masked(tmp_path: Path) -> None:
    program = Toy()
    settings = {"model": {"api_base": "http://x/v1", "api_key": "abc"}, "note": "sk-test-12345678"}
    card = CARD.model_copy(update={"settings": settings})
    save_program(program, tmp_path / "p.json", card=card)
    text = (tmp_path / "p.json").read_text()
    assert "sk-test" not in text and "abc" not in text and "http://x" not in text
    program.answer.predict.demos = [dspy.Example(question="key sk-test-12345678", answer="A")]
    with pytest.raises(ProgramStateError, match="must hold no secret"):
        save_program(program, tmp_path / "q.json", card=CARD)


def test_loading_never_brings_a_model(tmp_path: Path) -> None:
    save_program(Toy(), tmp_path / "p.json", card=CARD)
    content = json.loads((tmp_path / "p.json").read_text())
    content["state"]["answer.predict"]["lm"] = {
        "model": "openai/evil",
        "api_base": "http://evil/v1",
    }
    (tmp_path / "p.json").write_text(json.dumps(content))
    program = Toy()
    load_program(program, tmp_path / "p.json")
    assert all(predictor.lm is None for _, predictor in program.named_predictors())


def test_a_value_without_json_form_is_named(tmp_path: Path) -> None:
    program = Toy()
    program.answer.predict.demos = [dspy.Example(question={"a", "b"}, answer="A")]
    with pytest.raises(ProgramStateError, match="got set"):
        save_program(program, tmp_path / "p.json", card=CARD)


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", '{"format": 99}', '{"format": 1}'])
def test_a_file_that_is_no_program_is_named(tmp_path: Path, content: str) -> None:
    (tmp_path / "p.json").write_text(content)
    with pytest.raises(ProgramStateError, match=r"p.json .*make one with: qkgram compile"):
        read_card(tmp_path / "p.json")


def test_a_missing_file_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(MissingError, match="make one with: qkgram compile"):
        load_program(Toy(), tmp_path / "p.json")


def test_the_card_lists_field_names_and_reads_back(tmp_path: Path) -> None:
    written = save_program(Toy(), tmp_path / "p.json", card=CARD)
    assert read_card(tmp_path / "p.json") == written
    assert written.fields["answer.predict"].outputs == ("reasoning", "answer")
    assert written.fields == field_names(Toy())
    assert written.dspy == dspy.__version__


def test_one_program_s_signature_class_is_never_changed_by_another(tmp_path: Path) -> None:
    changed = compiled_nested()
    fresh = Nested()
    apply_state(fresh, program_state(changed))
    assert Nested().emit.signature.instructions == "Emit claims."


def test_questions_are_not_needed_to_load(tmp_path: Path) -> None:
    save_program(Toy(), tmp_path / "p.json", card=CARD)
    program = Toy()
    load_program(program, tmp_path / "p.json")
    with dspy.context(lm=toy_lm()):
        assert program(question=toy_questions(0, 1)[0]).response.llm_answer_choice == "A"
