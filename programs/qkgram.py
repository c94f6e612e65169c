"""`qkgram`: region first, and facts that hold for this patient."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import dspy

from metrics.answers import Reading, read_answer
from programs.adjacency import reasons, weigh_by_rules
from programs.answer_hop import AnswerHop, answer_hops, hop_notes
from programs.caps import Caps
from programs.decide import Decision, decide, settle
from programs.decompose import MAX_HOPS, Decompose
from programs.direct import Direct
from programs.emit_claims import EmitClaims, Proposal, set_aside
from programs.option_regions import build_regions, mentioned, merge_regions, valid_part
from programs.option_score import MARGIN, favourite, score_options
from programs.read_patient import ReadPatient
from programs.short_answer import ShortAnswer, withheld
from programs.synthesise import Synthesise, respond
from programs.together import both
from programs.toolbox import Toolbox
from programs.type_domain import TypeDomain
from programs.validate import Validate, excluded, uncovered
from programs.verdict_lines import report_lines
from retrievers.validity import Paradigm, Unmet
from signatures.schema import (
    ABSTAIN,
    ClaimVerdict,
    Domain,
    OptionScore,
    PatientContext,
    QAResponse,
    Question,
    Region,
)


class View(NamedTuple):
    """What ReGraM's first three steps say of a question."""

    domain: Domain
    sub_questions: tuple[str, ...]
    regions: tuple[Region, ...]


class QKGram(dspy.Module):
    """Domain, sub-questions, regions, claims, validation inside the region, decision.

    Where the graph says nothing of any option, a report of gaps would only confuse the model: it is
    asked as `direct` asks it, and the notes say so.
    """

    def __init__(
        self,
        tools: Toolbox,
        *,
        max_hops: int = MAX_HOPS,
        min_relevance: float = 0.0,
        use_context: bool = True,
        validity: Paradigm = "explicit",
        unmet: Unmet = "exclude",
        ask_patient: bool = False,
        withhold_options: bool = False,
        caps: Caps = Caps(),
    ) -> None:
        super().__init__()
        self.tools, self.withhold_options = tools, withhold_options
        self.validity: Paradigm = validity if use_context else "conventional"
        self.unmet: Unmet = unmet
        self.read_patient = ReadPatient(tools, ask=ask_patient, caps=caps)
        self.type_domain = TypeDomain(caps=caps)
        self.decompose = Decompose(max_hops=max_hops, caps=caps)
        self.emit_claims = EmitClaims(caps=caps)
        self.validate = Validate(
            tools, use_context=use_context, validity=validity, unmet=unmet, caps=caps
        )
        self.answer_hop = AnswerHop(min_relevance=min_relevance, caps=caps)
        self.synthesise = Synthesise(caps=caps)
        self.alone = Direct(caps=caps)
        self.short_answer = ShortAnswer(caps=caps)

    def forward(self, question: Question) -> dspy.Prediction:
        """Return `response` and everything it rests on; see `programs.registry`."""
        asked = withheld(question) if self.withhold_options else question
        return self.choose(asked) if asked.options else self.explain(asked)

    def look(self, question: Question) -> View:
        """Return what the question says and where the graph may be looked at."""
        domain = self.type_domain(question.text)
        sub_questions = self.decompose(question.text, domain)
        regions = build_regions(
            self.tools.regions,
            sub_questions,
            options=question.options,
            domain=domain,
            anchors=mentioned(self.tools.linker.link(question.text)),
        )
        return View(domain, sub_questions, regions)

    def choose(self, question: Question) -> dspy.Prediction:
        """Answer a multiple-choice question: claims, verdicts, decision."""
        patient = self.read_patient(question.text).patient
        proposal, view = both(lambda: self.emit_claims(question), lambda: self.look(question))
        region = merge_regions(view.regions, query=question.text)
        report = self.validate(proposal.claims, patient, question.text, region)
        scores = self.score(question, view, report, patient)
        decision = by_joins(decide(report, question.options), scores)
        response = (
            self.alone(question).response
            if decision.silent
            else self.synthesise(question, report_lines(report, question.options))
        )
        read = read_answer(response.llm_answer_choice, question.options)
        decision = settle(decision, read.letter)
        overruled = decision.choice not in (None, chosen(read))
        return dspy.Prediction(
            response=hold_to(decision, response, question, overruled=overruled),
            first=proposal.response,
            patient=patient,
            claims=proposal.claims,
            report=report,
            scores=scores,
            not_covered=uncovered(report),
            notes=notes(decision, response, proposal, overruled=overruled),
            **view._asdict(),
        )

    def score(
        self,
        question: Question,
        view: View,
        report: Sequence[ClaimVerdict],
        patient: PatientContext,
    ) -> tuple[OptionScore, ...]:
        """Score the options by the claims and by what the regions hold for the patient."""
        weighed = {e.triplet.id: e for verdict in report for e in verdict.evidence}
        inside = {t.id: t for region in view.regions for t in region.triplets}
        rest = [triplet for name, triplet in inside.items() if name not in weighed]
        more = weigh_by_rules(self.tools, rest, patient, validity=self.validity, unmet=self.unmet)
        return score_options(
            question,
            (*weighed.values(), *more),
            self.tools.linker,
            degree=self.tools.graph.degree,
            report=report,
            domain=view.domain,
        )

    def explain(self, question: Question) -> dspy.Prediction:
        """Answer an open question from the part of each region that holds for the patient."""
        patient = self.read_patient(question.text).patient
        view = self.look(question)
        triplets = [t for region in view.regions for t in region.triplets]
        weighed = self.validate.weigh(triplets, patient, question.text)
        kept = tuple(valid_part(region, excluded(weighed)) for region in view.regions)
        hops = answer_hops(self.answer_hop, kept)
        return dspy.Prediction(
            response=self.short_answer(question, hops),
            patient=patient,
            hops=hops,
            evidence=tuple(weighed.values()),
            not_covered=tuple(h.sub_question for h in hops if h.mode == "LLM-GUESS"),
            notes=hop_notes(hops),
            **view._replace(regions=kept)._asdict(),
        )


def chosen(read: Reading) -> str | None:
    """Return what the model chose, as a decision would say it: a letter, `abstain` or nothing."""
    return ABSTAIN if read.kind == "abstained" else read.letter


def by_joins(decision: Decision, scores: Sequence[OptionScore]) -> Decision:
    """Where no claim decides, take the option that the region's triplets favour by a margin.

    A model states claims as it understands the question, and a small one states few that the graph
    knows; what joins an option to the question needs no model.
    """
    wanted = favourite(scores, margin=MARGIN)
    if decision.choice is not None or wanted is None or decision.standings.get(wanted) == "against":
        return decision
    return decision._replace(choice=wanted, reason=reasons(wanted, scores))


def hold_to(
    decision: Decision, response: QAResponse, question: Question, *, overruled: bool
) -> QAResponse:
    """Where the graph decides, its decision is the answer; else the model's own.

    The model's reasoning is kept only when it argues for the same option.
    """
    if decision.choice is None:
        return response
    reasoning = decision.reason + ("." if overruled else f". {response.reasoning}")
    return respond(decision.choice, question.options, reasoning=reasoning)


def notes(
    decision: Decision, response: QAResponse, proposal: Proposal, *, overruled: bool
) -> tuple[str, ...]:
    """Say what was set aside: a model answer that the graph overruled, claims on no option."""
    said = f"decision_mismatch: the model answered {response.llm_answer_choice}"
    return (*((said,) if overruled else ()), *set_aside(proposal), decision.reason)
