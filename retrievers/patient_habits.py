"""Smoking, alcohol and other drugs, now, formerly or denied."""

from __future__ import annotations

import re

from retrievers.assertion import assertion_of
from retrievers.patient_text import sentence_at, sentences, span_of, stated
from signatures.schema import Assertion, PatientFact

_NOT_HEAVY = r"(?!\s+(?:abuse|misuse|excess|dependen\w+|binges?|to excess)\b)"
"""Who denies alcohol abuse may drink."""
_HEAVY = "heavy alcohol use"
_WORDINGS: tuple[tuple[str, Assertion, str], ...] = (
    (
        "smoking",
        "absent",
        r"\b(?:never[- ]smok\w+|non-?smoker|does not smoke|doesn't smoke|do not smoke|"
        r"has never smoked|"
        r"denies (?:any )?(?:current )?(?:smoking|tobacco)|den(?:ies|ied) (?:[\w, ]+? "
        r")?(?:smoking|tobacco|cigarettes?)|"
        r"no (?:history of )?(?:smoking|tobacco)|not smoke|neither smokes)",
    ),
    (
        "smoking",
        "absent",
        r"\b(?:smoking|tobacco)(?: use)?\s*(?:[:,-]\s*)?(?:(?:is|was) )?(?:denied|none|never)\b",
    ),
    (
        "alcohol use",
        "absent",
        r"\balcohol(?: use)?\s*(?:[:,-]\s*)?(?:(?:is|was) )?(?:denied|none|never)\b",
    ),
    (
        "smoking",
        "past",
        r"\b(?:former smoker|ex-smoker|past smoker|(?:quit|stopped|gave up) smoking|"
        r"used to smoke|previously smoked|"
        r"smoked (?:\w+ ){0,8}(?:until|before|but quit)|history of smoking|"
        r"smoking history|pack-years?)",
    ),
    (
        "smoking",
        "present",
        r"\b(?:smokes\b|smoker\b|smoking\b|has smoked|(?:pack|cigarettes?)s? (?:of "
        r"cigarettes )?(?:a|per|each|every) day"
        r"|smoking one|tobacco use|chews tobacco|cigarettes daily)",
    ),
    (
        "heavy alcohol use",
        "absent",
        r"\b(?:no|denies|without) (?:heavy|excessive) (?:alcohol|drinking)",
    ),
    (
        "alcohol use",
        "absent",
        r"\b(?:does not (?:smoke or )?drink(?: alcohol)?|doesn't drink|denies (?:any "
        rf")?(?:alcohol{_NOT_HEAVY}|drinking)|no alcohol\b{_NOT_HEAVY}|"
        r"never drinks|drinks no alcohol|abstains from alcohol|teetotal\w*|does not use alcohol|"
        rf"den(?:ies|ied) (?:[\w, ]+? )?alcohol{_NOT_HEAVY})",
    ),
    (
        "heavy alcohol use",
        "present",
        r"\b(?:heavy (?:alcohol|drink\w*)|heavy daily alcohol|drinks heavily|excessive "
        r"alcohol|alcohol (?:abuse|misuse|excess)|"
        r"binge[- ]drink\w*|binges? (?:on alcohol|drinking)|drinks alcohol to excess|"
        r"alcoholic\b(?! (?:hepatitis|beverage|liver|cirrhosis))|alcoholism|"
        r"(?:bottle|liter|litre|fifth|pint) of (?:vodka|whisk\w+|liquor|wine|gin|rum|"
        r"spirits) (?:a|per|each|every) day)",
    ),
    (
        "alcohol use",
        "present",
        r"\b(?:drinks\b(?! (?:no|water|tea|coffee|milk|plenty|lots|fluids|only water))|"
        r"alcohol use|consumes alcohol|"
        r"(?:glass(?:es)?|beers?|drinks?|cans?) of (?:wine|beer|liquor|alcohol)|uses "
        r"alcohol|drinking alcohol|"
        r"(?:beers?|drinks) (?:a|per|each|every|on) (?:day|week|night|evening|"
        r"weekends?)|regular alcohol)",
    ),
    (
        "informed consent",
        "present",
        r"\b(?:will provide|provides?|provided|gave|gives|has given|signed)\s+(?:\w+\s+)?"
        r"(?:informed )?consent\b",
    ),
    ("compliance", "present", r"\bwill comply with the (?:trial|study) protocol\b"),
    (
        "recreational drugs",
        "absent",
        (
            r"\b(?:denies|no|does not use|never used) (?:[\w, ]+? (?:or|and) )?(?:any "
            r")?(?:illicit|recreational) drugs?"
        ),
    ),
    (
        "recreational drugs",
        "present",
        (
            r"\b(?:uses|used|admits to) (?:\w+ ){0,2}(?:cocaine|heroin|methamphetamine|"
            r"illicit drugs|recreational drugs)"
        ),
    ),
)
"""Denials and former use stand first: a place that one of them took is not read again."""
_HARMFUL = re.compile(
    r"alcohol|drink|binge|opioid|opiate|cocaine|heroin|substance|drug|dependence|addict",
    re.IGNORECASE,
)
_SOBER = re.compile(
    r"^(?:(?!\b(?:not|never|no|un\w+)\b)[^.;]){0,30}?\b(?:sober|abstinent|abstains|"
    r"quit(?!\s+(?:smoking|tobacco|cigarettes))|in recovery|stopped drinking|no longer drinks)\b",
    re.IGNORECASE,
)
_PATTERNS = tuple(
    (name, assertion, re.compile(words, re.IGNORECASE)) for name, assertion, words in _WORDINGS
)

