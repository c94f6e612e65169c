"""Presets are settings: known names, the papers' numbers, each with its source."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import data.preset_files
from data.preset_files import preset_names, read_preset
from optimize.settings import Settings, load_settings, preset_label
from optimize.settings_table import leaves
from optimize.suggestions import check_keys
from programs.caps import PAPER_CAPS, Caps
from programs.registry import ProgramSettings
from retrievers.linking import LinkingSettings
from retrievers.region import RegionSettings
from signatures.errors import SettingsError

FOLDER = Path(data.preset_files.__file__).with_name("presets")


@pytest.fixture(autouse=True)
def _elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("name", preset_names())
def test_every_preset_is_settings(name: str) -> None:
    check_keys(read_preset(name), Settings, where=name)
    settings = load_settings(preset=name)
    assert preset_label(settings) == name


@pytest.mark.parametrize("name", ["paper-regram", "paper-qkg"])
def test_every_number_of_a_paper_names_its_section(name: str) -> None:
    text = (FOLDER / f"{name}.toml").read_text(encoding="utf-8")
    table = ""
    for line in filter(None, text.splitlines()):
        if line.startswith("["):
            table = line
        elif re.match(r"\w+ = ", line):
            assert re.search(r"#.*(§|B\.\d|table|equation|max tokens)", f"{line} {table}"), line


def test_regram_is_as_printed() -> None:
    settings = load_settings(preset="paper-regram")
    assert (settings.model.temperature, settings.model.top_p) == (0.3, 0.9)
    assert settings.spec("judge").temperature == 0
    assert settings.program.caps == PAPER_CAPS == Caps(256, 512, 1024)
    assert (settings.program.max_hops, settings.program.min_relevance) == (3, -1)
    assert (settings.program.review_threshold, settings.program.max_revisions) == (0.5, 2)
    assert settings.region == RegionSettings.paper()
    assert (settings.region.k, settings.region.trade_off) == (15, 0.7)
    assert (settings.linking.rule, settings.linking.cutoff) == ("paper", 90)


def test_qkg_is_as_printed() -> None:
    program = load_settings(preset="paper-qkg").program
    assert (program.validator, program.tool_turns, program.use_context) == ("agent", 20, True)


def test_the_default_preset_writes_out_the_defaults() -> None:
    settings = load_settings(preset="default")
    assert settings.region == RegionSettings()
    assert settings.linking == LinkingSettings()
    assert settings.program == ProgramSettings()


def test_both_papers_and_the_default_pin_the_same_kinds_of_things() -> None:
    pinned = dict(leaves(read_preset("paper-regram")))
    written = dict(leaves(read_preset("default")))
    own = {"model.temperature", "model.top_p", "roles.judge.temperature"}
    assert pinned.keys() - written.keys() == own


def test_an_unknown_preset_lists_them() -> None:
    with pytest.raises(SettingsError, match="use one of default, paper-qkg, paper-regram"):
        read_preset("paper")
