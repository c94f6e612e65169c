"""The programs by name: a new program is one entry here and one file beside it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, NamedTuple

import dspy
from pydantic import Field

from data.wording import choices
from programs.adjacency import Adjacency
from programs.agent_search import MAX_TURNS
from programs.caps import Caps
from programs.decompose import Decompose
from programs.direct import Direct
from programs.hypothesise import MAX_REVISIONS, THRESHOLD
from programs.kgarevion import KGARevion
from programs.qkg import QKG, ValidatorKind, ValidatorSettings
from programs.qkgram import QKGram
from programs.regram import ReGraM
from programs.reviewers import ReviewerKind, open_reviewer
from programs.toolbox import Toolbox
from programs.type_domain import TypeDomain
from retrievers.validity import Paradigm, Unmet
from signatures.errors import InputError


class ProgramSettings(NamedTuple):
    """What a user may change about a program; a change is a new row key."""

    max_hops: Annotated[int, Field(ge=1)] = 3
    """H of ReGraM §3.3."""
    use_decomposition: bool = True
    """Split the question; off, it is its own only sub-question and no model is asked (table 4)."""
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
    tool_turns: Annotated[int, Field(ge=1)] = MAX_TURNS
    """Tool turns of the agent at most (QKG §3.2)."""
    ask_patient: bool = False
    """Ask a model for what the rules did not read of the patient; one more call a question."""
    shuffle: int | None = None
    """Seed of the shuffled-constraints control; `None` leaves every item at its own triplet."""
    reviewer: ReviewerKind = "lm"
    """Who checks the hypotheses of a HYBRID hop: nobody, a model, or RotatE on the graph."""
    review_threshold: Annotated[float, Field(ge=0, le=1)] = THRESHOLD
    """Probability from which a hypothesis is accepted (ReGraM §3.4)."""
    max_revisions: Annotated[int, Field(ge=0)] = MAX_REVISIONS
    """Rounds of revision of rejected hypotheses (ReGraM §3.4)."""
    withhold_options: bool = False
    """Ask every program but `qkg` and `adjacency` in words, the options unseen."""
    choice_aware: bool | None = None
    """Whether `kgarevion` proposes triplets for every option; `None` decides it per question."""
    per_option_calls: bool = False
    """Whether `kgarevion` proposes for one option at a time, as the original does."""
    keep_unverifiable: bool = False
    """Whether `kgarevion` answers from triplets that the graph cannot check, as the original."""
    abstain_below: Annotated[float, Field(ge=0, le=1)] | None = None
    """Withhold an answer whose evidence gives it less confidence; see `programs.abstain`."""
    abstain_coverage_below: Annotated[float, Field(ge=0, le=1)] | None = None
    """Withhold an answer when evidence covers a smaller share of the claims or options."""
    abstain_on_mismatch: bool = False
    """Withhold an answer when the evidence is for another option (ReGraM C.9)."""
    abstain_on_contradiction: bool = False
    """Withhold an answer when a claim that argues for it is contradicted."""


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
    "adjacency": ProgramSpec(
        summary="no model: the option that valid triplets join to the question, or none",
        needs_graph=True,
        build=lambda tools, s: Adjacency(
            _with(tools, s), use_context=s.use_context, validity=s.validity, unmet=s.unmet
        ),
    ),
    "direct": ProgramSpec(
        summary="the model alone, with a chain of thought",
        needs_graph=False,
        build=lambda tools, s: Direct(withhold_options=s.withhold_options, caps=s.caps),
    ),
    "kgarevion": ProgramSpec(
        summary="triplets proposed, reviewed over the whole graph and revised, then an answer",
        needs_graph=True,
        build=lambda tools, s: KGARevion(
            _with(tools),
            open_reviewer(s.reviewer, _with(tools), caps=s.caps),
            choice_aware=s.choice_aware,
            max_round=s.max_revisions,
            threshold=s.review_threshold,
            keep_unverifiable=s.keep_unverifiable,
            per_option_calls=s.per_option_calls,
            withhold_options=s.withhold_options,
            caps=s.caps,
        ),
    ),
    "regram": ProgramSpec(
        summary="domain, sub-questions, a region per hop, a mode per region, synthesis",
        needs_graph=True,
        build=lambda tools, s: ReGraM(
            _with(tools),
            max_hops=s.max_hops,
            min_relevance=s.min_relevance,
            reviewer=open_reviewer(s.reviewer, _with(tools), caps=s.caps),
            threshold=s.review_threshold,
            max_revisions=s.max_revisions,
            withhold_options=s.withhold_options,
            caps=s.caps,
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
            withhold_options=s.withhold_options,
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
        raise InputError(f"program {name!r} is unknown; {choices(name, sorted(PROGRAMS))}")
    return PROGRAMS[name]


def build_program(
    name: str, *, tools: Toolbox | None, settings: ProgramSettings = ProgramSettings()
) -> dspy.Module:
    """Build the program of this name.

    Raises:
        InputError: The name is unknown, or the program needs a graph and `tools` is `None`.
    """
    module = program_spec(name).build(tools, settings)
    switch_steps(module, tools, settings)
    return module


def switch_steps(module: dspy.Module, tools: Toolbox | None, settings: ProgramSettings) -> None:
    """Switch off the calls that an ablation leaves without a use, in every step that has one."""
    for _, part in module.named_sub_modules():
        if isinstance(part, Decompose):
            part.ask = settings.use_decomposition
        elif isinstance(part, TypeDomain) and isinstance(tools, Toolbox):
            part.ask = tools.regions.settings.use_domain
