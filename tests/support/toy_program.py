"""A two-step program and a scripted model that only gets better with demonstrations."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable

import dspy
from dspy.lm15 import Message, Request, Response, TextPart, Usage

from signatures.domain import TypeDomain as TypeDomainSignature
from signatures.schema import QAResponse, Question

DOMAINS = ("DRUG_THERAPY", "GENE_PROTEIN", "DISEASE_SYMPTOM")


class Answer(dspy.Signature):
    """Answer the question."""

    question: str = dspy.InputField()
    domain: str = dspy.InputField()
    answer: str = dspy.OutputField()


class TypeDomain(dspy.Module):
    """One predictor, one level down, as in the real programs."""

    def __init__(self) -> None:
        super().__init__()
        self.predict = dspy.Predict(TypeDomainSignature, max_tokens=96)

    def forward(self, question: str) -> str:
        return str(self.predict(question=question).domain)


class Toy(dspy.Module):
    """Domain, then answer."""

    def __init__(self) -> None:
        super().__init__()
        self.type_domain = TypeDomain()
        self.answer = dspy.ChainOfThought(Answer)

    def forward(self, question: Question) -> dspy.Prediction:
        domain = self.type_domain(question.text)
        said = self.answer(question=question.text, domain=domain)
        response = QAResponse(
            llm_answer_choice=said.answer, selected_option_text=None, reasoning=said.reasoning
        )
        return dspy.Prediction(response=response, domain=domain)


class ToyEngine:
    """Answers by a function of the request, and keeps every request."""

    supports_response_schema = False
    supports_function_calling = False
    supports_reasoning = False
    supported_params = frozenset({"temperature", "top_p", "max_tokens", "seed", "stop"})

    def __init__(self, answer: Callable[[str, str], str]) -> None:
        self._answer, self._lock = answer, threading.Lock()
        self.requests: list[tuple[object, ...]] = []

    def complete(self, request: Request) -> Response:
        texts = [
            "".join(part.text for part in message.parts if isinstance(part, TextPart))
            for message in request.messages
        ]
        everything = f"{request.system or ''}\n" + "\n".join(texts)
        with self._lock:
            self.requests.append((request.system, tuple(texts), request.config))
        text = self._answer(everything, texts[-1])
        return Response(
            id="toy",
            model=request.model,
            message=Message.assistant([TextPart(text)]),
            finish_reason="stop",
            usage=Usage(input_tokens=len(everything) // 4, output_tokens=10),
        )

    def __deepcopy__(self, memo: object) -> ToyEngine:
        return self


def toy_answer(everything: str, last: str) -> str:
    """Be right about the last question only after a demonstration; else always say the same."""
    shown = everything.count("[right is ") > last.count("[right is ")
    gold = re.findall(r"\[right is (\w), domain (\w+)\]", last)[-1]
    values = {
        "domain": gold[1] if shown else DOMAINS[0],
        "reasoning": "because",
        "answer": gold[0] if shown else "A",
    }
    asked = re.findall(r"`?\[\[ ## (\w+) ## \]\]`?", last[last.rfind("Respond with") :])
    return (
        "\n\n".join(f"[[ ## {name} ## ]]\n{values[name]}" for name in asked if name in values)
        + "\n\n[[ ## completed ## ]]"
    )


def toy_lm(answer: Callable[[str, str], str] = toy_answer, **options: object) -> dspy.LM:
    """Return a language model over a `ToyEngine`; nothing is cached."""
    return dspy.LM("toy/model", engine=ToyEngine(answer), cache=False, num_retries=0, **options)


def toy_questions(first: int, last: int, *, split: str = "train") -> list[Question]:
    """Return labelled questions whose text tells the scripted model what is right."""
    made = []
    for i in range(first, last):
        gold, domain = "ABC"[i % 3], DOMAINS[i % 3]
        made.append(
            Question(
                id=f"q{i}",
                source="toy",
                text=f"Question {i}? [right is {gold}, domain {domain}]",
                options={"A": f"first {i}", "B": f"second {i}", "C": f"third {i}"},
                gold=gold,
                labelled=True,
                domain=domain,
                split=split,
            )
        )
    return made
