"""A negation or a doubt that stands after a name: "asthma: no", "gout excluded", "asthma?"."""

from __future__ import annotations

import re

_ENDS = (
    r"(?=\s*(?:[.,;)\]?!\n]|$|\b(?:and|but|by|on|with|after|at|via|from|last|previously|clinically|"
    r"today|yesterday|because|given|as|since|though|although|while|so|during|who|presents?|is|has)\b))"
)
"""What may follow: "absent" is no negation of asthma in "asthma, absent breath sounds"."""
_TEST = (
    r"(?:(?:\s+|-)(?:allele|genotyp(?:e|ing)|variant|mutation|carrier|status|test(?:s|ing)?|"
    r"screen(?:s|ing)?|PCR|result|swab|serology|work-?up|allergy|hypersensitivity))*"
)
_START = rf"^{_TEST}(?:\s*\((?!\s*[-+])[^()]{{0,30}}\))?"
_IS = r"(?:\s+(?:is|was|were|are|came back|has been|had been|have been|returned|has|been))*"
_JOINT = r"(?:\s*/\s*|\s*,\s*(?:(?:and|or)\s+)?|\s+(?:and|or)\s+)"
_ITEM = r"(?:(?!\b(?:was|were|is|are|has|have|been|had)\b)[^,;.:/()?]){2,30}?"
_NEGATED = re.compile(
    rf"{_START}(?:"
    rf"{_IS},?\s+(?:recently\s+|previously\s+|later\s+|since\s+|clinically\s+|reliably\s+|been\s+)*"
    rf"(?:excluded|ruled out|denied|dismissed|disproved|disproven|refuted){_ENDS}"
    rf"|{_IS}\s+(?:not (?:detected|carried|found|identified)|undetected){_ENDS}"
    rf"|{_IS}\s+(?:absent|unlikely){_ENDS}"
    rf"|{_IS}(?:\s+|-|\s*:\s*|\s+-\s+)(?:negative|neg|-ve)\b(?!\s+for\b)"
    rf"|\s*(?:\s-|:|=)\s*(?:no|none|nil|never|absent|denied|denies|excluded|ruled out|not present|"
    rf"not detected|n){_ENDS}"
    r"|\s+no(?=\s*(?:[,;.]|$))"
    r"|\s?-(?=\s*(?:[,;]|\.(?:\s|$)|$))"
    rf"|\s*[(\[]\s*(?:-|neg(?:ative)?|no|none|absent|denied|excluded|ruled out|never)\s*[)\]]"
    rf"|\s*\?\s*(?:no|none|never|negative|denied|denies|absent){_ENDS}"
    rf"|{_IS}\s+(?:\w+ly\s+)?(?:considered|suspected|entertained|feared)\b[^.;]{{0,30}}?\b(?:but|and|then)\s+"
    rf"(?:\w+\s+){{0,3}}?(?:dismissed|excluded|ruled out|rejected|discarded|discounted|refuted)\b"
    rf"|{_JOINT}{_ITEM}\s*[:,-]?\s*\b(?:neither|none of (?:these|them|those)){_ENDS}"
    rf"|\s*[:,-]\s*neither{_ENDS}"
    rf"|\s*/\s*{_ITEM}(?:\s*:\s*(?:no|none|negative|absent|denied)|\s+(?:excluded|ruled out|"
    rf"denied))"
    rf"{_ENDS})",
    re.IGNORECASE,
)
_OF_ANOTHER = re.compile(
    rf"{_START}[\s-]*(?:negative|neg)\s+(?:[\w-]+\s+)?(?:husband|wife|partner|spouse|mother|father|"
    r"donor|sister|brother|recipient|son|daughter|boyfriend|girlfriend|household|contact)\b",
    re.IGNORECASE,
)
"""`her HIV-negative husband`."""
_DOUBT = re.compile(
    rf"{_START}(?:{_IS}(?:\s+|\s*[:,(-]\s*)(?:unlikely|unclear|uncertain|unconfirmed|doubtful|questionable|"
    r"unknown|suspected|possible|probable|pending|unsure|not certain|not sure|not confirmed|"
    r"not (?:yet )?(?:been )?(?:excluded|ruled out)|under investigation|considered)"
    rf"{_ENDS}"
    rf"|{_IS}\s+never (?:been )?(?:confirmed|diagnosed|present|found|established|proven)\b"
    r"|\s+(?:cannot|can't|can not|could not|couldn't)(?: yet)? be (?:\w+ly )?(?:excluded|ruled out)"
    r"|\s*\?\s*(?:unclear|unknown|uncertain|unsure|maybe|perhaps|not sure|not known|possibly|"
    r"to be|he does not know|she does not know)\b"
    rf"|\s+(?:and|or)\s+{_ITEM}\s+(?:excluded|ruled out|denied)\s*(?:[.,;]|$))",
    re.IGNORECASE,
)
_ASKED = re.compile(
    r"\b(?:do(?:es)?|did|ha[sd])\s+(?:he|she|they|you|the \w+)\s+(?:\w+\s+){0,2}?(?:have|had|take|"
    r"suffer from)\s+(?:(?:any|an?|known|ever|history of)\s+)*$|(?:^|[,.;:]\s*)any\s+(?:history"
    r" of )?$",
    re.IGNORECASE,
)
_UNANSWERED = re.compile(r"^\s*\?(?!\s*(?:yes|positive|he does|she does|present)\b)", re.IGNORECASE)
_NOT_EXCLUDED = re.compile(
    r"(?:\b(?:cannot|can not|could not|unable to|did not|do(?:es)? not|fail(?:s|ed) to|not"
    r" (?:yet )?|"
    r"not (?:yet )?(?:possible|able) to|(?:difficult|hard|impossible) to|without)|"
    r"n't)\s*(?:\w+ly\s+)?"
    r"(?:rul(?:e|es|ed|ing) out|exclud(?:e|es|ed|ing))\b",
    re.IGNORECASE,
)


def negated_right_after(after: str) -> bool:
    """Say whether what directly follows a name negates it.

    >>> [negated_right_after(text) for text in (" excluded.", ": no", " (-)", "-negative man")]
    [True, True, True, True]
    >>> [negated_right_after(text) for text in (": no wheeze", ", absent breath sounds", "")]
    [False, False, False]
    """
    return _NEGATED.match(after) is not None and _OF_ANOTHER.match(after) is None


def doubted(clause: str, after: str) -> bool:
    """Say whether a name is left open, so that nothing may be told from it.

    >>> doubted("cannot rule out ", ""), doubted("", "? unclear"), doubted("known ", "")
    (True, True, False)
    """
    return bool(
        _NOT_EXCLUDED.search(clause)
        or _OF_ANOTHER.match(after)
        or _DOUBT.match(after)
        or (_ASKED.search(clause) and _UNANSWERED.match(after))
    )
