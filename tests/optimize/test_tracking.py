"""Studies in a real MLflow store on SQLite."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import dspy
import pytest

from optimize.artefacts import read_card
from optimize.compile import compile_program
from optimize.examples import program_examples
from optimize.mlflow_tracker import LONGEST_PARAM, MlflowTracker
from optimize.prompts import predictor_text
from optimize.study import Study
from optimize.tracking import NullTracker, open_tracker
from signatures.errors import InputError
from tests.support.mlflow_store import copy_store
from tests.support.toy_program import Toy, toy_lm, toy_questions

# MLflow's own imports and its SQLAlchemy models warn; that is theirs to mend.
pytestmark = [
    pytest.mark.filterwarnings("ignore:::mlflow"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture
def uri(template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    away = tmp_path / "elsewhere"
    away.mkdir()
    monkeypatch.chdir(away)
    yield copy_store(template, tmp_path / "store")
    assert list(away.iterdir()) == [], "nothing is written to the folder a command starts in"


def client(uri: str):  # type: ignore[no-untyped-def]
    from mlflow import MlflowClient

    return MlflowClient(tracking_uri=uri, registry_uri=uri)


def runs(uri: str, experiment: str = "e"):  # type: ignore[no-untyped-def]
    mlflow = client(uri)
    found = mlflow.search_runs([mlflow.get_experiment_by_name(experiment).experiment_id])
    return {run.info.run_name: run for run in found}


def text_of(uri: str, run, name: str) -> str:  # type: ignore[no-untyped-def]
    root = Path(run.info.artifact_uri.removeprefix("file://"))
    return (root / name).read_text(encoding="utf-8")


def taught(demo: str) -> Toy:
    program = Toy()
    program.type_domain.predict.demos = [dspy.Example(question=demo, domain="INTEGRATED")]
    return program


def test_a_study_is_a_parent_run_with_a_child_per_candidate(uri: str, tmp_path: Path) -> None:
    tracker = MlflowTracker(uri, experiment="e")
    tracker.start("study", params={"program": "toy", "seed": 3, "options": {"k": 1}})
    tracker.candidate("before", program=Toy(), metrics={"dev.score": 0.5, "none": None})
    tracker.candidate("after", program=taught("x"), metrics={"dev.score": 1.0})
    tracker.finish(status="FINISHED", metrics={"best": 1.0}, texts={"program.json": "{}"})
    found = runs(uri)
    assert set(found) == {"study", "before", "after"}
    parent = found["study"]
    for name, score in (("before", 0.5), ("after", 1.0)):
        assert found[name].data.tags["mlflow.parentRunId"] == parent.info.run_id
        assert found[name].data.metrics == {"dev.score": score}
        assert found[name].info.status == "FINISHED"
    assert parent.data.params == {"program": "toy", "seed": "3", "options": '{"k": 1}'}
    assert parent.info.status == "FINISHED"
    assert text_of(uri, parent, "program.json") == "{}"
    assert parent.info.artifact_uri.startswith((tmp_path / "store" / "mlartifacts" / "e").as_uri())


def test_a_whole_study_can_be_read_from_the_store(uri: str, tmp_path: Path) -> None:
    with dspy.context(lm=toy_lm()):
        compile_program(
            Toy(),
            Study(program="toy"),
            train=program_examples(toy_questions(0, 9)),
            dev=program_examples(toy_questions(9, 15)),
            test=program_examples(toy_questions(15, 24)),
            out=tmp_path / "toy.json",
            tracker=MlflowTracker(uri, experiment="e"),
        )
    found = runs(uri)
    assert set(found) == {"bootstrap toy", "before", "after"}
    parent = found["bootstrap toy"]
    assert parent.data.metrics["before.score"] == pytest.approx(2 / 6)
    assert parent.data.metrics["after.score"] == found["after"].data.metrics["dev.score"] == 1.0
    assert parent.data.params["optimizer"] == "bootstrap"
    assert text_of(uri, parent, "program.json") == (tmp_path / "toy.json").read_text()
    reported = read_card(tmp_path / "toy.json").reported
    assert reported is not None and parent.data.metrics["test.p"] == reported.p
    assert parent.data.metrics["test.before_low"] == reported.before_low
    assert f"p = {reported.p:.4g}" in text_of(uri, parent, "comparison.md")
    assert text_of(uri, parent, "comparison.svg").startswith("<?xml")
    before, after = (
        found[name].data.tags["prompt.type_domain.predict"] for name in ("before", "after")
    )
    assert before != after


def test_prompts_are_logged_as_they_are_sent(uri: str) -> None:
    tracker = MlflowTracker(uri, experiment="e")
    tracker.start("study", params={"program": "toy"})
    program = taught("a shown question")
    tracker.candidate("after", program=program)
    tracker.finish(status="FINISHED")
    text = text_of(uri, runs(uri)["after"], "prompts/type_domain.predict.md")
    assert text == predictor_text(program.type_domain.predict)
    assert "a shown question" in text and "{{question}}" in text


def test_each_prompt_text_is_one_registered_version(uri: str) -> None:
    variants = {"before": Toy(), "one": taught("1"), "two": taught("2"), "before again": Toy()}
    for study in ("first", "second"):
        tracker = MlflowTracker(uri, experiment="e")
        tracker.start(study, params={"program": "toy"})
        for name, program in variants.items():
            tracker.candidate(f"{study} {name}", program=program)
        tracker.finish(status="FINISHED")
    versions = client(uri).search_prompt_versions("qkgram.toy.type_domain.predict")
    assert sorted(v.version for v in versions) == [1, 2, 3]
    assert len({v.tags["sha"] for v in versions}) == 3
    tags = {name: run.data.tags for name, run in runs(uri).items()}
    assert [
        tags[f"second {name}"]["prompt.type_domain.predict"].rpartition("/")[2] for name in variants
    ] == ["1", "2", "3", "1"]
    assert len(client(uri).search_prompt_versions("qkgram.toy.answer.predict")) == 1
    text = client(uri).get_prompt_version("qkgram.toy.type_domain.predict", "2").template
    assert text == predictor_text(variants["one"].type_domain.predict)


def test_prompts_are_listed_under_their_experiment(uri: str) -> None:
    for experiment in ("e", "f"):
        tracker = MlflowTracker(uri, experiment=experiment)
        tracker.start("study", params={"program": "toy"})
        tracker.candidate("before", program=Toy())
        tracker.finish(status="FINISHED")
    mlflow = client(uri)
    for experiment in ("e", "f"):
        number = mlflow.get_experiment_by_name(experiment).experiment_id
        listed = mlflow.search_prompts(filter_string=f"experiment_id = '{number}'")
        assert {p.name for p in listed} == {
            "qkgram.toy.answer.predict",
            "qkgram.toy.type_domain.predict",
        }


def test_a_long_parameter_is_cut_with_a_hash_and_kept_whole_beside(uri: str) -> None:
    long = "prompt " * 1500
    tracker = MlflowTracker(uri, experiment="e")
    tracker.start("study", params={"instructions": long, "odd:name*": "x"})
    tracker.finish(status="FINISHED")
    run = runs(uri)["study"]
    kept = run.data.params["instructions"]
    assert len(kept) <= LONGEST_PARAM and "sha256:" in kept
    assert text_of(uri, run, "params/instructions.txt") == long
    assert run.data.params["odd_name_"] == "x"


def test_no_secret_reaches_the_store_or_the_artifacts(
    uri: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secrets = {
        "env": "value-of-a-variable",
        "given": "value-that-is-given",
        "shape": "sk-test-12345678",
    }
    monkeypatch.setenv("SOME_PROVIDER_API_KEY", secrets["env"])
    everything = " ".join(secrets.values())
    tracker = MlflowTracker(uri, experiment="e", secrets=[secrets["given"]])
    params = {"api_key": "hidden-by-its-name", "nested": {"token": "hidden-by-its-name"}}
    tracker.start(
        f"study {everything}", params={**params, "long": everything * 100, "x": everything}
    )
    tracker.candidate(f"c {everything}", program=taught(everything), texts={"t.md": everything})
    tracker.finish(status="FINISHED", texts={"program.json": everything})
    files = [path for path in (tmp_path / "store").rglob("*") if path.is_file()]
    assert len(files) > 5
    for path in files:
        content = path.read_bytes()
        for secret in (*secrets.values(), "hidden-by-its-name"):
            assert secret.encode() not in content, path


def test_candidates_may_be_written_from_threads(uri: str) -> None:
    tracker = MlflowTracker(uri, experiment="e")
    tracker.start("study", params={"program": "toy"})
    with ThreadPoolExecutor(4) as pool:
        for i in range(8):
            pool.submit(tracker.candidate, f"c{i}", program=taught(str(i % 2)), metrics={"x": i})
    tracker.finish(status="FINISHED")
    found = runs(uri)
    assert len(found) == 9
    assert {r.data.tags["mlflow.parentRunId"] for n, r in found.items() if n != "study"} == {
        found["study"].info.run_id
    }
    assert len(client(uri).search_prompt_versions("qkgram.toy.type_domain.predict")) == 2


def test_mlflow_s_active_run_and_address_are_left_alone(uri: str) -> None:
    import mlflow

    before = mlflow.get_tracking_uri()
    tracker = MlflowTracker(uri, experiment="e")
    tracker.start("study")
    assert mlflow.active_run() is None
    assert mlflow.get_tracking_uri() == before
    tracker.finish(status="KILLED")
    assert runs(uri)["study"].info.status == "KILLED"


def test_telemetry_is_off(uri: str) -> None:
    MlflowTracker(uri, experiment="e").start("study")
    from mlflow.telemetry.client import get_telemetry_client

    assert os.environ["MLFLOW_DISABLE_TELEMETRY"] == "true"
    assert get_telemetry_client() is None


def test_a_deleted_experiment_says_how_to_restore_it(uri: str) -> None:
    MlflowTracker(uri, experiment="e").start("study")
    mlflow = client(uri)
    mlflow.delete_experiment(mlflow.get_experiment_by_name("e").experiment_id)
    with pytest.raises(InputError, match="was deleted; choose another name, or restore it"):
        MlflowTracker(uri, experiment="e").start("study")


def test_a_store_that_fails_later_costs_a_warning_and_not_the_study(
    uri: str, caplog: pytest.LogCaptureFixture
) -> None:
    tracker = MlflowTracker(uri, experiment="e")
    tracker.start("study")
    mlflow = client(uri)
    mlflow.delete_run(tracker.parent)
    with caplog.at_level(logging.WARNING, logger="optimize.mlflow_tracker"):
        tracker.finish(status="FINISHED", metrics={"x": 1.0})
    assert "the study's end was not written" in caplog.text


def test_a_file_that_is_no_store_is_refused_before_anything_is_paid_for(tmp_path: Path) -> None:
    (tmp_path / "notes.db").write_text("not a database, and long enough to be looked at" * 50)
    with pytest.raises(InputError, match="must be writable"):
        MlflowTracker(f"sqlite:///{tmp_path}/notes.db", experiment="e").start("study")


def test_without_an_experiment_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    tracker = open_tracker(None)
    assert isinstance(tracker, NullTracker)
    tracker.start("study", params={"x": 1})
    tracker.candidate("c", program=Toy())
    tracker.finish(status="FINISHED")
    assert list(tmp_path.iterdir()) == []


def test_the_address_of_the_environment_is_checked_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MLFLOW_TRACKING_URI", "./mlruns")
    with pytest.raises(InputError, match="no longer writes to a folder"):
        open_tracker("e")
    monkeypatch.setenv("MLFLOW_TRACKING_URI", "sqlite:////data/x.db")
    opened = open_tracker("e")
    assert isinstance(opened, MlflowTracker) and opened.uri == "sqlite:////data/x.db"
