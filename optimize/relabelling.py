"""The judge's look at revisions that the rules leave unclassified, run under its model."""

from __future__ import annotations

from collections.abc import Sequence

from metrics.leakage import LabelledCase
from optimize.auditing import Audit, relabelled_audit
from optimize.language_models import use_models
from optimize.meter import Meter
from optimize.settings import Settings
from programs.relabel_leakage import RelabelLeakage


def relabel_audits(audits: Sequence[Audit], *, settings: Settings) -> tuple[Audit, ...]:
    """Ask the judge of `settings` and count the classes again.

    Raises:
        ModelCallError: the judge could not be reached.
        BudgetExceeded: the budget of the settings is spent.
    """
    program = RelabelLeakage()
    with use_models(settings, Meter(settings.budget)):
        return tuple(relabelled_audit(audit, _asked(program, audit.cases)) for audit in audits)


def _asked(program: RelabelLeakage, cases: Sequence[LabelledCase]) -> tuple[LabelledCase, ...]:
    labelled: tuple[LabelledCase, ...] = program(cases=cases)
    return labelled
