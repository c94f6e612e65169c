"""Whether a new graph store may take the place of the one that its folder holds.

A store that is built or cut again from the same input may be replaced: nothing is lost. Any other
one may hold what the new input lacks, its ConstraintItems above all, so the user must ask for it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from data.wording import counted
from retrievers.manifest import MANIFEST
from retrievers.store_files import file_sha256
from signatures.errors import InputError
from signatures.schema import Node


def check_rebuild(
    out: Path, *, csv: Path, constraints: Path | None, aliases: Sequence[Path]
) -> None:
    """Refuse a build that would replace a store made from other input.

    A file that cannot be read is left to the build, which says so and replaces nothing.

    Raises:
        InputError: `out` holds a store of another graph file, constraint file or alias files, or
            one that was cut from another store.
    """
    there = _stored(out)
    if there is None or not all(p.is_file() for p in (csv, *aliases, *_given(constraints))):
        return
    changes = _build_changes(there, csv=csv, constraints=constraints, aliases=aliases)
    _refuse(out, there, changes)


def check_recut(out: Path, *, cut_from: str, center: Node) -> None:
    """Refuse a subgraph that would replace anything but an earlier cut around the same node.

    Args:
        out: Folder of the new store.
        cut_from: Fingerprint of the whole store.
        center: The node in the middle.

    Raises:
        InputError: `out` holds a store that is not that cut.
    """
    there = _stored(out)
    if there is None:
        return
    same = str(there.get("center")).split(":")[-1] == center.id.split(":")[-1]
    if there.get("cut_from") == cut_from and same:
        return
    _refuse(out, there, [_cut(there, same=same)])


def _stored(out: Path) -> Mapping[str, Any] | None:
    """Return what the manifest at `out` says, of any version; `None`: nothing to lose."""
    try:
        fields = json.loads((out / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return fields if isinstance(fields, dict) else None


def _cut(there: Mapping[str, Any], *, same: bool) -> str:
    if not there.get("cut_from"):
        return "is no cut of this graph"
    return "was cut from another store" if same else f"was cut around {there.get('center')}"


def _given(file: Path | None) -> tuple[Path, ...]:
    return () if file is None else (file,)


def _build_changes(
    there: Mapping[str, Any], *, csv: Path, constraints: Path | None, aliases: Sequence[Path]
) -> list[str]:
    changes = []
    if there.get("cut_from"):
        changes.append(f"was cut from another store around {there.get('center')}")
    elif there.get("source_sha256") != file_sha256(csv):
        changes.append(f"was built from another {there.get('source', 'file')}")
    before = there.get("constraints_sha256")
    if before != (file_sha256(constraints) if constraints else None):
        changes.append(_differing("constraints", before=bool(before), now=constraints is not None))
    stored = there.get("alias_files")
    names = sorted(stored.values()) if isinstance(stored, dict) else []
    if names != sorted({file_sha256(path) for path in aliases}):
        changes.append(_differing("aliases", before=bool(names), now=bool(aliases)))
    return changes


def _differing(what: str, *, before: bool, now: bool) -> str:
    if before and now:
        return f"has other {what}"
    return f"has {what}, this build none" if before else f"has no {what}, this build some"


def _refuse(out: Path, there: Mapping[str, Any], changes: Iterable[str]) -> None:
    if not (said := ", ".join(changes)):
        return
    report = there.get("report")
    items = report.get("constraint_items", 0) if isinstance(report, dict) else 0
    raise InputError(
        f"{out} holds a store of {counted(there.get('node_count', 0), 'node')}, "
        f"{counted(there.get('edge_count', 0), 'edge')} and "
        f"{counted(items, 'ConstraintItem')} that {said}; "
        "name another folder, or pass --replace"
    )
