"""Leaves of a constraint that name something: a diagnosis, a drug, an allergy, a habit.

A name is taken when a table knows it, or when the words around it leave no doubt of its kind
("taking …", "allergy to …") or its own ending does ("… syndrome", "-itis", "… inhibitors").
"""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from retrievers.expression_types import (
    AllergyTo,
    HasDiagnosis,
)
from retrievers.normalise import normalise
from retrievers.vocabulary import known

EXCLUSIVE: tuple[frozenset[str], ...] = (
    frozenset({"mild", "moderate", "severe"}),
    frozenset({"acute", "chronic"}),
    frozenset({"controlled", "uncontrolled"}),
    frozenset({"active", "inactive"}),
    frozenset({"treated", "untreated"}),
    frozenset({"corrected", "uncorrected"}),
    frozenset({"stable", "unstable"}),
    frozenset({"symptomatic", "asymptomatic"}),
    frozenset({"compensated", "decompensated"}),
    frozenset({"congenital", "acquired"}),
)
"""Qualifiers of which one excludes the others."""
_WELL = ("well", "adequately", "fully", "completely", "optimally")
_BADLY = (
    *(f"{no} {how}" for no in ("not", "less than") for how in _WELL),
    *("poorly", "badly", "inadequately", "insufficiently", "suboptimally", "sub-optimally"),
    *("incompletely", "not"),
)
"""How a disease is controlled that is uncontrolled."""
QUALIFIERS: Mapping[str, str] = MappingProxyType(
    {word: word for group in EXCLUSIVE for word in group}
    | {
        "advanced": "advanced", "recurrent": "recurrent", "persistent": "persistent",
        "refractory": "refractory", "progressive": "progressive", "metastatic": "metastatic",
        "serious": "severe", "severely": "severe", "worsening": "worsening",
        "new-onset": "new-onset", "new onset": "new-onset", "newly diagnosed": "newly diagnosed",
        "uncomplicated": "uncomplicated", "permanent": "permanent", "paroxysmal": "paroxysmal",
        "complete": "complete", "partial": "partial", "bilateral": "bilateral",
        "unilateral": "unilateral", "significant": "significant",
    }
    | {
        f"{how}{dash}controlled": "uncontrolled" if how in _BADLY else "controlled"
        for how in (*_BADLY, *_WELL)
        for dash in (" ", "-")
    }
)  # fmt: skip
"""Words that narrow a diagnosis, and the qualifier each stands for."""
_QUALIFIER = "|".join(sorted(map(re.escape, QUALIFIERS), key=len, reverse=True))
FILLER = re.compile(
    r"^(?:(?:clinical or laboratory evidence of|clinical evidence of|laboratory evidence of|"
    r"clinically diagnosed|diagnosed with|an?|the|any|some|other|another|certain|with|"
    r"have|has|having|known|confirmed|documented|"
    r"established(?! cardiovascular disease)|ongoing|pre-?existing|underlying|"
    r"concomitant|concurrent|coexisting|co-existing|comorbid|"
    r"current|currently|existing|clinical|diagnosed|presence of|diagnosis of|"
    r"evidence of|patients?|suffering from|affected by|during an episode of|during episodes of|"
    r"during an?|during|in the presence of|in the setting of|episodes? of|state of|"
    r"condition of|cases? of|those|people|individuals|subjects|prescription|systemic use of)\s+)+"
)
TRAILING = re.compile(
    r"(?:\s+(?:patients?|individuals?|people|persons?|subjects?|present|therapy|treatment|"
    r"of any cause|of any kind|of any severity|at baseline))+$"
)
DISEASE_ENDING = re.compile(
    r"(?:itis|osis|emia|aemia|uria|pathy|algia|plegia|penia|philia|trophy|sclerosis|ectasia|stasis|"
    r"stenosis|oma|kinesia|phasia|rrhea|rrhagia|cytosis|megaly|thermia|tension|kalaemia)$"
    r"|\b(?:syndrome|disease|disorder|cancer|carcinoma|tumou?r|neoplasm|failure|deficiency|"
    r"infection|ulcer|bleeding|h(?:a)?emorrhage|palsy|fracture|block|dystrophy|impairment|"
    r"insufficiency|dysfunction|attack|seizure|obstruction|stone|depression|injury|effusion|"
    r"embolism|abscess|edema|oedema|withdrawal|arrest|perforation|rupture|dissection|aneurysm|"
    r"malformation|dependence|migraine|reaction|toxicity|intolerance|transplant|transplantation|"
    r"impaction|trauma|sepsis|shock|coma|psychosis|pneumonia|malignancy|lymphoma|metastasis)$"
)
"""Endings of names of diseases and findings, on the written form (singular)."""
VAGUE = re.compile(
    r"\b(?:to|not|no|never|without|absence|lack|need\w*|requir\w*|plan\w*|who|which|that|caus\w*|due|from|after|before|while|"
    r"since|until|unless|despite|via|could|may|might|should|cannot|risk|history|family|response|"
    r"than|longer|during|when|if|because|including|such|e\.g|i\.e|predispos\w*)\b"
)
"""Words that a name does not hold: the phrase says more than a name."""
_DRUG_VERB = (
    r"(?:(?:currently|concurrently|concomitantly|chronically|already|simultaneously|regularly)\s+)?"
    r"(?:taking|receiving|using|on|treated with|being treated with|prescribed|maintained on|given|"
    r"under treatment with|undergoing treatment with|in treatment with|who takes?|who uses?|"
    r"takes|uses|receives|exposed to|started on|co-?administered with|coadministered)"
    r"(?:\s+(?:chronic|long-term|concomitant|concurrent|systemic|oral|daily|therapeutic|"
    r"treatment with|therapy with))*"
)
_DRUG_NOUN = (
    r"(?:(?:recent|prior|previous|past|current|concomitant|concurrent|chronic|long-term|"
    r"simultaneous|systemic|regular|daily)\s+)*(?:co-?administration|administration|use|usage|"
    r"treatment|therapy|exposure|coadministration|intake|co-treatment|combination)\s+(?:of|with|to)"
    r"(?:\s+(?:concomitant|concurrent|systemic|oral))*"
)
DRUG_FRAME = re.compile(rf"(?P<verb>{_DRUG_VERB}|{_DRUG_NOUN})\s+(?P<name>.+)")
DRUG_SUFFIX = re.compile(
    r"(?P<when>(?:recent|prior|previous|past|current|concomitant|concurrent|chronic|long-term)\s+)?"
    r"(?P<name>.+?)\s+(?:use|usage|users?|therapy|treatment|exposure|co-?administration|intake)"
)
TREATED_FRAME = re.compile(
    r"(?:been )?(?P<when>already|previously|ever)(?: been)? (?:administered|given|treated with|"
    r"received|taken|used|prescribed|exposed to|started on) (?P<name>.+)"
)
"""`already administered …` is taken now, `previously treated with …` was."""
ALLERGY_FRAME = re.compile(
    r"(?:an? )?(?:known |documented |prior |previous |severe |serious |history of |a history of )*"
    r"(?:(?:allerg(?:y|ic|ies)|hypersensitiv(?:ity|e)|anaphyla(?:xis|ctic)|intoleran(?:t|ce)|"
    r"anaphylactoid)(?: reactions?)?(?: or (?:hypersensitivity|anaphylaxis|allergy|anaphylactic "
    r"reactions?))?) (?:to|with|from) (?P<name>.+)"
)
ALLERGY_SUFFIX = re.compile(
    r"(?:known |documented |history of )*(?P<name>[\w /-]+?)[ -](?:allerg(?:y|ic)|hypersensitivity)"
)
HISTORY_FRAME = re.compile(
    r"(?:an? |any |known |recent )?(?:(?:personal |past |prior |previous |medical |"
    r"clinical )*history of"
    r"|prior|previous|previously had|past)\s+(?P<name>.+)"
)
FAMILY_FRAME = re.compile(r"(?:an? |any |known |positive )*family history of\s+(?P<name>.+)")


