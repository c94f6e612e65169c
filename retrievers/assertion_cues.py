"""The words that say how a text asserts a mention, as patterns; `assertion` decides with them."""

from __future__ import annotations

import re

from retrievers.kin import FAMILY_HISTORY, KIN, NEGATIVE
from retrievers.patient_parents import OF_CHILDREN


def _pattern(*parts: str) -> re.Pattern[str]:
    return re.compile("|".join(parts), re.IGNORECASE)


RELATIVE = rf"(?:{KIN}|family|relative)"

_WELL = (
    r"(?:adequately|well|fully|optimally|sufficiently|completely|entirely|properly|satisfactorily|"
    r"ideally|effectively|tightly|perfectly|consistently|reliably|quite)"
)
_GOES_ON = (
    r"(?:den(?:y|ies|ied|ying)|not|never|no|without|\w+n['\u2019]t)\s+(?:(?:any|ever|having|been|has|had|he|she|"
    r"that|recently|a)\s+)*(?:miss(?:ed|es|ing)?|skip(?:s|ped|ping)?|stopp(?:ed|ing)|discontinu(?:ed|ing)|"
    r"forg(?:ets|ot|etting)|omit(?:s|ted|ting)?)"
)
NOT_STOPPED = re.compile(rf"\b{_GOES_ON}\b", re.IGNORECASE)
"""`denies stopping warfarin`: it goes on."""
ABSENT_BEFORE = _pattern(
    r"\b(?:den(?:y|ies|ied|ying)|no|not|without|neg(?:ative)?\.? for|never|neither|nor|absent|"
    r"absence of|free of|free from|lack of|lacks|rul(?:es|ed|ing) out|exclud(?:e|ed|es|ing)|"
    r"unlikely|resolution of|cannot|isn[\u2019']t|wasn[\u2019']t|doesn[\u2019']t|didn[\u2019']t|"
    r"hasn[\u2019']t|hadn[\u2019']t|haven[\u2019']t)\b",
    r"\bnegative\s*:|(?<!\w)-ve for\b|\bnon-?\s?$",
)
NOT_A_NEGATION = _pattern(
    r"\b(?:not only|not necessarily|no (?:change|increase|decrease|improvement|relief|response)",
    r"not (?:(?:to )?improved?|respond(?:ing|ed)?|controlled|relieved|tolerated?)|no longer",
    rf"(?:not|isn['\u2019]t|wasn['\u2019]t) (?:(?:been|being|very|so)\s+)?{_WELL}\s+"
    r"(?:controlled|relieved|managed|treated|respond(?:ing|ed|s)?|responsive|suppressed|"
    r"maintained|tolerat(?:ed|ing)|improv(?:ed|ing))",
    _GOES_ON,
    r"not (?:certain|sure|known to be|possible to (?:exclude|rule out))|cannot tolerate",
    r"without (?:difficulty|relief|improvement|interruption)",
    r"(?:cannot|can not|could not|not) (?:yet )?(?:be |been )?(?:ruled out|excluded)",
    r"(?:cannot|can not|could not|did not|does not|do not|not (?:yet )?(?:possible|able) to|"
    r"unable to|"
    r"without) (?:\w+ly )?(?:rul(?:e|ing) out|exclud(?:e|ing))",
    r"(?:denied|excluded|absent|ruled out|unlikely|negative|no|none|never)(?=\s*,|\s+(?:and|"
    r"but)\b)",
    r"not (?:a |an |the )?(?:usual |common |known |typical )?"
    r"(?:side effect|adverse effect|feature|cause|target|indication)s? of",
    r"not (?:cause|treat|target|inhibit|activate|increase|decrease|raise|lower|reduce|worsen|"
    r"affect|explain|interact|prevent|bind)"
    r"|not (?:associated|indicated|recommended|used)\b[^.;,]*)\b",
)  # fmt: skip
"""A negation of something else: of an improvement, of a drug's effect in a question, or of the name
before it ("smoking denied, asthma")."""
ABSENT_AFTER = _pattern(
    r"\b(?:was|were|is|are|has been|have been|had been)\s+"
    r"(?:ruled out|excluded|absent|negative|denied|unlikely)\b",
    r"\b(?:was|were|is|are)\s+not\s+(?:present|seen|found|detected|needed|given|taken|prescribed|"
    r"started|suspected)\b",
    r"\bnot (?:present|seen|found|detected)\b|(?<!be )(?<!not been )(?<!not )\bruled out\b",
)

