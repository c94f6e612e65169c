"""How a signature becomes a prompt and a reply becomes typed values, in few tokens.

Prompts are short because a local model reads about 27 tokens a second. The system message holds
what never changes (instructions, described inputs, the output in short notation), so its reading is
cached; the user message holds the values. The JSON schema itself goes to the server, when it
enforces one, and is never pasted.

A reply that cannot be read is asked for again, with the reason, a fresh `rollout_id` (the cache
would replay the same reply) and a temperature of at least 0.7. When the last try fails too,
`UnreadReply` is raised: for qkgram a `ParseError`, for DSPy's optimizers an `AdapterParseError`,
which GEPA and the bootstrappers catch and learn from.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_origin

import dspy
from dspy.adapters.json_adapter import JSONAdapter
from dspy.adapters.utils import (
    apply_output_field_defaults,
    format_field_value,
    parse_value,
    serialize_for_json,
)
from dspy.utils.exceptions import AdapterParseError
from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from optimize.json_reading import Unreadable, read_nested, read_object
from optimize.notation import notation
from signatures.errors import ParseError

COMPLAINT = "previous_error"
"""Name of the input field that carries the reason for asking again."""

FIRST_ROLLOUT = 7000
"""Rollout id of the first re-ask: far from the small numbers that repeats of a run use, of which
each gets a thousand ids of its own."""

RETRY_TEMPERATURE = 0.7
"""Lowest temperature of a re-ask; at 0 the same reply would come back."""

_FORMAT = "Answer with one JSON object and nothing else:"


class UnreadReply(ParseError, AdapterParseError):
    """A reply that has no reading under its signature, also after the re-asks."""

    def __init__(self, error: AdapterParseError, signature: type[dspy.Signature]) -> None:
        reason = _reason(error)
        # Without a partial result: DSPy's tracing divides by its length as if it were a list.
        AdapterParseError.__init__(
            self, error.adapter_name, signature, error.lm_response, message=reason
        )
        fields = ", ".join(signature.output_fields)
        self.args = (f"the model's answer ({fields}) could not be read: {reason}",)

    def __str__(self) -> str:
        """Return the one line for the user; `message` holds DSPy's long text."""
        return str(self.args[0])


class QkgramAdapter(JSONAdapter):
    """DSPy's JSON adapter with short prompts, a strict reader and re-asks.

    Args:
        reasks: How many more times an unreadable reply is asked for.
    """

    def __init__(self, *, reasks: int = 2, callbacks: list[Any] | None = None) -> None:
        super().__init__(callbacks=callbacks)
        self.reasks = reasks

    def __call__(
        self,
        lm: dspy.LM,
        lm_kwargs: dict[str, Any],
        signature: type[dspy.Signature],
        demos: list[dict[str, Any]],
        inputs: dict[str, Any],
    ) -> list[dict[str, Any]]:
        """Ask, and ask again while the reply cannot be read.

        Raises:
            ParseError: The last reply could not be read either (`UnreadReply`).
        """
        asked, values, options = signature, inputs, dict(lm_kwargs)
        base = {"rollout_id": lm.kwargs.get("rollout_id"), **lm_kwargs}
        for attempt in range(self.reasks + 1):
            try:
                replies: list[dict[str, Any]] = super().__call__(
                    lm, dict(options), asked, demos, values
                )
                return replies
            except AdapterParseError as error:
                if attempt == self.reasks:
                    raise UnreadReply(error, signature) from error
                asked, values, options = _ask_again(signature, inputs, base, error, attempt)
        raise AssertionError("unreachable: the loop returns or raises")

    async def acall(
        self,
        lm: dspy.LM,
        lm_kwargs: dict[str, Any],
        signature: type[dspy.Signature],
        demos: list[dict[str, Any]],
        inputs: dict[str, Any],
    ) -> list[dict[str, Any]]:
        """Do as `__call__` does, asynchronously."""
        asked, values, options = signature, inputs, dict(lm_kwargs)
        base = {"rollout_id": lm.kwargs.get("rollout_id"), **lm_kwargs}
        for attempt in range(self.reasks + 1):
            try:
                replies: list[dict[str, Any]] = await super().acall(
                    lm, dict(options), asked, demos, values
                )
                return replies
            except AdapterParseError as error:
                if attempt == self.reasks:
                    raise UnreadReply(error, signature) from error
                asked, values, options = _ask_again(signature, inputs, base, error, attempt)
        raise AssertionError("unreachable: the loop returns or raises")

    def _prepare_response_format(
        self, lm: dspy.LM, lm_kwargs: dict[str, Any], signature: type[dspy.Signature]
    ) -> None:
        """Let the schema ask for a list's least length too, where DSPy leaves it out.

        Held to a list of any length, a small model writes an empty one. The reader still takes an
        empty list from a server that enforces nothing.
        """
        super()._prepare_response_format(lm, lm_kwargs, signature)
        wanted = lm_kwargs.get("response_format")
        if not (isinstance(wanted, type) and issubclass(wanted, BaseModel)):
            return
        properties = wanted.model_json_schema()["properties"]
        for name, field in signature.output_fields.items():
            for limit in field.metadata:
                if name in properties and (least := getattr(limit, "min_length", None)):
                    properties[name]["minItems"] = least

    def format_system_message(self, signature: type[dspy.Signature]) -> str:
        """Return what does not change from call to call."""
        parts = [signature.instructions.strip(), *_described(signature.input_fields)]
        return "\n".join([*parts, _FORMAT, _shape(signature.output_fields)])

    def format_user_message_content(
        self,
        signature: type[dspy.Signature],
        inputs: dict[str, Any],
        prefix: str = "",
        suffix: str = "",
        main_request: bool = False,
    ) -> str:
        """Return the values, each under its name."""
        blocks = [
            _block(name, format_field_value(field_info=field, value=inputs[name]))
            for name, field in signature.input_fields.items()
            if name in inputs
        ]
        return "\n".join(part for part in (prefix, *blocks, suffix) if part).strip()

    def format_assistant_message_content(
        self,
        signature: type[dspy.Signature],
        outputs: dict[str, Any],
        missing_field_message: str | None = None,
    ) -> str:
        """Return a demonstration's answer as one line of JSON; missing fields are left out."""
        import json

        known = {name: outputs[name] for name in signature.output_fields if name in outputs}
        return json.dumps(serialize_for_json(known), ensure_ascii=False)

    def parse(self, signature: type[dspy.Signature], completion: str) -> dict[str, Any]:
        """Read the reply into typed values.

        Raises:
            AdapterParseError: The reply has no reading; `message` begins with the reason.
        """
        try:
            found = read_object(completion, signature.output_fields)
            fields = {
                name: _typed(name, found[name], field.annotation)
                for name, field in signature.output_fields.items()
                if name in found
            }
        except Unreadable as error:
            raise self._unread(signature, completion, str(error)) from error
        complete: dict[str, Any] = apply_output_field_defaults(signature, fields)
        missing = [name for name in signature.output_fields if name not in complete]
        if missing:
            names = ", ".join(map(repr, missing))
            raise self._unread(signature, completion, f"the JSON object lacks {names}")
        return complete

    def _unread(
        self, signature: type[dspy.Signature], completion: str, reason: str
    ) -> AdapterParseError:
        return AdapterParseError(type(self).__name__, signature, completion, message=reason)


