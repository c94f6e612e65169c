"""Linking of texts and names: the known failures of section B, each with its right outcome."""

from __future__ import annotations

import copy
from pathlib import Path

import pytest

from data.synonyms import Synonym
from retrievers.graph import GraphStore
from retrievers.linking import GraphLinker, LinkingSettings
from retrievers.whole_name import NO_ENTITY
from signatures.schema import Link
from tests.support.graphs import Fact, make_graph

D, G, P, R = "disease", "gene/protein", "effect/phenotype", "drug"

FACTS: list[Fact] = [
    ("Prednisolone", R, "indication", "Crohn disease", D),
    ("Metformin", R, "indication", "type 2 diabetes mellitus", D),
    ("Insulin human", R, "indication", "type 1 diabetes mellitus", D),
    ("Desmopressin", R, "indication", "diabetes insipidus", D),
    ("Acetaminophen", R, "drug_effect", "Pain", P),
    ("Lisinopril", R, "drug_protein", "ACE", G),
    ("Lisinopril", R, "indication", "hypertension", D),
    ("Lisinopril", R, "drug_effect", "Hypertension", P),
    ("Rocaltrol", R, "indication", "hypoparathyroidism", D),
    ("myocardial infarction", D, "disease_protein", "MET", G),
    ("spinal and bulbar muscular atrophy", D, "disease_protein", "AR", G),
    ("chronic kidney disease", D, "disease_protein", "CAT", G),
    ("anemia", D, "disease_protein", "IMPACT", G),
    ("Parkinson disease", D, "disease_protein", "BRCA1", G),
    ("Edema", P, "phenotype_protein", "BRCA1", G),
    ("Potassium", R, "drug_protein", "MET", G),
    ("Cough", P, "phenotype_protein", "ACE", G),
    ("STAT", R, "indication", "anemia", D),
    ("AIDS", D, "disease_protein", "BRCA1", G),
    ("Orlistat", R, "drug_protein", "PNLIP", G),
    ("Sulfamethoxazole", R, "indication", "urinary tract infection", D),
    ("Trimethoprim", R, "indication", "urinary tract infection", D),
    ("Sacubitril", R, "indication", "heart failure", D),
    ("Valsartan", R, "indication", "heart failure", D),
    ("chest tightness", P, "phenotype_protein", "CP", G),
]


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> GraphStore:
    return make_graph(tmp_path_factory.mktemp("linking"), FACTS)


@pytest.fixture(scope="module")
def linker(graph: GraphStore) -> GraphLinker:
    return GraphLinker(graph)


def found(links: tuple[Link, ...], mention: str) -> Link:
    (link,) = [link for link in links if link.mention == mention]
    return link


def node_name(link: Link) -> str | None:
    return link.node.name if link.node else None


@pytest.mark.parametrize(
    ("name", "node", "method"),
    [
        ("metformin", "Metformin", "exact"),
        ("Glucophage", "Metformin", "alias"),
        ("Tylenol", "Acetaminophen", "alias"),
        ("paracetamol", "Acetaminophen", "alias"),
        ("heart attack", "myocardial infarction", "alias"),
        ("T2DM", "type 2 diabetes mellitus", "alias"),
        ("type II diabetes", "type 2 diabetes mellitus", "alias"),
        ("Parkinson's", "Parkinson disease", "alias"),
        ("anaemia", "anemia", "exact"),
        ("oedema", "Edema", "exact"),
        ("myocardial infarctions", "myocardial infarction", "exact"),
        ("Crohn\u2019s disease", "Crohn disease", "exact"),
        ("chronic kidny disease", "chronic kidney disease", "fuzzy"),
        ("severe chronic kidney disease", "chronic kidney disease", "exact"),
        ("chronic kidney disease (CKD)", "chronic kidney disease", "exact"),
        ("metformin therapy", "Metformin", "exact"),
        ("BRCA1", "BRCA1", "exact"),
        ("ACE gene", "ACE", "exact"),
        ("Pancreatic lipase (PNLIP)", "PNLIP", "exact"),
        ("Angiotensin-converting enzyme (ACE)", "ACE", "exact"),
        ("Lisinopril 2.5 mg once daily", "Lisinopril", "exact"),
        ("Sacubitril twice daily", "Sacubitril", "exact"),
        ("chronic failing of kidneys disease (CKD)", "chronic kidney disease", "alias"),
        ("Add valsartan", "Valsartan", "exact"),
        ("Start oral metformin, 500 mg twice a day with meals", "Metformin", "exact"),
        ("Valsartan 80 mg/day (angiotensin blocker)", "Valsartan", "exact"),
        (
            "SBMA (spinal and bulbar muscular atrophy)",
            "spinal and bulbar muscular atrophy",
            "exact",
        ),
        ("Renal disease of long standing (CKD)", None, "none"),
    ],
)
def test_a_name_finds_its_node(
    linker: GraphLinker, name: str, node: str | None, method: str
) -> None:
    link = linker.link_name(name)
    assert (node_name(link), link.method) == (node, method)
    assert link.reason


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("hyperparathyroidism", ""),  # B01; also below 90 by Levenshtein
        ("prednisone", ""),  # B03
        ("prednisolon", "drugs need an exact name"),
        ("diabetes", "not in the graph"),  # B09: not insipidus
        ("type 3 diabetes mellitus", "different numbers"),
        ("ACE inhibitor", "class of drugs"),  # B07
        ("statins", "class of drugs"),  # B16: not the drug called STAT
        ("AR", "other meanings"),
        ("zorblaxin", "not in the graph"),  # B17
        ("", "not in the graph"),
        ("acute coronary event (ACE)", "not in the graph"),  # a bracket is no gene by itself
        ("Chest pain (CP)", "not in the graph"),
    ],
)
def test_a_name_that_is_no_node_stays_unlinked_with_the_reason(
    linker: GraphLinker, name: str, words: str
) -> None:
    link = linker.link_name(name)
    assert link.node is None
    assert link.method == "none"
    assert words in link.reason


