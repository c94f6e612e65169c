"""The leakage audit as tables: QKG's tables 1 and 2, the paired tests, and every case's reason."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from metrics.leakage import ClassCounts
from metrics.significance import PairedTest
from optimize.auditing import Audit, AuditPair
from optimize.compare_tables import p_text, percent, points
from optimize.formats import TextTable

CASE_HEADER = (
    "run_label",
    "sample_key",
    "direction",
    "reasoner_answer",
    "final_answer",
    "gold_answer",
    "regex_label",
    "of_which_context_driven",
    "llm_label",
    "llm_reasoning",
    "final_label",
    "label_source",
    "reason",
)
"""The release's column names, with `direction` and `reason` beside them."""


def accounting_table(audits: Iterable[Audit]) -> TextTable:
    """Table 1: N, revisions, questions removed, accuracy raw and adjusted."""
    header = ("setting", "N", "W→C", "C→W", "removed", "raw %", "adjusted %")
    rows = [
        (
            a.name,
            str(a.total),
            str(a.improved.total),
            str(a.regressed.total),
            str(a.removed),
            percent(a.raw),
            percent(a.adjusted),
        )
        for a in audits
    ]
    return TextTable("Leakage-adjusted accuracy (Eq. 1)", header, tuple(rows))


def class_table(audits: Iterable[Audit]) -> TextTable:
    """Table 2: class counts per direction; in brackets those that cite an applicability label."""
    header = ("setting", "revisions", "KG-supp. (ctx)", "mixed", "leakage", "unclassified")
    rows = [
        (a.name, arrow, *_counts(counts))
        for a in audits
        for arrow, counts in (("W→C", a.improved), ("C→W", a.regressed))
    ]
    return TextTable("What revisions rest on", header, tuple(rows))


def paired_table(pairs: Iterable[AuditPair]) -> TextTable:
    """Paired tests of two runs, on all shared questions and without the flagged ones."""
    header = ("A", "B", "questions", "only A", "only B", "N", "B-A pp", "direction", "p")
    rows = [
        (p.a, p.b, which, *_test(test))
        for p in pairs
        for which, test in (("all", p.raw), (f"without {p.removed} flagged", p.adjusted))
    ]
    return TextTable("Paired comparison", header, tuple(rows))


def odd_table(audits: Iterable[Audit]) -> TextTable:
    """Statuses in the reports that are none of QKG's three."""
    rows = [(a.name, status, str(n)) for a in audits for status, n in a.odd_statuses.items()]
    return TextTable("Other statuses in the reports", ("setting", "status", "items"), tuple(rows))


def case_table(audits: Sequence[Audit]) -> TextTable:
    """One row per revision, with the reason for its label."""
    rows = [
        (
            a.name,
            c.key,
            c.direction,
            c.original,
            c.final,
            c.gold,
            c.rule_label,
            str(c.context_driven),
            c.label if c.decided_by == "model" else "",
            c.reason if c.decided_by == "model" else "",
            c.label,
            "llm" if c.decided_by == "model" else "regex",
            c.reason,
        )
        for a in audits
        for c in a.cases
    ]
    return TextTable("Revisions", CASE_HEADER, tuple(rows))


def _counts(counts: ClassCounts) -> tuple[str, ...]:
    return (
        f"{counts.kg_supported} ({counts.context_driven})",
        str(counts.mixed),
        str(counts.leakage),
        str(counts.unclassified),
    )


def _test(test: PairedTest) -> tuple[str, ...]:
    return (
        str(len(test.pairing.only_a)),
        str(len(test.pairing.only_b)),
        str(test.total),
        points(test.difference),
        test.mcnemar.words,
        p_text(test.mcnemar.p),
    )
