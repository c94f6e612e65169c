"""What curation finds out about a question: its entities, their nodes, the paths between them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, get_args

from retrievers.alignment import UNALIGNED, Alignment
from retrievers.graph import GraphStore
from retrievers.grounding import NOTHING, Grounding
from signatures.schema import Assertion, Letter, Node, PatientContext, Record

QUESTION = "question"
"""Place of an entity that the question itself names."""
SILENT = frozenset({"absent", "family"})
"""Assertions that make no path: what the patient does not have explains nothing about an option."""

Stage = Literal["options", "entities", "grounded", "aligned", "paths"]
"""Stages of QKG A.1 in their order, each the condition of the next."""
STAGES: tuple[Stage, ...] = get_args(Stage)

DropReason = Literal[
    "no options",
    "no answer",
    "no entity",
    "not grounded",
    "not aligned",
    "no path",
    "duplicate",
    "below the cut",
]
"""Why a question is not in the evaluation set."""


class Entity(Record):
    """A medical entity that a question or an option names."""

    name: str
    """As it stands in the text."""
    place: Letter | Literal["question"]
    assertion: Assertion = "present"
    grounding: Grounding = NOTHING
    alignment: Alignment = UNALIGNED


class Path(Record):
    """An edge that joins an entity of the question to one of an option."""

    option: Letter
    triplet: str
    """Id of the triplet in the store."""
    text: str
    question_entity: str
    option_entity: str


class Curation(Record):
    """What became of one question, before the cut."""

    entities: tuple[Entity, ...] = ()
    unwritten: int = 0
    """Names by the model that do not stand in the text, dropped."""
    paths: tuple[Path, ...] = ()
    patient: PatientContext | None = None
    """Read only where there is a path."""
    stage: Stage | None = None
    """The last stage that the question passed; `None` before the first."""
    reason: DropReason | None = None
    """Why it is dropped; `None` when it has a path."""
    detail: str = ""
    """One line that says where: `options: none of 3 entities is in the graph`."""


def find_paths(graph: GraphStore, entities: Iterable[Entity]) -> tuple[Path, ...]:
    """Return every edge between a node of the question and a node of an option, each once a pair.

    What the question denies or tells of a relative joins nothing, and a node does not join itself.
    """
    used = [entity for entity in entities if entity.assertion not in SILENT]
    left = [e for e in used if e.place == QUESTION]
    right = [e for e in used if e.place != QUESTION]
    found: dict[tuple[str, str], Path] = {}
    for a, first in _nodes(left):
        for b, second in _nodes(right):
            if a.index == b.index:
                continue
            for edge in graph.between(a.index, b.index):
                triplet = graph.triplet(int(edge))
                path = Path(
                    option=second.place,
                    triplet=triplet.id,
                    text=triplet.text,
                    question_entity=first.name,
                    option_entity=second.name,
                )
                found.setdefault((triplet.id, path.option), path)
    return tuple(found.values())


def fault(entities: Sequence[Entity], *, stage: Stage) -> str | None:
    """Say on which side of the question a stage fails; `None` when it does not.

    Args:
        entities: All entities of a question.
        stage: `entities`, `grounded` or `aligned`.

    >>> fault([], stage="entities")
    'question: names no entity; options: name no entity'
    """
    faults = []
    for side, verb in ((QUESTION, "names"), ("options", "name")):
        own = [e for e in entities if (e.place == QUESTION) == (side == QUESTION)]
        used = [e for e in own if e.assertion not in SILENT]
        passed = [e for e in used if _passes(e, stage)]
        if passed:
            continue
        if own and not used:
            faults.append(f"{side}: all {len(own)} entities are denied or a relative's")
        elif not used:
            faults.append(f"{side}: {verb} no entity")
        else:
            names = ", ".join(dict.fromkeys(e.name for e in used))
            what = "has a meaning here" if stage == "grounded" else "is in the graph"
            faults.append(f"{side}: none of {len(used)} entities {what} ({names:.120})")
    return "; ".join(faults) or None


def _passes(entity: Entity, stage: Stage) -> bool:
    if stage == "entities":
        return True
    return entity.grounding.found if stage == "grounded" else bool(entity.alignment.nodes)


def _nodes(entities: Sequence[Entity]) -> list[tuple[Node, Entity]]:
    """Return every node with the first entity of each place that stands for it."""
    found: dict[tuple[int, str], tuple[Node, Entity]] = {}
    for entity in entities:
        for node in entity.alignment.nodes:
            found.setdefault((node.index, entity.place), (node, entity))
    return list(found.values())
