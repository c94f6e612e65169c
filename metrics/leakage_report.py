"""Reading a validation report, whatever shape its items have (known failures K05, K07).

Reports come from this project's rows, from the QKG release's logs, or from a model that did not
keep to its format. Nothing raises: what cannot be used is counted by its status.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from signatures.schema import Record, Status

CONTRADICTED: Status = "CONTRADICTED"

_KNOWN = ("SUPPORTED", "CONTRADICTED", "NO_COVERAGE")
_LINE = re.compile(
    r"^\W*(?:option\s+)?(?P<option>[A-Ja-j])\W+(?P<status>[A-Za-z]+(?:[ _-][Cc][A-Za-z]+)?)\b"
    r"[\s:;,.\-–—\])]*(?P<evidence>.*)$",
    re.S | re.I,
)
_LETTER = re.compile(r"\W*(?:option\s+)?([A-Ja-j])(?![A-Za-z])", re.I)
_TRUE, _FALSE = frozenset({"true", "yes", "1"}), frozenset({"false", "no", "0"})


class ReportItem(Record):
    """One claim's line of a report, normalised."""

    option: str | None
    """The option's letter in upper case; `None` when there is none: `?`."""
    supports: bool | None
    """Whether the claim argues for its option; `None` when the report does not say."""
    status: str
    """In upper case with underscores: one of QKG's three, another word, or `MISSING`."""
    evidence: str


class Report(NamedTuple):
    """A report's items in order, and how many had a status that is none of QKG's three."""

    items: tuple[ReportItem, ...]
    odd: dict[str, int]


def read_report(report: object, *, claims: int = 0) -> Report:
    r"""Read a report's items and count the statuses that are not QKG's.

    Args:
        report: A list of mappings, records or strings; anything else has no items.
        claims: How many claims were sent. Those that the report leaves out become NO_COVERAGE.

    >>> read_report([{"status": "PARTIAL_COVERAGE"}, "A: SUPPORTED"]).odd
    {'PARTIAL_COVERAGE': 1}
    >>> read_report([{"option": "a", "supports": "False"}]).items[0].supports
    False
    >>> [item.evidence for item in read_report([], claims=1).items]
    ['validator skipped']
    """
    items = [_item(entry) for entry in (report if isinstance(report, list | tuple) else ())]
    missing = max(0, claims - len(items))
    skipped = ReportItem(
        option=None, supports=None, status="NO_COVERAGE", evidence="validator skipped"
    )
    odd = Counter(item.status for item in items if item.status not in _KNOWN)
    return Report(items=(*items, *[skipped] * missing), odd=dict(sorted(odd.items())))


def decisive(items: Iterable[ReportItem], *, original: str, final: str) -> tuple[ReportItem, ...]:
    """Return the CONTRADICTED items that moved the answer from `original` to `final`.

    Decisive: a claim for the original option, or a claim against the option moved to. A.3 says
    "the gold answer" for the latter, which for a wrong-to-correct revision is the same; §5.3 says
    "the final (wrong) answer" for a correct-to-wrong one. Without any, all CONTRADICTED items.

    >>> report = read_report([
    ...     {"option": "B", "supports": True, "status": "CONTRADICTED"},
    ...     {"option": "D", "supports": "false", "status": "CONTRADICTED"},
    ...     {"option": "?", "supports": True, "status": "CONTRADICTED"},
    ... ])
    >>> [item.option for item in decisive(report.items, original="B", final="D")]
    ['B', 'D']
    """
    contradicted = tuple(item for item in items if item.status == CONTRADICTED)
    aimed = tuple(item for item in contradicted if _aims(item, original.upper(), final.upper()))
    return aimed or contradicted


def _aims(item: ReportItem, original: str, final: str) -> bool:
    if item.supports is None or item.option is None:
        return False
    return item.option == (original if item.supports else final)


def _item(entry: object) -> ReportItem:
    if isinstance(entry, str):
        return _from_line(entry)
    if isinstance(entry, Mapping):
        return _from_mapping(entry)
    return ReportItem(option=None, supports=None, status="MISSING", evidence="")


def _from_line(line: str) -> ReportItem:
    found = _LINE.match(line)
    if not found or (status := _status(found["status"])) not in _KNOWN:
        return ReportItem(option=None, supports=None, status="MISSING", evidence=line.strip())
    return ReportItem(
        option=found["option"].upper(),
        supports=None,
        status=status,
        evidence=found["evidence"].strip(),
    )


def _from_mapping(entry: Mapping[Any, Any]) -> ReportItem:
    claim = entry.get("claim")
    claimed = claim if isinstance(claim, Mapping) else {}
    return ReportItem(
        option=_letter(entry.get("option", claimed.get("option"))),
        supports=_boolean(entry.get("supports", claimed.get("supports"))),
        status=_status(entry.get("status")),
        evidence=_text(entry),
    )


def _text(entry: Mapping[Any, Any]) -> str:
    """The words of the evidence: the release's `evidence` string, or this project's `reason`."""
    said = [entry.get(name) for name in ("evidence", "reason")]
    return " ".join(text.strip() for text in said if isinstance(text, str) and text.strip())


def _status(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        return "MISSING"
    return re.sub(r"[\s-]+", "_", value.strip()).upper()


def _letter(value: object) -> str | None:
    found = _LETTER.match(value) if isinstance(value, str) else None
    return found[1].upper() if found else None


def _boolean(value: object) -> bool | None:
    if isinstance(value, bool):
        return value
    word = str(value).strip().lower()
    if word in _TRUE:
        return True
    return False if word in _FALSE else None
