"""Letters and option texts as they stand in an answer: `B`, `(c)`, `A. Metformin`, `A and C`."""

from __future__ import annotations

import re
from typing import NamedTuple

from metrics.answer_options import LETTERS, MARKS, Options, is_lower

_FOLLOWERS = frozenset(
    [
        "and",
        "or",
        "is",
        "are",
        "was",
        "because",
        "since",
        "as",
        "due",
        "given",
        "which",
        "but",
        "for",
        "based",
        "rather",
        "over",
        "seems",
        "appears",
        "instead",
        "with",
        "would",
        "should",
        "has",
    ]
)
"""Words that may follow a letter that is an answer."""
_I_FOLLOWERS = frozenset(["and", "or", "is", "because", "since", "as", "due", "given", "based"])
"""The same for the letter I, which is also a pronoun."""
_EPITHETS = (
    "coli|difficile|pylori|cereus|anthracis|burgdorferi|pertussis|parapertussis|henselae|quintana|"
    "fragilis|dermatitidis|trachomatis|pneumoniae|psittaci|jejuni|perfringens|botulinum|tetani|"
    "diphtheriae|neoformans|gattii|immitis|albicans|glabrata|auris|fumigatus|flavus|baumannii|"
    "israelii|lumbricoides|duodenale|faecalis|faecium|histolytica|vermicularis|granulosus|"
    "multilocularis|chaffeensis|influenzae|ducreyi|capsulatum|lamblia|duodenalis|vaginalis|gondii"
)
"""Species of genera that begin with A to J: the letter before them is a genus."""

_EPITHET = re.compile(rf"\.?\s*(?:{_EPITHETS})\b")
_LETTER = re.compile(
    r"\s*[\"'(\[{]{0,4}(?:(?:option|choice|letter|answer)\s+)?[\"'(\[{]{0,4}\s*(?P<letter>[A-Za-z])"
    r"(?!\w)(?!['+]\w)(?!-\w)",
    re.I,
)
_NEXT_WORD = re.compile(r"[ \t]+([^\W_]+)")
_LOWER_JOIN = re.compile(r"\s*(?:,|/|&|and|or)\s*(?:and|or)?\s*[\"'(\[]*[a-j]\b(?!\s+\w)")
_CLOSE = re.compile(r"[)\]}\"']*")
_OWN_TEXT = re.compile(rf"[ \t.):,\-–—\"'(\[\]}}]*(?P<mark>{MARKS})")
_ARTICLE = re.compile(r"\s*(?:a|an)\s+(?=[^\s])", re.I)
_MARKED = re.compile(rf"\s*[\"'(\[]*(?P<mark>{MARKS})")
_JOIN = re.compile(r"[)\]\"']*\s*(?:,?\s*(?:and/or|and|or|nor|plus)\b|[,/&+])\s*", re.I)
_SENTENCE_END = re.compile(r"[\s\"')\]]*(?:[.;\n]|$)")


class Items(NamedTuple):
    """What stands at a place: the letters, where they end, and whether texts are among them."""

    letters: frozenset[str]
    end: int
    texts: bool


def read_items(text: str, start: int, options: Options) -> Items | None:
    """Read one letter or option text, or several joined by `and`, `or`, a comma or a slash.

    >>> from metrics.answer_options import option_table
    >>> options = option_table({"A": "Metformin", "B": "Insulin", "C": "Glipizide"})
    >>> sorted(read_items(options.mark("either A or C"), 6, options).letters)
    ['A', 'C']
    >>> read_items("a beta blocker", 0, options) is None
    True
    """
    first = _read_item(text, start, options)
    if first is None:
        return None
    letters, end, texts = first
    while joined := _JOIN.match(text, end):
        following = _read_item(text, joined.end(), options)
        if following is None:
            break
        letters, end, texts = letters | following.letters, following.end, texts or following.texts
    return Items(letters, end, texts)


def _read_item(text: str, start: int, options: Options) -> Items | None:
    found = _LETTER.match(text, start)
    if found and _is_letter(text, found, options):
        return _with_text(found["letter"].upper(), text, found.end(), options)
    article = _ARTICLE.match(text, start)
    marked = _MARKED.match(text, article.end() if article else start)
    if marked is None:
        return None
    end = _CLOSE.match(text, marked.end())
    return Items(options.marked(marked["mark"]), end.end() if end else marked.end(), True)


def _with_text(letter: str, text: str, end: int, options: Options) -> Items:
    """A letter, and the option's text after it: its own agrees, another's is a contradiction."""
    close = _CLOSE.match(text, end)
    end = close.end() if close else end
    own = _OWN_TEXT.match(text, end)
    if own is None:
        return Items(frozenset({letter}), end, False)
    meant = options.marked(own["mark"])
    if letter in meant:
        return Items(frozenset({letter}), own.end(), True)
    if _SENTENCE_END.match(text, own.end()):
        return Items(meant | {letter}, own.end(), True)
    return Items(frozenset({letter}), end, False)


def _is_letter(text: str, found: re.Match[str], options: Options) -> bool:
    """Tell an answer's letter from an article, a pronoun, a genus or "n/a"."""
    letter, after = found["letter"], text[found.end() : found.end() + 80]
    if after[:1] and after[0] in ")]}":
        return True
    if _EPITHET.match(after) or (letter in "Nn" and after[:2].upper() == "/A"):
        return False
    word = _NEXT_WORD.match(after)
    if letter.islower():
        return _is_lower_letter(letter, after, word)
    if word is None:
        return not _is_article(letter, after, options)
    following = word[1]
    if letter == "I" or letter not in LETTERS:
        return following in _I_FOLLOWERS
    return following in _FOLLOWERS or (letter != "A" and following[0].isupper())


def _is_lower_letter(letter: str, after: str, word: re.Match[str] | None) -> bool:
    if letter.upper() not in LETTERS:
        return False
    if _LOWER_JOIN.match(after):
        return True
    bare_text = re.match(rf"[ \t]+{MARKS}", after)
    return word is None and not (letter == "a" and bare_text)


def _is_article(letter: str, after: str, options: Options) -> bool:
    """`A thiazide`, where "thiazide" is the text of another option, written in lower case."""
    found = re.match(rf"[ \t]+({MARKS})", after) if letter == "A" else None
    return found is not None and is_lower(found[1]) and "A" not in options.marked(found[1])