def test_an_opposite_disease_in_a_text_is_refused_and_the_reason_kept(linker: GraphLinker) -> None:
    link = found(linker.link("A man with hyperparathyroidism."), "hyperparathyroidism")
    assert link.node is None
    assert "hyper / hypo" in link.reason
    assert [node.name for node in link.candidates] == ["hypoparathyroidism"]


def test_the_paper_rule_links_what_the_guards_refuse(graph: GraphStore) -> None:
    paper = GraphLinker(graph, settings=LinkingSettings(rule="paper"))
    assert node_name(paper.link_name("hyperparathyroidism")) == "hypoparathyroidism"
    assert node_name(paper.link_name("prednisone")) == "Prednisolone"


def test_gene_symbols_do_not_swallow_words(linker: GraphLinker) -> None:
    links = linker.link(
        "She was met in clinic with cough from an ACE inhibitor after a cat scratch, "
        "in the IMPACT trial; AR was mild."
    )
    assert [node_name(link) for link in links if link.node] == ["Cough"]
    assert "class of drugs" in found(links, "ACE").reason
    assert found(links, "IMPACT").reason.endswith(NO_ENTITY)
    assert [node.name for node in found(links, "AR").candidates] == ["AR"]


def test_a_symbol_beside_a_cue_is_a_gene(linker: GraphLinker) -> None:
    links = linker.link("A mutation of the AR gene; BRCA1 was normal.")
    assert node_name(found(links, "AR")) == "AR"
    assert node_name(found(links, "BRCA1")) == "BRCA1"


def test_a_defined_abbreviation_gets_the_long_forms_node_everywhere(linker: GraphLinker) -> None:
    links = linker.link("Spinal and bulbar muscular atrophy (SBMA) is slow. SBMA spares women.")
    assert [(link.mention, link.method) for link in links] == [
        ("Spinal and bulbar muscular atrophy", "exact"),
        ("SBMA", "abbreviation"),
        ("SBMA", "abbreviation"),
    ]
    assert {node_name(link) for link in links} == {"spinal and bulbar muscular atrophy"}


def test_a_bracket_tells_that_a_symbol_is_a_gene(linker: GraphLinker) -> None:
    links = linker.link("Angiotensin-converting enzyme (ACE) is blocked; ACE rises.")
    assert [(link.mention, node_name(link)) for link in links] == [("ACE", "ACE"), ("ACE", "ACE")]
    links = linker.link("Angiotensin-converting enzyme (ACE) falls on an ACE inhibitor.")
    assert "class of drugs" in links[-1].reason
    assert linker.link("An acute coronary event (ACE) is over.")[-1].node is None


@pytest.mark.parametrize(
    "name",
    [
        "Sulfamethoxazole/trimethoprim",
        "Trimethoprim-sulfamethoxazole",
        "sulfamethoxazole and trimethoprim",
        "sulfamethoxazole + trimethoprim 800/160 mg twice daily",
        "Bactrim",
        "TMP-SMX",
    ],
)
def test_a_combination_is_its_components(linker: GraphLinker, name: str) -> None:
    link = linker.link_name(name)
    assert link.node is None
    assert link.score == 100
    assert {node.name for node in link.candidates} == {"Sulfamethoxazole", "Trimethoprim"}
    assert "components" in link.reason
    drugs = {node_name(link) for link in linker.link(f"She takes {name} for cystitis.")}
    assert drugs >= {"Sulfamethoxazole", "Trimethoprim"}


def test_a_part_that_is_no_drug_makes_no_combination(linker: GraphLinker) -> None:
    assert linker.link_name("Valsartan and hypertension").candidates == ()
    assert linker.link_name("Valsartan/zorblaxin").candidates == ()


