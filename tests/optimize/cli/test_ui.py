"""`qkgram ui`: on this machine only, one worker, and clear text when there is nothing to show."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from optimize.cli.ui import check_port, check_store, server_command, server_environment, ui_command
from signatures.errors import InputError, MissingError


def test_without_a_store_the_command_says_how_to_make_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    with pytest.raises(MissingError, match=r"mlflow\.db yet; .*qkgram compile --experiment NAME"):
        ui_command(tracking=None, port=5000)
    assert list(tmp_path.iterdir()) == []


def test_a_server_has_its_own_pages() -> None:
    with pytest.raises(InputError, match="open it in the browser"):
        check_store("https://tracking.example.org")


def test_a_folder_of_files_is_refused() -> None:
    with pytest.raises(InputError, match="mlflow migrate-filestore"):
        ui_command(tracking="./mlruns", port=5000)


def test_a_taken_port_is_named() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(InputError, match=f"port {port} must be free"):
            check_port(port)
    check_port(port)


def test_the_server_is_small_and_seen_from_this_machine_only() -> None:
    command = server_command("sqlite:////data/mlflow.db", port=5001)
    flags = dict(zip(command[4::2], command[5::2], strict=True))
    assert flags == {
        "--backend-store-uri": "sqlite:////data/mlflow.db",
        "--host": "127.0.0.1",
        "--port": "5001",
        "--workers": "1",
    }
    environment = server_environment({"PATH": "/bin", "MLFLOW_DISABLE_TELEMETRY": "false"})
    assert environment == {
        "PATH": "/bin",
        "MLFLOW_DISABLE_TELEMETRY": "true",
        "MLFLOW_SERVER_ENABLE_JOB_EXECUTION": "false",
    }
