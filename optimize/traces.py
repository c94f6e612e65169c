"""A row of a run as a trace: its stages, regions and verdicts as spans, made after the fact.

Nothing is patched and nothing is watched: a row holds what happened and how long each stage took.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from hashlib import sha256

from pydantic import JsonValue

from optimize.rows import Row
from signatures.schema import Question, Record, Usage

SECOND = 1_000_000_000
"""Nanoseconds."""


class SpanSample(Record):
    """One span below the root."""

    name: str
    kind: str
    """MLflow's span type: `CHAIN`, `RETRIEVER`, `EVALUATOR`."""
    start: int
    """Nanoseconds since 1970."""
    end: int
    inputs: JsonValue = None
    outputs: JsonValue = None
    attributes: dict[str, JsonValue] = {}


class TraceSample(Record):
    """One question."""

    name: str
    start: int
    """Nanoseconds since 1970."""
    end: int
    inputs: dict[str, JsonValue]
    outputs: dict[str, JsonValue]
    attributes: dict[str, JsonValue]
    spans: tuple[SpanSample, ...]


def sampled(rows: Sequence[Row], number: int) -> tuple[Row, ...]:
    """Return at most `number` rows, the same ones each time; larger samples hold smaller ones."""
    drawn = sorted(rows, key=lambda row: sha256(row.key.encode()).digest())[: max(0, number)]
    kept = {row.key for row in drawn}
    return tuple(row for row in rows if row.key in kept)


def trace_row(row: Row, question: Question) -> TraceSample:
    """Make the trace of a row: stages in order, then its regions, then its verdicts."""
    end = round(datetime.fromisoformat(row.finished).timestamp() * SECOND)
    start = end - round(row.seconds * SECOND)
    spans = (
        *_stages(row.stages, start=start, end=end),
        *_regions(row.trace, at=start),
        *_verdicts(row.trace, at=end),
    )
    return TraceSample(
        name=f"question {row.question}",
        start=start,
        end=end,
        inputs={"question": question.text, "options": dict(question.options)},
        outputs={"answer": row.answer, "response": row.trace.get("response")},
        attributes={
            "qkgram.outcome": row.outcome.kind if row.outcome else None,
            "qkgram.gold": question.gold,
            "qkgram.domain": row.domain,
            "qkgram.modes": list(row.modes),
            "qkgram.key": row.key,
            "qkgram.models": dict(row.models),
            "qkgram.calls": row.usage.calls,
            "qkgram.tokens": row.usage.prompt_tokens + row.usage.completion_tokens,
            "qkgram.cost": row.usage.cost,
            "qkgram.notes": list(row.notes),
        },
        spans=spans,
    )


def _stages(stages: Mapping[str, Usage], *, start: int, end: int) -> Iterator[SpanSample]:
    """Stages follow each other; only the time in the model's calls is known of them."""
    for name, usage in stages.items():
        stop = min(end, start + round(usage.seconds * SECOND))
        attributes: dict[str, JsonValue] = {
            f"qkgram.{field}": value for field, value in usage.model_dump().items()
        }
        yield SpanSample(name=name, kind="CHAIN", start=start, end=stop, attributes=attributes)
        start = stop


def _regions(trace: Mapping[str, JsonValue], *, at: int) -> Iterator[SpanSample]:
    hops = [hop for hop in _items(trace.get("hops")) if isinstance(hop.get("region"), dict)]
    for hop in hops:
        yield _region(_item(hop.get("region")), at=at, hop=hop)
    for region in _items(trace.get("regions")) if not hops else ():
        yield _region(region, at=at, hop={})


def _region(
    region: Mapping[str, JsonValue], *, at: int, hop: Mapping[str, JsonValue]
) -> SpanSample:
    triplets = _items(region.get("triplets"))
    return SpanSample(
        name="region",
        kind="RETRIEVER",
        start=at,
        end=at,
        inputs=region.get("query"),
        outputs=[f"{triplet.get('id')}: {triplet.get('text')}" for triplet in triplets],
        attributes={
            "qkgram.region.domain": region.get("domain"),
            "qkgram.region.triplets": [triplet.get("id") for triplet in triplets],
            "qkgram.region.candidates": region.get("candidates"),
            "qkgram.region.anchors": [a.get("name") for a in _items(region.get("anchors"))],
            "qkgram.region.unlinked": region.get("unlinked"),
            "qkgram.hop.mode": hop.get("mode"),
            "qkgram.hop.cited": hop.get("cited"),
            "qkgram.hop.dropped": hop.get("dropped"),
        },
    )


def _verdicts(trace: Mapping[str, JsonValue], *, at: int) -> Iterator[SpanSample]:
    for verdict in _items(trace.get("report")):
        claim = _item(verdict.get("claim"))
        evidence = _items(verdict.get("evidence"))
        yield SpanSample(
            name=f"verdict {claim.get('option')}",
            kind="EVALUATOR",
            start=at,
            end=at,
            inputs=dict(claim),
            outputs=verdict.get("reason"),
            attributes={
                "qkgram.verdict.status": verdict.get("status"),
                "qkgram.verdict.label": verdict.get("label"),
                "qkgram.verdict.conflict": verdict.get("conflict"),
                "qkgram.verdict.evidence": [
                    [_item(e.get("triplet")).get("id"), e.get("validity")] for e in evidence
                ],
                "qkgram.verdict.constraints": [
                    [v.get("id"), v.get("match")]
                    for e in evidence
                    for v in _items(e.get("verdicts"))
                ],
            },
        )


def _items(value: JsonValue) -> list[dict[str, JsonValue]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _item(value: JsonValue) -> dict[str, JsonValue]:
    return value if isinstance(value, dict) else {}
