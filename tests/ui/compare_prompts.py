"""Two prompt variants side by side in MLflow's own pages: numbers checked, pictures taken.

    python tests/ui/compare_prompts.py [FOLDER]

Compiles the toy program with a scripted model, follows the study in a store of its own, serves it
with `qkgram ui`, and looks at it in headless Chromium (Debian's package `chromium`). The numbers on
the page must be those of the store. Two pictures are written to FOLDER when one is given.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote
from urllib.request import urlopen

REPO = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPO))

PROMPT = "qkgram.toy.type_domain.predict"
BETTER = "Name the domain that stands in the brackets of the question."
WAIT = 120.0
"""Seconds for the server, and for a page to show what it should."""
WIDTH, HEIGHT = 1360, 800

CLICK = """(label => {
    const controls = [...document.querySelectorAll("button, label, [role=tab], [role=radio]")];
    const found = controls.find(
        c => c.innerText.trim() === label || c.getAttribute("aria-label") === label);
    if (found) found.click();
    return Boolean(found);
})(%s)"""

SHOW = """(heading => {
    const found = [...document.querySelectorAll("h1, h2, h3, h4, h5, span, div, button")]
        .filter(e => e.innerText && e.innerText.trim() === heading).pop();
    if (found) found.scrollIntoView({block: "start"});
    return Boolean(found);
})(%s)"""


def build_store(folder: Path) -> str:
    """Compile one predictor with GEPA and follow it; return the store's address."""
    import dspy

    from optimize.adapter import QkgramAdapter
    from optimize.compile import compile_program
    from optimize.examples import predictor_examples
    from optimize.mlflow_tracker import MlflowTracker
    from optimize.scripted import ScriptedCall, ScriptedLM
    from optimize.study import Study
    from tests.support.toy_program import Toy, toy_questions

    def answer(call: ScriptedCall) -> dict[str, object]:
        if "domain" not in call.fields:
            return dict.fromkeys(call.fields, BETTER)
        gold = re.findall(r"domain (\w+)\]", call.user)[-1]
        return {"domain": gold if BETTER in call.system else "DRUG_THERAPY"}

    toy = Toy()
    train, dev, test = (
        predictor_examples(toy.type_domain.predict, toy_questions(*ends), field="domain")
        for ends in ((0, 9), (9, 16), (16, 28))
    )
    uri = f"sqlite:///{folder / 'mlflow.db'}"
    with dspy.context(lm=ScriptedLM(answer), adapter=QkgramAdapter()):
        compile_program(
            toy,
            Study(
                program="toy",
                predictor="type_domain.predict",
                metric="domain_match",
                optimizer="gepa",
            ),
            train=train,
            dev=dev,
            test=test,
            out=folder / "toy.json",
            tracker=MlflowTracker(uri, experiment="type-domain"),
        )
    return uri


class Page:
    """A page of headless Chromium, driven over its DevTools protocol."""

    def __init__(self, socket_: Any) -> None:
        """Talk over an open web socket."""
        self._socket, self._number = socket_, 0

    async def send(self, method: str, **params: object) -> dict[str, Any]:
        """Send a command and return its result."""
        self._number += 1
        await self._socket.send_json({"id": self._number, "method": method, "params": params})
        while True:
            said = await self._socket.receive_json()
            if said.get("id") == self._number:
                found: dict[str, Any] = said.get("result", {})
                return found

    async def text(self) -> str:
        """Return the text that a reader sees."""
        return str(await self.run("document.body.innerText"))

    async def run(self, script: str) -> Any:
        """Run a script on the page and return its value."""
        said = await self.send("Runtime.evaluate", expression=script, returnByValue=True)
        return said.get("result", {}).get("value")

    async def open(self, address: str, wanted: Sequence[str]) -> str:
        """Open an address, wait until the page shows everything wanted, and return its text."""
        await self.send("Page.navigate", url=address)
        return await self.wait(wanted)

    async def click(self, label: str) -> None:
        """Click the control of this label."""
        if not await self.run(CLICK % json.dumps(label)):
            raise SystemExit(f"the page has no control {label!r}; it shows:\n{await self.text()}")

    async def wait(self, wanted: Sequence[str]) -> str:
        """Wait until the page shows everything wanted, and return its text."""
        until = time.monotonic() + WAIT
        while True:
            text = await self.text()
            missing = [part for part in wanted if part not in text]
            if not missing:
                await asyncio.sleep(1.0)
                return await self.text()
            if time.monotonic() > until:
                raise SystemExit(f"the page never showed {missing}; it shows:\n{text[:3000]}")
            await asyncio.sleep(0.5)

    async def resize(self, width: int) -> None:
        """Make the window this wide, in pixels."""
        await self.send(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=HEIGHT,
            deviceScaleFactor=1,
            mobile=False,
        )

    async def picture(self, path: Path) -> None:
        """Save what is seen as PNG."""
        said = await self.send("Page.captureScreenshot", format="png")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(base64.b64decode(said["data"]))


