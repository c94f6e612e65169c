"""What a text tells of another person: the patient's mother, wife or roommate.

The patient's own age, sex, values, medicines and findings must not be read from there. Only clear
wordings count: the person is the subject of a verb of having or taking, or has a clause of their
own; "his wife reports that he has asthma" tells of the patient.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from retrievers.kin import KIN, bearers, is_the_patient
from retrievers.patient_babies import babies
from retrievers.patient_states import NOTED, STATE, WHAT

_KIN = rf"(?:{KIN}|twin(?!\s+(?:brother|sister)))"
_UNRELATED = (
    r"(?:husband|wife|spouse|partner|roommate|friend|colleague|co-?worker|neighbou?r|boyfriend|"
    r"girlfriend|fianc[eé]e?|caregiver|carer|flatmate|housemate|classmate|boss|dog|cat|pet|horse|"
    r"donor)"
)
_BARE = rf"(?:{KIN}|husband|wife|spouse|partner|roommate|friend|boyfriend|girlfriend|donor|dog|cat)"
"""`wife uses salbutamol`, with no word before it."""
_CHILD = r"(?:infant|newborn|neonate|baby|toddler|child|boy|girl)"
_GIVES_ONESELF = r"(?:(?:healthy|living|potential|prospective|kidney|liver|blood|organ)\s+)+donor"
"""`A living kidney donor has asthma`: the donor is the patient."""
_OWNER = (
    r"(?P<owner>his|her|their|whose|my|(?:an?|the)\s+"
    rf"(?:patient|man|woman|{_CHILD})'s|(?:one of\s+)?(?:his|her|their)\s+\w+'s)"
)
_WORD = (
    r"(?:(?!(?:and|or|with|of|for|to|but|is|was|has|his|her|by|from|that|when|who|as)\b)[\w-]+\s+)"
)
_WHO = (
    rf"(?:{_OWNER}\s+(?P<words>{_WORD}{{0,3}}?)(?:(?P<kin>{_KIN})|(?P<other>{_UNRELATED}))"
    rf"|(?:an?|the)\s+(?!{_GIVES_ONESELF}){_WORD}?(?P<other2>{_UNRELATED})"
    rf"|(?<![-\w] )(?:both\s+)?(?P<bare>{_BARE})(?=s?(?:\s+(?:ha[sd]|have|is|was|are|were|"
    rf"takes|took|uses|used|suffers|died|with)\b|{NOTED}))"
    rf"|(?:an?|the|one)\s+(?P<kin2>{_KIN})s?\s+of\s+(?:the|this|our)\s+(?:patient|man|woman|{_CHILD})"
    r"|(?:the\s+)?(?P<parent>mother|father))s?\b"
)
_PERSON = re.compile(rf"\b{_WHO}", re.IGNORECASE)
_STARTS = re.compile(
    r"(?:^|[.;:,!?]|\b(?:and|but|that|because|while|whereas|since|as|although|both))\s*$",
    re.IGNORECASE,
)
"""What stands before a person who begins a clause; "lives with his wife and has" does not."""
_OF_HERS = re.compile(
    rf"\s+{STATE}|{NOTED}|,?\s+who(?:m|se)?\s+{STATE}|\s*,\s*(?:{WHAT}|aged?\b)|"
    r"'s?\s+\w",
    re.IGNORECASE,
)
_IS_DONOR = re.compile(
    rf"\b(?:an?|as)\s+(?:[\w-]+\s+){{0,2}}?{_GIVES_ONESELF}|\bdonates\b", re.IGNORECASE
)
_BLOOD = re.compile(KIN, re.IGNORECASE)
_APPOSED = re.compile(
    rf"\s*,\s*(?:{WHAT}|aged?\b)[^,;.]{{0,40}},?\s+(?:\w+ly\s+)?{STATE}", re.IGNORECASE
)
"""In "Her husband, 60, has gout" the verb is the husband's."""
_HERS_IS = re.compile(
    r"(?P<gap>[;,.]?\s+(?:(?:and|but|while|whereas)\s+)?(?:hers|his(?:\s+own)?|her\s+own|theirs)\s+"
    r"(?:is|was|at|of)\s+)(?=\d)",
    re.IGNORECASE,
)
"""`her husband has an eGFR of 17; hers is 90`: the value takes the name before it."""
_NAMED_VALUE = re.compile(
    r"(?P<name>(?:(?!(?:has|had|an?|the|is|was|of|with|his|her|current|at|and)\b)[A-Za-z][\w-]*\s+){1,3})"
    r"(?:(?:is|was|of|at|level of|level)\s+)*\d[\d.,]*[^;.,]*$"
)
_SENTENCE_END = re.compile(r"[.!?](?=\s|$)|[;\n]")
_RETURN = (
    r"\b(?:the\s+)?(?:patient|pt)\b|\bthe\s+(?:man|woman|boy|girl|infant|child|baby|newborn)\b"
)
_HIS = re.compile(rf"{_RETURN}|\b(?:he|him)\b|(?<!for )(?<!with )\bhis\b", re.IGNORECASE)
_HERS = re.compile(rf"{_RETURN}|\bshe\b|(?<!for )(?<!with )\bher\b", re.IGNORECASE)
_ANYONE = re.compile(rf"{_HIS.pattern}|{_HERS.pattern}", re.IGNORECASE)
_BACK = re.compile(
    r",\s+(?:\w+ly\s+)?(?:accompan\w+|reports?|reported|says|said|states?|stated|brings|brought|"
    r"calls|called|notes?|noted|notices|noticed|found|finds|presents?|presented|comes?|came|asks?|"
    r"complains|tells|told|has|is|was|takes|denies|arrives?|arrived)\b"
    r"|\b(?:reports?|reported|says|said|states|stated|brings|brought|noticed|noted|found|gave|"
    r"gives|called|denies)\b",
    re.IGNORECASE,
)
_SECTION = re.compile(
    r"\b(?:PMHx?|PSHx?|SHx?|O/E|(?:past )?(?:medical|surgical|social) history|on examination|"
    r"(?:meds|medications|allergies|exam(?:ination)?)\s*:)",
    re.IGNORECASE,
)
_GIVEN = re.compile(r"\b(?:used|start(?:s|ed))$", re.IGNORECASE)
"""What a child's mother used or started may be the child's."""
_CLAUSE = re.compile(r",?\s+who|\s*,", re.IGNORECASE)
_REPORTED = re.compile(
    rf"\b(?:{_KIN}|{_UNRELATED})\s+(?:states?|stated|reports?|reported|says|said|tells\s+\w+|notes?|"
    r"explains?|explained)\s+(?:that\s+)?$",
    re.IGNORECASE,
)
"""In "the wife states that her husband has a cough" the husband is the patient."""
_HAS = re.compile(r"\b(?:has|have|having)\s+$", re.IGNORECASE)
_CLAUSE_ENDS = re.compile(r",\s+(?:and\s+)?(?:is|was|has|had|takes|presents?|comes?|came|denies)\b")
_RESUMES = re.compile(
    r"(?<!and)(?<!who)(?<!which)(?<!but)(?<!that)\s+(?:is|was|has|had|presents?|presented|comes?|"
    r"came|takes|asks|complains|develops|developed|visits|arrives?|arrived|reports?|denies)\b",
    re.IGNORECASE,
)
"""The verb of the main clause, after "a man whose wife has HIV"."""
_CHILD_WORD = re.compile(rf"\b{_CHILD}\b|\b(?:day|week|month)s?[- ]old\b", re.IGNORECASE)
_ADULT_WORD = re.compile(r"\b(?:wom[ae]n|m[ae]n|lady|gentleman|female|male|primigravida)\b", re.I)
_NEXT = {
    "his": re.compile(rf"[.;]?\s+she\s+{STATE}", re.IGNORECASE),
    "her": re.compile(rf"[.;]?\s+he\s+{STATE}", re.IGNORECASE),
}
"""After "his wife has asthma.", "she" is the wife."""


