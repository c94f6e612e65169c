"""The Validator's three tools over the graph, with closed-world arguments (QKG §3.2).

An entity is named by an id that `search_entities` has returned or by a name that surely links to a
node, a relation by one of the schema; anything else is a `ToolError`, which the model reads as one
short line. Bugs are not caught here: the released code turns them into observations, and its
with-context look-ups never worked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, zip_longest
from typing import get_args

from data.relations import relation_info
from programs.actions import Action, ToolError
from programs.relation_names import read_relation
from programs.toolbox import Toolbox
from programs.wording import one_line
from retrievers.validity import deciding
from signatures.schema import Evidence, Node, Predicate, Triplet

SHOWN = 20
"""Triplets that one look-up returns, as in the release."""
CANDIDATES = 5
"""Nodes that one search returns."""
ITEMS = 3
"""Constraint items shown with a triplet."""
_PREDICATES = get_args(Predicate)
"""A claim's own word is no error: several relations can bear it out."""
_ALIASES = {"search_entity": "search_entities", "get_relations": "get_relations_with_context"}

Weigh = Callable[[Iterable[Triplet]], Mapping[str, Evidence]]
"""Weighs triplets for the patient at hand."""


class AgentTools:
    """The tools for one question, and what they have returned so far."""

    def __init__(self, tools: Toolbox, weigh: Weigh) -> None:
        self.graph, self.linker = tools.graph, tools.linker
        self.returned: dict[str, Evidence] = {}
        """Every triplet that a look-up has returned, by id: all that a verdict may cite."""
        self.joined: set[frozenset[str]] = set()
        """Pairs of names whose facts were looked up, in lower case."""
        self._weigh = weigh
        self._nodes: dict[str, Node] = {}

    def run(self, action: Action) -> str:
        """Run one action and return what the model reads.

        Raises:
            ToolError: The tool or an argument does not exist.
        """
        tool = _ALIASES.get(action.tool, action.tool)
        if tool == "search_entities":
            return self._search(*_arguments(action, ("name", "type")))
        if tool == "get_relations_with_context":
            return self._relations(*_arguments(action, ("entity", "other", "relation")))
        if tool == "get_schema":
            return self._schema()
        raise ToolError(
            f"no tool is called {tool!r}: use search_entities, get_relations_with_context, "
            "get_schema or finish"
        )

    def _search(self, name: str, kind: str) -> str:
        if not name:
            raise ToolError("search_entities needs a name, such as metformin")
        types = None if not kind else frozenset({kind})
        if types is not None and kind not in self._types():
            raise ToolError(f"no node has type {kind!r}: {', '.join(self._types())}")
        link = self.linker.link_name(name, types=types)
        found = [*((link.node,) if link.node else ()), *link.candidates]
        nodes = list(dict.fromkeys(found))[:CANDIDATES]
        if not nodes:
            return f"no node is called {name!r}: {link.reason}"
        self._nodes |= {f"n{node.index}": node for node in nodes}
        sure = "" if link.node else f"not sure: {link.reason}\n"
        return sure + "\n".join(f"n{n.index}: {one_line(n.name)} ({n.type})" for n in nodes)

    def _relations(self, entity: str, other: str, relation: str) -> str:
        if other and not relation and self._read(other):
            other, relation = "", other
        first, second = self._node(entity), self._node(other) if other else None
        ends = frozenset({entity.casefold(), other.casefold()})
        if first is None or (other and second is None):
            self.joined.add(ends)
            return self._unknown([name for name in (entity, other) if name])
        edges = (
            self.graph.edges_of(first.index)
            if second is None
            else self.graph.between(first.index, second.index)
        )
        found: dict[str, list[int]] = {}
        for edge, code in zip(edges, self.graph.endpoints(edges).relation, strict=True):
            found.setdefault(self.graph.relations[int(code)], []).append(int(edge))
        wanted = self._read(relation)
        if relation and wanted is None and relation not in _PREDICATES:
            here = ", ".join(sorted(found)) or "none"
            raise ToolError(f"no relation is called {relation!r}; here are {here}")
        self.joined.add(ends)
        if wanted is None:
            return self._show(_in_turn(list(found.values())))
        if second is not None and found and wanted not in found:
            return f"none is {wanted}:\n{self._show(_in_turn(list(found.values())))}"
        return self._show(found.get(wanted, []))

    def _read(self, relation: str) -> str | None:
        return read_relation(relation, self.graph.relations) if relation else None

    def _show(self, edges: Sequence[int]) -> str:
        if not edges:
            return "no fact joins them"
        shown = self._weigh([self.graph.triplet(edge) for edge in edges[:SHOWN]])
        self.returned |= shown
        lines = list(chain.from_iterable(_lines(evidence) for evidence in shown.values()))
        if len(edges) > SHOWN:
            lines.append(
                f"{SHOWN} of {len(edges)} shown: name a second node or a relation to see others"
            )
        return "\n".join(lines)

    def _schema(self) -> str:
        infos = [relation_info(relation) for relation in self.graph.relations]
        return "\n".join(
            f"{i.relation}: {i.head_type or 'any'} {i.forward} {i.tail_type or 'any'}"
            for i in infos
        )

    def _node(self, entity: str) -> Node | None:
        """Return the node of an id that a search returned, or of a name that surely links."""
        plain = entity.strip()
        if re.fullmatch(r"n\d+", plain) and plain not in self._nodes:
            known = ", ".join(self._nodes) or "none yet"
            raise ToolError(f"{plain!r} is no id that search_entities returned ({known})")
        return self._nodes.get(plain) or self.linker.link_name(entity).node

    def _unknown(self, names: Sequence[str]) -> str:
        """Say which names the graph does not know, and what is near them."""
        said = []
        for name in names:
            if self._node(name) is None:
                near = self.linker.link_name(name).candidates[:CANDIDATES]
                about = f"; near it: {', '.join(one_line(node.name) for node in near)}"
                said.append(f"the graph does not know {one_line(name)}{about if near else ''}")
        return "\n".join(said)

    def _types(self) -> tuple[str, ...]:
        infos = [relation_info(relation) for relation in self.graph.relations]
        ends = chain.from_iterable((info.head_type, info.tail_type) for info in infos)
        return tuple(sorted({end for end in ends if end}))


