"""Open what curation needs, from the settings alone: graph, linker, vocabulary, vectors, models."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import NamedTuple

from pydantic import JsonValue

from data.paths import cache_home
from optimize.curated_set import CurationSummary
from optimize.curating import curate_questions
from optimize.identity import prompts_digest, qkgram_version
from optimize.language_models import model_id, sampling, use_models
from optimize.meter import Meter
from optimize.progress import Progress
from optimize.settings import Settings
from optimize.toolbox import open_graph
from programs.curate import Curate
from retrievers.alignment import MAX_STEPS, Aligner
from retrievers.embedding import SentenceEncoder
from retrievers.grounding import MIN_SCORE, EmbeddedNames, Grounder
from retrievers.linking import GraphLinker
from retrievers.terminology import Sources, Terminology, open_terminology
from signatures.schema import Question


class CurationOptions(NamedTuple):
    """How questions are curated."""

    ask: bool = True
    """Let the annotator's model name the entities; without, the graph's names are found."""
    sources: Sources = Sources()
    neighbours: bool = True
    """Ground by the nearest embedded name where no name is equal."""
    min_score: float = MIN_SCORE
    max_steps: int = MAX_STEPS


def open_curate(
    settings: Settings,
    options: CurationOptions = CurationOptions(),
    *,
    embedding: Callable[[int, int], None] | None = None,
) -> Curate:
    """Build the program; the vocabulary's tables and vectors are made on first use and kept.

    Args:
        settings: Graph and linking.
        options: How questions are curated.
        embedding: Told how many of the vocabulary's names are embedded, and of how many.

    Raises:
        StoreNotFound: There is no graph.
        InputError: A file of the vocabulary cannot be read.
        ModelNotFound: The sentence encoder is absent and needed.
    """
    graph = open_graph(settings.graph)
    linker = GraphLinker(graph, settings=settings.linking)
    linker.link_name("fever")  # builds the dictionary, which a forecast must not count
    terms = open_terminology(options.sources, cache_home() / "vocabularies")
    near = _neighbours(terms, embedding) if options.neighbours else None
    grounder = Grounder(linker, terms=terms, neighbours=near, min_score=options.min_score)
    aligner = Aligner(graph, terms=terms, max_steps=options.max_steps)
    return Curate(graph, linker, grounder, aligner, ask=options.ask)


def curate_file(
    program: Curate,
    questions: Sequence[Question],
    out: Path,
    *,
    settings: Settings,
    options: CurationOptions = CurationOptions(),
    top: int | None = None,
    threads: int = 1,
    progress: Progress | None = None,
    abandon: Callable[[], None] | None = None,
) -> CurationSummary:
    """Curate questions into the folder `out`; the same folder resumes.

    Raises:
        InputError: Another process curates into the folder.
        ModelNotFound: A model is asked and its file is absent.
        RunNotWritten: The disk is full; rows so far are kept.
    """
    meter, own = Meter(settings.budget), _annotator_alone(settings)
    with use_models(own, meter) if options.ask else nullcontext():
        return curate_questions(
            program,
            questions,
            out,
            setup=_setup(program, own, options),
            meter=meter,
            top=top,
            threads=threads,
            progress=progress,
            abandon=abandon,
        )


def _neighbours(
    terms: Terminology | None, embedding: Callable[[int, int], None] | None
) -> EmbeddedNames | None:
    if terms is None or not terms.names.rows:
        return None
    names = EmbeddedNames(terms, SentenceEncoder())
    names.fill(embedding)
    return names


def _annotator_alone(settings: Settings) -> Settings:
    """Return the settings with the annotator in every role: no other model need be there."""
    return settings.model_copy(update={"model": settings.spec("annotator"), "roles": {}})


def _setup(program: Curate, settings: Settings, options: CurationOptions) -> dict[str, JsonValue]:
    """Return everything but the question that changes a result."""
    spec, near = settings.spec("annotator"), program.grounder.neighbours
    return {
        "model": model_id(spec) if options.ask else None,
        "sampling": sampling(spec) if options.ask else None,
        "prompts": prompts_digest(program) if options.ask else None,
        "graph": program.graph.fingerprint,
        "linking": settings.linking.model_dump(mode="json"),
        "vocabulary": options.sources.digest() if options.sources.files else None,
        "neighbours": near.embedder.id if isinstance(near, EmbeddedNames) else None,
        "min_score": options.min_score,
        "max_steps": options.max_steps,
        "version": qkgram_version(),
    }
