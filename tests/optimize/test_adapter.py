from __future__ import annotations

from typing import Any, Literal

import dspy
import pytest
from dspy.utils.exceptions import AdapterParseError
from pydantic import BaseModel, Field

from optimize.adapter import COMPLAINT, QkgramAdapter
from optimize.scripted import ScriptedLM
from signatures.claims import EmitClaims
from signatures.errors import ParseError
from tests.support.cache import memory_cache


class Verdict(BaseModel):
    status: Literal["SUPPORTED", "CONTRADICTED"]
    evidence: str = Field(description="one line")


class Judge(dspy.Signature):
    """Judge the claims."""

    text: str = dspy.InputField(desc="what to judge")
    note: str = dspy.InputField()
    verdicts: list[Verdict] = dspy.OutputField(desc="one per claim")
    score: float | None = dspy.OutputField()


GOOD = {"verdicts": [{"status": "SUPPORTED", "evidence": "e1"}], "score": 0.5}


def parse(text: str) -> dict[str, Any]:
    return QkgramAdapter().parse(Judge, text)


def ask(lm: dspy.LM, **options: Any) -> dspy.Prediction:
    with dspy.context(lm=lm, adapter=QkgramAdapter(**options)):
        return dspy.Predict(Judge)(text="t", note="n")


def test_the_prompt_is_short_and_whole() -> None:
    messages = QkgramAdapter().format(Judge, [], {"text": "one\ntwo", "note": "n"})
    assert messages == [
        {
            "role": "system",
            "content": "Judge the claims.\n"
            "text: what to judge\n"
            "Answer with one JSON object and nothing else:\n"
            "{\n"
            "verdicts: [{\n"
            'status: "SUPPORTED"|"CONTRADICTED"\n'
            "evidence: string # one line\n"
            "}] # one per claim\n"
            "score: number|null\n"
            "}",
        },
        {"role": "user", "content": "text:\none\ntwo\nnote: n"},
    ]


def test_the_prompt_is_less_than_half_of_dspys() -> None:
    values = {"question": "q", "options": "o"}

    def words(adapter: dspy.Adapter) -> int:
        return sum(len(str(m["content"])) for m in adapter.format(EmitClaims, [], values))

    assert words(QkgramAdapter()) < 0.5 * words(dspy.JSONAdapter())


def test_demonstrations_are_one_line_of_json() -> None:
    messages = QkgramAdapter().format(
        Judge, [{"text": "a", "note": "b", **GOOD}], {"text": "t", "note": "n"}
    )
    assert messages[2] == {
        "role": "assistant",
        "content": '{"verdicts": [{"status": "SUPPORTED", "evidence": "e1"}], "score": 0.5}',
    }


@pytest.mark.parametrize(
    "text",
    [
        # C17: prose, fence, DSPy's marker
        'Here:\n```json\n{"verdicts": [], "score": 1}\n```[[ ## completed ## ]]',
        # C18: the first fence is another one
        '```bash\nexport A=${HOME}\n```\n{"verdicts": [], "score": 1}',
        # thoughts with a draft: the last object counts
        '<think>{"verdicts": [], "score": 9}</think>{"verdicts": [], "score": 1}',
        "{'verdicts': [], 'score': 1,}",
        # C22: stringified JSON
        '{"verdicts": "[]", "score": "1"}',
    ],
)
def test_what_models_write_around_json_is_read(text: str) -> None:
    assert parse(text) == {"verdicts": [], "score": 1.0}


def test_braces_inside_strings() -> None:  # C19
    text = '{"verdicts": [{"status": "SUPPORTED", "evidence": "if {eGFR < 30"}], "score": null}'
    assert parse(text)["verdicts"][0].evidence == "if {eGFR < 30"


