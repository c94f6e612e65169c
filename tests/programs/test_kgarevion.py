"""`kgarevion`: generate, review, revise, answer. Only the models are scripted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import dspy
import pytest

from metrics.answers import read_answer
from metrics.outcomes import outcome
from optimize.adapter import QkgramAdapter
from optimize.evaluate import evaluate
from optimize.identity import identify
from optimize.meter import Meter
from optimize.runs import RunDirectory, read_run
from optimize.scripted import ScriptedCall, ScriptedLM
from optimize.settings import Settings
from programs.kgarevion import KGARevion
from programs.kgarevion_check import CheckTriplets
from programs.registry import ProgramSettings, build_program
from programs.review import ProposedTriplet, Review
from programs.toolbox import Toolbox
from signatures.schema import Hypothesis, Question, ReviewedTriplet
from tests.programs.small import by_fields, toolbox

DIABETES, FAILURE = "type 2 diabetes mellitus", "renal failure"
COMMAS = "5,6-epoxy-{8,11,14}-eicosatrienoic acid"
FACTS = [
    ("Metformin", "drug", "indication", DIABETES, "disease"),
    ("Metformin", "drug", "contraindication", FAILURE, "disease"),
    ("Linagliptin", "drug", "indication", DIABETES, "disease"),
    ("Glipizide", "drug", "drug_effect", "hypoglycemia", "effect/phenotype"),
    ("insulinoma", "disease", "disease_phenotype_positive", "hypoglycemia", "effect/phenotype"),
    ("hypoglycemia", "disease", "disease_disease", "insulinoma", "disease"),
    (COMMAS, "drug", "drug_drug", "Glipizide", "drug"),
]
OPTIONS = {"A": "Metformin", "B": "Linagliptin", "C": "Glipizide", "D": "Insulin"}
MCQ = Question(id="q", source="test", text="Which drug suits his diabetes?", options=OPTIONS)
SHORT = Question(id="s", source="test", text="Which drug causes hypoglycemia?")

TREATS = {"head": "Metformin", "relation": "indication", "tail": DIABETES}
"""An edge of the graph."""
WRONG = {"head": "Metformin", "relation": "indication", "tail": FAILURE}
"""Both ends are known, and the graph does not say so."""
INVENTED = {"head": "Glucofixamab", "relation": "indication", "tail": DIABETES}


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Toolbox:
    return toolbox(tmp_path_factory.mktemp("kgarevion"), FACTS, {})


class Says:
    """A reviewer that gives every triplet the same probability, and keeps what it was asked."""

    id = "says"

    def __init__(self, probability: float | None) -> None:
        self.probability = probability
        self.asked: list[ProposedTriplet] = []
        self.rounds = 0

    def __deepcopy__(self, memo: dict[int, Any]) -> Says:
        return self

    def review(self, triplets: Sequence[ProposedTriplet], *, question: str) -> tuple[Review, ...]:
        self.asked += triplets
        self.rounds += 1
        reason = "unjudged: no verdict" if self.probability is None else "as scripted"
        return tuple(Review(self.probability, reason) for _ in triplets)


def run(
    tools: Toolbox,
    proposed: Sequence[Mapping[str, str]],
    *,
    question: Question = MCQ,
    reviewer: Says | None = None,
    revised: Any = (),
    answer: str = "A",
    **settings: Any,
) -> tuple[dspy.Prediction, list[ScriptedCall]]:
    """Ask one question; return the prediction and the calls that reached the model."""
    model = ScriptedLM(
        by_fields(
            topic_triplets={"topic": "diabetes", "triplets": list(proposed)},
            corrections=revised if callable(revised) else {"corrections": list(revised)},
            reasoning_answer={"reasoning": "as found", "answer": answer},
        )
    )
    program = KGARevion(tools, Says(0.0) if reviewer is None else reviewer, **settings)
    with dspy.context(lm=model, adapter=QkgramAdapter(reasks=0)):
        return program(question=question), list(model.asked)


def names(calls: Sequence[ScriptedCall]) -> list[str]:
    return ["_".join(call.fields) for call in calls]


def kinds(said: dspy.Prediction) -> list[str]:
    return [one.kind for one in said.reviewed]


def facts(calls: Sequence[ScriptedCall]) -> str:
    """The facts that the answering model was shown."""
    return calls[-1].user.split("facts:", maxsplit=1)[1].strip()


# --- generate ------------------------------------------------------------------------------------


def test_the_options_of_a_question_are_proposed_for_in_one_call(tools: Toolbox) -> None:
    said, calls = run(tools, [TREATS])
    assert names(calls) == ["topic_triplets", "reasoning_answer"]
    assert "B. Linagliptin" in calls[0].user
    assert calls[0].user.startswith("relations: ")
    assert "contraindication" in calls[0].user.splitlines()[0]
    assert said.choice_aware is True


def test_a_setting_asks_for_every_option_alone(tools: Toolbox) -> None:
    said, calls = run(tools, [TREATS], choice_aware=True, per_option_calls=True)
    assert names(calls) == ["topic_triplets"] * 4 + ["reasoning_answer"]
    assert "B. Linagliptin" in calls[1].user
    assert "A. Metformin" not in calls[1].user
    assert len(said.reviewed) == 1
    assert "3 proposals dropped: incomplete or repeated" in said.notes


@pytest.mark.parametrize(
    ("options", "choice_aware", "first"),
    [
        (OPTIONS, None, "topic_triplets"),
        (OPTIONS, True, "topic_triplets"),
        (OPTIONS, False, "topic_triplets"),
        ({"A": "Yes", "B": "no.", "C": "maybe"}, None, "topic_triplets"),
        ({}, None, "topic_triplets"),
        ({}, True, "topic_triplets"),
    ],
)
def test_only_an_open_case_asks_whether_the_options_matter(
    tools: Toolbox, options: dict[str, str], choice_aware: bool | None, first: str
) -> None:
    question = MCQ.model_copy(update={"options": options})
    _, calls = run(tools, [TREATS], question=question, choice_aware=choice_aware)
    assert names(calls)[0] == first


def test_a_question_that_does_not_depend_on_its_options_hides_them(tools: Toolbox) -> None:
    said, calls = run(tools, [TREATS], choice_aware=False)
    assert "Linagliptin" not in calls[0].user
    assert "B. Linagliptin" in calls[-1].user
    assert said.notes[0].startswith("1 triplets proposed from the question alone")


def test_no_triplet_is_an_answer_from_the_model_that_says_so(tools: Toolbox) -> None:
    reviewer = Says(0.9)
    said, calls = run(tools, [], reviewer=reviewer)
    assert names(calls) == ["topic_triplets", "reasoning_answer"]
    assert (said.reviewed, reviewer.rounds, facts(calls)) == ((), 0, "none")
    assert said.response.llm_answer_choice == "A"
    assert "nothing was verified: the answer is the model's own" in said.notes


def test_proposals_that_cannot_be_read_are_no_triplets(tools: Toolbox) -> None:
    model = ScriptedLM(
        by_fields(
            topic_triplets='{"topic": "d", "triplets": [{"head": "Metfor',
            reasoning_answer={"reasoning": "r", "answer": "B"},
        )
    )
    with dspy.context(lm=model, adapter=QkgramAdapter(reasks=0)):
        said = KGARevion(tools, Says(0.9))(question=MCQ)
    assert said.response.llm_answer_choice == "B"
    assert said.choice_aware is True
    assert "1 replies with proposals could not be read" in said.notes


def test_incomplete_and_repeated_proposals_are_dropped(tools: Toolbox) -> None:
    again = {"head": DIABETES.upper(), "relation": "indication", "tail": " metformin"}
    said, _ = run(tools, [TREATS, again, {"head": " ", "relation": "indication", "tail": "gout"}])
    assert kinds(said) == ["approved"]
    assert "2 proposals dropped: incomplete or repeated" in said.notes


def test_a_name_with_commas_and_braces_stays_whole(tools: Toolbox) -> None:
    said, calls = run(tools, [{"head": COMMAS, "relation": "drug_drug", "tail": "Glipizide"}])
    assert [(one.kind, one.head.name) for one in said.reviewed] == [("approved", COMMAS)]
    assert facts(calls) == f"{COMMAS} interacts with Glipizide"


# --- review --------------------------------------------------------------------------------------


def test_an_edge_of_the_graph_verifies_without_a_call(tools: Toolbox) -> None:
    reviewer = Says(0.0)
    said, calls = run(tools, [TREATS], reviewer=reviewer)
    (one,) = said.reviewed
    assert (one.kind, one.probability, reviewer.rounds) == ("approved", 1.0, 0)
    assert tools.graph.triplet(tools.graph.edge_number(one.reason.split("[")[1].split("]")[0]))
    assert one.reason.endswith("Metformin is indicated for type 2 diabetes mellitus")
    assert facts(calls) == "Metformin is indicated for type 2 diabetes mellitus"
    assert "1 of them verified by an edge of the graph" in said.notes


def test_an_edge_written_the_other_way_round_is_turned(tools: Toolbox) -> None:
    said, calls = run(
        tools, [{"head": DIABETES, "relation": "is an indication for", "tail": "Metformin"}]
    )
    assert said.reviewed[0].hypothesis == Hypothesis(**TREATS)
    assert said.reviewed[0].head.name == "Metformin"
    assert facts(calls) == "Metformin is indicated for type 2 diabetes mellitus"


def test_an_edge_of_another_relation_verifies_nothing(tools: Toolbox) -> None:
    said, calls = run(tools, [WRONG], max_round=0)
    assert kinds(said) == ["rejected"]
    assert facts(calls) == "none"


def test_a_finding_that_is_a_disease_too_is_taken_as_the_relation_needs(tools: Toolbox) -> None:
    effect = {"head": "Glipizide", "relation": "drug_effect", "tail": "hypoglycemia"}
    kind_of = {"head": "insulinoma", "relation": "disease_disease", "tail": "hypoglycemia"}
    said, _ = run(tools, [effect, kind_of])
    assert [one.tail.type for one in said.reviewed] == ["effect/phenotype", "disease"]
    assert kinds(said) == ["approved", "approved"]


def test_the_reviewer_is_asked_once_for_all_that_the_graph_does_not_state(tools: Toolbox) -> None:
    reviewer = Says(0.5)
    other = {"head": "Linagliptin", "relation": "indication", "tail": FAILURE}
    said, _ = run(tools, [WRONG, TREATS, other], reviewer=reviewer)
    assert [one.hypothesis.tail for one in reviewer.asked] == [FAILURE, FAILURE]
    assert reviewer.rounds == 1
    assert [one.probability for one in said.reviewed] == [0.5, 1.0, 0.5]
    assert kinds(said) == ["approved"] * 3


def test_the_model_that_reviews_is_told_what_joins_the_ends(tools: Toolbox) -> None:
    model = ScriptedLM(
        by_fields(
            topic_triplets={"topic": "diabetes", "triplets": [{"option": "A", **WRONG}]},
            reviews={"reviews": [{"id": "t1", "probability": 0.1}]},
            corrections={"corrections": []},
            reasoning_answer={"reasoning": "r", "answer": "B"},
        )
    )
    program = build_program("kgarevion", tools=tools, settings=ProgramSettings(choice_aware=True))
    with dspy.context(lm=model, adapter=QkgramAdapter()):
        said = program(question=MCQ)
    assert names(model.asked) == ["topic_triplets", "reviews", "corrections", "reasoning_answer"]
    asked = model.asked[1].user
    assert "t1: Metformin is indicated for renal failure" in asked
    assert "The graph holds: Metformin is contraindicated in renal failure" in asked
    assert (said.reviewer, kinds(said)) == ("lm", ["rejected"])


def test_an_unknown_name_is_unverifiable_and_never_true(tools: Toolbox) -> None:
    reviewer = Says(1.0)
    said, calls = run(tools, [INVENTED], reviewer=reviewer)
    (one,) = said.reviewed
    assert (one.kind, one.probability, one.head) == ("unverifiable", None, None)
    assert one.tail.name == DIABETES
    assert "Glucofixamab" in one.reason
    assert (reviewer.asked, facts(calls)) == ([], "none")
    assert said.not_covered == (f"Glucofixamab | indication | {DIABETES}",)
    assert "0 approved, 0 revised, 0 rejected, 1 unverifiable" in said.notes[0]
    assert "nothing was verified: the answer is the model's own" in said.notes


def test_a_setting_keeps_what_cannot_be_checked_as_the_original_does(tools: Toolbox) -> None:
    said, calls = run(tools, [INVENTED, TREATS], keep_unverifiable=True)
    assert kinds(said) == ["unverifiable", "approved"]
    assert facts(calls).splitlines() == [
        "Metformin is indicated for type 2 diabetes mellitus",
        "Glucofixamab is indicated for type 2 diabetes mellitus (not checked)",
    ]


def test_a_triplet_without_a_verdict_is_neither_used_nor_revised(tools: Toolbox) -> None:
    said, calls = run(tools, [WRONG], reviewer=Says(None))
    assert names(calls) == ["topic_triplets", "reasoning_answer"]
    assert [(one.kind, one.probability) for one in said.reviewed] == [("rejected", None)]


def test_without_a_reviewer_only_the_graph_verifies(tools: Toolbox) -> None:
    check = CheckTriplets(tools, None, threshold=0.5)
    found = check([Hypothesis(**one) for one in (TREATS, WRONG, INVENTED)], "Which?")
    assert [one.kind for one in found] == ["approved", "unreviewed", "unverifiable"]


def test_an_entity_joined_to_itself_is_rejected(tools: Toolbox) -> None:
    said, _ = run(
        tools, [{"head": "metformin", "relation": "drug_drug", "tail": "Metformin"}], max_round=0
    )
    assert said.reviewed[0].reason == "head and tail are one entity"


def test_a_relation_between_the_wrong_types_is_rejected_with_the_types_it_joins(
    tools: Toolbox,
) -> None:
    reviewer = Says(1.0)
    junk = {**TREATS, "relation": "drug_drug"}
    said, calls = run(tools, [junk], reviewer=reviewer, revised=[{"id": "t1", **TREATS}])
    assert reviewer.rounds == 0
    assert "(drug_drug joins drug and drug, not drug and disease)" in calls[1].user
    assert kinds(said) == ["revised"]


def test_a_finding_may_stand_where_a_disease_does(tools: Toolbox) -> None:
    reviewer = Says(0.7)
    treated = {"head": "Metformin", "relation": "drug_effect", "tail": DIABETES}
    said, _ = run(tools, [treated], reviewer=reviewer)
    assert [(one.kind, one.tail.type) for one in said.reviewed] == [("approved", "disease")]


# --- revise --------------------------------------------------------------------------------------


def test_a_rejected_triplet_is_corrected_and_checked_again(tools: Toolbox) -> None:
    reviewer = Says(0.2)
    said, calls = run(tools, [WRONG], reviewer=reviewer, revised=[{"id": "t1", **TREATS}])
    assert names(calls) == [
        "topic_triplets",
        "corrections",
        "reasoning_answer",
    ]
    assert f"t1: Metformin | indication | {FAILURE} (as scripted)" in calls[1].user
    (one,) = said.reviewed
    assert (one.kind, one.revisions, one.probability) == ("revised", 1, 1.0)
    assert one.hypothesis.tail == DIABETES
    assert "0 approved, 1 revised, 0 rejected, 0 unverifiable" in said.notes[0]


def test_a_relation_that_the_graph_lacks_is_rejected_unreviewed_and_corrected(
    tools: Toolbox,
) -> None:
    reviewer = Says(1.0)
    junk = {**TREATS, "relation": "cures"}
    said, calls = run(tools, [junk], reviewer=reviewer, revised=[{"id": "t1", **TREATS}])
    assert reviewer.rounds == 0
    assert "('cures' is no relation of the graph)" in calls[1].user
    assert kinds(said) == ["revised"]
    never, _ = run(tools, [junk], reviewer=reviewer, max_round=0)
    assert kinds(never) == ["rejected"]


@pytest.mark.parametrize(
    "revised",
    [
        [],
        [{"id": "t1", **WRONG}],
        [{"id": "t1", "head": FAILURE, "relation": "indication", "tail": "metformin"}],
        [{"id": "t9", **TREATS}],
        [{"id": "", **TREATS}],
        [{"id": "t1", **TREATS, "tail": "  "}],
    ],
    ids=["none", "unchanged", "turned", "other id", "no id", "blank"],
)
def test_no_real_correction_ends_the_rounds(tools: Toolbox, revised: list[Any]) -> None:
    said, calls = run(tools, [WRONG], revised=revised)
    assert names(calls).count("corrections") == 1
    assert [(one.kind, one.revisions) for one in said.reviewed] == [("rejected", 0)]


def test_a_correction_that_repeats_another_triplet_adds_nothing(tools: Toolbox) -> None:
    said, calls = run(tools, [TREATS, WRONG], revised=[{"id": "t2", **TREATS}])
    assert kinds(said) == ["approved", "rejected"]
    assert facts(calls) == "Metformin is indicated for type 2 diabetes mellitus"


def test_corrections_are_matched_by_id_and_the_first_of_two_counts(tools: Toolbox) -> None:
    other = {"head": "Linagliptin", "relation": "indication", "tail": FAILURE}
    right = {**other, "tail": DIABETES}
    said, _ = run(
        tools,
        [WRONG, other],
        revised=[{"id": "[T2]", **right}, {"id": "t2", **WRONG}, {"id": "t1", **TREATS}],
    )
    assert [one.hypothesis.head for one in said.reviewed] == ["Metformin", "Linagliptin"]
    assert kinds(said) == ["revised", "revised"]


def test_a_reply_that_cannot_be_read_corrects_nothing(tools: Toolbox) -> None:
    said, _ = run(tools, [WRONG], revised=lambda call: "I would not change it.")
    assert kinds(said) == ["rejected"]
    assert said.response.llm_answer_choice == "A"


NEXT = {"Metformin": "Linagliptin", "Linagliptin": "Glipizide", "Glipizide": COMMAS}


def fresh(call: ScriptedCall) -> dict[str, Any]:
    """Correct every rejected triplet into a false one that was never proposed."""
    lines = call.user.split("rejected:", maxsplit=1)[1].strip().splitlines()
    found = []
    for line in lines:
        number, triplet = line.split(": ", maxsplit=1)
        head, relation, tail = triplet.rsplit(" (", maxsplit=1)[0].split(" | ")
        found.append({"id": number, "head": NEXT[head], "relation": relation, "tail": tail})
    return {"corrections": found}


@pytest.mark.parametrize("max_round", [0, 1, 2, 3])
def test_rounds_and_calls_are_bounded(tools: Toolbox, max_round: int) -> None:
    reviewer = Says(0.0)
    said, calls = run(
        tools,
        [WRONG],
        reviewer=reviewer,
        revised=fresh,
        max_round=max_round,
    )
    assert names(calls).count("corrections") == max_round
    assert reviewer.rounds == 1 + max_round
    assert len(calls) == 2 + max_round
    assert said.reviewed[0].revisions == max_round
    assert kinds(said) == ["rejected"]


def test_many_rejected_triplets_are_corrected_in_batches(tools: Toolbox) -> None:
    junk = [{**TREATS, "relation": f"junk {number}"} for number in range(13)]
    said, calls = run(tools, junk)
    asked = [call for call in calls if call.fields == ("corrections",)]
    assert ["t12: " in call.user for call in asked] == [True, False]
    assert ["t13: " in call.user for call in asked] == [False, True]
    assert kinds(said) == ["rejected"] * 13


# --- answer --------------------------------------------------------------------------------------

TEN = {letter: f"Drug {letter}" for letter in "ABCDEFGHIJ"}


def test_ten_options_are_all_shown_and_the_tenth_can_win(tools: Toolbox) -> None:
    question = Question(id="t", source="test", text="Which?", options=TEN, gold="J", labelled=True)
    said, calls = run(tools, [TREATS], question=question, answer="J", choice_aware=True)
    assert "J. Drug J" in calls[0].user
    assert calls[0].max_tokens >= 96 * 11
    assert outcome(question, said.response.llm_answer_choice).kind == "correct"
    assert said.response.selected_option_text == "Drug J"
    _, each = run(tools, [], question=question, choice_aware=True, per_option_calls=True)
    assert len(each) == 11


@pytest.mark.parametrize(
    ("answer", "letter"),
    [
        ("Cannot tell", None),
        ("I cannot determine this.", None),
        ("", None),
        ("Answer: ", None),
        ("Answer seems to be A", "A"),
        ("Based on the facts, (C)", "C"),
        ("A and C", None),
        ("Answer: F", None),
        ("D.", "D"),
    ],
)
def test_the_answer_is_read_by_the_one_reader_and_never_from_the_gold(
    tools: Toolbox, answer: str, letter: str | None
) -> None:
    question = MCQ.model_copy(update={"gold": "C", "labelled": True})
    said, _ = run(tools, [TREATS], question=question, answer=answer)
    assert read_answer(said.response.llm_answer_choice, OPTIONS).letter == letter
    right = outcome(question, said.response.llm_answer_choice).kind == "correct"
    assert right == (letter == "C")


def test_a_short_question_is_answered_in_words(tools: Toolbox) -> None:
    effect = {"head": "Glipizide", "relation": "drug_effect", "tail": "hypoglycemia"}
    said, calls = run(tools, [effect], question=SHORT, answer="Glipizide")
    assert names(calls) == ["topic_triplets", "reasoning_answer"]
    assert facts(calls) == "Glipizide can cause hypoglycemia"
    assert said.response.llm_answer_choice == "Glipizide"
    assert said.response.selected_option_text is None


def test_withheld_options_are_never_shown(tools: Toolbox) -> None:
    _, calls = run(tools, [WRONG], withhold_options=True, choice_aware=True)
    assert all("Linagliptin" not in call.user for call in calls)
    assert names(calls) == ["topic_triplets", "corrections", "reasoning_answer"]


def test_nothing_of_one_question_reaches_the_next(tools: Toolbox) -> None:
    program = KGARevion(tools, Says(0.0), choice_aware=True)
    model = ScriptedLM(
        [
            {"topic": "diabetes", "triplets": [TREATS]},
            {"reasoning": "r", "answer": "A"},
            {"topic": "diabetes", "triplets": []},
            {"reasoning": "r", "answer": ""},
        ]
    )
    with dspy.context(lm=model, adapter=QkgramAdapter()):
        first, second = program(question=MCQ), program.deepcopy()(question=MCQ)
    assert first.response.llm_answer_choice == "A"
    assert (second.response.llm_answer_choice, second.reviewed) == ("", ())


# --- runs ----------------------------------------------------------------------------------------


def test_rows_are_on_disk_as_they_come_with_triplets_notes_and_stages(
    tools: Toolbox, tmp_path: Path
) -> None:
    questions = (MCQ, MCQ.model_copy(update={"id": "p", "text": "Which drug is second?"}))
    folder = tmp_path / "not" / "there" / "yet"
    seen: list[int] = []

    def propose(call: ScriptedCall) -> dict[str, Any]:
        seen.append(len((folder / "rows.jsonl").read_text().splitlines()) if seen else 0)
        return {"topic": "diabetes", "triplets": [TREATS, WRONG]}

    meter = Meter()
    model = ScriptedLM(
        by_fields(
            topic_triplets=propose,
            reviews={"reviews": [{"id": "t1", "probability": 0.1}]},
            corrections={"corrections": []},
            reasoning_answer={"reasoning": "r", "answer": "A"},
        ),
        meter=meter,
    )
    program = build_program("kgarevion", tools=tools)
    identity = identify(
        program, name="kgarevion", settings=Settings(), models={"reasoner": model.model}, graph="g"
    )
    with (
        RunDirectory.open(folder, identity=identity, questions=questions) as opened,
        dspy.context(lm=model, roles={"reasoner": model}, adapter=QkgramAdapter()),
    ):
        evaluate(program, opened, meter=meter, threads=1)
    rows = list(read_run(folder).rows.values())
    assert seen == [0, 1]
    assert set(rows[0].stages) >= {"propose", "revise", "answer_from_verified"}
    assert sum(spent.calls for spent in rows[0].stages.values()) == rows[0].usage.calls == 4
    kept = [ReviewedTriplet.model_validate(one) for one in rows[0].trace["reviewed"]]
    assert [one.kind for one in kept] == ["approved", "rejected"]
    assert rows[0].notes[0].startswith("2 triplets proposed from the question and its options")


def test_the_program_s_predictors_have_settled_names() -> None:
    from optimize.lone_predictor import closed_toolbox

    program = build_program("kgarevion", tools=closed_toolbox())
    assert {name for name, _ in program.named_predictors()} == {
        "propose.from_options",
        "propose.from_stem",
        "check.reviewer.predict",
        "revise.predict",
        "answer",
    }
