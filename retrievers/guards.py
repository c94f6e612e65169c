"""What keeps a linker from joining names that only look alike.

Half of the graph's names have a different name at 90 % similarity: hyper- and hypoparathyroidism,
type 1 and type 2 diabetes, prednisone and prednisolone, interleukin-1 and -10. And gene symbols and
qualifiers spell English words. Each rule here answers with a reason, so that `link` can explain.
"""

from __future__ import annotations

import re

from rapidfuzz.distance import Levenshtein

from retrievers.wordlists import GREEK_WORDS, MEASURED, NOT_A_MENTION, RISKY_SYMBOLS

OPPOSITES = (
    ("hyper", "hypo"), ("neuro", "nephro"), ("macro", "micro"), ("tachy", "brady"),
    ("intra", "inter"), ("intra", "extra"), ("inter", "infra"), ("supra", "infra"),
    ("endo", "exo"), ("endo", "ecto"), ("ecto", "ento"), ("ante", "anti"), ("pre", "post"),
    ("pre", "pro"), ("ab", "ad"), ("homo", "hetero"), ("poly", "oligo"), ("poly", "mono"),
    ("uni", "bi"), ("mono", "bi"), ("di", "tri"), ("mono", "di"), ("hemi", "semi"),
    ("iso", "aniso"), ("sub", "supra"), ("peri", "para"), ("peri", "pre"), ("lipo", "lympho"),
    ("leuko", "leio"), ("eu", "dys"), ("a", "dys"), ("in", "ex"), ("cis", "trans"),
    ("alpha", "beta"), ("left", "right"), ("acute", "chronic"), ("congenital", "acquired"),
    ("male", "female"), ("maternal", "paternal"), ("benign", "malignant"), ("upper", "lower"),
    ("proximal", "distal"), ("medial", "lateral"), ("anterior", "posterior"), ("minor", "major"),
    ("dominant", "recessive"), ("dextro", "levo"), ("increased", "decreased"),
    ("elevated", "reduced"), ("positive", "negative"), ("obstructive", "nonobstructive"),
    ("carcinoid", "carcinoma"),
)  # fmt: skip
"""Word beginnings and whole words that turn a name into another, often the contrary one."""

NEGATIONS = ("non", "un", "anti", "a", "an", "in", "im", "de", "dis")
"""A beginning that only one of two otherwise equal words has makes them different names."""

BLOOD_ENDINGS = ("kalemia", "natremia", "calcemia", "glycemia", "lipidemia", "magnesemia")

SLIPS = 2
"""Letters by which a misspelt word may differ; more is another word: finger / toe."""

SHORT_WORD = 5
"""A word of at most this many letters may differ by one."""

SHORTEST_WORD = 4
"""A shorter word must be the same: IgA / IgG."""

SYMBOL = re.compile(r"[A-Z][A-Z0-9]*(?:-?[A-Z0-9]+)*|[A-Z]{1,3}[0-9]+[a-z]{1,3}[0-9]+")
"""A name that is written as a symbol, most often a gene's: INS, HLA-B, C9orf72."""

SYMBOL_MAX = 10
"""Longer capitals are a shouted name, not a symbol."""

NUMBER = re.compile(r"\d+(?:\.\d+)?")
ROMANS = frozenset({"i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii"})
_BEFORE_MEASURED = re.compile(
    r"(?:serum|plasma|blood|urine|urinary|total|fasting|free|low|high|elevated|decreased|"
    r"increased|ldl|hdl|ionized)[\s-]+$",
    re.IGNORECASE,
)
_AFTER_MEASURED = re.compile(
    r"[\s-]*(?:(?:level|concentration|aminotransferase|transaminase|nitrogen|kinase|time|ratio|"
    r"deficiency|phosphatase|intake)s?\b|(?:is|was|of|at|:|=)?\s*[<>≥≤=]?\s*\d)",
    re.IGNORECASE,
)


def is_symbol(name: str) -> bool:
    """Say whether a name is written as a symbol, so that its case matters.

    >>> is_symbol("BRCA1"), is_symbol("HLA-B"), is_symbol("C9orf72"), is_symbol("Insulin")
    (True, True, True, False)
    """
    return 1 < len(name) <= SYMBOL_MAX and SYMBOL.fullmatch(name) is not None


