"""Time two runs of 2,788 rows scored again and compared: `python tests/bench/bench_rescore.py`."""

from __future__ import annotations

import random
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

ROWS = 2_788
"""Questions of QKG's evaluation set."""


def main() -> None:
    start = time.perf_counter()
    import scipy.stats  # noqa: F401 - timed

    from optimize.comparing import compare
    from optimize.rescoring import rescore
    from optimize.results import read_results
    from optimize.run_results import read_run_results
    from tests.support.run_folder import make_question, write_run

    loaded = time.perf_counter()
    rng = random.Random(0)
    questions = [make_question(n, gold=rng.choice("ABCD"), split="test") for n in range(ROWS)]
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for name, right in (("a", 0.775), ("b", 0.79)):
            answers = {
                q.id: f"The KG says so.\n\n**Answer: {q.gold if rng.random() < right else 'A'}**"
                for q in questions
            }
            firsts = {q.id: rng.choice("ABCD") for q in questions}
            paths.append(write_run(Path(folder) / name, questions, answers, firsts=firsts))
        begin, spent = time.perf_counter(), time.process_time()
        runs = [read_run_results(path) for path in paths]
        read = time.perf_counter()
        scored = [rescore(run) for run in runs]
        counted = time.perf_counter()
        (found,) = compare(runs)
        end, cpu = time.perf_counter(), time.process_time() - spent
        cpu_one = time.process_time()
        one = read_results(paths[0])
        rescore(one)
        compare([one], within=True)
        cpu_one, wall_one = time.process_time() - cpu_one, time.perf_counter() - end
    out = sys.stdout.write
    out(f"imports (once)                     {loaded - start:6.2f} s\n")
    out(f"read 2 x {ROWS} rows, answers read again {read - begin:6.2f} s\n")
    out(f"accuracy, groups, revisions        {counted - read:6.2f} s\n")
    out(f"compare: McNemar, Holm, bootstrap  {end - counted:6.2f} s\n")
    out(f"one run, against its first answers {wall_one:6.2f} s, {cpu_one:.2f} s of CPU\n")
    out(f"two runs, without imports            {end - begin:6.2f} s, {cpu:.2f} s of CPU\n")
    out(f"{scored[0].whole.right} and {scored[1].whole.right} of {len(one.rows)} right; ")
    out(f"{found.words}, p = {found.p:.4g}\n")


if __name__ == "__main__":
    main()
