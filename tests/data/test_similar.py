"""Questions that are the same or nearly the same."""

from __future__ import annotations

import random

from data.similar import plain_words, similar_pairs
from signatures.schema import Question

VIGNETTE = (
    "A 62-year-old woman with type 2 diabetes and chronic kidney disease comes for a check. She "
    "takes metformin and lisinopril. Her eGFR is 24 and her HbA1c is 8.1 percent. She has no "
    "complaints. Which of the following is the most appropriate next step in her treatment?"
)


def ask(text: str, *options: str) -> Question:
    return Question(
        id="q", source="s", text=text, options=dict(zip("ABCDE", options, strict=False))
    )


def kinds(*questions: Question) -> list[tuple[int, int, str]]:
    return [(pair.first, pair.second, pair.kind) for pair in similar_pairs(questions)]


def test_case_marks_and_the_order_of_options_do_not_matter() -> None:
    first = ask("What is Crohn’s disease?", "x", "y")
    assert kinds(first, ask("what is Crohn's disease", "Y", "X")) == [(0, 1, "same")]


def test_one_stem_with_other_options_is_another_question() -> None:
    assert kinds(ask("Which is true?", "x", "y"), ask("Which is true?", "v", "w")) == []


def test_a_long_stem_with_other_options_is_near() -> None:
    one, other = ask(VIGNETTE, "x", "y"), ask(VIGNETTE, "v", "w", "z")
    assert kinds(one, other) == [(0, 1, "near")]


def test_a_changed_value_is_near() -> None:
    assert kinds(ask(VIGNETTE, "x"), ask(VIGNETTE.replace("24", "52"), "x")) == [(0, 1, "near")]


def test_repeats_pair_with_the_first() -> None:
    assert kinds(*[ask(VIGNETTE, "x")] * 3) == [(0, 1, "same"), (0, 2, "same")]


def test_empty_and_single() -> None:
    assert similar_pairs([]) == []
    assert kinds(ask(""), ask("?")) == [(0, 1, "same")]


def test_the_join_finds_what_comparing_all_pairs_finds() -> None:
    draw = random.Random(5)
    words = [f"w{i}" for i in range(30)]
    texts = [" ".join(draw.choices(words, k=draw.randint(4, 12))) for _ in range(60)]
    texts += [text + " w1" for text in texts[:20]]
    questions = [ask(text) for text in texts]
    found = {(p.first, p.second) for p in similar_pairs(questions, threshold=0.5)}

    def triples(text: str) -> set[tuple[str, ...]]:
        split = plain_words(text).split()
        return {tuple(split[i : i + 3]) for i in range(max(1, len(split) - 2))}

    sets = [triples(text) for text in texts]
    wanted = {
        (i, j)
        for j in range(len(sets))
        for i in range(j)
        if len(sets[i] & sets[j]) >= 0.5 * len(sets[i] | sets[j])
    }
    assert wanted
    assert found == wanted
