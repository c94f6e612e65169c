"""The option score: permutation, unrelated facts, claims, mismatch; and `justify` over programs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from pathlib import Path

import dspy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from programs.joins import BY_RELATIVE, Evidences, joins, rarity
from programs.justify import justify
from programs.named import Named, Names
from programs.option_score import (
    CLAIM,
    confidence_in,
    decision_mismatch,
    favourite,
    lead,
    score_named,
    score_options,
)
from programs.question_asks import Asked
from programs.registry import ProgramSettings
from programs.toolbox import Toolbox
from signatures.schema import (
    ABSTAIN,
    Claim,
    ClaimVerdict,
    Evidence,
    Hop,
    Hypothesis,
    Node,
    OptionScore,
    QAResponse,
    Question,
    Region,
    ReviewedTriplet,
    Triplet,
)
from tests.programs.small import toolbox

DRUGS = [
    Node(index=i, id=str(i), type="drug", name=f"drug {i}", source="DrugBank") for i in range(4)
]
DISEASES = [
    Node(index=10 + i, id=str(10 + i), type="disease", name=f"disease {i}", source="MONDO")
    for i in range(3)
]
OTHERS = [
    Node(index=20 + i, id=str(20 + i), type="disease", name=f"other {i}", source="MONDO")
    for i in range(3)
]
QUESTION = Question(
    id="q",
    source="test",
    text="Which drug treats it?",
    options={letter: node.name for letter, node in zip("ABCD", DRUGS, strict=True)},
)
NAMES = Names(
    question=tuple(Named((node,)) for node in DISEASES),
    options={letter: (Named((node,)),) for letter, node in zip("ABCD", DRUGS, strict=True)},
)
RELATIONS = ("indication", "contraindication", "off-label use", "drug_effect")


def piece(
    number: int, head: Node, relation: str, tail: Node, validity: float = 1.0, **more: bool
) -> Evidence:
    return Evidence(
        triplet=Triplet(
            id=f"e{number}",
            head=head,
            relation=relation,
            display_relation=relation,
            tail=tail,
            text=f"{head.name} {relation} {tail.name}",
        ),
        validity=validity,
        **more,
    )


def degree(index: int) -> int:
    return 2 + index % 5


def score(
    evidence: Sequence[Evidence],
    names: Names = NAMES,
    question: Question = QUESTION,
    **more: object,
) -> tuple[OptionScore, ...]:
    return score_named(question, names, evidence, degree=degree, **more)  # type: ignore[arg-type]


def points(scores: Sequence[OptionScore]) -> dict[str, float]:
    return {one.option: one.score for one in scores}


@st.composite
def evidences(draw: st.DrawFn, heads: Sequence[Node] = DRUGS) -> list[Evidence]:
    facts = draw(
        st.lists(
            st.tuples(
                st.sampled_from(heads),
                st.sampled_from(RELATIONS),
                st.sampled_from([*DISEASES, *OTHERS]),
                st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]),
                st.booleans(),
            ),
            max_size=12,
        )
    )
    kin = draw(st.lists(st.tuples(st.sampled_from(DISEASES), st.sampled_from(OTHERS)), max_size=4))
    return [
        *(
            piece(n, head, relation, tail, validity, ruled_out=ruled and validity <= 0.25)
            for n, (head, relation, tail, validity, ruled) in enumerate(facts)
        ),
        *(piece(100 + n, a, "disease_disease", b) for n, (a, b) in enumerate(kin)),
    ]


@given(evidence=evidences(), order=st.permutations("ABCD"))
def test_permuting_the_options_permutes_the_scores(
    evidence: list[Evidence], order: list[str]
) -> None:
    """Letter A now names what another letter named: its score is that one's."""
    moved = Names(NAMES.question, {a: NAMES.options[b] for a, b in zip("ABCD", order, strict=True)})
    asked = QUESTION.model_copy(
        update={"options": {a: QUESTION.options[b] for a, b in zip("ABCD", order, strict=True)}}
    )
    before, after = points(score(evidence)), points(score(evidence, moved, asked))
    assert after == {a: before[b] for a, b in zip("ABCD", order, strict=True)}


