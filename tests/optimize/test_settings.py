from __future__ import annotations

import re
from pathlib import Path

import pytest

from optimize.settings import ENVIRONMENT, Settings, changed, load_settings, preset_label
from optimize.settings_environment import unknown_variables
from programs.registry import ProgramSettings
from signatures.errors import SettingsError


@pytest.fixture(autouse=True)
def _clean(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ENVIRONMENT:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("QKGRAM_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "other.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_defaults_use_the_local_model_and_the_packaged_sample(tmp_path: Path) -> None:
    settings = load_settings()
    assert settings.model.is_local
    assert settings.graph == tmp_path / "home" / "stores" / "sample"


def test_qkgram_toml_of_the_working_directory_is_read(tmp_path: Path) -> None:
    (tmp_path / "qkgram.toml").write_text('model = "openai/gpt-4o"', encoding="utf-8")
    assert load_settings().model.model == "openai/gpt-4o"


def test_file_then_environment_then_flags(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path, 'graph = "a"\n[model]\nmodel = "m"\ntemperature = 0.3\n')
    monkeypatch.setenv("QKGRAM_GRAPH", "b")
    monkeypatch.setenv("QKGRAM_API_BASE", "http://127.0.0.1:1/v1")
    settings = load_settings(path, {"graph": "c", "budget.max_calls": 7, "model.top_p": None})
    assert settings.graph == Path("c")
    assert settings.model.api_base == "http://127.0.0.1:1/v1"
    assert (settings.model.temperature, settings.model.top_p) == (0.3, None)
    assert settings.budget.max_calls == 7


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("grap = 1", "unknown setting 'grap'; did you mean 'graph'?"),
        ("[budget]\nmax_call = 1", "did you mean 'max_calls'?"),
        ("[roles.juge]\ntemperature = 1", "unknown name 'juge'; did you mean 'judge'?"),
        ("[roles.judge]\ntemp = 1", "roles.judge: unknown setting 'temp'"),
        ("[region]\nkk = 1", "region: unknown setting 'kk'"),
        ("[model]\ntemperature = 7", "model.temperature: wanted at most 2"),
        ("[model]\napi_base = 'localhost'", "expected an address such as"),
        ("[model]\napi_base = 'http://h/v1'", "the name that the server there knows"),
        ("graph = ", "is not TOML"),
    ],
)
def test_mistakes_are_one_line_with_a_remedy(tmp_path: Path, text: str, expected: str) -> None:
    with pytest.raises(SettingsError) as caught:
        load_settings(write(tmp_path, text))
    assert expected in str(caught.value)
    assert "\n" not in str(caught.value) or "TOML" in expected


def test_unknown_flag_and_missing_file() -> None:
    with pytest.raises(SettingsError, match="flags: unknown setting 'modl'; did you mean 'model'"):
        load_settings(None, {"modl.top_p": 1})
    with pytest.raises(SettingsError, match="cannot be read: No such file"):
        load_settings(Path("absent.toml"))


def test_a_key_in_the_address_is_refused_and_not_repeated(tmp_path: Path) -> None:
    path = write(tmp_path, "[model]\nmodel='m'\napi_base = 'http://u:sk-secret@h/v1'")
    with pytest.raises(SettingsError, match="api_key_env") as caught:
        load_settings(path)
    assert "sk-secret" not in str(caught.value)


def test_a_role_inherits_sampling_but_not_another_models_connection(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "[model]\nmodel='m'\napi_base='http://h/v1'\napi_key_env='H_KEY'\ntemperature=0.3\n"
        "[roles.judge]\nmodel='openai/gpt-4o'\n[roles.validator]\ntop_p=0.9\n",
    )
    settings = load_settings(path)
    judge, validator = settings.spec("judge"), settings.spec("validator")
    assert (judge.model, judge.api_base, judge.api_key_env) == ("openai/gpt-4o", None, None)
    assert judge.temperature == 0.3
    assert (validator.model, validator.api_base) == ("m", "http://h/v1")
    assert settings.spec("reasoner") == settings.model


def test_a_model_flag_names_the_model_of_every_role(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "[model]\nmodel='m'\napi_base='http://h/v1'\n"
        "[roles.judge]\nmodel='openai/gpt-4o'\ntemperature=0.5\n",
    )
    local = load_settings(path, {"model": "local"})
    assert local.model.is_local
    assert local.model.api_base is None
    assert (local.spec("judge").model, local.spec("judge").temperature) == ("local", 0.5)
    served = load_settings(path, {"model": "n"})
    assert (served.model.model, served.model.api_base) == ("n", "http://h/v1")


def test_every_setting_is_described() -> None:
    assert all(field.description for field in Settings.model_fields.values())


