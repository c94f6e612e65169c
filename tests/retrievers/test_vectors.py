"""Rows on disk: filled lazily, found again, safe for two writers, honest about lost rows."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from retrievers.vectors import VectorRows

RNG = np.random.default_rng(0)


def table(folder: Path, rows: int = 10, name: str = "t") -> VectorRows:
    return VectorRows(folder, name, rows=rows, dimension=4, precision="float32")


def test_rows_are_missing_until_filled_and_found_again_by_the_next_process(tmp_path: Path) -> None:
    first = table(tmp_path)
    assert first.missing(np.array([3, 1, 3])).tolist() == [1, 3]
    vectors = RNG.random((2, 4), dtype=np.float32)
    first.fill(np.array([1, 3]), vectors)
    first.flush()
    second = table(tmp_path)
    assert second.missing(np.array([0, 1, 3])).tolist() == [0]
    assert np.array_equal(second.get(np.array([3, 1])), vectors[::-1])
    assert (second.filled, second.complete) == (2, False)


def test_a_flag_without_a_row_reads_as_missing(tmp_path: Path) -> None:
    rows = table(tmp_path)
    rows.fill(np.array([2]), np.zeros((1, 4)))
    assert rows.missing(np.array([2])).tolist() == [2]


def test_an_empty_table_takes_no_room_and_is_complete(tmp_path: Path) -> None:
    big = VectorRows(tmp_path, "big", rows=200_000, dimension=384, precision="float16")
    big.fill(np.array([199_999]), np.ones((1, 384)))
    assert (tmp_path / "big.float16").stat().st_blocks * 512 < 1_000_000
    assert table(tmp_path, rows=0, name="none").complete


WRITER = """
import sys, numpy as np
from pathlib import Path
from retrievers.vectors import VectorRows
rows = VectorRows(Path(sys.argv[1]), "t", rows=400, dimension=4, precision="float32")
order = np.arange(400) if sys.argv[2] == "up" else np.arange(400)[::-1]
for i in order:
    if len(rows.missing(np.array([i]))):
        rows.fill(np.array([i]), np.full((1, 4), i + 1, np.float32))
"""


def test_two_processes_fill_one_table(tmp_path: Path) -> None:
    repo = Path(__file__).resolve().parents[2]
    runs = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path), way], cwd=repo)
        for way in ("up", "down")
    ]
    assert [run.wait() for run in runs] == [0, 0]
    rows = table(tmp_path, rows=400)
    assert rows.complete
    assert np.array_equal(rows.get(np.arange(400))[:, 0], np.arange(1, 401, dtype=np.float32))


def test_a_folder_that_cannot_be_made_means_memory_and_a_warning(tmp_path: Path) -> None:
    blocker = tmp_path / "file"
    blocker.write_text("not a folder")
    with pytest.warns(UserWarning, match="vectors are not kept"):
        rows = table(blocker / "below")
    rows.fill(np.array([0]), np.ones((1, 4)))
    assert rows.missing(np.array([0, 1])).tolist() == [1]
