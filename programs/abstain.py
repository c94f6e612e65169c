"""When a program should rather not answer: a rule over its evidence, off unless it is set.

The rule looks at numbers that every program's prediction carries. A number that is missing (a
program without a graph has no confidence) never withholds an answer: unknown is not low.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, NamedTuple

from pydantic import Field

from metrics.risk_coverage import threshold_for
from signatures.schema import ClaimVerdict, OptionScore, Record

Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]


class AbstainRule(Record):
    """What an answer needs to be given; each part is off by default."""

    below: Share | None = None
    """Withhold an answer whose confidence, the margin of its evidence, is less than this."""
    coverage_below: Share | None = None
    """Withhold it when the graph knows a smaller share than this of the options or claims."""
    on_mismatch: bool = False
    """Withhold it when the evidence is for another option."""
    on_contradiction: bool = False
    """Withhold it when a claim that argues for it is contradicted."""

    @property
    def is_off(self) -> bool:
        """True when the rule withholds nothing."""
        return self == AbstainRule()


class Standing(NamedTuple):
    """What is known of an answer; `None` where the program cannot say."""

    confidence: float | None = None
    coverage: float | None = None
    mismatch: bool | None = None
    contradicted: bool | None = None


def withheld(rule: AbstainRule, standing: Standing) -> str | None:
    """Return why the rule withholds an answer, `None` when the answer is given.

    >>> withheld(AbstainRule(below=0.5), Standing(confidence=0.25))
    'confidence 0.25 is below 0.5'
    >>> withheld(AbstainRule(below=0.5), Standing(confidence=0.5)) is None
    True
    >>> withheld(AbstainRule(), Standing(confidence=0.0, mismatch=True)) is None
    True
    """
    return next(_objections(rule, standing), None)


def _objections(rule: AbstainRule, standing: Standing) -> Iterator[str]:
    limits = (
        ("confidence", standing.confidence, rule.below),
        ("coverage", standing.coverage, rule.coverage_below),
    )
    for name, value, least in limits:
        if value is not None and least is not None and value < least:
            yield f"{name} {value:.2g} is below {least:g}"
    if rule.on_mismatch and standing.mismatch:
        yield "the evidence is for another option"
    if rule.on_contradiction and standing.contradicted:
        yield "a claim for this option is contradicted"


def coverage_of(scores: Sequence[OptionScore], report: Sequence[ClaimVerdict]) -> float | None:
    """Return the share of claims that evidence decides or, without claims, of options joined.

    >>> coverage_of([OptionScore(option=o, score=0, known=True) for o in "AB"], [])
    0.0
    >>> coverage_of([], []) is None
    True
    """
    if report:
        return sum(verdict.status != "NO_COVERAGE" for verdict in report) / len(report)
    return sum(bool(one.joins) for one in scores) / len(scores) if scores else None


def is_contradicted(letter: str | None, report: Iterable[ClaimVerdict]) -> bool | None:
    """Tell whether a claim that argues for the option is contradicted; `None` without a claim."""
    own = [v for v in report if v.claim.option == letter and v.claim.supports]
    return any(v.status == "CONTRADICTED" for v in own) if own else None


def tuned_rule(pairs: Iterable[tuple[float, bool]], *, risk: float) -> AbstainRule | None:
    """Return the rule that answers most at a wanted risk on these pairs.

    Tune it on questions of the dev split only: on the questions that it was tuned on, the risk is
    met by choice, so it says nothing of others.

    Args:
        pairs: confidence of each answer, and whether it is right.
        risk: share of the given answers that may be wrong, 0 to 1.

    Returns:
        `None` when no threshold is that safe on these pairs.

    >>> tuned_rule([(0.9, True), (0.5, False)], risk=0.0).below
    0.9

    Raises:
        ValueError: `risk` is not between 0 and 1.
    """
    below = threshold_for(pairs, risk=risk)
    return None if below is None else AbstainRule(below=below)
