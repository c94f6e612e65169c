"""Which rows of a graph file name the same node.

Two spellings are one node when type, vocabulary and id agree. Indexes decide nothing: some files
give one index to two nodes, and those stay apart. A node with several names keeps the most frequent
one as its label and the others as aliases.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from data.curies import clean_id, members, parse_curie, vocabulary
from retrievers.build_rows import GraphRows, Spelling
from signatures.errors import GraphFileError

_INDEX = re.compile(r"(\d{1,18})(?:\.0+)?")
# A spreadsheet reads SEPT3 and MARCH1 as days: 3-Sep, 1-Mar, 2023-09-03.
_MONTH = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_DATE = re.compile(
    rf"(?:\d{{1,2}}-(?:{_MONTH})|(?:{_MONTH})-\d{{1,2}}|\d{{4}}-\d\d?-\d\d?|\d\d?/\d\d?/\d{{2,4}})",
    re.IGNORECASE,
)
_EXAMPLES = 3

GRAPH_FILE = "graph file"
"""Source of an alias that the graph file itself gives."""

Key = tuple[str, str, str]
"""Type, vocabulary and lookup key of the id."""


class GraphNode(NamedTuple):
    """A node as it will be stored."""

    file_index: int
    """Smallest index that the file gives it."""
    type: str
    id: str
    name: str
    source: str
    aliases: tuple[str, ...]
    alias_sources: tuple[str, ...]
    """Where each alias comes from: `GRAPH_FILE` or the name of an alias file."""


class Nodes(NamedTuple):
    """The nodes of a graph file in store order, by (file_index, type, id)."""

    nodes: tuple[GraphNode, ...]
    of_spelling: npt.NDArray[np.int32]
    """Store index of each spelling's node."""
    index_collisions: int
    split_nodes: int
    warnings: tuple[str, ...]


class IdKey(NamedTuple):
    """A lookup key of a node."""

    key: str
    member: bool
    """True when the key is one member of a grouped id."""
    node: int


class Refusal(NamedTuple):
    """Why the build refuses a node: a kind for scripts and one line."""

    kind: str
    detail: str


class _Mention(NamedTuple):
    code: int
    times: int
    file_index: int
    spelling: Spelling


def gather_nodes(rows: GraphRows, path: Path) -> Nodes:
    """Group the spellings of a graph file into nodes.

    Raises:
        GraphFileError: a node has no number as its index, no type, or neither id nor name; the
            message names the first such row.
    """
    counts = rows.counts.tolist()
    mentions = [_mention(rows, code, count, path) for code, count in enumerate(counts)]
    groups = _groups(mentions)
    drafts = sorted(
        ((_node(group), [m.code for m in group]) for group in groups),
        key=lambda draft: draft[0][:3],
    )
    of_spelling = np.empty(len(mentions), dtype=np.int32)
    for number, (_, codes) in enumerate(drafts):
        of_spelling[codes] = number
    nodes = tuple(node for node, _ in drafts)
    sharing = _sharing(mentions, of_spelling)
    split = sum(len({m.file_index for m in group}) > 1 for group in groups)
    notes = _warnings(nodes, sharing, split)
    return Nodes(nodes, of_spelling, len(sharing), split, notes)


def _mention(rows: GraphRows, code: int, count: int, path: Path) -> _Mention:
    raw = rows.spelling(code)
    if refused := refusal(raw):
        where = f"{path}, row {rows.spellings.first_rows[code]}"
        raise GraphFileError(f"{where}: {refused.detail}")
    spelling = _trimmed(raw)
    number = _INDEX.fullmatch(spelling.file_index)
    return _Mention(code, count, int(number.group(1)) if number else 0, spelling)


def refusal(raw: Spelling) -> Refusal | None:
    """Say why the build refuses a node as a file writes it; `None` when it takes it.

    >>> refusal(Spelling("7", "DB00331", "drug", "DrugBank", "Metformin")) is None
    True
    >>> refusal(Spelling("7", "DB00331", " ", "DrugBank", "Metformin"))
    Refusal(kind='type', detail="the node 'Metformin' has no type")
    """
    spelling = _trimmed(raw)
    if _INDEX.fullmatch(spelling.file_index) is None:
        return Refusal("index", f"an index must be a whole number, got {raw.file_index!r}")
    if not spelling.type:
        return Refusal("type", f"the node {raw.name!r} has no type")
    if not spelling.id and not spelling.name.strip():
        text = f"the node with index {raw.file_index} has neither id nor name"
        return Refusal("unnamed", text)
    return None


