"""CSV files of questions: what cannot be read is named, all of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from data.question_check import check_questions
from data.questions import read_questions, read_readable
from signatures.errors import QuestionFileError

HEADER = "id,text,A,B,gold\n"
GOOD = "q1,Which drug lowers urate?,Febuxostat,Colchicine,A\n"


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "q.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_every_bad_row_is_listed(tmp_path: Path) -> None:
    bad = "q2,Why, so,x,y,A\nq3,Why?\n\nq4,Why?,x,y,D\n"
    path = write(tmp_path, HEADER + bad + GOOD)
    readable = read_readable(path)
    assert [question.id for question in readable.questions] == ["q1"]
    said = [str(error).removeprefix(f"{path}, ") for error in readable.errors]
    assert said == [
        "line 2: wanted 5 cells, got 6; put a text with commas in quotes",
        "line 3: wanted 5 cells, got 2; add the missing",
        "line 5: the gold D is none of the options A, B",
    ]
    assert len(check_questions([path]).findings) == 3


def test_a_run_says_how_many_rows_are_bad(tmp_path: Path) -> None:
    path = write(tmp_path, HEADER + "q2,Why?\nq3,Why?\nq4,Why?\n" + GOOD)
    with pytest.raises(QuestionFileError, match=r"got 2; .* \(2 others cannot be read either: qk"):
        read_questions(path)


@pytest.mark.parametrize(("sign", "name"), [(";", "semicolon"), ("\t", "tab"), ("|", "bar")])
def test_another_separator_is_named(tmp_path: Path, sign: str, name: str) -> None:
    path = write(tmp_path, (HEADER + GOOD).replace(",", sign))
    with pytest.raises(QuestionFileError, match=f"q.csv: looks {name}-separated; wanted commas"):
        read_questions(path)


def test_the_column_of_the_text_is_named(tmp_path: Path) -> None:
    path = write(tmp_path, "question,answer\nWhich drug lowers urate?,Febuxostat\n")
    with pytest.raises(QuestionFileError, match="the text's column is `text`, not `question`") as e:
        read_questions(path)
    assert "\n" not in str(e.value)


@pytest.mark.parametrize("gold", ["B", "b", " b "])
def test_the_gold_is_read_in_either_case(tmp_path: Path, gold: str) -> None:
    (question,) = read_questions(write(tmp_path, HEADER + GOOD.replace(",A\n", f",{gold}\n")))
    assert (question.gold, question.labelled) == ("B", True)


def test_a_gold_that_is_no_letter_is_refused(tmp_path: Path) -> None:
    with pytest.raises(QuestionFileError, match="field gold"):
        read_questions(write(tmp_path, HEADER + GOOD.replace(",A\n", ",Colchicine\n")))


def test_cells_may_hold_line_ends_and_a_file_may_lack_rows(tmp_path: Path) -> None:
    row = 'q1,"Which drug,\nfor gout?",x,y,A\n'
    (question,) = read_questions(write(tmp_path, HEADER + row))
    assert question.text == "Which drug,\nfor gout?"
    with pytest.raises(QuestionFileError, match="holds none"):
        read_questions(write(tmp_path, HEADER))


@pytest.mark.parametrize("place", ["q.csv", "../{folder}/q.csv"])
def test_a_file_against_itself_overlaps_whole(tmp_path: Path, place: str) -> None:
    path = write(tmp_path, HEADER + GOOD + GOOD.replace("q1", "q2").replace("urate", "lipids"))
    same = tmp_path / place.format(folder=tmp_path.name)
    found = [f for f in check_questions([path], against=[same]).findings if len(f.places) == 1]
    assert [(f.kind, f.detail) for f in found] == [
        ("overlap", "the file itself stands on both sides, with all it holds: 2 questions")
    ]
