"""Ablation studies: real runs over a scripted server, and reports over runs written by hand."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from data.paths import sample_dir
from data.questions import read_questions
from optimize.ablating import Plan, check_study, plan_study, report_study, run_study
from optimize.ablation_records import StudyReport
from optimize.ablation_studies import FULL, GRID, STUDIES, Variant, study_variants
from optimize.ablation_tables import grid_table, study_markdown, study_tables
from optimize.formats import to_csv
from optimize.row_files import record_line
from optimize.runs import read_run
from optimize.settings import Settings, changed, load_settings
from optimize.toolbox import open_sample
from signatures.errors import InputError, RunIncomplete
from tests.support.cache import memory_cache
from tests.support.fake_openai import Body, FakeOpenAI
from tests.support.run_folder import make_question, write_run

REPO = Path(__file__).resolve().parents[2]
REPLY = json.dumps({"answer": "B", "claims": [], "reasoning": "because"})
COUNT = 3


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QKGRAM_HOME", str(tmp_path / "home"))
    with memory_cache():
        yield tmp_path


def serve(place: Path, url: str, *, cache: bool = False) -> Settings:
    text = f'[model]\nmodel="toy"\napi_base="{url}"\nretries=0\ncache={str(cache).lower()}\n'
    (place / "qkgram.toml").write_text(text)
    return load_settings()


def study(place: Path, settings: Settings, *only: str) -> StudyReport:
    questions = read_questions(sample_dir() / "questions.jsonl")[:COUNT]
    return run_study(
        "qkg",
        questions,
        study="qkg",
        settings=settings,
        selection={"file": "questions.jsonl"},
        out=place / "study",
        only=only,
    )


def bytes_of(folder: Path) -> bytes:
    return (folder / "rows.jsonl").read_bytes()


# --- studies as data -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", STUDIES)
def test_every_variant_changes_a_setting_that_exists(name: str) -> None:
    names = [variant.name for variant in STUDIES[name]]
    assert len(set(names)) == len(names)
    for variant in STUDIES[name]:
        assert variant.programs
        made = changed(Settings(), variant.changes)
        assert made != Settings() or variant.name in {
            "H=3",
            "K=15",
            "lambda=0.7",
            "direct-validator",
        }


def test_the_grid_is_of_the_regram_study() -> None:
    known = {FULL, *(variant.name for variant in STUDIES["regram"])}
    assert {name for _, *names in GRID for name in names} <= known


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("regrm", "regram", ()), "did you mean 'regram'"),
        (("regram", "direct", ()), "is of kgarevion, qkgram, regram; it changes nothing of direct"),
        (("regram", "regram", ("no-mm",)), "did you mean 'no-mmr'"),
        (("regram", "qkgram", ("no-reviewer",)), "has no variant 'no-reviewer'"),
    ],
)
def test_a_wrong_name_is_one_line(arguments: tuple[str, str, tuple[str, ...]], said: str) -> None:
    name, program, only = arguments
    with pytest.raises(InputError, match=said):
        study_variants(name, program, only=only)


def test_a_variant_like_the_full_program_shares_its_run(tmp_path: Path) -> None:
    plans = plan_study("hops", "regram", settings=Settings(), out=tmp_path)
    same = {plan.variant.name: plan.same_as for plan in plans}
    assert same == {
        "full": None,
        "H=1": None,
        "H=3": "full",
        "H=5": None,
        "H=7": None,
        "H=10": None,
    }
    assert {plan.folder.name for plan in plans if plan.same_as} == {"full"}
    deeper = changed(Settings(), {"program.max_hops": 5})
    plans = plan_study("hops", "regram", settings=deeper, out=tmp_path)
    assert [plan.variant.name for plan in plans if plan.same_as] == ["H=5"]


# --- real runs -----------------------------------------------------------------------------------


def test_each_variant_is_a_run_and_nothing_is_asked_twice(place: Path) -> None:
    with FakeOpenAI(lambda body: REPLY) as server:
        settings = serve(place, server.url)
        report = study(place, settings, "no-context", "direct-validator")
        asked = len(server.requests)
        again = study(place, settings, "no-context", "direct-validator", "no-validator")
        more = len(server.requests) - asked
    assert (asked, more) == (2 * COUNT, COUNT)
    assert not report.incomplete
    assert {p.name for p in (place / "study").iterdir()} == {"full", "no-context", "no-validator"}
    cards = {
        v.name: read_run(place / "study" / v.name).card for v in again.variants if not v.same_as
    }
    programs = {name: card.identity.settings["program"] for name, card in cards.items()}
    assert programs["no-context"]["use_context"] is False
    assert programs["full"]["use_context"] is True
    assert programs["no-validator"]["validator"] == "none"
    assert len({card.identity.fingerprint for card in cards.values()}) == 3
    shared = again.named("direct-validator")
    assert shared is not None
    assert (shared.same_as, shared.summary) == ("full", again.variants[0].summary)


def test_cached_answers_are_shared(place: Path) -> None:
    with FakeOpenAI(lambda body: REPLY) as server:
        report = study(place, serve(place, server.url, cache=True), "no-context")
        assert len(server.requests) == COUNT
    other = report.named("no-context")
    assert other is not None
    assert other.summary is not None
    assert (other.summary.usage.calls, other.summary.usage.cached) == (0, COUNT)


def test_one_budget_for_all_and_an_incomplete_variant_is_never_compared(place: Path) -> None:
    with FakeOpenAI(lambda body: REPLY) as server:
        settings = serve(place, server.url)
        short = changed(settings, {"budget.max_calls": COUNT + 1})
        report = study(place, short, "no-context", "no-validator")
        assert len(server.requests) == COUNT + 1
        assert report.incomplete
        assert "budget of 4 calls is spent" in str(report.stopped)
        states = {variant.name: variant.state for variant in report.variants}
        assert states == {
            "full": "complete",
            "no-validator": f"INCOMPLETE: {COUNT - 1} of {COUNT} not run",
            "no-context": "not begun",
        }
        assert all(variant.comparison is None for variant in report.variants)
        with pytest.raises(RunIncomplete, match="left: no-validator, no-context"):
            check_study(report)
        first = bytes_of(place / "study" / "no-validator")
        whole = study(place, settings, "no-context", "no-validator")
        assert len(server.requests) == 3 * COUNT
    assert bytes_of(place / "study" / "no-validator").startswith(first)
    assert [v.comparison is not None for v in whole.variants] == [False, True, True]
    check_study(whole)


def test_other_settings_are_refused(place: Path) -> None:
    with FakeOpenAI(lambda body: REPLY) as server:
        settings = serve(place, server.url)
        study(place, settings, "no-context")
        with pytest.raises(InputError, match="region.k: 15 there, 5 now"):
            study(place, changed(settings, {"region.k": 5}), "no-context")


def test_kill_9_between_variants_and_resume(place: Path) -> None:
    open_sample()
    started: list[subprocess.Popen[str]] = []
    killing = [True]

    def reply(body: Body) -> str:
        if killing[0] and len(server.requests) > COUNT:
            started[0].send_signal(signal.SIGKILL)
        return REPLY

    with FakeOpenAI(reply) as server:
        serve(place, server.url)
        arguments = ["qkg", "--study", "qkg", "--only", "no-context", "--out", "study", "--json"]
        started.append(start(place, *arguments))
        started[0].communicate(timeout=120)
        assert started[0].returncode == -signal.SIGKILL
        before = bytes_of(place / "study" / "full")
        assert before.count(b"\n") == COUNT
        killing[0] = False
        resumed = start(place, *arguments)
        out, err = resumed.communicate(timeout=120)
        assert resumed.returncode == 0, err
        assert len(server.requests) == COUNT + 1 + COUNT
    assert bytes_of(place / "study" / "full") == before
    found = json.loads(out)
    assert [variant["state"] for variant in found["variants"]] == ["complete", "complete"]
    assert (place / "study" / "ablation.md").read_text().startswith("# Ablation qkg of qkg")


def start(place: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [
            sys.executable,
            "-c",
            "from optimize.cli import main; main()",
            *("ablate", *arguments, "--sample", str(COUNT)),
        ],
        cwd=place,
        env={**os.environ, "PYTHONPATH": str(REPO)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


# --- reports over runs written by hand -----------------------------------------------------------

QUESTIONS = tuple(make_question(number, split="test") for number in range(12))


def answers(right: int, *, first: int = 0) -> dict[str, str | None]:
    inside = range(first, first + right)
    return {q.id: "A" if number in inside else "B" for number, q in enumerate(QUESTIONS)}


def report(folder: Path, runs: Mapping[str, Mapping[str, str | None]]) -> StudyReport:
    for name, said in runs.items():
        write_run(folder / name, QUESTIONS, said)
    plans = [
        Plan(Variant(name, {}, "", frozenset()), Settings(), folder / name, None) for name in runs
    ]
    return report_study("regram", "regram", plans, settings=Settings(), out=folder)


def test_differences_are_to_the_full_program_and_holm_is_over_the_study(tmp_path: Path) -> None:
    found = report(
        tmp_path,
        {"full": answers(10), "no-multihop": answers(2), "no-domain-prior": answers(10, first=1)},
    )
    multihop, prior = found.named("no-multihop"), found.named("no-domain-prior")
    assert multihop is not None
    assert prior is not None
    assert multihop.comparison is not None
    assert prior.comparison is not None
    a, b = multihop.comparison, prior.comparison
    assert (a.a, a.b, a.fixes, a.breaks) == ("full", "no-multihop", 0, 8)
    assert a.difference == pytest.approx(-8 / 12)
    assert a.p == pytest.approx(2 * 0.5**8)
    assert a.p_holm == pytest.approx(2 * a.p)
    assert (b.fixes, b.breaks, b.p, b.p_holm) == (1, 1, 1.0, 1.0)
    assert found.variants[0].comparison is None


def test_the_two_by_two_needs_all_four(tmp_path: Path) -> None:
    names = ("full", "no-multihop", "no-domain-prior", "no-prior-no-multihop")
    whole = report(tmp_path / "a", {name: answers(n) for n, name in enumerate(names, start=3)})
    rows = grid_table(whole).rows
    assert [row[0] for row in rows] == ["domain prior", "no domain prior"]
    assert [[cell.split()[0] for cell in row[1:]] for row in rows] == [
        ["25.0", "33.3"],
        ["41.7", "50.0"],
    ]
    part = report(tmp_path / "b", {name: answers(3) for name in names[:3]})
    assert not grid_table(part).rows


def test_tables_say_what_is_incomplete(tmp_path: Path) -> None:
    half = {key: said for key, said in answers(5).items() if key not in {"q0", "q11"}}
    found = report(tmp_path, {"full": answers(10), "no-mmr": half, "no-reviewer": answers(9)})
    assert found.incomplete
    for table in study_tables(found):
        assert all(len(row) == len(table.header) for row in table.rows)
    accuracy, cost = (to_csv(table) for table in study_tables(found))
    line = next(line for line in accuracy.splitlines() if line.startswith("no-mmr"))
    assert line == "no-mmr,INCOMPLETE: 2 of 12 not run,—,—,—,—,—,—"
    assert ",2,INCOMPLETE: 2 of 12 not run" in cost
    reviewer = found.named("no-reviewer")
    assert reviewer is not None
    assert reviewer.comparison is not None
    assert reviewer.comparison.p_holm == reviewer.comparison.p
    page = study_markdown(found)
    assert "| no-mmr | INCOMPLETE: 2 of 12 not run |" in page
    assert "Preset: none" in page


def test_an_incomplete_full_program_compares_nothing(tmp_path: Path) -> None:
    half = {key: said for key, said in answers(5).items() if key != "q0"}
    found = report(tmp_path, {"full": half, "no-mmr": answers(5)})
    assert all(variant.comparison is None for variant in found.variants)


def test_questions_without_gold_are_summed_up_and_not_compared(tmp_path: Path) -> None:
    plain = [q.model_copy(update={"gold": None, "labelled": False}) for q in QUESTIONS]
    for name in ("full", "no-mmr"):
        folder = write_run(tmp_path / name, QUESTIONS, answers(3))
        (folder / "questions.jsonl").write_text("".join(map(record_line, plain)))
    plans = [
        Plan(Variant(n, {}, "", frozenset()), Settings(), tmp_path / n, None)
        for n in ("full", "no-mmr")
    ]
    found = report_study("regram", "regram", plans, settings=Settings(), out=tmp_path)
    assert not found.incomplete
    assert found.variants[1].comparison is None
    assert "| no-mmr | no gold |" in study_markdown(found)
