"""Records that a model writes: what is read of a letter and of a truth value."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from signatures.curation import OptionEntities
from signatures.schema import Claim, Question


def claim(option: object, supports: object) -> Claim:
    words = {"head": "x", "predicate": "treats", "tail": "y"}
    return Claim.model_validate({"option": option, "supports": supports, **words})


@pytest.mark.parametrize(
    ("option", "supports", "letter", "holds"),
    [
        ("b", True, "B", True),
        ("(B)", "false", "B", False),
        ("B.", "False", "B", False),
        ("Option c", "no", "C", False),
        ("option: J", 1, "J", True),
    ],
)
def test_letters_and_truth_values_are_normalised(
    option: object, supports: object, letter: str, holds: bool
) -> None:
    """K07: `supports="false"` is no support, `a` is option A."""
    read = claim(option, supports)
    assert (read.option, read.supports) == (letter, holds)
    assert OptionEntities.model_validate({"option": option, "entities": []}).option == letter


@pytest.mark.parametrize(
    ("option", "supports"),
    [("?", True), ("AB", True), ("K", True), ("", True), ("Bisoprolol", True), ("A", "perhaps")],
)
def test_what_is_no_letter_or_truth_value_is_refused(option: object, supports: object) -> None:
    """K07: option `?` is not guessed."""
    with pytest.raises(ValidationError):
        claim(option, supports)


def test_the_letters_of_a_question_are_not_rewritten() -> None:
    """Two options `a` and `A` of a file must not fall together."""
    with pytest.raises(ValidationError):
        Question(id="q", source="s", text="?", options={"a": "x", "A": "y"})