def _arguments(action: Action, names: tuple[str, ...]) -> tuple[str, ...]:
    """Put positional and named arguments in order; what is not given is empty."""
    if len(action.args) > len(names):
        raise ToolError(f"{action.tool} takes {' and '.join(names)}; got {len(action.args)} values")
    given = dict(zip(names, action.args, strict=False))
    unknown = sorted(action.options.keys() - set(names))
    if unknown:
        raise ToolError(
            f"{action.tool} has no argument {unknown[0]!r}: it takes {', '.join(names)}"
        )
    given |= action.options
    return tuple(given.get(name, "") for name in names)


def _in_turn(groups: Sequence[Sequence[int]]) -> list[int]:
    """Take one edge of each relation in turn, so that no relation fills the limit alone.

    >>> _in_turn([[1, 2, 3], [9]])
    [1, 9, 2, 3]
    """
    return [e for turn in zip_longest(*groups) for e in turn if e is not None]


def _lines(evidence: Evidence) -> list[str]:
    """Word a triplet, whether it holds for the patient, and the items that decide or are open."""
    label = f" {evidence.label}" if evidence.label else ""
    lines = [f"{evidence.triplet.id}: {one_line(evidence.triplet.text)} (F={evidence.validity:g}"
             f"{label})"]  # fmt: skip
    decided = deciding(evidence.verdicts, evidence.triplet.relation)
    others = [v for v in evidence.verdicts if v.match in ("INDETERMINATE", "UNJUDGED")]
    for verdict in (*decided, *others)[:ITEMS]:
        group = one_line(verdict.item.patient_characteristics)
        lines.append(f"  {verdict.item.applicability} for '{group}': {verdict.match}")
    return lines