def needs_cue(symbol: str) -> bool:
    """Say whether a symbol in a running text counts only beside a word such as "gene".

    >>> needs_cue("ACE"), needs_cue("AR"), needs_cue("IMPACT"), needs_cue("SLC22A1")
    (True, True, True, False)
    """
    letters = re.sub(r"[^A-Za-z]", "", symbol)
    return len(symbol) <= 3 or symbol in RISKY_SYMBOLS or (letters.lower() in NOT_A_MENTION)


def is_measurement(text: str, start: int, end: int) -> bool:
    """Say whether a substance stands in the text as something that was measured.

    >>> text = "Serum potassium is 5.9 mEq/L; she takes potassium chloride."
    >>> is_measurement(text, 6, 15), is_measurement(text, 39, 48)
    (True, False)
    """
    if text[start:end].casefold() not in MEASURED:
        return False
    before, after = text[max(0, start - 16) : start], text[end : end + 24]
    return bool(_BEFORE_MEASURED.search(before) or _AFTER_MEASURED.match(after))


def different(mention: str, name: str) -> str | None:
    """Return why two similar names must not be joined, or `None` when no rule forbids it.

    Both names come in written form (`normalise`).

    >>> different("hyperparathyroidism", "hypoparathyroidism")
    'opposite prefixes: hyper / hypo'
    >>> different("type 1 diabetes", "type 2 diabetes")
    'different numbers: 1 / 2'
    >>> different("angulation of the 4th finger", "angulation of the 4th toe")
    'different words: finger / toe'
    >>> different("diabetis mellitus", "diabetes mellitus") is None
    True
    """
    return _numbers_differ(mention, name) or _words_differ(mention, name)


def _numbers_differ(mention: str, name: str) -> str | None:
    ours, theirs = _markers(mention), _markers(name)
    if ours == theirs:
        return None
    return f"different numbers: {' '.join(ours) or 'none'} / {' '.join(theirs) or 'none'}"


def _markers(name: str) -> tuple[str, ...]:
    words = name.split()
    marks = [word for word in words if word in ROMANS or word in GREEK_WORDS or len(word) == 1]
    return tuple(sorted(NUMBER.findall(name) + [mark for mark in marks if not mark.isdigit()]))


def _words_differ(mention: str, name: str) -> str | None:
    ours, theirs = mention.split(), name.split()
    if len(ours) != len(theirs):
        longer, shorter = (ours, theirs) if len(ours) > len(theirs) else (theirs, ours)
        extra = [word for word in longer if word not in shorter]
        return (
            f"a word more: {' '.join(extra)}"
            if extra and "".join(ours) != "".join(theirs)
            else None
        )
    for one, other in zip(ours, theirs, strict=True):
        reason = None if one == other else _opposed(one, other)
        if reason:
            return reason
    return None


def _opposed(one: str, other: str) -> str | None:
    for left, right in OPPOSITES:
        for a, b in ((one, other), (other, one)):
            if a.startswith(left) and b.startswith(right) and _rest_alike(a, b, left, right):
                return f"opposite prefixes: {left} / {right}"
    for prefix in NEGATIONS:
        if one == prefix + other or other == prefix + one:
            return f"only one is negated: {prefix}-"
    if any(one.endswith(end) != other.endswith(end) for end in BLOOD_ENDINGS):
        return "different substances in the blood"
    if Levenshtein.distance(one, other) > _slips(min(len(one), len(other))):
        return f"different words: {one} / {other}"
    return None


def _slips(letters: int) -> int:
    if letters < SHORTEST_WORD:
        return 0
    return SLIPS if letters > SHORT_WORD else 1


def _rest_alike(a: str, b: str, left: str, right: str) -> bool:
    if left.startswith(right) or right.startswith(left):
        return False
    rest, other = a[len(left) :], b[len(right) :]
    return rest == other or (len(rest) > 3 and rest[-4:] == other[-4:])