class OtherPerson(NamedTuple):
    """A part of the text that tells of another person."""

    start: int
    end: int
    kin: bool
    """Whether the person is a relative by blood."""


@lru_cache(maxsize=256)
def other_people(text: str) -> tuple[OtherPerson, ...]:
    """Return the parts of a text that tell of someone other than the patient.

    >>> text = "Her husband has gout and she has asthma. His wife says he has a cough."
    >>> [(text[a:b], kin) for a, b, kin in other_people(text)]
    [(' has gout and ', False)]
    >>> other_people("He lives with his wife and has diabetes.")
    ()
    """
    found = _born_to(text)
    for person in _PERSON.finditer(text):
        part = _part(text, person)
        if part is not None and not any(
            part.start < known.end and known.start < part.end for known in found
        ):
            found.append(part)
    apart = [
        OtherPerson(start, end, kin=False)
        for start, end in babies(text)
        if not any(known.start < end and start < known.end for known in found)
    ]
    return tuple(sorted((*found, *apart)))


def of_patient(text: str) -> str:
    """Return the text with what it tells of others blanked, every offset kept.

    >>> of_patient("His wife is 60. He has gout.")
    'His wife      . He has gout.'
    """
    for start, end, _ in other_people(text):
        hers = _HERS_IS.search(text, start, end + 40)
        name = None if hers is None else _NAMED_VALUE.search(text[start : hers.start()])
        if name is not None and hers is not None:
            kept = name["name"].rstrip()
            text = text[:start] + kept.rjust(hers.end() - start - 1) + " " + text[hers.end() :]
        else:
            text = text[:start] + " " * (end - start) + text[end:]
    return text


