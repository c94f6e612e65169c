"""Both case studies of QKG §5.2 with a real model, over graphs of two facts each.

Run: `python -m tests.bench.bench_case_studies [MODEL]` (default `local`). Each study is asked
twice, with the deciding fact and with it changed: did context matter?
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import dspy

from optimize.language_models import use_models
from optimize.meter import Meter
from optimize.settings import load_settings
from programs.registry import build_program
from programs.toolbox import Toolbox
from signatures.schema import Question
from tests.programs.case_studies import (
    HEEL,
    HEEL_FACTS,
    HEEL_ITEMS,
    LYSIS,
    LYSIS_FACTS,
    LYSIS_ITEMS,
    STROKE,
    TENDON,
)
from tests.programs.small import toolbox

RISKS = "He smokes a pack of cigarettes per day and drinks two beers every evening."
NO_RISKS = "He has never smoked and does not drink alcohol."


def studies(folder: Path) -> Iterator[tuple[str, Toolbox, Question]]:
    """Yield name, graph and question of each study and its counterpart."""
    stroke = toolbox(folder / "stroke", LYSIS_FACTS, LYSIS_ITEMS)
    heel = toolbox(folder / "heel", HEEL_FACTS, HEEL_ITEMS)
    for name, platelets in (("platelets 95,000", "95,000"), ("platelets 250,000", "250,000")):
        text = STROKE.format(age=68, platelets=platelets)
        yield name, stroke, Question(id=name, source="case", text=text, options=LYSIS)
    for name, age, habits in (("all risks", 63, RISKS), ("no risk", 25, NO_RISKS)):
        text = TENDON.format(age=age, habits=habits, ago="10 days ago")
        yield name, heel, Question(id=name, source="case", text=text, options=HEEL)


def lines(name: str, said: dspy.Prediction) -> Iterator[str]:
    """Yield what was claimed, found and answered."""
    first, final = said.first.llm_answer_choice, said.response.llm_answer_choice
    yield f"\n{name}: first {first!r}, final {final!r}"
    for verdict in said.report:
        claim = verdict.claim
        stated = f"{claim.head} {claim.predicate} {claim.tail}"
        yield f"  {claim.option} ({'for' if claim.supports else 'against'}): {stated}"
        yield f"    {verdict.status}: {verdict.reason}"
    yield f"  {said.response.reasoning}"


def main() -> None:
    """Run the four questions and print what was claimed, found and answered."""
    meter, folder = Meter(), Path(tempfile.mkdtemp())
    for name in ("stroke", "heel"):
        (folder / name).mkdir()
    model = sys.argv[1] if len(sys.argv) > 1 else "local"
    with use_models(load_settings(overrides={"model": model}), meter):
        for name, tools, question in studies(folder):
            said = build_program("qkg", tools=tools)(question=question)
            sys.stdout.write("\n".join(lines(name, said)) + "\n")
    usage = meter.usage()
    tokens = usage.prompt_tokens + usage.completion_tokens
    sys.stdout.write(f"\n{usage.calls} calls, {tokens} tokens, {usage.seconds:.0f} s\n")


if __name__ == "__main__":
    main()
