"""The name inside an answer option or a claim: "Add lisinopril 2.5 mg once daily (ACE inhibitor)".

Dose, frequency, route and the verb of a plan go; brackets are read apart, because a short form in
brackets is a name of its own when the long form has no node: "Pancreatic lipase (PNLIP)".
"""

from __future__ import annotations

import re

from retrievers.abbreviations import long_form
from retrievers.wordlists import GENE_CUES, MODIFIERS

_UNIT = (
    r"(?:mg|mcg|ug|\u00b5g|\u03bcg|g|kg|grams?|milligrams?|micrograms?|ng|mL|ml|L|IU|units?|mEq|mmol|"
    r"MU|puffs?|drops?|tablets?|capsules?|pills?|sprays?|sachets?|ampoules?|vials?)"
)
_DOSE = re.compile(
    rf"\b\d+(?:[.,/\u2013-]\d+)*\s*(?:%|{_UNIT}\b)"
    rf"(?:\s*(?:/|per)\s*(?:{_UNIT}|m2|m\u00b2|kg|day|d|h|hr|hour|min|week|dose)\b)*",
    re.IGNORECASE,
)
_FREQUENCY = re.compile(
    r"\b(?:(?:once|twice|thrice|(?:one|two|three|four|\d+)\s+times)\s*"
    r"(?:daily|nightly|weekly|monthly|(?:a|per|every)\s+(?:day|week|month|night))?"
    r"|every\s+(?:other\s+)?(?:\d+\s+)?(?:h|hours?|days?|weeks?|months?|night|morning|evening)"
    r"|for\s+\d+\s+(?:days?|weeks?|months?)|(?:as|if|when)\s+needed|at\s+(?:bedtime|night)"
    r"|at\s+(?:half|twice|double)\s+the\s+dose|(?:in|at)\s+(?:a\s+)?(?:low|high|full|standard)\s+doses?"
    r"|q\d*[dh]|[bt]id|qid|qhs|qam|qpm|prn|p\.?o\.?|i\.?v\.?|i\.?m\.?|s\.?c\.?|by mouth"
    r"|with\s+(?:meals|food))(?!\w)",
    re.IGNORECASE,
)
_CAUSED = re.compile(r"^[\w-]+-(?:associated|induced|related)\s+(?=\w)", re.IGNORECASE)
"""A cause before a finding: the graph keeps it as an edge, "ciprofloxacin, tendinopathy"."""
_BRACKET = re.compile(r"\s*[(\[]([^()\[\]]*)[)\]]\s*$")

_PROTEIN_ENDS = ("ase", "in", "tor", "gen")
"""Endings of the head word of a protein's name: lipase, renin, receptor, antigen."""
_NO_PROTEIN = frozenset(
    {
        "disease", "phase", "case", "base", "increase", "decrease", "release", "pain", "brain",
        "skin", "vein", "strain", "origin", "margin", "gain", "chain", "indicator", "monitor",
    }
)  # fmt: skip
"""Words with such an ending that name none."""
_PROTEIN_WORDS = GENE_CUES | {"peptide", "channel", "subunit", "ligand", "hormone"}


def name_forms(name: str) -> list[str]:
    """Return the readings of a whole string, fullest first, each once.

    >>> name_forms("Lisinopril 2.5 mg once daily")
    ['Lisinopril 2.5 mg once daily', 'Lisinopril']
    >>> name_forms("Add empagliflozin")[-1], name_forms("Sacubitril twice daily")[-1]
    ('empagliflozin', 'Sacubitril')
    >>> name_forms("severe chronic kidney disease (CKD)")[1:]
    ['severe chronic kidney disease', 'chronic kidney disease']
    >>> name_forms("new venous thromboembolism")[-1], name_forms("uncomplicated cystitis")[-1]
    ('venous thromboembolism', 'cystitis')
    >>> name_forms("fluoroquinolone-associated tendinopathy")[-1]
    'tendinopathy'
    """
    whole = name.strip().rstrip(".").strip()
    bare = _BRACKET.sub("", whole)
    plain = " ".join(_FREQUENCY.sub(" ", _DOSE.sub(" ", bare)).split()).strip(" ,;:-")
    forms = [whole, bare, plain, without_modifiers(plain), _CAUSED.sub("", plain)]
    return [form for form in dict.fromkeys(forms) if form]


def bracketed(name: str) -> tuple[str, str] | None:
    """Return the long form before a final bracket, and what the bracket holds.

    >>> bracketed("Thyroid peroxidase (TPO)")
    ('Thyroid peroxidase', 'TPO')
    """
    match = _BRACKET.search(name.strip())
    if match is None or not match.group(1).strip():
        return None
    return name.strip()[: match.start()].strip(), match.group(1).strip()


def defines(long: str, short: str) -> bool:
    """Say whether the long form spells the short one out, its first word included.

    >>> defines("Angiotensin-converting enzyme", "ACE"), defines("Metformin", "oral")
    (True, False)
    """
    return long_form(short, long) == long.strip()


def names_a_protein(long: str) -> bool:
    """Say whether the words of a long form name a protein, so that its symbol is a gene's.

    >>> names_a_protein("Angiotensin-converting enzyme"), names_a_protein("acute coronary event")
    (True, False)
    >>> names_a_protein("Thyroid peroxidase"), names_a_protein("Parkinson disease")
    (True, False)
    """
    words = [word for word in re.findall(r"[a-z]+", long.casefold()) if len(word) > 1]
    if not words:
        return False
    if any(word in _PROTEIN_WORDS for word in words):
        return True
    return words[-1] not in _NO_PROTEIN and words[-1].endswith(_PROTEIN_ENDS)


def without_modifiers(name: str) -> str:
    """Return a name without the words around it that say how it is had or given.

    >>> without_modifiers("uncontrolled hypertension")
    'hypertension'
    """
    words = name.split()
    while words and words[0].casefold().strip(",") in MODIFIERS:
        words = words[1:]
    while words and words[-1].casefold().strip(",") in MODIFIERS:
        words = words[:-1]
    return " ".join(words)
