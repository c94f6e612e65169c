"""Train, dev and test never share a question, a near-duplicate or a deciding triplet."""

from __future__ import annotations

from collections import Counter

import pytest

from data.paths import sample_dir
from data.questions import read_questions
from data.splits import crossings, split_questions
from signatures.errors import InputError
from signatures.schema import Question

DOMAINS = ("DRUG_THERAPY", "GENE_PROTEIN")
PARTS = ("train", "dev", "test")


def ask(number: int, **fields: object) -> Question:
    words = " ".join(f"word{number}x{i}" for i in range(20))
    return Question.model_validate(
        {
            "id": f"q{number}",
            "source": "ab"[number % 2],
            "text": words,
            "domain": DOMAINS[number // 2 % 2],
            **fields,
        }
    )


MANY = [ask(n) for n in range(200)]


def place_of(questions: list[Question], **options: object) -> dict[str, str]:
    splits = split_questions(questions, **options)  # type: ignore[arg-type]
    return {q.id: part for part in PARTS for q in splits[part]}


def test_every_stratum_is_dealt_by_its_shares() -> None:
    splits = split_questions(MANY)
    counts = Counter((q.source, q.domain, q.split) for part in PARTS for q in splits[part])
    assert sorted(counts.values()) == [10] * 4 + [20] * 8
    assert splits.origin == "hash"


def test_the_order_of_the_file_changes_nothing_and_the_seed_does() -> None:
    assert place_of(MANY) == place_of(MANY[::-1])
    assert place_of(MANY) != place_of(MANY, seed=1)
    backwards = split_questions(MANY[::-1])
    assert split_questions(MANY).fingerprint == backwards.fingerprint


def test_the_fingerprint_sees_a_question_that_moves_or_changes() -> None:
    splits = split_questions(MANY)
    moved = splits.model_copy(
        update={"train": splits.train[1:], "dev": (*splits.dev, splits.train[0])}
    )
    changed = (splits.train[0].model_copy(update={"gold": "A"}), *splits.train[1:])
    edited = splits.model_copy(update={"train": changed})
    assert len({splits.fingerprint, moved.fingerprint, edited.fingerprint}) == 3


def test_near_duplicates_stay_together() -> None:
    """Every question has a copy that differs in one word at its end."""
    copies = [
        q.model_copy(update={"id": f"{q.id}'", "text": q.text.rsplit(" ", 1)[0] + " other"})
        for q in MANY
    ]
    places = place_of([*MANY, *copies])
    assert all(places[q.id] == places[f"{q.id}'"] for q in MANY)
    assert set(places.values()) == set(PARTS)
    assert crossings(split_questions([*MANY, *copies]).__dict__ | {"origin": ()}) == ()


def test_questions_of_one_deciding_triplet_stay_together() -> None:
    edge = ("Metformin", "indication", "type 2 diabetes")
    bound = [ask(n, deciding=(edge,)) for n in range(10)]
    places = place_of([*bound, *MANY[10:]])
    assert len({places[q.id] for q in bound}) == 1


def test_own_splits_are_kept() -> None:
    own = [q.model_copy(update={"split": PARTS[n % 3]}) for n, q in enumerate(MANY)]
    splits = split_questions(own, seed=9)
    assert splits.origin == "own"
    assert [q.id for q in splits.train] == [q.id for q in own[::3]]


def test_half_a_split_is_refused() -> None:
    with pytest.raises(InputError, match="1 of 3 questions name their split"):
        split_questions([ask(0, split="dev"), ask(1), ask(2)])


@pytest.mark.parametrize("shares", [{"train": 0.5}, {"train": 1.5, "test": -0.5}, {"x": 1.0}])
def test_shares_must_be_shares(shares: dict[str, float]) -> None:
    with pytest.raises(InputError, match="must add up to 1, got"):
        split_questions(MANY, shares=shares)  # type: ignore[arg-type]


def test_crossings_name_both_questions_and_parts() -> None:
    near = MANY[0].model_copy(update={"id": "near", "text": MANY[0].text + " more"})
    found = crossings({"train": MANY[:3], "dev": MANY[3:5], "test": [MANY[1], near]})
    assert {(c.one.id, c.other.id, c.parts, c.kind) for c in found} == {
        ("q1", "q1", ("train", "test"), "same"),
        ("q0", "near", ("train", "test"), "near"),
    }


def test_a_repeat_inside_one_part_hides_no_crossing() -> None:
    found = crossings({"train": [MANY[0], MANY[0]], "test": [MANY[0]]})
    assert ("train", "test") in {c.parts for c in found}


def test_the_sample_s_own_splits_share_no_question() -> None:
    splits = split_questions(read_questions(sample_dir() / "questions.jsonl"))
    assert splits.origin == "own"
    assert crossings({"train": splits.train, "dev": splits.dev, "test": splits.test}) == ()
