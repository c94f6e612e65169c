from __future__ import annotations

from pathlib import Path

import pytest

from data.cross_references import Term, read_pairs, read_terms
from signatures.errors import InputError

FIXTURES = Path(__file__).parents[1] / "fixtures"


def test_txgnns_references_and_a_table_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "references.csv"
    file.write_text(
        "ontology_id,ontology,mondo_id\nC0012634,UMLS,0000001\nE11,ICD10,0005148\n"
        "D003924,MESH,0005148\n"
    )
    assert list(read_pairs(file)) == [("UMLS:C0012634", "MONDO:1"), ("MESH:D003924", "MONDO:5148")]
    own = tmp_path / "own.csv"
    own.write_text("\ufeffcui,source,id,name\nC0025598,DrugBank,DB00331,Metformin\n")
    assert list(read_pairs(own)) == [("UMLS:C0025598", "DRUGBANK:DB00331")]


def test_a_table_of_another_shape_says_what_is_wanted(tmp_path: Path) -> None:
    file = tmp_path / "other.csv"
    file.write_text("a,b\n1,2\n")
    with pytest.raises(InputError, match="wanted the columns ontology_id.* or cui, source, id"):
        list(read_pairs(file))


def test_terms_have_parents_and_equal_identifiers(tmp_path: Path) -> None:
    terms = {term.id: term for term in read_terms(FIXTURES / "mini.obo")}
    assert terms["HP:1250"] == Term("HP:1250", (), ("UMLS:C0036572",))
    assert terms["HP:9999999"].same == ("HP:12735",)
    assert "HP:2018" not in terms  # obsolete
    file = tmp_path / "mondo.obo"
    file.write_text(
        "format-version: 1.2\n\n[Term]\nid: MONDO:0005148\nname: type 2 diabetes mellitus\n"
        'xref: UMLS:C0011860 {source="MONDO:equivalentTo"}\n'
        'xref: MESH:D000001 {source="MONDO:relatedTo"}\n'
        "xref: ICD10CM:E11\nxref: http://example.org/1\nis_a: MONDO:0005015 ! diabetes mellitus\n"
    )
    assert list(read_terms(file)) == [Term("MONDO:5148", ("MONDO:5015",), ("UMLS:C0011860",))]


def test_a_file_that_is_no_ontology_is_named(tmp_path: Path) -> None:
    (tmp_path / "x.obo").write_text("id,name\n")
    with pytest.raises(InputError, match="wanted an OBO file"):
        list(read_terms(tmp_path / "x.obo"))


def test_the_real_references_and_hierarchy(shared_data: Path) -> None:
    pairs = list(read_pairs(shared_data / "txgnn_mondo_references.csv.gz"))
    assert ("UMLS:C0012634", "MONDO:1") in pairs
    assert not any(first.startswith("ICD") for first, _ in pairs)
    terms = {term.id: term for term in read_terms(shared_data / "hp.obo.gz")}
    assert terms["HP:3"].parents == ("HP:107",)
    assert "UMLS:C3714581" in terms["HP:3"].same