def _typed(name: str, value: Any, annotation: Any) -> Any:
    """Return a field's value in its type.

    Raises:
        Unreadable: It does not fit; the message names the place.
    """
    if annotation is str:
        return value if isinstance(value, str) else str(serialize_for_json(value))
    try:
        return parse_value(read_nested(value), annotation)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(part) for part in (name, *first["loc"]))
        raise Unreadable(f"{place}: {first['msg']}") from error
    except ValueError as error:
        raise Unreadable(f"{name}: {error}") from error


def _ask_again(
    signature: type[dspy.Signature],
    inputs: Mapping[str, Any],
    options: Mapping[str, Any],
    error: AdapterParseError,
    attempt: int,
) -> tuple[type[dspy.Signature], dict[str, Any], dict[str, Any]]:
    """Return signature, inputs and options of the next try: the reason comes last in the prompt."""
    asked = signature.append(COMPLAINT, dspy.InputField(), type_=str)
    complaint = f"{_reason(error)[:300]}. Correct this."
    temperature = max(RETRY_TEMPERATURE, options.get("temperature") or 0.0)
    rollout = FIRST_ROLLOUT + 1000 * (options.get("rollout_id") or 0) + attempt
    fresh = {"rollout_id": rollout, "temperature": temperature}
    return asked, {**inputs, COMPLAINT: complaint}, {**options, **fresh}


def _reason(error: AdapterParseError) -> str:
    return (error.message or "").split("\n\n", maxsplit=1)[0].strip().rstrip(".")


def _described(fields: Mapping[str, FieldInfo]) -> list[str]:
    """Return a line for each input field that has a description of its own."""
    described = [(name, _about(name, field)) for name, field in fields.items()]
    return [f"{name}: {about}" for name, about in described if about]


def _shape(fields: Mapping[str, FieldInfo]) -> str:
    lines = []
    for name, field in fields.items():
        about = _about(name, field)
        lines.append(f"{name}: {notation(field.annotation)}" + (f" # {about}" if about else ""))
    return "{\n" + "\n".join(lines) + "\n}"


def _about(name: str, field: FieldInfo) -> str:
    extra = field.json_schema_extra
    extra = extra if isinstance(extra, dict) else {}
    said = str(extra.get("desc") or "")
    is_list = get_origin(field.annotation) is list  # its least length stands in the schema
    limits = "" if is_list else str(extra.get("constraints") or "")
    return "; ".join(part for part in ("" if said == f"${{{name}}}" else said, limits) if part)


def _block(name: str, value: Any) -> str:
    text = str(value)
    return f"{name}:\n{text}" if "\n" in text else f"{name}: {text}"
