"""The state of a program: what compiling changes, and all that is saved of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress

import dspy
from pydantic import JsonValue, TypeAdapter, ValidationError

from optimize.plain import plain
from optimize.scrub import is_secret_name
from signatures.errors import ProgramStateError
from signatures.schema import Record

ADDRESSES = frozenset({"api_base", "base_url", "model_list"})
"""Request options that send a prompt elsewhere."""


_NOT_SAVED = frozenset({"traces", "train", "lm"})
"""Parts of DSPy's state that stay behind: training leftovers and the language model."""


class FieldNames(Record):
    """Fields of a predictor in order: DSPy restores their descriptions by position."""

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


@contextmanager
def thawed(program: dspy.Module) -> Iterator[None]:
    """See every predictor: DSPy hides those of sub-modules that an optimizer marked compiled."""
    frozen = [m for _, m in program.named_sub_modules() if getattr(m, "_compiled", False)]
    for module in frozen:
        module._compiled = False
    try:
        yield
    finally:
        for module in frozen:
            module._compiled = True


def thaw(program: dspy.Module) -> None:
    """Take DSPy's compiled mark off the program and every module in it, for good."""
    for _, module in program.named_sub_modules():
        if getattr(module, "_compiled", False):
            module._compiled = False


def field_names(program: dspy.Module) -> dict[str, FieldNames]:
    """Return the field names of every predictor, by predictor name."""
    with thawed(program):
        return {
            name: FieldNames(
                inputs=tuple(predictor.signature.input_fields),
                outputs=tuple(predictor.signature.output_fields),
            )
            for name, predictor in program.named_predictors()
        }


def program_state(program: dspy.Module) -> dict[str, JsonValue]:
    """Return instructions, field descriptions, demonstrations and options of every predictor.

    Raises:
        ProgramStateError: a predictor has a language model of its own, an address or a secret.
    """
    with thawed(program):
        return {name: _state(name, predictor) for name, predictor in program.named_predictors()}


def apply_state(program: dspy.Module, state: Mapping[str, JsonValue]) -> None:
    """Put a state from `program_state` into a program of the same shape, in place."""
    with thawed(program):
        for name, predictor in program.named_predictors():
            saved = dict(_mapping(state.get(name), name))
            config = dict(_mapping(saved.pop("config", None), name))
            predictor.load_state({**saved, "traces": [], "train": [], "lm": None})
            predictor.demos = [_typed(demo, predictor.signature) for demo in predictor.demos]
            predictor.config = config


def _state(name: str, predictor: dspy.Predict) -> dict[str, JsonValue]:
    if predictor.lm is not None:
        raise ProgramStateError(
            f"predictor {name} has a language model of its own ({predictor.lm.model}); programs "
            "take theirs from the settings: set_lm(None) and name it there"
        )
    config = plain(predictor.config)
    for key in predictor.config:
        if key in ADDRESSES or is_secret_name(key):
            raise ProgramStateError(
                f"predictor {name} holds {key} in its options; put it into the settings"
            )
    dumped = {k: v for k, v in predictor.dump_state().items() if k not in _NOT_SAVED}
    # The demonstrations are taken from the predictor itself: `dump_state` keeps tuples and enums.
    dumped["demos"] = [dict(demo.items()) for demo in predictor.demos]
    return {**dict(_mapping(plain(dumped), name)), "config": config}


def _typed(demo: Mapping[str, JsonValue], signature: type[dspy.Signature]) -> dict[str, object]:
    """Make values the records of their fields again, where that loses nothing.

    A record and its plain form may render differently: an infinite end is `Infinity` in one and
    `null` in the other.
    """
    typed: dict[str, object] = dict(demo)
    for name in demo.keys() & signature.fields.keys():
        with suppress(ValidationError):
            value = TypeAdapter(signature.fields[name].annotation).validate_python(demo[name])
            if plain(value) == demo[name]:
                typed[name] = value
    return typed


def _mapping(value: JsonValue, name: str) -> Mapping[str, JsonValue]:
    if not isinstance(value, dict):
        raise ProgramStateError(f"predictor {name} has no state in the file; compile it again")
    return value
