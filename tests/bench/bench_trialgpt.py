"""Eligibility criteria of clinical trials against patient notes, with expert labels (TrialGPT).

    python tests/bench/bench_trialgpt.py [--errors] FILE

FILE is `trialgpt_criteria_dev.json` of the shared data. The rules read criterion and note; nothing
is asked of a model. The expert's label is mapped to a verdict on "does the patient belong to the
group that the criterion describes":

    inclusion  included                 MET
    inclusion  not included             NOT_MET
    exclusion  excluded                 MET
    exclusion  not excluded             NOT_MET
    either     not enough information   INDETERMINATE
    either     not applicable           left out: the criterion does not concern such a patient

The experts close the world: "not excluded" is also what they say of a disease that the note does
not mention. Our engine leaves such an item INDETERMINATE on purpose, so its recall of NOT_MET is
low and what counts is how often it is right when it decides. A decision on an item that the expert
left open is counted as wrong, and listed apart from an error on a definite label.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

sys.path[:0] = [str(Path(__file__).parents[2]), str(Path(__file__).parent)]

from verdict_scores import report  # noqa: E402

from retrievers.matching import match_item  # noqa: E402
from retrievers.patient import read_patient  # noqa: E402
from signatures.schema import ConstraintItem  # noqa: E402

VERDICTS = {
    ("inclusion", "included"): "MET",
    ("inclusion", "not included"): "NOT_MET",
    ("exclusion", "excluded"): "MET",
    ("exclusion", "not excluded"): "NOT_MET",
    ("inclusion", "not enough information"): "INDETERMINATE",
    ("exclusion", "not enough information"): "INDETERMINATE",
}

EXPLAINED: dict[int, str] = {}
"""Errors on a definite label, by annotation id: what happened."""


class Judged(NamedTuple):
    """One criterion for one patient."""

    id: int
    criterion: str
    label: str
    verdict: str
    audit: tuple[str, ...]


def judged(path: Path) -> Iterator[Judged]:
    """Yield every labelled criterion with the engine's verdict."""
    for row in json.loads(path.read_text(encoding="utf-8")):
        label = VERDICTS.get((row["criterion_type"], row["expert_eligibility"]))
        if label is None:
            continue
        patient = read_patient(note(row["note"]))
        item = ConstraintItem(
            patient_characteristics=row["criterion_text"].strip(),
            applicability="Definitely Applicable",
            evidence="",
        )
        verdict = match_item(item, patient)
        yield Judged(
            row["annotation_id"], row["criterion_text"], label, verdict.match, verdict.audit
        )


def note(numbered: str) -> str:
    r"""Take the sentence numbers out of a note.

    >>> note("0. A man.\n1. He has gout.")
    'A man. He has gout.'
    """
    return " ".join(re.sub(r"(?m)^\d+\. ", "", numbered).split("\n"))


def main() -> None:
    """Print scores, and with `--errors` every decision that the expert did not take."""
    parser = argparse.ArgumentParser()
    parser.add_argument("file", type=Path)
    parser.add_argument("--errors", action="store_true")
    arguments = parser.parse_args()
    found = list(judged(arguments.file))
    out = sys.stdout.write
    out(report("TrialGPT criteria", [(j.label, j.verdict) for j in found]) + "\n")
    definite = [j for j in found if j.label != "INDETERMINATE"]
    out(report("only definite labels", [(j.label, j.verdict) for j in definite]) + "\n")
    wrong = [j for j in found if j.verdict in ("MET", "NOT_MET") and j.verdict != j.label]
    for j in wrong if arguments.errors else ():
        why = EXPLAINED.get(j.id, "the expert left it open" if j.label == "INDETERMINATE" else "?")
        out(f"[{j.id}] {j.label}, we say {j.verdict}: {j.criterion.strip()}\n")
        out("".join(f"    {line}\n" for line in j.audit) + f"    why: {why}\n")


if __name__ == "__main__":
    main()
