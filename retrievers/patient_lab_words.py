"""The words around laboratory values: what joins analyte and number, and what makes it none."""

from __future__ import annotations

import re
from functools import cache

from retrievers.analytes import analyte_by_alias, analyte_table
from retrievers.expression_limits import TIMES, UPPER_LIMIT
from retrievers.numbers import COMPARATOR, COMPARATORS, NUMBER
from retrievers.unit_spellings import UNIT

_WORDS = (
    r"levels?|counts?|values?|concentrations?|scores?|readings?|measurements?|ratio|interval|"
    r"of|is|was|are|were|at|to be|be|to|now|today|yesterday|currently|measured|measures|recorded|"
    r"found|reads?|shows?|showed|reveals?|revealed|only|about|approximately|around|roughly|"
    r"up|down|has|have|had|been|dropped|dropping|fallen|falling|risen|rising|fell|rose|rises|"
    r"falls|increased|decreased|declined|elevated|reduced|low|high|"
    r"(?:on|at) (?:admission|arrival|presentation|discharge|follow-up)|on room air|at rest|"
    r"in the (?:office|clinic)|that day|this morning|a|an|the|stands|sits|hovers|hovering|"
    r"at that time|at the time|estimated|stable|unchanged|improved|went|jumped|climbed|came back|"
    r"comes back|came out|turned out|returned|results?|reported|reported back|documented|noted|"
    r"listed|given|calculated|being|as|remains?|remained|remaining|stays?|stayed|still|"
    r"persistently|consistently|(?:which|that)(?= (?:is|was|has)\b)|equals|registers|"
    r"(?:(?:by|per|using|with|from)\s+)?(?:the\s+)?(?:(?:2009|2012|2021)\s+)?"
    r"(?:CKD-EPI|MDRD|Cockcroft-Gault)(?:\s+(?:2009|2012|2021))?(?:\s+(?:equation|formula))?"
)
_MOVED = (
    r"(?:went|gone|climbed|jumped|rose|risen|increased|came|come|crept|shot|now|fell|fallen|"
    r"dropped)\s+(?:back\s+)?(?:up|down)\s+to(?![A-Za-z])"
)
"""`went up to 6.2` is a value; `up to 6.2` alone is a limit."""
_LIMIT_WORDS = "|".join(f"(?:{words})" for words, sign in COMPARATORS if sign != "=")
_JOIN = (
    rf"(?i:\s*(?:{_MOVED}|(?!\s*(?:{_LIMIT_WORDS})(?![A-Za-z]))(?:(?:{_WORDS})(?![A-Za-z])|"
    rf"approx\.|approx(?![A-Za-z])|=|:|~|≈|,|[(|]\s*(?-i:(?#unit){UNIT})\s*(?:\)|(?=\|))|"
    r"\||-(?=\s)|\((?:normal|ref|reference|N)[^)]*\)|"
    r"\([A-Za-z₂0-9+/ -]{1,12}\)|\((?=\s*[\d<>≤≥]))))*"
)
JOIN = _JOIN
"""What may stand between analyte and number. A word that limits the number is never passed over:
`be` and `low` are such words, `below` is not."""
_ADVERBS = (
    r"(?i:(?:just|well|far|persistently|consistently|repeatedly|constantly|slightly|barely|always|"
    r"already|even|a little|a bit|somewhat|marginally|significantly|substantially|much|mildly|"
    r"markedly|clearly|still|only|now|currently)\s+)*"
)
NEARLY = r"nearly|almost|just (?:short|shy) of"
"""Less than the number, if only by a little."""
SIGN = rf"{_ADVERBS}(?P<sign>(?i:{NEARLY}|{COMPARATOR}))?"
BETWEEN = (
    r"(?i:between|(?:rang|vary|fluctuat|hover)(?:ing|es|ed|e)\s+(?:from|between)|"
    r"varies\s+(?:from|between)|varied\s+(?:from|between)|anywhere\s+(?:from|between))"
)
_TIME = r"(?:year|month|week|day|hour|minute)s?\b"
_PAST = r"(?:ago|last \w+|earlier)"
_AT_TIME = rf"(?:\s*(?:(?:\w+\s+){{0,4}}{_PAST}|\(?in\s+\w+(?:\s+\d{{4}})?\)?|\(\d{{4}}\)))?"
_FROM = (
    rf"(?i:from\s+(?:a\s+)?(?:baseline\s+(?:of\s+)?)?{NUMBER}\s*(?:{UNIT})?{_AT_TIME}"
    r"\s*,?\s*(?:to|down to|up to)\s*)?"
)
_OLD = (
    rf"(?:\s*[,(]?\s*(?i:(?:(?:which|that)\s+(?:was|had\s+been)\s+)?(?:previously|formerly|"
    rf"initially|originally|earlier|once|(?:from\s+)?(?:at\s+)?(?:a\s+)?baseline|"
    rf"last\s+(?:year|month|week)|(?:\w+\s+){{1,2}}ago)\s*(?:(?:it|of|was|at|:)\s*)*"
    rf"(?:about\s+)?{NUMBER}\s*(?:{UNIT})?{_AT_TIME}\s*[,;)]*\s*(?:(?:and|but|then|it)\s+)*"
    rf"(?=(?:is|now|today|currently|has|have|fell|rose|dropped|declined)\b)){JOIN})?"
)
"""An old value that is passed over for the present one: `, previously 68, is 24`."""
_VALUE = (
    rf"\s*{_FROM}(?:(?P<between>{BETWEEN})\s+)?{SIGN}\s*(?P<low>-?{NUMBER})(?![.,]?\d)"
    rf"(?!\s*(?:\*|\^)\s?\d)(?!\s*(?:-|to\b)?\s*{_TIME})(?!(?:st|nd|rd|th)\b)"
    rf"(?:\s*(?:{UNIT})?\s*(?:-|to|and)\s*(?P<high>{NUMBER})(?![.,]?\d)(?!\s*/)"
    rf"(?!\s*-?\s*{_TIME}))?\s*(?P<unit>{UNIT})?"
)
AFTER = re.compile(
    r"\s*,?\s*or\s+(?:(?P<less>less|lower|below|under|fewer)|(?:more|higher|above|over|greater))\b",
    re.IGNORECASE,
)
"""`30 or less`, behind the number and its unit."""
_NO_UNIT = r"(?!(?:and|he|his|w|c|s|h|y|f|male|in|on|yes|either)\s?/)"
BRACKET_END = re.compile(r"\s*(?:[),;]|(?:in|on|at|by)\b|[HL]\b)")
"""Behind a number in brackets that is the value of what stands before them."""
STRANGE = re.compile(
    r"(?![HLhl](?![A-Za-z]))[A-Za-zµμ]"
    r"|\s?-?(?:stones?|st|ounces?|oz|tons?|feet|foot|ft|yards?|grains?|gallons?|Hz|furlongs?|"
    r"points?\s+(?:above|below|higher|lower))\b"
    rf"|\s?{_NO_UNIT}(?:[A-Za-zµμ]{{1,6}})\s?/\s?[A-Za-z0-9µμ]"
)
"""Behind a number without a unit that we know: letters run on, or a unit that we do not know. `H`
and `L` are a laboratory's flags."""
NORMAL_CUE = re.compile(
    r"\b(?:normal|reference|ref\.?|range|N)\b\s*(?:range)?\s*[:=<>]?\s*$", re.IGNORECASE
)
TARGET = re.compile(
    r"\b(?:target|goal|threshold|cut-?off|aim|below an?|above an?|at an?|if (?:the|his|"
    r"her)?|when(?: the)?)"
    r"\s*(?:\w+\s+)?$", re.IGNORECASE
)  # fmt: skip
WEIGHT = re.compile(
    (
        rf"\bweigh(?:s|ing|ed)?\s+(?:about\s+)?(?P<low>{NUMBER})\s*(?P<unit>kg|kilograms?|"
        r"lbs?|pounds?|g)\b"
    ),
    re.IGNORECASE,
)
BODY_WEIGHT = re.compile(
    rf"(?P<low>{NUMBER})[- ](?P<unit>kg)(?=[ ,-]+(?:\w+\s+)?(?:man|woman|male|female|"
    r"patient|boy|girl))"
)
HEIGHT = re.compile(
    rf"(?P<low>{NUMBER})\s*(?P<unit>cm|m)\b(?:\s*\([^)]*\))?\s+(?:tall|in height)", re.IGNORECASE
)
PACK_YEARS = re.compile(rf"(?P<low>{NUMBER})[- ]pack[- ]years?", re.IGNORECASE)
OTHER_FLUID = re.compile(
    r"\b(?:urin(?:e|ary)|csf|cerebrospinal fluid|pleural(?: fluid)?|ascitic(?: fluid)?|"
    r"synovial(?: fluid)?|"
    r"vaginal|gastric|corpuscular|stool|fecal|sweat|fetal|foetal|excretion of|maternal|birth|"
    r"spot|dialysate|peritoneal)\s+(?:fluid\s+)?$",
    re.IGNORECASE,
)
DOSE = re.compile(
    r"\s*(?:mg|mcg|µg|g|mEq|mmol|IU|units?|tablets?)\b(?!\s*(?:/|per\b))", re.IGNORECASE
)
PART_OF_NAME = re.compile(
    r"-[A-Za-z]|\+(?!\d)|\s*(?:times|x|×|-?\s?fold)\b|\s*-?\s*(?:phosphat\w+|dehydrogenase|kinase|"
    r"synthase|oxidase|receptors?|channels?|transporters?|cotransporters?|exchangers?|pumps?|genes?|"
    r"mutations?|isoenzymes?|isoforms?|subunits?|antibod\w+|inhibitors?|variants?|deficiency|"
    r"polymorphisms?|infusions?|solutions?|supplements?|crystals?|injections?|dextrose|saline|"
    r"percentile|alleles?|types?\b)",
    re.IGNORECASE,
)
"""What follows the number where analyte and number are the name of something else: an enzyme
(`glucose-6-phosphate dehydrogenase`), a protein, a solution, a grade (`glucose 3+`)."""
TIMES_LIMIT = re.compile(rf"{TIMES}{UPPER_LIMIT}", re.IGNORECASE)


@cache
def lab_pattern() -> re.Pattern[str]:
    """Return the pattern of an analyte, its joining words, a value and a unit."""
    join = _JOIN.replace(f"(?#unit){UNIT}", f"(?P<joined>{UNIT})")
    return re.compile(rf"{_name('alias')}(?P<join>{join}{_OLD}){_VALUE}")


@cache
def names_pattern() -> re.Pattern[str]:
    """Return the pattern of the name of an analyte."""
    return re.compile(_name("alias"))


def _name(group: str) -> str:
    either = sorted(analyte_by_alias(), key=len, reverse=True)
    symbols = {s for row in analyte_table().values() for s in row.case_aliases}
    spelled = "|".join(re.escape(a) if a in symbols else f"(?i:{re.escape(a)})" for a in either)
    return rf"(?<![\w/-])(?P<{group}>{spelled})(?![\w+])"
