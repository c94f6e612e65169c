from __future__ import annotations

from typing import Any

from optimize.report.claims import claims_of, hops_of
from optimize.report.graphs import CITED, EVIDENCE, MAX_EDGES, REGION, region_graph
from optimize.report.layout import layout
from optimize.report.pool import Pool
from optimize.report.spans import patient_facts
from tests.support.report_study import claim, evidence, hop, trace, triplet


def test_equal_triplets_and_items_are_kept_once() -> None:
    pool = Pool()
    assert pool.triplet(triplet(3)) == pool.triplet(triplet(3))
    first, again = claims_of({"report": [claim("A", 7), claim("B", 7)]}, pool)
    assert first["evidence"] == again["evidence"]
    assert {name: len(found) for name, found in pool.lists.items()} == {
        "nodes": 4,
        "triplets": 2,
        "items": 3,
    }


def test_the_graph_tells_evidence_cited_and_region_apart() -> None:
    pool = Pool()
    made: dict[str, Any] = {"hops": [hop(1, facts=4)], "report": [{"evidence": [evidence(1)]}]}
    graph: Any = region_graph(made, pool)
    kinds = {pool.lists["triplets"][edge[0]][0]: edge[3] for edge in graph["edges"]}
    assert kinds == {"e1": EVIDENCE | REGION | CITED, "e14": REGION | CITED, "e27": 2, "e40": 2}
    assert graph["edges"][0][4] == 0.0
    assert [node[3] for node in graph["nodes"]].count(1) == 1
    assert region_graph({"hops": [hop(1, facts=0)]}, pool) is None


def test_a_large_graph_is_cut_and_says_so() -> None:
    graph: Any = region_graph({"hops": [hop(n, facts=15) for n in range(9)]}, Pool())
    assert len(graph["edges"]) == MAX_EDGES
    assert graph["left_out"] > 0


def test_names_beside_the_ring_never_share_a_line() -> None:
    edges = [(0, n) for n in range(1, 30)]
    places = layout(edges, anchors=[0])
    assert places[0] == (0.0, 0.0)
    for side in (1, -1):
        heights = sorted(y for x, y in places[1:] if x * side > 0)
        assert min(b - a for a, b in zip(heights, heights[1:], strict=False)) > 0.12
    assert layout(edges, anchors=[0]) == places


def test_any_shape_of_graph_has_a_place_for_every_node() -> None:
    for edges in (
        [(0, 0)],
        [(0, 1)],
        [(0, 1), (2, 3)],
        [(n, m) for n in range(5) for m in range(n)],
    ):
        places = layout(edges, anchors=[0])
        assert len(places) == 1 + max(map(max, edges))
        assert all(-1.01 <= value <= 1.01 for place in places for value in place)
        assert len(set(places)) == len(places)


def test_spans_are_counted_as_a_browser_counts_and_only_where_they_fit() -> None:
    text = "\U0001f48a A 62-year-old."
    span = {"start": 4, "end": 15, "text": "62-year-old"}
    ((kind, said, start, end),) = patient_facts(
        {"age": {"low": 62, "high": 62, "span": span}}, text
    )
    assert (kind, said, start, end) == ("age", "age 62 years", 5, 16)
    wrong = {"age": {"low": 62, "high": 62, "span": span | {"start": 3}}}
    assert patient_facts(wrong, text)[0][2:] == (None, None)
    assert patient_facts("no patient", text) == []


def test_open_ranges_are_worded() -> None:
    lab = {"analyte": "egfr", "low": "-Infinity", "high": 30, "unit": "1", "span": None}
    assert patient_facts({"quantities": [lab]}, "")[0].text == "egfr at most 30"


def test_a_claim_without_a_verdict_is_unchecked_and_a_foreign_report_is_kept() -> None:
    made = trace(1, claims=1)
    made["claims"] = [made["report"][0]["claim"], {"option": "D", "head": "x"}]
    first, second = claims_of(made, Pool())
    assert (first["status"], second["status"], second["option"]) == (
        "CONTRADICTED",
        "UNCHECKED",
        "D",
    )
    foreign = claims_of({"report": ["A: SUPPORTED", {"status": "PARTIAL_COVERAGE"}, 3]}, Pool())
    assert [c["status"] for c in foreign] == ["UNREAD", "PARTIAL_COVERAGE", "UNREAD"]


def test_regions_stand_for_hops_where_there_are_none() -> None:
    region = hop(1)["region"]
    (made,) = hops_of({"regions": [region]}, Pool())
    assert (made["question"], made["mode"], made["answer"]) == (region["query"], "", "")
    assert hops_of({"hops": "none"}, Pool()) == []
