"""One written form for the many spellings of a biomedical name.

Names of the graph and mentions in a text go through the same function, so only consistency counts:
a stem need not be a word. Two names that fall together here are *the same name* to the linker.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

GREEK = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "epsilon", "ζ": "zeta",
    "η": "eta", "θ": "theta", "κ": "kappa", "λ": "lambda", "μ": "mu", "µ": "mu", "π": "pi",
    "σ": "sigma", "τ": "tau", "ω": "omega",
}  # fmt: skip

BRITISH = (
    (re.compile(r"haem"), "hem"),
    (re.compile(r"aem(?=i|o|u|$)"), "em"),
    (re.compile(r"(?<![a-z])oe(?=dem|soph|str)"), "e"),
    (re.compile(r"rrhoe"), "rrhe"),
    (re.compile(r"tumour"), "tumor"),
    (re.compile(r"(?<![a-z])(an|par|dys|hypo|hyp|hyper)aesth"), r"\1esth"),
    (re.compile(r"(?<![a-z])paed"), "ped"),
    (re.compile(r"orthopaed"), "orthoped"),
    (re.compile(r"gynaec"), "gynec"),
    (re.compile(r"foet"), "fet"),
    (re.compile(r"caec"), "cec"),
    (re.compile(r"coel(?=iac)"), "cel"),
    (re.compile(r"faec"), "fec"),
    (re.compile(r"leucocyt"), "leukocyt"),
    (re.compile(r"dyspnoe|apnoe"), lambda m: m.group().replace("oe", "e")),
    (re.compile(r"pnoe(?=a|ic)"), "pne"),
    (re.compile(r"oedem"), "edem"),
    (re.compile(r"sulph"), "sulf"),
    (re.compile(r"colour"), "color"),
    (re.compile(r"behaviour"), "behavior"),
    (re.compile(r"fibre"), "fiber"),
    (re.compile(r"ischaem"), "ischem"),
    (re.compile(r"isation(?=s?$)"), "ization"),
    (re.compile(r"ised$"), "ized"),
    (re.compile(r"(?<=ly)s(?=ed$|ing$)"), "z"),
)  # fmt: skip
"""British to American, on one lower-case token; clinical words only."""

ROMAN = {"i": "1", "ii": "2", "iii": "3", "iv": "4", "v": "5", "vi": "6", "vii": "7", "viii": "8",
         "ix": "9", "x": "10", "xi": "11", "xii": "12"}  # fmt: skip
NUMBERED = frozenset({"type", "stage", "grade", "class", "factor", "group", "phase", "degree"})
"""Words after which a roman numeral is a number: "type II", "factor VIII"."""

NOT_PLURAL = ("ss", "us", "is", "ous")
SINGULAR_S = frozenset(
    {
        "ascites", "caries", "diabetes", "facies", "feces", "herpes", "lens", "measles", "mumps",
        "pubes", "rabies", "rickets", "scabies", "series", "shingles", "species", "tabes",
    }
)  # fmt: skip
"""Words that end like a plural and are none."""
IRREGULAR = {
    "metastases": "metastasis", "diagnoses": "diagnosis", "stenoses": "stenosis",
    "thromboses": "thrombosis", "fibroses": "fibrosis", "biopsies": "biopsy", "children": "child",
    "women": "woman", "men": "man", "feet": "foot", "teeth": "tooth", "vertebrae": "vertebra",
    "bacteria": "bacterium", "emboli": "embolus", "thrombi": "thrombus", "calculi": "calculus",
}  # fmt: skip

WORD = re.compile(r"[^\W_]+(?:['\u2019][sS](?![^\W_]))?")
SUFFIX = re.compile(r"\s*\((?:disease|disorder)\)\s*$")
"""PrimeKG and MONDO add "(disease)" to a third of one per cent of their names."""


class Token(NamedTuple):
    """A word of a text in its written form, with its place."""

    norm: str
    start: int
    end: int


def tokens(text: str) -> list[Token]:
    """Split a text into words in written form, with character offsets.

    >>> [token.norm for token in tokens("Parkinson's diseases, type II")]
    ['parkinson', 'disease', 'type', '2']
    """
    found: list[Token] = []
    for match in WORD.finditer(text):
        norm = normal_word(match.group())
        if found and norm in ROMAN and found[-1].norm in NUMBERED:
            norm = ROMAN[norm]
        found.append(Token(norm, match.start(), match.end()))
    return found


def normalise(name: str) -> str:
    """Return the written form of a name: words in lower case, joined by one space.

    >>> normalise("Oedema of the lungs")
    'edema of the lung'
    >>> normalise("Crohn\u2019s disease") == normalise("Crohn disease")
    True
    >>> normalise("non-small-cell lung cancers")
    'non small cell lung cancer'
    >>> normalise("β-thalassaemia"), normalise("Hypertension (disease)")
    ('beta thalassemia', 'hypertension')
    """
    return " ".join(token.norm for token in tokens(SUFFIX.sub("", name)))


@lru_cache(maxsize=200_000)
def normal_word(word: str) -> str:
    """Return the written form of one word.

    >>> normal_word("Anaemias"), normal_word("diabetes"), normal_word("CKD's")
    ('anemia', 'diabetes', 'ckd')
    """
    plain = unicodedata.normalize("NFKD", word).casefold()
    plain = "".join(ch for ch in plain if not unicodedata.combining(ch))
    for letter, name in GREEK.items():
        plain = plain.replace(letter, name)
    plain = re.sub(r"['\u2019]s?$", "", plain)
    return singular(american(plain))


def american(word: str) -> str:
    """Return the American spelling of a lower-case word.

    >>> american("haemorrhage"), american("oesophagus"), american("diarrhoea"), american("tumour")
    ('hemorrhage', 'esophagus', 'diarrhea', 'tumor')
    """
    if len(word) < 5 or not word.isascii():
        return word
    for pattern, american_spelling in BRITISH:
        word = pattern.sub(american_spelling, word)
    return word


def singular(word: str) -> str:
    """Return the singular of a lower-case word, by its ending; the same stem for both suffices.

    >>> singular("infarctions"), singular("arteries"), singular("abscesses"), singular("virus")
    ('infarction', 'artery', 'abscess', 'virus')
    """
    if word in IRREGULAR:
        return IRREGULAR[word]
    if len(word) < 4 or not word.endswith("s") or word.endswith(NOT_PLURAL) or word in SINGULAR_S:
        return word
    if word.endswith("ies") and len(word) > 5:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "uses")):
        return word[:-2]
    return word[:-1]
