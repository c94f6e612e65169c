"""How a name is read after the words before it: as a drug, an allergy, a history, a relative's."""

from __future__ import annotations

import math
import re

from retrievers.expression_names import FILLER, diagnosis_name, drug_name
from retrievers.expression_types import AllergyTo, Expression, HasDiagnosis, TakesDrug
from retrievers.numbers import Interval
from retrievers.vocabulary import known

LONG_TERM = 90.0
"""Days from which use is long-term: three months (ACR 2022, glucocorticoids)."""


def bare_frame(text: str) -> Expression | None:
    """Read a name without words before it: a drug or a diagnosis that the tables know."""
    text = FILLER.sub("", text)
    if re.search(r"\b(?:and|or)\b|,", text) and diagnosis_known(text) is None:
        return None
    drug = drug_name(text, sure=False)
    if drug is not None:
        return TakesDrug(name=drug)
    return diagnosis_known(text) or (
        None if re.search(r"\b(?:with|without)\b", text) else diagnosis_name(text, sure=False)
    )


def diagnosis_known(text: str) -> HasDiagnosis | None:
    """Return the diagnosis when the whole text, coordinated or not, is a name of the tables."""
    found = diagnosis_name(text, sure=True)
    return found if found is not None and known(found.name, "diagnosis") else None


def drug_frame(text: str) -> Expression | None:
    """Read what is taken."""
    if re.search(r"\b(?:and|or)\b|,", text) and drug_name(text, sure=False) is None:
        return None
    name = drug_name(text, sure=True)
    if name is None or known(name, "medication"):
        return None if name is None else TakesDrug(name=name)
    return diagnosis_known(text) or TakesDrug(name=name)


def allergy_frame(text: str) -> Expression | None:
    """Read what somebody is allergic to."""
    if re.search(r"\b(?:and|or)\b|,", text) or re.search(r"component|ingredient|the drug", text):
        return None
    name = drug_name(text, sure=True)
    return None if name is None else AllergyTo(name=name)


def history_frame(text: str) -> Expression | None:
    """Read what was once taken or had."""
    if re.search(r"\b(?:and|or|with)\b|,", text) and diagnosis_known(text) is None:
        return None
    drug = drug_name(text, sure=False)
    if drug is not None:
        return TakesDrug(name=drug, timing="ever")
    named = diagnosis_name(text, sure=True)
    return None if named is None else named.model_copy(update={"timing": "ever"})


def family_frame(text: str) -> Expression | None:
    """Read what a relative has."""
    if re.search(r"\b(?:and|or|with)\b|,", text) and diagnosis_known(text) is None:
        return None
    named = diagnosis_name(text, sure=True)
    return None if named is None else named.model_copy(update={"timing": "family"})


def drug_use(found: re.Match[str]) -> Expression | None:
    """Read `NSAID use`; "recent use" says no time and is left to a model."""
    when = (found["when"] or "").strip()
    if when == "recent":
        return None
    ever = when in ("prior", "previous", "past")
    name = drug_name(found["name"], sure=False)
    if name is not None and is_long(when):
        return long_term(TakesDrug(name=name))
    return None if name is None else TakesDrug(name=name, timing="ever" if ever else "now")


def is_long(words: str) -> bool:
    """Say whether words speak of long-term use.

    >>> is_long("chronic use of"), is_long("taking")
    (True, False)
    """
    return re.search(r"\b(?:chronic|long-term)", words) is not None


def long_term(expression: Expression | None) -> Expression | None:
    """Ask for long use of a drug; how long it was taken must then be stated to decide it."""
    if not isinstance(expression, TakesDrug) or expression.for_days is not None:
        return expression
    return expression.model_copy(update={"for_days": Interval(LONG_TERM, math.inf)})