@given(evidence=evidences(), shuffled=st.randoms(use_true_random=False))
def test_the_order_of_evidence_changes_nothing(evidence: list[Evidence], shuffled: object) -> None:
    mixed = list(evidence)
    shuffled.shuffle(mixed)  # type: ignore[attr-defined]
    assert score(mixed + mixed) == score(evidence)


@given(evidence=evidences(), more=evidences(heads=OTHERS))
def test_an_unrelated_triplet_never_changes_a_score(
    evidence: list[Evidence], more: list[Evidence]
) -> None:
    """Facts between third nodes touch neither an option nor what the question names."""
    third = [
        one.model_copy(update={"triplet": one.triplet.model_copy(update={"id": f"x{n}"})})
        for n, one in enumerate(more)
        if one.triplet.tail in OTHERS and one.triplet.head in OTHERS
    ]
    assert score([*evidence, *third]) == score(evidence)


@given(evidence=evidences())
def test_without_evidence_at_an_option_its_score_is_zero(evidence: list[Evidence]) -> None:
    kept = [one for one in evidence if one.triplet.head != DRUGS[2]]
    assert points(score(kept))["C"] == 0


@given(evidence=evidences(), letter=st.sampled_from("ABCD"))
def test_confidence_and_mismatch_agree(evidence: list[Evidence], letter: str) -> None:
    scores = score(evidence)
    found = confidence_in(letter, scores)
    assert 0 <= found < 1
    wrong = decision_mismatch(letter, scores)
    if wrong:
        assert found == 0
    if wrong is False:
        assert found > 0
        assert favourite(scores) == letter


def test_points_are_relation_weight_times_rarity_of_both_ends() -> None:
    scores = score([piece(1, DRUGS[0], "indication", DISEASES[0])])
    expected = 1.5 * rarity(degree(0)) * rarity(degree(10))
    assert scores[0].score == pytest.approx(expected)


def test_a_rarer_node_counts_for_more() -> None:
    def sizes(index: int) -> int:
        return 1000 if index == DISEASES[0].index else 3

    evidence = [
        piece(1, DRUGS[0], "indication", DISEASES[0]),
        piece(2, DRUGS[1], "indication", DISEASES[1]),
    ]
    scores = points(score_named(QUESTION, NAMES, evidence, degree=sizes))
    assert scores["A"] < scores["B"]


def test_invalid_evidence_is_silent_or_opposed_and_uncertain_decides_nothing() -> None:
    unmet = piece(1, DRUGS[0], "indication", DISEASES[0], 0.0)
    ruled = piece(2, DRUGS[1], "indication", DISEASES[0], 0.0, ruled_out=True)
    unsure = piece(3, DRUGS[2], "indication", DISEASES[0], 0.5)
    found = points(score([unmet, ruled, unsure]))
    assert found["A"] == found["C"] == found["D"] == 0
    assert found["B"] < 0


def test_of_indicated_and_contraindicated_the_safer_counts() -> None:
    both = [
        piece(1, DRUGS[0], "indication", DISEASES[0]),
        piece(2, DRUGS[0], "contraindication", DISEASES[0]),
    ]
    assert score(both)[0].score < 0
    harm = QUESTION.model_copy(update={"text": "Which drug should be avoided?"})
    assert score(both, question=harm)[0].score > 0