REPORTS = (
    r"(?:sa(?:ys|id)|states?|reports?|brings?|brought|notic\w+|notes?|tells?|told|is|was|"
    r"worr\w+|concern\w+|explains?|gave|gives?|she|he|they|patient|child|infant|baby)"
)
FAMILY = _pattern(
    FAMILY_HISTORY,
    rf"(?<!by his )(?<!by her )(?<!by their )(?<!by the )"
    rf"(?:(?<=\bhis )|(?<=\bher )|(?<=\btheir )|(?!{RELATIVE}{OF_CHILDREN}))"
    rf"\b{RELATIVE}s?(?:'s)?\b"
    rf"(?:(?!\b{REPORTS}\b)[^.;]){{0,60}}?"
    r"\b(?:ha[sd]|have|with|died|dies|diagnosed|suffer\w*|history|develop\w*|underwent|does|did)\b",
    rf"\b{RELATIVE}s?[\u2019']s?\s|\b{RELATIVE} was diagnosed\b",
    r"\bruns in (?:the|his|her|their) family\b",
)
NO_FAMILY = re.compile(
    rf"{FAMILY_HISTORY}:?\s+(?:(?:is|was)\s+)?(?:unremarkable|non-?contributory|unknown|"
    rf"denied|{NEGATIVE})(?! for)(?!\w)",
    re.IGNORECASE,
)
FAMILY_DENIED = re.compile(
    r"\b(?:no|without|denies|denied|negative)\s+(?:[\w-]+(?:\s*/\s*|\s+)){0,3}?" + FAMILY_HISTORY,
    re.IGNORECASE,
)
FAMILY_AFTER = re.compile(
    r"^(?:(?!\b(?:no|not|without|but|with|denies|has|had|is|was|takes|none)\b)[^.;,]){0,30}"
    r"\b(?:in|affecting)\s+(?:the|his|her|their|an?|one|two|both|several)\s+(?:[\w-]+\s+){0,3}?"
    rf"{RELATIVE}s?\b|^\s*\((?:(?:his|her|their|maternal|paternal|both|older|younger)\s+)*{RELATIVE}s?"
    rf"(?:\s*(?:,|and|&|/)\s*(?:maternal |paternal )?{RELATIVE}s?)*\s*(?:[),;]|at\b|aged?\b|\d)"
    r"|^\s+on (?:the|his|her) (?:mother's|father's|maternal|paternal) side\b",
    re.IGNORECASE,
)
BACK_TO_PATIENT = re.compile(
    r"\b(?:the patient|patient|she|he|PMHx?|PSHx?|(?:past |personal |own )(?:medical )?history|"
    r"social history|SHx?:|medications?:|meds:)(?:\b|(?<=:))",
    re.IGNORECASE,
)

ALLERGY = _pattern(
    r"\b(?:allerg(?:y|ic|ies)|anaphyla(?:xis|ctic reaction)|hypersensitivity|intoleran(?:t|ce))"
    r"\s+(?:to|reactions? to|with)\b|\ballerg(?:y|ies)\s*(?::|include)"
    r"|^\s*(?:drug |known |medication )?allerg(?:y|ies) - "
    r"|\ballerg(?:y|ies)[^.;:]{0,30}\b(?:except|other than|apart from|but|save)\b[^.;:]*$",
)
ALLERGY_AFTER = re.compile(
    r"^[\s-]*(?:allerg(?:y|ic)|hypersensitivity|anaphylaxis)\b", re.IGNORECASE
)

