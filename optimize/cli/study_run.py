"""Run the study of `qkgram compile`, and show its forecast and its result."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import dspy

from optimize.cli.study_bars import show_compiled, study_bars
from optimize.cli.study_setup import Prepared
from optimize.compile import compile_program, forecast_calls
from optimize.language_models import build_adapter, use_models
from optimize.meter import Meter
from optimize.settings import Settings
from optimize.study import Compiled
from optimize.study_forecast import StudyForecast
from optimize.tracking import Tracker
from signatures.schema import Usage


def run_study(
    prepared: Prepared,
    *,
    settings: Settings,
    out: Path,
    tracker: Tracker,
    overwrite: bool,
    ask: bool,
    show: bool,
) -> tuple[Compiled, Usage]:
    """Compile under the models of the settings; return the result and what was spent.

    Args:
        prepared: Program, study and examples.
        settings: Models and budget.
        out: File of the compiled program.
        tracker: Follows the study.
        overwrite: Replace a finished `out`.
        ask: Ask on the terminal whether to go on after the forecast.
        show: Show bars and notes.
    """
    module, study, examples = prepared
    meter = Meter(settings.budget)
    with use_models(settings, meter) as roles, study_bars(show=show, spent=meter.usage) as bars:
        bars.note(f"forecast: {forecast_calls(module, study, **prepared.sizes)}")

        def confirm(forecast: StudyForecast) -> bool:
            return not ask or bars.ask(f"{forecast}. Go on?")

        compiled = compile_program(
            module,
            study.model_copy(update={"models": {role: lm.model for role, lm in roles.items()}}),
            train=examples["train"],
            dev=examples["dev"],
            test=examples["test"],
            out=out,
            tracker=tracker,
            meter=meter,
            progress=bars.advance,
            note=bars.note,
            confirm=confirm,
            overwrite=overwrite,
        )
    return compiled, meter.usage()


def show_forecast(prepared: Prepared, *, settings: Settings, as_json: bool) -> None:
    """Write what the study takes at most; no model is called."""
    with dspy.context(adapter=build_adapter(settings)):
        found = forecast_calls(prepared.module, prepared.study, **prepared.sizes)
    said = found.model_dump_json() if as_json else str(found)
    sys.stdout.write(said + "\n")


def show_study(compiled: Compiled, out: Path, usage: Usage, *, as_json: bool) -> None:
    """Write the scores before and after, and what was kept."""
    if not as_json:
        show_compiled(compiled, out, usage)
        return
    document = {
        "out": str(out),
        "before": compiled.before.model_dump(exclude={"values"}),
        "after": compiled.after.model_dump(exclude={"values"}),
        "test": compiled.test.model_dump() if compiled.test else None,
        "kept": compiled.card.kept,
        "demos": compiled.demos,
        "resumed": compiled.resumed,
        "usage": usage.model_dump(),
    }
    sys.stdout.write(json.dumps(document) + "\n")
