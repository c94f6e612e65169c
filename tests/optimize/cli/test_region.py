"""`qkgram region` and `qkgram link` on the small graph, through the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from optimize.cli.region import link_command, order_caption, region_command
from retrievers.build import build_store
from retrievers.embedding import WEIGHTS, SentenceEncoder
from signatures.errors import InputError, StoreNotFound

KG = Path(__file__).resolve().parents[2] / "fixtures" / "kg_small.csv"

app = typer.Typer()
app.command("region")(region_command)
app.command("link")(link_command)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("cli") / "store"
    build_store(KG, folder)
    return str(folder)


@pytest.fixture
def encoder() -> None:
    if not (SentenceEncoder().folder / WEIGHTS).is_file():
        pytest.skip("run: qkgram models fetch all-minilm-l6-v2")


def run(*words: str, columns: int = 160) -> str:
    wide = {"COLUMNS": str(columns)}
    result = CliRunner().invoke(app, words, catch_exceptions=False, env=wide)
    assert result.exit_code == 0
    return result.stdout


def test_link_explains_each_mention(store: str) -> None:
    text = "She takes Glucophage for T2DM and denies nausea."
    links = json.loads(run("link", text, "--graph", store, "--json"))
    assert [(x["mention"], x["node"]["name"], x["method"], x["assertion"]) for x in links] == [
        ("Glucophage", "Metformin", "alias", "present"),
        ("T2DM", "type 2 diabetes mellitus", "alias", "present"),
        ("nausea", "Nausea", "exact", "absent"),
    ]
    shown = run("link", text, "--graph", store)
    assert "alias of 'Metformin'" in shown
    assert "absent" in shown


def test_link_reads_one_name(store: str) -> None:
    (link,) = json.loads(run("link", "ACE inhibitor", "--name", "--graph", store, "--json"))
    assert link["node"] is None
    assert "class of drugs" in link["reason"]


def test_link_lists_what_was_refused_why_and_what_is_near(store: str) -> None:
    text = "Metformine or metfromin for T2DM?"
    linked, refused = run("link", text, "--graph", store).split("Refused")
    assert "T2DM" in linked and "etfromin" not in linked
    rows = [line for line in refused.splitlines() if "│" in line]
    assert any("Metformine" in row and "Metformin (drug" in row for row in rows)
    assert any("metfromin" in row and "Metformin (drug" in row for row in rows)
    assert "Refused" not in run("link", "T2DM", "--graph", store)


def test_a_narrow_terminal_cuts_no_name(store: str) -> None:
    shown = run("link", "T2DM and diabetic nephropathy", "--graph", store, columns=60)
    assert "…" not in shown
    assert "type" in shown


def test_the_order_of_a_region_is_said() -> None:
    from retrievers.region import RegionSettings

    assert "order of selection (MMR, λ 0.7)" in order_caption(RegionSettings())
    assert order_caption(RegionSettings(use_mmr=False)).startswith("rows by relevance × ")


def test_a_text_without_mentions_says_so(store: str) -> None:
    assert "no mention" in run("link", "Nothing here.", "--graph", store)


@pytest.mark.usefixtures("encoder")
def test_region_shows_triplets_anchors_and_mode(store: str) -> None:
    words = ["region", "Which drug for type 2 diabetes mellitus?", "--domain", "drug-therapy"]
    asked = [*words, "-o", "Metformin", "-o", "Zorblaxin", "--k", "5", "--graph", store]
    region = json.loads(run(*asked, "--json"))
    assert (len(region["triplets"]), region["mode"]) == (5, "HYBRID")
    assert region["domain"] == "DRUG_THERAPY"
    assert region["unlinked"] == ["Zorblaxin"]
    shown = run(*asked)
    assert "Metformin is indicated for type 2 diabetes mellitus" in shown
    assert f"5 of {region['candidates']} candidate triplets; mode HYBRID" in shown
    assert "not in the graph: Zorblaxin" in shown
    assert "rows in the order of selection (MMR" in shown


def test_an_unknown_domain_is_an_error_that_lists_them(store: str) -> None:
    with pytest.raises(InputError, match="DRUG_THERAPY.*got 'surgery'"):
        run("region", "x", "--domain", "surgery", "--graph", store)


def test_an_absent_store_is_an_error_of_ours(tmp_path: Path) -> None:
    with pytest.raises(StoreNotFound):
        run("link", "metformin", "--graph", str(tmp_path / "none"))
