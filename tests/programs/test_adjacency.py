"""`adjacency` over small graphs: what joins, what does not, ties, patients; never a model."""

from __future__ import annotations

from pathlib import Path

import dspy
import pytest

from programs.adjacency import Adjacency
from programs.question_asks import asked_of
from programs.registry import ProgramSettings, build_program
from programs.toolbox import Toolbox
from signatures.schema import ABSTAIN, Question
from tests.programs.small import Items, toolbox

DRUG, DISEASE, SIGN, GENE = "drug", "disease", "effect/phenotype", "gene/protein"

FACTS = [
    ("Allopurinol", DRUG, "indication", "gout", DISEASE),
    ("Febuxostat", DRUG, "indication", "gout", DISEASE),
    ("Febuxostat", DRUG, "contraindication", "heart failure", DISEASE),
    ("Furosemide", DRUG, "indication", "heart failure", DISEASE),
    ("Furosemide", DRUG, "drug_effect", "hyperuricemia", SIGN),
    ("Albuterol", DRUG, "drug_effect", "tremor", SIGN),
    ("Albuterol", DRUG, "drug_effect", "hypokalemia", SIGN),
    ("gouty arthritis", DISEASE, "disease_disease", "gout", DISEASE),
    ("gout", DISEASE, "disease_protein", "ABCG2", GENE),
    ("asthma", DISEASE, "disease_protein", "ORMDL3", GENE),
    ("asthma", DISEASE, "disease_phenotype_positive", "wheezing", SIGN),
    ("bronchitis", DISEASE, "disease_phenotype_positive", "wheezing", SIGN),
]
ITEMS: Items = {
    ("Allopurinol", "indication", "gout"): [
        ("eGFR < 30 mL/min/1.73 m2", "Definitely NOT Applicable"),
        ("general population", "Definitely Applicable"),
    ]
}


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Toolbox:
    return toolbox(tmp_path_factory.mktemp("adjacency"), FACTS, ITEMS)


def ask(tools: Toolbox, text: str, *options: str, **settings: bool) -> dspy.Prediction:
    question = Question(
        id="q", source="test", text=text, options=dict(zip("ABCDEF", options, strict=False))
    )
    with dspy.context(lm=None, roles={}):
        return build_program("adjacency", tools=tools, settings=ProgramSettings(**settings))(
            question=question
        )


def chosen(tools: Toolbox, text: str, *options: str, **settings: bool) -> str:
    choice: str = ask(tools, text, *options, **settings).response.llm_answer_choice
    return choice


def test_the_joined_option_is_the_answer_and_cites_its_triplet(tools: Toolbox) -> None:
    said = ask(tools, "Which drug treats gout?", "Furosemide", "Allopurinol", "Albuterol")
    assert said.response.llm_answer_choice == "B"
    assert said.response.selected_option_text == "Allopurinol"
    join = said.scores[1].joins[0]
    assert (join.mentioned.name, join.option.name) == ("gout", "Allopurinol")
    assert f"[{join.evidence[0].triplet.id}]" in said.response.reasoning
    assert 0 < said.confidence < 1
    assert said.not_covered == ("Furosemide", "Albuterol")


def test_it_has_no_predictor(tools: Toolbox) -> None:
    assert Adjacency(tools).predictors() == []


def test_a_tie_is_no_answer(tools: Toolbox) -> None:
    """Both drugs are indicated; in the graph they have other degrees, so the tie is of twins."""
    said = ask(tools, "Which drug treats gout?", "Allopurinol", "Allopurinol tablets", "Albuterol")
    assert said.response.llm_answer_choice == ABSTAIN
    assert said.confidence == 0


def test_nothing_joined_is_no_answer(tools: Toolbox) -> None:
    said = ask(tools, "Which drug treats gout?", "Albuterol", "Unknownide")
    assert said.response.llm_answer_choice == ABSTAIN
    assert "joins no option" in said.response.reasoning
    assert "options that the graph does not know: B" in said.notes


def test_a_question_without_options_is_no_answer(tools: Toolbox) -> None:
    assert chosen(tools, "Which drug treats gout?") == ABSTAIN


