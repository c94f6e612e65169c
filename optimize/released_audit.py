"""The audit of a folder in the shape of the QKG release, by the labels that it publishes.

The release gives no evidence texts, so the labels cannot be made again from it; what follows from
them (table 1, table 2, the adjusted test) can, and is.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from data.released import ReleasedCase, is_case_file, is_row_file, read_cases
from metrics.leakage import Direction, LabelledCase
from optimize.auditing import Audit, audit
from optimize.results import Results, read_results
from signatures.errors import InputError


def audit_release(folder: Path) -> tuple[Audit, ...]:
    """Audit each run that the folder labels.

    A run's label and its per-sample file are matched by their answers: the file must hold every
    labelled question with the same first answer, final answer and gold.

    Raises:
        InputError: no labelled revisions, or no per-sample file for them.
    """
    files = sorted(folder.rglob("*.csv"))
    runs = [read_results(path) for path in files if is_row_file(path)]
    labelled = _by_run([path for path in files if is_case_file(path)])
    if not labelled:
        raise InputError(
            f"{folder}: no CSV of labelled revisions; wanted sample_key, regex_label …"
        )
    return tuple(_audit(folder, name, cases, runs) for name, cases in labelled.items())


def _by_run(paths: Iterable[Path]) -> dict[str, list[ReleasedCase]]:
    """Gather cases by run; a model's re-labelling replaces the rules' label of the same case."""
    best: dict[tuple[str, str], ReleasedCase] = {}
    for path in paths:
        for case in read_cases(path):
            place = (case.run, case.key)
            if place not in best or case.model_label is not None:
                best[place] = case
    runs: dict[str, list[ReleasedCase]] = {}
    for (run, _), case in best.items():
        runs.setdefault(run, []).append(case)
    return runs


def _audit(folder: Path, name: str, cases: list[ReleasedCase], runs: list[Results]) -> Audit:
    wanted = {(case.key, case.original, case.final, case.gold) for case in cases}
    found = [results for results in runs if wanted <= _answers(results)]
    if len(found) != 1:
        raise InputError(
            f"{folder}: wanted one per-sample CSV that holds the answers of {name!r}, "
            f"found {len(found)}"
        )
    named = found[0].model_copy(update={"name": name})
    return audit(named, [_labelled(case) for case in cases])


def _answers(results: Results) -> set[tuple[str, str, str, str]]:
    return {
        (row.key, row.first.letter or "", row.final.letter or "", row.final.gold or "")
        for row in results.rows
        if row.first is not None
    }


def _labelled(case: ReleasedCase) -> LabelledCase:
    direction: Direction = "wrong_to_correct" if case.final == case.gold else "correct_to_wrong"
    by_model = case.model_label is not None
    return LabelledCase(
        key=case.key,
        direction=direction,
        original=case.original,
        final=case.final,
        gold=case.gold,
        rule_label=case.rule_label,
        context_driven=case.context_driven,
        label=case.label,
        decided_by="model" if by_model else "rules",
        reason=case.justification if by_model else "label as released; no evidence text",
    )
