from __future__ import annotations

from metrics.pairing import pair_keys


def test_unmatched_keys_are_named_on_both_sides() -> None:
    pairing = pair_keys(["b", "a", "x"], ["y", "a", "b"])
    assert (pairing.both, pairing.only_a, pairing.only_b) == (("a", "b"), ("x",), ("y",))
    assert not pairing.complete


def test_the_same_keys_are_complete_in_any_order() -> None:
    assert pair_keys(["b", "a"], ["a", "b"]).complete