def test_stringified_verdicts_are_read_again() -> None:  # C22
    text = '{"verdicts": "[{\\"status\\":\\"SUPPORTED\\",\\"evidence\\":\\"e\\"}]", "score": 1}'
    assert parse(text)["verdicts"] == [Verdict(status="SUPPORTED", evidence="e")]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("no", "holds no JSON object"),
        ('{"verdicts": [{"status": "SUPPORTED", "evidence": "e"}, {"sta', "was cut off"),
        ('{"verdicts": "[{\\"status\\":", "score": 1}', "broken JSON"),
        ('{"score": 1}', "lacks 'verdicts'"),
        ('{"other": 1}', "none of the wanted fields; it has 'other'"),
        ('{"verdicts": [{"status": "MAYBE", "evidence": "e"}], "score": 1}', "verdicts.0.status"),
        ('{"verdicts": {"status": "SUPPORTED", "evidence": "e"}, "score": 1}', "verdicts"),
    ],
)
def test_what_has_no_reading_is_an_error_with_a_reason(text: str, reason: str) -> None:
    with pytest.raises(AdapterParseError) as caught:
        parse(text)
    assert reason in str(caught.value.message).split("\n\n")[0]


def test_optional_outputs_may_be_missing() -> None:
    assert parse('{"verdicts": []}') == {"verdicts": [], "score": None}


def test_an_unreadable_reply_is_asked_for_again_with_the_reason() -> None:
    lm = ScriptedLM(["prose", GOOD])
    assert ask(lm).score == 0.5
    first, second = lm.asked
    assert first.system == second.system
    assert second.user.startswith(first.user)
    assert f"{COMPLAINT}: the answer holds no JSON object. Correct this." in second.user
    assert (first.temperature, second.temperature) == (0.0, 0.7)
    assert lm.meter.usage().calls == 2


def test_the_cache_does_not_replay_a_bad_reply() -> None:
    with memory_cache():
        lm = ScriptedLM(["prose", "prose again", GOOD], cache=True)
        assert ask(lm).score == 0.5
        assert ask(lm).score == 0.5
    assert (lm.meter.usage().calls, lm.meter.usage().cached) == (3, 3)


def test_repeats_do_not_share_a_reask() -> None:
    replies = iter(range(10))

    def script(call: Any) -> Any:
        return {**GOOD, "score": next(replies)} if COMPLAINT in call.user else "prose"

    with memory_cache():
        lm = ScriptedLM(script, cache=True, temperature=0.7)
        scores = [ask(lm.copy(rollout_id=repeat)).score for repeat in (1, 2, 1)]
    assert scores == [0.0, 1.0, 0.0]


def test_exhaustion_is_an_error_of_both_trees() -> None:
    lm = ScriptedLM(lambda call: "prose")
    with pytest.raises(ParseError, match=r"answer \(verdicts, score\) could not") as caught:
        ask(lm, reasks=1)
    error = caught.value
    assert isinstance(error, AdapterParseError)
    # GEPA looks the predictor up by this signature and divides by the length of this result.
    assert error.signature.instructions == "Judge the claims."
    assert COMPLAINT not in error.signature.input_fields
    assert error.parsed_result is None
    assert "\n" not in str(error)
    assert len(lm.asked) == 2


def test_a_server_without_schemas_gets_the_same_prompt() -> None:
    lm = ScriptedLM([GOOD], structured=False)
    assert ask(lm).verdicts[0].status == "SUPPORTED"
    assert lm.asked[0].fields == ()


class Propose(dspy.Signature):
    """Propose."""

    note: str = dspy.InputField()
    names: list[str] = dspy.OutputField(desc="at most four", min_length=1)


def test_the_schema_asks_for_a_list_that_is_not_empty() -> None:
    options: dict[str, Any] = {}
    QkgramAdapter()._prepare_response_format(ScriptedLM([]), options, Propose)
    assert options["response_format"].model_json_schema()["properties"]["names"]["minItems"] == 1


def test_an_empty_list_of_a_server_without_schemas_is_read() -> None:
    with dspy.context(lm=ScriptedLM([{"names": []}], structured=False), adapter=QkgramAdapter()):
        assert dspy.Predict(Propose)(note="n").names == []


def test_the_prompt_says_nothing_of_the_schema() -> None:
    assert "names: [string] # at most four\n" in QkgramAdapter().format_system_message(Propose)


def test_asynchronous_calls_are_asked_again_too() -> None:
    import asyncio

    lm = ScriptedLM(["prose", GOOD])
    with dspy.context(lm=lm, adapter=QkgramAdapter()):
        predict = dspy.Predict(Judge)
        assert asyncio.run(predict.acall(text="t", note="n")).score == 0.5
