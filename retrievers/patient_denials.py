"""What the text denies as a whole: family history, chronic disease, medicines, allergies."""

from __future__ import annotations

import re
from typing import Literal

from retrievers.assertion_pieces import own_piece
from retrievers.kin import FAMILY_HISTORY, NEGATIVE, PERSONAL_TOO
from retrievers.patient_closed import closes
from retrievers.patient_mentions import find_mentions
from retrievers.patient_text import span_of
from retrievers.vocabulary import (
    ALLERGY_DENIAL,
    CHRONIC_DENIAL,
    DRUG_DENIAL,
    OTHER_DRUGS_DENIAL,
)
from signatures.schema import PatientFact

_HISTORY = rf"(?:{PERSONAL_TOO})?{FAMILY_HISTORY}"
_LIST = (
    r"(?:(?!\b(?:but|except|although|mother|father|has|had|is|was|takes|on|positive)\b)[^.;\n])+"
)
"""The names of a denial, up to what is not denied."""
_FAMILY_DENIAL = re.compile(
    r"(?:\b(?:no|denies(?: any)?|denied(?: any)?|without(?: an?| any)?|not have an?)|"
    rf"(?<![\w-]){NEGATIVE}(?: for)?)\s+(?:(?:known|significant|strong|relevant|any)\s+)*"
    rf"{_HISTORY}\s+(?:of|for) (?P<names>{_LIST})"
    rf"|{_HISTORY}(?:\s+(?:is|was)|\s*:)?\s+(?:{NEGATIVE} ?(?:for|of|:)|no|not "
    rf"significant for|without|denies) (?P<names5>{_LIST})"
    rf"|{_HISTORY}\s+(?:of|for)\s+(?P<names7>(?:(?!\b(?:is|was)\b)[^.;:\n]){{1,80}}?)"
    rf"(?:\s*:|\s+-|\s+(?:is|was))?\s*\(?(?:{NEGATIVE}|denied|absent|no)\)?(?=\s*(?:[.;,\n]|$))"
    r"|\b(?:no (?:family members?|relatives?|first-degree relatives?)|no one in (?:his|her|the|"
    r"their) "
    r"family) (?:have|has|had|with) (?P<names6>[^.;]+)"
    r"|\bneither (?:he|she|the patient) nor (?:his|her|the|their) family has (?:ever "
    r")?had (?P<names2>[^.;]+)"
    r"|\b(?:there is |there's )?no (?P<names3>[\w ,-]+?) in (?:his|her|the|their) "
    r"(?:family|relatives)"
    r"|\bno (?P<names4>[\w ,-]+?) in (?:him|her|the patient) or (?:his|her|the|their) family",
    re.IGNORECASE,
)
_NEITHER_FAMILY = re.compile(
    (
        r"\bneither (?:he|she|the patient) nor (?:his|her|the|their) family|\bin (?:him|her) "
        rf"or (?:his|her) family|\b{PERSONAL_TOO}|\bfamily\s*(?:/|or|nor|and)\s*personal\b"
    ),
    re.IGNORECASE,
)
_GENERAL: tuple[tuple[re.Pattern[str], str, Literal["diagnosis", "medication"]], ...] = (
    (re.compile(
        r"\bno (?:significant |relevant |notable |known |other )*(?:past )?medical "
        r"(?:history|problems|conditions)"
        r"|\bno (?:known )?chronic (?:medical )?(?:conditions|illness(?:es)?|diseases?|problems)"
        r"|\bno (?:other )?comorbidit(?:y|ies)|\b(?:past )?medical history is "
        r"(?:unremarkable|noncontributory|"
        r"negative|non-contributory|not significant|insignificant)"
        r"|\b(?<!not )(?:previously|generally|otherwise) (?:fit and )?healthy\b"
        r"(?![\s-]+(?:appearing|looking|controls?|diet|donors?|volunteers?|(?:[\w-]+\s+){0,2}"
        r"(?:husband|wife|partner|mother|father|brother|sister|son|daughter|child of|twin)\b))"
        r"|\bno (?:other |previous |prior |known )*(?:health|medical) problems\b", re.IGNORECASE),
     CHRONIC_DENIAL, "diagnosis"),
    (re.compile(
        r"\b(?:takes|taking|on|uses|current(?:ly)? (?:takes|on)) no (?:other |current |"
        r"regular )?(?:medications?|medicines?|drugs|meds)"
        r"|\bno (?:current |regular |home |prescription )?medications\b|\b(?:does not|"
        r"doesn't) take any (?:medications?|medicines?|drugs)"
        r"|\bis not taking any (?:medications?|medicines?|drugs)|\bno (?:other "
        r")?medicines\b", re.IGNORECASE),
     DRUG_DENIAL, "medication"),
    (re.compile(
        r"\b(?:her|his|the|their) only (?:current |regular )?(?:medications?|medicines?|"
        r"drugs?) (?:is|are)"
        r"|\btakes no other (?:medications?|medicines?|drugs)|\bno other (?:medications?|"
        r"medicines?|drugs)"
        r"|\bonly takes\b|\btakes only\b", re.IGNORECASE), OTHER_DRUGS_DENIAL, "medication"),
    (re.compile(
        r"(?:\bno (?:known )?(?:drug |medication |medicine )?allergies\b|\bNKDA\b|\bno "
        r"(?:known )?drug allergy\b"
        r"|\b(?:denies|without) (?:any )?(?:known )?(?:drug |medication )?allergies|"
        r"\bnot allergic to any)(?!,?\s+(?:except|other than|apart from|but|save)\b)",
        re.IGNORECASE), ALLERGY_DENIAL, "medication"),
)  # fmt: skip
_NORMAL_ORGANS = (
    (re.compile(
        r"\b(?:normal (?:kidney|renal) function|(?:kidney|renal) function is normal|"
        r"(?:his|her|the) kidneys are (?:healthy|normal))"
        r"|\b(?:kidney|renal)(?: and (?:liver|hepatic))? function (?:is|are|was|were) "
        r"normal", re.IGNORECASE),
     ("renal impairment", "kidney disease")),
    (re.compile(
        r"\bnormal (?:liver|hepatic) function|\b(?:liver|hepatic) function(?: tests)? "
        r"(?:is|are|was|were) normal"
        r"|\b(?:his|her|the) liver is (?:healthy|normal)|\b(?:bowel|kidneys?) and liver are healthy"
        r"|\bliver and (?:bowel|kidneys?) are healthy|\bnormal kidney and liver function"
        r"|\bkidney and liver function (?:is|are|was|were) normal", re.IGNORECASE),
     ("liver disease", "hepatic impairment")),
)  # fmt: skip
_OF_ANOTHER = re.compile(
    r"\b(?:mother|father|parents|brother|sister|husband|wife|sibling)s?\b[^.;]*$", re.IGNORECASE
)
"""`The mother has no past medical history` is not said of the child."""


