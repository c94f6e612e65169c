"""A small graph of gout and diabetes, regions over it, and hops under a scripted model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import dspy

from optimize.adapter import QkgramAdapter
from optimize.scripted import ScriptedLM
from programs.answer_hop import AnswerHop
from programs.hypothesise import Hypothesise
from programs.review import LMReviewer
from programs.toolbox import Toolbox
from signatures.schema import Hop, Region
from tests.programs.small import by_fields, toolbox

FACTS = [
    ("Colchicine", "drug", "indication", "gout", "disease"),
    ("Colchicine", "drug", "drug_effect", "Diarrhea", "effect/phenotype"),
    ("Allopurinol", "drug", "contraindication", "hepatitis", "disease"),
    ("Allopurinol", "drug", "drug_protein", "XDH", "gene/protein"),
    ("Febuxostat", "drug", "drug_protein", "XDH", "gene/protein"),
    ("Metformin", "drug", "indication", "type 2 diabetes mellitus", "disease"),
    ("Ibuprofen", "drug", "drug_drug", "Metformin", "drug"),
]
INSIDE = ("Colchicine", "Allopurinol", "Febuxostat", "gout", "hepatitis", "Diarrhea", "XDH")
OUTSIDE = ("Metformin", "type 2 diabetes mellitus", "Ibuprofen")
QUESTION = "Which drug treats gout?"


def gout_tools(folder: Path) -> Toolbox:
    """Build the store; no sentence encoder is needed."""
    return toolbox(folder, FACTS, {})


def gout_region(tools: Toolbox, *, relevance: float = 0.5) -> Region:
    """Return the region of gout: every fact but those of diabetes."""
    triplets = [tools.graph.triplet(edge) for edge in range(tools.graph.edge_count)]
    kept = tuple(t for t in triplets if not {t.head.name, t.tail.name} & set(OUTSIDE))
    return Region(
        query=QUESTION,
        domain="DRUG_THERAPY",
        anchors=(kept[0].head,),
        triplets=kept,
        relevance=(relevance,) * len(kept),
        candidates=len(kept),
    )


def said(*triplets: tuple[str, str, str]) -> dict[str, Any]:
    """Word a reply that proposes these triplets."""
    fields = ("head", "relation", "tail")
    found = [dict(zip(fields, triplet, strict=True)) for triplet in triplets]
    return {"gap": "the drug", "triplets": found}


def revised(**triplets: tuple[str, str, str]) -> dict[str, Any]:
    """Word a reply that revises the triplets of these ids."""
    found = said(*triplets.values())["triplets"]
    return {"triplets": [{"id": i, **t} for i, t in zip(triplets, found, strict=True)]}


def reviews(*probabilities: float, start: int = 1) -> dict[str, Any]:
    """Word a reply that gives these probabilities to t1, t2 …"""
    pairs = enumerate(probabilities, start=start)
    return {"reviews": [{"id": f"t{n}", "probability": p} for n, p in pairs]}


class InTurn:
    """Replies in turn; the last one again and again."""

    def __init__(self, *replies: Mapping[str, Any]) -> None:
        self.replies = list(replies)

    def __call__(self, call: object) -> Mapping[str, Any]:
        return self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]


def hop(
    tools: Toolbox,
    region: Region,
    *,
    proposed: Mapping[str, Any],
    review: object = None,
    revise: object = None,
    cited: Iterable[str] = (),
    reviewer: object = "lm",
    **settings: Any,
) -> tuple[Hop, ScriptedLM]:
    """Answer the hop of a region; `review` and `revise` are replies or functions of the call."""

    def corrected(call: Any) -> Any:
        return revise(call) if callable(revise) else revise or {"triplets": []}

    model = ScriptedLM(
        by_fields(
            gap_triplets=proposed,
            triplets=corrected,
            reviews=review or reviews(0.9, 0.9, 0.9, 0.9),
            answer_cited={"answer": "possibly allopurinol", "cited": list(cited)},
            answer_missing={"answer": "perhaps", "missing": "a trial"},
        )
    )
    made = LMReviewer() if reviewer == "lm" else reviewer
    module = AnswerHop(
        min_relevance=0.0,
        hypothesise=Hypothesise(tools, reviewer=made, **settings),  # type: ignore[arg-type]
    )
    with dspy.context(lm=model, adapter=QkgramAdapter(reasks=0)):
        answered: Hop = module(QUESTION, region)
    return answered, model


def asked(model: ScriptedLM, *fields: str) -> list[str]:
    """Return the prompts of the calls that wanted these fields."""
    return [call.user for call in model.asked if call.fields == fields]
