"""Counts of "evidence says B, answer says C"."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from metrics.mismatch import MEASURE, Mismatches, mismatches

rows = st.lists(st.tuples(st.sampled_from([True, False, None]), st.booleans()))


def test_each_case_has_its_own_count() -> None:
    cases = [(m, r) for m in (True, False, None) for r in (True, False)]
    assert set(mismatches(cases).model_dump().values()) == {1}


def test_c9_is_a_wrong_answer_against_its_evidence() -> None:
    found = mismatches([(True, False), (True, False), (False, False), (None, False), (False, True)])
    assert (found.wrong_against, found.wrong_agreeing, found.undecided_wrong) == (2, 1, 1)
    assert found.among_wrong == 0.5
    assert found.rate == 0.5


@given(pairs=rows)
def test_counts_add_up_and_the_rate_is_a_proportion(
    pairs: list[tuple[bool | None, bool]],
) -> None:
    found = mismatches(pairs)
    assert sum(found.model_dump().values()) == len(pairs)
    assert found.decided == sum(mismatch is not None for mismatch, _ in pairs)
    assert found.rate is None or MEASURE.holds(found.rate)


def test_nothing_decided_has_no_rate() -> None:
    assert Mismatches().rate is None
    assert mismatches([(None, True)]).rate is None
    assert mismatches([(None, True)]).among_wrong is None
