"""Evidence is cut by rank and by tokens, and says so."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from programs.toolbox import Toolbox
from programs.trimming import (
    EVIDENCE_TOKENS,
    FEWEST,
    FINDINGS_TOKENS,
    count_tokens,
    cut,
    findings_beside,
    keep_ranked,
    shorten_each,
)
from programs.wording import fact_lines
from retrievers.embedding import SentenceEncoder

LINES = st.lists(st.text(alphabet="ab, 1e:", min_size=1, max_size=200), max_size=40)


def test_two_hundred_long_facts_are_cut_by_rank_with_a_note() -> None:
    """Known failure D22: 200 triples of 300 characters into a small context."""
    facts = [f"e{n}: {'glucocorticoid ' * 20}" for n in range(200)]
    kept = keep_ranked("\n".join(facts))
    *shown, note = kept.text.splitlines()
    assert shown == facts[: len(shown)]
    assert kept.left_out == 200 - len(shown)
    assert note == f"({kept.left_out} of lower rank left out)"
    assert sum(map(count_tokens, shown)) <= EVIDENCE_TOKENS


def test_no_fact_is_cut_in_the_middle() -> None:
    """Known failure J06: a prompt cut at so many characters ends inside a fact."""
    facts = ["e1: " + "long " * 30, "e2: " + "word " * 30]
    assert set(keep_ranked("\n".join(facts), budget=50).text.splitlines()) - set(facts) == {
        "(1 of lower rank left out)"
    }


def test_what_fits_is_left_as_it_is() -> None:
    facts = "e1: gout\ne2: pain"
    assert keep_ranked(facts) == (facts, 0)
    assert findings_beside(facts, "What hurts?") == facts
    assert keep_ranked("") == ("", 0)


def test_the_best_fact_stays_even_when_it_alone_is_too_long() -> None:
    assert keep_ranked("e1: " + "word " * 99, budget=10).left_out == 0


def test_every_finding_keeps_its_beginning() -> None:
    findings = "\n".join(f"[HYBRID] Question {n}? {'because ' * 300}" for n in range(3))
    lines = findings_beside(findings, "A case. " * 20).splitlines()
    assert len(lines) == 3
    assert all(line.startswith(f"[HYBRID] Question {n}?") for n, line in enumerate(lines))
    assert all(line.endswith("…") for line in lines)
    assert FEWEST < sum(map(count_tokens, lines)) <= FINDINGS_TOKENS


def test_findings_give_way_to_a_long_case_but_never_vanish() -> None:
    findings = "because " * 900
    sizes = [count_tokens(findings_beside(findings, "case " * n)) for n in (0, 400, 5000)]
    assert FINDINGS_TOKENS >= sizes[0] > sizes[1] > sizes[2] >= FEWEST - 2


@given(lines=LINES, budget=st.integers(1, 300))
def test_ranked_facts_are_a_prefix_within_the_budget(lines: list[str], budget: int) -> None:
    kept = keep_ranked("\n".join(lines), budget=budget)
    shown = kept.text.splitlines()[: len(lines) - kept.left_out]
    assert shown == lines[: len(shown)]
    assert len(shown) <= 1 or sum(map(count_tokens, shown)) <= budget


@given(lines=LINES, budget=st.integers(60, 300))
def test_shortened_findings_keep_their_number(lines: list[str], budget: int) -> None:
    short = shorten_each("\n".join(lines), budget=budget).splitlines()
    assert len(short) == len(lines)
    assert sum(map(count_tokens, short)) <= max(budget, len(lines))


def test_a_text_that_is_cut_ends_at_a_word() -> None:
    assert cut("one two three", 2) == "one …"


def test_the_estimate_is_close_to_the_encoders_own_count(
    tools: Toolbox, encoder: SentenceEncoder
) -> None:
    """K = 15 facts of the sample, 80 times: what the budget counts on."""
    tokenizers = pytest.importorskip("tokenizers")
    file = encoder.folder / "tokenizer.json"
    real = tokenizers.Tokenizer.from_file(str(file))
    real.no_truncation()
    real.no_padding()
    for start in range(0, 1200, 15):
        triplets = [tools.graph.triplet(edge) for edge in range(start, start + 15)]
        text = fact_lines(triplets)
        counted = len(real.encode(text, add_special_tokens=False).ids)
        assert 0.9 * counted <= count_tokens(text) <= 1.5 * counted
