"""Question files: shapes, errors that name the line, selection."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from data.questions import read_questions, select
from signatures.errors import InputError, QuestionFileError
from signatures.schema import Question

OWN = {
    "id": "s1",
    "text": "Which drug?",
    "options": {"A": "x", "B": "y"},
    "gold": "B",
    "split": "dev",
}
MEDQA = [
    {"question": "Which?", "options": ["A. x", "B. y", "C. z"], "answer": "z"},
    {"question": "What?", "options": {"A": "5", "B": "10"}, "answer": "10", "answer_idx": "B"},
]


def jsonl(path: Path, *items: object) -> Path:
    path.write_text("\n".join(json.dumps(item) for item in items) + "\n", encoding="utf-8")
    return path


def test_own_jsonl(tmp_path: Path) -> None:
    open_question = {"id": "s2", "text": "Why?", "source": "mine", "reference": "because"}
    none_right = {"id": "s3", "text": "?", "options": {"A": "x"}, "labelled": True}
    first, second, third = read_questions(
        jsonl(tmp_path / "sample.jsonl", OWN, open_question, none_right)
    )
    assert (first.gold, first.labelled, first.source, first.split) == ("B", True, "sample", "dev")
    assert (second.labelled, second.source, second.reference) == (False, "mine", "because")
    assert (third.labelled, third.gold) == (True, None)


def test_a_record_written_by_us_reads_back(tmp_path: Path) -> None:
    question = Question(
        id="q",
        source="s",
        text="Crohn's {x} → ü\u2028?",
        options={"A": "a, b", "B": '"c"'},
        gold="A",
        labelled=True,
        deciding=(("metformin", "contraindication", "renal insufficiency"),),
    )
    path = tmp_path / "q.jsonl"
    path.write_text(question.model_dump_json() + "\n", encoding="utf-8")
    assert read_questions(path) == (question,)


def test_medqa_list_and_object(tmp_path: Path) -> None:
    path = tmp_path / "medqa.json"
    path.write_text(json.dumps(MEDQA), encoding="utf-8")
    first, second = read_questions(path, name="medqa")
    assert (first.id, first.options, first.gold) == (
        "medqa-00001",
        {"A": "x", "B": "y", "C": "z"},
        "C",
    )
    assert (second.gold, second.source, second.labelled) == ("B", "medqa", True)


def test_csv_with_a_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "q.csv"
    path.write_text(
        "\ufeffid,text,A,B,C,gold,split,labelled\n"
        '007,"Which, then?",x,y,,B,test,\n8,None?,x,y,z,,,true\n',
        encoding="utf-8",
    )
    first, second = read_questions(path)
    assert (first.id, first.text, first.options, first.gold) == (
        "007",
        "Which, then?",
        {"A": "x", "B": "y"},
        "B",
    )
    assert (second.labelled, second.gold, len(second.options)) == (True, None, 3)


def test_files_with_two_three_and_ten_options_mix(tmp_path: Path) -> None:
    sizes = (2, 3, 4, 5, 10)
    items = [
        {
            "id": f"q{n}",
            "text": "?",
            "options": dict(zip("ABCDEFGHIJ"[:n], map(str, range(n)), strict=True)),
            "gold": "ABCDEFGHIJ"[n - 1],
        }
        for n in sizes
    ]
    read = read_questions(jsonl(tmp_path / "q.jsonl", *items))
    assert [question.gold for question in read] == ["B", "C", "D", "E", "J"]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("q.jsonl", '{"id": "a", "text": "?"}\n{"id": "a", "text": "?"}', "line 2.*'a'.*line 1"),
        ("q.jsonl", '{"id": "a", "text": "?"}\n\n{"id": ', "line 3: not JSON"),
        (
            "q.jsonl",
            '{"id": "a", "text": "?", "gold": "C", "options": {"A": "x"}}',
            "gold C is none",
        ),
        ("q.jsonl", '{"id": "a", "text": "?", "optoins": {}}', "line 1: field optoins"),
        ("q.jsonl", '{"id": "a", "text": "?", "options": {"K": "x"}}', "line 1: field options.K"),
        ("q.jsonl", '{"id": "a", "text": "?"}\n[1]', "line 2: wanted an object"),
        ("q.jsonl", '{"prompt": "?"}', "fields prompt are of no known shape"),
        (
            "q.json",
            '[{"question": "?", "options": ["A. x"], "answer": "y"}]',
            "item 1.*no option has it",
        ),
        (
            "q.json",
            '[{"question": "?", "options": ["x", "x"], "answer": "x"}]',
            "item 1.*A, B all have",
        ),
        (
            "q.json",
            '[{"question": "?", "options": ["x"], "answer": "x", "answer_idx": "B"}]',
            "'B' is none",
        ),
        ("q.json", '[{"question": "?", "options": ["x"]}]', "item 1: the answer is missing"),
        ("q.json", '[\n{"question": ?}]', "line 2: not JSON"),
        ("q.json", "[]", "holds none"),
        ("q.csv", "", "holds none"),
        ("q.csv", "id,text,A\n1,a,b,c\n", "line 2: wanted 3 cells"),
        ("q.csv", "id,text,A,answer\n1,a,b,c\n", "line 2: column 'answer' is unknown"),
        ("q.csv", 'id,text\n1,"a\n', "not CSV"),
    ],
)
def test_errors_name_the_file_and_the_place(
    tmp_path: Path, name: str, text: str, message: str
) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    with pytest.raises(QuestionFileError, match=message) as caught:
        read_questions(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_file_and_a_file_in_another_encoding(tmp_path: Path) -> None:
    with pytest.raises(QuestionFileError, match="no such file"):
        read_questions(tmp_path / "none.jsonl")
    path = tmp_path / "latin.csv"
    path.write_bytes("id,text\n1,Ménière?\n".encode("latin-1"))
    with pytest.raises(QuestionFileError, match="line 2: the file is not UTF-8"):
        read_questions(path)


def made(*splits: str) -> tuple[Question, ...]:
    return tuple(
        Question(id=f"q{i}", source="t", text="?", split=split)  # type: ignore[arg-type]
        for i, split in enumerate(splits)
    )


def test_select_split_and_order() -> None:
    questions = made("test", "dev", "test", "train")
    assert [q.id for q in select(questions, split="test")] == ["q0", "q2"]
    assert select(questions) == questions


def test_samples_are_nested_ordered_and_seeded() -> None:
    questions = made(*["test"] * 60)
    small, large = select(questions, sample=10, seed=3), select(questions, sample=30, seed=3)
    assert {q.id for q in small} < {q.id for q in large}
    assert [q.id for q in small] == sorted((q.id for q in small), key=lambda i: int(i[1:]))
    assert small != select(questions, sample=10, seed=4)
    assert select(questions, sample=99) == questions


def test_an_empty_selection_says_why() -> None:
    with pytest.raises(InputError, match="no question is left of 2: wanted split 'dev'.*2 test"):
        select(made("test", "test"), split="dev")
    with pytest.raises(InputError, match="sample of 1 or more, got 0"):
        select(made("test"), sample=0)
    with pytest.raises(InputError, match="no question is left of 0"):
        select(())


@pytest.mark.parametrize(
    ("file", "count", "options"),
    [("medqa_full_dev.json", 1269, 5), ("medqa_focused_1030.json", 1024, 4)],
)
def test_real_medqa(shared_data: Path, file: str, count: int, options: int) -> None:
    questions = read_questions(shared_data / file, name="medqa")
    assert len(questions) == count
    assert all(question.labelled and question.gold for question in questions)
    assert max(len(question.options) for question in questions) == options