_OTHERS = re.compile(
    (
        r"\b(?:father|mother|husband|wife|brother|sister|parents|partner|roommate|"
        r"family)\b[^.;,]{0,40}$"
    ),
    re.IGNORECASE,
)


def read_habits(text: str) -> tuple[PatientFact, ...]:
    """Return the habits that the text states or denies.

    >>> [(f.name, f.assertion) for f in read_habits("Smoking denied, alcohol: none.")]
    [('smoking', 'absent'), ('alcohol use', 'absent')]
    >>> [(f.name, f.assertion) for f in read_habits("He quit smoking in 2010 and drinks wine.")]
    [('smoking', 'past'), ('alcohol use', 'present')]
    >>> [(f.name, f.assertion) for f in read_habits("She does not smoke or drink alcohol.")]
    [('smoking', 'absent'), ('alcohol use', 'absent')]
    """
    parts = sentences(text)
    taken: list[tuple[int, int]] = []
    facts: dict[tuple[str, Assertion], PatientFact] = {}
    for name, assertion, pattern in _PATTERNS:
        for found in pattern.finditer(text):
            place = found.start()
            before = text[max(0, place - 60) : place]
            over = any(a < found.end() and place < b for a, b in taken)
            if over or not stated(text, sentence_at(parts, place), place) or _OTHERS.search(before):
                continue
            taken.append((place, found.end()))
            said = _said(text, found, assertion) if name == _HEAVY else assertion
            if said == "family":
                continue
            span = span_of(text, place, found.end())
            facts.setdefault(
                (name, said), PatientFact(name=name, kind="habit", assertion=said, span=span)
            )
    facts.update(_joint_denial(text, facts))
    settled = _settled(list(facts.values()))
    return tuple(sorted(settled, key=lambda fact: fact.span.start))


def given_up(name: str, after: str) -> bool:
    """Say whether what follows the name of a harmful use ends it.

    >>> given_up("alcohol abuse", ", sober x 5 years"), given_up("gout", ", sober x 5 years")
    (True, False)
    """
    return _HARMFUL.search(name) is not None and _SOBER.match(after) is not None


def _said(text: str, found: re.Match[str], assertion: Assertion) -> Assertion:
    """Return how heavy drinking is asserted, denials and "sober for 5 years" included."""
    start, end = found.span()
    if assertion != "present":
        return assertion
    if given_up(found.group(), text[end : end + 60]):
        return "past"
    told = assertion_of(text, start, end)
    return "past" if told == "stopped" else told


def _joint_denial(
    text: str, facts: dict[tuple[str, Assertion], PatientFact]
) -> dict[tuple[str, Assertion], PatientFact]:
    found = re.search(
        r"\b(?:(?:does not|doesn't|never) smoke(?:s)?,? (?:or|nor) drinks?|(?:denies|"
        r"no)(?: any)? (?:smoking|tobacco)"
        r"(?: use)?(?:,| or| and)+ alcohol|neither smokes nor drinks|(?:does not|"
        r"doesn't) drink(?: alcohol)? (?:or|nor) smoke)", text, re.IGNORECASE
    )  # fmt: skip
    if found is None:
        return {}
    span = span_of(text, found.start(), found.end())
    return {
        (name, "absent"): PatientFact(name=name, kind="habit", assertion="absent", span=span)
        for name in ("smoking", "alcohol use")
        if (name, "absent") not in facts
    }


def _settled(facts: list[PatientFact]) -> list[PatientFact]:
    """A habit given up outweighs a bare mention of it: `smoked 20 pack-years, quit in 2010`."""
    past = {
        fact.name
        for fact in facts
        if fact.assertion == "past" and not re.search("history|pack", fact.span.text, re.IGNORECASE)
    }
    return [fact for fact in facts if not (fact.assertion == "present" and fact.name in past)]
