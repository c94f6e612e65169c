"""Leaves of a constraint about habits: smoking, alcohol and other drugs."""

from __future__ import annotations

import re

from retrievers.expression_types import (
    HasHabit,
    Timing,
)

_FOLLOW_UP = (
    r"(?:the )?(?:clinical |study |scheduled |regular |long-term )*(?:follow-?\s?ups?|f/u)"
    r"(?: visits?| evaluations?| assessments?)?"
    r"(?: (?:for|until|through(?:out)?|during) (?:the )?(?:[\w-]+ ){0,5}(?:study|trial|protocol))?"
)
HABITS: tuple[tuple[str, str, Timing], ...] = (
    (r"(?:current |active |cigarette |tobacco |heavy )*(?:smokers?|smoking|tobacco use|"
    r"tobacco users?|"
     r"smokes?(?: cigarettes)?|cigarette smoking|cigarette use|nicotine use)(?: history)?",
     "smoking", "now"),
    (r"(?:former|ex-?|past|previous|prior)[ -]?(?:smokers?|smoking|tobacco use)"
     r"|(?:history of|current or former|current or past|ever) (?:smoking|smokers?|tobacco use)",
     "smoking", "ever"),
    (r"(?:drinks|drinking|consumes|consuming|uses|using) alcohol|alcohol (?:use|consumption|intake)"
     r"|(?:current |regular )*(?:alcohol (?:drinkers?|users?)|drinkers?)", "alcohol use", "now"),
    (r"(?:(?:drinks|drinking|consumes|uses) )?(?:alcohol )?(?:heavy|excessive|excess|"
    r"chronic|heavily|"
     r"binge|chronic heavy)+(?: (?:alcohol(?:ic)?|drinking|drinkers?|use|consumption|intake|"
     r"beverage))*(?: use| consumption| intake| drinkers?)?|drinks (?:alcohol "
     r")?(?:heavily|to excess)"
     r"|drinks alcohol to excess, regularly or in binges|binge drinking|heavy drinkers?"
     r"|excessive alcohol (?:use|intake|consumption)|alcohol(?:ic)? excess",
     "heavy alcohol use", "now"),
    (r"(?:illicit|recreational|injection|intravenous)[ -]drug (?:use|users?|abuse)",
     "recreational drugs", "now"),
    (r"(?:(?:able|willing|ability|capable|agrees?|signed|written|voluntary|informed|oral|"
     r"provision of|provided?|providing|gives?|full|and|to|or|of|has|must|be|the|a|an|his/her|"
     r"their|patient|who|for|parental|parents?|legal|guardian's|participation|in|this|"
     r"study|obtained|understand|comprehend|given|signs?|willingness|is|adequate|sufficient|"
     r"intact|(?:decisional|decision-making|mental) capacity|competent|capacity|legally|"
     r"authori[sz]ed|representative|subject|participant)[ ,]+)*"
     r"(?:informed )?consents?(?:\s*/\s*assent| (?:and|or) assent)?"
     r"(?:(?: for participation| form| is required| obtained| given|"
     r" provided| to participate| in (?:this|the) (?:study|trial)| prior to [\w ]+| by [\w -]+))*",
     "informed consent", "now"),
    (r"(?:(?:able|willing|ability|likely|willingness|and|to|compliant|patients?|subjects?)[ ,]+)*"
     r"(?:(?:comply|compliance|compliant) with (?:all |the )*(?:study |trial |protocol )*"
     r"(?:procedures?|protocol|requirements?|visits?)|attend all (?:study |scheduled )*visits"
     r"|participate in follow-?up visits)(?: and (?:to )?(?:comply with|attend) all [\w ]+)?"
     rf"|(?:available|availability|able to return|willing to return) for {_FOLLOW_UP}",
     "compliance", "now"),
)  # fmt: skip
"""Patterns of the whole phrase, the name of the habit, and when it holds."""

_SUBJECT = r"(?:patient|subject|participant|individual)s?"
NO_CONSENT = re.compile(
    rf"(?:(?:the )?{_SUBJECT} )?(?:(?:refus\w+|declin\w+|missing|no|none|lack of|"
    r"absence of|withdrawal of|withdrawn)\s+"
    r"(?:or none |to (?:sign|give|provide) |of )*(?:the |an? )?(?:written )?(?:informed )?"
    r"consent(?: form)?"
    r"|(?:inability|unable|unwilling|not able) to (?:provide|give|sign) (?:the )?(?:written,? )?"
    r"(?:informed )?consent(?: form)?|consent refus\w+"
    rf"|(?:refus\w+|declin\w+|unwilling(?:ness)?|not willing)(?: (?:of|by) (?:the )?{_SUBJECT})?"
    r" (?:to|of) (?:get |be |being )?(?:participat\w+|enrol\w*|take part|includ\w+)"
    r"(?: (?:in|into) (?:the|this|a) (?:clinical )?(?:study|trial))?)"
)
"""Phrases for a consent that is not given."""
_BY_WHOM = (
    r"(?:as judged by|in the opinion of|according to|in|as assessed by) (?:the )?(?:study )?"
    r"(?:investigator|physician)s?(?:'s? (?:opinion|judge?ment|view))?"
)
NO_COMPLIANCE = re.compile(
    rf"(?:(?:unable|inability|unwilling(?:ness)?|not able|not willing|unlikely)(?:, {_BY_WHOM},)? "
    r"to (?:comply with|adhere to|follow) "
    r"|(?:(?:foreseeable|anticipated|expected|likely) )?(?:non-?\s?compliance|non-?\s?adherence|"
    r"poor compliance|lack of compliance) (?:with|to) )"
    r"(?:all |the |this )*(?:(?:study|trial|protocol) ?)+"
    rf"(?:procedures?|requirements?|visits?|schedule)?(?:,? {_BY_WHOM})?"
)
"""Phrases for a patient who will not keep to the protocol."""


def habit_leaf(text: str) -> HasHabit | None:
    """Read a habit, or a consent to take part.

    >>> habit_leaf("current smoker"), habit_leaf("former smoker").timing
    (HasHabit(name='smoking', timing='now'), 'ever')
    """
    for words, name, timing in HABITS:
        if re.fullmatch(words, text):
            return HasHabit(name=name, timing=timing)
    return None