def _part(text: str, person: re.Match[str]) -> OtherPerson | None:
    """Return what is told of one person; `None` where nothing is surely theirs."""
    about = _OF_HERS.match(text, person.end())
    bare = (person["bare"] or "").casefold()
    if "donor" in person.group().casefold() and _IS_DONOR.search(text):
        return None
    before = text[max(0, person.start() - 12) : person.start()]
    whose = (person["owner"] or "").casefold() == "whose"
    starts = whose or _STARTS.search(before) or _HAS.search(before)
    clause = about is not None and _CLAUSE.match(about.group())
    if about is None or not (starts or clause):
        return None
    if _REPORTED.search(text[max(0, person.start() - 50) : person.start()]):
        return None
    if person["parent"] and not _of_a_child(text, person):
        return None
    if is_the_patient(text, person["kin"] or bare):
        return None
    if _GIVEN.search(about.group()) and _CHILD_WORD.search(text):
        return None
    kin = bool(person["kin"] or person["kin2"] or person["parent"] or _BLOOD.fullmatch(bare))
    start = person.start("words") if person["words"] else person.end()
    end = _end(text, person, whose=whose)
    if text[person.end() : end].lstrip().startswith("("):
        end = min(end, _bracket_end(text, person.end()))
    if not starts and clause:
        end = min(end, _clause_end(text, person.end(), about.group()))
    return OtherPerson(start, end, kin)


def _born_to(text: str) -> list[OtherPerson]:
    """Return what is told of the woman who bore the patient."""
    found = []
    for start, end in bearers(text):
        close = _sentence_end(text, end)
        stops = [stop.search(text, end, close) for stop in (_RESUMES, _BACK, _ANYONE)]
        found.append(
            OtherPerson(
                start, min((s.start() for s in stops if s is not None), default=close), True
            )
        )
    return found


def _bracket_end(text: str, start: int) -> int:
    """Return the end of "Father (gout)", or of the text where a verb follows the bracket."""
    close = text.index(")", start) + 1
    return len(text) if re.match(rf"\s+{STATE}", text[close:], re.IGNORECASE) else close


def _clause_end(text: str, start: int, about: str) -> int:
    """Return the end of ", a nurse," or ", who has gout," within a sentence on the patient."""
    if "who" in about:
        found = _CLAUSE_ENDS.search(text, start + len(about))
    else:
        found = re.compile(r",|\s+and\b").search(text, start + len(about))
    return len(text) if found is None else found.start()


def _of_a_child(text: str, person: re.Match[str]) -> bool:
    """Say whether a bare "Mother" begins a sentence in the history of a child."""
    before = text[: person.start()]
    if not re.search(r"(?:^|[.;:!?\n])\s*$", before) or _ADULT_WORD.search(before):
        return False
    return _CHILD_WORD.search(text) is not None


def _end(text: str, person: re.Match[str], *, whose: bool) -> int:
    start = person.end()
    end = _sentence_end(text, start)
    apposed = _APPOSED.match(text, start, end)
    start = start if apposed is None else apposed.end()
    owner = (person["owner"] or "").casefold()
    returns = {"his": _HIS, "her": _HERS}.get(owner, _ANYONE)
    stops = [stop.search(text, start, end) for stop in (returns, _BACK, _SECTION)]
    if whose:
        verb = re.search(r"\S+\s+\S+", text[start:end])
        stops.append(_RESUMES.search(text, start + (verb.end() if verb else 0), end))
    first = min((stop.start() for stop in stops if stop is not None), default=end)
    while first == end and owner in _NEXT and (follows := _NEXT[owner].match(text, end)):
        end = _sentence_end(text, follows.end())
        stop = returns.search(text, follows.end(), end)
        first = end if stop is None else stop.start()
    return first


def _sentence_end(text: str, start: int) -> int:
    closing = _SENTENCE_END.search(text, start)
    return len(text) if closing is None else closing.start()
