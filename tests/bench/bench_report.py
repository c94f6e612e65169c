"""Seconds and megabytes of a report of 2,788 questions: the size of QKG's benchmark.

python tests/bench/bench_report.py [RUNS] [QUESTIONS]
"""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

REPO = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPO))

from tests.support.report_study import question, trace, write_study_run  # noqa: E402

NOTE = (
    "She has had fatigue, polyuria and a dry cough for three weeks; on examination the pulse is "
    "regular, the blood pressure 152/94 mmHg, and the lungs are clear. Laboratory values follow. "
)
WORDS = NOTE.split()


def prose(draw: random.Random, length: int) -> str:
    """Words in an order of their own, so that nothing is compressed away for being a copy."""
    return " ".join(
        f"{draw.choice(WORDS)}{draw.choice(('', '', 's', 'ed'))}" for _ in range(length)
    )


SHAPES = {"claims": (0, 4), "hops": (2, 0), "claims and hops": (2, 4)}
"""Hops of 15 triplets and claims with three constraint items a row has, by kind of program."""


def write(folder: Path, number: int, count: int, *, hops: int, claims: int) -> Path:
    """Write one run."""
    draw = random.Random(number)
    asked = [question(n, words=prose(random.Random(n), 130)) for n in range(count)]
    return write_study_run(
        folder / f"run{number}",
        asked,
        {q.id: draw.choice("ABCD") for q in asked},
        firsts={q.id: draw.choice("ABCD") for q in asked},
        traces=lambda n: trace(n, hops=hops, claims=claims, why=prose(draw, 60)),
    )


def measure(shape: str, runs: int, count: int) -> str:
    """Write the runs, build the page, say what it took."""
    from optimize.report.collect import collect
    from optimize.report.page import report_page
    from optimize.report.pausing import paused_collector

    hops, claims = SHAPES[shape]
    with TemporaryDirectory() as name:
        paths = [write(Path(name), n, count, hops=hops, claims=claims) for n in range(runs)]
        size = sum((path / "rows.jsonl").stat().st_size for path in paths)
        start, cpu = time.perf_counter(), time.process_time()
        with paused_collector():
            page = report_page(collect(paths))
        end, used = time.perf_counter(), time.process_time() - cpu
    return (
        f"{shape}: {runs} runs of {count:,} rows, {size / 1e6:.1f} MB of rows: "
        f"{end - start:.1f} s ({used:.1f} s of CPU), page {len(page.encode()) / 1e6:.2f} MB\n"
    )


if __name__ == "__main__":
    given = [int(word) for word in sys.argv[1:]]
    for kind in SHAPES:
        sys.stdout.write(measure(kind, *(given + [1, 2788][len(given) :])))
