"""QKG's Validator, `agent` kind: a bounded tool-using model decides each claim (QKG §3.2)."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import NamedTuple, get_args

import dspy
from dspy.utils.exceptions import AdapterParseError, ContextWindowExceededError

from programs.agent_search import MAX_ERRORS, MAX_TURNS, Search, ask_with, fitting, search
from programs.agent_tools import AgentTools
from programs.caps import Caps
from programs.reasons import claim_reason
from programs.toolbox import Toolbox
from programs.validate import Validate
from programs.wording import one_line
from retrievers.status import claim_status
from retrievers.validity import Paradigm, Unmet
from signatures.errors import ParseError
from signatures.schema import Claim, ClaimVerdict, Evidence, PatientContext, Region, Status
from signatures.validation import AgentVerdict, JudgeClaims, LookUp

SKIPPED = "validator skipped"
"""Reason of a claim that the model gave no verdict on."""


class AgentReport(NamedTuple):
    """The verdicts, and what was dropped, refused or cut on the way."""

    report: tuple[ClaimVerdict, ...]
    notes: tuple[str, ...]


class ValidateWithAgent(dspy.Module):
    """Let a model search the graph, then judge the claims by what the tools returned.

    A verdict may cite only triplets that a tool has returned; without one it is NO_COVERAGE, so
    what the model knows by itself decides nothing.
    """

    def __init__(
        self,
        tools: Toolbox,
        *,
        use_context: bool = True,
        validity: Paradigm = "explicit",
        unmet: Unmet = "exclude",
        turns: int = MAX_TURNS,
        max_errors: int = MAX_ERRORS,
        caps: Caps = Caps(),
    ) -> None:
        super().__init__()
        self.tools, self.turns, self.max_errors = tools, turns, max_errors
        self.validate = Validate(
            tools, use_context=use_context, validity=validity, unmet=unmet, caps=caps
        )
        self.look_up = dspy.Predict(LookUp, max_tokens=caps.classification)
        self.judge_claims = dspy.Predict(JudgeClaims, max_tokens=2 * caps.reasoning)

    def forward(
        self,
        claims: Sequence[Claim],
        patient: PatientContext,
        text: str,
        region: Region | None = None,
    ) -> AgentReport:
        """Return one verdict per claim, in order.

        Raises:
            ParseError: The model made more wrong calls than allowed.
        """
        if not claims:
            return AgentReport((), ())
        weigh = partial(self.validate.weigh, patient=patient, text=text)
        tools = AgentTools(self.tools, weigh)
        numbered = dict(enumerate(claims, 1))
        look = ask_with(
            self.look_up, patient=text, claims=lambda: open_lines(numbered, tools.joined)
        )
        found = search(look, tools, turns=self.turns, max_errors=self.max_errors)
        inside = tools.returned if region is None else _within(tools.returned, region)
        said, why = self._verdicts(numbered, text, found)
        judged = [judge(claim, said.get(i), inside) for i, claim in enumerate(claims, 1)]
        notes = (*_search_notes(found, self.turns), *why, *(n for j in judged for n in j.notes))
        return AgentReport(tuple(j.verdict for j in judged), notes)

    def _verdicts(
        self, claims: Mapping[int, Claim], text: str, found: Search
    ) -> tuple[dict[int, AgentVerdict], tuple[str, ...]]:
        """Return the model's verdicts by number of claim.

        Claims that it leaves out are asked for again, as long as each call brings one.
        """
        said: dict[int, AgentVerdict] = {}
        while missing := {i: claim for i, claim in claims.items() if i not in said}:
            ask = ask_with(self.judge_claims, patient=text, claims=partial(claim_lines, missing))
            try:
                answer, _ = fitting(ask, list(found.turns))
            except (AdapterParseError, ParseError, ContextWindowExceededError) as error:
                return said, (f"agent: its verdicts have no reading ({type(error).__name__})",)
            new = {i: v for i, v in by_number(answer.verdicts).items() if i in missing}
            if not new:
                break
            said |= new
        return said, ()


class Judged(NamedTuple):
    """A verdict and what was wrong with the model's own."""

    verdict: ClaimVerdict
    notes: tuple[str, ...]


