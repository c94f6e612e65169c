"""The records that travel through qkgram: graph, patient, claim, verdict, answer.

Every record is frozen and rejects unknown fields. "Unknown" is a value of its own (`None`,
`INDETERMINATE`, `NO_COVERAGE`, `unparsed`, `not_run`), never a silent default.

Docstrings and `Field` descriptions of records that a signature names are sent to the model; the
prompt snapshots in the tests cover them.
"""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

Domain = Literal[
    "GENE_PROTEIN", "DRUG_THERAPY", "DISEASE_SYMPTOM", "PATHWAY_METABOLISM", "INTEGRATED"
]
"""The five query domains of ReGraM §3.1."""

Mode = Literal["KG-STRICT", "HYBRID", "LLM-GUESS"]
"""How a hop may be answered, by its number of region facts (ReGraM §3.3)."""

Applicability = Literal[
    "Definitely Applicable",
    "Increased Likelihood",
    "Not Determinable",
    "Decreased Likelihood",
    "Definitely NOT Applicable",
]
"""The five-point ordinal scale of a ConstraintItem (QKG §3.1.2 names the two ends)."""

Match = Literal["MET", "NOT_MET", "INDETERMINATE", "UNJUDGED"]
"""Does the patient belong to the group? UNJUDGED: asked, and no verdict came back."""

Status = Literal["SUPPORTED", "CONTRADICTED", "NO_COVERAGE"]
"""What the valid evidence says of a claim (QKG algorithm 1)."""

Label = Literal["RECOMMENDED", "CAUTION", "AVOID"]
"""What a decided constraint means for the patient (QKG A.3)."""

Predicate = Literal["treats", "contraindicated", "causes", "presents", "targets", "associated"]
"""What a claim may say of its head and tail."""

Assertion = Literal["present", "absent", "past", "family", "allergy", "stopped"]
"""How the text asserts a diagnosis, a drug or a habit of the patient."""

LinkMethod = Literal["exact", "alias", "abbreviation", "fuzzy", "scispacy", "none"]
"""How a mention found its node."""

OutcomeKind = Literal[
    "correct",
    "wrong",
    "ambiguous",
    "unparsed",
    "out_of_range",
    "abstained",
    "correct_abstention",
    "not_run",
]
"""What became of one question. Accuracy counts everything but `not_run`."""

RevisionKind = Literal[
    "wrong_to_correct", "correct_to_wrong", "wrong_to_wrong", "correct_to_correct", "unchanged"
]
"""How a program's first answer and its final answer differ (QKG §4.2)."""

ReviewKind = Literal["approved", "revised", "rejected", "unverifiable", "unreviewed"]
"""What became of a proposed triplet: approved at once, approved after a revision, rejected, not
checkable because an end of it is no node of the graph, or used without a review because the program
has no Reviewer (the ablation of ReGraM C.4)."""

LeakageLabel = Literal["LIKELY_KG_SUPPORTED", "MIXED", "LIKELY_LEAKAGE", "UNCLASSIFIED"]
"""What a revision rests on: the graph, the validator's own knowledge, or both (QKG A.3)."""

JudgedMeasure = Literal[
    "similarity", "inconsistency", "evidence_inconsistency", "hallucination", "reasoning_error"
]
"""What a judge says of an answer: against the reference (ReGraM §4.2, figures 10 to 12), and, ours,
against the evidence and the reasoning that the program itself gives for it."""

VerdictKind = Literal["scored", "unscored", "abstained"]
"""`unscored`: the judge was asked and gave no readable score in range. `abstained`: the answer
states nothing, so the judge was not asked."""

HaltTest = Literal["FCT", "NOTA", "Fake"]
"""The tests of Med-HALT: false confidence, none of the above, fake question."""

Letter = Annotated[str, Field(pattern="^[A-J]$")]
"""An option's letter, A to J."""


def read_letter(value: object) -> object:
    """Return the letter of `a`, `(B)`, `Option C` and `D.`; anything else as it came.

    >>> [read_letter(said) for said in ("a", "(B)", "Option C", "D.", "?", "AB", 1)]
    ['A', 'B', 'C', 'D', '?', 'AB', 1]
    """
    found = _SAID_LETTER.fullmatch(value) if isinstance(value, str) else None
    return found[1].upper() if found else value


_SAID_LETTER = re.compile(r"\W*(?:option\b\W*)?([a-j])\W*", re.IGNORECASE)

