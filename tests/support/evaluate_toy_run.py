"""A toy run as a process of its own: FOLDER QUESTIONS THREADS DELAY [MAX_BYTES].

Exit code 0 complete, 2 incomplete, 1 refused; errors are one line on standard error.
"""

from __future__ import annotations

import resource
import sys
from pathlib import Path

import dspy

from optimize.adapter import QkgramAdapter
from optimize.evaluate import evaluate
from optimize.meter import Meter
from signatures.errors import QkgramError
from tests.support.evaluate_toy import Toy, open_toy, toy_lm, toy_questions


def main(folder: str, count: str, threads: str, delay: str, max_bytes: str = "") -> int:
    meter = Meter()
    try:
        with open_toy(Path(folder), toy_questions(int(count))) as run:
            if max_bytes:
                limit = int(max_bytes)
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
            lm = toy_lm(meter=meter, delay=float(delay))
            with dspy.context(lm=lm, roles={"reasoner": lm}, adapter=QkgramAdapter(reasks=0)):
                summary = evaluate(Toy(), run, meter=meter, threads=int(threads))
    except QkgramError as error:
        sys.stderr.write(f"qkgram: {error}\n")
        return error.exit_code
    sys.stdout.write(f"{summary.done} {summary.stopped}\n")
    return 2 if summary.incomplete else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
