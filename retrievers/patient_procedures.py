"""Procedures and devices: what is planned is not there yet, and what was taken out is over."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from retrievers.normalise import normalise
from retrievers.patient_taken import ENDS
from retrievers.vocabulary import implied

_ROOTS = frozenset(
    normalise(name)
    for name in ("dialysis", "pacemaker", "organ transplant", "mechanical heart valve", "surgery")
)
"""Names of the table of conditions; what implies one of them is a procedure or a device too."""
_WORDS = re.compile(
    r"(?:dialysis|ha?emofiltration|pacemaker|defibrillator|transplant(?:ation)?|bypass(?: graft)?|"
    r"grafting|stent(?:ing)?|ectomy|plasty|ostomy|surgery|prosthe(?:sis|tic valve)|"
    r"valve replacement|amputation|ablation)s?$",
    re.IGNORECASE,
)
_BETWEEN = (
    r"(?:(?:for|to|an?|the|her|his|their|of|about|start(?:ing)?|begin(?:ning)?|undergo(?:ing)?|"
    r"have|having|get(?:ting)?|receiv(?:e|ing)|be|being|insertion|implantation|"
    r"(?:put|placed|go|going|start(?:ed|ing)?|be) on|"
    r"placement|initiation|living|donor|living-donor|second|repeat|new|first|permanent|temporary|"
    r"elective|urgent|emergency|dual-chamber|dual|chamber|single|cardiac|heart|kidney|renal|liver|"
    r"lung|mitral|aortic|dental|maintenance|chronic|long-term|outpatient|home|possible|further|"
    r"any|need)\s+){0,6}"
)
_PLANNED_WORD = (
    r"(?:plan(?:s|ned|ning)?|(?<!missed )(?<!missed his )(?<!missed her )scheduled|"
    r"await(?:s|ed|ing)?|waiting|wait-?list(?:ed)?|waiting list|transplant list|considers?|"
    r"considered|considering|consideration|candidate|eligible|listed|booked|due for|"
    r"(?:evaluat(?:ed|ing|ion)|assess(?:ed|ment)|work-?up|worked up|referred|referral|prepared|"
    r"preparing|preparation) for|refus(?:es|ed|ing)|declin(?:es|ed|ing)|reluctant|unwilling|"
    r"recommend(?:s|ed|ing)?|advised|offered|proposed|suggested|discuss(?:ed|ing)?|upcoming|"
    r"would like|wants?|needs?|requires? (?:an?|the)|to (?:start|begin|undergo)|"
    r"(?:will|may|might|could|would|should|about to|going to|likely to|soon)\s+(?:soon |likely |"
    r"eventually |probably )?(?:need|require|start|begin|undergo|receive|get|have))"
)
_PLANNED_BEFORE = re.compile(
    rf"\b{_PLANNED_WORD}\s+{_BETWEEN}(?:[\w-]+\s+(?:or|versus|vs\.?)\s+{_BETWEEN})?$",
    re.IGNORECASE,
)
_TO_ANOTHER = (
    r"(?!\s+(?:for|to)\s+(?!(?:start|begin|next|this|the|today|tomorrow|later|after|\d|mon|tue|wed|"
    r"thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)))"
)
"""`a man on dialysis is scheduled for surgery` plans the surgery."""
_PLANNED_AFTER = re.compile(
    r"^(?:-dependent)?(?:\s+(?:placement|implantation|insertion|surgery|treatment|therapy|initiation|"
    r"replacement|procedure))?(?:"
    r"(?:\s*[(:-])?(?:\s*\b(?:is|was|are|were|being|has|had|been|now|currently|still|to|be|not|yet|"
    r"will|may|might|could|should|soon))*\s*(?:\b(?:planned|scheduled|considered|discussed|"
    r"recommended|proposed|offered|advised|suggested|pending|awaited|declined|refused|deferred|"
    r"cancell?ed|postponed|needed|indicated|anticipated|arranged|booked|started soon)\b"
    rf"{_TO_ANOTHER}"
    r"|\bto (?:be )?(?:start|begin|follow))"
    r"|\s+(?:will|may|might|could|should|is to)\s+(?:soon |likely )?(?:be|start|begin|follow)\b"
    r"|\s+(?:candidate|evaluation|assessment|work-?up|referral|consideration|waiting list|"
    r"wait-?list|list|planning|eligibility|access|fistula|education|counsell?ing)\b)",
    re.IGNORECASE,
)
_OVER_BEFORE = re.compile(
    r"\b(?:(?:was|were|used to be)\s+(?:\w+ly\s+)?(?:on\s+)?|"
    r"(?:stopped|discontinued|ceased|off|no longer|removal|removed|explantation|explanted)\s+"
    r"(?:(?:of|on|the|her|his|their|an?|needs?|needing|requir(?:es|ing)|receiv(?:es|ing)|has|with|"
    r"having|permanent|maintenance|chronic|dual-chamber)\s+){0,4})$",
    re.IGNORECASE,
)
_OVER_AFTER = re.compile(
    r"^(?:\s*[(:-])?(?:\s*\b(?:was|were|has|had|been|is|are|now|then|later|since|subsequently|"
    r"recently))*\s*\b(?:stopped|discontinued|removed|explanted|withdrawn|ceased|"
    rf"no longer (?:needed|required|necessary)){ENDS}",
    re.IGNORECASE,
)
_ONCE = re.compile(
    r"\b(?:past|prior|previous|previously|former|formerly|temporary|temporarily|transient|brief|"
    r"history of|h/o|hx of)\s+(?:(?:on|required|requiring|received|acute|intermittent)\s+){0,2}$",
    re.IGNORECASE,
)
"""Before dialysis; a pacemaker or a bypass of the past is still there."""


def procedure_state(name: str, before: str, after: str) -> Literal["planned", "past"] | None:
    """Say that a procedure or a device is only planned, or over; `None` where neither is said.

    >>> procedure_state("dialysis", "Considering ", "."), procedure_state("CABG", "", " planned")
    ('planned', 'planned')
    >>> procedure_state("pacemaker", "", " removed"), procedure_state("pacemaker", "s/p ", "")
    ('past', None)
    >>> procedure_state("asthma", "", " is planned for") is None
    True
    """
    if not _is_procedure(name):
        return None
    if name.casefold().startswith("on "):
        before += name[:3]
    if _OVER_BEFORE.search(before) or _OVER_AFTER.match(after):
        return "past"
    if _PLANNED_BEFORE.search(before) or _PLANNED_AFTER.match(after):
        return "planned"
    return "past" if "dialysis" in name.casefold() and _ONCE.search(before) else None


@lru_cache(maxsize=4_096)
def _is_procedure(name: str) -> bool:
    return _WORDS.search(name) is not None or not _ROOTS.isdisjoint(implied(name, "diagnosis"))
