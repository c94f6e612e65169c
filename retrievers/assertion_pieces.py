"""Where a cue stops at a comma: the next piece has a beginning or a tail of its own.

"Denies chest pain, cough or asthma" is one list. "Denies chest pain, known asthma" and "denies
chest pain, asthma since childhood" are not: what is known, or has lasted, is what the patient has.
"""

from __future__ import annotations

import re

_HEAD = re.compile(
    r"(?:,\s*(?:(?:and|also)\s+)?|\band\s+(?=known|previously|long-?\s?standing|diagnosed|lifelong))"
    r"(?=(?:(?:an?|the|is)\s+)?(?:(?:well[- ])?known\b|previously\b|long-?\s?standing|lifelong|"
    r"life-long|pre-?existing|underlying|background|(?:newly |recently )?diagnosed\b|PMHx?\b|"
    r"status[- ]post|s/p\b|positive (?:for|history)|suffer(?:s|ing)\b|living with|lives with|"
    r"treated for|followed for|endorses|admits|acknowledges|established|documented|confirmed|"
    r"only\b|with\b|yes\b|\d+[- ](?:year|month|week|day)s?[- ](?:old|history|of)\b))",
    re.IGNORECASE,
)
_WEAK_HEAD = re.compile(
    r",\s*(?:and\s+)?(?=(?:an?\s+|the\s+)?(?:(?:past|prior|previous|personal|remote|medical)\s+)*"
    r"(?:history (?:of|includes?)|hx of|h/o|prior|previous)\b)",
    re.IGNORECASE,
)
"""A list of denials may hold "history of" too, and then goes on with "or"."""
_LIST_GOES_ON = re.compile(r"^[^.;]{0,60}?\b(?:or|nor)\b", re.IGNORECASE)
_PERSON = re.compile(
    r",\s*[^,;]{0,40}?\b(?:boy|girl|m[ae]n|wom[ae]n|male|female|patient|child|infant|lady|gentleman|"
    r"smoker|adult|newborn|teenager)\s+(?:with|who|on|taking|treated for)\b",
    re.IGNORECASE,
)
TAIL = (
    r"(?:since\b|diagnosed\b|dx\b|from (?:childhood|birth)|(?:well|poorly|partly|"
    r"badly)[- ]?controlled|"
    r"under (?:good )?control|(?:controlled|managed|treated) (?:by|with|on)|on (?:inhal|treatment|"
    r"medication|therapy)|for (?:(?:many|several|\w+) )?(?:years|decades)\b|as a child|in"
    r" childhood|"
    r"in (?:19|20)\d\d|at (?:the )?age|stable\b|(?:\w+ )(?:year|decade|month|week|day)s? ago|"
    r"all (?:his|her) life|lifelong)"
)
_TAIL_INSIDE = re.compile(rf",\s*[^,;]{{1,40}}?\s{TAIL}[^,;]*,", re.IGNORECASE)
_TREATED = re.compile(
    r",\s*[^,;]{1,40}?\s(?:controlled|managed|treated|maintained|stable) (?:by|with|on)\s+"
    r"(?:[\w-]+\s+)*$",
    re.IGNORECASE,
)
"""`no smoking, asthma treated with salbutamol`."""
_TAIL = re.compile(
    rf"^(?:\s*\([^()]*\))?(?:,?\s+{TAIL}|\s*(?:\(\+\)|:\s*(?:yes|positive|present|\+)))",
    re.IGNORECASE,
)
_WEAK_TAIL = re.compile(r"^\s+for (?:the (?:past|last) )?(?:\w+ )?(?:day|week|month)s?\b", re.I)
_LAST = re.compile(
    r",\s*(?!(?:or|nor|and)\b)(?=(?:(?!(?:or|nor|and)\b)[\w-]+\s+){0,4}$)", re.IGNORECASE
)
_NO_DISEASE = re.compile(
    r"\b(?:allerg(?:y|ies)|distress|complaints?|medications?|surger(?:y|ies)|comorbidit(?:y|ies)|"
    r"(?:medical|health) problems)\s*,\s*$",
    re.IGNORECASE,
)
"""After "no allergies," a disease may be the next thing that is denied, or what there is."""
_ADJECTIVE = (
    r"(?:asthmatic|diabetic|hypertensive|epileptic|hypothyroid|hyperthyroid|obese|overweight|"
    r"immunocompromised|immunosuppressed|schizophrenic|alcoholic|an[a]?emic|h[a]?emophiliac|bipolar|"
    r"osteoporotic|cirrhotic|neutropenic|psychotic|depressed|pregnant|[\w:*-]+[- ](?:deficient|"
    r"positive))"
)
_SAID_OF_PERSON = re.compile(rf"(?:an?\s+)?{_ADJECTIVE}", re.IGNORECASE)
_ADJECTIVE_BEFORE = re.compile(rf"\b{_ADJECTIVE}\s*,\s*$", re.IGNORECASE)
_HIS_OWN = re.compile(
    r"(?<!\bevidence )(?<!\bfree )(?<!\bresolution )(?<!\bcure )(?<!\bcured )(?<!\babsence )"
    r"\b(?:from|of|with|by|for|to|in|about|due to)\s+(?:his|her|their)\s+(?:[\w-]+\s+){0,2}$",
    re.IGNORECASE,
)
_NOT_ITSELF = re.compile(
    r"^\s+(?:attacks?|exacerbations?|flares?(?:-?\s?ups?)?|episodes?|symptoms?|cris[ei]s|relapses?|"
    r"complications?|admissions?|hospitali[sz]ations?|medications?|medicines?|drugs?|treatments?|"
    r"therapy|inhalers?)\b",
    re.IGNORECASE,
)
"""`no recent asthma attacks` denies attacks."""
_OF_ITS_ATTACKS = re.compile(
    r"\b(?:attacks?|exacerbations?|flares?(?:-?\s?ups?)?|worsening|complications?|hospitali[sz]ations?|"
    r"admissions?|change|progression)\s+(?:of|from|in|for)\s+(?:the\s+)?(?:[\w-]+\s+)?$",
    re.IGNORECASE,
)
"""`no flare of gout`."""
_AGAIN = re.compile(
    r"\b(?:no|not|without|den\w+)\b[^,;]*\b(?:recent|further|new|more|current|additional|other|"
    r"subsequent|his|her|their)\s+(?:[\w-]+\s+){0,3}$",
    re.IGNORECASE,
)


