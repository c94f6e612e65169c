"""The synonym table: complete rows, no alias with two meanings, and errors that name the line."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from data.synonyms import JOINED, SynonymKind, read_synonyms
from retrievers.normalise import normalise
from signatures.errors import GraphFileError


def test_the_packaged_table_is_large_enough_and_every_row_names_its_source() -> None:
    rows = read_synonyms()
    assert len(rows) >= 400
    assert all(row.source for row in rows)
    assert set(get_args(SynonymKind)) == {row.kind for row in rows}


def test_only_a_combination_has_components() -> None:
    joined = {row.kind for row in read_synonyms() if JOINED in row.name}
    assert joined == {"combination"}
    assert all(JOINED in row.name for row in read_synonyms() if row.kind == "combination")


def test_no_alias_stands_for_two_names() -> None:
    meanings: dict[tuple[str, bool], set[str]] = {}
    for row in read_synonyms():
        short = row.kind == "abbreviation"
        key = row.alias if short else normalise(row.alias)
        meanings.setdefault((key, short), set()).add(normalise(row.name))
    assert {key: names for key, names in meanings.items() if len(names) > 1} == {}


def test_no_row_is_a_name_for_itself() -> None:
    assert [row for row in read_synonyms() if row.name.casefold() == row.alias.casefold()] == []


def test_a_bad_row_is_named_by_its_line(tmp_path: Path) -> None:
    file = tmp_path / "mine.csv"
    file.write_text("name,alias,kind,source\nMetformin,Glucophage,brand,x\nMetformin,,brand,x\n")
    with pytest.raises(GraphFileError, match="line 3"):
        read_synonyms(file)


def test_an_absent_file_is_an_error_of_ours(tmp_path: Path) -> None:
    with pytest.raises(GraphFileError, match="cannot be read"):
        read_synonyms(tmp_path / "none.csv")
