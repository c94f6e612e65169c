"""UMLS tables as a licensed user has them; every line here is made up in their shape."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from data.mrconso import MRCONSO, MRREL, Atom, read_atoms, read_broader
from signatures.errors import InputError


def atom(cui: str, name: str, **changed: str) -> str:
    """A line of MRCONSO."""
    cells = dict.fromkeys(MRCONSO, "") | {"CUI": cui, "LAT": "ENG", "STR": name, "SUPPRESS": "N"}
    cells |= {"SAB": "HPO", "CODE": "HP:0001250"} | changed
    return "|".join(cells[column] for column in MRCONSO) + "|\n"


def relation(first: str, kind: str, second: str, **changed: str) -> str:
    """A line of MRREL."""
    cells = dict.fromkeys(MRREL, "") | {"CUI1": first, "REL": kind, "CUI2": second, "SUPPRESS": "N"}
    cells |= {"SAB": "MSH"} | changed
    return "|".join(cells[column] for column in MRREL) + "|\n"


def test_english_names_that_are_not_suppressed_are_read(tmp_path: Path) -> None:
    file = tmp_path / "MRCONSO.RRF"
    file.write_text(
        atom("C0036572", "Seizure")
        + atom("C0036572", "Krampfanfall", LAT="GER")
        + atom("C0036572", "Seizure, old", SUPPRESS="O")
        + atom("C0004096", "Asthma", SAB="MTH", CODE="NOCODE")
        + atom("C0004096", "Asthme – “bronchique”"),
        encoding="utf-8",
    )
    assert list(read_atoms(file)) == [
        Atom("C0036572", "Seizure", "HPO", "HP:0001250"),
        Atom("C0004096", "Asthma", "MTH", ""),
        Atom("C0004096", "Asthme – “bronchique”", "HPO", "HP:0001250"),
    ]
    kept = list(read_atoms(file, vocabularies=frozenset({"MTH"})))
    assert [found.name for found in kept] == ["Asthma"]


def test_a_gzipped_table_is_read_the_same(tmp_path: Path) -> None:
    file = tmp_path / "MRCONSO.RRF.gz"
    file.write_bytes(gzip.compress(atom("C1", "Quote \" and 'tick'").encode()))
    assert [found.name for found in read_atoms(file)] == ["Quote \" and 'tick'"]


def test_a_line_with_other_fields_is_named(tmp_path: Path) -> None:
    file = tmp_path / "MRCONSO.RRF"
    file.write_text(atom("C1", "Gout") + "C2|ENG|Asthma|\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"MRCONSO\.RRF:2: wanted 18 fields, CUI to CVF.* got 3"):
        list(read_atoms(file))


def test_a_table_that_is_absent_or_cut_off_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read: No such file"):
        list(read_atoms(tmp_path / "none.RRF"))
    (tmp_path / "cut.gz").write_bytes(gzip.compress(atom("C1", "Gout").encode() * 500)[:-9])
    with pytest.raises(InputError, match="cannot be read"):
        list(read_atoms(tmp_path / "cut.gz"))


def test_parents_are_read_in_their_direction(tmp_path: Path) -> None:
    file = tmp_path / "MRREL.RRF"
    file.write_text(
        relation("C1", "PAR", "C2")
        + relation("C2", "CHD", "C1")
        + relation("C1", "PAR", "C1")
        + relation("C1", "PAR", "C9", SUPPRESS="Y")
        + relation("C1", "PAR", "C3", SAB="ICD10"),
        encoding="utf-8",
    )
    assert list(read_broader(file)) == [["C1", "C2"], ["C1", "C3"]]
    assert list(read_broader(file, vocabularies=frozenset({"MSH"}))) == [["C1", "C2"]]
