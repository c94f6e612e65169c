"""The packaged sample, opened once: real graph, real linker, real encoder."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from data.paths import sample_dir
from data.questions import read_questions
from programs.toolbox import Toolbox
from retrievers.build import build_store
from retrievers.embedding import SentenceEncoder
from retrievers.evidence import EvidenceFinder
from retrievers.graph import GraphStore
from retrievers.linking import GraphLinker
from retrievers.region import RegionBuilder
from signatures.schema import Question


@pytest.fixture(scope="session")
def tools(tmp_path_factory: pytest.TempPathFactory, encoder: SentenceEncoder) -> Toolbox:
    store = tmp_path_factory.mktemp("sample") / "store"
    build_store(sample_dir() / "kg.csv", store, constraints=sample_dir() / "constraints.jsonl")
    graph = GraphStore.open(store)
    linker = GraphLinker(graph)
    return Toolbox(
        graph, linker, RegionBuilder(graph, linker, encoder), EvidenceFinder(graph, linker)
    )


@pytest.fixture(scope="session")
def sample() -> Mapping[str, Question]:
    return {q.id: q for q in read_questions(sample_dir() / "questions.jsonl")}
