"""`kgarevion`: generate, review, revise, answer; the baseline of ReGraM §4, from its description.

Knowledge is checked after the model proposed it, over the whole graph: no region, no patient.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import dspy

from programs.caps import Caps
from programs.hypothesise import counts
from programs.kgarevion_check import IN_GRAPH, CheckTriplets
from programs.kgarevion_propose import Key, Proposals, Propose, key
from programs.kgarevion_revise import Revise, plain_triplet
from programs.review import UNJUDGED, Reviewer, proposed_text
from programs.roles import step
from programs.short_answer import withheld
from programs.synthesise import respond
from programs.toolbox import Toolbox
from programs.trimming import keep_ranked
from programs.wording import option_lines
from signatures.baseline import AnswerFromVerified
from signatures.schema import Hypothesis, QAResponse, Question, ReviewedTriplet

MAX_ROUND = 2
"""Rounds of revision: those of ReGraM §3.4, so that both systems may revise equally often. The
published code of KGARevion does one."""

THRESHOLD = 0.5
"""Probability from which a triplet is verified (ReGraM §3.4)."""


class KGARevion(dspy.Module):
    """Propose triplets, verify them over the whole graph, revise the false ones, answer.

    Calls of a question, at most: one that types it, one that proposes (`per_option_calls`: one an
    option), the Reviewer's, and per round one that revises and the Reviewer's again, one answer. A
    call reviews or revises twelve triplets.

    Args:
        tools: graph and linker; regions and ConstraintItems are not used.
        reviewer: see `programs.kgarevion_check.CheckTriplets` on what it knows of the graph.
        choice_aware: propose for every option (True) or from the question alone (False); `None`
            decides it for each question, see `programs.kgarevion_propose.Propose`.
        max_round: rounds of revision; 0 revises nothing.
        threshold: probability from which a triplet is verified, 0 to 1.
        keep_unverifiable: answer from unverifiable triplets too, as the original does: it takes
            what the graph cannot check as not disproved. Off, they are kept apart and counted.
        per_option_calls: propose for one option at a time, as the original does.
        withhold_options: answer a multiple-choice question in words, its options unseen.
        caps: tokens per call.
    """

    def __init__(
        self,
        tools: Toolbox,
        reviewer: Reviewer | None,
        *,
        choice_aware: bool | None = None,
        max_round: int = MAX_ROUND,
        threshold: float = THRESHOLD,
        keep_unverifiable: bool = False,
        per_option_calls: bool = False,
        withhold_options: bool = False,
        caps: Caps = Caps(),
    ) -> None:
        super().__init__()
        self.max_round, self.withhold_options = max_round, withhold_options
        self.keep_unverifiable = keep_unverifiable
        self.propose = Propose(
            tools, choice_aware=choice_aware, per_option_calls=per_option_calls, caps=caps
        )
        self.check = CheckTriplets(tools, reviewer, threshold=threshold)
        self.revise = Revise(tools, caps=caps)
        self.answer = dspy.Predict(AnswerFromVerified, max_tokens=caps.synthesis)

    def forward(self, question: Question) -> dspy.Prediction:
        """Return `response`, `reviewed`, `not_covered`, `choice_aware`, `reviewer` and `notes`."""
        asked = withheld(question) if self.withhold_options else question
        proposals = self.propose(asked)
        reviewed = self.check(proposals.triplets, asked.text)
        reviewed = self.revise_rejected(reviewed, asked)
        return dspy.Prediction(
            response=self.answer_from([one for one in reviewed if self.is_used(one)], asked),
            reviewed=reviewed,
            not_covered=tuple(
                plain_triplet(one.hypothesis) for one in reviewed if one.kind == "unverifiable"
            ),
            choice_aware=proposals.choice_aware,
            reviewer=None if self.check.reviewer is None else self.check.reviewer.id,
            notes=count(proposals, reviewed),
        )

    def is_used(self, reviewed: ReviewedTriplet) -> bool:
        """Say whether the answer may rest on a triplet."""
        return reviewed.used or (self.keep_unverifiable and reviewed.kind == "unverifiable")

    def revise_rejected(
        self, reviewed: Sequence[ReviewedTriplet], question: Question
    ) -> tuple[ReviewedTriplet, ...]:
        """Correct the rejected triplets and check them again, `max_round` times at most.

        A triplet that comes back unchanged, not at all, or as one that was proposed before stays
        rejected and is not asked for again.
        """
        now = dict(enumerate(reviewed, 1))
        seen = {key(one.hypothesis) for one in reviewed}
        left = rejected(now)
        for turn in range(1, self.max_round + 1):
            if not left:
                break
            new = unseen(self.revise(question, left), seen)
            checked = self.check(tuple(new.values()), question.text, revisions=turn)
            again = dict(zip(new, checked, strict=True))
            now |= again
            left = rejected(again)
        return tuple(now.values())

    def answer_from(self, used: Sequence[ReviewedTriplet], question: Question) -> QAResponse:
        """Answer; without any fact the model answers from what it knows."""
        with step("answer_from_verified"):
            said = self.answer(
                question=question.text,
                options=option_lines(question.options),
                facts=fact_lines(used) or "none",
            )
        return respond(said.answer, question.options, reasoning=said.reasoning)


def rejected(reviewed: Mapping[int, ReviewedTriplet]) -> dict[int, ReviewedTriplet]:
    """Return the rejected triplets by number; one that nobody judged has no fault to correct."""
    return {
        number: one
        for number, one in reviewed.items()
        if one.kind == "rejected" and not one.reason.startswith(UNJUDGED)
    }


def unseen(corrected: Mapping[int, Hypothesis], seen: set[Key]) -> dict[int, Hypothesis]:
    """Return the corrections that were not proposed before, and add them to `seen`."""
    new = {}
    for number, triplet in corrected.items():
        if key(triplet) not in seen:
            seen.add(key(triplet))
            new[number] = triplet
    return new


def fact_lines(used: Sequence[ReviewedTriplet]) -> str:
    """Word verified triplets, the likeliest first; what does not fit the prompt is left out."""
    ranked = sorted(used, key=lambda one: -(one.probability or 0.0))
    return keep_ranked("\n".join(map(fact_line, ranked))).text


def fact_line(reviewed: ReviewedTriplet) -> str:
    """Word a triplet as a fact, and say so when nobody checked it."""
    checked = reviewed.kind in ("approved", "revised")
    return proposed_text(reviewed.hypothesis) + ("" if checked else " (not checked)")


def count(proposals: Proposals, reviewed: Sequence[ReviewedTriplet]) -> tuple[str, ...]:
    """Say how triplets were proposed, what became of them, and when none was verified."""
    kinds = Counter(one.kind for one in reviewed)
    by_graph = sum(one.reason.startswith(IN_GRAPH) for one in reviewed)
    shown = "the question and its options" if proposals.choice_aware else "the question alone"
    said = (
        (True, f"{len(reviewed)} triplets proposed from {shown}: {counts(reviewed) or 'none'}"),
        (by_graph, f"{by_graph} of them verified by an edge of the graph"),
        (proposals.dropped, f"{proposals.dropped} proposals dropped: incomplete or repeated"),
        (proposals.unread, f"{proposals.unread} replies with proposals could not be read"),
        (
            not kinds["approved"] + kinds["revised"],
            "nothing was verified: the answer is the model's own",
        ),
    )
    return tuple(text for holds, text in said if holds)
