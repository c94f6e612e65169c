"""Read the free text of a ConstraintItem into a typed expression (QKG §3.1.2).

Grammar: leaves joined by and, or, not, without, unless, lists, brackets and "at least N of". What
is not understood to the last word is `None`, never a guess: such a text is for a model. "And" with
"or" in one phrase without brackets is ambiguous and therefore `None` as well, except where a verb
opens a new list ("diabetes and taking losartan or valsartan").
"""

from __future__ import annotations

import re
from functools import lru_cache

from retrievers.expression_frames import (
    allergy_frame,
    bare_frame,
    drug_frame,
    drug_use,
    family_frame,
    history_frame,
    is_long,
    long_term,
)
from retrievers.expression_leaves import Frame, leaf
from retrievers.expression_limits import expand_analytes
from retrievers.expression_names import (
    ALLERGY_FRAME,
    DRUG_FRAME,
    DRUG_SUFFIX,
    FAMILY_FRAME,
    HISTORY_FRAME,
    TREATED_FRAME,
)
from retrievers.expression_people import age_leaf
from retrievers.expression_text import (
    expand_shared_words,
    joins_people,
    outer_brackets,
    population,
    split_top,
    tidy,
)
from retrievers.expression_times import LAST_DOSE, within_interval
from retrievers.expression_types import (
    All,
    AnyOf,
    AtLeast,
    Everyone,
    Expression,
    FirstKnown,
    Negated,
    TakesDrug,
)
from retrievers.numbers import to_number

EVERYONE = re.compile(
    r"(?:the )?(?:general|overall|whole|entire) (?:adult )?(?:population|patients?)"
    r"|all (?:patients|individuals|people|populations?|patient groups)|everyone|any patient"
    r"|general|unrestricted|no restrictions?|(?:the )?general patient population"
)
_NOT = re.compile(
    r"(?:without|not|no|unless|except(?: (?:in|for|when|if))?|excluding|absence of|lack of|"
    r"in the absence of|free of|free from|(?:who )?(?:are|is|do|does) not(?: have| "
    r"having| use| take)?|"
    r"never|not (?:in|during))(?: (?:an?|any|having|known|in|with))*\s+(?P<rest>.+)"
    r"|non-?(?P<word>pregnant|smokers?|smoking|diabetic|lactating)"
)
_RELIEF = re.compile(r"\b(?:or|and/or)\b|\bunless\b|\bexcept")
"""Words after which a group may also hold otherwise."""
_SIGNED = re.compile(r"[<>≥≤=\d]")
_AT_LEAST = re.compile(
    r"(?:at least|any|≥|>=) ?(?P<count>\d+|one|two|three|four|five)(?: or more)?(?: of)?"
    r"(?: the following)?(?: (?:risk factors|criteria|conditions|factors))?(?: "
    r"of)?\s*:?\s*(?P<rest>.+)"
)
_HAS_AT_LEAST_CUE = re.compile(r"\bof\b|:|following")
_COMPONENTS = re.compile(
    r",? or (?:to )?(?:any|its|other|one)(?: of)?(?: (?:its|the|other|inactive))* "
    r"(?:components?|ingredients?|excipients?)(?: of .+| in .+)?$"
)
"""`or any of its components`: an allergy to the product, which the drug's name stands for."""
_TAIL_WITHOUT = re.compile(
    r"(?P<first>.+?),?\s+(?P<joint>without|unless|except(?: in| for| when| if)?|but not|"
    r"and not|but no|not)"
    r"\s+(?P<second>.+)"
)
_TAIL_WITH = re.compile(
    r"(?P<first>.+?),?\s+(?:presenting with|with|who (?:have|has)|having|who (?:are|is)|"
    r"and (?:with|has|have)|whose)\s+"
    r"(?P<second>.+)"
)


_FRAMED = re.compile(
    r"(?:an? |any |known |those |patients |in )*(?:history|allerg\w+|hypersens\w+|taking|receiving|"
    r"using|on|treat\w+|with\w*|age|aged|over|under|who|prior|previous|family|concomitant\w*|"
    r"concurrent\w*|during|[<>≥≤])",
    re.IGNORECASE,
)
"""A later part with a beginning of its own: "women with gout or taking aspirin" is open."""
_AGED_WITH = re.compile(
    r"(?P<age>[^,]*?\d[^,]*?)\s+(?:presenting with|presents? with|suffering from|"
    r"diagnosed with|with|having|who (?:have|has))\s+(?P<rest>.+)"
)


