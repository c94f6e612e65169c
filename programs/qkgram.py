"""`qkgram`: region first, and facts that hold for this patient."""

from __future__ import annotations

import dspy

from metrics.answers import Reading, read_answer
from programs.answer_hop import AnswerHop
from programs.caps import Caps
from programs.decide import Decision, decide, settle
from programs.decompose import MAX_HOPS, Decompose
from programs.emit_claims import EmitClaims, Proposal
from programs.option_regions import build_regions, mentioned, merge_regions, valid_part
from programs.polarity import turn_claims
from programs.read_patient import ReadPatient
from programs.synthesise import Synthesise, respond
from programs.toolbox import Toolbox
from programs.type_domain import TypeDomain
from programs.validate import Validate, excluded, uncovered
from programs.wording import hop_lines, report_lines
from retrievers.validity import Paradigm, Unmet
from signatures.schema import ABSTAIN, Domain, QAResponse, Question, Region


class QKGram(dspy.Module):
    """Domain, sub-questions, regions, claims, validation inside the region, decision."""

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
        caps: Caps = Caps(),
    ) -> None:
        super().__init__()
        self.tools = tools
        self.read_patient = ReadPatient(tools, ask=ask_patient, caps=caps)
        self.type_domain = TypeDomain(caps=caps)
        self.decompose = Decompose(max_hops=max_hops, caps=caps)
        self.emit_claims = EmitClaims(caps=caps)
        self.validate = Validate(
            tools, use_context=use_context, validity=validity, unmet=unmet, caps=caps
        )
        self.answer_hop = AnswerHop(min_relevance=min_relevance, caps=caps)
        self.synthesise = Synthesise(caps=caps)

    def forward(self, question: Question) -> dspy.Prediction:
        """Return `response` and everything it rests on; see `programs.registry`."""
        patient = self.read_patient(question.text).patient
        domain = self.type_domain(question.text)
        sub_questions = self.decompose(question.text, domain)
        regions = self.select_regions(question, sub_questions, domain)
        finish = self.choose if question.options else self.explain
        return finish(question, patient, regions, domain=domain, sub_questions=sub_questions)

    def select_regions(
        self, question: Question, sub_questions: tuple[str, ...], domain: Domain
    ) -> tuple[Region, ...]:
        """Build a region per sub-question and per option, anchored at the question's entities."""
        return build_regions(
            self.tools.regions,
            sub_questions,
            options=question.options,
            domain=domain,
            anchors=mentioned(self.tools.linker.link(question.text)),
        )

    def choose(self, question, patient, regions, **known) -> dspy.Prediction:  # type: ignore[no-untyped-def]
        """Answer a multiple-choice question: claims, verdicts, decision."""
        region = merge_regions(regions, query=question.text)
        proposal = self.emit_claims(question)
        claims = turn_claims(proposal.claims, question.text)
        report = self.validate(claims, patient, question.text, region)
        response = self.synthesise(question, report_lines(report))
        read = read_answer(response.llm_answer_choice, question.options)
        decision = settle(decide(report, question.options), read.letter)
        overruled = decision.choice not in (None, chosen(read))
        return dspy.Prediction(
            response=hold_to(decision, response, question, overruled=overruled),
            first=proposal.response,
            patient=patient,
            regions=regions,
            claims=claims,
            report=report,
            not_covered=uncovered(report),
            notes=notes(decision, response, proposal, overruled=overruled),
            **known,
        )

    def explain(self, question, patient, regions, **known) -> dspy.Prediction:  # type: ignore[no-untyped-def]
        """Answer an open question from the part of each region that holds for the patient."""
        triplets = [t for region in regions for t in region.triplets]
        weighed = self.validate.weigh(triplets, patient, question.text)
        kept = [valid_part(region, excluded(weighed)) for region in regions]
        hops = tuple(self.answer_hop(region.query, region) for region in kept)
        response = self.synthesise(question, hop_lines(hops))
        return dspy.Prediction(
            response=response,
            patient=patient,
            regions=tuple(kept),
            hops=hops,
            evidence=tuple(weighed.values()),
            not_covered=tuple(h.sub_question for h in hops if h.mode == "LLM-GUESS"),
            **known,
        )


def chosen(read: Reading) -> str | None:
    """Return what the model chose, as a decision would say it: a letter, `abstain` or nothing."""
    return ABSTAIN if read.kind == "abstained" else read.letter


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
    said = (
        (overruled, f"decision_mismatch: the model answered {response.llm_answer_choice}"),
        (proposal.dropped, f"{proposal.dropped} claims dropped: no such option"),
        (
            proposal.completed,
            f"{proposal.completed} options had no claim: asked like their sibling",
        ),
        (True, decision.reason),
    )
    return tuple(text for holds, text in said if holds)
