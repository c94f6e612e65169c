"""Secrets never leave: by name, by value, by shape."""

from __future__ import annotations

import pytest

from optimize.scrub import MASK, Scrubber, is_secret_name


@pytest.mark.parametrize(
    "name", ["api_key", "OPENAI_API_KEY", "apikey", "hf_token", "password", "client-secret", "key"]
)
def test_secret_names(name: str) -> None:
    assert is_secret_name(name)


@pytest.mark.parametrize(
    "name", ["max_tokens", "prompt_tokens", "api_key_env", "keyword", "monkey", "model"]
)
def test_names_that_only_look_alike(name: str) -> None:
    assert not is_secret_name(name)


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("key sk-test-12345678", f"key {MASK}"),
        ("Authorization: Bearer abcdefgh.1234", f"Authorization: Bearer {MASK}"),
        ("http://user:passw0rd@host:5000/x", f"http://{MASK}@host:5000/x"),
        ("hf_abcdefghijklmnopqrst", MASK),
        ("risk-based dosing, eGFR 24", "risk-based dosing, eGFR 24"),
        ("http://127.0.0.1:8080/v1", "http://127.0.0.1:8080/v1"),
    ],
)
def test_what_looks_like_a_key_is_masked(text: str, clean: str) -> None:
    assert Scrubber().text(text) == clean


def test_values_of_secret_variables_are_masked_wherever_they_stand(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SOME_API_KEY", "plain-looking-value")
    monkeypatch.setenv("OTHER_TOKEN", "none")
    scrub = Scrubber()
    assert scrub.text("x plain-looking-value y none") == f"x {MASK} y none"
    assert scrub.value({"a": ["plain-looking-value"]}) == {"a": [MASK]}
    assert scrub.holds_secret("plain-looking-value")