@lru_cache(maxsize=65_536)
def parse_condition(text: str) -> Expression | None:
    """Read a patient group into an expression, or `None` when it is not wholly understood.

    >>> parse_condition("general population")
    Everyone()
    >>> parse_condition("age ≥65 AND eGFR <30").parts[1].wanted.high
    30.0
    >>> parse_condition("women planning a holiday") is None
    True
    """
    return _parse(tidy(text), bare_frame)


def parse_head(text: str) -> Expression | None:
    """Read only the people that a group is made of, where the rest cannot be read.

    Somebody who is none of these people is not in the group, whatever the rest says; of anybody
    else nothing follows.

    >>> parse_head("woman who plans to conceive"), parse_head("poor adherence") is None
    (SexIs(sex='female'), True)
    """
    plain = tidy(text)
    split = population(plain)
    lower = plain.lower()
    if split is None or not split[0] or _RELIEF.search(lower) or joins_people(lower):
        return None
    parts = [_parse(word, bare_frame) for word in split[0]]
    understood = tuple(part for part in parts if part is not None)
    if len(understood) < len(parts):
        return None
    return understood[0] if len(understood) == 1 else All(parts=understood)


def is_unconditional(text: str) -> bool:
    """Say whether a patient group is everyone.

    >>> is_unconditional("General population"), is_unconditional("adults")
    (True, False)
    """
    return isinstance(parse_condition(text), Everyone)


def _parse(text: str, frame: Frame) -> Expression | None:
    text = text.strip(" ,.;")
    inner = outer_brackets(text)
    if inner is not None:
        return _parse(inner, frame)
    if EVERYONE.fullmatch(text.lower()):
        return Everyone()
    if not text:
        return None
    for reader in _READERS:
        found = reader(text, frame)
        if found is not None:
            return found
    for expand in (expand_shared_words, expand_analytes):
        expanded = expand(text)
        if expanded != text:
            return _parse(expanded, frame)
    return None


def _phrase(text: str, frame: Frame) -> Expression | None:
    return leaf(text, frame, parse=parse_condition)


def _framed(text: str, frame: Frame) -> Expression | None:
    lower = text.lower()
    both = re.fullmatch(r"(?:a )?personal or family history of (?P<name>.+)", lower)
    if both is not None:
        names = _parse(both["name"], history_frame), _parse(both["name"], family_frame)
        return AnyOf(parts=(names[0], names[1])) if names[0] and names[1] else None
    for pattern, opened in (
        (FAMILY_FRAME, family_frame),
        (ALLERGY_FRAME, allergy_frame),
        (DRUG_FRAME, drug_frame),
        (HISTORY_FRAME, history_frame),
    ):
        found = pattern.fullmatch(lower)
        if found is not None:
            inside = _parse_frame(_COMPONENTS.sub("", found["name"]), opened)
            return long_term(inside) if opened is drug_frame and is_long(found["verb"]) else inside
    treated = TREATED_FRAME.fullmatch(lower)
    if treated is not None:
        inside = _parse(treated["name"], drug_frame)
        ever = isinstance(inside, TakesDrug) and treated["when"] != "already"
        return inside.model_copy(update={"timing": "ever"}) if inside and ever else inside
    after = re.fullmatch(r"(?:status[ -]post|s/p|after|following) (?P<name>.+)", lower)
    return None if after is None else _parse(after["name"], history_frame)


def _parse_frame(text: str, frame: Frame) -> Expression | None:
    last = re.fullmatch(rf"(?P<first>.+?) or {LAST_DOSE.pattern}", text)
    if frame is drug_frame and last is not None:
        drug = _parse(last["first"], drug_frame)
        if isinstance(drug, TakesDrug):
            return drug.model_copy(update={"within_days": within_interval(last)})
        return None
    return _parse(text, frame)


def _counted(text: str, frame: Frame) -> Expression | None:
    found = _AT_LEAST.fullmatch(text.lower())
    if found is None or _HAS_AT_LEAST_CUE.search(text) is None:
        return None
    listed = [
        part
        for part in re.split(r",\s*(?:or\s+|and\s+)?|;\s*|\s+or\s+|\s+and\s+", found["rest"])
        if part
    ]
    parts = [_parse(part, frame) for part in listed]
    known_parts = tuple(part for part in parts if part is not None)
    if len(known_parts) < len(parts) or len(parts) < 2:
        return None
    return AtLeast(count=int(to_number(found["count"])), parts=known_parts)


