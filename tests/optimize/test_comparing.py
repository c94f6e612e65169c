from __future__ import annotations

from pathlib import Path

import pytest

from optimize.compare_tables import comparison_table, flip_tables, flips_table, unmatched_table
from optimize.comparing import compare
from optimize.results import ResultRow, Results, read_results
from signatures.errors import InputError
from signatures.schema import Outcome
from tests.support.run_folder import make_question, write_run


def results(
    name: str, answers: dict[str, str | None], first: dict[str, str] | None = None
) -> Results:
    """Every gold is A; `None` was not run."""
    rows = tuple(
        ResultRow(
            key=key,
            first=outcome(first[key]) if first else None,
            final=outcome(answer),
            place=f"{name}:{line}",
        )
        for line, (key, answer) in enumerate(answers.items(), start=1)
    )
    return Results(name=name, path=name, rows=rows)


def outcome(letter: str | None) -> Outcome:
    if letter is None:
        return Outcome(kind="not_run", letter=None, gold="A")
    return Outcome(kind="correct" if letter == "A" else "wrong", letter=letter, gold="A")


def test_unmatched_and_not_run_questions_are_named_and_left_out() -> None:
    a = results("a", {"q1": "A", "q2": "B", "q3": "A", "q4": "A"})
    b = results("b", {"q1": "B", "q2": "A", "q3": None, "q5": "A"})
    (found,) = compare([a, b])
    assert (found.only_a, found.only_b, found.total) == (("q3", "q4"), ("q5",), 2)
    assert found.words == "B fixes 1, breaks 1"
    assert [(f.key, f.change, f.place_a, f.place_b) for f in found.flips] == [
        ("q2", "fixed", "a:2", "b:2"),
        ("q1", "broken", "a:1", "b:1"),
    ]
    assert unmatched_table([found]).rows == (("a", "b", "2", "q3, q4"), ("b", "a", "1", "q5"))


def test_every_pair_is_one_family() -> None:
    runs = [
        results(name, {f"q{n}": "A" if n < right else "B" for n in range(20)})
        for name, right in (("a", 4), ("b", 11), ("c", 18))
    ]
    found = compare(runs)
    assert [(c.a, c.b) for c in found] == [("a", "b"), ("a", "c"), ("b", "c")]
    smallest = min(found, key=lambda c: c.p)
    assert smallest.p_holm == pytest.approx(3 * smallest.p)
    assert all(c.p_holm >= c.p for c in found)


def test_questions_that_were_tuned_on_yield_no_p_value() -> None:
    a, b, c = (
        results(name, {f"q{n}": "A" if n < right else "B" for n in range(20)})
        for name, right in (("a", 4), ("b", 11), ("c", 18))
    )
    tuned = b.model_copy(update={"tuned": True})
    ab, ac, bc = compare([a, tuned, c])
    assert (ab.p, ab.p_holm, bc.p, bc.p_holm) == (None, None, None, None)
    assert ac.p_holm == ac.p == compare([a, c])[0].p
    assert comparison_table([ab]).rows[0].count("withheld") == 2


def test_within_compares_first_answers_of_the_same_run() -> None:
    run = results("a", {"q1": "A", "q2": "A"}, first={"q1": "B", "q2": "A"})
    (found,) = compare([run], within=True)
    assert (found.a, found.b, found.fixes, found.breaks) == ("a, first answer", "a", 1, 0)


def test_identical_runs_say_so() -> None:
    run = {"q1": "A", "q2": "B"}
    (found,) = compare([results("a", run), results("b", run)])
    assert (found.p, found.low, found.high, found.detectable) == (1.0, 0.0, 0.0, None)
    assert found.words.startswith("no difference")


def test_one_run_alone_needs_within() -> None:
    with pytest.raises(InputError, match="--within"):
        compare([results("a", {"q1": "A"})])


def test_nothing_shared_is_an_error() -> None:
    with pytest.raises(InputError, match="share no answered question"):
        compare([results("a", {"q1": "A"}), results("b", {"x": "A"})])


def test_first_answers_that_were_not_run_are_not_shared() -> None:
    row = results("a", {"q1": "A"}, first={"q1": "B"}).rows[0]
    unrun = row.model_copy(update={"first": outcome(None)})
    with pytest.raises(InputError, match="share no answered question"):
        compare([Results(name="a", path="a", rows=(unrun,))], within=True)


def test_within_says_which_programs_have_first_answers() -> None:
    with pytest.raises(InputError) as caught:
        compare([results("direct", {"q1": "A"})], within=True)
    assert str(caught.value) == "direct has no first answers: --within needs qkg or qkgram"


def test_another_gold_or_text_is_an_error() -> None:
    a, b = results("a", {"q1": "A"}), results("b", {"q1": "A"})
    row = b.rows[0]
    regold = row.final.model_copy(update={"gold": "B"})
    for change in ({"final": regold}, {"digest": "x"}):
        other = b.model_copy(update={"rows": (row.model_copy(update=change),)})
        same = a.model_copy(update={"rows": (a.rows[0].model_copy(update={"digest": "y"}),)})
        with pytest.raises(InputError, match="first q1"):
            compare([same, other])


def test_tables_have_a_cell_per_column() -> None:
    found = compare([results("a", {"q1": "A", "q2": "B"}), results("b", {"q1": "B", "q2": "B"})])
    for table in (comparison_table(found), flips_table(found), *flip_tables(found)):
        assert table.rows
        assert all(len(row) == len(table.header) for row in table.rows)


# The release's significance_results.csv: b, c, N and p of its rows A to F; row G is the audit's.
GOLDEN = {
    "haiku": [(22, 39, 2787, "0.03962"), (16, 55, 2788, "3.753e-06"), (26, 48, 2787, "0.01408")],
    "qwen": [(16, 177, 2787, "1.635e-35"), (38, 204, 2783, "1.186e-28"), (65, 70, 2782, "0.7308")],
}


@pytest.mark.parametrize("validator", GOLDEN)
def test_released_runs_give_the_released_tests(shared_data: Path, validator: str) -> None:
    folder = shared_data / "qkg_results" / "data_result" / "per_sample"
    runs = [read_results(folder / f"{validator}_{setting}.csv") for setting in ("nopc", "wpc")]
    found = compare(runs, within=True)
    assert [(c.breaks, c.fixes, c.total, f"{c.p:.4g}") for c in found] == GOLDEN[validator]


def test_a_run_without_first_answers_is_compared_with_the_others_alone(tmp_path: Path) -> None:
    questions = [make_question(n, gold="A", split="test") for n in range(3)]
    answers = {q.id: "A" for q in questions}
    direct = write_run(tmp_path / "direct", questions, answers)
    qkg = write_run(tmp_path / "qkg", questions, answers, firsts={q.id: "B" for q in questions})
    found = compare([read_results(direct), read_results(qkg)], within=True)
    assert [(c.a, c.b) for c in found] == [("qkg, first answer", "qkg"), ("direct", "qkg")]
