"""Checking claims against the graph with tools (QKG §3.2, the Validator of algorithm 1)."""

from __future__ import annotations

import re
from typing import Any

import dspy
from pydantic import Field, model_validator

from signatures.schema import Record

_SAID = re.compile(r"\W*(?P<claim>c?\d+|[A-J])\W+(?P<status>[A-Za-z_ ]+?)\W*$")


class AgentVerdict(Record):
    """What the graph says of one claim."""

    claim: str = Field(description="id of the claim, copied")
    status: str = Field(description="SUPPORTED, CONTRADICTED or NO_COVERAGE")
    cited: list[str] = Field(default=[], description="ids of the triplets that decide it")
    evidence: str = Field(default="", description="one sentence about those triplets")

    @model_validator(mode="before")
    @classmethod
    def _tolerate(cls, said: Any) -> Any:
        """Read `c1: SUPPORTED` too, and leave out what nobody asked for."""
        if isinstance(said, str):
            found = _SAID.match(said)
            return found.groupdict() if found else said
        if isinstance(said, dict):
            kept = {name: said[name] for name in cls.model_fields if said.get(name) is not None}
            if isinstance(kept.get("cited"), str):
                kept["cited"] = re.findall(r"\be\d+\b", kept["cited"])
            return kept
        return said


TOOLS = ("search_entities", "get_relations_with_context", "get_schema", "finish")
"""What the agent can call (QKG §3.2); `finish` ends the search."""


class ToolCall(Record):
    """One tool and its arguments; what it does not take stays empty."""

    # A server that enforces schemas allows these names alone and no text as long as a vignette;
    # elsewhere a whole call, written as the tool, is read too.
    tool: str = Field(description="name of one tool", json_schema_extra={"enum": list(TOOLS)})
    entity: str = Field(
        default="",
        description="the claim's first name, as it is written there, or a node id",
        json_schema_extra={"maxLength": 80},
    )
    other: str = Field(
        default="", description="the claim's last name", json_schema_extra={"maxLength": 80}
    )
    relation: str = Field(
        default="", description="such as indication", json_schema_extra={"maxLength": 40}
    )


class LookUp(dspy.Signature):
    """Look up in a medical knowledge graph what decides the claims for this patient.

    One tool a turn, one claim after the other. get_relations_with_context lists the facts that join
    entity and other, the claim's two ends, and says whether they hold for the patient; with
    relation, only those. search_entities lists the nodes that an entity's name may mean. get_schema
    lists the relations. finish ends the search.
    """

    patient: str = dspy.InputField()
    seen: str = dspy.InputField(desc="actions so far and what they returned")
    claims: str = dspy.InputField(desc="those not looked up yet, id first")
    thought: str = dspy.OutputField(desc="id of the next claim to look up")
    call: ToolCall = dspy.OutputField()


class JudgeClaims(dspy.Signature):
    """Say of every claim whether the facts that were returned support or contradict it.

    Use only facts that hold for the patient. Without such a fact a claim has NO_COVERAGE, whatever
    you know yourself. Cite the ids of the facts.
    """

    patient: str = dspy.InputField()
    claims: str = dspy.InputField(desc="one per line, id first")
    seen: str = dspy.InputField(desc="actions and what they returned")
    verdicts: list[AgentVerdict] = dspy.OutputField(desc="one per claim", min_length=1)