def _negated(text: str, frame: Frame) -> Expression | None:
    found = _NOT.fullmatch(text)
    lower = found or _NOT.fullmatch(text.lower())
    if lower is None:
        return None
    rest = lower["rest"] or lower["word"]
    split = split_top(rest)
    if split is not None and (split.joint == "and" or any(map(_SIGNED.search, split.pieces))):
        return None
    part = _parse(rest, frame)
    return None if part is None or isinstance(part, Everyone) else Negated(part=part)


def _restated(text: str, frame: Frame) -> Expression | None:
    found = re.fullmatch(r"(?P<first>[^()]+?)\s*\((?P<again>[^()]+)\)", text)
    if found is None:
        return None
    first = _parse(found["first"], frame)
    if first is None:
        return None
    if re.match(r"(?:e\.?g\.?|such as|for example|including|i\.e\.|aka)", found["again"].lower()):
        return first
    again = _parse(found["again"], frame)
    if again is None or again == first:
        return again
    return FirstKnown(parts=(again, first))


def _scoped(text: str, frame: Frame) -> Expression | None:
    """Read "women with a or b": whom a list is told of holds for all of the list."""
    split = split_top(text)
    if split is None or split.joint != "or" or joins_people(text.lower()):
        return None
    if any(map(_FRAMED.match, split.pieces[1:])):
        return None
    people = population(text)
    if people is not None and people[1]:
        return _group(text, frame)
    aged = _AGED_WITH.fullmatch(text)
    age = None if aged is None else age_leaf(aged["age"].lower())
    rest = None if aged is None or age is None else _parse(aged["rest"], frame)
    return None if age is None or rest is None else All(parts=(age, rest))


def _listed(text: str, frame: Frame) -> Expression | None:
    split = split_top(text)
    if split is None or _leading_not(split.pieces, split.joint):
        return None
    joint, pieces = split
    parts = [_parse(piece, frame) for piece in pieces]
    understood = tuple(part for part in parts if part is not None)
    if len(understood) < len(parts):
        return _shared_frame(text, frame)
    return AnyOf(parts=understood) if joint == "or" else All(parts=understood)


def _leading_not(pieces: list[str], joint: str) -> bool:
    """`without a and b`: it is not said whether "without" reaches b."""
    negated = [_NOT.fullmatch(piece.lower()) is not None for piece in pieces]
    later = [
        n or _SIGNED.search(p) or DRUG_FRAME.match(p) for n, p in zip(negated, pieces, strict=True)
    ]
    return negated[0] and not all(later[1:])


def _shared_frame(text: str, frame: Frame) -> Expression | None:
    """Read `a or b use`, where the last word says that both are drugs."""
    found = DRUG_SUFFIX.fullmatch(text.lower())
    return None if found is None else _parse(found["name"], drug_frame)


def _group(text: str, frame: Frame) -> Expression | None:
    split = population(text)
    if split is None:
        found = DRUG_SUFFIX.fullmatch(text.lower())
        return None if found is None else drug_use(found)
    words, rest = split
    group = [_parse(word, bare_frame) for word in words]
    understood = [part for part in group if part is not None]
    if len(understood) < len(group):
        return None
    if rest:
        tail = _parse(rest, frame)
        if tail is None:
            return None
        understood.append(tail)
    if not understood:
        return None
    return understood[0] if len(understood) == 1 else All(parts=tuple(understood))


def _tailed(text: str, frame: Frame) -> Expression | None:
    found = _TAIL_WITHOUT.fullmatch(text)
    if found is not None:
        split = split_top(found["second"])
        if split is not None and split.joint == "and" and found["joint"] != "unless":
            return None
        first, second = _parse(found["first"], frame), _parse(found["second"], bare_frame)
        return All(parts=(first, Negated(part=second))) if first and second else None
    found = _TAIL_WITH.fullmatch(text)
    if found is None:
        return None
    first, second = _parse(found["first"], frame), _parse(found["second"], bare_frame)
    if first is None or second is None or isinstance(second, TakesDrug):
        return None
    return All(parts=(first, second))


_READERS = (
    _phrase, _counted, _framed, _negated, _restated, _scoped, _listed, _group, _tailed,
)  # fmt: skip
"""In the order in which they are tried; the first that understands the text reads it."""