def own_piece(clause: str, name: str, after: str) -> str:
    """Cut the words before a name where the piece after a comma stands on its own.

    >>> own_piece("denies chest pain, known ", "asthma", ".")
    'known '
    >>> own_piece("denies chest pain, ", "asthma", " since childhood")
    ''
    >>> own_piece("denies chest pain, ", "asthma", " or gout")
    'denies chest pain, '
    """
    ends = [found.end() for found in _HEAD.finditer(clause)]
    ends += [found.end() for found in _PERSON.finditer(clause)]
    ends += [found.end() for found in _TAIL_INSIDE.finditer(clause)]
    ends += [found.end() for found in _TREATED.finditer(clause)]
    for found in _WEAK_HEAD.finditer(clause):
        if not _LIST_GOES_ON.match(clause[found.end() :] + name + after):
            ends.append(found.end())
    last = _LAST.search(clause)
    if last is not None:
        said = _SAID_OF_PERSON.fullmatch(name.strip())
        if _TAIL.match(after) or (said and not _ADJECTIVE_BEFORE.search(clause)):
            ends.append(last.end())
    return clause[max(ends, default=0) :]


def negates_other(clause: str, after: str) -> bool:
    """Say whether a negation is of attacks, of symptoms or of treatment, not of the disease.

    >>> negates_other("no recent ", " attacks"), negates_other("no symptoms from his ", "")
    (True, True)
    >>> negates_other("no ", "")
    False
    """
    return bool(
        _HIS_OWN.search(clause) or _NOT_ITSELF.match(after) or _OF_ITS_ATTACKS.search(clause)
    )


def has_it_still(clause: str) -> bool:
    """Say whether a negation such as "no recent" or "from his" takes the disease for granted.

    >>> has_it_still("no recent "), has_it_still("no ")
    (True, False)
    """
    return _HIS_OWN.search(clause) is not None or _AGAIN.search(clause) is not None


def weak_tail(clause: str, after: str) -> bool:
    """Say whether a list without "or" ends in "for 3 days", or began with no disease.

    >>> weak_tail("denies fever, ", " for 3 days"), weak_tail("denies fever or ", " for 3 days")
    (True, False)
    """
    if _NO_DISEASE.search(clause) and not _LIST_GOES_ON.match(after):
        return True
    return _LAST.search(clause) is not None and _WEAK_TAIL.match(after) is not None
