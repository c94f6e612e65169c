"""Run directories: what is used again, what is refused, what a crash leaves behind."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import pytest

from metrics.outcomes import not_run, outcome
from optimize.rows import Row, Task, blind, trace_of
from optimize.runs import CARD, ROWS, RunDirectory, read_run
from optimize.summary import summarise
from signatures.errors import InputError
from signatures.schema import Outcome, PatientContext, Quantity, Question, Span, Usage
from tests.support.evaluate_toy import open_toy, toy_identity, toy_questions

QUESTIONS = toy_questions(4)


def made(task: Task, answer: str | None = "B", *, run: bool = True, **fields: object) -> Row:
    return Row(
        **{
            "key": task.key,
            "fingerprint": toy_identity().fingerprint,
            "question": task.question.id,
            "repeat": task.repeat,
            "source": task.question.source,
            "domain": None,
            "answer": answer,
            "outcome": outcome(task.question, answer) if run else not_run(task.question),
            "finished": "2026-01-01T00:00:00+00:00",
            **fields,
        }  # type: ignore[arg-type]
    )


def write_all(path: Path, **options: object) -> None:
    with open_toy(path, QUESTIONS, **options) as run:
        for task in run.todo():
            run.append(made(task))


def todo(path: Path, **options: object) -> list[str]:
    with open_toy(path, QUESTIONS, **options) as run:
        return [task.question.id for task in run.todo()]


def test_a_finished_run_has_nothing_to_do(tmp_path: Path) -> None:
    write_all(tmp_path / "new" / "run")
    assert todo(tmp_path / "new" / "run") == []
    found = read_run(tmp_path / "new" / "run")
    assert (found.incomplete, len(found.rows), found.notes) == (False, 4, ())
    assert [found.lines[task.key] for task in found.tasks] == [1, 2, 3, 4]


def test_a_row_is_never_written_twice(tmp_path: Path) -> None:
    with open_toy(tmp_path, QUESTIONS) as run:
        task = next(run.todo())
        assert run.append(made(task))
        assert not run.append(made(task, "A"))
        assert len(list(run.todo())) == 3
    assert len((tmp_path / ROWS).read_text().splitlines()) == 1


def test_null_then_valid_the_last_valid_row_counts(tmp_path: Path) -> None:
    with open_toy(tmp_path, QUESTIONS) as run:
        first, second, *_ = run.todo()
        run.append(made(first, None, run=False, reason="down"))
        run.append(made(first, "B"))
        run.append(made(second, "A"))
    lines = (tmp_path / ROWS).read_text().splitlines()
    later = made(first, None, run=False, reason="down again").model_dump_json()
    again = made(second, "B").model_dump_json()
    (tmp_path / ROWS).write_text("\n".join([*lines, again, later]) + "\n")

    found = read_run(tmp_path)
    assert {row.question: row.answer for row in found.rows.values()} == {"q0": "B", "q1": "B"}
    assert found.lines[second.key] == 4
    assert found.notes == ("1 row repeats a question; the last one counts",)
    assert found.failed == {}
    assert todo(tmp_path) == ["q2", "q3"]


def test_questions_that_were_not_run_are_tried_again(tmp_path: Path) -> None:
    with open_toy(tmp_path, QUESTIONS) as run:
        for task in list(run.todo()):
            run.append(made(task, None, run=False, reason="down", usage=Usage(calls=1)))
    assert read_run(tmp_path).incomplete
    assert todo(tmp_path) == ["q0", "q1", "q2", "q3"]
    write_all(tmp_path)
    found = read_run(tmp_path)
    assert not found.incomplete
    assert not found.failed


def test_the_same_reason_for_nothing_is_not_written_again(tmp_path: Path) -> None:
    for _ in range(2):
        with open_toy(tmp_path, QUESTIONS) as run:
            run.append(made(next(run.todo()), None, run=False, reason="the text is blank"))
    assert len((tmp_path / ROWS).read_text().splitlines()) == 1


def test_a_torn_last_line_is_skipped_and_not_joined(tmp_path: Path) -> None:
    write_all(tmp_path)
    file = tmp_path / ROWS
    file.write_bytes(file.read_bytes()[:-40])
    assert todo(tmp_path) == ["q3"]
    write_all(tmp_path)
    found = read_run(tmp_path)
    assert len(found.rows) == 4
    assert found.notes == ("1 line of rows.jsonl cannot be read and was skipped",)


def test_garbage_in_the_middle_is_skipped(tmp_path: Path) -> None:
    write_all(tmp_path)
    lines = (tmp_path / ROWS).read_bytes().split(b"\n")
    garbage = [b"\x00\xff{", b"[" * 100_000, b'{"key": 1}', b""]
    (tmp_path / ROWS).write_bytes(b"\n".join([lines[0], *garbage, *lines[1:]]))
    found = read_run(tmp_path)
    assert len(found.rows) == 4
    assert found.notes[0].startswith("3 lines")
    assert found.lines[found.tasks[1].key] == 6


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"prompts": "other"}, "prompts"),
        ({"graph": "g2"}, "graph: 'g1' there, 'g2' now"),
        (
            {"models": {"reasoner": {"id": "b", "temperature": 0.0}}},
            "models.reasoner.id: .* 'b' now",
        ),
        (
            {"models": {"reasoner": {"id": "scripted/model", "temperature": 0.7}}},
            "temperature: 0.0",
        ),
        ({"settings": {"region": {"k": 10}}}, "settings.region.k: None there, 10 now"),
        ({"program": "other"}, "program: 'toy' there"),
    ],
)
def test_a_run_of_something_else_is_refused(
    tmp_path: Path, changes: dict[str, object], said: str
) -> None:
    write_all(tmp_path)
    before = (tmp_path / CARD).read_bytes(), (tmp_path / ROWS).read_bytes()
    with pytest.raises(InputError, match=said) as caught:
        open_toy(tmp_path, QUESTIONS, identity=toy_identity(**changes))
    assert "must not be mixed" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert ((tmp_path / CARD).read_bytes(), (tmp_path / ROWS).read_bytes()) == before
    assert todo(tmp_path) == []


def test_another_text_is_another_question(tmp_path: Path) -> None:
    write_all(tmp_path)
    changed = QUESTIONS[0].model_copy(update={"text": "Reworded?"})
    with open_toy(tmp_path, (changed, *QUESTIONS[1:])) as run:
        assert [task.question.text for task in run.todo()] == ["Reworded?"]
        found = run.read()
    assert found.missing == 1
    assert found.notes == ("1 row belongs to a question outside the selection",)


def test_a_wider_selection_goes_on(tmp_path: Path) -> None:
    with open_toy(tmp_path, QUESTIONS[:2]) as run:
        for task in run.todo():
            run.append(made(task))
    assert todo(tmp_path) == ["q2", "q3"]
    assert read_run(tmp_path).incomplete


def test_repeats_are_rows_of_their_own(tmp_path: Path) -> None:
    write_all(tmp_path)
    with open_toy(tmp_path, QUESTIONS, repeats=3) as run:
        left = list(run.todo())
        assert [task.repeat for task in left] == [1] * 4 + [2] * 4
        for task in left:
            run.append(made(task, "A" if task.repeat == 2 else "B"))
        summary = summarise(run.read())
    assert [part.value for part in summary.repeats] == [1.0, 1.0, 0.0]
    assert summary.mean == pytest.approx(2 / 3)
    assert summary.sd == pytest.approx(0.57735, abs=1e-5)


def test_a_corrected_gold_rescores_and_says_so(tmp_path: Path) -> None:
    write_all(tmp_path)
    corrected = QUESTIONS[0].model_copy(update={"gold": "A"})
    with open_toy(tmp_path, (corrected, *QUESTIONS[1:])) as run:
        assert list(run.todo()) == []
        found = run.read()
    assert summarise(found).accuracy.right == 3
    assert found.notes == ("1 outcome was read again and differs from the one in rows.jsonl",)


def test_folders_that_are_no_run(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match=r"holds other files \(notes.txt\)"):
        open_toy(tmp_path, QUESTIONS)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["notes.txt"]
    with pytest.raises(InputError, match="is a file"):
        open_toy(tmp_path / "notes.txt", QUESTIONS)
    with pytest.raises(InputError, match="no run there"):
        read_run(tmp_path / "none")


def test_a_run_of_a_later_version_is_refused(tmp_path: Path) -> None:
    write_all(tmp_path)
    card = json.loads((tmp_path / CARD).read_text())
    (tmp_path / CARD).write_text(json.dumps({**card, "format": 99}))
    with pytest.raises(InputError, match="another version"):
        read_run(tmp_path)


def test_a_run_open_here_cannot_be_opened_again(tmp_path: Path) -> None:
    with open_toy(tmp_path, QUESTIONS), pytest.raises(InputError, match="another process"):
        open_toy(tmp_path, QUESTIONS)
    assert todo(tmp_path) == ["q0", "q1", "q2", "q3"]


def test_no_rows_yet(tmp_path: Path) -> None:
    with open_toy(tmp_path, QUESTIONS) as run:
        summary = summarise(run.read())
    assert (summary.accuracy.value, summary.done, summary.incomplete) == (None, 0, True)
    assert summary.seconds_per_item is None


def test_text_without_utf8_and_infinite_ends_survive(tmp_path: Path) -> None:
    span = Span(start=0, end=1, text="x")
    low = Quantity(analyte="egfr", low=float("-inf"), high=30, unit=None, span=span)
    trace = trace_of({"patient": PatientContext(quantities=(low,)), "notes": ("é\u2028",)})
    with open_toy(tmp_path, QUESTIONS) as run:
        task = next(run.todo())
        run.append(made(task, "\ud800 B", trace=trace))
        row = run.read().rows[task.key]
    assert row.answer == "\ud800 B"
    assert row.trace["notes"] == ["é\u2028"]
    assert PatientContext.model_validate(row.trace["patient"]).quantities[0].low == float("-inf")


def test_a_program_sees_no_gold() -> None:
    question = Question(
        id="q", source="s", text="?", options={"A": "x"}, gold="A", labelled=True, reference="x",
        domain="INTEGRATED", decided_by="threshold", deciding=(("a", "indication", "b"),),
        split="test",
    )  # fmt: skip
    seen = blind(question)
    assert seen == Question(id="q", source="s", text="?", options={"A": "x"}, split="test")


def test_rows_of_another_identity_do_not_count(tmp_path: Path) -> None:
    write_all(tmp_path)
    foreign = made(Task(QUESTIONS[0], 0), "A", fingerprint="f" * 16).model_dump_json()
    with (tmp_path / ROWS).open("a") as file:
        file.write(foreign + "\n")
    found = read_run(tmp_path)
    assert found.rows[found.tasks[0].key].answer == "B"
    assert found.notes == ("1 row was made from something else and does not count",)


def test_an_unlabelled_question_is_kept_and_not_scored(tmp_path: Path) -> None:
    question = Question(id="u", source="user", text="Why?")
    with open_toy(tmp_path, (question,)) as run:
        task = next(run.todo())
        run.append(made(task, "because", run=False).model_copy(update={"outcome": None}))
        summary = summarise(run.read())
    assert (summary.unscored, summary.accuracy.counted, summary.incomplete) == (1, 0, False)


def test_directory_api_is_a_context_manager(tmp_path: Path) -> None:
    run = open_toy(tmp_path, QUESTIONS)
    run.close()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert isinstance(run, RunDirectory)
    assert Outcome(kind="not_run", letter=None, gold="B") == not_run(QUESTIONS[0])


def test_questions_of_another_file_are_refused(tmp_path: Path) -> None:
    write_all(tmp_path, selection={"file": "mine.jsonl"})
    before = (tmp_path / CARD).read_text()
    with pytest.raises(InputError, match="answers questions of mine.jsonl, not of questions.jsonl"):
        open_toy(tmp_path, QUESTIONS, selection={"file": "questions.jsonl"})
    assert (tmp_path / CARD).read_text() == before
    assert todo(tmp_path, selection={"file": "mine.jsonl", "sample": 4}) == []


def test_a_file_of_the_same_name_with_other_questions_is_refused(tmp_path: Path) -> None:
    said = {"file": "mine.jsonl"}
    write_all(tmp_path, selection=said)
    others = tuple(q.model_copy(update={"text": f"Other: {q.text}"}) for q in QUESTIONS)
    with pytest.raises(InputError, match="nothing in common with the 4 questions asked now"):
        open_toy(tmp_path, others, selection=said)
    assert len(read_run(tmp_path).rows) == 4


def test_a_run_without_a_row_may_become_one_of_another_file(tmp_path: Path) -> None:
    open_toy(tmp_path, QUESTIONS, selection={"file": "mine.jsonl"}).close()
    assert len(todo(tmp_path, selection={"file": "questions.jsonl"})) == 4


def test_asked_and_not_answered_is_in_common(tmp_path: Path) -> None:
    with open_toy(tmp_path, QUESTIONS[:2]) as run:
        run.append(made(next(run.todo())))
    assert todo(tmp_path) == ["q1", "q2", "q3"]
    with open_toy(tmp_path, QUESTIONS[1:]) as run:
        assert len(list(run.todo())) == 3
