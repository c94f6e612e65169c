"""Write candidates to a tracking store from eight threads, in a process of its own.

python -m tests.support.track_toy_run URI NAME COUNT
"""

from __future__ import annotations

import sys
import warnings
from concurrent.futures import ThreadPoolExecutor

THREADS = 8


def main(uri: str, name: str, count: int) -> None:
    """Write `count` candidates of two prompts."""
    import dspy

    from optimize.mlflow_tracker import MlflowTracker
    from tests.support.toy_program import TypeDomain

    programs = [TypeDomain(), TypeDomain()]
    programs[1].predict.demos = [dspy.Example(question="shown", domain="INTEGRATED")]
    tracker = MlflowTracker(uri, experiment="shared")
    tracker.start(name, params={"program": "toy"})

    def write(number: int) -> None:
        tracker.candidate(
            f"{name} {number}",
            program=programs[number % 2],
            params={"number": number},
            metrics={"dev.score": number / count},
            texts={"note.md": f"{name} {number}"},
        )

    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(write, range(count)))
    tracker.finish(status="FINISHED", metrics={"count": count})


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
