"""Open what the programs share, from the settings: graph, linker, encoder, regions, evidence."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import dspy

from data.paths import cache_home, sample_dir
from optimize.artefacts import load_program
from optimize.settings import Settings
from programs.registry import ProgramSettings, build_program, program_spec
from programs.toolbox import Toolbox
from retrievers.build import build_store
from retrievers.embedding import SentenceEncoder
from retrievers.evidence import EvidenceFinder
from retrievers.graph import GraphStore
from retrievers.linking import GraphLinker
from retrievers.region import RegionBuilder
from retrievers.store_files import file_sha256
from signatures.errors import StoreMismatch, StoreNotFound


class OpenProgram(NamedTuple):
    """A program ready to run, and the fingerprint of its graph (`None` without one)."""

    module: dspy.Module
    graph: str | None


def open_program(
    name: str,
    settings: Settings,
    *,
    options: ProgramSettings = ProgramSettings(),
    compiled: Path | None = None,
) -> OpenProgram:
    """Build a program over the graph of the settings, with a compiled state if one is given.

    Raises:
        InputError: The program is unknown.
        StoreNotFound: There is no store; the message holds the build command.
        ProgramStateError: The compiled state is not this program's.
    """
    tools = open_toolbox(settings) if program_spec(name).needs_graph else None
    module = build_program(name, tools=tools, settings=options)
    if compiled is not None:
        load_program(module, compiled, name=name)
    return OpenProgram(module, None if tools is None else tools.graph.fingerprint)


def open_toolbox(settings: Settings) -> Toolbox:
    """Open the graph of the settings and the tools over it.

    Raises:
        StoreNotFound: There is no store at `settings.graph`; the message holds the build command.
        ModelNotFound: The sentence encoder is absent; the message holds the fetch command.
    """
    graph = open_graph(settings.graph)
    linker = GraphLinker(graph, settings=settings.linking)
    regions = RegionBuilder(graph, linker, SentenceEncoder(), settings.region)
    return Toolbox(graph, linker, regions, EvidenceFinder(graph, linker))


def open_graph(path: Path) -> GraphStore:
    """Open the store at `path`; the packaged sample's store is built on first use.

    Raises:
        StoreNotFound: There is no store; the message holds the build command.
    """
    if path == sample_store():
        return open_sample()
    return GraphStore.open(path)


def sample_store() -> Path:
    """Return where the packaged sample's store is kept."""
    return cache_home() / "stores" / "sample"


def open_sample() -> GraphStore:
    """Open the packaged sample; its store is built when absent or made from other files (1 s)."""
    graph, constraints = sample_dir() / "kg.csv", sample_dir() / "constraints.jsonl"
    try:
        store = GraphStore.open(sample_store())
    except (StoreNotFound, StoreMismatch):
        store = None
    if store is None or not _made_from(store, graph, constraints):
        build_store(graph, sample_store(), constraints=constraints)
        store = GraphStore.open(sample_store())
    return store


def _made_from(store: GraphStore, graph: Path, constraints: Path) -> bool:
    made = (store.manifest.source_sha256, store.manifest.constraints_sha256)
    return made == (file_sha256(graph), file_sha256(constraints))