def test_only_a_step_along_a_hierarchy_makes_a_shared_neighbour() -> None:
    evidence = Evidences(
        [
            piece(1, DRUGS[0], "indication", OTHERS[0]),
            piece(2, DISEASES[0], "disease_disease", OTHERS[0]),
            piece(3, DRUGS[1], "indication", OTHERS[0]),
        ]
    )
    asked = Asked(("treats",))
    near = list(
        joins(Named((DISEASES[0],)), Named((DRUGS[0],)), evidence, asked=asked, degree=degree)
    )
    assert [[e.triplet.id for e in join.evidence] for join in near] == [["e1", "e2"]]
    assert 0 < near[0].points < BY_RELATIVE * 1.5
    other = joins(Named((DRUGS[1],)), Named((DRUGS[0],)), evidence, asked=asked, degree=degree)
    assert list(other) == []


def claimed(option: str, status: str, *, supports: bool = True) -> ClaimVerdict:
    claim = Claim(
        option=option,
        head=QUESTION.options[option],
        predicate="treats",
        tail="disease 0",
        supports=supports,
    )
    return ClaimVerdict(claim=claim, status=status, reason="-")


def test_claims_decide_before_triplets() -> None:
    report = [claimed("B", "SUPPORTED"), claimed("A", "NO_COVERAGE")]
    scores = score([piece(1, DRUGS[0], "indication", DISEASES[0])], report=report)
    assert favourite(scores) == "B"
    assert scores[1].score == CLAIM["for"]
    assert decision_mismatch("A", scores) is True
    assert decision_mismatch("B", scores) is False


def test_every_option_ruled_out_is_an_answer_to_abstain() -> None:
    scores = score([], report=[claimed(o, "CONTRADICTED") for o in "ABCD"])
    assert favourite(scores) == ABSTAIN
    assert decision_mismatch(ABSTAIN, scores) is False
    assert decision_mismatch("A", scores) is True


def test_a_ruled_out_answer_is_a_mismatch_even_without_a_favourite() -> None:
    scores = score([], report=[claimed("A", "CONTRADICTED")])
    scores = tuple(one.model_copy(update={"score": 0.0}) for one in scores)
    assert favourite(scores) is None
    assert decision_mismatch("A", scores) is True
    assert decision_mismatch("B", scores) is None


def test_a_wrongly_flagged_claim_is_argued_as_the_question_asks() -> None:
    claim = claimed("A", "SUPPORTED").claim.model_copy(
        update={"predicate": "contraindicated", "supports": True}
    )
    scores = score([], report=[ClaimVerdict(claim=claim, status="SUPPORTED", reason="-")])
    assert scores[0].claims == "against"


def test_a_tie_or_nothing_decides_nothing() -> None:
    for values in permutations((0.2, 0.2, 0.0)):
        scores = [
            OptionScore(option=o, score=s, known=True) for o, s in zip("ABC", values, strict=True)
        ]
        assert favourite(scores) is None
        assert decision_mismatch("A", scores) is None
    assert favourite(score([])) is None
    assert favourite([]) is None
    assert lead("A", []) == 0


# --- over the predictions of programs -------------------------------------------------------------

FACTS = [
    ("Allopurinol", "drug", "indication", "gout", "disease"),
    ("Furosemide", "drug", "indication", "edema", "disease"),
]
ASKED = Question(
    id="q",
    source="test",
    text="Which drug treats gout?",
    options={"A": "Furosemide", "B": "Allopurinol"},
)


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Toolbox:
    return toolbox(tmp_path_factory.mktemp("score"), FACTS, {})


def said(letter: str, **fields: object) -> dspy.Prediction:
    response = QAResponse(llm_answer_choice=letter, selected_option_text=None, reasoning="so")
    return dspy.Prediction(response=response, **fields)


def gout(tools: Toolbox) -> Triplet:
    return next(
        t for t in map(tools.graph.triplet, range(tools.graph.edge_count)) if t.tail.name == "gout"
    )


def region(*triplets: Triplet) -> Region:
    return Region(
        query="?",
        domain="INTEGRATED",
        anchors=(),
        triplets=triplets,
        relevance=(0.5,) * len(triplets),
        candidates=len(triplets),
    )


