from __future__ import annotations

import io
import json
import pickle
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dspy
import pytest
from dspy.utils.exceptions import ContextWindowExceededError

from optimize.budget import Budget
from optimize.engine import MeteredEngine
from optimize.language_models import build_lm, build_roles, model_id, open_cache, use_models
from optimize.meter import Meter
from optimize.model_spec import ModelSpec
from optimize.remote import RemoteBackend
from optimize.role_lm import RoleLM
from optimize.settings import Settings
from signatures.claims import EmitClaims
from signatures.errors import BudgetExceeded, ModelCallError, ModelNotFound, SettingsError
from tests.support.cache import memory_cache
from tests.support.fake_openai import Body, FakeOpenAI, Refusal

KEY = "sk-test-123"
CLAIM = {
    "option": "A",
    "head": "Metformin",
    "predicate": "treats",
    "tail": "type 2 diabetes mellitus",
    "supports": True,
}
ANSWER = json.dumps({"answer": "A", "claims": [CLAIM]})


@pytest.fixture(autouse=True)
def _offline(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.setenv("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    monkeypatch.setenv("QKGRAM_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("MY_KEY", KEY)
    with memory_cache():
        yield


def served(server: FakeOpenAI, **options: Any) -> ModelSpec:
    return ModelSpec(model="qwen2.5", api_base=server.url, **options)


def impatient(spec: ModelSpec, meter: Meter, slept: list[float]) -> RoleLM:
    """A model that notes how long it would sleep."""
    engine = MeteredEngine(
        RemoteBackend(spec), spec=spec, role="reasoner", meter=meter, sleep=slept.append
    )
    return RoleLM(model_id(spec), engine=engine, temperature=0.0, max_tokens=20)


def failing(reply: Refusal, **options: Any) -> tuple[str, list[float]]:
    """What a caller is told, and the waits before it."""
    slept: list[float] = []
    with FakeOpenAI(lambda body: reply) as server:
        lm = impatient(served(server, **options), Meter(), slept)
        with pytest.raises(ModelCallError) as caught:
            lm("hi")
    assert "\n" not in str(caught.value)
    return str(caught.value).replace(server.url, "URL"), slept


def test_a_server_gets_the_schema_the_sampling_and_the_key() -> None:
    with FakeOpenAI(lambda body: ANSWER) as server:
        spec = served(server, api_key_env="MY_KEY", temperature=0.3, top_p=0.9, seed=7)
        settings = Settings(model=spec)
        with use_models(settings, Meter()):
            said = dspy.Predict(EmitClaims)(question="q", options="A. Metformin")
    assert said.claims[0].head == "Metformin"
    sent = server.requests[0]
    assert sent.path == "/v1/chat/completions"
    assert sent.headers["Authorization"] == f"Bearer {KEY}"
    assert {k: sent.body[k] for k in ("model", "temperature", "top_p", "seed", "max_tokens")} == {
        "model": "qwen2.5",
        "temperature": 0.3,
        "top_p": 0.9,
        "seed": 7,
        "max_tokens": 512,
    }
    schema = sent.body["response_format"]["json_schema"]["schema"]
    assert list(schema["properties"]) == ["answer", "claims"]
    assert schema["$defs"]["Claim"]["properties"]["option"]["pattern"] == "^[A-J]$"
    assert "$defs" not in json.dumps(sent.body["messages"])


def test_a_server_without_schemas_is_not_sent_one() -> None:
    with FakeOpenAI(lambda body: ANSWER) as server:
        settings = Settings(model=served(server, structured=False))
        with use_models(settings, Meter()):
            dspy.Predict(EmitClaims)(question="q", options="o")
    assert "response_format" not in server.requests[0].body


def test_usage_is_counted_once_and_answers_come_from_the_cache() -> None:
    meter = Meter()
    with FakeOpenAI(lambda body: "two words") as server:
        lm = build_lm(served(server), role="judge", meter=meter)
        with dspy.track_usage() as tracked:
            assert lm("a b c") == lm("a b c") == ["two words"]
    used = meter.by_role()["judge"]
    assert (used.calls, used.cached, used.prompt_tokens, used.completion_tokens) == (1, 1, 3, 2)
    assert len(server.requests) == 1
    assert len(lm.history) == 2
    assert tracked.get_total_tokens()[lm.model]["prompt_tokens"] == 3


def test_a_cut_answer_is_counted_and_dspy_does_not_speak_of_it(
    caplog: pytest.LogCaptureFixture,
) -> None:
    meter = Meter()
    with FakeOpenAI(lambda body: "two words") as server:
        lm = build_lm(served(server), role="judge", meter=meter)
        lm("a", max_tokens=1)
        lm("b", max_tokens=2)
        assert caplog.messages == []
        dspy.LM(lm.model, cache=False, max_tokens=1)("c")
    used = meter.usage() + meter.usage()
    assert (used.calls, used.cut) == (4, 2)
    assert [text[:25] for text in caplog.messages] == ["LM response was truncated"]


def test_a_price_of_ones_own_makes_a_dollar_budget() -> None:
    meter = Meter(Budget(max_cost=0.001))
    with FakeOpenAI(lambda body: "one two three four") as server:
        spec = served(server, prompt_price=100.0, completion_price=200.0)
        lm = build_lm(spec, role="reasoner", meter=meter)
        lm("a b")
        assert meter.usage().cost == pytest.approx((2 * 100 + 4 * 200) / 1e6)
        with pytest.raises(BudgetExceeded):
            lm("c")
    assert len(server.requests) == 1


def test_two_servers_with_one_model_name_do_not_share_answers() -> None:
    with FakeOpenAI(lambda body: "one") as first, FakeOpenAI(lambda body: "two") as second:
        models = [build_lm(served(s), role="r", meter=Meter()) for s in (first, second)]
        assert [lm("hi") for lm in models] == [["one"], ["two"]]


def test_repeats_get_rollouts_of_their_own() -> None:  # D11
    with FakeOpenAI(lambda body: str(len(server.requests))) as server:
        lm = build_lm(served(server, temperature=0.7), role="r", meter=Meter())
        said = [lm.copy(rollout_id=n)("hi") for n in (1, 2, 3, 1)]
    assert said == [["1"], ["2"], ["3"], ["1"]]
    assert all("rollout_id" not in sent.body for sent in server.requests)


def test_rate_limits_are_waited_for_and_counted() -> None:  # D23
    replies: list[str | Refusal] = [Refusal(429, headers={"Retry-After": "2"})] * 10 + ["fine"]
    meter, slept = Meter(), []
    with FakeOpenAI(lambda body: replies.pop(0)) as server:
        assert impatient(served(server), meter, slept)("hi") == ["fine"]
    assert slept == [2.0] * 10
    assert (meter.usage().calls, meter.usage().retries, meter.usage().waited) == (1, 10, 20.0)


def test_a_rate_limit_that_stays_is_an_error_after_the_longest_wait() -> None:
    said, slept = failing(Refusal(429, headers={"Retry-After": "50"}), max_wait=120)
    assert slept == [50.0, 50.0]
    assert said.startswith("URL still limits the rate after 100 s of waiting")


def test_an_outage_is_tried_again_with_longer_pauses() -> None:
    said, slept = failing(Refusal(503, "loading"))
    assert slept == [1.0, 2.0, 4.0]
    assert said == "URL refused the call (503): loading"


def test_a_refused_key_names_the_variable_and_never_the_key() -> None:
    echo = f"Incorrect API key provided: {KEY[:7]}***"
    said, slept = failing(Refusal(401, echo, "invalid_api_key"), api_key_env="MY_KEY")
    assert said == "URL refused the key: check the environment variable MY_KEY"
    assert slept == []
    assert KEY[:7] not in said


def test_a_model_that_the_server_does_not_know() -> None:
    said, _ = failing(Refusal(404, "no such model", "model_not_found"))
    assert said.startswith("URL knows no model 'qwen2.5' (404): check the name")


def test_nothing_answers() -> None:
    with FakeOpenAI(lambda body: "x") as server:
        spec = served(server, retries=1)
    slept: list[float] = []
    meter = Meter()
    with pytest.raises(ModelCallError) as caught:
        impatient(spec, meter, slept)("hi")
    wanted = f"nothing answers at {spec.api_base}: start the server there"
    assert str(caught.value).startswith(wanted)
    assert slept == [1.0]
    assert meter.failures == [str(caught.value)]


def test_a_slow_server() -> None:
    def slow(body: Body) -> str:
        time.sleep(0.6)
        return "late"

    with FakeOpenAI(slow) as server:
        spec = served(server, timeout=0.2, retries=0)
        with pytest.raises(ModelCallError, match="gave no answer within 0.2 s"):
            impatient(spec, Meter(), [])("hi")


def test_a_missing_key_names_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MY_KEY")
    spec = ModelSpec(model="openai/gpt-4o-mini", api_key_env="MY_KEY")
    with pytest.raises(ModelCallError, match="needs a key: set MY_KEY in the environment"):
        build_lm(spec, role="r", meter=Meter())("hi")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(ModelCallError, match="set OPENAI_API_KEY in the environment"):
        build_lm(ModelSpec(model="openai/gpt-4o-mini"), role="r", meter=Meter())("hi")


@pytest.mark.parametrize(
    "refusal",
    [
        Refusal(400, "maximum context length is 8192 tokens", "context_length_exceeded"),
        Refusal(400, "request (9000 tokens) exceeds the available context size (8192 tokens)"),
    ],
)
def test_a_prompt_too_long_is_dspys_context_error(refusal: Refusal) -> None:  # D22
    with FakeOpenAI(lambda body: refusal) as server:
        lm = build_lm(served(server), role="r", meter=Meter())
        with pytest.raises(ContextWindowExceededError, match="show fewer facts"):
            lm("hi")


def test_the_key_is_nowhere_but_in_the_request(monkeypatch: pytest.MonkeyPatch) -> None:  # D16
    with FakeOpenAI(lambda body: ANSWER) as server:
        named = build_lm(served(server, api_key_env="MY_KEY"), role="r", meter=Meter())
        inner = ModelSpec(model="openai/gpt-4o-mini", api_key_env="MY_KEY")
        direct = build_lm(inner, role="r", meter=Meter())
        assert direct.supports_response_schema in (True, False)  # builds the inner model
        program = dspy.Predict(EmitClaims)
        program.set_lm(named)
        program(question="q", options="o")
        shown = "".join(
            [
                repr(named),
                repr(vars(named)),
                repr(vars(direct)),
                repr(direct.engine),
                json.dumps(named.dump_state()),
                json.dumps(direct.dump_state()),
                json.dumps(program.dump_state()),
                repr(named.history),
            ]
        )
    assert server.requests[0].headers["Authorization"] == f"Bearer {KEY}"
    assert KEY not in shown
    with pytest.raises((TypeError, pickle.PicklingError)):
        pickle.dump(direct, io.BytesIO())


def test_a_saved_model_sends_the_same_request(tmp_path: Path) -> None:  # D15
    with FakeOpenAI(lambda body: ANSWER) as server:
        spec = served(server, temperature=0.3, top_p=0.9, max_tokens=77, cache=False)
        program = dspy.Predict(EmitClaims)
        program.set_lm(build_lm(spec, role="r", meter=Meter()))
        program(question="q", options="o")
        program.save(str(tmp_path / "p.json"))
        loaded = dspy.Predict(EmitClaims)
        loaded.load(str(tmp_path / "p.json"), allow_unsafe_lm_state=True)
        with dspy.context(adapter=dspy.JSONAdapter()):
            loaded(question="q", options="o")
            program(question="q", options="o")
    assert server.requests[1].body == server.requests[2].body
    assert server.requests[0].body["top_p"] == server.requests[1].body["top_p"] == 0.9


def test_a_changed_model_is_used_at_once_in_every_thread() -> None:  # D09
    with FakeOpenAI(lambda body: "a") as first, FakeOpenAI(lambda body: "b") as second:
        said = []
        for server in (first, second):
            with use_models(Settings(model=served(server)), Meter()) as roles:
                parallel = dspy.Parallel(num_threads=2, disable_progress_bar=True)
                said += parallel([(lambda n: dspy.settings.lm(n), {"n": str(n)}) for n in (1, 2)])
                assert dspy.settings.lm is roles["reasoner"]
    assert said == [["a"], ["a"], ["b"], ["b"]]


def test_a_reasoning_model_is_given_room_and_no_temperature() -> None:
    with FakeOpenAI(lambda body: "x") as server:
        spec = ModelSpec(model="gpt-5-mini", api_base=server.url)
        build_lm(spec, role="r", meter=Meter())("hi", max_tokens=96)
    assert server.requests[0].body["max_tokens"] == 16_000
    assert "temperature" not in server.requests[0].body


def test_sampling_that_a_model_refuses_is_a_settings_error() -> None:
    with pytest.raises(SettingsError, match="openai/o3"):
        build_lm(ModelSpec(model="openai/o3", temperature=0.3), role="r", meter=Meter())


def test_a_local_model_that_is_not_here_names_the_command() -> None:
    command = "qkgram models fetch qwen2.5-coder-1.5b"
    with pytest.raises(ModelNotFound, match=command):
        build_roles(Settings(), Meter())
    with pytest.raises(ModelNotFound, match="the catalogue has no model 'qwen3'"):
        build_roles(Settings(model=ModelSpec(model="local:qwen3")), Meter())


def test_the_id_of_a_local_model_holds_its_hash() -> None:
    assert model_id(ModelSpec()) == "local/qwen2.5-coder-1.5b@cc324af070c2"


def test_a_cache_that_cannot_be_written_falls_back_to_memory(tmp_path: Path) -> None:  # D13
    blocked = tmp_path / "file"
    blocked.write_text("", encoding="utf-8")
    with pytest.warns(UserWarning, match="cannot be cached"):
        open_cache(blocked / "cache")
    lm_calls = []
    with FakeOpenAI(lambda body: lm_calls.append(1) or "x") as server:
        lm = build_lm(served(server), role="r", meter=Meter())
        assert lm("hi") == lm("hi")
    assert len(lm_calls) == 1


def test_answers_outlive_the_process_in_the_cache_folder(tmp_path: Path) -> None:
    with FakeOpenAI(lambda body: ANSWER) as server, warnings.catch_warnings():
        settings = Settings(model=served(server), response_cache=tmp_path / "cache")
        for _ in range(2):
            with use_models(settings, Meter()):
                dspy.Predict(EmitClaims)(question="q", options="o")
    assert len(server.requests) == 1
