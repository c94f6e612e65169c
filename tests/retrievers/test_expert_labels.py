"""The engine against expert labels: what it decides must be right; skipped without the data."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

BENCH = Path(__file__).parents[1] / "bench"


def load(name: str) -> ModuleType:
    """Import a benchmark script by its file."""
    spec = importlib.util.spec_from_file_location(name, BENCH / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def test_trialgpt_criteria(shared_data: Path) -> None:
    bench, scores = load("bench_trialgpt"), load("verdict_scores")
    found = list(bench.judged(shared_data / "trialgpt_criteria_dev.json"))
    definite = [(j.label, j.verdict) for j in found if j.label != "INDETERMINATE"]
    scored = scores.score(definite)
    assert scored.decided >= 0.15 * scored.items
    assert scored.right >= 0.9 * scored.decided
    wrong = [j for j in found if j.verdict in ("MET", "NOT_MET") and j.verdict != j.label]
    unexplained = [
        j.id for j in wrong if j.label != "INDETERMINATE" and j.id not in bench.EXPLAINED
    ]
    assert not unexplained


@pytest.mark.parametrize(("part", "read", "right"), [("age", 0.85, 0.98), ("numeric", 0.7, 0.98)])
def test_leaf_thresholds(shared_data: Path, part: str, read: float, right: float) -> None:
    bench = load("bench_leaf")
    trials = bench.trials(shared_data / "lct_ner_nic.tar.gz")
    cases = [case for trial in trials for case in getattr(bench, f"{part}_cases")(trial)]
    understood = [case for case in cases if case.found is not None]
    assert len(understood) >= read * len(cases)
    assert sum(case.found == case.gold for case in understood) >= right * len(understood)