def free_port() -> int:
    """Return a port that nothing listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(ready: Callable[[], bool], process: subprocess.Popen[bytes]) -> None:
    """Wait until a server answers."""
    until = time.monotonic() + WAIT
    while time.monotonic() < until:
        if process.poll() is not None:
            raise SystemExit(f"{process.args} ended with {process.returncode}")
        try:
            if ready():
                return
        except OSError:
            pass
        time.sleep(0.3)
    raise SystemExit(f"{process.args} did not answer within {WAIT:.0f} s")


def look(uri: str, folder: Path, *, pages: str, pictures: Path | None) -> None:
    """Start Chromium and compare what it shows with the store."""
    port = free_port()
    chromium = subprocess.Popen(
        [
            *("chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run"),
            *("--disable-dev-shm-usage", "--disable-background-networking", "--hide-scrollbars"),
            f"--remote-debugging-port={port}",
            f"--user-data-dir={folder / 'chromium'}",
            f"--window-size={WIDTH},{HEIGHT}",
            "about:blank",
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        list_address = f"http://127.0.0.1:{port}/json/list"
        wait_for(lambda: bool(urlopen(list_address).read()), chromium)
        targets = json.loads(urlopen(list_address).read())
        target = next(t for t in targets if t["type"] == "page")
        asyncio.run(compare(uri, target["webSocketDebuggerUrl"], pages, pictures))
    finally:
        chromium.terminate()
        chromium.wait()


async def compare(uri: str, debugger: str, pages: str, pictures: Path | None) -> None:
    """Open both comparisons."""
    import aiohttp

    async with (
        aiohttp.ClientSession() as session,
        session.ws_connect(debugger, max_msg_size=0) as socket_,
    ):
        page = Page(socket_)
        await page.send("Page.enable")
        await page.resize(WIDTH)
        await compare_prompts(page, uri, pages, pictures)
        await compare_runs(page, uri, pages, pictures)


async def compare_prompts(page: Page, uri: str, pages: str, pictures: Path | None) -> None:
    """Check that both variants of the prompt stand side by side, word for word."""
    client = store(uri)
    versions = list(client.search_prompt_versions(PROMPT))
    if sorted(v.version for v in versions) != [1, 2]:
        raise SystemExit(f"wanted two versions of {PROMPT}, the store holds {len(versions)}")
    experiment = client.get_experiment_by_name("type-domain").experiment_id
    address = f"{pages}/#/experiments/{experiment}/prompts/{quote(PROMPT)}"
    await page.open(address, [PROMPT, "Version 1", "Version 2"])
    await page.run(CLICK % json.dumps("Close"))
    await page.click("Compare")
    text = await page.wait(
        ["Comparing version 2 with version 1", *(v.tags["sha"] for v in versions)]
    )
    for version in versions:
        check(
            words(version.template) in words(text), f"the text of version {version.version}", text
        )
    # As text the page marks the differences, and needs room for both long lines.
    await page.click("Text")
    await page.resize(WIDTH + 350)
    await asyncio.sleep(1.0)
    if pictures is not None:
        await page.picture(pictures / "prompt-versions.png")


async def compare_runs(page: Page, uri: str, pages: str, pictures: Path | None) -> None:
    """Check that the scores of both variants on the page are those of the store."""
    client = store(uri)
    experiment = client.get_experiment_by_name("type-domain").experiment_id
    runs = {run.info.run_name: run for run in client.search_runs([experiment])}
    chosen = [runs["before"], runs["after"]]
    ids = quote(json.dumps([run.info.run_id for run in chosen]))
    address = f"{pages}/#/compare-runs?runs={ids}&experiments={quote(json.dumps([experiment]))}"
    text = await page.open(address, ["dev.score", "dev.low", "Run details", "prompt.type_domain"])
    shown = metrics_on(text)
    stored = {name: [run.data.metrics[name] for run in chosen] for name in chosen[0].data.metrics}
    for name, values in stored.items():
        # The page rounds to three decimals.
        close = all(abs(a - b) <= 0.0005 for a, b in zip(shown.get(name, []), values, strict=True))
        check(close, f"{name} as {values}, it shows {shown.get(name)}", text)
    await page.resize(WIDTH)
    await page.run(CLICK % json.dumps("Close"))
    await page.run(SHOW % json.dumps("Metrics"))
    await asyncio.sleep(1.0)
    if pictures is not None:
        await page.picture(pictures / "prompt-scores.png")
    sys.stdout.write("".join(f"{name}: {values}\n" for name, values in sorted(shown.items())))


def metrics_on(text: str) -> dict[str, list[float]]:
    """Read the metrics table of the page: the names, then two values for each."""
    rows = text.partition("\nMetrics\nShow diff only\n")[2].partition("\nArtifacts\n")[0].split()
    names = [row for row in rows if row.startswith("dev.")]
    values = [float(row) for row in rows[len(names) :]]
    return {name: values[2 * n : 2 * n + 2] for n, name in enumerate(names)}


def words(text: str) -> str:
    """Return the words alone: the page sets headings and line breaks its own way."""
    return " ".join(text.replace("#", " ").split())


def check(right: bool, what: str, text: str) -> None:
    """End with what the page lacks."""
    if not right:
        raise SystemExit(f"the page should show {what}; it shows:\n{text[:3000]}")


def store(uri: str) -> Any:
    """Return a client of the store."""
    from mlflow import MlflowClient

    return MlflowClient(tracking_uri=uri, registry_uri=uri)


def main(pictures: Path | None) -> None:
    """Build, serve, look."""
    if shutil.which("chromium") is None:
        raise SystemExit("chromium is not here; install it with: apt-get install chromium")
    with TemporaryDirectory() as name:
        folder = Path(name)
        uri = build_store(folder)
        port = free_port()
        qkgram = "import sys; from optimize.cli import main; sys.exit(main())"
        ui = [sys.executable, "-c", qkgram, "ui", "--tracking", uri, "--port", str(port)]
        server = subprocess.Popen(ui, cwd=REPO, env=os.environ, start_new_session=True)
        try:
            pages = f"http://127.0.0.1:{port}"
            wait_for(lambda: urlopen(pages).status == 200, server)
            look(uri, folder, pages=pages, pictures=pictures)
        finally:
            os.killpg(server.pid, signal.SIGTERM)
            server.wait()
    sys.stdout.write("prompts and scores on the pages are those of the store\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
