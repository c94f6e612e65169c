"""A model of one's own behind any address: settings alone, and one clear line when it fails."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import dspy
import pytest

from optimize.call_errors import explain
from optimize.language_models import build_lm, use_models
from optimize.meter import Meter
from optimize.model_spec import ModelSpec
from optimize.settings import Settings, load_settings
from signatures.claims import EmitClaims
from signatures.domain import TypeDomain
from signatures.errors import ModelCallError, ParseError
from tests.support.cache import memory_cache
from tests.support.fake_openai import Body, FakeOpenAI, Raw

ANSWER = json.dumps({"answer": "A", "claims": []})


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    monkeypatch.setenv("QKGRAM_HOME", str(tmp_path / "home"))
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OWN_KEY", "OLLAMA_API_BASE"):
        monkeypatch.delenv(name, raising=False)
    with memory_cache():
        yield


def settings_of(toml: str) -> Settings:
    Path("qkgram.toml").write_text(toml, encoding="utf-8")
    return load_settings()


def failure(spec: ModelSpec) -> str:
    with pytest.raises(ModelCallError) as caught:
        build_lm(spec, role="judge", meter=Meter())("hi")
    said = str(caught.value)
    assert "\n" not in said and "litellm" not in said.lower()
    return said


def test_a_server_of_ones_own_needs_three_lines_of_settings() -> None:
    with FakeOpenAI(lambda body: ANSWER) as server:
        toml = f'[model]\nmodel = "my-7b"\napi_base = "{server.url}"\n'
        with use_models(settings_of(toml), Meter()):
            said = dspy.Predict(EmitClaims)(question="q", options="A. Metformin")
    assert said.answer == "A"
    assert server.requests[0].body["model"] == "my-7b"


def test_each_role_may_have_a_server_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OWN_KEY", "sk-own")
    with FakeOpenAI(lambda body: "one") as first, FakeOpenAI(lambda body: "two") as second:
        toml = (
            f'[model]\nmodel = "a"\napi_base = "{first.url}"\n[roles.judge]\nmodel = "b"\n'
            f'api_base = "{second.url}"\napi_key_env = "OWN_KEY"\n'
        )
        with use_models(settings_of(toml), Meter()) as roles:
            assert (roles["reasoner"]("hi"), roles["judge"]("hi")) == (["one"], ["two"])
    assert second.requests[0].headers["Authorization"] == "Bearer sk-own"
    assert "sk-own" not in str(first.requests)


def test_an_ollama_server_is_reached_by_its_openai_address() -> None:
    with FakeOpenAI(lambda body: "ok") as server:
        spec = ModelSpec(model="llama3.2:3b", api_base=server.url, structured=False)
        assert build_lm(spec, role="judge", meter=Meter())("hi") == ["ok"]
    assert server.requests[0].body["model"] == "llama3.2:3b"


def test_a_key_variable_that_is_not_set_is_named() -> None:
    with FakeOpenAI(lambda body: "ok") as server:
        said = failure(ModelSpec(model="a", api_base=server.url, api_key_env="OWN_KEY"))
    assert "needs a key: set OWN_KEY in the environment" in said
    assert not server.requests


@pytest.mark.parametrize(
    ("model", "variable"),
    [
        ("anthropic/claude-3-5-haiku-latest", "ANTHROPIC_API_KEY"),
        ("openai/gpt-4o", "OPENAI_API_KEY"),
    ],
)
def test_providers_by_their_model_string_ask_for_their_key(model: str, variable: str) -> None:
    assert f"needs a key: set {variable}" in failure(ModelSpec(model=model, retries=0))


@pytest.mark.parametrize("model", ["opnai/gpt-4o", "my-7b"])
def test_a_provider_that_does_not_exist_is_said_in_one_line(model: str) -> None:
    said = failure(ModelSpec(model=model, retries=0))
    assert said.startswith(f"no provider is known for the model {model!r}: write PROVIDER/NAME")
    assert "model.api_base" in said


def test_a_provider_whose_package_is_absent_names_it_and_the_way_round() -> None:
    error = dspy.LMTransportError("APIConnectionError: VLLMException - No module named 'vllm'")
    said = explain(error, ModelSpec(model="vllm/x"))
    assert "needs the package vllm: for a server, set model.api_base" in said


@pytest.mark.parametrize("kind", ["text/html", "application/json"])
def test_a_page_in_place_of_json_is_said_to_be_one(kind: str) -> None:
    with FakeOpenAI(lambda body: Raw("<html>Log in</html>", kind)) as server:
        said = failure(ModelSpec(model="m", api_base=server.url, retries=0))
    assert said.startswith(f"{server.url} answered with something that is not JSON")
    assert said.endswith("may stand before the server")


def test_a_reply_without_a_choice_is_an_outage_and_an_empty_one_is_the_models() -> None:
    none = json.dumps({"id": "1", "model": "m", "choices": []})
    with FakeOpenAI(lambda body: Raw(none)) as server:
        said = failure(ModelSpec(model="m", api_base=server.url, retries=0))
    assert "the reply holds no choice" in said
    with FakeOpenAI(lambda body: "") as server:
        assert build_lm(ModelSpec(model="m", api_base=server.url), role="judge", meter=Meter())(
            "hi"
        )


def ask() -> str:
    return str(dspy.Predict(EmitClaims)(question="q", options="A. Metformin").answer)


def test_an_empty_answer_is_not_kept_for_when_the_server_is_mended(tmp_path: Path) -> None:
    broken = [True]

    def reply(body: Body) -> str:
        return "" if broken else ANSWER

    with FakeOpenAI(reply) as server:
        spec = ModelSpec(model="my-7b", api_base=server.url)
        settings = Settings(model=spec, response_cache=tmp_path / "cache")
        with use_models(settings, Meter()), pytest.raises(ParseError):
            ask()
        broken.clear()
        with use_models(settings, Meter()):  # the folder outlives the first call
            assert ask() == "A"
            sent = len(server.requests)
            assert ask() == "A"
    assert len(server.requests) == sent, "an answer that says something is kept"


def test_an_empty_answer_is_not_kept_in_memory_nor_by_asynchronous_calls(tmp_path: Path) -> None:
    said = iter(["  ", "first", "", "second"])
    with FakeOpenAI(lambda body: next(said)) as server:
        spec = ModelSpec(model="my-7b", api_base=server.url)
        settings = Settings(model=spec, response_cache=tmp_path / "cache")
        with use_models(settings, Meter()) as roles:
            judge = roles["judge"]
            assert [judge("a")[0].strip(), judge("a")[0], judge("a")[0]] == ["", "first", "first"]
            assert asyncio.run(judge.acall("b"))[0] == ""
            assert asyncio.run(judge.acall("b"))[0] == "second"


def test_an_empty_answer_kept_by_an_older_version_is_asked_for_again(tmp_path: Path) -> None:
    said = iter(["", "DRUG_THERAPY"])
    with FakeOpenAI(lambda body: json.dumps({"domain": text}) if (text := next(said)) else "") as s:
        spec = ModelSpec(model="my-7b", api_base=s.url)
        settings = Settings(model=spec, response_cache=tmp_path / "cache", reasks=0)
        with use_models(settings, Meter()):
            dspy.configure_cache(disk_cache_dir=str(tmp_path / "cache"), restrict_pickle=True)
            with pytest.raises(ParseError):
                dspy.Predict(TypeDomain)(question="q")
        with use_models(settings, Meter()):
            assert dspy.Predict(TypeDomain)(question="q").domain == "DRUG_THERAPY"
