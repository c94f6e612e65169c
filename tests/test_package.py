"""The installed packages are ours, wherever Python is started."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PACKAGES = ("data", "metrics", "optimize", "programs", "retrievers", "signatures")


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_is_found_from_another_folder(tmp_path: Path, package: str) -> None:
    """ScispaCy leaves a folder named `data` among the installed packages; ours must win."""
    code = f"import {package}; print({package}.__file__)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert Path(done.stdout.strip()).name == "__init__.py"
