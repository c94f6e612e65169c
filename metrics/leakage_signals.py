"""The four signals that a validator's evidence text may carry (QKG A.3, "Signals").

    context     a label that only a decided ConstraintItem puts there
    kg_support  the text names something of the graph as what contradicts the claim
    kg_gap      the text concedes that the graph had nothing to say
    parametric  the text leans on medicine or guidelines from outside the graph

A.3 describes the signals and quotes a few strings for each; the patterns below are ours, written
from that description. The quoted strings are tests.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_GRAPH = r"(?:KG|[Kk]nowledge[ -][Gg]raph)"
_KIND = (
    r"(?:off-label(?: use)?|drug[_ ]effect|drug[_ ]protein|disease[_ ]protein|side[ -]effect|"
    r"contra-?indications?|indications?|phenotypes?|associations?|targets?)"
)
_ADVERB = r"(?:explicitly|clearly|also)"
_VERB = (
    r"(?:confirms|links|shows|lists|states|records|documents|identifies|connects|associates|"
    r"indicates|contradicts|includes)"
)
_NOTHING = r"(?:no\b|neither\b|not\b|there (?:is|are) no\b|(?:the )?(?:lack|absence)\b)"

_CONTEXT = (
    re.compile(r"\b(?:AVOID|RECOMMENDED|CAUTION)\b"),
    re.compile(r"\bconstraint[ _]?items?\b|\bsafety judge?ments?\b", re.I),
)
"""Upper case counts, "RECOMMEND" and "applicability" do not: they are ordinary prose (A.3)."""

_KG_SUPPORT = (
    # "KG confirms … indication relation", "KG explicitly links X to Y"; not "KG confirms no …"
    re.compile(rf"\b{_GRAPH}\s+(?:{_ADVERB}\s+)?{_VERB}\b(?!\s+(?:that\s+)?{_NOTHING})"),
    # "entity 30494 has direct positive phenotype relations to …"
    re.compile(
        r"\b(?:entity|node)\s+(?:index\s+)?\d+\b[^.;]{0,40}?\bhas\s+(?!no\b)[^.;]{0,40}?"
        r"\b(?:relations?|edges?|links?)\b",
        re.I,
    ),
    # "a direct contraindication edge joins …"; not "no contraindication edge"
    re.compile(
        rf"(?<!no )(?<!no direct )(?<!lacks )(?<!without )\b(?:direct|explicit)\s+"
        rf"(?:(?:positive|negative)\s+)?{_KIND}\s+(?:relations?|relationships?|edges?|links?)\b",
        re.I,
    ),
    # this project's own citation of a triplet: "[e412] Metformin is indicated for …"
    re.compile(r"\[e\d+\]"),
)

_KG_GAP = (
    # "KG lacks", "KG search for X does not …"; a verb that supports ends the search
    re.compile(
        rf"\b{_GRAPH}\s+(?:(?!{_VERB}\b)[\w()'-]+\s+){{0,5}}?(?:lacks?|lacked|(?:does|did|do) not|"
        r"doesn't|didn't|has no|have no|had no|contains? no|contained no|provides? no|is silent)\b"
    ),
    re.compile(rf"\b{_GRAPH}\s+(?:{_ADVERB}\s+)?{_VERB}\s+(?:that\s+)?{_NOTHING}"),
    re.compile(r"\breturn(?:s|ed|ing)?\s+(?:an?\s+)?(?:no\b|empty|nothing|none\b|zero|0 )", re.I),
    re.compile(r"\bempty\s+(?:list|result|set|response)s?\b", re.I),
    re.compile(
        r"\b(?:no|without)\s+(?:(?!and\b|or\b)[\w/-]+\s+){0,4}?(?:or\s+[\w/-]+\s+(?:[\w/-]+\s+)?)?"
        r"(?:data|edges?|relations?|relationships?|triplets?|annotations?|entity|entities|entry|"
        r"entries|coverage|path|paths)\b",
        re.I,
    ),
    re.compile(
        r"\b(?:not|n't)\s+(?:\w+\s+)?(?:encoded?|covered|found|present|represented)\b", re.I
    ),
    re.compile(r"\bno triplet joins them\b"),
)

_BODIES = (
    r"(?:AHA|ACC|ACCP|ACIP|ACOG|ADA|AAP|AAFP|AASLD|ACG|ACR|ASCO|ATS|BTS|CDC|EASL|ESC|FDA|GINA|"
    r"GOLD|IDSA|JNC|KDIGO|NCCN|NICE|USPSTF|WHO)"
)
_PARAMETRIC = (
    # as an adverb of the sentence: "Medically, …"; not "clinically flawed"
    re.compile(r"\b(?:medically|clinically),", re.I),
    re.compile(r"(?:^|[.!?]\s+)(?:Medically|Clinically)\b"),
    re.compile(
        rf"\b{_BODIES}(?:[/,]\s?{_BODIES})*\b[^.;]{{0,30}}?\b(?:guid(?:eline|ance)|criteria)"
    ),
    re.compile(rf"\b(?:per|according to)\s+(?:the\s+)?{_BODIES}\b"),
    re.compile(
        r"\b(?:per|by|under|according to|based on|consistent with)\s+"
        r"(?:[\w-]+\s+){0,3}guidelines?\b",
        re.I,
    ),
    re.compile(
        r"\bguidelines?\s+(?:(?:explicitly|strongly|clearly)\s+)?"
        r"(?:recommend|state|advise|suggest|mandate|require|support|call|prefer|indicate)",
        re.I,
    ),
    re.compile(r"\bstandards? of care\b", re.I),
)


class Signals(NamedTuple):
    """Which of the four signals a text carries."""

    context: bool
    kg_support: bool
    kg_gap: bool
    parametric: bool


def read_signals(evidence: str) -> Signals:
    """Test a validator's evidence text for the four signals.

    >>> read_signals("KG lacks dosing relations. Medically, metformin is safe.")
    Signals(context=False, kg_support=False, kg_gap=True, parametric=True)
    >>> read_signals("ConstraintItem eGFR < 30: AVOID metformin.").context
    True
    >>> read_signals("AHA guidelines RECOMMEND it; applicability is clear.").context
    False
    """
    return Signals(
        context=_any(_CONTEXT, evidence),
        kg_support=_any(_KG_SUPPORT, evidence),
        kg_gap=_any(_KG_GAP, evidence),
        parametric=_any(_PARAMETRIC, evidence),
    )


def _any(patterns: tuple[re.Pattern[str], ...], text: str) -> bool:
    return any(pattern.search(text) for pattern in patterns)
