"""The report in a real browser, from a file: filters, cards, graph, links, keys, hostile texts.

    python tests/ui/report.py                          checks a study of hostile texts
    python tests/ui/report.py FOLDER RUN...            checks it, and takes pictures of these runs

Headless Chromium (Debian's package `chromium`) opens the file as a reader does. A console error, a
script of a text that ran, or a request to anything but the file itself is a failure.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
import sys
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote
from urllib.request import urlopen

REPO = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPO))

from tests.ui.compare_prompts import Page, check, free_port, wait_for  # noqa: E402

WIDTH, HEIGHT = 1400, 900
KEYS = {"Enter": 13, "Escape": 27, "ArrowDown": 40, "ArrowRight": 39, "Tab": 9}
SEEN = "document.querySelectorAll('.row').length"
CARD = "document.getElementById('card')"


class Watched(Page):
    """A page whose requests, errors and broken promises are kept."""

    def __init__(self, socket_: Any) -> None:
        """Talk over an open web socket."""
        super().__init__(socket_)
        self.requests: list[str] = []
        self.errors: list[str] = []

    async def send(self, method: str, **params: object) -> dict[str, Any]:
        """Send a command and return its result, keeping what the page did meanwhile."""
        self._number += 1
        await self._socket.send_json({"id": self._number, "method": method, "params": params})
        while True:
            said = await self._socket.receive_json()
            if said.get("id") == self._number:
                found: dict[str, Any] = said.get("result", {})
                return found
            self._keep(said.get("method"), said.get("params", {}))

    def _keep(self, method: str, params: dict[str, Any]) -> None:
        if method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        elif method == "Runtime.exceptionThrown":
            self.errors.append(json.dumps(params["exceptionDetails"])[:400])
        elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "assert"):
            self.errors.append(json.dumps(params["args"])[:400])
        elif method == "Log.entryAdded" and params["entry"]["level"] == "error":
            self.errors.append(params["entry"]["text"])

    async def press(self, key: str) -> None:
        """Press and let go of a key."""
        code = KEYS.get(key, ord(key[0].upper()))
        text = {"text": "\r"} if key == "Enter" else {"text": key} if len(key) == 1 else {}
        await self.send(
            "Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=code, **text
        )
        await self.send("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)
        await asyncio.sleep(0.15)

    async def until(self, script: str, what: str) -> None:
        """Wait until a script is true."""
        for _ in range(300):
            if await self.run(script):
                return
            await asyncio.sleep(0.1)
        raise SystemExit(f"the page should show {what} ({script}); errors: {self.errors}")

    async def show(self, address: str) -> None:
        """Open an address anew and wait until the page is ready."""
        await self.send("Page.navigate", url="about:blank")
        await self.send("Page.navigate", url=address)
        await self.until("document.body && document.body.dataset.ready === '1'", "its list")

    async def choose(self, name: str, value: str) -> None:
        """Choose an option of a filter, or type into the field."""
        await self.run(
            f"(() => {{ const e = document.getElementById({json.dumps('f-' + name)});"
            f"e.value = {json.dumps(value)};"
            "e.dispatchEvent(new Event('input', {bubbles: true})); })()"
        )

    async def picture_of(self, path: Path, *, height: int = HEIGHT, dark: bool = False) -> None:
        """Save what is seen, in light or dark, as PNG."""
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        await self.send("Emulation.setEmulatedMedia", features=scheme)
        await self.size(height)
        await asyncio.sleep(0.8)
        await self.picture(path)

    async def size(self, height: int) -> None:
        """Make the window this high."""
        metrics = {"width": WIDTH, "height": height, "deviceScaleFactor": 1, "mobile": False}
        await self.send("Emulation.setDeviceMetricsOverride", **metrics)


async def filters(page: Watched) -> None:
    """Every filter narrows the list, and clearing them brings all back."""
    every = await page.run(SEEN)
    for name, value, wanted in (
        ("outcome", "wrong", 3),
        ("change", "W→C", 2),
        ("change", "differ", 3),
        ("source", "odd", 3),
        ("mode", "HYBRID", every),
        ("program", "other", every),
        ("text", "zero", 1),
        ("text", "no such words", 0),
    ):
        await page.choose(name, value)
        found = await page.run(SEEN)
        check(found == wanted, f"{wanted} questions with {name} {value}, not {found}", "")
        await page.run("document.getElementById('filters').reset()")
        await page.until(f"{SEEN} === {every}", "every question again")


async def keyboard(page: Watched) -> None:
    """The way from the filter to a card, to the next one and back, by keys alone."""
    await page.run("document.body.tabIndex = -1; document.body.focus()")
    await page.press("/")
    await page.until("document.activeElement.id === 'f-text'", "the filter in focus")
    await page.press("ArrowDown")
    await page.until("document.activeElement.className === 'row'", "the first question in focus")
    await page.press("Enter")
    await page.until(f"{CARD}.open && location.hash === '#q=q0'", "the card of q0")
    await page.until(f"{CARD}.contains(document.activeElement)", "the focus in the card")
    await page.press("ArrowRight")
    await page.until("location.hash === '#q=q1'", "the card of q1")
    await page.press("Escape")
    await page.until(f"!{CARD}.open && location.hash === ''", "no card")
    await page.until("document.activeElement.className === 'row'", "the focus back in the list")


async def card(page: Watched, address: str) -> None:
    """A deep link opens its card; the card shows patient, claims, audit, graph, prompts."""
    await page.show(f"{address}#q={quote('q2')}")
    await page.until(f"{CARD}.open", "the card of the link")
    text = str(await page.run(f"{CARD}.textContent"))
    for part in (
        "CONTRADICTED",
        "Definitely NOT Applicable",
        "from 'eGFR of 24'",
        "What changed, and why",
        "is below 0.5",
        "what nobody knows",
        "emit_claims",
    ):
        check(part in text, repr(part), text)
    check("age 62 years" in text, "the patient", text)
    check(await page.run("document.querySelectorAll('mark').length") == 2, "two spans", text)
    await page.run("document.querySelectorAll('[role=tab]')[1].click()")
    await page.until("document.querySelectorAll('[role=tab][aria-selected=true]').length === 1", "")
    await graph(page)


async def graph(page: Watched) -> None:
    """Nodes are drawn, light up, move and zoom."""
    nodes = await page.run("document.querySelectorAll('.net .node').length")
    check(nodes > 10, f"a graph, it has {nodes} nodes", "")
    await page.run("document.querySelector('.fact').dispatchEvent(new MouseEvent('mouseenter'))")
    await page.until("document.querySelectorAll('.net line.lit').length === 1", "one lit triplet")
    await page.run("document.querySelector('.fact').dispatchEvent(new MouseEvent('mouseleave'))")
    view = "document.querySelector('.net svg > g').getAttribute('transform')"
    await page.run("document.querySelector('.net svg').focus({preventScroll: true})")
    await page.press("+")
    await page.until(f"({view} || '').includes('scale(1.25)')", "a larger picture")
    await page.press("0")
    await page.until(f"{view} === 'translate(0 0) scale(1)'", "the picture as it was")
    await page.run("document.querySelector('.net').scrollIntoView({block: 'center'})")
    box = await page.run(
        "(() => { const b = document.querySelector('.net .node .shape').getBoundingClientRect();"
        "return [b.x + b.width / 2, b.y + b.height / 2]; })()"
    )
    place = "document.querySelector('.net .node').getAttribute('transform')"
    before = await page.run(place)
    for kind, shift in (("mousePressed", 0), ("mouseMoved", 40), ("mouseReleased", 40)):
        await page.send(
            "Input.dispatchMouseEvent",
            type=kind,
            x=box[0] + shift,
            y=box[1] + shift,
            button="left",
            buttons=1,
            clickCount=1,
        )
    check(await page.run(place) != before, "a node that was dragged", str(before))


async def checks(page: Watched, study: Path, one: Path) -> None:
    """All checks of the study, then of the page of one question."""
    address = study.as_uri()
    await page.show(address)
    await filters(page)
    await keyboard(page)
    await card(page, address)
    for number in range(7):
        await page.show(f"{address}#q=q{number}")
        await page.until(f"{CARD}.open", f"the card of q{number}")
    wide = await page.run("document.documentElement.scrollWidth > window.innerWidth")
    check(not wide, "no sideways scrolling", "")
    await page.show(one.as_uri())
    await page.until("document.querySelectorAll('.net .node').length > 3", "the card of one")
    broken = await page.run("window.broken === undefined")
    check(broken is True, "hostile texts as text; one of them ran", "")
    check(not page.errors, "no error in the console", "\n".join(page.errors))
    outside = [url for url in page.requests if not url.startswith(("file://", "data:", "about:"))]
    check(not outside, "no request", "\n".join(outside))


async def pictures(page: Watched, report: Path, folder: Path) -> None:
    """Take the pictures of the README."""
    address = report.as_uri()
    await page.show(address)
    await page.picture_of(folder / "report-results.png", height=1000)
    await page.show(address)
    await page.run("document.getElementById('h-figures').scrollIntoView()")
    await page.picture_of(folder / "report-figures.png", height=690)
    last = await page.run(
        "[...document.querySelectorAll('.row')].filter(r => r.textContent.includes('runs differ'))"
        ".map(r => r.querySelector('.id').textContent)[0] || "
        "document.querySelector('.row .id').textContent"
    )
    first = await page.run("document.querySelector('.row .id').textContent")
    await page.run("document.getElementById('questions').scrollIntoView()")
    await page.picture_of(folder / "report-questions.png", height=760, dark=True)
    await page.show(f"{address}#q={quote(str(last))}")
    await page.until(f"{CARD}.open", "a card")
    await page.picture_of(folder / "report-card.png", height=1040)
    await page.show(f"{address}#q={quote(str(first))}")
    await page.until(f"{CARD}.open", "a card")
    await page.run(
        "document.querySelector('details.fold').open = true;"
        "document.querySelector('details.fold').closest('section').scrollIntoView();"
        f"{CARD}.scrollTop -= 80"
    )
    await page.picture_of(folder / "report-claims.png", height=820)
    most = (
        "(async () => { let best = [0, '']; for (const row of document.querySelectorAll('.row')) {"
        "row.click(); await new Promise(r => setTimeout(r, 120));"
        "const n = document.querySelectorAll('#card .net .node').length;"
        "if (n > best[0]) best = [n, row.querySelector('.id').textContent]; } return best[1]; })()"
    )
    await page.show(address)
    said = await page.send(
        "Runtime.evaluate", expression=most, returnByValue=True, awaitPromise=True
    )
    await page.show(f"{address}#q={quote(said['result']['value'])}")
    await page.until(f"{CARD}.open", "a card")
    await page.run(f"document.querySelector('.net').scrollIntoView(); {CARD}.scrollTop -= 100")
    await page.picture_of(folder / "report-graph.png", height=820)


def write_study(folder: Path) -> tuple[Path, Path]:
    """Write a report of two runs whose texts are hostile, and the page of one question."""
    from optimize.report.collect import collect
    from optimize.report.page import card_page, report_page
    from tests.support.report_study import HOSTILE, question, trace, write_study_run

    asked = [question(n, words=text) for n, text in enumerate(HOSTILE)]

    def said(n: int) -> dict[str, Any]:
        made = trace(n, why=HOSTILE[n])
        made["response"]["selected_option_text"] = HOSTILE[n]
        made["hops"][0]["region"]["triplets"][1]["tail"]["name"] = HOSTILE[n]
        return made

    runs = [
        write_study_run(
            folder / name,
            asked,
            {q.id: letter for q, letter in zip(asked, letters, strict=True)},
            firsts={q.id: letter for q, letter in zip(asked, firsts, strict=True)},
            traces=said,
            program=program,
        )
        for name, program, letters, firsts in (
            ("a", "made", "BBBAAAB", "AABAAAB"),
            ("b", "other", "BBBBBBB", "BBBBBBB"),
        )
    ]
    study, one = folder / "study.html", folder / "one.html"
    study.write_text(report_page(collect(runs, names=[HOSTILE[0], "b"])), encoding="utf-8")
    alone = write_study_run(folder / "c", asked[:1], {"q0": "B"}, traces=said)
    one.write_text(card_page(collect([alone])), encoding="utf-8")
    return study, one


def browse(folder: Path, visit: Callable[[Watched], Awaitable[None]]) -> None:
    """Start Chromium, visit, end it."""
    port = free_port()
    flags = ("--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run")
    quiet = ("--disable-dev-shm-usage", "--disable-background-networking", "--hide-scrollbars")
    own = (f"--remote-debugging-port={port}", f"--user-data-dir={folder / 'chromium'}")
    chromium = subprocess.Popen(
        ["chromium", *flags, *quiet, *own, "about:blank"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        pages = f"http://127.0.0.1:{port}/json/list"
        wait_for(lambda: bool(urlopen(pages).read()), chromium)
        target = next(t for t in json.loads(urlopen(pages).read()) if t["type"] == "page")
        asyncio.run(connect(target["webSocketDebuggerUrl"], visit))
    finally:
        chromium.terminate()
        chromium.wait()


async def connect(address: str, visit: Callable[[Watched], Awaitable[None]]) -> None:
    """Open the page's web socket and visit."""
    import aiohttp

    async with (
        aiohttp.ClientSession() as session,
        session.ws_connect(address, max_msg_size=0) as socket_,
    ):
        page = Watched(socket_)
        for domain in ("Page", "Runtime", "Log", "Network"):
            await page.send(f"{domain}.enable")
        await page.size(HEIGHT)
        await visit(page)


def main(folder: Path | None, runs: Sequence[Path]) -> None:
    """Write, look, and take pictures when they are asked for."""
    if shutil.which("chromium") is None:
        raise SystemExit("chromium is not here; install it with: apt-get install chromium")
    with TemporaryDirectory() as name:
        place = Path(name)
        study, one = write_study(place)
        browse(place, lambda page: checks(page, study, one))
        if folder is not None and runs:
            from optimize.report.collect import collect
            from optimize.report.page import report_page

            report = place / "report.html"
            report.write_text(report_page(collect(runs)), encoding="utf-8")
            browse(place, lambda page: pictures(page, report, folder))
    sys.stdout.write("filters, cards, graph, links and keys work; no error, no request\n")


if __name__ == "__main__":
    given = [Path(word) for word in sys.argv[1:]]
    main(given[0] if given else None, given[1:])
