"""An empty MLflow store, made once for all tests that write to one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.mlflow_store import template_store


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """File of an empty store: creating its tables takes ten seconds."""
    return template_store(tmp_path_factory.mktemp("template"))
