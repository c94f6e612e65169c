"""The graph store against what a user would pick instead: pandas and networkx over the CSV.

    python -m tests.bench.bench_graph --graph kg.csv.gz     a graph file of yours
    python -m tests.bench.bench_graph                       made up, with PrimeKG's 8.1 M rows

Each contestant runs in a process of its own, one after the other, on the same file and the same
nodes. Seconds, peak and resident memory are the process's; neighbours are milliseconds per node,
as the median over nodes drawn with a fixed seed, and for the largest hub. networkx needs minutes
and gigabytes for the large graph, so there it is given the first rows only, and says so.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from tests.bench.synthetic_primekg import write_synthetic

NODES = 100
NETWORKX_ROWS = 800_000
TARGETS = {"build_s": 60.0, "build_peak_mb": 3000.0, "open_s": 0.1, "resident_mb": 500.0}
"""On two cores, for PrimeKG's size."""

Facts = dict[str, Any]


def main() -> None:
    """Run every contestant and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--graph", type=Path, help="PrimeKG's CSV; default: a made-up one.")
    parser.add_argument("--json", type=Path, help="Also write the figures to this file.")
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.child:
        name, work = asked.child
        sys.stdout.write(json.dumps(CONTESTANTS[name](Path(work))))
        return
    with tempfile.TemporaryDirectory() as folder:
        results = run_all(Path(folder), asked.graph)
    _show(results)
    if asked.json:
        asked.json.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")


def run_all(work: Path, graph: Path | None) -> dict[str, Facts]:
    """Return the figures of each contestant by its name."""
    csv = work / ("kg.csv" if graph is None else graph.name)
    if graph is None:
        write_synthetic(csv)
    else:
        csv.symlink_to(graph.resolve())
    (work / "csv").write_text(str(csv), encoding="utf-8")
    return {name: _in_a_process(name, work) for name in CONTESTANTS}


def _in_a_process(name: str, work: Path) -> Facts:
    command = [sys.executable, "-m", "tests.bench.bench_graph", "--child", name, str(work)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    facts: Facts = json.loads(done.stdout)
    return facts


# --- contestants ---------------------------------------------------------------------------------


def _build(work: Path) -> Facts:
    from retrievers.build import build_store

    report = build_store(_csv(work), work / "store")
    return {
        "rows": report.rows_read,
        "edges": report.logical_edges,
        "build_s": report.seconds,
        "build_peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "store_mb": sum(file.stat().st_size for file in (work / "store").iterdir()) / 1e6,
    }


def _store(work: Path) -> Facts:
    from retrievers.graph import GraphStore

    before = _resident()
    began = time.perf_counter()
    graph = GraphStore.open(work / "store")
    opened = time.perf_counter() - began
    after_open = _resident()
    nodes = _draw(work)

    def neighbours(index: int) -> int:
        return len(graph.neighbours(index).node)

    facts = _timed(neighbours, [node for node, _ in nodes])
    for edge in range(0, graph.edge_count, max(1, graph.edge_count // 2000)):
        graph.triplet(edge)
    return {
        "open_s": opened,
        "imports_mb": before,
        "resident_open_mb": after_open,
        "resident_mb": _resident(),
        **facts,
    }


def _pandas_mask(work: Path) -> Facts:
    frame, opened = _frame(work)
    by_index = frame["x_index"]
    facts = _timed(lambda index: len(frame[by_index == index]), [i for _, i in _draw(work)])
    return {"open_s": opened, "resident_mb": _resident(), **facts}


def _pandas_sorted(work: Path) -> Facts:
    frame, opened = _frame(work)
    began = time.perf_counter()
    frame = frame.set_index("x_index").sort_index()
    opened += time.perf_counter() - began
    facts = _timed(lambda index: len(frame.loc[[index]]), [i for _, i in _draw(work)])
    return {"open_s": opened, "resident_mb": _resident(), **facts}


def _networkx(work: Path) -> Facts:
    import networkx as nx

    frame, opened = _frame(work, rows=NETWORKX_ROWS)
    began = time.perf_counter()
    graph = nx.MultiDiGraph()
    columns = (frame[name] for name in ("x_index", "y_index", "relation", "display_relation"))
    graph.add_edges_from(
        (x, y, {"relation": r, "display_relation": d}) for x, y, r, d in zip(*columns, strict=True)
    )
    for end in "xy":
        rows = frame.drop_duplicates(f"{end}_index")
        cells = zip(rows[f"{end}_index"], rows[f"{end}_name"], rows[f"{end}_type"], strict=True)
        graph.add_nodes_from((i, {"name": n, "type": t}) for i, n, t in cells)
    opened += time.perf_counter() - began
    count = len(frame)
    del frame
    nodes = [index for _, index in _draw(work) if index in graph]
    facts = _timed(lambda index: len(list(graph.edges(index, data=True))), nodes)
    return {"open_s": opened, "resident_mb": _resident(), "rows": count, **facts}


CONTESTANTS: dict[str, Callable[[Path], Facts]] = {
    "qkgram build": _build,
    "qkgram store": _store,
    "pandas, mask": _pandas_mask,
    "pandas, sorted index": _pandas_sorted,
    "networkx": _networkx,
}


def _frame(work: Path, rows: int | None = None) -> tuple[Any, float]:
    import pandas as pd

    began = time.perf_counter()
    frame = pd.read_csv(
        _csv(work),
        dtype={"x_id": str, "y_id": str},
        keep_default_na=False,
        low_memory=False,
        nrows=rows,
    )
    return frame, time.perf_counter() - began


def _csv(work: Path) -> Path:
    return Path((work / "csv").read_text(encoding="utf-8"))


def _draw(work: Path) -> list[tuple[int, int]]:
    """Nodes as (index in the store, index in the file); the largest hub is the last one."""
    import numpy as np

    from retrievers.mapped import map_table

    indptr = np.load(work / "store" / "indptr.npy", mmap_mode="r")
    drawn = np.random.default_rng(7).choice(len(indptr) - 1, NODES, replace=False).tolist()
    nodes = [*drawn, int(np.argmax(np.diff(indptr)))]
    indexes = map_table(work / "store", "nodes").column("file_index")
    return [(node, indexes[node].as_py()) for node in nodes]


def _timed(neighbours: Callable[[int], int], nodes: Sequence[int]) -> Facts:
    neighbours(nodes[0])
    times, found = [], []
    for node in nodes:
        began = time.perf_counter()
        found.append(neighbours(node))
        times.append((time.perf_counter() - began) * 1000)
    return {"node_ms": median(times[:-1]), "hub_ms": times[-1], "hub_edges": found[-1]}


def _resident() -> float:
    pages = int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


# --- the table -----------------------------------------------------------------------------------


def _show(results: dict[str, Facts]) -> None:
    built, ours = results["qkgram build"], results["qkgram store"]
    out = sys.stdout
    out.write(
        f"{built['rows']:,} rows, {built['edges']:,} logical edges; built in "
        f"{built['build_s']:.1f} s, peak {built['build_peak_mb']:,.0f} MB, "
        f"{built['store_mb']:,.0f} MB on disk\n\n"
    )
    columns = ("open_s", "resident_mb", "node_ms", "hub_ms")
    titles = ("open, s", "resident, MB", "a node, ms", "the hub, ms")
    out.write(f"{'':34}" + "".join(f"{title:>22}" for title in titles) + "\n")
    for name, facts in results.items():
        if name == "qkgram build":
            continue
        label = f"{name} ({facts['rows']:,} rows)" if "rows" in facts else name
        cells = (_cell(facts[column], ours[column]) for column in columns)
        out.write(f"{label:34}" + "".join(f"{cell:>22}" for cell in cells) + "\n")
    out.write("\n(× how many times the store's figure)\n")
    for name, target in TARGETS.items():
        value = (built | ours)[name]
        verdict = "met" if value < target else "MISSED"
        out.write(f"target {name} < {target:g}: {value:.3g}, {verdict}\n")


def _cell(value: float, ours: float) -> str:
    return f"{value:.4g} ({value / ours:,.3g}×)"


if __name__ == "__main__":
    main()
