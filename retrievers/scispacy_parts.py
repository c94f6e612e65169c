"""The spaCy pipeline and the UMLS files of scispaCy, where they are on this machine."""

from __future__ import annotations

from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from signatures.errors import ModelNotFound

if TYPE_CHECKING:
    from scispacy.candidate_generation import CandidateGenerator
    from spacy.language import Language
    from spacy.tokens import Doc, Span

MODEL = "en_core_sci_sm"
AUTO = "auto"
"""Use `MODEL` when it is installed, else English without a model."""

PHRASE_WORDS = 6
"""Longest phrase, in words, that is looked up without a model."""

LONG_WORD = 4
"""A phrase of one word needs more letters than this."""

NEVER = "\x00"
"""A token that no text has."""

SENTENCE_ENDS = [".", "!", "?", ";"]


def open_pipeline(model: str = AUTO) -> Language:
    """Return a spaCy pipeline with scispaCy's AbbreviationDetector.

    Args:
        model: name of an installed spaCy model, or `auto`.

    Raises:
        ModelNotFound: the model is not installed.
    """
    import spacy
    from scispacy.abbreviation import AbbreviationDetector  # noqa: F401  (registers itself)

    name = model
    if model == AUTO:
        name = MODEL if find_spec(MODEL) else ""
    elif not find_spec(model):
        raise ModelNotFound(
            f"linking.scispacy_model: wanted the spaCy model {model!r}, which is not installed; "
            f"install it from scispaCy's releases, or set it to {AUTO!r} to do without"
        )
    pipeline = spacy.load(name) if name else spacy.blank("en")
    if not name:
        pipeline.add_pipe("sentencizer", config={"punct_chars": SENTENCE_ENDS})
    detector: Any = pipeline.add_pipe("abbreviation_detector")
    # A matcher without a pattern warns at every text that defines no abbreviation.
    detector.global_matcher.add(NEVER, [[{"ORTH": NEVER}]])
    return pipeline


def phrases_of(doc: Doc) -> list[Span]:
    """Return the runs of content words of a text, as phrases without a model.

    A run ends at a stop word other than "of", at punctuation and at a number's end.
    """
    found: list[Span] = []
    first: int | None = None
    for token in [*doc, None]:
        content = token is not None and (_is_content(token.text) and not token.is_stop)
        if content and first is None and token is not None:
            first = token.i
        elif not content and first is not None:
            last = len(doc) if token is None else token.i
            found += [doc[first:last]]
            first = None
    return [span for span in found if _is_phrase(span)]


def open_umls() -> CandidateGenerator:
    """Return scispaCy's generator over UMLS from the files in its cache; downloads nothing.

    Raises:
        ModelNotFound: a file is not in the cache; the message holds the command that fetches it.
    """
    from scispacy.candidate_generation import CandidateGenerator, LinkerPaths, UmlsLinkerPaths
    from scispacy.file_cache import DATASET_CACHE
    from scispacy.linking_utils import DEFAULT_UMLS_PATH, KnowledgeBase

    wanted = [*UmlsLinkerPaths, DEFAULT_UMLS_PATH]
    files = [_cached(Path(DATASET_CACHE), url) for url in wanted]
    there = [str(file) for file in files if file is not None]
    if len(there) < len(wanted):
        raise ModelNotFound(
            f"linking.umls: {len(wanted) - len(there)} of {len(wanted)} files of scispaCy's UMLS "
            f"are not in {DATASET_CACHE}; fetch them once: python -c 'from "
            'scispacy.candidate_generation import CandidateGenerator as C; C(name="umls")\''
        )
    # scispaCy's own reader asks the network for each file, even for one that it has.
    names, vectorizer, index = LinkerPaths(*there[:-1]).load()
    return CandidateGenerator(index, vectorizer, names, KnowledgeBase(there[-1]))


def _is_content(word: str) -> bool:
    return any(ch.isalpha() for ch in word)


def _is_phrase(span: Span) -> bool:
    return len(span) <= PHRASE_WORDS and (len(span) > 1 or len(span.text) > LONG_WORD)


def _cached(folder: Path, url: str) -> Path | None:
    """Return the file that scispaCy keeps for an address: named by its hash, tag and end."""
    start = sha256(url.encode("utf-8")).hexdigest()
    kept = sorted(folder.glob(f"{start}*")) if folder.is_dir() else []
    return next((file for file in kept if file.suffix != ".json"), None)
