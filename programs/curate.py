"""Make an evaluation set: questions that the graph can say something about (QKG A.1).

entities of question and options → concepts → nodes → paths between them → the patient. A question
without a path is dropped, with the stage at which it fell and why.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import dspy

from programs.caps import Caps
from programs.curation import (
    QUESTION,
    STAGES,
    Curation,
    DropReason,
    Entity,
    Stage,
    fault,
    find_paths,
)
from programs.roles import step
from programs.wording import one_line, option_lines
from retrievers.alignment import Aligner
from retrievers.graph import GraphStore
from retrievers.grounding import Grounder, Grounding
from retrievers.linking import EntityLinker
from retrievers.normalise import normalise
from retrievers.patient import read_patient
from signatures.curation import NameEntities
from signatures.schema import Link, Question

MOST_ENTITIES = 40
"""Entities of one text by a model; more is a model that repeats itself."""
_ANOTHER_THING = re.compile(
    r"[\s-]+(?:deficienc|levels?\b|concentration|toxicit|overdos|poisoning|intoxication|antagonist|"
    r"inhibitor|agonist|antibod|receptor|resistance|allerg|withdrawal|volume)",
    re.IGNORECASE,
)
"""What makes of a name another thing: `iron deficiency` is no iron, `stroke volume` no stroke."""
_REASONS: dict[Stage, DropReason] = {
    "entities": "no entity",
    "grounded": "not grounded",
    "aligned": "not aligned",
}


class Curate(dspy.Module):
    """Find what joins a question to its options in the graph.

    Args:
        graph: The store.
        linker: Finds the graph's names in a text, and how the text asserts them.
        grounder: From names to concepts.
        aligner: From concepts to nodes.
        ask: Let a model name the entities; without, the linker does.
    """

    def __init__(
        self,
        graph: GraphStore,
        linker: EntityLinker,
        grounder: Grounder,
        aligner: Aligner,
        *,
        ask: bool = True,
        caps: Caps = Caps(),
    ) -> None:
        super().__init__()
        self.graph, self.linker = graph, linker
        self.grounder, self.aligner = grounder, aligner
        self.name_entities = (
            dspy.Predict(NameEntities, max_tokens=2 * caps.reasoning) if ask else None
        )

    def forward(self, question: Question) -> Curation:
        """Return entities, nodes, paths and patient of a question, and why it is dropped if so."""
        if dropped := _without_choice(question):
            return dropped
        grounded, unwritten = self._entities(question)
        entities = tuple(
            e.model_copy(update={"alignment": self.aligner.align(e.grounding)}) for e in grounded
        )
        paths = find_paths(self.graph, entities)
        found = Curation(entities=entities, unwritten=unwritten, paths=paths)
        return found.model_copy(update=self._verdict(question, found))

    def _entities(self, question: Question) -> tuple[tuple[Entity, ...], int]:
        """Return the entities with what they mean, and how many names of a model were dropped."""
        linked = _linked(self.linker, question)
        if self.name_entities is None:
            return (*linked, *self._whole_options(question, linked)), 0
        with step("name_entities", role="annotator"):
            said = self.name_entities(
                question=question.text, options=option_lines(question.options)
            )
        named: list[tuple[str, Iterable[str]]] = [(QUESTION, said.question_entities)]
        named += [(one.option, one.entities) for one in said.option_entities]
        written, dropped = written_entities(question, named, linked)
        return self._grounded(written), dropped

    def _whole_options(self, question: Question, linked: Sequence[Entity]) -> tuple[Entity, ...]:
        """Return the options that are a name as a whole, where the linker took only a part."""
        whole = {(e.place, normalise(e.name)) for e in linked}
        left = [
            Entity.model_validate({"name": one_line(text), "place": letter})
            for letter, text in question.options.items()
            if (letter, normalise(text)) not in whole
        ]
        return tuple(entity for entity in self._grounded(left) if entity.grounding.found)

    def _grounded(self, entities: Sequence[Entity]) -> tuple[Entity, ...]:
        meant = self.grounder.ground([entity.name for entity in entities])
        return tuple(
            e.model_copy(update={"grounding": grounding})
            for e, grounding in zip(entities, meant, strict=True)
        )

    def _verdict(self, question: Question, found: Curation) -> dict[str, object]:
        if found.paths:
            patient = read_patient(question.text, linker=self.linker)
            return {"stage": "paths", "patient": patient}
        for before, stage in zip(STAGES, STAGES[1:-1], strict=False):
            if detail := fault(found.entities, stage=stage):
                if stage == "entities" and self.name_entities is None:
                    detail += " (looked for by the graph's names alone)"
                return {"stage": before, "reason": _REASONS[stage], "detail": detail}
        return {"stage": "aligned", "reason": "no path", "detail": _unjoined(found.entities)}


def written_entities(
    question: Question, named: Iterable[tuple[str, Iterable[str]]], linked: Sequence[Entity]
) -> tuple[tuple[Entity, ...], int]:
    """Keep a model's names that stand in their text, with the assertion that rules read there.

    Returns:
        The entities, each once a place, and how many names were dropped.

    >>> q = Question(id="q", source="s", text="Fever and cough.", options={"A": "Amoxicillin"})
    >>> kept, dropped = written_entities(
    ...     q, [("question", ["Cough", "sepsis"]), ("A", ["amoxicillin"]), ("B", ["x"])], [])
    >>> [(e.place, e.name) for e in kept], dropped
    ([('question', 'Cough'), ('A', 'amoxicillin')], 2)
    """
    texts = {QUESTION: question.text, **question.options}
    asserted = {(e.place, normalise(e.name)): e.assertion for e in linked}
    kept: dict[tuple[str, str], Entity] = {}
    dropped = 0
    for place, names in named:
        text = f" {normalise(texts.get(place, ''))} "
        for name in list(names)[:MOST_ENTITIES]:
            key = normalise(name)
            if not key or f" {key} " not in text:
                dropped += 1
                continue
            assertion = asserted.get((place, key), "present")
            entity = Entity.model_validate(
                {"name": one_line(name), "place": place, "assertion": assertion}
            )
            kept.setdefault((place, key), entity)
    return tuple(kept.values()), dropped


def _without_choice(question: Question) -> Curation | None:
    """Return the verdict on a question that cannot be scored by its options."""
    if len(question.options) < 2:
        detail = f"{len(question.options)} options; paths run from question to options"
        return Curation(reason="no options", detail=detail)
    if not question.labelled:
        return Curation(reason="no answer", detail="the file does not say which option is right")
    return None


def _linked(linker: EntityLinker, question: Question) -> tuple[Entity, ...]:
    """Return the mentions of the graph's names in question and options, each once a place.

    A mention that the text also asserts of the patient counts as present.
    """
    found: dict[tuple[str, str], Entity] = {}
    for place, text in ((QUESTION, question.text), *question.options.items()):
        for link in linker.link(text):
            if link.node is not None and _ANOTHER_THING.match(text, link.end):
                continue
            key = (place, normalise(link.mention))
            entity = _entity(link, place)
            if key not in found or found[key].assertion != "present":
                found[key] = entity
    return tuple(found.values())


def _entity(link: Link, place: str) -> Entity:
    node = link.node
    method = "fuzzy" if link.method == "fuzzy" else "graph"
    grounding = (
        {"method": "none"}
        if node is None
        else {"method": method, "node": node, "name": node.name, "score": link.score / 100}
    )
    # Of an option nothing is asserted: "no treatment with aspirin" is still about aspirin.
    assertion = link.assertion if place == QUESTION else "present"
    return Entity.model_validate(
        {
            "name": one_line(link.mention),
            "place": place,
            "assertion": assertion,
            "grounding": Grounding.model_validate(grounding),
        }
    )


def _unjoined(entities: Sequence[Entity]) -> str:
    sides = []
    for side in (True, False):
        names = [
            node.name
            for e in entities
            if (e.place == QUESTION) == side
            for node in e.alignment.nodes
        ]
        sides.append(f"{', '.join(dict.fromkeys(names)):.100}")
    return f"no edge joins question ({sides[0]}) and options ({sides[1]})"
