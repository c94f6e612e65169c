from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from data.paths import sample_dir
from optimize.doctor import Check, examine, is_sound
from optimize.doctor_check import standing
from optimize.doctor_machine import misfit, mlflow_checks, read_bounds
from retrievers.build import build_store
from tests.support.files_server import FilesServer

Look = Callable[..., list[Check]]


@pytest.fixture(autouse=True)
def _clean(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("QKGRAM_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("built") / "store"
    build_store(sample_dir() / "kg.csv", out, constraints=sample_dir() / "constraints.jsonl")
    return out


@pytest.fixture
def store(built: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(built, tmp_path / "store"))


def about(checks: list[Check], name: str) -> list[Check]:
    return [check for check in checks if check.about == name]


def look(**given: object) -> list[Check]:
    return list(examine(**given))  # type: ignore[arg-type]


def test_a_store_with_constraints_and_a_home_without_models(store: Path) -> None:
    checks = look(graph=store)
    (found,) = about(checks, "graph store")
    assert found.verdict == "ok" and "schema version 1, 679 nodes" in found.found
    assert about(checks, "constraints")[0].found.startswith("825 ConstraintItems on ")
    (encoder,) = about(checks, "model all-minilm-l6-v2")
    assert encoder.verdict == "wrong" and "qkgram models fetch all-minilm-l6-v2" in encoder.advice
    # A model that no role names and that is not here is nobody's trouble.
    assert not about(checks, "model qwen2.5-coder-0.5b")
    assert not is_sound(checks)


def test_the_sample_is_not_built_by_looking(tmp_path: Path) -> None:
    (found,) = about(look(), "graph store")
    assert found.verdict == "ok" and "not built yet" in found.found
    assert not (tmp_path / "home").exists()


def test_no_store(tmp_path: Path) -> None:
    (found,) = about(look(graph=tmp_path / "nowhere"), "graph store")
    assert found.verdict == "wrong"
    assert found.advice == f"run: qkgram kg build CSV {tmp_path / 'nowhere'}"


def test_a_store_of_another_version_and_one_whose_manifest_was_edited(store: Path) -> None:
    manifest = store / "manifest.json"
    text = manifest.read_text(encoding="utf-8")
    edited = text.replace('"source_sha256": "', '"source_sha256": "0', 1)
    assert edited != text
    manifest.write_text(edited, encoding="utf-8")
    (found,) = about(look(graph=store), "graph store")
    assert found.verdict == "wrong" and "changed by hand" in found.found
    manifest.write_text(text.replace('"schema_version": 1', '"schema_version": 9', 1))
    (found,) = about(look(graph=store), "graph store")
    assert found.verdict == "wrong" and "schema version 9" in found.found


def test_a_store_without_constraints_and_a_killed_build(tmp_path: Path) -> None:
    build_store(sample_dir() / "kg.csv", tmp_path / "bare")
    (tmp_path / "bare.partial-1").mkdir()
    checks = look(graph=tmp_path / "bare")
    assert about(checks, "constraints")[0].verdict == "warn"
    assert "bare.partial-1" in about(checks, "killed builds")[0].found


def test_indexes_beside_the_store(store: Path) -> None:
    beside = store.with_name("store.vectors")
    (beside / "0123456789abcdef-old").mkdir(parents=True)
    rotate = store.with_name("store.rotate")
    rotate.mkdir()
    (rotate / "manifest.json").write_text("{}")
    checks = look(graph=store)
    assert about(checks, "vectors")[0].found.startswith("0 of 679 names embedded")
    assert "0123456789abcdef-old" in about(checks, "old vectors")[0].found
    assert about(checks, "RotatE reviewer")[0].verdict == "warn"
    Path("qkgram.toml").write_text('[program]\nreviewer = "rotate"\n')
    assert about(look(graph=store), "RotatE reviewer")[0].verdict == "wrong"


def test_a_prefilter_that_lacks_a_table(store: Path) -> None:
    from optimize.doctor_store import SentenceEncoder
    from retrievers.graph import GraphStore

    fingerprint = GraphStore.open(store).fingerprint
    own = store.with_name("store.vectors") / f"{fingerprint[:16]}-{SentenceEncoder().id}"
    own.mkdir(parents=True)
    (own / "heads.npy").touch()
    (own / "nodes.filled").write_bytes(b"\x01" * 12 + b"\x00" * 667)
    checks = look(graph=store)
    assert about(checks, "vectors")[0].found.startswith("12 of 679")
    (found,) = about(checks, "prefilter")
    assert found.verdict == "warn" and "tails.npy" in found.found


def test_every_unknown_key_is_named_and_the_rest_is_checked_all_the_same() -> None:
    Path("qkgram.toml").write_text("[region]\nkk = 3\n[budget]\nmax_call = 2\n")
    checks = look()
    bad = about(checks, "settings")
    assert [check.verdict for check in bad] == ["wrong", "wrong"]
    assert "'kk'" in bad[0].found and bad[1].advice == "did you mean 'max_calls'?"
    assert about(checks, "Python")


def test_a_value_out_of_range_is_said_with_what_follows_from_it() -> None:
    Path("qkgram.toml").write_text("[budget]\nmax_calls = 0\n")
    (found,) = about(look(), "settings")
    assert "budget.max_calls" in found.found and "defaults" in found.advice


def test_roles_share_a_line_and_keys_are_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("qkgram.toml").write_text(
        '[roles.judge]\nmodel = "openai/gpt-4o"\napi_key_env = "MY_JUDGE"\n'
    )
    name = "role judge"
    assert [check.verdict for check in about(look(), name)] == ["ok", "wrong"]
    monkeypatch.setenv("MY_JUDGE", "sk-very-secret")
    checks = look()
    assert [check.verdict for check in about(checks, name)] == ["ok", "ok"]
    assert "sk-very-secret" not in " ".join(check.model_dump_json() for check in checks)
    assert about(checks, "roles reasoner, validator, annotator, reviewer, proposer")


def test_a_role_that_resolves_to_nothing() -> None:
    Path("qkgram.toml").write_text(
        '[roles.judge]\nmodel = "gpt-4o"\n[roles.proposer]\nmodel = "local:all-minilm-l6-v2"\n'
        '[roles.validator]\nmodel = "local:nobody"\n'
    )
    checks = look()
    assert "names no provider" in about(checks, "role judge")[0].found
    assert "sentence encoder" in about(checks, "role proposer")[0].found
    assert about(checks, "role validator")[0].verdict == "wrong"


def test_a_server_is_asked_only_when_wanted() -> None:
    with FilesServer({"/v1/models": b'{"data": [{"id": "other"}]}'}) as server:
        Path("qkgram.toml").write_text(f'[model]\nmodel = "mine"\napi_base = "{server.url}/v1"\n')
        roles = "roles reasoner, validator, annotator, reviewer, judge, proposer"
        quiet, asked = about(look(), roles), about(look(ask=True), roles)
    assert quiet[-1].found == "address not asked; --ask does"
    assert asked[-1].verdict == "warn" and asked[-1].advice == "it lists other"
    (*_, gone) = about(look(ask=True), roles)
    assert gone.verdict == "wrong" and "nothing answers" in gone.found


def test_a_model_file_of_the_right_size_and_the_wrong_bytes(tmp_path: Path) -> None:
    from data.models import catalogue_model

    model = catalogue_model("all-minilm-l6-v2")
    for file in model.files:
        path = model.folder / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as stream:
            stream.truncate(file.size)
    name = "model all-minilm-l6-v2"
    assert about(look(), name)[0].verdict == "ok"
    (found,) = about(look(deep=True), name)
    assert found.verdict == "wrong" and "SHA-256" in found.found
    (model.folder / model.files[0].path).write_bytes(b"short")
    assert "holds 5 bytes" in about(look(), name)[0].found


def test_folders_that_cannot_be_written(tmp_path: Path) -> None:
    Path("file").touch()
    (found,) = about(look(runs=Path("file")), "folder of runs")
    assert found.verdict == "wrong" and "is a file" in found.found
    assert standing(tmp_path / "a" / "b") == tmp_path


def test_packages_against_their_bounds(tmp_path: Path) -> None:
    assert misfit(Requirement("numpy>=1")) is None
    assert "wanted <1" in (misfit(Requirement("numpy<1")) or Check.model_construct()).found
    absent = misfit(Requirement("no-such-package-of-ours>=2"))
    assert absent is not None and absent.found == "not installed"
    file = tmp_path / "pyproject.toml"
    file.write_text(
        '[project]\nrequires-python = ">=3.11"\ndependencies = ["dspy>=3"]\n'
        '[project.optional-dependencies]\nreviewer = ["pykeen<2"]\ndev = ["ruff"]\n'
    )
    bounds = read_bounds(file)
    assert "3.11.7" in bounds.python and list(bounds.extras) == ["reviewer"]
    assert [requirement.name for requirement in bounds.packages] == ["dspy"]


def test_mlflow_refuses_folders_of_files() -> None:
    (found,) = mlflow_checks("./mlruns", ask=False)
    assert found.verdict == "wrong" and "sqlite:///mlflow.db" in found.advice
    Path("mlruns").mkdir()
    Path("mlruns/0").mkdir()
    old, database = mlflow_checks(None, ask=False)
    assert old.verdict == "warn" and "migrate-filestore" in old.advice
    assert database.verdict == "ok" and "made by the first study" in database.found


def test_a_tracking_server_is_asked_only_when_wanted() -> None:
    with FilesServer({"/health": b"OK"}) as server:
        assert "not asked" in next(mlflow_checks(server.url, ask=False)).found
        assert next(mlflow_checks(server.url, ask=True)).found == "the tracking server answers"
    assert next(mlflow_checks(server.url, ask=True)).verdict == "wrong"
