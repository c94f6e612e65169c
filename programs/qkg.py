"""`qkg`: the Reasoner and the Validator of the QKG paper, algorithm 1, over the whole store."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import dspy

from programs.agent_search import MAX_TURNS
from programs.caps import Caps
from programs.emit_claims import EmitClaims, set_aside
from programs.read_patient import Reading, ReadPatient
from programs.reconsider import Reconsider, is_contradicted
from programs.toolbox import Toolbox
from programs.validate import UNVERIFIABLE, Validate, uncovered
from programs.validate_agent import AgentReport, ValidateWithAgent
from retrievers.validity import Paradigm, Unmet
from signatures.schema import Claim, ClaimVerdict, PatientContext, Question

ValidatorKind = Literal["none", "direct", "agent"]
"""`none`: QKG's *no validator*; `direct`: the graph's evidence decides; `agent`: the paper's."""


class ValidatorSettings(NamedTuple):
    """How claims are checked. `use_context` off is QKG's *KG without context*."""

    kind: ValidatorKind = "direct"
    use_context: bool = True
    validity: Paradigm = "explicit"
    unmet: Unmet = "exclude"
    turns: int = MAX_TURNS


class QKG(dspy.Module):
    """Answer with claims, check them for the patient, reconsider if one is contradicted."""

    def __init__(
        self,
        tools: Toolbox,
        *,
        validator: ValidatorSettings = ValidatorSettings(),
        ask_patient: bool = False,
        caps: Caps = Caps(),
    ) -> None:
        super().__init__()
        self.read_patient = ReadPatient(tools, ask=ask_patient, caps=caps)
        self.emit_claims = EmitClaims(caps=caps)
        self.validate = build_validator(tools, validator, caps=caps)
        self.reconsider = Reconsider(caps=caps)

    def forward(self, question: Question) -> dspy.Prediction:
        """Return `response`, `first` and the report between them; see `programs.registry`.

        `first` is the *no validator* answer of the same run: both answers of one row are paired.
        """
        reading = self.read_patient(question.text)
        proposal = self.emit_claims(question)
        report, notes = self.check(proposal.claims, reading.patient, question)
        response = proposal.response
        if is_contradicted(report):
            response = self.reconsider(question, proposal.response, report)
        return dspy.Prediction(
            response=response,
            first=proposal.response,
            patient=reading.patient,
            claims=proposal.claims,
            report=report,
            not_covered=uncovered(report),
            notes=(
                *read_by_model(reading),
                *set_aside(proposal),
                *unverifiable(report),
                *notes,
            ),
        )

    def check(
        self, claims: Sequence[Claim], patient: PatientContext, question: Question
    ) -> AgentReport:
        """Return the validation report; empty without a validator."""
        if self.validate is None:
            return AgentReport((), ())
        found = self.validate(claims, patient, question.text)
        return found if isinstance(found, AgentReport) else AgentReport(found, ())


def build_validator(
    tools: Toolbox, settings: ValidatorSettings, *, caps: Caps = Caps()
) -> Validate | ValidateWithAgent | None:
    """Build the validator of this kind; `None` for none."""
    if settings.kind == "none":
        return None
    if settings.kind == "agent":
        return ValidateWithAgent(
            tools,
            use_context=settings.use_context,
            validity=settings.validity,
            unmet=settings.unmet,
            turns=settings.turns,
            caps=caps,
        )
    return Validate(
        tools,
        use_context=settings.use_context,
        validity=settings.validity,
        unmet=settings.unmet,
        caps=caps,
    )


def unverifiable(report: Sequence[ClaimVerdict]) -> tuple[str, ...]:
    """Count the claims whose head or tail the graph does not know."""
    count = sum(verdict.reason.startswith(UNVERIFIABLE) for verdict in report)
    return (
        (f"{count} claims unverifiable: a name that the graph does not know as such a thing",)
        if count
        else ()
    )


def read_by_model(reading: Reading) -> tuple[str, ...]:
    """Say what a model read of the patient, and what the text does not hold."""
    said = (
        (reading.added, "facts of the patient read by the model"),
        (reading.dropped, "facts dropped: the text does not hold them"),
    )
    return tuple(f"{count} {text}" for count, text in said if count)
