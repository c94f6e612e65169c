"""What a text says of a person: a state, a note of one ("Mother: gout") or an age.

As patterns; `patient_others` finds the person before them.
"""

from __future__ import annotations

_NO_STATE = (
    r"(?:noticed|noted|report|brought|given|giving|gave|found|seen|observed|called|told|said|"
    r"stat(?:ed|ing)|tried|to\b|concern|question|worri|present\b|afraid|at\b|in\b|here\b|able|unable|"
    r"un(?:sure|aware|willing)|sure|ask|help|caring|using|treat|try|refus|declin|request|want|"
    r"hesitant|reluctant|anxious|upset|aware|certain|hoping|consider|wondering|going|adamant|"
    r"plan|think|interested|increas|his\b|her\b|him\b|with\s+(?:him|her)|by\b|the\b|reporting|very\b)"
)
STATE = (
    r"(?:(?:(?:recently|also|currently|now|both|never)\s+)?"
    r"(?:(?:has|had|have|is|was|are|were)\b(?!\s+(?:(?:also|been|not|recently|just|since|always|never)\s+)*"
    rf"{_NO_STATE})|takes?|took|us(?:es|ed)|suffers?|suffered|died|smokes?|smoked|drinks|weighs|"
    r"receives?|received|developed|underwent|start(?:s|ed)|breast-?feeds|"
    r"(?:does not|doesn't|did not) (?:have|take|smoke|drink|use|receive|breast-?feed)|"
    r"with(?!\s+(?:him|her|them)\b))\b)"
)
WHAT = (
    r"(?:(?:an?\s+)?\d+(?:\s*,|[- ]?(?:years?\b|y/?o\b))|an?\s+(?:[\w-]+\s+){0,4}?"
    r"(?:m[ae]n|wom[ae]n|male|female|smoker|carrier|nurse|teacher)\b)"
)
NOTED = (
    r"(?:\s+on\b(?!\s+(?:the|arrival|presentation|admission|exam\w*|his|her|phone|call)\b)"
    r"|\s*:(?!\s*(?:[\"']|(?:I|my|our|we)\b))|\s+-\s|\s*\((?=[^()]*\)))"
)
"""`Mother on insulin`, `Mother: gout`, `Mother (gout)`; not `Mother: "My son is ill"`."""
