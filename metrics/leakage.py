"""Whether a revision rests on the graph or on what the validator knew anyway (QKG A.3).

Leakage: a validator marks a claim CONTRADICTED out of its own medical knowledge, the reasoner
changes its answer, and the gain is credited to the graph. `label_evidence` and `classify_case` are
algorithm 2; the signals stand in `metrics.leakage_signals`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Literal

from metrics.leakage_report import decisive, read_report
from metrics.leakage_signals import Signals, read_signals
from signatures.schema import LeakageLabel, Record

EvidenceLabel = Literal["EV_CONTEXT", "EV_KG_GROUNDED", "EV_LEAKAGE", "EV_UNCLASSIFIED"]
"""What one evidence text rests on."""

Direction = Literal["wrong_to_correct", "correct_to_wrong"]

_SHOWN = 160
"""Characters of an evidence text quoted in a reason."""


class Case(Record):
    """A revision to be labelled: a question whose rightness the validation changed."""

    key: str
    direction: Direction
    original: str
    """The reasoner's first answer."""
    final: str
    gold: str
    report: tuple[object, ...]
    """The validation report as it was saved."""


class LabelledCase(Record):
    """A revision with what it rests on, and why."""

    key: str
    direction: Direction
    original: str
    final: str
    gold: str
    rule_label: LeakageLabel
    """What algorithm 2 says."""
    context_driven: bool
    """True when some decisive evidence cites an applicability label."""
    label: LeakageLabel
    """The rules' label, or a model's where the rules left the case unclassified."""
    decided_by: Literal["rules", "model"] = "rules"
    reason: str
    """One line: the decisive evidence and its signals, or the model's justification."""
    decisive: tuple[str, ...] = ()
    """Evidence texts that moved the answer."""
    odd_statuses: dict[str, int] = {}
    """Statuses of the report that are none of QKG's three, counted."""


def label_evidence(evidence: str) -> EvidenceLabel:
    """Label one evidence text (algorithm 2, LabelEvidence).

    >>> label_evidence("KG confirms the contraindication relation.")
    'EV_KG_GROUNDED'
    >>> label_evidence("KG lacks any edge. Clinically, the drug of choice is another.")
    'EV_LEAKAGE'
    >>> label_evidence("The safety judgment is AVOID; medically, it is harmful.")
    'EV_CONTEXT'
    >>> label_evidence("This is a classic sign.")
    'EV_UNCLASSIFIED'
    """
    return _weigh(read_signals(evidence))


def _weigh(signals: Signals) -> EvidenceLabel:
    if signals.context:
        return "EV_CONTEXT"
    if signals.parametric and (signals.kg_gap or not signals.kg_support):
        return "EV_LEAKAGE"
    return "EV_KG_GROUNDED" if signals.kg_support else "EV_UNCLASSIFIED"


def join_labels(labels: Iterable[EvidenceLabel]) -> LeakageLabel:
    """Join the labels of a case's decisive evidence (algorithm 2, lines 15-21).

    >>> join_labels(["EV_CONTEXT", "EV_LEAKAGE"]), join_labels(["EV_UNCLASSIFIED"]), join_labels([])
    ('MIXED', 'UNCLASSIFIED', 'UNCLASSIFIED')
    """
    seen = set(labels)
    supported = bool(seen & {"EV_CONTEXT", "EV_KG_GROUNDED"})
    if "EV_LEAKAGE" in seen:
        return "MIXED" if supported else "LIKELY_LEAKAGE"
    return "LIKELY_KG_SUPPORTED" if supported else "UNCLASSIFIED"


def classify_case(case: Case) -> LabelledCase:
    """Label one revision by its decisive evidence (algorithm 2, ClassifyCase)."""
    report = read_report(case.report)
    texts = tuple(
        item.evidence for item in decisive(report.items, original=case.original, final=case.final)
    )
    labels = [label_evidence(text) for text in texts]
    label = join_labels(labels)
    return LabelledCase(
        **case.model_dump(exclude={"report"}),
        rule_label=label,
        context_driven="EV_CONTEXT" in labels,
        label=label,
        reason=_reason(texts, labels),
        decisive=texts,
        odd_statuses=report.odd,
    )


def relabelled(case: LabelledCase, label: LeakageLabel, justification: str) -> LabelledCase:
    """Return the case with a model's label; only what the rules left unclassified is changed."""
    if case.rule_label != "UNCLASSIFIED":
        return case
    changed = {"label": label, "decided_by": "model", "reason": justification}
    return case.model_copy(update=changed)


class ClassCounts(Record):
    """Table 2's columns for one direction of one run."""

    kg_supported: int
    context_driven: int
    """Of the KG-supported, those whose decisive evidence cites an applicability label."""
    mixed: int
    leakage: int
    unclassified: int

    @property
    def total(self) -> int:
        """All cases; `context_driven` is part of `kg_supported`."""
        return self.kg_supported + self.mixed + self.leakage + self.unclassified


def count_classes(cases: Iterable[LabelledCase], direction: Direction) -> ClassCounts:
    """Count the cases of one direction by class (QKG table 2)."""
    chosen = [case for case in cases if case.direction == direction]
    seen = Counter(case.label for case in chosen)
    return ClassCounts(
        kg_supported=seen["LIKELY_KG_SUPPORTED"],
        context_driven=sum(
            case.context_driven and case.label == "LIKELY_KG_SUPPORTED" for case in chosen
        ),
        mixed=seen["MIXED"],
        leakage=seen["LIKELY_LEAKAGE"],
        unclassified=seen["UNCLASSIFIED"],
    )


def _reason(texts: Iterable[str], labels: Iterable[EvidenceLabel]) -> str:
    """Quote the evidence that decided, the strongest label first."""
    order: tuple[EvidenceLabel, ...] = ("EV_CONTEXT", "EV_LEAKAGE", "EV_KG_GROUNDED")
    ranked = sorted(
        zip(labels, texts, strict=True),
        key=lambda pair: order.index(pair[0]) if pair[0] in order else len(order),
    )
    if not ranked:
        return "no contradicted claim in the report"
    label, text = ranked[0]
    named = [name for name, on in read_signals(text)._asdict().items() if on]
    signals = ", ".join(named) or "no signal"
    return f"{label} ({signals}): {' '.join(text.split())[:_SHOWN]}"
