"""Which ConstraintItem groups the patient belongs to: rules first, the model for the rest."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import dspy

from programs.caps import Caps
from programs.roles import step
from programs.wording import group_lines
from signatures.constraints import GroupVerdict, MatchConstraint
from signatures.schema import ConstraintVerdict, Match

BATCH = 12
"""Groups asked in one call: a verdict is about fifteen tokens, so a batch fits the smallest cap."""


class MatchConstraints(dspy.Module):
    """Ask the model for the groups that the rules cannot read (QKG §3.2).

    Verdicts are matched by id, never by position. A group without a verdict is asked once more and
    then stays UNJUDGED.
    """

    def __init__(self, *, caps: Caps = Caps()) -> None:
        super().__init__()
        self.predict = dspy.Predict(MatchConstraint, max_tokens=caps.reasoning)

    def forward(self, patient: str, groups: Sequence[ConstraintVerdict]) -> dict[str, Match]:
        """Return the model's verdicts by verdict id; a group it gave none for is UNJUDGED."""
        judged: dict[str, Match] = dict.fromkeys((group.id for group in groups), "UNJUDGED")
        for start in range(0, len(groups), BATCH):
            batch = groups[start : start + BATCH]
            judged |= self._ask(patient, batch)
            missing = [group for group in batch if judged[group.id] == "UNJUDGED"]
            if missing:
                judged |= self._ask(patient, missing)
        return judged

    def _ask(self, patient: str, groups: Sequence[ConstraintVerdict]) -> dict[str, Match]:
        with step("match_constraints", role="validator"):
            said = self.predict(patient=patient, groups=group_lines(groups)).verdicts
        return by_id(said, wanted={group.id for group in groups})


def by_id(said: Iterable[GroupVerdict], *, wanted: Collection[str]) -> dict[str, Match]:
    """Return the verdicts on wanted ids; two that disagree about one id leave it out.

    >>> by_id([GroupVerdict(id="e1.0", verdict="MET"), GroupVerdict(id="e9.0", verdict="MET")],
    ...       wanted={"e1.0", "e2.0"})
    {'e1.0': 'MET'}
    """
    found: dict[str, set[Match]] = {}
    for verdict in said:
        found.setdefault(verdict.id.strip(), set()).add(verdict.verdict)
    return {i: next(iter(v)) for i, v in found.items() if i in wanted and len(v) == 1}
