"""Runs of `evaluate` in a real MLflow store: numbers, directory, traces; shared by processes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import dspy
import pytest

from optimize.adapter import QkgramAdapter
from optimize.comparing import compare
from optimize.evaluate import evaluate
from optimize.meter import Meter
from optimize.mlflow_tracker import MlflowTracker
from optimize.results import read_results
from optimize.rows import Row
from optimize.run_records import ROWS, read_run
from optimize.summary import Summary
from optimize.traces import sampled, trace_row
from optimize.track_run import SCHEME, local_run, track_comparison, track_run
from optimize.tracking import NullTracker
from signatures.errors import InputError
from signatures.schema import Question, Usage
from tests.support.evaluate_toy import Toy, open_toy, toy_lm, toy_questions
from tests.support.mlflow_store import copy_store

REPO = Path(__file__).resolve().parents[2]

# MLflow's own imports and its SQLAlchemy models warn; that is theirs to mend.
pytestmark = [
    pytest.mark.filterwarnings("ignore:::mlflow"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture
def uri(template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    return copy_store(template, tmp_path / "store")


def client(uri: str):  # type: ignore[no-untyped-def]
    from mlflow import MlflowClient

    return MlflowClient(tracking_uri=uri, registry_uri=uri)


def run_toy(folder: Path, count: int = 6) -> Summary:
    meter = Meter()
    with open_toy(folder, toy_questions(count)) as run:
        lm = toy_lm(meter=meter)
        with dspy.context(lm=lm, roles={"reasoner": lm}, adapter=QkgramAdapter()):
            return evaluate(Toy(), run, meter=meter)


def tracked(uri: str, folder: Path, **options: object) -> str:
    summary, tracker = run_toy(folder), MlflowTracker(uri, experiment="e")
    track_run(summary, folder, tracker, **options)  # type: ignore[arg-type]
    assert tracker.parent is not None
    return tracker.parent


def test_a_run_is_written_with_its_numbers_per_stage(uri: str, tmp_path: Path) -> None:
    run = client(uri).get_run(tracked(uri, tmp_path / "a", program=Toy()))
    summary = Summary.model_validate(
        json.loads((artifacts(run) / "summary.json").read_text(encoding="utf-8"))
    )
    metrics = run.data.metrics
    assert metrics["accuracy"] == summary.accuracy.value
    assert metrics["accuracy.low"] == summary.accuracy.interval.low < metrics["accuracy"]
    assert metrics["stage.choose.calls"] == 6
    assert metrics["stage.choose.latency"] == pytest.approx(
        summary.stages["choose"].seconds / 6, rel=1e-6
    )
    assert metrics["stage.choose.cost"] == 0.0
    assert run.data.params["program"] == "toy"
    assert run.info.status == "FINISHED"


def test_the_run_directory_comes_back_by_its_run_id(uri: str, tmp_path: Path) -> None:
    one, other = (tracked(uri, tmp_path / name) for name in "ab")
    folders = [local_run(f"{SCHEME}{run}", uri=uri) for run in (one, other)]
    assert (folders[0] / ROWS).read_bytes() == (tmp_path / "a" / ROWS).read_bytes()
    results = [read_results(folder) for folder in folders]
    assert [found.name for found in results] == [one, other]
    found = compare(results)
    assert (found[0].total, found[0].p) == (6, 1.0)
    assert local_run(tmp_path / "a") == tmp_path / "a"
    tracker = MlflowTracker(uri, experiment="e")
    track_comparison(found, tracker, title="a and b", results=results)
    run = client(uri).get_run(tracker.parent)
    assert run.data.metrics["comparison.0.p"] == 1.0
    assert {p.name for p in artifacts(run).iterdir()} == {
        "comparison.md",
        "comparison.csv",
        "comparison.jsonl",
        "comparison.svg",
    }


def test_a_run_that_is_not_there_or_has_no_directory_is_an_input_error(uri: str) -> None:
    with pytest.raises(InputError, match="the store answered: Run with id=0"):
        local_run(f"{SCHEME}{'0' * 32}", uri=uri)
    tracker = MlflowTracker(uri, experiment="e")
    tracker.start("study")
    tracker.finish(status="FINISHED")
    with pytest.raises(InputError, match="must have the folder|has no run directory attached"):
        local_run(f"{SCHEME}{tracker.parent}", uri=uri)


def test_sampled_questions_are_traces_of_the_run(uri: str, tmp_path: Path) -> None:
    import mlflow

    before = mlflow.get_tracking_uri()
    run = tracked(uri, tmp_path / "a", traces=2)
    assert mlflow.get_tracking_uri() == before
    store = client(uri)
    experiment = store.get_experiment_by_name("e").experiment_id
    traces = store.search_traces(locations=[experiment])
    assert len(traces) == 2
    for trace in traces:
        assert trace.info.trace_metadata["mlflow.sourceRun"] == run
        names = [span.name for span in trace.data.spans]
        assert names[0].startswith("question q") and names[1:] == ["choose"]
        root = trace.data.spans[0]
        assert root.outputs["answer"] in ("A", "B")
        assert root.attributes["qkgram.outcome"] in ("correct", "wrong")
        assert root.inputs["question"].startswith("Question number")


def test_a_planted_key_is_in_no_row_and_no_trace(
    uri: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The key stands in a note of every row: the directory itself keeps it, the store does not."""
    monkeypatch.setenv("SOME_PROVIDER_API_KEY", "value-of-a-variable")
    summary = run_toy(tmp_path / "a", 2)
    rows = (tmp_path / "a" / ROWS).read_text(encoding="utf-8")
    planted = rows.replace('"notes":[]', '"notes":["value-of-a-variable sk-test-12345678"]')
    assert planted != rows
    (tmp_path / "a" / ROWS).write_text(planted, encoding="utf-8")
    track_run(summary, tmp_path / "a", MlflowTracker(uri, experiment="e"))
    for path in (p for p in (tmp_path / "store").rglob("*") if p.is_file()):
        content = path.read_bytes()
        assert b"value-of-a-variable" not in content, path
        assert b"sk-test-12345678" not in content, path


