"""Numbers, ages and assertions of trial criteria against the Leaf Clinical Trials corpus.

    python tests/bench/bench_leaf.py [--errors] FILE

FILE is `lct_ner_nic.tar.gz` of the shared data: eligibility criteria in brat's stand-off format.

* age: every `Age` event with numeric filters; the filters meet in one interval in years. The phrase
  from the first to the last of its spans is read by `age_leaf`; right is the same interval.
* numeric: every `Observation` with one numeric filter whose name is an analyte of ours; the phrase
  is read by `parse_condition`; right is the same analyte with the same interval.
* assertion: every `Negation` event; `assertion_of` must call what it negates absent. Beside it,
  conditions that nothing negates, which must not be absent, and `Family-Member` events, which must
  be family.

The eleven readings that differ are slips of the labels (`BMI>40` labelled `GTEQ`, `above 50 years`
without an operator, `between 25 and 50 years` in months), but for `18+`, which is ours from 18 on.
A phrase that is not read counts against coverage, not against correctness. The baseline beside the
assertion part calls nothing absent.
"""

from __future__ import annotations

import argparse
import math
import re
import sys
import tarfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

sys.path[:0] = [str(Path(__file__).parents[2])]

from retrievers.analytes import analyte_by_alias  # noqa: E402
from retrievers.assertion import assertion_of  # noqa: E402
from retrievers.expression_people import age_leaf  # noqa: E402
from retrievers.expression_text import tidy  # noqa: E402
from retrievers.expression_types import AgeIs, Measure  # noqa: E402
from retrievers.expressions import parse_condition  # noqa: E402
from retrievers.numbers import Interval, interval_of, to_number  # noqa: E402

SIGNS = {"GT": ">", "GTEQ": ">=", "LT": "<", "LTEQ": "<=", "EQ": "="}
YEARS = {"year": 1.0, "month": 1 / 12, "week": 7 / 365.25, "day": 1 / 365.25, "hour": 1 / 8766}


class Span(NamedTuple):
    """An annotated piece of text."""

    label: str
    start: int
    end: int
    text: str


class Trial(NamedTuple):
    """One trial's criteria with its annotations."""

    name: str
    text: str
    spans: dict[str, Span]
    events: dict[str, list[tuple[str, str]]]
    values: dict[str, str]
    """Value of the attribute of a span: operator, unit of time."""


class Case(NamedTuple):
    """One checked annotation."""

    phrase: str
    gold: object
    found: object
    """`None` when the phrase was not read."""


def trials(path: Path) -> Iterator[Trial]:
    """Yield the trials of the archive."""
    with tarfile.open(path) as archive:
        files = {m.name: m for m in archive if m.name.endswith((".txt", ".ann"))}
        for name in sorted(n for n in files if n.endswith(".ann")):
            pair = name.removesuffix(".ann") + ".txt"
            if pair in files:
                texts = [archive.extractfile(files[n]) for n in (name, pair)]
                ann, text = ("" if t is None else t.read().decode("utf-8") for t in texts)
                yield _trial(name, text, ann)


def _trial(name: str, text: str, ann: str) -> Trial:
    spans, events, values = {}, {}, {}
    for line in ann.splitlines():
        key, _, rest = line.partition("\t")
        if key.startswith("T") and re.match(r"\S+ \d+ \d+\t", rest):
            head, _, words = rest.partition("\t")
            label, start, end = head.split(" ")
            spans[key] = Span(label, int(start), int(end), words)
        elif key.startswith("E"):
            events[key] = [(r.partition(":")[0], r.partition(":")[2]) for r in rest.split()]
        elif key.startswith("A"):
            parts = rest.split()
            if len(parts) == 3 and parts[0] in ("Eq-Operator-Value", "Eq-Temporal-Unit-Value"):
                values[parts[1]] = parts[2]
    return Trial(name, text, spans, events, values)


def age_cases(trial: Trial) -> Iterator[Case]:
    """Yield the ages of a trial."""
    for event in trial.events.values():
        if event[0][0] == "Age":
            filters = [v for k, v in event if k.startswith("Numeric-Filter")]
            gold = _meet([_gold(trial, f, years=True) for f in filters])
            phrase = _phrase(trial, [event[0][1]], filters)
            if gold is not None and phrase is not None:
                leaf = age_leaf(tidy(phrase).lower())
                yield Case(phrase, _round(gold), _round(leaf.wanted) if _is_age(leaf) else None)


def numeric_cases(trial: Trial) -> Iterator[Case]:
    """Yield the measured values of a trial whose name is an analyte."""
    for event in trial.events.values():
        filters = [v for k, v in event if k.startswith("Numeric-Filter")]
        names = [v for k, v in event if k == "Name" and v in trial.spans]
        if event[0][0] != "Observation" or len(filters) != 1 or not names:
            continue
        analyte = _analyte(trial.spans[names[0]].text)
        gold, phrase = _gold(trial, filters[0]), _phrase(trial, [event[0][1]], filters)
        if analyte is None or gold is None or phrase is None:
            continue
        leaf = parse_condition(tidy(phrase))
        known = isinstance(leaf, Measure)
        found = (leaf.analyte, _round(leaf.wanted)) if known else None
        yield Case(phrase, (analyte, _round(gold)), found)


