"""Judge a run in a process of its own, slowly enough to be killed on the way.

python -m tests.support.judge_toy_run RUN LOG
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from optimize.scripted import Answer, ScriptedCall
from tests.support.judged_runs import judge, scores


def main(run: Path, log: Path) -> None:
    """Judge, and write a line a call to `log` before it is answered."""

    def slowly(call: ScriptedCall) -> Answer:
        with log.open("a", encoding="utf-8") as lines:
            lines.write("asked\n")
            lines.flush()
            os.fsync(lines.fileno())
        time.sleep(0.05)
        return scores(call)

    summary, _ = judge(run, slowly)
    sys.stdout.write(f"{summary.judged}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