def test_regions_and_verdicts_are_spans() -> None:
    region = {
        "query": "q",
        "domain": "INTEGRATED",
        "triplets": [{"id": "e1", "text": "x is indicated for y"}],
        "candidates": 9,
        "anchors": [{"name": "x"}],
        "unlinked": ["z"],
    }
    verdict = {
        "claim": {"option": "A", "head": "x", "predicate": "treats", "tail": "y"},
        "status": "CONTRADICTED",
        "label": "AVOID",
        "reason": "e1",
        "evidence": [
            {
                "triplet": {"id": "e1"},
                "validity": 0.0,
                "verdicts": [{"id": "e1.0", "match": "MET"}],
            }
        ],
    }
    row = Row(
        key="k",
        fingerprint="f",
        question="q1",
        repeat=0,
        source="s",
        domain=None,
        answer="A",
        outcome=None,
        seconds=2.0,
        stages={"decompose": Usage(seconds=0.5), "synthesise": Usage(seconds=9.0)},
        finished="2026-01-01T00:00:10+00:00",
        trace={"regions": [region], "report": [verdict]},
    )
    sample = trace_row(row, Question(id="q1", source="s", text="?"))
    assert sample.end - sample.start == 2_000_000_000
    stages, (retrieved, judged) = sample.spans[:2], sample.spans[2:]
    assert [s.end - s.start for s in stages] == [500_000_000, 1_500_000_000], "never past the end"
    assert retrieved.attributes["qkgram.region.triplets"] == ["e1"]
    assert retrieved.attributes["qkgram.region.unlinked"] == ["z"]
    assert judged.attributes["qkgram.verdict.status"] == "CONTRADICTED"
    assert judged.attributes["qkgram.verdict.evidence"] == [["e1", 0.0]]
    assert judged.attributes["qkgram.verdict.constraints"] == [["e1.0", "MET"]]
    hop = {"region": region, "mode": "HYBRID", "cited": ["e1"]}
    by_hop = trace_row(row.model_copy(update={"trace": {"hops": [hop]}}), sample_question())
    assert by_hop.spans[2].attributes["qkgram.hop.cited"] == ["e1"]


def sample_question() -> Question:
    return Question(id="q1", source="s", text="?")


def test_a_larger_sample_holds_the_smaller_one(tmp_path: Path) -> None:
    run_toy(tmp_path / "a")
    rows = tuple(read_run(tmp_path / "a").rows.values())
    two, four = sampled(rows, 2), sampled(rows, 4)
    assert (len(two), len(four)) == (2, 4)
    assert {row.key for row in two} <= {row.key for row in four}
    assert sampled(rows, 0) == ()


def test_without_a_tracker_nothing_is_written(tmp_path: Path) -> None:
    summary = run_toy(tmp_path / "a")
    before = sorted(p.name for p in tmp_path.rglob("*"))
    track_run(summary, tmp_path / "a", NullTracker())
    assert sorted(p.name for p in tmp_path.rglob("*")) == before


def test_eight_threads_of_two_processes_lose_nothing(uri: str) -> None:
    count = 10
    command = [sys.executable, "-m", "tests.support.track_toy_run", uri]
    processes = [
        subprocess.Popen([*command, name, str(count)], cwd=REPO, stderr=subprocess.PIPE, text=True)
        for name in ("one", "two")
    ]
    said = [process.communicate(timeout=120)[1] for process in processes]
    assert [process.returncode for process in processes] == [0, 0], said
    store = client(uri)
    experiment = store.get_experiment_by_name("shared").experiment_id
    found = {run.info.run_name: run for run in store.search_runs([experiment])}
    names = [f"{name} {number}" for name in ("one", "two") for number in range(count)]
    assert set(found) == {"one", "two", *names}
    for name in names:
        run, number = found[name], int(name.split()[1])
        assert run.info.status == "FINISHED"
        assert run.data.metrics == {"dev.score": number / count}
        assert run.data.params == {"number": str(number)}
        assert run.data.tags["mlflow.parentRunId"] == found[name.split()[0]].info.run_id
        assert (artifacts(run) / "note.md").read_text(encoding="utf-8") == name
        assert "prompt.predict" in run.data.tags
    assert len(store.search_prompt_versions("qkgram.toy.predict")) == 2


def artifacts(run) -> Path:  # type: ignore[no-untyped-def]
    return Path(run.info.artifact_uri.removeprefix("file://"))