def assertion_cases(trial: Trial) -> Iterator[Case]:
    """Yield what is negated, what is not, and what is a relative's."""
    negated = _targets(trial, "Negation", "Negates")
    family = _targets(trial, "Family-Member", "Has")
    for event in trial.events.values():
        label, key = event[0]
        if label != "Condition" or key not in trial.spans:
            continue
        span = trial.spans[key]
        line = trial.text[trial.text.rfind("\n", 0, span.start) + 1 :].split("\n")[0]
        start = span.start - (trial.text.rfind("\n", 0, span.start) + 1)
        found = assertion_of(line, start, start + span.end - span.start)
        gold = "absent" if key in negated else "family" if key in family else "other"
        yield Case(line.strip()[:120] + " | " + span.text, gold,
                   found if found in ("absent", "family") else "other")  # fmt: skip


def _targets(trial: Trial, label: str, role: str) -> set[str]:
    found = set()
    for event in trial.events.values():
        if event[0][0] == label:
            for key, target in event[1:]:
                if key.startswith(role):
                    found.add(trial.events[target][0][1] if target in trial.events else target)
    return found


def _gold(trial: Trial, event: str, *, years: bool = False) -> Interval | None:
    parts = dict(trial.events.get(event, ()))
    if "Value" not in parts or any(parts.get(k, "T0") not in trial.spans for k in ("Value",)):
        return None
    sign = trial.values.get(parts.get("Operator", ""), "EQ")
    try:
        low = to_number(trial.spans[parts["Value"]].text)
        high = to_number(trial.spans[parts["Value2"]].text) if "Value2" in parts else None
    except (ValueError, KeyError):
        return None
    scale = YEARS.get(trial.values.get(parts.get("Temporal-Unit", ""), "year")) if years else 1.0
    if (
        scale is None
        or (high is None) == (sign == "BETWEEN")
        or (high is None and sign not in SIGNS)
    ):
        return None
    if high is not None:
        return Interval(min(low, high) * scale, max(low, high) * scale)
    found = interval_of(SIGNS[sign], low)
    return found._replace(low=found.low * scale, high=found.high * scale)


def _meet(intervals: list[Interval | None]) -> Interval | None:
    known = [i for i in intervals if i is not None]
    if not known or len(known) < len(intervals):
        return None
    low = max(known, key=lambda i: (i.low, i.low_open))
    high = min(known, key=lambda i: (i.high, not i.high_open))
    return Interval(low.low, high.high, low.low_open, high.high_open)


def _phrase(trial: Trial, spans: list[str], events: list[str]) -> str | None:
    keys = [*spans, *(v for e in events for _, v in trial.events.get(e, ()))]
    found = [trial.spans[key] for key in keys if key in trial.spans]
    text = trial.text[min(s.start for s in found) : max(s.end for s in found)]
    if text.count(")") > text.count("("):
        text = text.replace(")", "", 1)
    return None if "\n" in text or len(text) > 120 else text


def _analyte(text: str) -> str | None:
    return analyte_by_alias().get(text) or analyte_by_alias().get(text.lower())


def _is_age(leaf: object) -> bool:
    return isinstance(leaf, AgeIs)


def _round(interval: Interval) -> Interval:
    ends = [e if math.isinf(e) else round(e, 3) for e in (interval.low, interval.high)]
    return Interval(max(0.0, ends[0]), ends[1], interval.low_open, interval.high_open)


def _show(name: str, cases: list[Case], *, errors: bool) -> None:
    read = [c for c in cases if c.found is not None]
    wrong = [c for c in read if c.found != c.gold]
    out = sys.stdout.write
    out(f"== {name}: {len(cases)} cases, read {len(read)} ({len(read) / len(cases):.1%}), ")
    out(f"of these right {len(read) - len(wrong)} ({1 - len(wrong) / len(read):.1%})\n")
    for case in wrong if errors else ():
        out(f"  {case.phrase!r}: gold {case.gold}, read {case.found}\n")
    for case in [c for c in cases if c.found is None][:40] if errors else ():
        out(f"  not read: {case.phrase!r}\n")


def main() -> None:
    """Print coverage and correctness of each part."""
    parser = argparse.ArgumentParser()
    parser.add_argument("file", type=Path)
    parser.add_argument("--errors", action="store_true")
    arguments = parser.parse_args()
    found = list(trials(arguments.file))
    _show("age", [c for t in found for c in age_cases(t)], errors=arguments.errors)
    _show("numeric", [c for t in found for c in numeric_cases(t)], errors=arguments.errors)
    cases = [c for t in found for c in assertion_cases(t)]
    counted = Counter((c.gold, c.found) for c in cases)
    out = sys.stdout.write
    out(f"== assertion: {len(cases)} conditions\n")
    for gold in ("absent", "family", "other"):
        of_gold = sum(n for (g, _), n in counted.items() if g == gold)
        of_found = sum(n for (_, f), n in counted.items() if f == gold)
        right = counted[gold, gold]
        out(f"{gold:>8}: recall {right}/{of_gold} ({right / of_gold:.1%}), "
            f"precision {right}/{of_found} ({right / max(1, of_found):.1%})\n")  # fmt: skip
    always = sum(n for (g, _), n in counted.items() if g == "other")
    out(f"right {sum(n for (g, f), n in counted.items() if g == f) / len(cases):.1%} of all; ")
    out(f"always `other`: {always / len(cases):.1%}, macro-recall 0.333\n")
    for case in [c for c in cases if c.found != c.gold] if arguments.errors else ():
        out(f"  gold {case.gold}, read {case.found}: {case.phrase}\n")


if __name__ == "__main__":
    main()
