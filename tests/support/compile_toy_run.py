"""Compile the toy program in a process of its own, slowly enough to be killed on the way.

python -m tests.support.compile_toy_run OPTIMIZER OUT LOG
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
from pathlib import Path

from tests.support.toy_program import Toy, toy_questions

BETTER = "Read what stands in brackets."
PARTS = TRAIN, DEV, TEST = toy_questions(0, 9), toy_questions(9, 15), toy_questions(15, 24)


def main(optimizer: str, out: Path, log: Path) -> None:
    """Compile, and write a line a call to `log` before it is answered."""
    import dspy

    from optimize.adapter import QkgramAdapter
    from optimize.compile import compile_program
    from optimize.examples import predictor_examples
    from optimize.scripted import ScriptedCall, ScriptedLM
    from optimize.study import Study

    def answer(call: ScriptedCall) -> dict[str, object]:
        with log.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps([call.system, call.user]) + "\n")
            lines.flush()
            os.fsync(lines.fileno())
        time.sleep(0.02)
        if "domain" not in call.fields:
            return dict.fromkeys(call.fields, BETTER)
        gold = re.findall(r"domain (\w+)\]", call.user)[-1]
        return {"domain": gold if BETTER in call.system else "DRUG_THERAPY"}

    toy = Toy()
    predictor = toy.type_domain.predict
    train, dev, test = (predictor_examples(predictor, q, field="domain") for q in PARTS)
    with dspy.context(lm=ScriptedLM(answer), adapter=QkgramAdapter()):
        done = compile_program(
            toy,
            Study(
                program="toy",
                predictor="type_domain.predict",
                metric="domain_match",
                optimizer=optimizer,
            ),
            train=train,
            dev=dev,
            test=test,
            out=out,
        )
    sys.stdout.write(f"{done.after.value} {done.resumed}\n")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
