"""Typing the question's domain (ReGraM §3.1, figure 2)."""

from __future__ import annotations

import dspy

from signatures.schema import Domain


class TypeDomain(dspy.Signature):
    """Name the domain of knowledge that decides the question.

    GENE_PROTEIN: genes, proteins, variants, molecular targets of drugs.
    DRUG_THERAPY: choosing, avoiding, dosing or combining treatments.
    DISEASE_SYMPTOM: diagnoses, findings, complications, side effects as findings.
    PATHWAY_METABOLISM: pathways, biological processes, metabolism, mechanisms.
    INTEGRATED: two or more of these are needed together.
    """

    question: str = dspy.InputField()
    domain: Domain = dspy.OutputField()