SaidLetter = Annotated[Letter, BeforeValidator(read_letter)]
"""An option's letter as a model writes it."""

ABSTAIN = "abstain"
"""What a program writes as its answer when it does not know."""


class Record(BaseModel):
    """A frozen value that rejects unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


# --- graph ---------------------------------------------------------------------------------------


class Node(Record):
    """A node of the graph."""

    index: int
    """Row of the node in the store; stable for one store fingerprint."""
    id: str
    """Identifier within its source, as text: `DB00331`, `5148`."""
    type: str
    """PrimeKG node type: `drug`, `disease`, `gene/protein`, `effect/phenotype` …"""
    name: str
    source: str
    """Vocabulary of `id`: `DrugBank`, `MONDO`, `NCBI`, `HPO` …"""


class Triplet(Record):
    """One logical edge of the graph, in the canonical direction of its relation."""

    id: str
    """`e` and the number of the logical edge in the store: `e412`. Citations use it."""
    head: Node
    relation: str
    """PrimeKG relation: `indication`, `contraindication`, `drug_effect` …"""
    display_relation: str
    tail: Node
    text: str
    """The triplet in words, as shown to models and to the sentence encoder."""


class ConstraintItem(Record):
    """For patients in this group, the relation of its triplet applies to this degree."""

    patient_characteristics: str
    """The group, in free text: `eGFR < 30 mL/min/1.73 m²`, `general population`."""
    applicability: Applicability
    evidence: str
    citation: str | None = None
    """Label or guideline and year; `None` where the source file gives none."""


class Link(Record):
    """A mention in a text and the node it was linked to, or why it was not."""

    mention: str
    start: int
    end: int
    """Character offsets in the text; `end` exclusive."""
    node: Node | None
    candidates: tuple[Node, ...] = ()
    """Every node that the mention could mean, best first."""
    method: LinkMethod
    score: float
    """0 to 100; 100 is an exact name."""
    assertion: Assertion = "present"
    reason: str
    """One line: why this node, or why none."""


class Region(Record):
    """A query-aligned region: the only triplets that a hop may use (ReGraM §3.2).

    The record cannot answer for a triplet outside itself: `lookup` and `get` see `triplets` only.
    """

    query: str
    domain: Domain
    anchors: tuple[Node, ...]
    """Linked entities whose triplets were the candidates."""
    triplets: tuple[Triplet, ...]
    """At most K, best first."""
    relevance: tuple[float, ...]
    """Cosine of query and triplet, in the order of `triplets`, from -1 to 1; unweighted."""
    candidates: int
    """How many triplets were considered."""
    unlinked: tuple[str, ...] = ()
    """Mentions that found no node: what the region cannot cover."""

    @property
    def ids(self) -> frozenset[str]:
        """Ids of the triplets inside."""
        return frozenset(triplet.id for triplet in self.triplets)

    @property
    def entities(self) -> tuple[Node, ...]:
        """V_q: heads and tails of the triplets, each once, in order of first appearance."""
        seen: dict[int, Node] = {}
        for triplet in self.triplets:
            seen.setdefault(triplet.head.index, triplet.head)
            seen.setdefault(triplet.tail.index, triplet.tail)
        return tuple(seen.values())

    def get(self, triplet_id: str) -> Triplet | None:
        """Return the triplet of this id when it lies inside, else `None`."""
        return next((triplet for triplet in self.triplets if triplet.id == triplet_id), None)

    def lookup(self, node: Node, other: Node | None = None) -> tuple[Triplet, ...]:
        """Return the triplets of the region that touch `node`, and `other` when given."""
        wanted = {node.index} if other is None else {node.index, other.index}
        return tuple(t for t in self.triplets if wanted <= {t.head.index, t.tail.index})


# --- patient -------------------------------------------------------------------------------------


class Span(Record):
    """Where in the question a fact stands."""

    start: int
    end: int
    text: str


class Quantity(Record):
    """A measured value, or a range of values."""

    analyte: str
    """Canonical name: `egfr`, `hba1c`, `potassium`, `platelets`, `systolic_bp` …"""
    low: float
    high: float
    """Equal to `low` for a single value; the ends may be infinite for `> 5` or `< 30`."""
    unit: str | None
    """As pint reads it; `None` when the text gives none."""
    span: Span


class Age(Record):
    """Age in years, as an interval: 62 is 62 to 62, "in his sixties" is 60 to 69."""

    low: float
    high: float
    span: Span


class Pregnancy(Record):
    """Pregnancy as the text states it."""

    pregnant: bool
    weeks: float | None = None
    """Weeks of gestation."""
    trimester: Literal[1, 2, 3] | None = None
    span: Span


class PatientFact(Record):
    """A diagnosis, a drug or a habit, with how the text asserts it."""

    name: str
    """In the words of the text."""
    kind: Literal["diagnosis", "medication", "habit"]
    assertion: Assertion
    node: Node | None = None
    """The graph's node, when the mention was linked."""
    days_ago: float | None = None
    """Days since it ended or happened, when the text says so."""
    for_days: float | None = None
    """Days that it has lasted or lasted in all, when the text says so."""
    span: Span


