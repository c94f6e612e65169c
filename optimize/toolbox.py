"""Open what the programs share, from the settings: graph, linker, encoder, regions, evidence."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import dspy

from data.paths import cache_home, sample_dir
from optimize.artefacts import load_program
from optimize.settings import Settings
from programs.justify import justify
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
from signatures.schema import Question


class OpenProgram(NamedTuple):
    """A program ready to run, and the fingerprint of its graph (`None` without one)."""

    module: dspy.Module
    graph: str | None
    tools: Toolbox | None = None
    options: ProgramSettings = ProgramSettings()

    @property
    def asks(self) -> bool:
        """False when no step of the program asks a language model."""
        return bool(self.module.predictors())

    def answer(self, *, question: Question) -> dspy.Prediction:
        """Answer like the module, and hold the answer against its evidence: `programs.justify`."""
        prediction = self.module(question=question)
        return justify(question, prediction, tools=self.tools, settings=self.options)


def open_program(
    name: str,
    settings: Settings,
    *,
    compiled: Path | None = None,
    tools: Toolbox | None = None,
) -> OpenProgram:
    """Build a program over the graph of the settings, with a compiled state if one is given.

    `tools` that are open already, of the same graph and linking, are used again; their regions are
    selected as these settings say.

    Raises:
        InputError: The program is unknown.
        StoreNotFound: There is no store; the message holds the build command.
        ProgramStateError: The compiled state is not this program's.
    """
    if not program_spec(name).needs_graph:
        tools = None
    else:
        tools = open_toolbox(settings) if tools is None else with_regions(tools, settings)
    module = build_program(name, tools=tools, settings=settings.program)
    if compiled is not None:
        load_program(module, compiled, name=name)
    graph = None if tools is None else tools.graph.fingerprint
    return OpenProgram(module, graph, with_shuffle(tools, settings), settings.program)


def with_shuffle(tools: Toolbox | None, settings: Settings) -> Toolbox | None:
    """Return the tools whose evidence is the control's, when the settings shuffle it."""
    seed = settings.program.shuffle
    if tools is None or seed is None:
        return tools
    return tools._replace(evidence=tools.evidence.shuffled(seed))


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


def with_regions(tools: Toolbox, settings: Settings) -> Toolbox:
    """Return open tools whose regions are selected by other settings; nothing is opened again."""
    old = tools.regions
    if old.settings == settings.region:
        return tools
    made = RegionBuilder(old.graph, old.linker, old.embedder, settings.region, vectors=old.vectors)
    return tools._replace(regions=made)


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