STOPPED = _pattern(
    r"\b(?:stop(?:s|ped)?|discontinu(?:e|es|ed|ing)|(?:switched|changed) (?:over )?from"
    r"|(?:switched|changed) (?:over )?to\b[^.;,]{1,40}\bfrom"
    r"|no longer (?:takes?|taking|uses?|on|receives?)"
    r"|(?:taken|weaned|came|been|is|was|now) off|off of|quit|withdrew)\b",
    r"\b(?:held|on hold)(?:\s+(?:medications?|medicines?|meds|drugs?))?\s*:",
    r"^\s*(?:now |currently )?off\s+(?:of\s+)?$",
    r"\b(?:held|d/c'?d)\s+(?:(?:his|her|their|the|home)\s+)?$",
)
STOPPED_AFTER = re.compile(
    r"^[^.;,]{0,25}\b(?:was|were|has been|had been|is)\s+(?:stopped|discontinued|withdrawn|held)\b"
    r"|^(?:(?:(?!\b(?:and|or)\b)[^.;,()]){0,25}|\s*\([^()]*\)),?\s+(?:which|that|but\s+(?:it|this))\s+"
    r"(?:(?:was|were|has|had|been|is|he|she|they|later|then|since|soon|subsequently|recently)\s+)+"
    r"(?:stopped|discontinued|withdrawn|held|quit)\b",
    re.IGNORECASE,
)

_NOW = (
    r"\b(?:taking|now|currently|on(?!\s+(?:\d|the\b|his\b|her\b|(?:mon|tues?|wednes|thurs?|fri|satur|sun)"
    r"(?:day)?\b|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*\b|POD\b))|"
    r"(?<!ed )(?<!therapy )(?<!treatment )(?<!chemo )(?<!course )(?<!courses )(?<!cycles )"
    r"(?<!induction )with)\b"
)
"""What ends the reach of "s/p": `s/p CABG on aspirin`, not `s/p abscess treated with rifampin`."""
PAST = _pattern(
    r"\b(?:previous|previously|prior(?! to\b)|former|formerly|remote|resolved|"
    r"past episodes? of|used to (?:have|take|get|suffer from)|outgr(?:ew|own)|"
    r"no longer (?:ha[sd]|have|suffers? from)|(?:has|have) no longer|in childhood|"
    r"(?:in |now in )(?:\w+ )?remission (?:from|of)|history of (?:a )?treated|"
    r"recovered from|cured of|successfully treated for)\b",
    rf"\b(?:status[- ]post|s/p)\b(?![^.;]*?{_NOW})",
)
PAST_AFTER = re.compile(
    r"^(?:(?!\b(?:had|has|with|but|and (?:an?|now|is|was|takes))\b)[^.;,]){0,30}?"
    r"(?:,\s*(?:(?:about|some|approximately|over|nearly|almost|now|since|which|that|has|have|was|"
    r"occurred|treated|completely|fully|but)\s+){0,3})?\b(?:(?:\d+|one|two|three|four|five|six|"
    r"seven|eight|nine|ten|several|many|a few)"
    r"\s+(?:day|week|month|year|decade)s?\s+(?:ago|earlier|before)|as a (?:child|teenager|boy|girl)"
    r"|in childhood|(?<!the )last year|(?:that|which) (?:has )?resolved|resolved"
    r"|(?:is |was )?no longer (?:present|active|a problem|an issue)"
    r"|in the past(?!\s+(?:\w+\s+)?(?:hour|day|week|month|year|few|several))"
    r"|(?:in|during|with|after|of) (?:(?:an?|her|the) )?(?:previous|prior|last|earlier|past) "
    r"pregnanc(?:y|ies))\b"
    r"|^(?:,|\s+(?:is|was|are|now|currently|has been|which|that))*\s*(?:now |currently )?"
    r"(?:in (?:\w+ )?remission|cured)\b",
    re.IGNORECASE,
)
ONSET = _pattern(
    r"\b(?:diagnosed|began|begun|started|since|onset|first noticed|developed)\b"
)  # fmt: skip
