"""KGARevion's third step: rejected triplets are corrected, all of a round in one call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress

import dspy

from programs.caps import Caps
from programs.kgarevion_propose import key, relation_names, tidy
from programs.roles import step
from programs.toolbox import Toolbox
from programs.wording import one_line, option_lines
from signatures.baseline import Correction, ReviseRejected
from signatures.errors import ParseError
from signatures.schema import Hypothesis, Question, ReviewedTriplet

BATCH = 12
"""Triplets corrected in one call: all of a question with four options."""
TRIPLET_TOKENS = 40
"""Room for one correction: a triplet of about thirty tokens and its id."""


class Revise(dspy.Module):
    """Ask for corrections, matched by id and never by position."""

    def __init__(self, tools: Toolbox, *, caps: Caps = Caps()) -> None:
        super().__init__()
        self.tools = tools
        self.caps = caps
        self.predict = dspy.Predict(ReviseRejected)

    def forward(
        self, question: Question, rejected: Mapping[int, ReviewedTriplet]
    ) -> dict[int, Hypothesis]:
        """Return corrected triplets by number; one that stays as it is, or is gone, is left out.

        A reply that cannot be read corrects nothing.
        """
        numbers, found = tuple(rejected), dict[int, Hypothesis]()
        for start in range(0, len(numbers), BATCH):
            batch = {n: rejected[n] for n in numbers[start : start + BATCH]}
            found |= by_number(self._ask(question, batch), wanted=batch)
        return {n: new for n, new in found.items() if key(new) != key(rejected[n].hypothesis)}

    def _ask(self, question: Question, batch: Mapping[int, ReviewedTriplet]) -> list[Correction]:
        room = self.caps.classification + TRIPLET_TOKENS * len(batch)
        with step("revise"), suppress(ParseError):
            said: list[Correction] = self.predict(
                relations=relation_names(self.tools),
                question=question.text,
                options=option_lines(question.options),
                rejected=rejected_lines(batch),
                config={"max_tokens": room},
            ).corrections
            return said
        return []


def rejected_lines(rejected: Mapping[int, ReviewedTriplet]) -> str:
    """Word rejected triplets: id, triplet, why."""
    return "\n".join(
        f"t{number}: {plain_triplet(one.hypothesis)} ({one_line(one.reason)})"
        for number, one in rejected.items()
    )


def plain_triplet(triplet: Hypothesis) -> str:
    """Word a triplet as it was written.

    >>> plain_triplet(Hypothesis(head="Metformin", relation="indication", tail="gout"))
    'Metformin | indication | gout'
    """
    return " | ".join(map(one_line, (triplet.head, triplet.relation, triplet.tail)))


def by_number(said: Sequence[Correction], *, wanted: Iterable[int]) -> dict[int, Hypothesis]:
    """Return whole corrections of wanted triplets; of two for one triplet the first counts.

    >>> said = [Correction(id="T2", head="a", relation="r", tail="b"),
    ...         Correction(id="t9", head="a", relation="r", tail="c")]
    >>> sorted(by_number(said, wanted=[1, 2]))
    [2]
    """
    ids = {f"t{number}": number for number in wanted}
    found: dict[int, Hypothesis] = {}
    for one in said:
        number = ids.get(one.id.strip().strip("[]:").casefold())
        new = tidy([Hypothesis(head=one.head, relation=one.relation, tail=one.tail)])
        if number is not None and new:
            found.setdefault(number, new[0])
    return found