def test_a_definition_in_the_text_beats_the_table(linker: GraphLinker) -> None:
    assert node_name(found(linker.link("She has HTN."), "HTN")) == "hypertension"
    link = found(linker.link("a hypertrophic tendon nodule (HTN) of the hand"), "HTN")
    assert link.node is None
    assert "hypertrophic tendon nodule" in link.reason


def test_the_longest_name_wins_and_stops_at_the_sentence(linker: GraphLinker) -> None:
    links = linker.link("Type 2 diabetes mellitus. Chronic kidney. Disease of the hand.")
    assert [link.mention for link in links] == ["Type 2 diabetes mellitus"]


def test_one_name_of_two_types_lists_both_nodes(linker: GraphLinker) -> None:
    link = linker.link_name("hypertension")
    assert [node.type for node in link.candidates] == [D, P]
    assert linker.link_name("hypertension", types=frozenset({P})).node == link.candidates[1]


def test_a_type_that_no_node_of_the_name_has_is_an_answer(linker: GraphLinker) -> None:
    link = linker.link_name("metformin", types=frozenset({D}))
    assert link.node is None
    assert [node.name for node in link.candidates] == ["Metformin"]


def test_a_type_is_a_cue_for_a_symbol(linker: GraphLinker) -> None:
    assert node_name(linker.link_name("ACE", types=frozenset({G}))) == "ACE"


def test_negated_mentions_are_linked_and_flagged(linker: GraphLinker) -> None:
    links = linker.link("He denies cough. His father had anemia. Takes metformin.")
    assert [(node_name(link), link.assertion) for link in links] == [
        ("Cough", "absent"),
        ("anemia", "family"),
        ("Metformin", "present"),
    ]


def test_an_acronym_that_is_a_disease_keeps_its_case(linker: GraphLinker) -> None:
    (link,) = linker.link("A cane aids him; AIDS was diagnosed.")
    assert (link.mention, node_name(link)) == ("AIDS", "AIDS")
    assert node_name(linker.link_name("acquired immunodeficiency syndrome")) == "AIDS"


def test_a_laboratory_value_is_no_drug(linker: GraphLinker) -> None:
    (link,) = linker.link("Serum potassium is 5.9 mEq/L.")
    assert link.node is None
    assert link.reason.endswith(NO_ENTITY)


def test_a_misspelt_disease_in_a_text_is_linked_with_its_score(linker: GraphLinker) -> None:
    (link,) = linker.link("Known chronic kidny disease.")
    assert (node_name(link), link.method) == ("chronic kidney disease", "fuzzy")
    assert 90 <= link.score < 100


def test_two_equally_near_names_are_ambiguous(tmp_path: Path) -> None:
    graph = make_graph(
        tmp_path,
        [
            ("marginal zone dermatosis", D, "disease_protein", "INSR", G),
            ("marginal zome dermatosis", D, "disease_protein", "INSR", G),
        ],
    )
    link = GraphLinker(graph, synonyms=()).link_name("marginal zore dermatosis")
    assert link.node is None
    assert "ambiguous" in link.reason
    assert len(link.candidates) == 2


def test_an_alias_of_two_names_is_ambiguous_until_a_type_decides(graph: GraphStore) -> None:
    rows = [
        Synonym(name="anemia", alias="XYZ", kind="abbreviation", source="test"),
        Synonym(name="Metformin", alias="XYZ", kind="abbreviation", source="test"),
    ]
    linker = GraphLinker(graph, synonyms=rows)
    assert linker.link_name("XYZ").node is None
    assert node_name(linker.link_name("XYZ", types=frozenset({R}))) == "Metformin"


def test_a_graph_that_uses_the_other_spelling_is_found(tmp_path: Path) -> None:
    graph = make_graph(tmp_path, [("hypertensive disorder", D, "disease_protein", "INSR", G)])
    linker = GraphLinker(graph)
    for name in ("hypertension", "HTN", "high blood pressure", "hypertensive disorders"):
        assert node_name(linker.link_name(name)) == "hypertensive disorder"


@pytest.mark.parametrize("text", ["", "   ", "?!", "{", "\ud83d\ude00", "a" * 5000, "(" * 50])
def test_odd_texts_link_to_nothing(linker: GraphLinker, text: str) -> None:
    assert linker.link(text) == ()
    assert linker.link_name(text).node is None


def test_offsets_are_those_of_the_text(linker: GraphLinker) -> None:
    text = "Since 2019: Crohn\u2019s disease, T2DM; \u03b2-blockers. Takes Glucophage."
    for link in linker.link(text):
        assert text[link.start : link.end] == link.mention


def test_copies_of_a_program_share_the_linker(linker: GraphLinker) -> None:
    assert copy.deepcopy(linker) is linker
