"""An MLflow store that is made once a session: creating its tables takes ten seconds."""

from __future__ import annotations

import shutil
import warnings
from pathlib import Path


def template_store(folder: Path) -> Path:
    """Make an empty store in `folder` and return its file."""
    from optimize.mlflow_client import quiet_mlflow

    quiet_mlflow()
    from mlflow import MlflowClient

    database = folder / "mlflow.db"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        MlflowClient(tracking_uri=f"sqlite:///{database}").search_experiments()
    return database


def copy_store(template: Path, folder: Path) -> str:
    """Copy the empty store into `folder` and return its address."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(template, folder / "mlflow.db")
    return f"sqlite:///{folder / 'mlflow.db'}"
