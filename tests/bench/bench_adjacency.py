"""`adjacency` on whole question files. Run: python -m tests.bench.bench_adjacency STORE [FILE …].

For each source: share decided, accuracy on the decided with Wilson's interval beside chance, the
same where exactly one option is joined, and questions per second. Weights were chosen on the
questions of the half `dev` alone (a hash of the id decides the half), so `report` is what counts.
`--paths` asks which ways of joining by a shared neighbour are better than chance.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from data.questions import read_readable
from metrics.intervals import wilson
from metrics.risk_coverage import area_under, risk_coverage
from optimize.rows import blind
from programs.abstain import tuned_rule
from programs.adjacency import Adjacency
from programs.named import names_of
from programs.toolbox import Toolbox
from retrievers.embedding import SentenceEncoder
from retrievers.evidence import EvidenceFinder
from retrievers.graph import GraphStore
from retrievers.linking import GraphLinker
from retrievers.region import RegionBuilder
from signatures.schema import ABSTAIN, Question

REPOSITORY = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("QKGRAM_SHARED", REPOSITORY.parent / "shared")) / "data"
FILES = (
    "kgrag_mcq_questions.csv",
    "mirage_medmcqa_bioasq_dev.json",
    "medqa_full_dev.json",
)
LEAST = 8
"""Questions that a kind of path must decide to be listed."""


class Answered(NamedTuple):
    """One question and what `adjacency` said."""

    question: Question
    letter: str | None
    joined: frozenset[str]
    """Options that something joins, for or against."""
    confidence: float

    @property
    def right(self) -> bool:
        """Is the answer the key's?"""
        return self.letter == self.question.gold

    @property
    def half(self) -> str:
        """Half of the questions, by a hash of the id."""
        odd = int(sha256(f"half:{self.question.id}".encode()).hexdigest(), 16) % 2
        return "report" if odd else "dev"


