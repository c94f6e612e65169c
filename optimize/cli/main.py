"""The commands of `qkgram`, by name."""

from __future__ import annotations

import typer

from optimize.cli import data, kg, models, reviewer
from optimize.cli.ablate import ablate_command
from optimize.cli.annotate import annotate_command
from optimize.cli.ask import ask_command
from optimize.cli.compare import compare_command
from optimize.cli.compile import compile_command
from optimize.cli.curate import curate_command
from optimize.cli.demo import demo_command
from optimize.cli.doctor import doctor_command
from optimize.cli.evaluate import evaluate_command
from optimize.cli.judge import judge_command
from optimize.cli.leakage import leakage_command
from optimize.cli.region import link_command, region_command
from optimize.cli.report import report_command
from optimize.cli.rescore import rescore_command
from optimize.cli.ui import ui_command

app = typer.Typer(
    name="qkgram",
    help="Answer medical questions over a knowledge graph, with facts checked for the patient.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)
app.command("ask")(ask_command)
app.command("region")(region_command)
app.command("link")(link_command)
app.command("evaluate")(evaluate_command)
app.command("compare")(compare_command)
app.command("ablate")(ablate_command)
app.command("rescore")(rescore_command)
app.command("judge")(judge_command)
app.command("report")(report_command)
app.command("leakage")(leakage_command)
app.command("compile")(compile_command)
app.command("annotate")(annotate_command)
app.command("curate")(curate_command)
app.command("demo")(demo_command)
app.command("ui")(ui_command)
app.command("doctor")(doctor_command)
app.add_typer(kg.app, name="kg", help="Build and inspect graph stores.")
app.add_typer(data.app, name="data", help="Check question files.")
app.add_typer(models.app, name="models", help="List and fetch the embedded models.")
app.add_typer(reviewer.app, name="reviewer", help="Train and ask the RotatE reviewer of a graph.")
