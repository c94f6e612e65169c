from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from optimize.environment import quiet_environment


def test_what_the_user_set_stays(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(os, "environ", {"QKGRAM_HOME": str(tmp_path), "OMP_WAIT_POLICY": "active"})
    quiet_environment()
    assert os.environ["OMP_WAIT_POLICY"] == "active"
    assert os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] == "True"
    assert os.environ["DSPY_CACHEDIR"] == str(tmp_path / "dspy")


def test_imports_and_constructors_are_light_and_silent(tmp_path: Path) -> None:
    """No network library is used, no heavy one is imported, nothing is written."""
    code = (
        "import sys, socket\n"
        "socket.socket.connect = lambda *a: sys.exit('network')\n"
        "from optimize.environment import quiet_environment\n"
        "quiet_environment()\n"
        "from optimize.language_models import build_lm\n"
        "from optimize.meter import Meter\n"
        "from optimize.model_spec import ModelSpec\n"
        "build_lm(ModelSpec(model='openai/gpt-4o'), role='r', meter=Meter())\n"
        "heavy = {'torch', 'litellm', 'mlflow', 'xllamacpp', 'spacy', 'sentence_transformers'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
    )
    environment = {**os.environ, "QKGRAM_HOME": str(tmp_path / "home"), "HOME": str(tmp_path)}
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, cwd=root
    )
    assert (done.stdout.strip(), done.stderr, done.returncode) == ("[]", "", 0)
    assert list(tmp_path.iterdir()) == []