def held(tools: Toolbox, letter: str, kind: str) -> dspy.Prediction:
    """The same fact, as each kind of program carries it."""
    triplet = gout(tools)
    hop = Hop(sub_question="?", region=region(triplet), mode="HYBRID", answer="-")
    reviewed = ReviewedTriplet(
        hypothesis=Hypothesis(head="Allopurinol", relation="indication", tail="gout"),
        head=triplet.head,
        tail=triplet.tail,
        kind="approved",
    )
    fields: dict[str, object] = {
        "regram": {"hops": (hop,)},
        "qkgram": {"regions": (region(triplet),)},
        "kgarevion": {"reviewed": (reviewed,)},
        "qkg": {
            "report": (
                ClaimVerdict(
                    claim=Claim(
                        option="B",
                        head="Allopurinol",
                        predicate="treats",
                        tail="gout",
                        supports=True,
                    ),
                    status="SUPPORTED",
                    evidence=(Evidence(triplet=triplet, validity=1.0),),
                    reason="-",
                ),
            )
        },
    }[kind]
    return said(letter, **fields)


@pytest.mark.parametrize("kind", ["regram", "qkgram", "kgarevion", "qkg"])
def test_every_program_is_held_against_its_evidence(tools: Toolbox, kind: str) -> None:
    right = justify(ASKED, held(tools, "B", kind), tools=tools)
    assert right.mismatch is False
    assert right.confidence > 0
    wrong = justify(ASKED, held(tools, "A", kind), tools=tools)
    assert (wrong.mismatch, wrong.confidence) == (True, 0)
    assert wrong.notes == ("decision_mismatch: the evidence is for B, the answer is A",)
    assert wrong.response.llm_answer_choice == "A"


def test_a_rejected_triplet_is_no_evidence(tools: Toolbox) -> None:
    prediction = held(tools, "A", "kgarevion")
    rejected = prediction.reviewed[0].model_copy(update={"kind": "rejected"})
    judged = justify(ASKED, said("A", reviewed=(rejected,)), tools=tools)
    assert (judged.mismatch, judged.confidence) == (None, 0)


def test_a_note_of_the_program_and_the_field_agree(tools: Toolbox) -> None:
    note = "decision_mismatch: the model answered A"
    judged = justify(ASKED, said("B", notes=(note,)), tools=tools)
    assert judged.mismatch is True
    assert judged.notes == (note,)


def test_without_graph_or_options_a_prediction_comes_back_as_it_is(tools: Toolbox) -> None:
    prediction = said("A")
    assert justify(ASKED, prediction, tools=None) is prediction
    open_question = ASKED.model_copy(update={"options": {}})
    assert justify(open_question, prediction, tools=tools) is prediction
    hidden = ProgramSettings(withhold_options=True)
    assert justify(ASKED, prediction, tools=tools, settings=hidden) is prediction


def test_the_public_score_links_and_scores(tools: Toolbox) -> None:
    scores = score_options(
        ASKED,
        [Evidence(triplet=gout(tools), validity=1.0)],
        tools.linker,
        degree=tools.graph.degree,
    )
    assert [one.option for one in scores] == ["A", "B"]
    assert scores[0].score == 0 < scores[1].score


def test_a_row_keeps_confidence_and_mismatch(tmp_path: Path, tools: Toolbox) -> None:
    """From the program that a run opens to the row on disk."""
    from optimize.evaluate import evaluate
    from optimize.meter import Meter
    from optimize.runs import read_run
    from optimize.toolbox import OpenProgram
    from tests.support.evaluate_toy import Toy, open_toy

    class Stub(Toy):
        def forward(self, question: Question) -> dspy.Prediction:
            return held(tools, "A", "regram")

    opened = OpenProgram(Stub(), None, tools)
    with open_toy(tmp_path / "run", questions=(ASKED,)) as run:
        evaluate(opened.answer, run, meter=Meter())
    row = next(iter(read_run(tmp_path / "run").rows.values()))
    assert (row.mismatch, row.confidence) == (True, 0)