def _trimmed(raw: Spelling) -> Spelling:
    return Spelling(
        raw.file_index.strip(), clean_id(raw.id), raw.type.strip(), raw.source.strip(), raw.name
    )


def _groups(mentions: list[_Mention]) -> list[list[_Mention]]:
    """Group by key; a mention without id joins the one node of its index and type, if any."""
    groups: dict[Key, list[_Mention]] = defaultdict(list)
    keys_of_index: dict[tuple[int, str], set[Key]] = defaultdict(set)
    blank: list[_Mention] = []
    for mention in mentions:
        spelling = mention.spelling
        if not spelling.id:
            blank.append(mention)
            continue
        prefix, local = parse_curie(spelling.id)
        key = (spelling.type, prefix or vocabulary(spelling.source), local)
        groups[key].append(mention)
        keys_of_index[mention.file_index, spelling.type].add(key)
    for mention in blank:
        known = keys_of_index[mention.file_index, mention.spelling.type]
        own = (mention.spelling.type, "", f"index {mention.file_index}")
        groups[next(iter(known)) if len(known) == 1 else own].append(mention)
    return list(groups.values())


def _node(group: list[_Mention]) -> GraphNode:
    names = _by_frequency(group, "name")
    node_id = next(iter(_by_frequency(group, "id")), "")
    return GraphNode(
        file_index=min(m.file_index for m in group),
        type=group[0].spelling.type,
        id=node_id,
        name=names[0] if names else node_id,
        source=next(iter(_by_frequency(group, "source")), "") or parse_curie(node_id).prefix,
        aliases=tuple(names[1:]),
        alias_sources=(GRAPH_FILE,) * (len(names) - 1),
    )


def _by_frequency(group: list[_Mention], field: str) -> list[str]:
    """Distinct cells that are not blank, the most frequent first, then as they appear."""
    if len(group) == 1:  # nearly all nodes have one spelling
        text = getattr(group[0].spelling, field)
        return [text] if text.strip() else []
    tally: Counter[str] = Counter()
    for mention in group:
        text = getattr(mention.spelling, field)
        if text.strip():
            tally[text] += mention.times
    return [text for text, _ in tally.most_common()]


def _sharing(mentions: list[_Mention], of_spelling: npt.NDArray[np.int32]) -> dict[int, list[int]]:
    """Indexes of the file that several nodes share, with those nodes."""
    holders: dict[int, set[int]] = defaultdict(set)
    for mention in mentions:
        holders[mention.file_index].add(int(of_spelling[mention.code]))
    return {index: sorted(nodes) for index, nodes in sorted(holders.items()) if len(nodes) > 1}


def _warnings(
    nodes: tuple[GraphNode, ...], sharing: dict[int, list[int]], split: int
) -> tuple[str, ...]:
    renamed = [f"{node.name!r} = {node.aliases[0]!r}" for node in nodes if node.aliases]
    shared = [
        f"{index}: " + ", ".join(f"{nodes[n].name!r} ({nodes[n].type})" for n in numbers)
        for index, numbers in sharing.items()
    ]
    dates = [repr(node.name) for node in nodes if looks_like_a_date(node)]
    findings = {
        "nodes with several names, the rarer ones became aliases": renamed,
        "indexes shared by several nodes, which were kept apart": shared,
        "gene names that look like a date, probably SEPT/MARCH genes": dates,
    }
    notes = [
        f"{text}: {len(examples)}, such as {'; '.join(examples[:_EXAMPLES])}"
        for text, examples in findings.items()
        if examples
    ]
    if split:
        notes.append(f"nodes under several indexes of the file, which were merged: {split}")
    return tuple(notes)


def looks_like_a_date(node: GraphNode) -> bool:
    """Say whether a gene's name is a day, as a spreadsheet makes of SEPT3 or MARCH1."""
    return node.type == "gene/protein" and _DATE.fullmatch(node.name.strip()) is not None


def id_keys(nodes: Sequence[GraphNode]) -> list[IdKey]:
    """Return every identifier's lookup key, sorted; a whole id comes before a group's member."""
    locals_ = [parse_curie(node.id).local for node in nodes]
    entries = [
        IdKey(local, False, number) for number, local in enumerate(locals_) if nodes[number].id
    ]
    entries += [
        IdKey(key, True, number) for number, local in enumerate(locals_) for key in members(local)
    ]
    return sorted(entries)
