"""The words around laboratory values: what joins analyte and number, and what makes it none."""

from __future__ import annotations

import re
from functools import cache

from retrievers.analytes import analyte_by_alias, analyte_table
from retrievers.expression_limits import TIMES, UPPER_LIMIT
from retrievers.numbers import COMPARATOR, NUMBER
from retrievers.unit_spellings import UNIT

JOIN = (
    r"(?:\s*(?:levels?|counts?|values?|concentrations?|scores?|readings?|measurements?|"
    r"ratio|interval|"
    r"of|is|was|are|were|at|to be|be|to|now|today|currently|measured|measures|recorded|"
    r"found|reads?|"
    r"shows?|showed|reveals?|revealed|only|about|approximately|approx\.?|around|roughly|"
    r"nearly|up|down|"
    r"has|have|had|been|dropped|fallen|risen|fell|rose|increased|decreased|elevated|"
    r"reduced|low|high|"
    r"on admission|on room air|at rest|on arrival|in the (?:office|clinic)|that day|a|an|"
    r"the|stands|"
    r"at that time|at the time|estimated|stable|unchanged|improved|went|jumped|climbed|came back|"
    r"comes back|returned|result|"
    r"equals|registers|=|:|~|≈|,|-(?=\s)|\((?:normal|ref|reference|N)[^)]*\)|"
    r"\([A-Za-z₂0-9+/ -]{1,12}\)))*"
)
_FROM = (
    rf"(?:from\s+{NUMBER}\s*(?:{UNIT})?(?:\s*(?:\w+\s+){{0,4}}(?:ago|last \w+|"
    r"earlier))?\s*,?\s*(?:to|down to|up to)\s*)?"
)
_VALUE = (
    rf"\s*{_FROM}(?P<sign>{COMPARATOR})?\s*(?P<low>-?{NUMBER})(?![.,]?\d)(?!\s*(?:\*|"
    r"\^)\s?\d)(?!\s*(?:-|to\b)?\s*(?:year|month|week|day|hour|minute)s?\b)"
    r"(?!(?:st|nd|rd|th)\b)"
    rf"(?:\s*(?:{UNIT})?\s*(?:-|to|and)\s*(?P<high>{NUMBER})(?!\s*/))?\s*(?P<unit>{UNIT})?"
)
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
    either = sorted(analyte_by_alias(), key=len, reverse=True)
    symbols = {s for row in analyte_table().values() for s in row.case_aliases}
    spelled = "|".join(
        re.escape(a) if a in symbols else f"(?i:{re.escape(a)})" for a in either
    )  # fmt: skip
    return re.compile(rf"(?<![\w/-])(?P<alias>{spelled})(?![\w+])(?P<join>{JOIN}){_VALUE}")
