"""Where files go: nothing is made before it is needed."""

from __future__ import annotations

from pathlib import Path

import pytest

from data.paths import cache_home, sample_dir


def test_cache_home_follows_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QKGRAM_HOME", str(tmp_path / "cache"))
    assert cache_home() == tmp_path / "cache"
    assert not cache_home().exists()


def test_cache_home_without_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("QKGRAM_HOME", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_home().name == "qkgram"


def test_sample_lies_in_the_package() -> None:
    assert sample_dir().parent.name == "data"
