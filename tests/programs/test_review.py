"""Reviewers: by id, asked once more, never "true at 0.5"."""

from __future__ import annotations

from collections.abc import Sequence

import dspy
import pytest

from optimize.adapter import QkgramAdapter
from optimize.scripted import ScriptedLM
from programs.registry import ProgramSettings, build_program
from programs.review import LMReviewer, ProposedTriplet, Review, probabilities, review_linked
from programs.reviewers import open_reviewer
from signatures.hypotheses import TripletProbability
from signatures.schema import Hypothesis, Node
from tests.programs.hybrid import reviews


def node(name: str) -> Node:
    return Node(index=1, id="1", type="drug", name=name, source="s")


def proposed(number: int, *, head: bool = True, tail: bool = True) -> ProposedTriplet:
    hypothesis = Hypothesis(head=f"drug {number}", relation="indication", tail="gout")
    ends = (node(hypothesis.head) if head else None, node("gout") if tail else None)
    return ProposedTriplet(hypothesis, *ends)


def ask(
    script: object, triplets: Sequence[ProposedTriplet]
) -> tuple[tuple[Review, ...], ScriptedLM]:
    model = ScriptedLM(script)  # type: ignore[arg-type]
    with dspy.context(lm=model, adapter=QkgramAdapter(reasks=0)):
        return LMReviewer().review(triplets, question="Which drug?"), model


def numbers(found: Sequence[Review]) -> list[float | None]:
    return [review.probability for review in found]


def test_probabilities_come_by_id_whatever_their_order() -> None:
    reply = {"reviews": [*reviews(0.2, start=2)["reviews"], *reviews(0.9)["reviews"]]}
    found, model = ask([reply], [proposed(1), proposed(2)])
    assert numbers(found) == [0.9, 0.2]
    assert "t1: drug 1 is indicated for gout" in model.asked[0].user


def test_missing_ids_are_asked_once_more_and_then_stay_unjudged() -> None:
    """Known failure C23: fourteen verdicts for fifteen relations."""
    triplets = [proposed(n) for n in range(1, 4)]
    found, model = ask([reviews(0.9), reviews(0.8, start=3)], triplets)
    assert numbers(found) == [0.9, None, 0.8]
    assert "drug 1" not in model.asked[1].user
    assert found[1].reason.startswith("unjudged")
    assert len(model.asked) == 2


@pytest.mark.parametrize("reply", [reviews(1.2), reviews(-0.1), "no", {"reviews": [{"id": "t1"}]}])
def test_no_number_from_0_to_1_is_no_judgement(reply: object) -> None:
    assert numbers(ask(lambda call: reply, [proposed(1)])[0]) == [None]


def test_a_number_that_is_none_is_no_judgement() -> None:
    said = [TripletProbability(id="t1", probability=float("nan"))]
    assert probabilities(said, wanted={"t1"}) == {}


def test_two_numbers_for_one_triplet_are_no_judgement() -> None:
    said = [TripletProbability(id="t1", probability=p) for p in (0.1, 0.9)]
    assert probabilities(said, wanted={"t1"}) == {}


def test_many_triplets_are_asked_in_batches() -> None:
    def script(call: object) -> dict[str, object]:
        ids = [line.split(":")[0] for line in call.user.split("triplets:")[1].split("\n") if line]  # type: ignore[attr-defined]
        return {"reviews": [{"id": i.strip(), "probability": 0.5} for i in ids]}

    found, model = ask(script, [proposed(n) for n in range(30)])
    assert numbers(found) == [0.5] * 30
    assert len(model.asked) == 3


class Certain:
    """A reviewer that believes whatever it is asked."""

    id = "certain"

    def review(self, triplets: Sequence[ProposedTriplet], *, question: str) -> tuple[Review, ...]:
        """Return 1 for each; an unlinked end must never come here."""
        if any(t.head is None or t.tail is None for t in triplets):
            raise ValueError("asked for an unlinked triplet")
        return tuple(Review(1.0, "sure") for _ in triplets)


def test_an_unlinked_end_is_unverifiable_and_its_reviewer_is_not_asked() -> None:
    """Known failure B17: "True, 0.5" for an entity that does not exist."""
    triplets = [proposed(1, head=False), proposed(2), proposed(3, tail=False)]
    found = review_linked(Certain(), triplets, question="?")
    assert numbers(found) == [None, 1.0, None]
    assert found[0].reason == "unverifiable: the graph does not know 'drug 1'"
    assert review_linked(Certain(), [triplets[0]], question="?")[0].probability is None


def test_reviewers_are_chosen_by_name() -> None:
    assert open_reviewer("none", None) is None  # type: ignore[arg-type]
    assert isinstance(open_reviewer("lm", None), LMReviewer)  # type: ignore[arg-type]


def test_the_reviewers_prompt_can_be_compiled() -> None:
    class Tools:
        graph = None

    def names(reviewer: str) -> set[str]:
        program = build_program(
            "regram", tools=Tools(), settings=ProgramSettings(reviewer=reviewer)
        )  # type: ignore[arg-type]
        return {name for name, _ in program.named_predictors()}

    assert names("lm") - names("none") == {"answer_hop.hypothesise.reviewer.predict"}
