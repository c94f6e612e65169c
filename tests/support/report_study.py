"""Runs with full traces for the report: made of rules, so that every number is known."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from metrics.outcomes import is_scored, not_run, outcome
from optimize.identity import Identity
from optimize.row_files import record_line
from optimize.rows import Row, Task
from optimize.runs import QUESTIONS, ROWS, RunCard
from signatures.schema import Question, Usage

TIME = "2026-01-01T00:00:00+00:00"
HOSTILE = (
    "</script><script>window.broken = 1</script>",
    "<img src=x onerror='window.broken = 1'>",
    "\"quoted\" 'single' & `ticked` ${a} {{ b }} {% c %}",
    "\u05e9\u05dc\u05d5\u05dd \u202e gnp.exe \u202c",
    "zero\u200bwidth\ufeff and \u2028 lines \u2029 end",
    "W" * 3000,
    "\U0001f48a \U0001f9ec e\u0301 \u00df",
)
"""Texts that break pages which take them for markup."""

NAMES = (
    *("Metformin", "Linagliptin", "Insulin", "Glipizide", "Warfarin", "Lisinopril", "Amiodarone"),
    *("Digoxin", "Aspirin", "Colchicine", "Allopurinol", "Prednisone", "Levothyroxine", "Heparin"),
    *("Atorvastatin", "Sertraline"),
)
SICK = (
    *("type 2 diabetes mellitus", "heart failure", "gout", "hypertension", "hyperkalemia"),
    *(
        "chronic kidney disease",
        "asthma",
        "hypothyroidism",
        "atrial fibrillation",
        "lactic acidosis",
    ),
)


def node(number: int, name: str, kind: str) -> dict[str, Any]:
    return {"index": number, "id": f"X{number}", "type": kind, "name": name, "source": "made"}


def triplet(number: int, *, name: Callable[[int], str] = lambda n: NAMES[n % 16]) -> dict[str, Any]:
    """A drug and a disease; numbers further apart share fewer nodes."""
    head, tail = number % 997, 5000 + (number * 7) % 211
    drug, sick = name(head), SICK[tail % 10]
    return {
        "id": f"e{number}",
        "head": node(head, drug, "drug"),
        "relation": "indication",
        "display_relation": "indication",
        "tail": node(tail, sick, "disease"),
        "text": f"{drug} is indicated for {sick}",
    }


def evidence(number: int, *, says: str = "eGFR < 30") -> dict[str, Any]:
    """One triplet that a met group rules out."""
    return {
        "triplet": triplet(number),
        "validity": 0.0,
        "label": "AVOID",
        "ruled_out": True,
        "conflict": False,
        "verdicts": [
            {
                "id": f"e{number}.{place}",
                "item": {
                    "patient_characteristics": f"{says} {place}",
                    "applicability": "Definitely NOT Applicable",
                    "evidence": f"label text {number % 50}",
                    "citation": "made label 2020",
                },
                "match": "MET" if place == 0 else "NOT_MET",
                "decided_by": "rules",
                "audit": [f"eGFR 24 < 30 → MET; from 'eGFR of 24' {number}"],
            }
            for place in range(3)
        ],
    }


def claim(letter: str, number: int, status: str = "CONTRADICTED") -> dict[str, Any]:
    """A claim with its verdict."""
    return {
        "claim": {
            "option": letter,
            "head": NAMES[number % 16],
            "predicate": "treats",
            "tail": SICK[number % 10],
            "supports": True,
        },
        "status": status,
        "label": "AVOID" if status == "CONTRADICTED" else None,
        "conflict": False,
        "evidence": [evidence(number)],
        "reason": f"[e{number}] is ruled out because eGFR 24 < 30 → MET [e{number}.0]",
    }


def hop(number: int, *, mode: str = "HYBRID", facts: int = 15) -> dict[str, Any]:
    """A hop with its region, and a hypothesis that was rejected."""
    inside = [triplet(number + 13 * n) for n in range(facts)]
    return {
        "sub_question": f"Which drug suits part {number}?",
        "region": {
            "query": f"Which drug suits part {number}?",
            "domain": "DRUG_THERAPY",
            "anchors": [inside[0]["head"]] if inside else [],
            "triplets": inside,
            "relevance": [round(0.9 - 0.03 * n, 3) for n in range(facts)],
            "candidates": 120,
            "unlinked": ["a mention without a node"],
        },
        "mode": mode,
        "answer": f"As {number} says, the drug suits.",
        "cited": [t["id"] for t in inside[:2]],
        "dropped": ["e999999"],
        "hypotheses": [
            {
                "hypothesis": {"head": "Metformin", "relation": "indication", "tail": "gout"},
                "head": None,
                "tail": None,
                "probability": 0.25,
                "kind": "rejected",
                "revisions": 2,
                "reason": "0.25 is below 0.5",
            }
        ],
    }


def question(number: int, *, words: str = "", **fields: Any) -> Question:
    return Question(
        id=f"q{number}",
        source=fields.pop("source", "odd" if number % 2 else "even"),
        text=f"A 62-year-old man, eGFR of 24. {words} Which drug, case {number}?",
        options={"A": "Metformin", "B": "Linagliptin", "C": "Insulin", "D": "Glipizide"},
        gold="B",
        labelled=True,
        split="test",
        **fields,
    )


def trace(number: int, *, hops: int = 2, claims: int = 4, why: str = "because") -> dict[str, Any]:
    """A prediction with everything that a card can show."""
    age = {"start": 2, "end": 13, "text": "62-year-old"}
    return {
        "response": {
            "llm_answer_choice": "B",
            "selected_option_text": "Linagliptin",
            "reasoning": why,
        },
        "first": {"llm_answer_choice": "A", "selected_option_text": "Metformin", "reasoning": why},
        "domain": "DRUG_THERAPY",
        "patient": {
            "age": {"low": 62, "high": 62, "span": age},
            "sex": "male",
            "quantities": [
                {
                    "analyte": "egfr",
                    "low": 24,
                    "high": 24,
                    "unit": "mL/min/1.73m2",
                    "span": {"start": 19, "end": 29, "text": "eGFR of 24"},
                }
            ],
            "facts": [],
        },
        "hops": [hop(number * 31 + n * 17) for n in range(hops)],
        "report": [claim("ABCD"[n % 4], number * 5 + n) for n in range(claims)],
        "not_covered": ["what nobody knows"],
        "scores": {"A": -1.0, "B": 1.0},
    }


def write_study_run(
    path: Path,
    questions: Sequence[Question],
    answers: Mapping[str, str | None],
    *,
    firsts: Mapping[str, str] | None = None,
    traces: Callable[[int], Mapping[str, Any]] = trace,
    failed: Sequence[str] = (),
    program: str = "made",
    settings: Mapping[str, Any] | None = None,
    **fields: Any,
) -> Path:
    """Write a run; a question of `failed` was tried and not run, one without an answer was not."""
    identity = Identity(
        program=program,
        settings={"program": dict(settings or {})},
        prompts="p",
        models={"reasoner": {"id": "scripted/model"}},
        graph="g1",
        version="test",
    )
    card = RunCard(identity=identity, repeats=1, created=TIME, updated=TIME, revision=None)
    path.mkdir(parents=True)
    (path / "run.json").write_text(card.model_dump_json())
    (path / QUESTIONS).write_text("".join(map(record_line, questions)))
    with (path / ROWS).open("w", encoding="utf-8") as file:
        for number, asked in enumerate(questions):
            if asked.id in answers or asked.id in failed:
                row = _row(number, asked, answers, firsts or {}, traces, asked.id in failed)
                changes = {"fingerprint": identity.fingerprint, **fields}
                file.write(record_line(row.model_copy(update=changes)))
    return path


def _row(
    number: int,
    asked: Question,
    answers: Mapping[str, str | None],
    firsts: Mapping[str, str],
    traces: Callable[[int], Mapping[str, Any]],
    failed: bool,
) -> Row:
    answer, first = answers.get(asked.id), firsts.get(asked.id)
    said: dict[str, Any] = {} if failed else dict(traces(number))
    scored = is_scored(asked)
    spent = Usage(calls=2, prompt_tokens=500, completion_tokens=60, seconds=1.5)
    return Row(
        key=Task(asked, 0).key,
        fingerprint="",
        question=asked.id,
        repeat=0,
        source=asked.source,
        domain="DRUG_THERAPY",
        modes=tuple(h["mode"] for h in said.get("hops", ())),
        confidence=None if failed else random.Random(number).random(),
        mismatch=None if failed else number % 5 == 0,
        answer=answer,
        outcome=not_run(asked) if failed else outcome(asked, answer) if scored else None,
        first=first,
        first_outcome=outcome(asked, first) if scored and first is not None else None,
        reason="the server did not answer" if failed else None,
        usage=spent,
        stages={"emit_claims": spent, "reconsider": spent},
        seconds=3.2,
        notes=("a note",),
        finished=TIME,
        trace=said,
    )
