"""The sentence encoder: errors without weights, and the real weights where they are present."""

from __future__ import annotations

import copy
from pathlib import Path

import numpy as np
import pytest

from retrievers.embedding import SentenceEncoder, check_weights
from signatures.errors import ModelNotFound


def test_absent_weights_are_an_error_with_the_command(tmp_path: Path) -> None:
    encoder = SentenceEncoder(tmp_path / "nothing")
    with pytest.raises(ModelNotFound, match="qkgram models fetch all-minilm-l6-v2"):
        encoder.embed(["text"])


def test_other_weights_than_the_pinned_ones_are_refused(tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"not the model")
    with pytest.raises(ModelNotFound, match="wanted SHA-256 53aa51172d14"):
        SentenceEncoder(tmp_path).embed(["text"])


def test_nothing_is_read_before_the_first_text(tmp_path: Path) -> None:
    encoder = SentenceEncoder(tmp_path / "nothing")
    assert encoder.embed([]).shape == (0, 384)
    assert encoder.id == "nothing-53aa5117"
    assert copy.deepcopy(encoder) is encoder


def test_vectors_are_unit_rows_in_the_order_of_the_texts(encoder: SentenceEncoder) -> None:
    texts = ["Metformin is indicated for type 2 diabetes", "a cat", "a cat", ""]
    rows = encoder.embed(texts)
    assert rows.shape == (4, 384)
    assert rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    assert np.array_equal(rows[1], rows[2])
    assert np.array_equal(encoder.embed(["a cat"])[0], rows[1])


def test_meaning_orders_texts(encoder: SentenceEncoder) -> None:
    query, near, far = encoder.embed(
        ["drug for high blood pressure", "Lisinopril is indicated for hypertension", "a red car"]
    )
    assert query @ near > query @ far + 0.3


def test_of_a_long_text_the_question_at_its_end_is_read(encoder: SentenceEncoder) -> None:
    story = "He had soup for lunch and then walked home along the river. " * 30
    asked = "Which drug is contraindicated in heart failure?"
    asks, tells, question = encoder.embed([story + asked, story, asked])
    assert asks @ question > tells @ question + 0.1


def test_the_real_weights_have_the_pinned_hash(encoder: SentenceEncoder) -> None:
    check_weights(encoder.folder, sha256=encoder.sha256)
