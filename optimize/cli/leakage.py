"""`qkgram leakage`: do revisions rest on the graph, or on what the validator knew anyway?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from optimize.cli.options import ConfigOption, JsonOption, ModelOption
from optimize.cli.reporting import FormatOption, note, write, write_csv

if TYPE_CHECKING:
    from optimize.auditing import Audit


def leakage_command(
    runs: Annotated[
        list[Path],
        typer.Argument(help="Run folders, validator logs, or a folder with labelled cases as CSV."),
    ],
    name: Annotated[
        list[str] | None, typer.Option(help="Name of a run in the tables; repeat in their order.")
    ] = None,
    cases: Annotated[
        Path | None, typer.Option(help="Write every revision with its reason to this CSV file.")
    ] = None,
    relabel: Annotated[
        bool, typer.Option("--relabel", help="Ask the judge about cases the rules leave open.")
    ] = False,
    model: ModelOption = None,
    config: ConfigOption = None,
    style: FormatOption = "table",
    as_json: JsonOption = False,
) -> None:
    """Label every revision by its decisive evidence and adjust accuracy for leakage (QKG A.3).

    Example: qkgram leakage runs/qkg --cases cases.csv
    """
    from optimize import leakage_tables as tables
    from optimize.auditing import compare_audits

    audits = _audits(runs, name or [])
    if relabel:
        audits = _relabelled(audits, model=model, config=config)
    note([f"{audit.name}: {line}" for audit in audits for line in audit.notes])
    pairs = compare_audits(audits)
    if cases is not None:
        write_csv(tables.case_table(audits), cases)
    shown = [
        tables.accounting_table(audits),
        tables.class_table(audits),
        tables.paired_table(pairs),
        tables.odd_table(audits),
    ]
    data = {
        "audits": [audit.model_dump(mode="json", exclude={"right"}) for audit in audits],
        "pairs": [pair.model_dump(mode="json") for pair in pairs],
    }
    write(
        [tables.case_table(audits)] if style == "csv" else shown,
        data,
        style="json" if as_json else style,
    )


def _audits(paths: list[Path], names: list[str]) -> tuple[Audit, ...]:
    from optimize.auditing import audit_run
    from optimize.released_audit import audit_release
    from optimize.results import is_run, name_results, read_results

    if len(paths) == 1 and paths[0].is_dir() and not is_run(paths[0]):
        return audit_release(paths[0])
    return tuple(audit_run(r) for r in name_results([read_results(p) for p in paths], names))


def _relabelled(
    audits: tuple[Audit, ...], *, model: str | None, config: Path | None
) -> tuple[Audit, ...]:
    from optimize.cli.options import read_settings
    from optimize.relabelling import relabel_audits

    return relabel_audits(audits, settings=read_settings(config, model=model))
