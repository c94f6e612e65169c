"""The programs by name: a new program is one entry here and one file beside it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import dspy

from programs.agent_search import MAX_TURNS
from programs.caps import Caps
from programs.direct import Direct
from programs.qkg import QKG, ValidatorKind, ValidatorSettings
from programs.qkgram import QKGram
from programs.regram import ReGraM
from programs.toolbox import Toolbox
from retrievers.validity import Paradigm, Unmet
from signatures.errors import InputError


class ProgramSettings(NamedTuple):
    """What a user may change about a program; a change is a new row key."""

    max_hops: int = 3
    """H of ReGraM §3.3."""
    min_relevance: float = 0.0
    """Cosine from which a region triplet counts as a fact; 0 counts nearly all of them."""
    use_context: bool = True
    """Apply ConstraintItems to the patient (QKG); off, every stored triplet is valid."""
    caps: Caps = Caps()
    validator: ValidatorKind = "direct"
    """Who checks the claims of `qkg`: nobody, the graph's evidence, or an agent with tools."""
    validity: Paradigm = "explicit"
    """Which function of QKG §1 gives a triplet's validity; `use_context` off is conventional."""
    unmet: Unmet = "exclude"
    """What becomes of a relation that is stated for other groups only."""
    tool_turns: int = MAX_TURNS
    """Tool turns of the agent at most (QKG §3.2)."""
    ask_patient: bool = False
    """Ask a model for what the rules did not read of the patient; one more call a question."""
    shuffle: int | None = None
    """Seed of the shuffled-constraints control; `None` leaves every item at its own triplet."""


class ProgramSpec(NamedTuple):
    """A program: what it does, whether it needs the graph, and how it is made."""

    summary: str
    needs_graph: bool
    build: Callable[[Toolbox | None, ProgramSettings], dspy.Module]


def _with(tools: Toolbox | None, settings: ProgramSettings = ProgramSettings()) -> Toolbox:
    if tools is None:
        raise InputError("this program needs a graph, none was opened: pass --graph STORE")
    if settings.shuffle is None:
        return tools
    return tools._replace(evidence=tools.evidence.shuffled(settings.shuffle))


PROGRAMS: Mapping[str, ProgramSpec] = {
    "direct": ProgramSpec(
        summary="the model alone, with a chain of thought",
        needs_graph=False,
        build=lambda tools, s: Direct(caps=s.caps),
    ),
    "regram": ProgramSpec(
        summary="domain, sub-questions, a region per hop, a mode per region, synthesis",
        needs_graph=True,
        build=lambda tools, s: ReGraM(
            _with(tools), max_hops=s.max_hops, min_relevance=s.min_relevance, caps=s.caps
        ),
    ),
    "qkgram": ProgramSpec(
        summary="claims checked inside the region for the patient; abstains if all are ruled out",
        needs_graph=True,
        build=lambda tools, s: QKGram(
            _with(tools, s),
            max_hops=s.max_hops,
            min_relevance=s.min_relevance,
            use_context=s.use_context,
            validity=s.validity,
            unmet=s.unmet,
            ask_patient=s.ask_patient,
            caps=s.caps,
        ),
    ),
    "qkg": ProgramSpec(
        summary="claims checked over the whole graph for the patient; reconsiders if refuted",
        needs_graph=True,
        build=lambda tools, s: QKG(
            _with(tools, s),
            validator=ValidatorSettings(
                s.validator, s.use_context, s.validity, s.unmet, s.tool_turns
            ),
            ask_patient=s.ask_patient,
            caps=s.caps,
        ),
    ),
}


def program_spec(name: str) -> ProgramSpec:
    """Return the program of this name; `InputError` lists the names otherwise."""
    if name not in PROGRAMS:
        raise InputError(f"program {name!r} is unknown; use one of {', '.join(sorted(PROGRAMS))}")
    return PROGRAMS[name]


def build_program(
    name: str, *, tools: Toolbox | None, settings: ProgramSettings = ProgramSettings()
) -> dspy.Module:
    """Build the program of this name.

    Raises:
        InputError: The name is unknown, or the program needs a graph and `tools` is `None`.
    """
    return program_spec(name).build(tools, settings)
