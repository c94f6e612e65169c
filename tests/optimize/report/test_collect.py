from __future__ import annotations

from pathlib import Path

import pytest

from optimize.report.collect import collect
from optimize.report.prompts import program_prompts
from optimize.report.table_set import PLOTS, TABLES, remove_older, summary_tables, write_files
from optimize.report.tables import headline, paired
from signatures.errors import InputError
from tests.support.report_study import question, write_study_run

ASKED = [question(n) for n in range(6)]


def answers(letters: str) -> dict[str, str]:
    return {q.id: letter for q, letter in zip(ASKED, letters, strict=False)}


def test_numbers_tests_and_revisions_come_from_the_rows(tmp_path: Path) -> None:
    a = write_study_run(tmp_path / "a", ASKED, answers("BBBAAA"), firsts=answers("BAAAAA"))
    b = write_study_run(tmp_path / "b", ASKED, answers("BBBBBA"))
    data = collect([a, b])
    rows = {row[0]: row for row in headline(data).table.rows}
    assert rows["a"][1:7] == ("6", "50.00", "18.8 to 81.2", "16.67", "2", "0")
    assert rows["b"][4:] == ("—", "—", "—", "complete")
    first, between = data.comparisons
    assert (first.a, first.b, first.fixes, first.breaks) == ("a, first answer", "a", 2, 0)
    assert (between.fixes, between.p, between.p_holm) == (2, 0.5, 1.0)
    assert not data.incomplete


def test_an_incomplete_run_says_so_and_a_failed_row_is_not_wrong(tmp_path: Path) -> None:
    run = write_study_run(tmp_path / "a", ASKED, answers("BBB"), failed=["q3"])
    data = collect([run])
    (row,) = headline(data).table.rows
    assert (row[1], row[2]) == ("3", "100.00")
    assert row[-1] == "INCOMPLETE: 3 of 6 not run"
    assert data.incomplete
    assert any("incomplete" in note for note in data.notes)


def test_runs_of_different_questions_stand_side_by_side(tmp_path: Path) -> None:
    a = write_study_run(tmp_path / "a", ASKED[:3], answers("BBB"))
    b = write_study_run(tmp_path / "b", ASKED[3:], {q.id: "A" for q in ASKED[3:]})
    data = collect([a, b])
    assert data.comparisons == ()
    assert any("share no answered question" in note for note in data.notes)
    assert "paired" not in [shown.name for shown in summary_tables(data)]


def test_no_p_value_of_questions_that_were_tuned_on(tmp_path: Path) -> None:
    tuned = [q.model_copy(update={"split": "dev"}) for q in ASKED]
    a = write_study_run(tmp_path / "a", tuned, answers("BBBAAA"))
    b = write_study_run(tmp_path / "b", tuned, answers("BBBBBA"))
    data = collect([a, b])
    (row,) = paired(data).table.rows
    assert row[10:12] == ("withheld", "withheld")
    assert any("no p-value" in note for note in data.notes)


def test_an_empty_run_and_an_unknown_program(tmp_path: Path) -> None:
    empty = write_study_run(tmp_path / "empty", [], {})
    other = write_study_run(tmp_path / "other", ASKED, answers("BBBAAA"), program="<b>none</b>")
    data = collect([empty, other])
    assert [row[-1] for row in headline(data).table.rows] == ["empty", "complete"]
    assert data.prompts == {}
    assert write_files(data, tmp_path / "tables")


def test_a_folder_that_is_no_run_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no run there"):
        collect([tmp_path])


def test_the_conditions_of_the_paper_are_named(tmp_path: Path) -> None:
    options = ({}, {"use_context": False}, {"validator": "none"}, {"shuffle": 3})
    runs = [
        write_study_run(tmp_path / str(n), ASKED, answers("B"), program="qkg", settings=option)
        for n, option in enumerate(options)
    ]
    assert [part.setting for part in collect(runs).parts] == [
        "qkg, KG with patient context",
        "qkg, KG without patient context",
        "qkg, no validator",
        "qkg, KG with shuffled context",
    ]


def test_every_table_is_three_files_and_every_plot_two(tmp_path: Path) -> None:
    run = write_study_run(tmp_path / "a", ASKED, answers("BBBAAA"), firsts=answers("BAAAAA"))
    data = collect([run])
    names = {path.name for path in write_files(data, tmp_path / "out")}
    for table in ("headline", "qkg_settings", "regram_sources", "regram_modes", "calibration"):
        assert {f"{table}.csv", f"{table}.md", f"{table}.tex"} <= names
    for plot in ("accuracy", "flips", "modes", "risk_coverage", "calibration", "stages"):
        assert {f"{plot}.svg", f"{plot}.png"} <= names
    again = write_files(data, tmp_path / "again")
    assert all(p.read_bytes() == (tmp_path / "out" / p.name).read_bytes() for p in again)


def test_prompts_are_those_that_a_model_is_sent() -> None:
    digest, texts = program_prompts("direct")
    assert len(digest) == 16
    assert all("{{question}}" in text for text in texts.values())


def test_files_of_an_older_report_are_removed_and_no_others(tmp_path: Path) -> None:
    rich = write_study_run(tmp_path / "a", ASKED, answers("BBBAAA"), firsts=answers("BAAAAA"))
    poor = write_study_run(tmp_path / "b", ASKED, answers("BBBAAA"))
    out = tmp_path / "out"
    older = set(write_files(collect([rich]), out))
    assert {path.stem for path in older} <= {*TABLES, *PLOTS}
    own = out / "flips.xlsx"
    own.write_text("mine")
    kept = write_files(collect([poor]), out)
    removed = remove_older(out, kept)
    assert out / "flips.svg" in removed
    assert set(removed) == older - set(kept)
    assert set(out.iterdir()) == {*kept, own}
