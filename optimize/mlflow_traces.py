"""Writes a finished trace into an MLflow store; MLflow's own tracing stays switched off."""

from __future__ import annotations

import json
import secrets
from typing import TYPE_CHECKING, Any

from pydantic import JsonValue

from optimize.scrub import Scrubber
from optimize.traces import SpanSample, TraceSample

if TYPE_CHECKING:
    from mlflow.entities.span import Span

PREVIEW = 250
"""Characters of a question and an answer in MLflow's list of traces."""


def write_trace(
    sample: TraceSample, *, uri: str, experiment: str, run: str, scrub: Scrubber
) -> str:
    """Write a trace, linked to its run, and return its id.

    The store is named, not MLflow's own idea of the current one, which a program may have set.
    """
    from mlflow.entities.trace_info import TraceInfo
    from mlflow.entities.trace_location import TraceLocation
    from mlflow.entities.trace_state import TraceState
    from mlflow.tracing.client import TracingClient

    number = secrets.randbits(128)
    trace = f"tr-{number:032x}"
    answer = scrub.text(str(sample.outputs.get("answer")))
    client = TracingClient(uri)
    spans = _spans(sample, trace=trace, number=number, scrub=scrub)
    info = TraceInfo(
        trace_id=trace,
        trace_location=TraceLocation.from_experiment_id(experiment),
        request_time=sample.start // 1_000_000,
        execution_duration=(sample.end - sample.start) // 1_000_000,
        state=TraceState.OK,
        request_preview=scrub.text(str(sample.inputs.get("question")))[:PREVIEW],
        response_preview=answer[:PREVIEW],
        trace_metadata={"mlflow.sourceRun": run, "mlflow.trace_schema.version": "3"},
        tags={"mlflow.traceName": scrub.text(sample.name)},
    )
    client.start_trace(info)
    client.log_spans(experiment, spans)
    return trace


def _spans(sample: TraceSample, *, trace: str, number: int, scrub: Scrubber) -> list[Span]:
    root = SpanSample(
        name=sample.name,
        kind="CHAIN",
        start=sample.start,
        end=sample.end,
        inputs=dict(sample.inputs),
        outputs=dict(sample.outputs),
        attributes=dict(sample.attributes),
    )
    first = _span(root, trace=trace, number=number, parent=None, scrub=scrub)
    rest = (
        _span(span, trace=trace, number=number, parent=first, scrub=scrub) for span in sample.spans
    )
    return [first, *rest]


def _span(
    span: SpanSample, *, trace: str, number: int, parent: Span | None, scrub: Scrubber
) -> Span:
    from mlflow.entities.span import Span as MlflowSpan
    from mlflow.tracing.utils import build_otel_context
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import ReadableSpan
    from opentelemetry.trace import Status, StatusCode

    values: dict[str, JsonValue] = {
        "mlflow.traceRequestId": trace,
        "mlflow.spanType": span.kind,
        "mlflow.spanInputs": span.inputs,
        "mlflow.spanOutputs": span.outputs,
        **span.attributes,
    }
    attributes: Any = {
        key: json.dumps(scrub.value(value), ensure_ascii=False)
        for key, value in values.items()
        if value is not None
    }
    return MlflowSpan(
        ReadableSpan(
            name=scrub.text(span.name),
            context=build_otel_context(number, secrets.randbits(64)),
            parent=None if parent is None else build_otel_context(number, _number(parent)),
            start_time=span.start,
            end_time=span.end,
            attributes=attributes,
            status=Status(StatusCode.OK),
            resource=Resource.get_empty(),
        )
    )


def _number(span: Span) -> int:
    return int(span.span_id, 16)
