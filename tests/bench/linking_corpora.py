"""NCBI-disease and BC5CDR as gold links to the nodes of a graph.

How a concept id becomes nodes. A MeSH or OMIM id of a disease goes through TxGNN's cross-references
to the MONDO nodes of the graph, and from their UMLS ids to the HPO nodes with the same UMLS id in
hp.obo. A MeSH id is also every node of its kind whose name is the MeSH heading; for chemicals that
is the only way. A mention of a concept without a node is *not linkable* and in no denominator.
"""

from __future__ import annotations

import csv
import gzip
import os
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from retrievers.graph import GraphStore
from retrievers.normalise import normalise

REPO = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("QKGRAM_SHARED", REPO.parent / "shared")) / "data"

CORPORA = {
    "NCBI-disease dev": "NCBIdevelopset_corpus.txt",
    "BC5CDR dev": "bc5cdr_dev_corpus.txt.gz",
    "NCBI-disease train": "NCBItrainset_corpus.txt",
    "BC5CDR train": "bc5cdr_train_corpus.txt.gz",
}


class Gold(NamedTuple):
    """A mention of a corpus: its place, words, kind, and the nodes that are right."""

    start: int
    end: int
    mention: str
    kind: str
    nodes: frozenset[int]


class Document(NamedTuple):
    """A title with its abstract, and its mentions."""

    text: str
    golds: tuple[Gold, ...]


class Concepts:
    """Concept ids of the corpora to nodes of one graph."""

    def __init__(self, graph: GraphStore) -> None:
        """Read the cross-references, and the names of the graph's drugs and diseases."""
        self.graph = graph
        self._mondo: dict[str, set[str]] = defaultdict(set)
        umls: dict[str, set[str]] = defaultdict(set)
        with gzip.open(SHARED / "txgnn_mondo_references.csv.gz", "rt", encoding="utf-8") as lines:
            for row in csv.DictReader(lines):
                if row["ontology"] == "MESH":
                    self._mondo[row["ontology_id"]].add(row["mondo_id"])
                elif row["ontology"] in ("OMIM", "OMIMPS"):
                    self._mondo[f"OMIM:{row['ontology_id']}"].add(row["mondo_id"])
                elif row["ontology"] == "UMLS":
                    umls[row["mondo_id"]].add(row["ontology_id"])
        self._umls = umls
        self._hpo = _hpo_by_umls()
        self._headings = _headings()
        self._named: dict[tuple[str, str], set[int]] = defaultdict(set)
        for name, node in graph.names():
            kind = "Chemical" if graph.node(node).type == "drug" else "Disease"
            if graph.node(node).type in ("drug", "disease", "effect/phenotype"):
                self._named[kind, normalise(name)].add(node)

    def nodes(self, concept: str, kind: str) -> frozenset[int]:
        """Return the nodes of a concept id; of every part of a joint id (`D1|D2`, `D1+D2`)."""
        found: set[int] = set()
        for part in re.split(r"[|+]", concept):
            one = part.strip().removeprefix("MESH:")
            heading = normalise(self._headings.get(one, ""))
            found |= self._named.get((kind if kind == "Chemical" else "Disease", heading), set())
            if kind == "Chemical":
                continue
            mondo = self._mondo.get(one, set())
            names = [f"MONDO:{number}" for number in mondo]
            names += [hp for m in mondo for cui in self._umls[m] for hp in self._hpo[cui]]
            nodes = (self.graph.find(name) for name in names)
            found |= {node.index for node in nodes if node is not None}
        return frozenset(found)


def read_corpus(name: str, concepts: Concepts) -> tuple[Document, ...]:
    """Read a corpus in PubTator's format, every mention with its nodes."""
    file = SHARED / CORPORA[name]
    texts: dict[str, str] = {}
    golds: dict[str, list[Gold]] = defaultdict(list)
    raw = file.read_bytes()
    text = (gzip.decompress(raw) if file.suffix == ".gz" else raw).decode("utf-8")
    for line in text.splitlines():
        told = re.match(r"(\d+)\|([ta])\|(.*)", line)
        cells = line.rstrip("\n").split("\t")
        if told:
            texts[told[1]] = texts.get(told[1], "") + told[3] + (" " if told[2] == "t" else "")
        elif len(cells) >= 6 and cells[1].isdigit():
            nodes = concepts.nodes(cells[5], cells[4])
            golds[cells[0]].append(Gold(int(cells[1]), int(cells[2]), cells[3], cells[4], nodes))
    return tuple(Document(text, tuple(golds[key])) for key, text in texts.items())


def _headings() -> dict[str, str]:
    with gzip.open(SHARED / "bc5cdr_entities.txt.gz", "rt", encoding="utf-8") as lines:
        return dict(line.rstrip("\n").split("\t", 1) for line in lines if "\t" in line)


def _hpo_by_umls() -> dict[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for term, cui in _xrefs():
        found[cui].add(term)
    return found


def _xrefs() -> Iterator[tuple[str, str]]:
    term = ""
    with gzip.open(SHARED / "hp.obo.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("id: HP:"):
                term = line[4:].strip()
            elif line.startswith("xref: UMLS:") and term:
                yield term, line.split()[1].removeprefix("UMLS:")
