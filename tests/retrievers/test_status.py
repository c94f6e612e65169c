"""DESIGN.md §3, second table: from evidence to the status of a claim."""

from __future__ import annotations

import pytest

from retrievers.status import claim_status
from signatures.schema import Evidence, Node, Predicate, Triplet

DRUG = Node(index=0, id="DB1", type="drug", name="A", source="DrugBank")
DISEASE = Node(index=1, id="1", type="disease", name="b", source="MONDO")


def piece(relation: str, validity: float = 1.0, *, ruled_out: bool = False) -> Evidence:
    triplet = Triplet(
        id="e1", head=DRUG, relation=relation, display_relation=relation, tail=DISEASE, text=""
    )
    return Evidence(triplet=triplet, validity=validity, ruled_out=ruled_out)


IND, OFF, CON, EFF = "indication", "off-label use", "contraindication", "drug_effect"
TABLE: tuple[tuple[Predicate, list[Evidence], str, str | None, bool], ...] = (
    ("treats", [], "NO_COVERAGE", None, False),
    ("treats", [piece(IND)], "SUPPORTED", "RECOMMENDED", False),
    ("treats", [piece(OFF, 0.75)], "SUPPORTED", "RECOMMENDED", False),
    ("treats", [piece(CON)], "CONTRADICTED", "AVOID", False),
    ("treats", [piece(IND), piece(CON)], "CONTRADICTED", "CAUTION", True),
    ("treats", [piece(IND, 0.5)], "NO_COVERAGE", "CAUTION", False),
    ("treats", [piece(IND, 0.0)], "NO_COVERAGE", None, False),
    ("treats", [piece(IND, 0.0, ruled_out=True)], "CONTRADICTED", "AVOID", False),
    ("treats", [piece(OFF, 0.25, ruled_out=True)], "CONTRADICTED", "AVOID", False),
    ("treats", [piece(IND), piece(CON, 0.0, ruled_out=True)], "SUPPORTED", "RECOMMENDED", False),
    ("treats", [piece(IND, 0.5), piece(CON)], "CONTRADICTED", "AVOID", False),
    ("treats", [piece(EFF)], "NO_COVERAGE", None, False),
    ("contraindicated", [piece(CON)], "SUPPORTED", "AVOID", False),
    ("contraindicated", [piece(IND)], "CONTRADICTED", "RECOMMENDED", False),
    ("contraindicated", [piece(IND), piece(CON)], "SUPPORTED", "CAUTION", True),
    ("contraindicated", [piece(IND, 0.0, ruled_out=True)], "SUPPORTED", "AVOID", False),
    ("causes", [piece(EFF)], "SUPPORTED", None, False),
    ("causes", [piece(EFF, 0.25, ruled_out=True)], "CONTRADICTED", None, False),
    ("presents", [piece("disease_phenotype_positive")], "SUPPORTED", None, False),
    ("presents", [piece("disease_phenotype_negative")], "CONTRADICTED", None, False),
    (
        "presents",
        [piece("disease_phenotype_positive"), piece("disease_phenotype_negative")],
        "NO_COVERAGE",
        "CAUTION",
        True,
    ),
    ("associated", [piece("disease_protein")], "SUPPORTED", None, False),
)


@pytest.mark.parametrize(("predicate", "evidence", "status", "label", "conflict"), TABLE)
def test_row(
    predicate: Predicate,
    evidence: list[Evidence],
    status: str,
    label: str | None,
    conflict: bool,
) -> None:
    assert tuple(claim_status(predicate, evidence)) == (status, label, conflict)
