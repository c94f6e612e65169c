from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from optimize.figures import Setting, draw_validation, settings_of
from optimize.results import Results, read_results
from signatures.errors import InputError

HEADER = "sample_key,gold_answer,reasoner_answer,final_answer,reasoner_correct,final_correct\n"


@pytest.fixture
def run(tmp_path: Path) -> Results:
    path = tmp_path / "with_context.csv"
    path.write_text(f"{HEADER}q1,A,B,A,0,1\nq2,A,A,C,1,0\nq3,A,B,A,0,1\nq4,A,A,A,1,1\n")
    return read_results(path)


def test_bars_are_the_first_answers_and_each_run(run: Results) -> None:
    none, bar = settings_of([run])
    assert (none.name, none.accuracy, none.wrong_to_correct) == ("No validator", 0.5, 0)
    assert (bar.name, bar.accuracy) == ("with_context", 0.75)
    assert (bar.wrong_to_correct, bar.correct_to_wrong, bar.total) == (2, 1, 4)


@pytest.mark.parametrize("suffix", ["svg", "png"])
def test_the_same_runs_give_the_same_file(run: Results, tmp_path: Path, suffix: str) -> None:
    settings = settings_of([run])
    one, two = (
        draw_validation(settings, tmp_path / "new" / f"{name}.{suffix}", title="Validation")
        for name in ("one", "two")
    )
    assert one.read_bytes() == two.read_bytes()


def test_the_svg_is_readable_and_names_the_numbers(run: Results, tmp_path: Path) -> None:
    path = draw_validation(settings_of([run]), tmp_path / "f.svg", title="T")
    text = path.read_text(encoding="utf-8")
    assert ElementTree.fromstring(text).tag.endswith("svg")
    assert all(word in text for word in ("with_context", "75.00", "wrong to correct"))


def test_the_png_is_one(run: Results, tmp_path: Path) -> None:
    path = draw_validation(settings_of([run]), tmp_path / "f.png", title="T")
    assert path.read_bytes().startswith(b"\x89PNG")


def test_another_ending_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"\.svg or \.png"):
        draw_validation([], tmp_path / "f.gif", title="T")
    with pytest.raises(InputError, match="at least one run"):
        draw_validation([], tmp_path / "f.svg", title="T")


@pytest.mark.parametrize(
    ("validator", "expected"),
    [
        ("haiku", [("77.50", 0, 0), ("78.11", 39, 22), ("78.91", 55, 16)]),
        ("qwen", [("77.50", 0, 0), ("83.28", 177, 16), ("83.51", 204, 38)]),
    ],
)
def test_bars_of_figures_2_and_4(
    shared_data: Path, validator: str, expected: list[tuple[str, int, int]]
) -> None:
    folder = shared_data / "qkg_results" / "data_result" / "per_sample"
    bars: tuple[Setting, ...] = settings_of(
        [read_results(folder / f"{validator}_{setting}.csv") for setting in ("nopc", "wpc")]
    )
    found = [(f"{100 * b.accuracy:.2f}", b.wrong_to_correct, b.correct_to_wrong) for b in bars]
    assert found == expected