class PatientContext(Record):
    """C of F_τ(C): what the question says of the patient, each fact with its source span.

    A field that is `None` or absent is unknown, not false.
    """

    age: Age | None = None
    sex: Literal["female", "male"] | None = None
    pregnancy: Pregnancy | None = None
    lactating: bool | None = None
    quantities: tuple[Quantity, ...] = ()
    facts: tuple[PatientFact, ...] = ()
    unread: tuple[str, ...] = ()
    """Passages where an analyte stands beside a number that was not read; shown to no model."""


# --- validity ------------------------------------------------------------------------------------


class ConstraintVerdict(Record):
    """Whether one ConstraintItem's group holds for the patient, and how that was decided."""

    id: str
    """Triplet id, a dot, and the item's position: `e412.0`."""
    item: ConstraintItem
    match: Match
    decided_by: Literal["rules", "model", "nobody"]
    audit: tuple[str, ...]
    """One line per leaf: `eGFR 24 < 30 → MET; from 'eGFR of 24'`."""


class Evidence(Record):
    """A triplet as evidence for this patient: F_τ(C) and what decided it."""

    triplet: Triplet
    validity: float = Field(ge=0, le=1)
    label: Label | None = None
    ruled_out: bool = False
    """True when a MET item made the triplet invalid, not merely an unmet one."""
    conflict: bool = False
    """True when MET items pull in opposite directions."""
    verdicts: tuple[ConstraintVerdict, ...] = ()


class Claim(Record):
    """One checkable statement about one option."""

    option: SaidLetter = Field(description="letter of the option the claim is about")
    head: str = Field(description="drug, disease, gene or exposure the claim starts from")
    predicate: Predicate
    tail: str = Field(description="disease, finding or target the claim ends at")
    supports: bool = Field(description="true if the claim argues for the option, false if against")


class ClaimVerdict(Record):
    """What the graph says of one claim in this patient's context."""

    claim: Claim
    status: Status
    label: Label | None = None
    conflict: bool = False
    evidence: tuple[Evidence, ...] = ()
    """Triplets that were looked at, valid ones first."""
    reason: str
    """One line that cites triplet ids and constraint verdicts."""


class Join(Record):
    """How evidence joins an option to something that the question names."""

    mentioned: Node
    """What the question names."""
    option: Node
    """What the option names."""
    points: float
    """Above 0 for the option, below 0 against it; 0 where the evidence is uncertain."""
    evidence: tuple[Evidence, ...]
    """One triplet, or two by way of a broader or narrower concept of either end."""


class OptionScore(Record):
    """What evidence gives one option, as the question asks; comparable within a question only."""

    option: Letter
    score: float
    """Sum over what the question names, and the claims; 0 where nothing joins the option to it."""
    known: bool
    """False when the option's text names no node: evidence cannot speak for it."""
    claims: Literal["for", "against", "open"] = "open"
    """What the checked claims about the option come to, where a program made any."""
    joins: tuple[Join, ...] = ()
    """The strongest first."""


# --- questions, answers, rows --------------------------------------------------------------------


class GoldClaim(Record):
    """A claim whose status is known, for tests and for compiling against claim status."""

    claim: Claim
    status: Status