def _family_denials(text: str) -> list[PatientFact]:
    facts = []
    for found in _FAMILY_DENIAL.finditer(text):
        both = _NEITHER_FAMILY.search(found.group()) is not None
        for mention in find_mentions(found.group()):
            if mention.kind != "diagnosis":
                continue
            span = span_of(text, found.start(), found.end())
            word = found.group()[mention.start : mention.end]
            before, after = found.group()[: mention.start], found.group()[mention.end :]
            if own_piece(before, word, after) != before:
                continue
            facts.append(
                PatientFact(
                    name=f"family history of {word}",
                    kind="diagnosis",
                    assertion="absent",
                    span=span,
                )
            )
            if both:
                facts.append(
                    PatientFact(name=word, kind="diagnosis", assertion="absent", span=span)
                )
    return facts


def _denials(text: str) -> list[PatientFact]:
    facts = []
    for pattern, name, kind in _GENERAL:
        found = pattern.search(text)
        if found is None or _OF_ANOTHER.search(text[: found.start()]):
            continue
        if name != CHRONIC_DENIAL or closes(text, found.start(), found.end()):
            span = span_of(text, found.start(), found.end())
            facts.append(PatientFact(name=name, kind=kind, assertion="absent", span=span))
    for pattern, organs in _NORMAL_ORGANS:
        found = pattern.search(text)
        if found is not None:
            span = span_of(text, found.start(), found.end())
            facts += [
                PatientFact(name=organ, kind="diagnosis", assertion="absent", span=span)
                for organ in organs
            ]
    return facts


def is_family_denied(fact: PatientFact, denials: tuple[PatientFact, ...]) -> bool:
    """Say whether a disease of the family is what a denial names: `Family history of gout: none`.

    >>> fact = read_denials("Family history of gout: none")[0]
    >>> is_family_denied(fact.model_copy(update={"assertion": "family"}), (fact,))
    True
    """
    return fact.assertion == "family" and any(
        denial.name.startswith("family history of ")
        and denial.span.start <= fact.span.start < denial.span.end
        for denial in denials
    )


def read_denials(text: str) -> tuple[PatientFact, ...]:
    """Return the denials of a whole kind, each as an absent fact with a name of its own.

    >>> [fact.name for fact in read_denials("She takes no medications.")]
    ['medications']
    """
    return (*_family_denials(text), *_denials(text))