def test_what_is_asked_turns_the_polarity(tools: Toolbox) -> None:
    options = ("Furosemide", "Febuxostat")
    assert chosen(tools, "Which drug is indicated in heart failure?", *options) == "A"
    assert chosen(tools, "Which drug should be avoided in heart failure?", *options) == "B"


def test_all_except_asks_for_the_one_that_is_not_joined(tools: Toolbox) -> None:
    text = "Adverse effects of albuterol are all except"
    assert chosen(tools, text, "Tremor", "Hypokalemia", "Wheezing") == "C"


def test_a_side_effect_is_no_treatment(tools: Toolbox) -> None:
    text = "He has a tremor. Which drug is the treatment of choice?"
    assert chosen(tools, text, "Albuterol", "Furosemide") == ABSTAIN


def test_a_denied_finding_joins_nothing(tools: Toolbox) -> None:
    options = ("Asthma", "Gout")
    assert chosen(tools, "She has wheezing. What is the diagnosis?", *options) == "A"
    assert chosen(tools, "She has no wheezing. What is the diagnosis?", *options) == ABSTAIN


def test_a_relative_joins_with_less_weight(tools: Toolbox) -> None:
    text = "Which gene is associated with {}?"
    near = ask(tools, text.format("gout"), "ABCG2", "ORMDL3")
    far = ask(tools, text.format("gouty arthritis"), "ABCG2", "ORMDL3")
    assert near.response.llm_answer_choice == far.response.llm_answer_choice == "A"
    assert far.scores[0].score < near.scores[0].score
    relations = {e.triplet.relation for e in far.scores[0].joins[0].evidence}
    assert relations == {"disease_disease", "disease_protein"}


def test_a_shared_symptom_joins_nothing(tools: Toolbox) -> None:
    assert chosen(tools, "What is related to asthma?", "Bronchitis", "Gout") == ABSTAIN


def test_the_patient_decides_what_is_valid(tools: Toolbox) -> None:
    text = "A man with gout has an eGFR of {}. Which drug should be started?"
    options = ("Allopurinol", "Albuterol")
    assert chosen(tools, text.format(80), *options) == "A"
    sick = ask(tools, text.format(20), *options)
    assert sick.response.llm_answer_choice == "B"
    assert sick.scores[0].score < 0
    assert sick.scores[0].joins[0].evidence[0].ruled_out
    assert chosen(tools, text.format(20), *options, use_context=False) == "A"


@pytest.mark.parametrize(
    ("text", "types", "first", "negated"),
    [
        ("Which gene is mutated in gout?", {GENE}, "associated", False),
        ("A drug not used in gout is", {DRUG}, "treats", True),
        ("Gynecomastia is caused by", {DRUG}, "causes", False),
        ("Nimodipine is approved for use in", {DISEASE}, "treats", False),
        ("He has gout. It must be avoided. Which one?", {DRUG}, "contraindicated", False),
        ("What is it?", set(), "associated", False),
    ],
)
def test_what_questions_ask(text: str, types: set[str], first: str, negated: bool) -> None:
    asked = asked_of(text, types)
    assert (asked.predicates[0], asked.negated) == (first, negated)


def test_the_whole_sample_needs_no_model_and_is_mostly_right(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Through the command's own path, in a home without any model file."""
    from data.paths import sample_dir
    from data.questions import read_questions, select
    from optimize.running import run_program
    from optimize.settings import load_settings

    monkeypatch.setenv("QKGRAM_HOME", str(tmp_path / "home"))
    dev = select(read_questions(sample_dir() / "questions.jsonl"), split="dev")
    summary = run_program(
        "adjacency",
        dev,
        settings=load_settings(),
        selection={"file": "questions.jsonl", "split": "dev", "sample": None, "seed": 0},
        out=tmp_path / "run",
    )
    assert summary.usage.calls == 0
    assert summary.accuracy.counted == len(dev)
    assert summary.accuracy.value is not None
    assert summary.accuracy.value > 0.5


def test_without_options_it_says_what_to_do(tools: Toolbox) -> None:
    response = ask(tools, "Which drug is indicated for gout?").response
    assert response.llm_answer_choice == ABSTAIN
    assert "give each with -o, or ask another program" in response.reasoning
