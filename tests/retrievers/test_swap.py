"""Replacing a store: its name always leads to a store, the old one or the new one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from retrievers import store_files
from retrievers.build import build_store
from retrievers.graph import GraphStore
from retrievers.swap import exchange

REPO = Path(__file__).resolve().parents[2]
SMALL = REPO / "tests" / "fixtures" / "kg_small.csv"


def can_exchange(folder: Path) -> bool:
    for name in ("one", "two"):
        (folder / name).mkdir()
    done = exchange(folder / "one", folder / "two")
    for name in ("one", "two"):
        (folder / name).rmdir()
    return done


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    if not can_exchange(tmp_path):
        pytest.skip("this file system cannot exchange two folders")
    return tmp_path


def test_exchange(folder: Path) -> None:
    for name in ("a", "b"):
        (folder / name).mkdir()
        (folder / name / "who").write_text(name)
    assert exchange(folder / "a", folder / "b")
    assert [(folder / name / "who").read_text() for name in ("a", "b")] == ["b", "a"]


def test_exchange_with_nothing_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    assert not exchange(tmp_path / "a", tmp_path / "b")
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_a_reader_always_finds_a_store(folder: Path) -> None:
    store, stop = folder / "store", threading.Event()
    build_store(SMALL, store)
    failures: list[Exception] = []

    def read() -> None:
        while not stop.is_set():
            try:
                assert (store / "manifest.json").exists()
            except AssertionError as error:
                failures.append(error)

    reader = threading.Thread(target=read)
    reader.start()
    for _ in range(5):
        build_store(SMALL, store)
    stop.set()
    reader.join()
    assert failures == []
    assert [path.name for path in folder.iterdir()] == ["store"]


def test_killed_right_after_the_exchange(folder: Path) -> None:
    build_store(SMALL, folder / "store")
    code = (
        "import os, signal, sys\nfrom pathlib import Path\n"
        "from retrievers import store_files\nfrom retrievers.build import build_store\n"
        "real = store_files.exchange\n"
        "def swap(a, b):\n    real(a, b)\n    os.kill(os.getpid(), signal.SIGKILL)\n"
        "store_files.exchange = swap\n"
        "build_store(Path(sys.argv[1]), Path(sys.argv[2]))\n"
    )
    command = [sys.executable, "-c", code, str(SMALL), str(folder / "store")]
    done = subprocess.run(command, env={**os.environ, "PYTHONPATH": str(REPO)}, check=False)
    assert done.returncode == -signal.SIGKILL
    assert GraphStore.open(folder / "store").edge_count == 43
    (left,) = store_files.leftovers(folder / "store")
    assert left.name.startswith("store.partial-")


def test_where_folders_cannot_be_exchanged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_files, "exchange", lambda first, second: False)
    for _ in range(2):
        build_store(SMALL, tmp_path / "store")
    assert [path.name for path in tmp_path.iterdir()] == ["store"]
    assert GraphStore.open(tmp_path / "store").edge_count == 43


def test_a_link_to_a_store_stays_a_link(tmp_path: Path) -> None:
    build_store(SMALL, tmp_path / "v1")
    (tmp_path / "current").symlink_to("v1")
    build_store(SMALL, tmp_path / "current", constraints=None)
    assert (tmp_path / "current").is_symlink()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["current", "v1"]