def main() -> None:
    """Answer the files and print a table per source and half."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("store", type=Path)
    parser.add_argument("files", type=Path, nargs="*", default=[SHARED / name for name in FILES])
    parser.add_argument("--paths", action="store_true")
    parser.add_argument("--risk", type=float, help="tune abstention on dev, report on the rest")
    wanted = parser.parse_args()
    tools = open_tools(wanted.store)
    for file in wanted.files:
        questions = read_readable(file).questions
        by_source = defaultdict(list)
        for question in questions:
            by_source[question.source].append(question)
        for source, asked in by_source.items():
            if wanted.paths:
                show_paths(source, asked, tools)
            else:
                show(source, asked, Adjacency(tools), risk=wanted.risk)


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def open_tools(store: Path) -> Toolbox:
    """Open the store; the encoder is never loaded."""
    graph = GraphStore.open(store)
    linker = GraphLinker(graph)
    linker.link("read the names once")
    regions = RegionBuilder(graph, linker, SentenceEncoder())
    return Toolbox(graph, linker, regions, EvidenceFinder(graph, linker))


def show(
    source: str, questions: Sequence[Question], program: Adjacency, *, risk: float | None
) -> None:
    """Answer the questions of one source and print what came of it."""
    begun = time.perf_counter()
    answered = [ask(question, program) for question in questions]
    speed = len(questions) / (time.perf_counter() - begun)
    say(f"{source}: {len(questions)} questions, {speed:.0f} a second")
    for half in ("dev", "report", "all"):
        part = [one for one in answered if half in ("all", one.half)]
        say(f"  {half:6} {line(part)}")
    if risk is not None:
        say(f"  {tuned(answered, risk=risk)}")


def tuned(answered: Sequence[Answered], *, risk: float) -> str:
    """Choose the threshold on the half `dev` and word what it does on the half `report`."""
    decided = [one for one in answered if one.letter is not None]
    rule = tuned_rule(
        ((one.confidence, one.right) for one in decided if one.half == "dev"), risk=risk
    )
    if rule is None or rule.below is None:
        return f"no threshold has a risk of {risk:g} on dev"
    rest = [one for one in decided if one.half == "report"]
    kept = [one for one in rest if one.confidence >= rule.below]
    return (
        f"risk {risk:g} on dev: answer from confidence {rule.below:g}; on report {len(kept)} of "
        f"{len(rest)} decided are answered, right {rate(kept)}"
    )


def ask(question: Question, program: Adjacency) -> Answered:
    """Answer one question whose gold is hidden."""
    said = program(question=blind(question))
    choice = said.response.llm_answer_choice
    return Answered(
        question,
        None if choice == ABSTAIN else choice,
        frozenset(one.option for one in said.scores if one.joins),
        said.confidence,
    )


def line(part: Sequence[Answered]) -> str:
    """Word the counts of one half."""
    decided = [one for one in part if one.letter is not None]
    single = [one for one in decided if len(one.joined) == 1]
    chance = sum(1 / len(one.question.options) for one in decided) / max(len(decided), 1)
    steps = risk_coverage((one.confidence, one.right) for one in decided)
    area = area_under(steps)
    return (
        f"decided {len(decided):4d} of {len(part):4d} ({len(decided) / max(len(part), 1):6.1%})  "
        f"right {rate(decided)}  chance {chance:.3f}  one joined {rate(single)}"
        + (f"  AURC {area:.3f}" if area is not None else "")
    )


def rate(part: Sequence[Answered]) -> str:
    """Word a share of right answers with its interval."""
    right = sum(one.right for one in part)
    if not part:
        return "-"
    interval = wilson(right, len(part))
    share = right / len(part)
    return f"{right}/{len(part)} = {share:.3f} [{interval.low:.3f}, {interval.high:.3f}]"


# --- which shared neighbours are an argument ------------------------------------------------------


def show_paths(source: str, questions: Sequence[Question], tools: Toolbox) -> None:
    """Print, for each pair of relations by way of a shared neighbour, how often it is right."""
    counts: dict[tuple[str, str], list[float]] = defaultdict(lambda: [0, 0.0, 0.0])
    for question in questions:
        if Answered(question, None, frozenset(), 0).half == "report":
            continue
        for pair, scores in path_scores(question, tools).items():
            best = max(scores.values())
            top = [option for option, score in scores.items() if score == best]
            found = counts[pair]
            found[0] += 1
            found[1] += (question.gold in top) / len(top)
            found[2] += 1 / len(question.options)
    say(source)
    for pair, (decided, right, chance) in sorted(counts.items(), key=lambda kv: -kv[1][0]):
        if decided >= LEAST:
            share = f"{right / decided:.2f}, chance {chance / decided:.2f}"
            say(f"  {' → '.join(pair):60} {decided:4.0f} questions, right {share}")


def path_scores(question: Question, tools: Toolbox) -> dict[tuple[str, str], dict[str, float]]:
    """Sum 1 / log degree of shared neighbours (Adamic and Adar 2003) by pair of relations."""
    names = names_of(tools.linker, question.text, question.options)
    scores: dict[tuple[str, str], dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for letter, found in names.options.items():
        nodes = [node.index for one in found for node in one.nodes]
        places = [node.index for one in names.question for node in one.nodes]
        for option, place in product(nodes, places):
            if option != place:
                for pair, worth in shared(place, option, tools.graph):
                    scores[pair][letter] += worth
    return scores


def shared(first: int, second: int, graph: GraphStore) -> Iterator[tuple[tuple[str, str], float]]:
    """Yield the pairs of relations that lead from one node to another."""
    mine, theirs = relations_at(first, graph), relations_at(second, graph)
    for middle in mine.keys() & theirs.keys() - {first, second}:
        worth = 1 / math.log(1 + graph.degree(middle))
        for pair in product(mine[middle], theirs[middle]):
            yield pair, worth


def cached(
    function: Callable[[int, GraphStore], dict[int, set[str]]],
) -> Callable[..., dict[int, set[str]]]:
    """Keep the neighbourhoods that were read."""
    kept: dict[int, dict[int, set[str]]] = {}

    def read(index: int, graph: GraphStore) -> dict[int, set[str]]:
        if index not in kept:
            kept[index] = function(index, graph)
        return kept[index]

    return read


@cached
def relations_at(index: int, graph: GraphStore) -> dict[int, set[str]]:
    """Return the relations to each neighbour."""
    near = graph.neighbours(index)
    codes = graph.endpoints(near.edge).relation
    found: dict[int, set[str]] = defaultdict(set)
    for node, code in zip(near.node.tolist(), codes.tolist(), strict=True):
        found[node].add(graph.relations[code])
    return found


if __name__ == "__main__":
    main()
