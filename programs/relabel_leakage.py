"""A model's look at the revisions that the leakage rules leave unclassified (QKG A.3)."""

from __future__ import annotations

from collections.abc import Iterable

import dspy

from metrics.leakage import LabelledCase, relabelled
from programs.roles import step
from programs.wording import one_line
from signatures.errors import ParseError
from signatures.leakage import RelabelCase


class RelabelLeakage(dspy.Module):
    """Ask the judge about unclassified revisions; every other case is returned as it came."""

    def __init__(self) -> None:
        super().__init__()
        self.relabel_case = dspy.Predict(RelabelCase)

    def forward(self, cases: Iterable[LabelledCase]) -> tuple[LabelledCase, ...]:
        """Return the cases in order, the unclassified ones with the judge's label."""
        with step("relabel", role="judge"):
            return tuple(self._look(case) for case in cases)

    def _look(self, case: LabelledCase) -> LabelledCase:
        if case.rule_label != "UNCLASSIFIED" or not case.decisive:
            return case
        corrected = case.direction == "wrong_to_correct"
        try:
            judged = self.relabel_case(
                revision="wrong answer corrected" if corrected else "right answer spoilt",
                evidence=list(case.decisive),
            )
        except ParseError:
            return relabelled(case, "UNCLASSIFIED", "the judge's reply had no reading")
        return relabelled(case, judged.label, one_line(judged.justification))
