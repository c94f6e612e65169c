from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from optimize.auditing import audit_run
from optimize.model_spec import ModelSpec
from optimize.relabelling import relabel_audits
from optimize.results import read_results
from optimize.settings import Settings
from tests.support.cache import memory_cache
from tests.support.fake_openai import FakeOpenAI
from tests.support.run_folder import make_question, write_run


@pytest.fixture(autouse=True)
def _offline(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.setenv("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    monkeypatch.setenv("QKGRAM_HOME", str(tmp_path / "home"))
    with memory_cache():
        yield


def test_the_judge_of_the_settings_is_asked_and_classes_are_counted_again(tmp_path: Path) -> None:
    open_item = {"option": "B", "supports": True, "status": "CONTRADICTED", "evidence": "Classic."}
    run = write_run(
        tmp_path / "run",
        [make_question(0), make_question(1)],
        {"q0": "A", "q1": "B"},
        firsts={"q0": "B", "q1": "B"},
        reports={"q0": [open_item]},
    )
    before = audit_run(read_results(run))
    assert (before.improved.unclassified, before.adjusted) == (1, 0.5)
    reply = json.dumps({"label": "LIKELY_LEAKAGE", "justification": "It cites nothing."})
    with FakeOpenAI(lambda body: reply) as server:
        judge = ModelSpec(model="judge", api_base=server.url)
        (found,) = relabel_audits([before], settings=Settings(roles={"judge": judge}, model=judge))
    assert len(server.requests) == 1
    assert (found.improved.leakage, found.improved.unclassified, found.adjusted) == (1, 0, 0.0)
