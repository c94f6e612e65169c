from __future__ import annotations

import base64
import gzip
import json
import re

import dspy

from optimize.asking import Answered
from optimize.identity import Identity
from optimize.report.single import single_page
from signatures.schema import Hop, QAResponse, Question, Region, Usage

QUESTION = Question(
    id="typed",
    source="user",
    text="Which drug </script> suits?",
    options={"A": "Metformin", "B": "Linagliptin"},
)


def answered(**fields: object) -> Answered:
    response = QAResponse(llm_answer_choice="B", selected_option_text="Linagliptin", reasoning="so")
    region = Region(
        query="q", domain="DRUG_THERAPY", anchors=(), triplets=(), relevance=(), candidates=0
    )
    hop = Hop(sub_question="q", region=region, mode="LLM-GUESS", answer="perhaps")
    said = dspy.Prediction(response=response, hops=(hop,), notes=("a note",), **fields)
    spent = Usage(calls=1)
    return Answered(said, spent, 2.5, {"answer_hop": spent})


def test_one_question_is_one_card_without_lists_or_tables() -> None:
    identity = Identity(
        program="regram", settings={}, prompts="p", models={}, graph=None, version="test"
    )
    prompts = {"p": {"answer_hop.guess": "Answer </script> it."}}
    page = single_page(QUESTION, answered(confidence=0.4), identity=identity, prompts=prompts)
    assert 'id="alone"' in page
    assert 'id="filters"' not in page
    assert "<table" not in page
    meta = json.loads(re.findall(r'id="meta">(.*?)</script>', page)[0])
    assert meta["prompts"] == prompts
    packed = re.findall(r'id="(index|block-0)">([^<]*)<', page)
    index, block = (json.loads(gzip.decompress(base64.b64decode(text))) for _, text in packed)
    (brief,) = index[0]["runs"]
    assert (brief["kind"], brief["letter"], brief["confidence"]) == ("unscored", "B", 0.4)
    assert block[0]["runs"][0]["stages"][0][:2] == ["answer_hop", 1]
    assert index[0]["text"] == QUESTION.text
