from __future__ import annotations

import pytest

from metrics.revisions import revision, revisions
from signatures.schema import Outcome, OutcomeKind


def got(kind: OutcomeKind, letter: str | None = None) -> Outcome:
    return Outcome(kind=kind, letter=letter, gold="B")


@pytest.mark.parametrize(
    ("first", "final", "kind"),
    [
        (got("wrong", "A"), got("correct", "B"), "wrong_to_correct"),
        (got("abstained"), got("correct", "B"), "wrong_to_correct"),
        (got("correct", "B"), got("unparsed"), "correct_to_wrong"),
        (got("wrong", "A"), got("wrong", "C"), "wrong_to_wrong"),
        (got("wrong", "A"), got("abstained"), "wrong_to_wrong"),
        (got("correct", "B"), got("correct", "B"), "unchanged"),
        (got("unparsed"), got("unparsed"), "unchanged"),
    ],
)
def test_revision(first: Outcome, final: Outcome, kind: str) -> None:
    assert revision(first, final) == kind


def test_what_was_not_run_or_has_no_first_answer_is_skipped_not_wrong() -> None:
    found = revisions(
        [
            (got("wrong", "A"), got("not_run")),
            (None, got("correct", "B")),
            (got("wrong", "A"), got("correct", "B")),
        ]
    )
    assert (found.total, found.skipped, found.wrong_to_correct) == (1, 2, 1.0)


def test_no_questions_have_no_rates() -> None:
    found = revisions([])
    assert found.change_rate is None
    assert found.flip_rate is None


def test_figures_of_the_paper() -> None:
    # QKG §5.1: 39 W→C and 22 C→W of 2,787 are 2.19 %; 55 and 16 of 2,788 are 2.55 %.
    for improved, regressed, total, printed in ((39, 22, 2787, 2.19), (55, 16, 2788, 2.55)):
        pairs = [(got("wrong", "A"), got("correct", "B"))] * improved
        pairs += [(got("correct", "B"), got("wrong", "A"))] * regressed
        pairs += [(got("correct", "B"), got("correct", "B"))] * (total - improved - regressed)
        assert round(100 * (revisions(pairs).flip_rate or 0), 2) == printed
