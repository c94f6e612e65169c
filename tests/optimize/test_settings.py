from __future__ import annotations

from pathlib import Path

import pytest

from optimize.settings import ENVIRONMENT, Settings, load_settings
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
        ("[model]\ntemperature = 7", "model.temperature: Input should be less than or equal to 2"),
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