def judge(claim: Claim, said: AgentVerdict | None, returned: Mapping[str, Evidence]) -> Judged:
    """Turn the model's verdict on a claim into ours: only what it really saw counts."""
    name = f"{claim.option}. {claim.head} {claim.predicate} {claim.tail}"
    if said is None:
        return Judged(_verdict(claim, "NO_COVERAGE", (), SKIPPED), (f"agent: {name}: {SKIPPED}",))
    cited = list(dict.fromkeys(i for text in said.cited for i in re.findall(r"e\d+", text)))
    evidence = tuple(returned[i] for i in cited if i in returned)
    notes = []
    if dropped := len(cited) - len(evidence):
        notes.append(f"agent: {name}: {dropped} cited triplets dropped, no tool returned them")
    status, odd = status_of(said.status)
    if odd:
        notes.append(f"agent: {name}: status {said.status!r} is none of the three")
    if status != "NO_COVERAGE" and not evidence:
        notes.append(f"agent: {name}: {status} without a triplet counts as NO_COVERAGE")
        status = "NO_COVERAGE"
    by_rules = claim_status(claim.predicate, evidence)
    if evidence and status != by_rules.status:
        notes.append(f"agent: {name}: {status}, the cited triplets alone say {by_rules.status}")
    reason = claim_reason(status, evidence)
    words = one_line(said.evidence)
    verdict = _verdict(claim, status, evidence, f"{words} ({reason})" if words else reason)
    if status == by_rules.status:
        verdict = verdict.model_copy(
            update={"label": by_rules.label, "conflict": by_rules.conflict}
        )
    return Judged(verdict, tuple(notes))


def status_of(said: str) -> tuple[Status, bool]:
    """Read a status; an unknown one is NO_COVERAGE, and odd.

    >>> status_of(" supported "), status_of("PARTIAL_COVERAGE")
    (('SUPPORTED', False), ('NO_COVERAGE', True))
    """
    plain = re.sub(r"[\s-]+", "_", said.strip()).upper()
    for status in get_args(Status):
        if plain == status:
            return status, False
    return "NO_COVERAGE", True


def by_number(said: Sequence[AgentVerdict]) -> dict[int, AgentVerdict]:
    """Return verdicts by the number in their claim id; two that disagree leave the claim out.

    >>> by_number([AgentVerdict(claim="c2", status="SUPPORTED")])[2].status
    'SUPPORTED'
    """
    found: dict[int, list[AgentVerdict]] = {}
    for verdict in said:
        number = re.match(r"\W*c?(\d+)(?:\W|$)", verdict.claim.strip())
        if number is not None:
            found.setdefault(int(number[1]), []).append(verdict)
    return {
        number: verdicts[0]
        for number, verdicts in found.items()
        if len({v.status for v in verdicts}) == 1
    }


def claim_lines(claims: Mapping[int, Claim]) -> str:
    """Word numbered claims for the agent: id first, one per line."""
    return "\n".join(
        f"c{i}: {one_line(f'{c.head} {c.predicate} {c.tail}')}" for i, c in claims.items()
    )


def open_lines(claims: Mapping[int, Claim], joined: Collection[frozenset[str]]) -> str:
    """Word the claims whose ends were not joined yet.

    Shown all claims in every turn, a small model looks the first one up for ever.
    """
    left = {
        i: claim
        for i, claim in claims.items()
        if frozenset({claim.head.casefold(), claim.tail.casefold()}) not in joined
    }
    return claim_lines(left) or "all were looked up: finish"


def _verdict(
    claim: Claim, status: Status, evidence: tuple[Evidence, ...], reason: str
) -> ClaimVerdict:
    return ClaimVerdict(claim=claim, status=status, evidence=evidence, reason=reason)


def _within(returned: Mapping[str, Evidence], region: Region) -> dict[str, Evidence]:
    return {i: evidence for i, evidence in returned.items() if i in region.ids}


def _search_notes(found: Search, limit: int) -> tuple[str, ...]:
    end = "" if found.finished else ", not finished"
    said = [f"agent: {len(found.turns)} of {limit} tool turns, {found.errors} wrong calls{end}"]
    if found.unread:
        said.append(f"agent: {found.unread} turns had no reading")
    if found.repeated:
        said.append(f"agent: {found.repeated} calls had been made before")
    if found.trimmed:
        said.append(f"agent: {found.trimmed} observations left out, the context was full")
    return tuple(said)
