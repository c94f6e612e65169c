"""Room on the disk, folders that can be written, Python, packages, extras and MLflow."""

from __future__ import annotations

import os
import shutil
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, metadata, requires, version
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from data.paths import cache_home
from optimize.doctor_check import Check, ok, refused, standing, warn, wrong
from optimize.settings import Settings
from optimize.store_uri import sqlite_file, tracking_uri
from retrievers.scispacy_parts import AUTO, MODEL
from signatures.errors import InputError

LOW, EMPTY = 2_000_000_000, 200_000_000
"""Bytes: the larger catalogue model is 1.1 GB; a run of a thousand questions writes some 100 MB."""

SECONDS = 5.0
"""How long a tracking server may take to answer."""


class Bounds(NamedTuple):
    """What `pyproject.toml` asks for."""

    python: SpecifierSet
    packages: tuple[Requirement, ...]
    extras: Mapping[str, tuple[Requirement, ...]]
    """Optional packages, by the name of their extra."""


def machine_checks(
    settings: Settings, *, runs: Path, tracking: str | None, ask: bool
) -> Iterator[Check]:
    """Check what lies outside of qkgram.

    Args:
        settings: Name the cache of answers and the linker.
        runs: Folder below which runs are written.
        tracking: MLflow's address; `None` reads MLFLOW_TRACKING_URI.
        ask: Ask a tracking server for its health.
    """
    folders = {"models and caches": cache_home(), "answers": settings.response_cache, "runs": runs}
    for about, folder in folders.items():
        yield _writable(about, folder)
    yield from _disk({cache_home(), runs})
    bounds = read_bounds()
    yield _python(bounds.python)
    yield from _packages(bounds.packages)
    yield from _extras(bounds.extras, settings)
    yield from mlflow_checks(tracking or os.environ.get("MLFLOW_TRACKING_URI"), ask=ask)


def _writable(about: str, folder: Path) -> Check:
    place = standing(folder)
    if not place.is_dir():
        return wrong(f"folder of {about}", f"{place} is a file", "move it, or name another folder")
    if not os.access(place, os.W_OK | os.X_OK):
        advice = "give yourself the right, or set QKGRAM_HOME to a folder of your own"
        return wrong(f"folder of {about}", f"{place} cannot be written", advice)
    made = "" if place == folder.expanduser().absolute() else ", made on first use"
    return ok(f"folder of {about}", f"{folder} can be written{made}")


def _disk(folders: set[Path]) -> Iterator[Check]:
    """Yield one line per file system."""
    by_device = {standing(folder).stat().st_dev: folder for folder in sorted(folders)}
    for folder in by_device.values():
        free = shutil.disk_usage(standing(folder)).free
        found = f"{free / 1e9:,.1f} GB free at {folder}"
        advice = "make room, or set QKGRAM_HOME to a folder on another disk"
        if free < EMPTY:
            yield wrong("disk", found, advice)
        else:
            yield warn("disk", found, advice) if free < LOW else ok("disk", found)


def read_bounds(pyproject: Path | None = None) -> Bounds:
    """Read the bounds from the `pyproject.toml` of a checkout, else from the installed metadata.

    Args:
        pyproject: The file; by default the one beside the packages.
    """
    file = pyproject or Path(__file__).parent.parent / "pyproject.toml"
    if file.is_file():
        project = tomllib.loads(file.read_text(encoding="utf-8"))["project"]
        extras = project.get("optional-dependencies", {})
        return Bounds(
            SpecifierSet(project["requires-python"]),
            _parsed(project["dependencies"]),
            {name: _parsed(lines) for name, lines in extras.items() if name != "dev"},
        )
    return _installed_bounds()


def _installed_bounds() -> Bounds:
    try:
        every = _parsed(requires("qkgram") or ())
        python = SpecifierSet(metadata("qkgram").json.get("requires_python", ""))
    except PackageNotFoundError:
        return Bounds(SpecifierSet(""), (), {})
    optional = tuple(r for r in every if r.marker and 'extra == "reviewer"' in str(r.marker))
    return Bounds(python, tuple(r for r in every if not r.marker), {"reviewer": optional})


def _parsed(lines: Sequence[str]) -> tuple[Requirement, ...]:
    return tuple(Requirement(line) for line in lines)


