"""Train, dev and test: by stable hash, in strata, with questions that are alike kept together.

Compile on train, choose on dev, report on test. A question set with splits of its own keeps them.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Literal, NamedTuple, get_args

from data.similar import Pair, plain_words, similar_pairs
from signatures.errors import InputError
from signatures.schema import Question, Record

Part = Literal["train", "dev", "test"]

SHARES: Mapping[Part, float] = {"train": 0.4, "dev": 0.2, "test": 0.4}
"""Share of every stratum; those of the packaged sample, ours."""


class Splits(Record):
    """A question set in three parts, each in the order of the set."""

    train: tuple[Question, ...]
    dev: tuple[Question, ...]
    test: tuple[Question, ...]
    origin: Literal["own", "hash"]
    """`own`: the set came with them; `hash`: made here."""

    def __getitem__(self, part: Part) -> tuple[Question, ...]:
        """Return the questions of one part."""
        found: tuple[Question, ...] = getattr(self, part)
        return found

    @property
    def fingerprint(self) -> str:
        """SHA-256 of what stands in which part, whatever the order."""
        lines = (f"{part} {digest}" for part in get_args(Part) for digest in _digests(self[part]))
        return sha256("\n".join(lines).encode()).hexdigest()


class Crossing(NamedTuple):
    """Two questions that are alike and stand in two parts."""

    one: Question
    other: Question
    parts: tuple[Part, Part]
    kind: Literal["same", "near"]
    similarity: float


def split_questions(
    questions: Sequence[Question], *, shares: Mapping[Part, float] = SHARES, seed: int = 0
) -> Splits:
    """Return the set's own splits, or make them; the order of the questions does not matter.

    Questions that are alike (`data.similar`), or that the same triplet decides, form a group; a
    group is never divided. Within each (source, domain) the groups are ordered by a hash of their
    texts and dealt out by `shares`, so every part gets its share of every stratum.

    Args:
        questions: Any number.
        shares: Share of each part, together 1.
        seed: Another number makes other splits.

    Raises:
        InputError: some questions have a split and some have none, or the shares are not shares.

    >>> made = [Question(id=str(n), source="s", text=f"Which drug is number {n}?")
    ...         for n in range(10)]
    >>> splits = split_questions(made)
    >>> [len(splits[part]) for part in ("train", "dev", "test")], splits.origin
    ([4, 2, 4], 'hash')
    >>> splits == split_questions(made) != split_questions(made, seed=1)
    True
    """
    own = [question for question in questions if question.split]
    if own and len(own) < len(questions):
        raise InputError(
            f"{len(own)} of {len(questions)} questions name their split and the others do not; "
            "give every question one of train, dev and test, or none"
        )
    if own:
        return _splits(((question, _part(question)) for question in own), origin="own")
    _check_shares(shares)
    dealt: dict[int, Part] = {}
    for groups in _strata(questions, seed=seed).values():
        dealt |= _deal(groups, shares)
    return _splits(
        (
            (question.model_copy(update={"split": dealt[place]}), dealt[place])
            for place, question in enumerate(questions)
        ),
        origin="hash",
    )


def crossings(parts: Mapping[Part, Sequence[Question]]) -> tuple[Crossing, ...]:
    """Find the questions that stand in two parts, the same or nearly.

    >>> twin = Question(id="a", source="s", text="Why?")
    >>> [c.parts for c in crossings({"train": [twin], "test": [twin]})]
    [('train', 'test')]
    """
    placed = [(part, question) for part, held in parts.items() for question in held]
    found = []
    for pair in _all_pairs([question for _, question in placed]):
        (part_a, one), (part_b, other) = placed[pair.first], placed[pair.second]
        if part_a != part_b:
            found.append(Crossing(one, other, (part_a, part_b), pair.kind, pair.similarity))
    return tuple(found)


def _all_pairs(questions: Sequence[Question]) -> Iterator[Pair]:
    """Yield the pairs that are alike, also of several that are the same: each with each."""
    pairs = similar_pairs(questions)
    same: dict[int, list[int]] = defaultdict(list)
    for pair in pairs:
        if pair.kind == "same":
            same[pair.first].append(pair.second)
    for pair in pairs:
        for first in (pair.first, *same[pair.first]):
            for second in (pair.second, *same[pair.second]):
                if first < second and (pair.kind == "near" or second == pair.second):
                    yield pair._replace(first=first, second=second)


def _part(question: Question) -> Part:
    if question.split is None:
        raise InputError(f"question {question.id} has no split; give it train, dev or test")
    return question.split


def _splits(placed: Iterable[tuple[Question, Part]], *, origin: Literal["own", "hash"]) -> Splits:
    parts: dict[Part, list[Question]] = {part: [] for part in get_args(Part)}
    for question, part in placed:
        parts[part].append(question)
    return Splits(origin=origin, **{part: tuple(held) for part, held in parts.items()})


def _check_shares(shares: Mapping[Part, float]) -> None:
    known = set(shares) <= set(get_args(Part)) and all(share >= 0 for share in shares.values())
    if not known or abs(sum(shares.values()) - 1) > 1e-9:
        said = ", ".join(f"{part} {share:g}" for part, share in shares.items())
        raise InputError(f"shares of train, dev and test must add up to 1, got {said}")


def _strata(
    questions: Sequence[Question], *, seed: int
) -> dict[tuple[str, str], list[tuple[int, ...]]]:
    """Groups of positions by stratum, in the order of their hashes.

    A group of several strata goes with its first question in the order of hashes.
    """
    keys = [_hash(question, seed=seed) for question in questions]
    strata: dict[tuple[str, str], list[tuple[int, ...]]] = defaultdict(list)
    ordered = (tuple(sorted(group, key=keys.__getitem__)) for group in _groups(questions))
    for group in sorted(ordered, key=lambda group: keys[group[0]]):
        first = questions[group[0]]
        strata[first.source, first.domain or ""].append(group)
    return strata


def _groups(questions: Sequence[Question]) -> list[list[int]]:
    """Positions of questions that must stay together."""
    parent = list(range(len(questions)))

    def root(place: int) -> int:
        while parent[place] != place:
            parent[place] = parent[parent[place]]
            place = parent[place]
        return place

    for pair in similar_pairs(questions):
        parent[root(pair.second)] = root(pair.first)
    decided: dict[tuple[str, str, str], int] = {}
    for place, question in enumerate(questions):
        for triplet in question.deciding:
            parent[root(place)] = root(decided.setdefault(triplet, place))
    groups: dict[int, list[int]] = defaultdict(list)
    for place in range(len(questions)):
        groups[root(place)].append(place)
    return list(groups.values())


def _deal(groups: Sequence[tuple[int, ...]], shares: Mapping[Part, float]) -> dict[int, Part]:
    """Give each group to the part that lacks most of its share; ties go to the first named."""
    total = sum(map(len, groups))
    lacking = {part: share * total for part, share in shares.items() if share > 0}
    dealt: dict[int, Part] = {}
    for group in groups:
        part = max(lacking, key=lambda name: round(lacking[name] / shares[name], 9))
        lacking[part] -= len(group)
        dealt |= dict.fromkeys(group, part)
    return dealt


def _hash(question: Question, *, seed: int) -> tuple[str, str]:
    """Hash of what is asked; the id, which another copy of the set may number anew, breaks ties."""
    words = [plain_words(question.text), *sorted(map(plain_words, question.options.values()))]
    return sha256(json.dumps([seed, words]).encode()).hexdigest(), question.id


def _digests(questions: Sequence[Question]) -> list[str]:
    texts = (json.dumps(q.model_dump(mode="json"), sort_keys=True) for q in questions)
    return sorted(sha256(text.encode()).hexdigest() for text in texts)
