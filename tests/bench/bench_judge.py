"""A judge against answers labelled by hand: `python -m tests.bench.bench_judge [options]`.

    --measure similarity|hallucination   what is asked (default: similarity)
    --model NAME                         any model of the settings (default: local)
    --limit N                            the first N pairs; the file mixes labels and forms
    --out FILE                           verdicts as JSON lines

Printed: agreement and Cohen's kappa with the labels, how many replies had no score, the mean score
by label, and every disagreement. `partly` counts as not correct for similarity.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, get_args

from data.judge_pairs import JudgePair, PairLabel, read_judge_pairs
from metrics.kappa import cohen_kappa
from optimize.judged_results import THRESHOLD
from optimize.judging import judge_settings
from optimize.language_models import use_models
from optimize.meter import Meter
from optimize.settings import load_settings
from programs.judge import JUDGES, JudgedAnswer
from signatures.schema import JudgedMeasure, Verdict


class Judged(NamedTuple):
    """A pair, what the judge said, and the seconds it took."""

    pair: JudgePair
    verdict: Verdict
    seconds: float


def truth(pair: JudgePair, measure: JudgedMeasure) -> bool:
    """Say what the judge should say: yes or no at the measure's threshold."""
    return pair.label == "equivalent" if measure == "similarity" else pair.hallucinated


def report(found: Sequence[Judged], measure: JudgedMeasure) -> str:
    """Word the agreement of a judge with the labels, one line a finding."""
    scored = [j for j in found if j.verdict.score is not None]
    said = {j.pair.id: (j.verdict.score or 0.0) >= THRESHOLD[measure] for j in scored}
    labels = {j.pair.id: truth(j.pair, measure) for j in found}
    kappa = cohen_kappa(labels, said)
    value = kappa.reason if kappa.value is None else f"{kappa.value:.3f}"
    span = (
        ""
        if kappa.interval is None
        else f" ({kappa.interval.low:.2f} to {kappa.interval.high:.2f})"
    )
    lines = [
        f"{measure}: {kappa.agreed} of {kappa.shared} scored pairs agree with the label, "
        f"{len(found) - len(scored)} of {len(found)} unscored",
        f"kappa with the labels {value}{span}; yes from {THRESHOLD[measure]:g}",
        f"seconds a call: {sum(j.seconds for j in found) / max(1, len(found)):.1f}",
    ]
    for label in get_args(PairLabel):
        scores = [j.verdict.score for j in scored if j.pair.label == label]
        part = [score for score in scores if score is not None]
        if part:
            lines.append(f"mean score of {label}: {sum(part) / len(part):.2f} ({len(part)} pairs)")
    lines += [
        f"  {j.pair.id} {j.pair.form}: label {j.pair.label}, hallucinated "
        f"{j.pair.hallucinated}; score {j.verdict.score}: {j.verdict.reason}"
        for j in found
        if said.get(j.pair.id) != labels[j.pair.id]
    ]
    return "\n".join(lines)


def main(arguments: Sequence[str]) -> None:
    """Ask the judge about every pair and print what came of it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--measure", choices=("similarity", "hallucination"), default="similarity")
    parser.add_argument("--model", default=None)
    parser.add_argument("--limit", type=int, default=None)
    parser.add_argument("--out", type=Path, default=None)
    asked = parser.parse_args(arguments)
    settings = judge_settings(load_settings(None, {"roles.judge.model": asked.model}))
    judge, meter = JUDGES[asked.measure](), Meter(settings.budget)
    found: list[Judged] = []
    with use_models(settings, meter) as roles:
        for pair in read_judge_pairs()[: asked.limit]:
            begun = time.monotonic()
            verdict = judge(
                JudgedAnswer(question=pair.question, reference=pair.reference, answer=pair.answer)
            )
            found.append(Judged(pair, verdict, time.monotonic() - begun))
            line = {"id": pair.id, "label": pair.label, **verdict.model_dump(mode="json")}
            sys.stderr.write(json.dumps(line, ensure_ascii=False) + "\n")
        name = roles["judge"].model
    if asked.out is not None:
        rows = [{"judge": name, "pair": j.pair.id, **j.verdict.model_dump()} for j in found]
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        asked.out.write_text(text, encoding="utf-8")
    sys.stdout.write(f"{name}\n{report(found, asked.measure)}\n{meter.usage().calls} calls\n")


if __name__ == "__main__":
    main(sys.argv[1:])
