from __future__ import annotations

import base64
import gzip
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from optimize.report.collect import collect
from optimize.report.page import asset, report_page
from optimize.report.writing import write_page
from signatures.errors import InputError
from tests.support.report_study import HOSTILE, question, trace, write_study_run


def unpack(page: str, name: str) -> Any:
    found = re.search(rf'<script type="text/plain" id="{name}">([^<]*)</script>', page)
    assert found
    return json.loads(gzip.decompress(base64.b64decode(found[1])))


class Outline(HTMLParser):
    """Elements, attributes and the text between them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text.append(data)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A page whose every text tries to be markup."""
    folder = tmp_path_factory.mktemp("hostile")
    asked = [
        question(n, words=text, source=text[:60], notes=(text,)) for n, text in enumerate(HOSTILE)
    ]

    def said(n: int) -> dict[str, Any]:
        made = trace(n, why=HOSTILE[n])
        made["response"]["selected_option_text"] = HOSTILE[n]
        made["report"].append(HOSTILE[n])
        made["report"][0]["reason"] = HOSTILE[n]
        made["report"][0]["status"] = HOSTILE[n]
        made["hops"][0]["answer"] = HOSTILE[n]
        made["hops"][0]["region"]["triplets"][0]["head"]["name"] = HOSTILE[n]
        return made

    run = write_study_run(folder / "a", asked, {q.id: "B" for q in asked}, traces=said)
    named = collect([run], names=[HOSTILE[0]], title=HOSTILE[1])
    return report_page(named)


def test_hostile_texts_are_text(hostile: str) -> None:
    outline = Outline(hostile)
    assert [t for t, a in outline.tags if t == "img" or "onerror" in a] == []
    assert len(re.findall(r"<script>", hostile)) == 1
    assert HOSTILE[0] in "".join(outline.text)
    index, first = unpack(hostile, "index"), unpack(hostile, "block-0")
    for entry, card, text in zip(index, first, HOSTILE, strict=True):
        assert text in entry["text"]
        assert card["runs"][0]["why"] == text
        assert card["runs"][0]["claims"][0]["status"] == text
        assert card["runs"][0]["claims"][-1] == {
            "option": "",
            "text": "",
            "supports": None,
            "status": "UNREAD",
            "reason": text,
            "evidence": [],
        }


def test_nothing_is_asked_of_the_network(hostile: str) -> None:
    outline = Outline(hostile)
    addresses = [
        value or ""
        for _, attributes in outline.tags
        for name, value in attributes.items()
        if name in ("src", "href", "action", "poster", "data", "xlink:href")
    ]
    assert all(a.startswith(("#", "data:,")) for a in addresses), addresses
    assert "@import" not in hostile
    assert not re.search(r"url\((?!#)", asset("page.css"))
    assert "default-src 'none'" in hostile
    for word in ("innerHTML", "insertAdjacentHTML", "document.write", "eval(", "fetch("):
        assert word not in asset("page.js")


def test_the_same_runs_give_the_same_page(tmp_path: Path) -> None:
    asked = [question(n) for n in range(3)]
    run = write_study_run(tmp_path / "a", asked, {"q0": "B", "q1": "A"}, failed=["q2"])
    assert report_page(collect([run])) == report_page(collect([run]))


def test_questions_that_were_not_run_have_a_card_that_says_so(tmp_path: Path) -> None:
    asked = [question(n) for n in range(3)]
    page = report_page(
        collect([write_study_run(tmp_path / "a", asked, {"q0": "B"}, failed=["q1"])])
    )
    assert [e["runs"][0]["kind"] for e in unpack(page, "index")] == [
        "correct",
        "not_run",
        "not_run",
    ]
    _, tried, never = unpack(page, "block-0")
    assert tried["runs"][0]["reason"] == "the server did not answer"
    assert never["runs"] == [None]
    assert "INCOMPLETE: 2 of 3 not run" in page


def test_cards_that_are_left_out_are_counted(tmp_path: Path) -> None:
    asked = [question(n) for n in range(5)]
    data = collect([write_study_run(tmp_path / "a", asked, {q.id: "B" for q in asked})])
    page = report_page(data, cards=2)
    assert [entry["id"] for entry in unpack(page, "index")] == ["q0", "q1"]
    assert "first 2 questions; 3 were left out" in " ".join(page.split())
    assert "left out of this file" not in report_page(data)


def test_texts_have_contrast_in_light_and_dark() -> None:
    styles = asset("page.css")
    light, dark = re.findall(r":root\{(--paper[^}]*)\}", styles)[:2]
    for scheme in (light, dark):
        tones = dict(re.findall(r"(--[\w-]+):(#[0-9a-f]{6})", scheme))
        for text, ground in (
            *((f"--{tone}", f"--{tone}-w") for tone in ("good", "bad", "warn")),
            *((tone, "--paper") for tone in ("--ink", "--quiet", "--accent", "--good", "--bad")),
            *((tone, "--wash") for tone in ("--ink", "--quiet")),
            ("--accent", "--tint"),
        ):
            assert contrast(tones[text], tones[ground]) >= 4.5, (text, ground)


def contrast(a: str, b: str) -> float:
    """WCAG 2's contrast ratio of two colours."""
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def luminance(colour: str) -> float:
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_a_page_is_written_whole_and_never_over_a_folder(tmp_path: Path) -> None:
    assert write_page("a\ud800b", tmp_path / "new" / "r.html") == 3
    assert [p.name for p in (tmp_path / "new").iterdir()] == ["r.html"]
    with pytest.raises(InputError, match="is a folder"):
        write_page("x", tmp_path)