def _python(wanted: SpecifierSet) -> Check:
    here = ".".join(map(str, sys.version_info[:3]))
    if here in wanted:
        return ok("Python", f"{here}, wanted {wanted}")
    return wrong("Python", f"{here}, wanted {wanted}", "make an environment with such a Python")


def _packages(wanted: Sequence[Requirement]) -> Iterator[Check]:
    misfits = [check for requirement in wanted if (check := misfit(requirement))]
    yield from misfits
    fitting = len(wanted) - len(misfits)
    yield ok("packages", f"{fitting} of {len(wanted)} are installed within their bounds")


def misfit(requirement: Requirement) -> Check | None:
    """Say that a package is absent or outside its bounds; `None` when it fits."""
    name = requirement.name
    try:
        here = version(name)
    except PackageNotFoundError:
        return wrong(f"package {name}", "not installed", f'pip install "{requirement}"')
    if requirement.specifier.contains(here, prereleases=True):
        return None
    found = f"{here}, wanted {requirement.specifier}"
    return wrong(f"package {name}", found, f'pip install "{requirement}"')


def _extras(extras: Mapping[str, tuple[Requirement, ...]], settings: Settings) -> Iterator[Check]:
    for extra, wanted in extras.items():
        for requirement in wanted:
            about = f"extra {extra}"
            if find_spec(requirement.name.replace("-", "_")) is None:
                found = f"{requirement.name} is not installed; only training the reviewer needs it"
                yield ok(about, found, f"pip install 'qkgram[{extra}]'")
            else:
                yield misfit(requirement) or ok(
                    about, f"{requirement.name} {version(requirement.name)}"
                )
    yield _spacy_model(settings)


def _spacy_model(settings: Settings) -> Check:
    about, linking = "scispaCy model", settings.linking
    name = MODEL if linking.scispacy_model == AUTO else linking.scispacy_model
    if find_spec(name) is not None:
        return ok(about, f"{name} is installed")
    if linking.rule == "scispacy" and linking.scispacy_model != AUTO:
        advice = "install it from scispaCy's releases, or set linking.scispacy_model to 'auto'"
        return wrong(about, f"{name} is not installed", advice)
    return ok(
        about, f"{name} is not installed; only linking.rule=scispacy uses it, and does without"
    )


def mlflow_checks(address: str | None, *, ask: bool) -> Iterator[Check]:
    """Check where studies are tracked; folders of files are refused."""
    try:
        uri = tracking_uri(address)
    except InputError as error:
        yield refused("MLflow", error)
        return
    old = Path("mlruns")
    if old.is_dir() and any(old.iterdir()):
        advice = "mlflow migrate-filestore moves them to sqlite:///mlflow.db"
        yield warn("MLflow", f"old runs in {old.absolute()}, which MLflow 3 does not read", advice)
    database = sqlite_file(uri)
    if database is not None:
        yield _database(database)
    elif uri.startswith(("http://", "https://")):
        yield _server(uri) if ask else ok("MLflow", "tracking server not asked; --ask does")
    else:
        yield ok("MLflow", f"a {uri.partition(':')[0]} address, not asked")


def _database(database: Path) -> Check:
    if database.is_file():
        return ok("MLflow", f"{database}, {database.stat().st_size / 1e6:,.1f} MB")
    place = standing(database.parent)
    if not place.is_dir() or not os.access(place, os.W_OK):
        advice = "name another with --tracking or MLFLOW_TRACKING_URI"
        return wrong("MLflow", f"{database} cannot be made", advice)
    return ok("MLflow", f"{database}, made by the first study")


def _server(uri: str) -> Check:
    """Ask a tracking server for its health; the address may hold a password and is not shown."""
    import httpx

    try:
        answer = httpx.get(f"{uri.rstrip('/')}/health", timeout=SECONDS)
    except httpx.HTTPError:
        advice = "start it, or correct MLFLOW_TRACKING_URI"
        return wrong("MLflow", "the tracking server does not answer", advice)
    if answer.is_success:
        return ok("MLflow", "the tracking server answers")
    found = f"the tracking server answers {answer.status_code}"
    return warn("MLflow", found, "check MLFLOW_TRACKING_URI and its log-in")
