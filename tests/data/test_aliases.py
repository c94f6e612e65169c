"""Alias files: each kind is recognised by what stands in it, and only exact names are taken."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from data.aliases import AliasEntry, read_aliases, stated_names
from signatures.errors import GraphFileError

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"


def read(path: Path, text: str) -> list[AliasEntry]:
    path.write_text(text, encoding="utf-8")
    return list(read_aliases(path))


def test_obo_gives_names_and_exact_synonyms() -> None:
    entries = list(read_aliases(FIXTURES / "mini.obo"))
    assert [(entry.ids, entry.names) for entry in entries] == [
        (("HP:0001250",), ("Seizure", "Epileptic seizure", 'Seizures, "fits"')),
        (("HP:9999999", "HP:0012735"), ("Coughing", "Nausea")),
        (("HP:0000001",), ("All",)),
    ]


def test_zipped_and_plain_are_one(tmp_path: Path) -> None:
    zipped = tmp_path / "mini.obo.gz"
    zipped.write_bytes(gzip.compress((FIXTURES / "mini.obo").read_bytes()))
    assert list(read_aliases(zipped)) == list(read_aliases(FIXTURES / "mini.obo"))


def test_disease_features_name_the_members_of_a_group() -> None:
    first, second, *_ = read_aliases(FIXTURES / "disease_features.csv")
    assert first.ids == ("MONDO:13924",)
    assert first.names == ("osteogenesis imperfecta type 13", "osteogenesis imperfecta")
    assert second.names[0] == "osteogenesis imperfecta, type 11"
    assert first.type == second.type == "disease"


def test_drug_features_give_what_the_description_states() -> None:
    entries = list(read_aliases(FIXTURES / "drug_features.csv"))
    assert [(e.file_index, e.names) for e in entries] == [
        (10, ("Glucophage",)),
        (13, ("enalaprilat",)),
    ]
    assert "Metformin" in entries[0].quoted


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("X is also called as needed.", ()),
        ("X (trade name Zyloprim) lowers urate.", ("Zyloprim",)),
        ("Aspirin, also known as acetylsalicylic acid, is old.", ()),
        ("Brand names of X: A, B.", ()),
        ("It is also known as that.", ()),
    ],
)
def test_stated_names_are_taken_only_when_whole(text: str, names: tuple[str, ...]) -> None:
    assert stated_names(text) == names


def test_synonym_table_takes_exact_ones(tmp_path: Path) -> None:
    entries = read(tmp_path / "s.csv", "hpo_id,synonym,scope\nHP:1,Fits,EXACT\nHP:1,Sign,RELATED\n")
    assert entries == [AliasEntry(("HP:1",), None, None, ("Fits",))]


def test_tables_with_tabs_and_blanks(tmp_path: Path) -> None:
    text = "node_id\tnode_type\tnode_name\n5148\tdisease\tNIDDM\n5149\tdisease\t<NA>\n"
    assert read(tmp_path / "n.tab", text) == [AliasEntry(("5148",), None, "disease", ("NIDDM",))]


def test_own_table(tmp_path: Path) -> None:
    assert read(tmp_path / "a.csv", "\ufeffalias,id\nGlucophage,DB00331\n,DB00722\n") == [
        AliasEntry(("DB00331",), None, None, ("Glucophage",))
    ]


def test_what_is_no_alias_file(tmp_path: Path) -> None:
    with pytest.raises(GraphFileError, match="neither OBO nor a table"):
        read(tmp_path / "x.csv", "a,b\n1,2\n")
    with pytest.raises(GraphFileError, match="there is no file"):
        list(read_aliases(tmp_path / "nothing.obo"))
    (tmp_path / "cut.obo.gz").write_bytes(gzip.compress(b"format-version: 1.2\n" * 999)[:-9])
    with pytest.raises(GraphFileError, match="cannot read"):
        list(read_aliases(tmp_path / "cut.obo.gz"))