class Question(Record):
    """One item of a benchmark, or a question typed by a user."""

    id: str
    source: str
    """Benchmark or file it comes from: `sample`, `medqa`, `user` …"""
    text: str
    options: dict[Letter, str] = {}
    """Letter to text; empty for a short-answer question."""
    gold: Letter | None = None
    """The right letter; `None` when no option is right or when no gold is known."""
    labelled: bool = False
    """True when `gold` is to be scored; with `gold=None` it means that no option is right."""
    reference: str | None = None
    """Reference answer of a short-answer question."""
    knowledge: str | None = None
    """Passage that the reference rests on: shown to a judge, never to a program."""
    split: Literal["train", "dev", "test"] | None = None
    domain: Domain | None = None
    """Gold domain, where it is known."""
    decided_by: Literal["threshold", "combination"] | None = None
    gold_claims: tuple[GoldClaim, ...] = ()
    deciding: tuple[tuple[str, str, str], ...] = ()
    """Head name, relation and tail name of the triplets that decide the question."""
    citation: str | None = None
    notes: tuple[str, ...] = ()
    """What is odd about the item in its file: several right options, no key, a picture missing."""


class QAResponse(Record):
    """What a program answers (QKG A.2)."""

    llm_answer_choice: str
    """As the model or the rule wrote it; read by `metrics.answers.read_answer`."""
    selected_option_text: str | None
    reasoning: str


class Hypothesis(Record):
    """A triplet that a model proposes and no file states."""

    head: str = Field(description="entity the triplet starts from")
    relation: str = Field(description="one of the listed relations")
    tail: str = Field(description="entity the triplet ends at")


class ReviewedTriplet(Record):
    """A proposed triplet, what the Reviewer says of it, and what became of it."""

    hypothesis: Hypothesis
    """As last revised."""
    head: Node | None = None
    """The node that the head was linked to; `None` makes the triplet unverifiable."""
    tail: Node | None = None
    probability: float | None = Field(default=None, ge=0, le=1)
    """That the triplet holds; `None` when it could not be reviewed."""
    kind: ReviewKind
    revisions: int = 0
    reason: str = ""
    """One line: what decided."""

    @property
    def used(self) -> bool:
        """May an answer build on it?"""
        return self.kind in ("approved", "revised", "unreviewed")


class Hop(Record):
    """One entry of the evidence map: a sub-question, its region, its mode and its answer."""

    sub_question: str
    region: Region
    mode: Mode
    answer: str
    cited: tuple[str, ...] = ()
    """Ids of region triplets that the answer cites."""
    dropped: tuple[str, ...] = ()
    """Ids it cited that the region does not hold."""
    hypotheses: tuple[ReviewedTriplet, ...] = ()
    """What a HYBRID hop proposed beyond its facts; rejected and unverifiable ones were not used.

    The n-th of them, counted from 1, is cited as `hn`."""
    cited_hypotheses: tuple[str, ...] = ()
    """Ids of used hypotheses that the answer cites: `h1`. They are no evidence."""
    left_out: int = 0
    """Facts of lower rank that did not fit the prompt; the answer cannot cite them."""


class Outcome(Record):
    """How an answer compares with the gold."""

    kind: OutcomeKind
    letter: Letter | None
    """The letter that was read; `None` when there is none."""
    gold: Letter | None


class Verdict(Record):
    """What a judge says of one answer."""

    measure: JudgedMeasure
    kind: VerdictKind
    score: float | None = Field(default=None, ge=0, le=1, allow_inf_nan=False)
    """0 to 1, and `None` unless `kind` is `scored`. `hallucination` and `reasoning_error`
    are 1 for yes and 0 for no; of `similarity` more is better, of the others less."""
    reason: str = ""
    """In the judge's words, or why there is no score."""


class Usage(Record):
    """What was spent on language models."""

    calls: int = 0
    cached: int = 0
    """Calls answered from the cache; not in `calls`."""
    cut: int = 0
    """Calls whose answer was cut at the limit of its tokens; in `calls`."""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = None
    """US dollars; `None` when the provider gives no price."""
    seconds: float = 0.0
    """Seconds spent in the calls themselves, waits not included."""
    retries: int = 0
    """Further tries after outages and rate limits; not in `calls`."""
    waited: float = 0.0
    """Seconds slept between tries."""

    def __add__(self, other: Usage) -> Usage:
        """Add field by field; a cost is unknown only when both are."""
        costs = [c for c in (self.cost, other.cost) if c is not None]
        return Usage(
            calls=self.calls + other.calls,
            cached=self.cached + other.cached,
            cut=self.cut + other.cut,
            prompt_tokens=self.prompt_tokens + other.prompt_tokens,
            completion_tokens=self.completion_tokens + other.completion_tokens,
            cost=sum(costs) if costs else None,
            seconds=self.seconds + other.seconds,
            retries=self.retries + other.retries,
            waited=self.waited + other.waited,
        )
