"""`kg build` and `kg subgraph` over a store that is there already."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from optimize.cli.kg import app
from signatures.errors import InputError

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
KG, ITEMS = str(FIXTURES / "kg_small.csv"), str(FIXTURES / "constraints_small.jsonl")
NAMES = str(FIXTURES / "mini.obo")


def kg(*words: str) -> None:
    CliRunner().invoke(app, words, catch_exceptions=False)


def items(store: Path) -> int:
    shown = CliRunner().invoke(app, ["stats", str(store), "--json"], catch_exceptions=False)
    count: int = json.loads(shown.stdout)["constraint_items"]
    return count


def test_constraint_items_are_not_lost_to_a_build_without_them(tmp_path: Path) -> None:
    store = tmp_path / "store"
    kg("build", KG, str(store), "--constraints", ITEMS)
    with pytest.raises(InputError) as refused:
        kg("build", KG, str(store))
    said = str(refused.value)
    assert "6 ConstraintItems" in said
    assert "nodes, 43 edges" in said
    assert "has constraints, this build none" in said
    assert said.endswith("pass --replace")
    assert "\n" not in said
    assert items(store) == 6
    kg("build", KG, str(store), "--replace")
    assert items(store) == 0


def test_the_same_build_again_passes(tmp_path: Path) -> None:
    store = tmp_path / "store"
    words = ("build", KG, str(store), "--constraints", ITEMS, "--aliases", NAMES)
    kg(*words)
    kg(*words)
    assert items(store) == 6


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        ((), ("--constraints", ITEMS), "has no constraints, this build some"),
        (("--aliases", NAMES), (), "has aliases, this build none"),
    ],
)
def test_other_input_is_named(
    tmp_path: Path, first: tuple[str, ...], second: tuple[str, ...], said: str
) -> None:
    kg("build", KG, str(tmp_path / "store"), *first)
    with pytest.raises(InputError, match=said):
        kg("build", KG, str(tmp_path / "store"), *second)


def test_another_graph_file_and_other_constraints(tmp_path: Path) -> None:
    store, csv, lines = tmp_path / "store", tmp_path / "kg.csv", tmp_path / "items.jsonl"
    kg("build", KG, str(store), "--constraints", ITEMS)
    text = Path(KG).read_text(encoding="utf-8").splitlines(keepends=True)
    csv.write_text("".join(text[:-2]), encoding="utf-8")
    lines.write_text(Path(ITEMS).read_text(encoding="utf-8").splitlines()[0], encoding="utf-8")
    with pytest.raises(InputError, match=r"built from another kg_small\.csv, has other constr"):
        kg("build", str(csv), str(store), "--constraints", str(lines))


def test_a_damaged_store_is_built_again(tmp_path: Path) -> None:
    store = tmp_path / "store"
    kg("build", KG, str(store), "--constraints", ITEMS)
    (store / "manifest.json").write_text("{", encoding="utf-8")
    kg("build", KG, str(store))
    assert items(store) == 0


def test_a_subgraph_takes_no_other_stores_place(tmp_path: Path) -> None:
    whole, part, other = (str(tmp_path / name) for name in ("whole", "part", "other"))
    kg("build", KG, whole, "--constraints", ITEMS)
    kg("build", KG, other)
    cut = ("subgraph", whole, "--center", "MONDO:5148", "--out")
    kg(*cut, part)
    kg(*cut, part)
    with pytest.raises(InputError, match="is no cut of this graph; name another folder"):
        kg(*cut, other)
    with pytest.raises(InputError, match="was cut around MONDO:5148"):
        kg("subgraph", whole, "--center", "Metformin", "--out", part)
    with pytest.raises(InputError, match="was cut from another store around MONDO:5148"):
        kg("build", KG, part, "--constraints", ITEMS)
    kg(*cut, other, "--replace")
