"""Questions as DSPy examples: for a whole program, and for one predictor on its own."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType

import dspy

from metrics.outcomes import is_scored
from optimize.plain import plain
from programs.wording import option_lines
from signatures.errors import InputError
from signatures.schema import Question

FIELDS: Mapping[str, Callable[[Question], object]] = MappingProxyType(
    {
        "question": lambda question: question.text,
        "options": lambda question: option_lines(question.options),
        "domain": lambda question: question.domain,
        "answer": lambda question: question.gold,
    }
)
"""Fields of a predictor that a question can fill, worded as the programs word them."""


def program_examples(questions: Iterable[Question]) -> list[dspy.Example]:
    """Return one example per question that has a gold, with the question itself as the input."""
    return [dspy.Example(question=q).with_inputs("question") for q in questions if is_scored(q)]


def predictor_examples(
    predictor: dspy.Predict, questions: Iterable[Question], *, field: str
) -> list[dspy.Example]:
    """Return one example per question whose gold `field` is known.

    Raises:
        InputError: the predictor has an input that a question does not hold, such as the findings
            of an earlier step, or no output of this name.
    """
    signature = predictor.signature
    unknown = [name for name in signature.input_fields if name not in FIELDS]
    if unknown or field not in signature.output_fields or field not in FIELDS:
        raise InputError(
            f"a predictor compiled alone needs inputs among {', '.join(FIELDS)} and an output "
            f"{field!r}; this one reads {', '.join(signature.input_fields)} and writes "
            f"{', '.join(signature.output_fields)}; leave --predictor out to compile the program"
        )
    known = [q for q in questions if FIELDS[field](q) is not None]
    names = (*signature.input_fields, field)
    return [
        dspy.Example(**{name: FIELDS[name](q) for name in names}).with_inputs(
            *signature.input_fields
        )
        for q in known
    ]


def fingerprint(examples: Sequence[dspy.Example]) -> str:
    """Return the SHA-256 of a set of examples, whatever their order.

    >>> one, two = dspy.Example(a=1).with_inputs("a"), dspy.Example(a=2).with_inputs("a")
    >>> fingerprint([one, two]) == fingerprint([two, one]) != fingerprint([one])
    True
    """
    lines = sorted(_canonical(dict(example.items())) for example in examples)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def check_disjoint(train: Sequence[dspy.Example], dev: Sequence[dspy.Example]) -> None:
    """Raise `InputError` when a set is empty or when the two share an input."""
    for name, examples in (("train", train), ("dev", dev)):
        if not examples:
            raise InputError(
                f"compiling needs at least one {name} example, got none; check the {name} file or "
                "split, and that its questions have a gold answer (or domain)"
            )
    seen = {_inputs(example) for example in train}
    shared = sum(_inputs(example) in seen for example in dev)
    if shared:
        raise InputError(
            f"train and dev must not share a question, they share {shared}; "
            "a score on trained questions says nothing"
        )


def _inputs(example: dspy.Example) -> str:
    values = {
        name: _bare(value.text if isinstance(value, Question) else value)
        for name, value in example.inputs().items()
    }
    return _canonical(values)


def _bare(value: object) -> object:
    return " ".join(value.casefold().split()) if isinstance(value, str) else value


def _canonical(values: Mapping[str, object]) -> str:
    return json.dumps(plain(values), sort_keys=True, ensure_ascii=False)
