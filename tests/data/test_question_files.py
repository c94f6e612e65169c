"""Forms of files that hold entries: lists, sections, keys, columns, tables."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from data.question_files import read_entries
from data.questions import read_questions
from signatures.errors import QuestionFileError

ROW = {"question": "Which?", "choices": ["x", "y"], "answer": 1}


def write(path: Path, value: object, *, indent: int | None = None) -> Path:
    path.write_text(json.dumps(value, indent=indent), encoding="utf-8")
    return path


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize(
    ("whole", "places"),
    [
        ([ROW], [("item 1", "", "")]),
        ({"mmlu": {"a": ROW, "b": ROW}}, [("mmlu a", "mmlu", "a"), ("mmlu b", "mmlu", "b")]),
        ({"mmlu": [ROW]}, [("mmlu item 1", "mmlu", "")]),
        ({"17": {"QUESTION": "?", "CONTEXTS": []}}, [("key 17", "", "17")]),
        ({"question": {"0": "Which?"}, "answer": {"0": 1}}, [("row 1", "", "")]),
        ({"question": ["Which?"], "answer": [1]}, [("row 1", "", "")]),
    ],
)
def test_forms_of_json(
    tmp_path: Path, whole: object, places: list[tuple[str, str, str]], indent: int | None
) -> None:
    entries = list(read_entries(write(tmp_path / "q.json", whole, indent=indent)))
    assert [(entry.place, entry.section, entry.key) for entry in entries] == places


def test_one_line_is_one_question(tmp_path: Path) -> None:
    (entry,) = read_entries(write(tmp_path / "q.jsonl", ROW))
    assert entry.place == "line 1"


def test_a_broken_object_names_its_line(tmp_path: Path) -> None:
    path = tmp_path / "q.json"
    path.write_text('{\n"mmlu": {\n"a" 1}}', encoding="utf-8")
    with pytest.raises(QuestionFileError, match="line 3: not JSON"):
        list(read_entries(path))


def test_parquet(tmp_path: Path) -> None:
    path = tmp_path / "q.parquet"
    pictures = [{"bytes": b"png", "path": "x"}]
    pq.write_table(pa.table({**{k: [v] for k, v in ROW.items()}, "image_preview": pictures}), path)
    (entry,) = read_entries(path)
    assert dict(entry.fields) == ROW
    assert read_questions(path)[0].gold == "B"


def test_a_parquet_file_that_is_none(tmp_path: Path) -> None:
    path = tmp_path / "q.parquet"
    path.write_text("no")
    with pytest.raises(QuestionFileError, match="not a Parquet file"):
        list(read_entries(path))
