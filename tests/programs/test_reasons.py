"""A reason names the triplet and the constraint that decided it."""

from __future__ import annotations

from programs.reasons import claim_reason
from signatures.schema import ConstraintItem, ConstraintVerdict, Evidence, Node, Triplet

DRUG = Node(index=0, id="DB1", type="drug", name="Metformin", source="DrugBank")
DISEASE = Node(index=1, id="1", type="disease", name="type 2 diabetes mellitus", source="MONDO")
TRIPLET = Triplet(
    id="e12",
    head=DRUG,
    relation="indication",
    display_relation="indication",
    tail=DISEASE,
    text="Metformin is indicated for type 2 diabetes mellitus",
)


def verdict(number: int, group: str, level: str, audit: str) -> ConstraintVerdict:
    item = ConstraintItem(patient_characteristics=group, applicability=level, evidence="e")
    return ConstraintVerdict(
        id=f"e12.{number}", item=item, match="MET", decided_by="rules", audit=(audit,)
    )


def test_the_specific_constraint_is_named_and_not_the_general_one() -> None:
    general = verdict(0, "general population", "Definitely Applicable", "general population → MET")
    renal = verdict(1, "eGFR < 30", "Definitely NOT Applicable", "eGFR 24 < 30 → MET")
    evidence = Evidence(
        triplet=TRIPLET, validity=0.0, label="AVOID", ruled_out=True, verdicts=(general, renal)
    )
    assert claim_reason("CONTRADICTED", [evidence]) == (
        "[e12] Metformin is indicated for type 2 diabetes mellitus (F=0 AVOID) because "
        "Definitely NOT Applicable: eGFR 24 < 30 → MET [e12.1]"
    )


def test_no_evidence_says_so() -> None:
    assert claim_reason("NO_COVERAGE", []) == "no triplet joins them"
