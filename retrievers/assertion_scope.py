"""Where the clause of a mention begins, which is how far a cue such as "no" reaches.

A clause begins after punctuation, after "but", "so", "because" and their like, after a verb or a
pronoun that starts a new statement, and where the mention itself is the subject of a new one: "no
thyroid cancer, and weekly semaglutide is started". What stands in closed parentheses is skipped.
"""

from __future__ import annotations

import re

_SUBJECT = r"(?:she|he|they|it|we|the (?:patient|man|woman|boy|girl|child|infant))"
_OWN_VERB = (
    r"(?:presents?|presented|comes?|came|takes?|took|taking|has|had|have|reports?|reported|shows?|"
    r"showed|reveals?|revealed|is|was|are|were|develops?|developed|complains?|receives?|received|"
    r"started|uses?|needs?|requires?|should|can|could|may|might|will|must|confirms?|confirmed|begins?|"
    r"began|starts|continues?|continued|remains?|remained|underwent|undergoes|persists?|smokes?|"
    r"drinks?|works?|weighs|wants?|wishes|prefers?|appears?|gets?|got|gives?|gave|prescribes?|"
    r"prescribed|re-?started|resumed|adds?|suggests?|indicates?|relieves?)"
)

_BREAK = re.compile(
    r"[.;:!?]\s|\n|\s[-\u2013\u2014]\s"
    r"|\b(?:but|however|although|though|except|apart from|other than|besides|aside from|save for|"
    r"excluding|in addition to|despite|because|since|while|whereas|yet|"
    r"after|before|when|until|which|that|who|due to|secondary to|caused by|side effects?|for|"
    r"therefore|thus|hence|so(?! far\b)|then)\b"
    rf"|\b{_SUBJECT}\b|\b{_OWN_VERB}\b"
    r"|,\s*(?:and\s+)?(?:her|his|their|with|(?:now\s+)?on)\b"
    r"|\band\s+(?:a|an|the|her|his|with|is|now)\b",
    re.IGNORECASE,
)

_ONE_CUE = re.compile(
    r"\b(?:den(?:y|ies|ied)|negative|allerg(?:y|ies))\s*:\s?"
    r"|(?:(?<=[.;\n])|^)\s*(?:drug |known |medication )?allerg(?:y|ies) - "
    r"|\b(?:stopped|held|discontinued|on hold)"
    r"(?:\s+(?:medications?|medicines?|meds|drugs?))?\s*:\s?"
    r"|\ballerg(?:y|ies)[^.;:]{0,20}\b(?:except|apart from|other than|besides|but)\b"
    r"|\bused to (?:have|take|suffer from|use|get)\b"
    r"|(?:n[\u2019']t|\b(?:not|never|cannot|longer|den(?:y|ies|ied|ying)|stop(?:s|ped)?))"
    r"(?:\s+(?:yet|ever|known|currently|now|been|being|that|to|have|has|had|having|get|"
    r"got))*"
    rf"(?:\s+{_SUBJECT})?(?:\s+{_OWN_VERB})*(?:\s+been)?\b"
    rf"|\b(?:nor|neither)\s+(?:do(?:es)?|did|has|had|is|was)\s+{_SUBJECT}(?:\s+{_OWN_VERB})*\b"
    r"|\b(?:neg(?:ative)?\.?|ruled out|allergic reactions?) for\b|(?<!\w)-ve for\b"
    r"|\bn?or\s+(?:take|have|use|receive|need|require)\b"
    r"|\bno (?:evidence|signs?|history|indication) that\b(?:\s+(?:he|she|they)\s+\w+)?"
    r"|\bfor (?:many |several |\w+ )?(?:days?|weeks?|months?|years?|now)\b",
    re.IGNORECASE,
)
"""Phrases whose verbs and pronouns are part of the cue: "has never had", "denies that she"."""

_HARD = re.compile(r"(?<!\bfam)[.;!?](?:\s|$)|\n|\bbut\b|\bhowever\b", re.IGNORECASE)

_JOINT = re.compile(r"(,\s*(?:and|so|then|or|nor)?|\b(?:and|or|nor))\s+", re.IGNORECASE)
_LIST = ("or", "nor")
"""After these a list goes on, whatever verb follows: "no gout or asthma is known"."""

BEFORE_SUBJECT = 4
"""Most words between ", and" and the mention that is a subject: "weekly subcutaneous"."""

_VERB_AFTER = re.compile(
    r"^(?:[^\S\n]*\([^()]*\))?"
    r"(?:[^\S\n]+(?!(?:but|so|who|which|that|he|she|they)\b)[\w-]+(?:\.[\w-]+)*){0,3}?"
    r"(?<!\bor)(?<!\bnor)(?<!\band)[^\S\n]+"
    r"(?P<verb>is|was|are|were|has|had|can|could|should|will|would|may|might|must|remains?|"
    r"persists?|helps?|relieves?|controls?|fails?|begins?|began|works?|seems?|does|did)\b"
    r"(?P<rest>(?:\s+\w+)?)",
    re.IGNORECASE,
)
_SEEN = re.compile(r"known|present|seen|found|noted|reported|evident|detected|observed|recorded")
_PARENTHESIS = re.compile(r"\([^()]*\)")


WINDOW = 1_000
"""Characters before a mention that are searched for where its sentence begins. Without a limit the
time to read a note grows with the square of its length."""


def clause_before(text: str, start: int, end: int) -> str:
    """Return the part of the mention's own clause that stands before it.

    >>> text = "no cancer in him, and weekly semaglutide is started"
    >>> clause_before(text, 29, 40), clause_before(text, 3, 9)
    ('weekly ', 'no ')
    """
    before = _without_parentheses(text[max(0, start - WINDOW) : start])
    clause = before[_last_break(before) :]
    return _from_subject(clause, text[end : end + 90])


def sentence_before(text: str, start: int, end: int) -> str:
    """Return the part of the mention's sentence before it, or of its clause if it is the subject.

    >>> text = "Her mother has gout, and allopurinol is started."
    >>> sentence_before(text, 25, 36), sentence_before(text, 15, 19)
    ('', 'Her mother has ')
    """
    first = max(0, start - WINDOW)
    ends = [match.end() for match in _HARD.finditer(text, first, start)]
    sentence = text[ends[-1] if ends else first : start]
    return _from_subject(sentence, text[end : end + 90])


def _without_parentheses(text: str) -> str:
    """Blank out what stands in closed parentheses, keeping every offset."""
    return _PARENTHESIS.sub(lambda match: " " * len(match.group()), text)


def _last_break(text: str) -> int:
    cues = [match.span() for match in _ONE_CUE.finditer(text)]
    ends = (
        match.end()
        for match in _BREAK.finditer(text)
        if not any(first <= match.start() and match.end() <= last for first, last in cues)
    )
    return max(ends, default=0)


def _from_subject(clause: str, after: str) -> str:
    """Cut a clause at the joint before the mention, when the mention is a new subject."""
    joints = list(_JOINT.finditer(clause))
    verb = _VERB_AFTER.match(after)
    if not joints or verb is None:
        return clause
    joint = joints[-1]
    word = joint.group().strip(" ,\n").casefold()
    subject = clause[joint.end() :]
    if word in _LIST or len(subject.split()) > BEFORE_SUBJECT:
        return clause
    plural = verb["verb"].casefold() in ("are", "were")
    if _SEEN.search(verb["rest"]) and (plural or word == ""):
        return clause
    return subject