def diagnosis_name(text: str, *, sure: bool) -> HasDiagnosis | None:
    """Read a name of a diagnosis with its qualifiers.

    Args:
        text: lower case, tidy.
        sure: the words around it say that it is a diagnosis; else table or ending must.

    >>> diagnosis_name("severe heart failure", sure=False)
    HasDiagnosis(name='heart failure', qualifiers=('severe',), timing='now', within_days=None)
    >>> diagnosis_name("poor adherence", sure=False) is None
    True
    """
    name = TRAILING.sub("", FILLER.sub("", text.strip(" ,.")))
    qualifiers: list[str] = []
    while known(name, "diagnosis") is None:
        found = re.match(rf"({_QUALIFIER})(?:\s+(?:or|to|and|-)\s+)?,?\s+", name)
        if found is None:
            break
        if re.search(r"\s(?:or|to|and)\s+$", found.group()):
            return None
        qualifiers.append(QUALIFIERS[found.group(1)])
        name = FILLER.sub("", name[found.end() :])
    if not name or len(name.split()) > 7 or VAGUE.search(name) and not _named(name):
        return None
    if not (sure or _named(name) or DISEASE_ENDING.search(normalise(name))):
        return None
    return HasDiagnosis(name=name, qualifiers=tuple(qualifiers))


def drug_name(text: str, *, sure: bool) -> str | None:
    """Read a name of a drug or of a drug class.

    >>> drug_name("nsaids", sure=False), drug_name("any beta blockers", sure=False)
    ('nsaids', 'beta blockers')
    >>> drug_name("walking", sure=False) is None
    True
    """
    name = FILLER.sub("", text.strip(" ,."))
    plain = re.sub(r"\s+(?:drugs?|agents?|medications?|products?)$", "", name)
    for form in (name, TRAILING.sub("", name), plain):
        if known(form, "medication"):
            return form
    name = TRAILING.sub("", name)
    if (
        not sure
        or not name
        or len(name.split()) > 4
        or VAGUE.search(name)
        or re.search(r"[<>≥≤=]", name)
    ):
        return None
    return name


def allergy_leaf(text: str) -> AllergyTo | None:
    """Read an allergy.

    >>> allergy_leaf("known hypersensitivity to sulfonamides"), allergy_leaf("penicillin allergy")
    (AllergyTo(name='sulfonamides'), AllergyTo(name='penicillin'))
    """
    found = ALLERGY_FRAME.fullmatch(text) or ALLERGY_SUFFIX.fullmatch(text)
    if found is None or re.search(r"\b(?:component|ingredient|excipient|this|the drug)", text):
        return None
    if re.search(r"\b(?:and|or)\b|,", found["name"]):
        return None
    name = drug_name(found["name"], sure=True)
    return None if name is None else AllergyTo(name=name)


@cache
def concept_rows() -> Mapping[str, tuple[str, str, str]]:
    """Return (name, met_if, not_if) of `data/concepts.csv` by written form of name and alias."""
    text = files("data").joinpath("concepts.csv").read_text(encoding="utf-8")
    rows: dict[str, tuple[str, str, str]] = {}
    for row in csv.DictReader(text.splitlines()):
        for name in (row["name"], *filter(None, row["aliases"].split("|"))):
            rows[normalise(name)] = (row["name"], row["met_if"], row["not_if"])
    return MappingProxyType(rows)


def _named(name: str) -> bool:
    return known(name, "diagnosis") is not None or normalise(name) in concept_rows()
