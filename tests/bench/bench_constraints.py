"""Checks a second: constraints against patients, on one core.

    python tests/bench/bench_constraints.py

Every ConstraintItem of the packaged sample against every patient of its questions. A check is one
item matched to one patient that has been read; parsed constraints are kept, as in a run, and the
first pass, which parses, is timed apart. Reading the patients is timed apart too.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[2])]

from data.paths import sample_dir  # noqa: E402
from data.primekg import read_constraints  # noqa: E402
from data.questions import read_questions  # noqa: E402
from retrievers.expressions import parse_condition  # noqa: E402
from retrievers.matching import match_item  # noqa: E402
from retrievers.patient import read_patient  # noqa: E402


def main() -> None:
    """Print patients, parses and checks a second."""
    texts = [q.text for q in read_questions(sample_dir() / "questions.jsonl")]
    lines = read_constraints(sample_dir() / "constraints.jsonl")
    items = [item for line in lines for item in line.items]
    read_patient(texts[0])
    begun = time.perf_counter()
    patients = [read_patient(text) for text in texts]
    read = time.perf_counter()
    for item in items:
        parse_condition(item.patient_characteristics)
    parsed = time.perf_counter()
    matches = [match_item(item, patient).match for patient in patients for item in items]
    checked = time.perf_counter()
    sys.stdout.write(
        f"{len(patients)} patients, {len(patients) / (read - begun):,.0f} a second\n"
        f"{len(items)} items parsed, {len(items) / (parsed - read):,.0f} a second\n"
        f"{len(matches)} checks, {len(matches) / (checked - parsed):,.0f} a second; "
        f"{matches.count('MET')} MET, {matches.count('NOT_MET')} NOT_MET, "
        f"{matches.count('INDETERMINATE')} INDETERMINATE, {matches.count('UNJUDGED')} UNJUDGED\n"
    )


if __name__ == "__main__":
    main()
