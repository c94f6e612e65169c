"""KGARevion's first step: triplets from the question, with or without its options."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import NamedTuple

import dspy

from programs.caps import Caps
from programs.roles import step
from programs.toolbox import Toolbox
from programs.wording import one_line, option_lines
from signatures.baseline import ProposeFromOptions, ProposeFromStem
from signatures.errors import ParseError
from signatures.schema import Hypothesis, Question

OPTION_TOKENS = 96
"""Room for the triplets of one option: up to three of about thirty tokens."""

_STEM_ANSWERS = frozenset({"yes", "no", "maybe"})

Reply = list[Hypothesis] | None
"""What one call proposed; `None` when its reply could not be read."""

Key = tuple[str, str, str]
"""Names a triplet: relation, then its two ends in alphabetical order. Direction does not count."""


class Proposals(NamedTuple):
    """What the model proposed."""

    triplets: tuple[Hypothesis, ...]
    choice_aware: bool
    """True when the options were shown."""
    dropped: int
    """Proposals without a head, relation or tail, and repeats of another."""
    unread: int
    """Replies that could not be read; each proposed nothing."""


class Propose(dspy.Module):
    """Generate triplets: from question and options (choice-aware), or from the question alone.

    The original asks once for every option and shows that option alone; here one call shows all,
    which costs less. `per_option_calls` asks as the original does.

    Args:
        tools: the graph, for its relations.
        choice_aware: `None` decides it by the options: none, or only yes, no and maybe, are not
            shown.
        per_option_calls: one call an option.
        caps: tokens per call.
    """

    def __init__(
        self,
        tools: Toolbox,
        *,
        choice_aware: bool | None = None,
        per_option_calls: bool = False,
        caps: Caps = Caps(),
    ) -> None:
        super().__init__()
        self.tools = tools
        self.choice_aware = choice_aware
        self.per_option_calls = per_option_calls
        self.caps = caps
        self.from_options = dspy.Predict(ProposeFromOptions)
        self.from_stem = dspy.Predict(ProposeFromStem, max_tokens=caps.reasoning)

    def forward(self, question: Question) -> Proposals:
        """Return the proposed triplets, each once."""
        aware = self.is_choice_aware(question)
        replies = self._by_options(question) if aware else [self._by_stem(question)]
        said = [triplet for reply in replies for triplet in reply or ()]
        kept = tidy(said)
        return Proposals(
            kept, aware, dropped=len(said) - len(kept), unread=sum(r is None for r in replies)
        )

    def is_choice_aware(self, question: Question) -> bool:
        """Say whether triplets are proposed for each option.

        By the original's rule they are for every question whose options are more than yes, no and
        maybe.
        """
        if not question.options:
            return False
        if self.choice_aware is not None:
            return self.choice_aware
        return not answers_stem(question.options)

    def _by_options(self, question: Question) -> list[Reply]:
        """Propose for all options in one call, or in one call each."""
        each = [{letter: text} for letter, text in question.options.items()]
        parts = each if self.per_option_calls else [dict(question.options)]
        return [self._for(question.text, part) for part in parts]

    def _for(self, text: str, options: Mapping[str, str]) -> Reply:
        room = self.caps.classification + OPTION_TOKENS * len(options)
        with step("propose"), suppress(ParseError):
            said = self.from_options(
                relations=relation_names(self.tools),
                question=text,
                options=option_lines(options),
                config={"max_tokens": room},
            ).triplets
            return [Hypothesis(head=t.head, relation=t.relation, tail=t.tail) for t in said]
        return None

    def _by_stem(self, question: Question) -> Reply:
        with step("propose"), suppress(ParseError):
            said: list[Hypothesis] = self.from_stem(
                relations=relation_names(self.tools), question=question.text
            ).triplets
            return said
        return None


def relation_names(tools: Toolbox) -> str:
    """Name every relation of the graph; first in the prompt and alike for all questions."""
    return ", ".join(tools.graph.relations)


def answers_stem(options: Mapping[str, str]) -> bool:
    """Say whether the options only answer the question: yes, no, maybe.

    >>> answers_stem({"A": "Yes", "B": "No."}), answers_stem({"A": "Yes", "B": "Metformin"})
    (True, False)
    """
    return {text.casefold().strip(" .") for text in options.values()} <= _STEM_ANSWERS


def tidy(said: Iterable[Hypothesis]) -> tuple[Hypothesis, ...]:
    r"""Keep whole triplets, each once, on one line; nothing is ever split at a comma.

    >>> tidy([Hypothesis(head="5,6-EET", relation="drug_drug", tail=" iron\n(II) "),
    ...       Hypothesis(head="iron (II)", relation="drug_drug", tail="5,6-eet"),
    ...       Hypothesis(head="", relation="drug_drug", tail="iron")])
    (Hypothesis(head='5,6-EET', relation='drug_drug', tail='iron (II)'),)
    """
    kept: dict[Key, Hypothesis] = {}
    for triplet in said:
        bare = Hypothesis(
            head=one_line(triplet.head),
            relation=one_line(triplet.relation),
            tail=one_line(triplet.tail),
        )
        if bare.head and bare.relation and bare.tail:
            kept.setdefault(key(bare), bare)
    return tuple(kept.values())


def key(triplet: Hypothesis) -> Key:
    """Return what makes two proposals one: the graph stores an edge in both directions."""
    first, second = sorted((triplet.head.casefold(), triplet.tail.casefold()))
    return triplet.relation.casefold(), first, second
