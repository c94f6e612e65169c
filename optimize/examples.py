"""Questions as DSPy examples: for a whole program, and for one predictor on its own."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

import dspy

from data.splits import Part, crossings
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


def program_examples(questions: Iterable[Question], *, needs: str = "gold") -> list[dspy.Example]:
    """Return one example per question that can be judged, with the question itself as the input.

    Args:
        questions: Where they come from.
        needs: What a question must have: `gold` (an answer that is scored) or another field.
    """
    judged = (q for q in questions if (is_scored(q) if needs == "gold" else getattr(q, needs)))
    return [dspy.Example(question=q).with_inputs("question") for q in judged]


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


def check_disjoint(
    train: Sequence[dspy.Example],
    dev: Sequence[dspy.Example],
    test: Sequence[dspy.Example] = (),
    *,
    allow: bool = False,
) -> tuple[str, ...]:
    """Check that nothing is learnt or chosen on what is reported; return what was let pass.

    Args:
        train: Examples to learn from.
        dev: Examples that decide.
        test: Examples that are reported; may be empty.
        allow: Let questions pass that stand in two parts, the same or nearly, or that are marked
            as test questions; each is told in a line.

    Raises:
        InputError: train or dev is empty, or, without `allow`, something would be told.
    """
    for name, examples in (("train", train), ("dev", dev)):
        if not examples:
            raise InputError(
                f"compiling needs at least one {name} example, got none; check the {name} file or "
                "split, and that its questions have a gold answer (or domain)"
            )
    lines = (
        *marked_as_test(question_of(example) for example in (*train, *dev)),
        *_shared(train, dev, test),
    )
    if lines and not allow:
        raise InputError(
            f"{lines[0]}; a score on trained questions says nothing: take them out, or pass "
            "--allow-overlap, which is recorded"
        )
    return lines


def marked_as_test(questions: Iterable[Question]) -> tuple[str, ...]:
    """Tell in a line how many questions to learn or choose from are marked as test questions."""
    marked = sum(question.split == "test" for question in questions)
    return (f"train or dev must hold no question of the test split, they hold {marked}",) * (
        marked > 0
    )


def question_of(example: dspy.Example) -> Question:
    """Return the question of an example; a predictor's inputs are read as one."""
    question = example.get("question")
    if isinstance(question, Question):
        return question
    text = "\n".join(str(value) for value in example.inputs().values())
    return Question(id="", source="", text=text)


def _shared(
    train: Sequence[dspy.Example], dev: Sequence[dspy.Example], test: Sequence[dspy.Example]
) -> Iterator[str]:
    parts: dict[Part, list[Question]] = {
        "train": [question_of(example) for example in train],
        "dev": [question_of(example) for example in dev],
        "test": [question_of(example) for example in test],
    }
    found = Counter((c.parts, c.kind) for c in crossings(parts))
    for (one, other), kind in dict.fromkeys(found):
        how = "" if kind == "same" else "nearly "
        count = found[(one, other), kind]
        yield f"{one} and {other} must not {how}share a question, they {how}share {count}"


def _canonical(values: Mapping[str, object]) -> str:
    return json.dumps(plain(values), sort_keys=True, ensure_ascii=False)
