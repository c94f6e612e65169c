"""A small program and its run, for the tests of runs and evaluation."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

import dspy

from optimize.identity import Identity, prompts_digest
from optimize.meter import Meter
from optimize.runs import RunDirectory
from optimize.scripted import Answer, ScriptedCall, ScriptedLM
from signatures.schema import QAResponse, Question


class ChooseToy(dspy.Signature):
    """Choose an option."""

    question: str = dspy.InputField()
    answer: str = dspy.OutputField()
    domain: Literal["DRUG_THERAPY", "INTEGRATED"] = dspy.OutputField()


class Toy(dspy.Module):
    """One predictor; its first answer is always A."""

    def __init__(self) -> None:
        super().__init__()
        self.choose = dspy.Predict(ChooseToy)

    def forward(self, question: Question) -> dspy.Prediction:
        with dspy.context(stage="choose"):
            chosen = self.choose(question=question.text)
        return dspy.Prediction(
            response=_response(chosen.answer),
            first=_response("A"),
            domain=chosen.domain,
            gold_seen=question.gold,
        )


def _response(letter: str) -> QAResponse:
    return QAResponse(llm_answer_choice=letter, selected_option_text=None, reasoning="toy")


def toy_questions(count: int) -> tuple[Question, ...]:
    """Questions whose right answer is B."""
    return tuple(
        Question(
            id=f"q{number}",
            source="even" if number % 2 == 0 else "odd",
            text=f"Question number {number}?",
            options={"A": "Metformin", "B": "Insulin"},
            gold="B",
            labelled=True,
        )
        for number in range(count)
    )


def toy_identity(module: dspy.Module | None = None, **changes: object) -> Identity:
    """What a toy run is made of."""
    return Identity(
        program="toy",
        settings={},
        prompts=prompts_digest(module or Toy()),
        models={"reasoner": {"id": "scripted/model", "temperature": 0.0}},
        graph="g1",
        version="test",
    ).model_copy(update=changes)


def open_toy(path: Path, questions: Sequence[Question], **options: object) -> RunDirectory:
    """Open a toy run."""
    identity = options.pop("identity", None) or toy_identity()
    return RunDirectory.open(path, identity=identity, questions=questions, **options)  # type: ignore[arg-type]


def toy_lm(
    answer: Callable[[ScriptedCall], Answer] | str = "B",
    *,
    meter: Meter,
    delay: float = 0.0,
    retries: int = 0,
) -> ScriptedLM:
    """A model that answers every question alike, or by a function, after `delay` seconds."""

    def script(call: ScriptedCall) -> Answer:
        time.sleep(delay)
        if isinstance(answer, str):
            return {"answer": answer, "domain": "DRUG_THERAPY"}
        return answer(call)

    return ScriptedLM(script, meter=meter, role="reasoner", retries=retries)