def test_the_program_has_a_table(tmp_path: Path) -> None:
    text = "[program]\nmax_hops = 2\nvalidator = 'none'\n[program.caps]\nreasoning = 99\n"
    program = load_settings(write(tmp_path, text)).program
    assert (program.max_hops, program.validator, program.caps.reasoning) == (2, "none", 99)
    assert program.caps.synthesis == ProgramSettings().caps.synthesis
    assert load_settings().program == ProgramSettings()


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("program.max_hop", 1, "--set: program: unknown setting 'max_hop'; did you mean 'max_ho"),
        ("progam.max_hops", 1, "unknown setting 'progam'; did you mean 'program'?"),
        ("program.caps.reasonin", 1, "did you mean 'reasoning'?"),
        ("region.kk", 1, "region: unknown setting 'kk'"),
        ("program.max_hops", 0, "program.max_hops: wanted at least 1"),
        ("program.validator", "agnt", "program.validator: Input should be 'none', 'direct' or"),
        ("program.reviewer", "me", "program.reviewer"),
        ("program.max_hops.x", 1, "program.max_hops"),
        ("program", 3, "program: Input should be"),
    ],
)
def test_a_wrong_set_is_one_line_with_a_remedy(name: str, value: object, expected: str) -> None:
    with pytest.raises(SettingsError) as caught:
        load_settings(sets={name: value})
    assert expected in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_set_inside_a_plain_value_of_the_file_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path, "[program]\nmax_hops = 2\n")
    with pytest.raises(SettingsError, match="reaches inside 'max_hops', which is one value"):
        load_settings(path, sets={"program.max_hops.x": 1})


def test_a_set_may_be_nothing_and_stands_above_a_flag(tmp_path: Path) -> None:
    path = write(tmp_path, "[program]\nshuffle = 3\n[region]\nprefilter = 64\n")
    settings = load_settings(
        path,
        {"region.k": 5, "program.max_hops": 2},
        sets={"program.shuffle": None, "region.prefilter": None, "region.k": 7},
    )
    assert (settings.program.shuffle, settings.region.prefilter) == (None, None)
    assert (settings.region.k, settings.program.max_hops) == (7, 2)


def test_a_preset_stands_above_the_file_and_below_a_flag(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "[model]\nmodel='m'\napi_base='http://h/v1'\ntemperature=1.0\n"
        "[roles.validator]\ntemperature=0.9\n[region]\nk=4\nsame_name=2\n",
    )
    pinned = load_settings(path, preset="paper-regram")
    assert (pinned.model.model, pinned.model.temperature) == ("m", 0.3)
    assert pinned.spec("validator").temperature == 0.3
    assert pinned.spec("judge").temperature == 0
    assert (pinned.region.k, pinned.region.same_name) == (15, 2)
    assert preset_label(pinned) == "paper-regram"
    flagged = load_settings(path, {"region.k": 9}, preset="paper-regram")
    assert flagged.region.k == 9
    assert preset_label(flagged) == "paper-regram, but region.k=9"


def test_a_preset_named_in_the_file_stands_below_the_file(tmp_path: Path) -> None:
    path = write(tmp_path, "preset='paper-regram'\nmodel='m'\n[region]\nk=4\n")
    settings = load_settings(path)
    assert (settings.region.k, settings.region.join_weight) == (4, 1)
    assert (settings.model.model, settings.model.temperature) == ("m", 0.3)
    assert preset_label(settings) == "paper-regram, but region.k=4"
    assert load_settings(path, preset="default").region.k == 15


def test_changed_reaches_any_setting_and_validates() -> None:
    before = load_settings()
    after = changed(before, {"region.k": 9, "program.caps.reasoning": 7})
    assert (after.region.k, after.program.caps.reasoning) == (9, 7)
    assert changed(after, {"region.k": 15, "program.caps.reasoning": 384}) == before
    with pytest.raises(SettingsError, match="did you mean 'use_domain'"):
        changed(before, {"region.use_domai": False})
    with pytest.raises(SettingsError, match="region.k"):
        changed(before, {"region.k": 0})


def test_a_variable_that_nothing_reads_is_said(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("QKGRAM_GRPH", "secret")
    monkeypatch.setenv("QKGRAM_MAX_CALLS", "3")
    monkeypatch.setenv("QKGRAM_MIRROR", "1")
    monkeypatch.setenv("QKGRAM_API_KEY_ENV", "QKGRAM_MY_KEY")
    monkeypatch.setenv("QKGRAM_MY_KEY", "secret")
    load_settings()
    misspelt, nested = caplog.messages
    assert misspelt == "qkgram: QKGRAM_GRPH is not used: did you mean QKGRAM_GRAPH?"
    assert "QKGRAM_MAX_CALLS is not used: known are QKGRAM_API_BASE" in nested
    assert "--set" in nested


def test_every_variable_that_the_code_reads_is_known() -> None:
    root = Path(__file__).parents[2]
    parts = ("data", "metrics", "optimize", "programs", "retrievers", "signatures", "tests")
    files = (file for part in parts for file in (root / part).rglob("*.py"))
    read = r"environ(?:\.get\(|\[)\s*\"(QKGRAM_[A-Z_]+)"
    found = {name for file in files for name in re.findall(read, file.read_text(encoding="utf-8"))}
    assert "QKGRAM_HOME" in found
    assert unknown_variables(found) == ()


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("program.max_hops", "abc", "--set program.max_hops: wanted a whole number, got 'abc'"),
        ("region.k", 0, "--set region.k: wanted at least 1, got 0"),
        ("model.temperature", "hot", "--set model.temperature: wanted a number, got 'hot'"),
    ],
)
def test_a_wrong_value_is_named_once_and_in_plain_words(
    name: str, value: object, said: str
) -> None:
    with pytest.raises(SettingsError) as caught:
        load_settings(sets={name: value})
    assert str(caught.value) == said
