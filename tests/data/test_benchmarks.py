"""Every published form that is read: rows written by us, and the real files where they are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from data.benchmark_hallucination import halt_test
from data.questions import read_questions, read_readable
from metrics.answers import read_answer
from metrics.outcomes import is_scored, outcome
from optimize.rows import blind
from signatures.errors import QuestionFileError
from signatures.schema import Question

FORMS = Path(__file__).parent.parent / "fixtures" / "benchmarks"

# file: of each question its id, the letters of its options, its gold, and its reference's start
READ = {
    "medqa.jsonl": ["medqa-00001 ABCDE A Iron", "medqa-00002 ABCD C Ascorbic"],
    "medqa_list.json": ["medqa_list-00001 ABCDE A Iron", "medqa_list-00002 ABCD C Ascorbic"],
    "mirage.json": [
        "medqa-0000 ABCD C Ascorbic",
        "medmcqa-4f-1 ABCD A Femur",
        "pubmedqa-1001 ABC C maybe",
        "bioasq-b1 AB A yes",
        "mmlu-anatomy-000 ABCD C 4",
    ],
    "medddx.json": ["medddx-00001 ABCD A Lyme", "medddx-00002 ABCD B carcinoid"],
    "afrimedqa_mcq_expert.json": ["mcq_expert-0 ABCDE B Tsetse"],
    "afrimedqa_saq_expert.json": ["saq_expert-0 - - By"],
    "afrimedqa.csv": [
        "a1 ABCDE A Anopheles",
        "a2 ABCDE - -",
        "a3 ABCDEFGHIJ J Stage",
        "a4 - - The",
        "a5 - - Yes,",
        "a6 AC C Tsetse",
    ],
    "pubmedqa_hub.jsonl": ["2001 ABC A Naps", "2002 ABC C The", "2003 ABC - Half"],
    "pubmedqa.json": ["pubmedqa-2101 ABC B Shade", "pubmedqa-2102 ABC - Fans"],
    "medmcqa_hub.jsonl": ["h1 ABCD A Adrenal", "h2 ABCD D Both", "h3 ABCD D Thymus"],
    "medmcqa_authors.jsonl": ["o1 ABCD A Adrenal", "o2 ABCD D Thymus"],
    "medmcqa_explained.jsonl": ["e1 ABCD B Thyroid", "e2 ABCD C Pineal"],
    "medmcqa_test.jsonl": ["t1 ABCD - -", "t2 ABCD - -"],
    "mmlu.jsonl": ["mmlu-00001 ABCD A Aorta"],
    "mmlu_letters.jsonl": ["mmlu_letters-00001 ABCD B Vena", "mmlu_letters-00002 ABCD - -"],
    "mmlu_bare.csv": ["mmlu_bare-00001 ABCD A Mitral", "mmlu_bare-00002 ABCD C 3"],
    "mmlu_pro.jsonl": ["70 ABCDEFGHIJ E Na"],
    "medreason.jsonl": [
        "medqa-7 ABCD A Argatroban",
        "pubmedqa-8 AB A Yes",
        "MedXpertQA-Text-9 ABC C Median",
        "huatuo-10 - - Protamine",
        "medmcqa-11 AB - Something",
        "medqa-7#2 ABCD C Vitamin",
    ],
    "huatuo.json": ["huatuo-00001 - - Naloxone"],
    "huatuo_sft.json": ["huatuo_sft-00001 - - Flumazenil."],
    "huatuo_eval.json": ["MedQA_USLME_test-00001 ABCD C Ascorbic", "PubMedQA_test-00002 ABC A yes"],
    "medxpertqa.jsonl": ["Text-1 ABCDEFGHIJ J Tumor", "Text-2 ABCDEFGHIJ B Tumor", "MM-3 AB A Air"],
    "hle.jsonl": ["e01 ABC A Lateral", "e02 - - 12", "e03 - - Pattern"],
    "medbullets.csv": ["medbullets-00001 ABCDE C Secure", "medbullets-00002 ABCDE - -"],
    "medbullets.json": ["medbullets-00001 ABCD C Secure"],
    "medhallu.jsonl": ["medhallu-00001 - - Splints"],
    "medhalt_fct.csv": ["f1 ABCD B Catgut", "f2 AB - -"],
    "medhalt_nota.csv": ["n1 ABCD B None"],
    "medhalt_fake.csv": ["k1 ABCD D I", "k2 AB - -"],
    "kgrag_choice.csv": ["kgrag_choice-00001 ABCDE B GENE2", "kgrag_choice-00002 AB B rs999000999"],
    "kgrag_statements.csv": [
        "kgrag_statements-00001 AB A True",
        "kgrag_statements-00002 AB B False",
    ],
    "qkg.jsonl": ["qa_1 ABCD A Argatroban", "medqa_2 ABC C Median", "qa_3 AB B Vitamin"],
}


def form(name: str) -> tuple[Question, ...]:
    return read_questions(FORMS / name)


def explained() -> list[dict[str, object]]:
    text = (FORMS / "medmcqa_explained.jsonl").read_text(encoding="utf-8")
    return [json.loads(row) for row in text.splitlines()]


def line(question: Question) -> str:
    reference = (question.reference or "-").split()[0]
    return f"{question.id} {''.join(question.options) or '-'} {question.gold or '-'} {reference}"


@pytest.mark.parametrize("name", sorted(READ))
def test_each_form(name: str) -> None:
    assert [line(question) for question in form(name)] == READ[name]


def test_every_fixture_is_listed() -> None:
    assert {path.name for path in FORMS.iterdir()} == READ.keys()


def test_only_fake_questions_are_scored_without_a_gold() -> None:
    odd = {q.id for name in READ for q in form(name) if q.labelled and q.gold is None}
    assert odd == {"k2"}
    fake = form("medhalt_fake.csv")[1]
    assert [outcome(fake, text).kind for text in ("A", "abstain")] == [
        "wrong",
        "correct_abstention",
    ]


def test_the_tests_of_medhalt_are_told_apart() -> None:
    found = {name: {halt_test(q) for q in form(f"medhalt_{name}.csv")} for name in ("fct", "nota")}
    assert found == {"fct": {"FCT"}, "nota": {"NOTA"}}
    assert {halt_test(q) for q in form("medhalt_fake.csv")} == {"Fake"}
    assert {halt_test(q) for q in form("medqa.jsonl")} == {None}


def test_the_passage_of_a_medhallu_question_is_kept_for_judges_alone() -> None:
    (question,) = form("medhallu.jsonl")
    assert question.knowledge == "Thirty hands were splinted."
    assert blind(question).knowledge is None


def test_every_way_of_not_knowing_in_the_real_fake_questions(shared_data: Path) -> None:
    """Eight of the twelve odd items say it otherwise or twice; four have no such option."""
    questions = read_questions(shared_data / "medhalt_fake_dev.csv")
    assert {halt_test(question) for question in questions} == {"Fake"}
    open_ = [question for question in questions if question.gold is None]
    assert len(open_) == 4
    assert all(outcome(question, "abstain").kind == "correct_abstention" for question in open_)
    said = {q.options[q.gold] for q in questions if q.gold}
    assert {"I do not know!", "E. I do not know", 'I don"t know.'} <= said


def test_no_note_names_the_gold() -> None:
    for name in READ:
        for question in form(name):
            said = " ".join(question.notes)
            assert not question.gold or question.options[question.gold] not in said


def test_options_are_taken_out_of_the_text() -> None:
    texts = {q.id: q.text for name in READ for q in form(name)}
    assert texts["Text-1"] == "Which tumor is it?"
    assert texts["mcq_expert-0"] == "Which fly spreads sleeping sickness?"
    assert texts["kgrag_choice-00001"].endswith("associated with x and y.")
    assert texts["e03"].endswith("L. Pattern 12")


def test_the_proposed_answer_of_a_false_confidence_question_is_shown() -> None:
    first = form("medhalt_fct.csv")[0]
    assert first.text.endswith("Proposed answer, right or wrong: Nylon")
    assert "Nylon" in first.options.values()


def test_a_consumers_query_keeps_its_scenario() -> None:
    assert form("afrimedqa.csv")[4].text.startswith("Your friend has a fever")


def test_splits_of_the_file_are_kept() -> None:
    assert [q.split for q in form("afrimedqa.csv")][:3] == ["test", "test", "train"]


def test_ten_options_are_read_and_answered() -> None:
    question = form("medxpertqa.jsonl")[0]
    assert read_answer("J", question.options).letter == "J"
    assert outcome(question, "The answer is (J).").kind == "correct"


def test_sizes_mix_in_one_file(tmp_path: Path) -> None:
    """2, 3, 4, 5 and 10 options, each in its own published shape."""
    names = ("medxpertqa.jsonl", "medqa.jsonl", "pubmedqa_hub.jsonl", "medreason.jsonl")
    path = tmp_path / "mixed.jsonl"
    path.write_text("".join((FORMS / name).read_text(encoding="utf-8") for name in names))
    read = read_questions(path)
    assert {len(question.options) for question in read} == {0, 2, 3, 4, 5, 10}
    assert len(read) == sum(len(READ[name]) for name in names)


@pytest.mark.parametrize("start", [0, 1])
def test_the_index_of_medmcqa_is_told_by_its_file(tmp_path: Path, start: int) -> None:
    rows = explained()
    for row, right in zip(rows, (1, 2), strict=True):
        row["cop"] = right + start
    path = tmp_path / "medmcqa.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    assert [question.gold for question in read_questions(path)] == ["B", "C"]


def test_an_index_that_nothing_explains_is_not_scored(tmp_path: Path) -> None:
    rows = explained()
    path = tmp_path / "medmcqa.jsonl"
    path.write_text("\n".join(json.dumps({**row, "exp": ""}) for row in rows), encoding="utf-8")
    for question in read_questions(path):
        assert not is_scored(question)
        assert "counts from 0 or 1" in question.notes[0]


def test_an_index_of_both_kinds_is_an_error(tmp_path: Path) -> None:
    rows = explained()
    path = tmp_path / "medmcqa.jsonl"
    both = [{**rows[0], "cop": 0}, {**rows[1], "cop": 4}]
    path.write_text("\n".join(map(json.dumps, both)), encoding="utf-8")
    with pytest.raises(QuestionFileError, match="0 in one question and 4 in another") as caught:
        read_questions(path)
    assert str(path) in str(caught.value)


def test_a_test_split_without_keys_is_not_scored() -> None:
    assert not any(map(is_scored, form("medmcqa_test.jsonl")))


def test_multi_is_flagged_and_scored_by_its_one_key() -> None:
    several = form("medmcqa_hub.jsonl")[1]
    assert is_scored(several)
    assert several.notes == ("several options may be right: the one key is scored",)


def test_a_key_against_its_explanation_is_flagged() -> None:
    assert form("medmcqa_hub.jsonl")[2].notes == (
        "the explanation names another option than the key",
    )


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"question": "?", "opa": "x", "opb": "y", "cop": 3}, "D is none of the options A, B"),
        ({"question": "?", "choices": ["x", "y"], "answer": 7}, "H is none of the options A, B"),
        ({"query": "?\nA: x\nB: y", "answer": "C"}, "'C' is none of the options"),
        ({"pubid": 1, "question": "?", "final_decision": "perhaps"}, "'perhaps' is none of yes"),
        (
            {"id": "m", "question": "?", "options": {"A": "x"}, "label": "B"},
            "B is none of the options",
        ),
        ({"question": "?", "options": ["x", "y"], "answer": "x", "answer_index": 2}, "'C' is none"),
    ],
)
def test_a_key_out_of_range_is_an_error(
    tmp_path: Path, row: dict[str, object], message: str
) -> None:
    rows = [row, {**row, "cop": 0}] if "cop" in row else [row]
    path = tmp_path / "file.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    with pytest.raises(QuestionFileError, match=f"line 1.*{message}"):
        read_questions(path)


def test_what_can_be_read_is_read(tmp_path: Path) -> None:
    good = {"question": "?", "choices": ["x", "y"], "answer": 1}
    path = tmp_path / "mmlu.jsonl"
    path.write_text("\n".join(map(json.dumps, [good, {**good, "answer": 5}, good])))
    readable = read_readable(path)
    assert [question.gold for question in readable.questions] == ["B", "B"]
    assert len(readable.errors) == 1


@pytest.mark.parametrize(
    ("file", "count", "golds", "sizes"),
    [
        ("medqa_full_dev.json", 1269, 1269, {5}),
        ("medqa_focused_1030.json", 1024, 1024, {4}),
        ("mirage_medmcqa_bioasq_dev.json", 4182 + 618, 4182 + 618, {2, 4}),
        ("medhalt_fake_dev.csv", 1558, 1554, {1, 4, 5, 6, 7, 8}),
        ("kgrag_mcq_questions.csv", 306, 306, {4, 5}),
        ("kgrag_true_false_questions.csv", 311, 311, {2}),
    ],
)
def test_real_files(shared_data: Path, file: str, count: int, golds: int, sizes: set[int]) -> None:
    questions = read_questions(shared_data / file)
    assert len(questions) == count
    assert sum(question.gold is not None for question in questions) == golds
    assert {len(question.options) for question in questions} == sizes
    assert all(map(is_scored, questions))


def test_a_gold_that_the_graph_lacks_is_read_and_scored(shared_data: Path) -> None:
    """PrimeKG has no variants; the questions about them stay in the denominator."""
    questions = read_questions(shared_data / "kgrag_mcq_questions.csv")
    variants = [q for q in questions if q.gold and q.options[q.gold].startswith("rs")]
    assert variants
    assert {outcome(q, "abstain").kind for q in variants} == {"abstained"}
