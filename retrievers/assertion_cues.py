"""The words that say how a text asserts a mention, as patterns; `assertion` decides with them."""

from __future__ import annotations

import re

from retrievers.patient_parents import OF_CHILDREN


def _pattern(*parts: str) -> re.Pattern[str]:
    return re.compile("|".join(parts), re.IGNORECASE)


RELATIVE = (
    r"(?:father|mother|brother|sister|parent|sibling|grandfather|grandmother|grandparent|uncle|aunt|"
    r"cousin|son|daughter|family)"
)

ABSENT_BEFORE = _pattern(
    r"\b(?:den(?:y|ies|ied|ying)|no|not|without|negative for|never|neither|nor|absent|"
    r"absence of|free of|free from|lack of|lacks|rul(?:es|ed|ing) out|exclud(?:e|ed|es|ing)|"
    r"unlikely|resolution of|cannot|isn[\u2019']t|wasn[\u2019']t|doesn[\u2019']t|didn[\u2019']t|"
    r"hasn[\u2019']t|hadn[\u2019']t|haven[\u2019']t)\b",
    r"\bnegative\s*:|\bnon-?\s?$",
)
NOT_A_NEGATION = _pattern(
    r"\b(?:not only|not necessarily|no (?:change|increase|decrease|improvement|relief|response)",
    r"not (?:(?:to )?improved?|respond(?:ing|ed)?|controlled|relieved|tolerated?)|no longer",
    r"not (?:certain|sure|known to be|possible to (?:exclude|rule out))|cannot tolerate",
    r"without (?:difficulty|relief|improvement|interruption)",
    r"(?:cannot|can not|could not|not) (?:yet )?(?:be |been )?(?:ruled out|excluded)",
    r"not (?:a |an |the )?(?:usual |common |known |typical )?"
    r"(?:side effect|adverse effect|feature|cause|target|indication)s? of",
    r"not (?:cause|treat|target|inhibit|activate|increase|decrease|raise|lower|reduce|worsen|"
    r"affect|explain|interact|prevent|bind)"
    r"|not (?:associated|indicated|recommended|used)\b[^.;,]*)\b",
)  # fmt: skip
"""A negation of something else: of an improvement, or of a drug's effect in a question."""
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
    r"\bfamily (?:history|hx)\b",
    rf"(?<!by his )(?<!by her )(?<!by their )(?<!by the )"
    rf"(?:(?<=\bhis )|(?<=\bher )|(?<=\btheir )|(?!{RELATIVE}{OF_CHILDREN}))"
    rf"\b{RELATIVE}s?(?:'s)?\b"
    rf"(?:(?!\b{REPORTS}\b)[^.;]){{0,60}}?"
    r"\b(?:ha[sd]|have|with|died|dies|diagnosed|suffer\w*|history|develop\w*|underwent|does|did)\b",
    rf"\b{RELATIVE}s?[\u2019']s?\s|\b{RELATIVE} was diagnosed\b",
    r"\bruns in (?:the|his|her|their) family\b",
)
FAMILY_AFTER = re.compile(
    rf"^[^.;]{{0,30}}\bin (?:the|his|her|their|a|one)\s+(?:\w+\s+)?{RELATIVE}\b", re.IGNORECASE
)
BACK_TO_PATIENT = re.compile(r"\b(?:the patient|patient|she|he)\b", re.IGNORECASE)

ALLERGY = _pattern(
    r"\b(?:allerg(?:y|ic|ies)|anaphyla(?:xis|ctic reaction)|hypersensitivity|intoleran(?:t|ce))"
    r"\s+(?:to|reactions? to|with)\b|\ballerg(?:y|ies)\s*(?::|include)"
    r"|\ballerg(?:y|ies)[^.;:]{0,30}\b(?:except|other than|apart from|but|save)\b[^.;:]*$",
)
ALLERGY_AFTER = re.compile(
    r"^[\s-]*(?:allerg(?:y|ic)|hypersensitivity|anaphylaxis)\b", re.IGNORECASE
)

STOPPED = _pattern(
    r"\b(?:stop(?:s|ped)?|discontinu(?:e|es|ed|ing)|switched from|changed from"
    r"|no longer (?:takes?|taking|uses?|on|receives?)"
    r"|(?:taken|weaned|came|been) off|off of|quit|withdrew)\b",
)
STOPPED_AFTER = re.compile(
    r"^[^.;,]{0,25}\b(?:was|were|has been|had been|is)\s+(?:stopped|discontinued|withdrawn|held)\b"
    r"|^(?:(?:(?!\b(?:and|or)\b)[^.;,()]){0,25}|\s*\([^()]*\)),?\s+(?:which|that|but\s+(?:it|this))\s+"
    r"(?:(?:was|were|has|had|been|is|he|she|they|later|then|since|soon|subsequently|recently)\s+)+"
    r"(?:stopped|discontinued|withdrawn|held|quit)\b",
    re.IGNORECASE,
)

PAST = _pattern(
    r"\b(?:previous|previously|prior(?! to\b)|former|formerly|remote|resolved|status[- ]post|s/p|"
    r"past episodes? of|used to (?:have|take)|in childhood|"
    r"(?:in |now in )(?:\w+ )?remission (?:from|of)|history of (?:a )?treated|"
    r"recovered from|cured of|successfully treated for)\b",
)
PAST_AFTER = re.compile(
    r"^[^.;]{0,30}?\b(?:(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|several|many|a few)"
    r"\s+(?:day|week|month|year|decade)s?\s+(?:ago|earlier|before)|as a (?:child|teenager|boy|girl)"
    r"|in childhood|(?<!the )last year|(?:that|which) (?:has )?resolved|resolved)\b"
    r"|^(?:,|\s+(?:is|was|are|now|currently|has been|which|that))*\s*(?:now |currently )?"
    r"(?:in (?:\w+ )?remission|cured)\b",
    re.IGNORECASE,
)
ONSET = _pattern(
    r"\b(?:diagnosed|began|begun|started|since|onset|first noticed|developed)\b"
)  # fmt: skip
