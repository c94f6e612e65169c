"""The packaged pairs, and a file that is not right."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from data.judge_pairs import read_judge_pairs
from signatures.errors import QuestionFileError


def test_the_packaged_pairs_are_many_and_of_many_forms() -> None:
    pairs = read_judge_pairs()
    assert len(pairs) >= 24
    assert len({pair.id for pair in pairs}) == len(pairs)
    assert min(Counter(pair.label for pair in pairs).values()) >= 6
    assert min(Counter(pair.hallucinated for pair in pairs).values()) >= 12
    forms = {pair.form for pair in pairs}
    assert forms >= {
        "paraphrase",
        "same class",
        "negation",
        "wrong number",
        "extra false claim",
        "abstention",
        "more specific",
        "less specific",
    }
    assert all(pair.source for pair in pairs)
    assert not any(p.hallucinated for p in pairs if p.label == "equivalent")


def test_a_wrong_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_text('\n{"id": "p"}\n')
    with pytest.raises(QuestionFileError, match="line 2"):
        read_judge_pairs(path)
    with pytest.raises(QuestionFileError, match="cannot be read"):
        read_judge_pairs(tmp_path / "absent.jsonl")
