"""QKG's tables 1 and 2 from the release: printed, recomputed and released figures apart."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from optimize.auditing import compare_audits
from optimize.released_audit import audit_release
from signatures.errors import InputError

HEADER = "sample_key,gold_answer,reasoner_answer,final_answer,reasoner_correct,final_correct\n"
CASES = (
    "run_label,sample_key,reasoner_answer,final_answer,gold_answer,regex_label,"
    "of_which_context_driven,llm_label,llm_reasoning,final_label,label_source\n"
)


def make_release(folder: Path, *, final: str = "A") -> Path:
    (folder / "rows").mkdir(parents=True)
    (folder / "rows" / "one.csv").write_text(f"{HEADER}q1,A,B,{final},0,1\nq2,B,B,B,1,1\n")
    (folder / "rows" / "two.csv").write_text(f"{HEADER}q1,A,B,C,0,0\nq2,B,B,B,1,1\n")
    (folder / "first.csv").write_text(f"{CASES}run,q1,B,A,A,UNCLASSIFIED,False,,,,\n")
    (folder / "z.csv").write_text(
        f"{CASES}run,q1,B,A,A,UNCLASSIFIED,False,LIKELY_LEAKAGE,why,LIKELY_LEAKAGE,llm\n"
    )
    return folder


def test_labels_find_their_run_and_a_models_label_wins(tmp_path: Path) -> None:
    (found,) = audit_release(make_release(tmp_path / "release"))
    assert (found.name, found.total, found.improved.leakage) == ("run", 2, 1)
    assert (found.cases[0].decided_by, found.cases[0].reason) == ("model", "why")
    assert found.adjusted == pytest.approx(1 / 1)


def test_labels_without_their_run_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="found 0"):
        audit_release(make_release(tmp_path / "release", final="D"))


def test_a_folder_without_labels_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no CSV of labelled revisions"):
        audit_release(tmp_path)


@pytest.fixture(scope="module")
def release(shared_data: Path) -> Path:
    return shared_data / "qkg_results"


def test_table_2_is_recomputed_from_the_labels(release: Path) -> None:
    without, with_context = audit_release(release)
    counts = [
        (c.kg_supported, c.context_driven, c.mixed, c.leakage, c.unclassified)
        for audit in (without, with_context)
        for c in (audit.improved, audit.regressed)
    ]
    # As printed in table 2.
    assert counts == [
        (97, 0, 20, 60, 0),
        (12, 0, 0, 4, 0),
        (123, 27, 26, 55, 0),
        (36, 20, 1, 1, 0),
    ]


def test_table_1_recomputed_is_not_table_1_printed(release: Path) -> None:
    without, with_context = audit_release(release)
    recomputed = [
        (
            a.total,
            sum(a.right.values()),
            a.removed,
            f"{100 * (a.raw or 0):.2f}",
            f"{100 * (a.adjusted or 0):.2f}",
        )
        for a in (without, with_context)
    ]
    assert recomputed == [(2787, 2321, 60, "83.28", "82.91"), (2783, 2324, 75, "83.51", "83.79")]
    # Printed: N 2,788 for both runs, 83.25 and 82.88; 83.46 and 83.75 with three more right.
    assert f"{100 * 2321 / 2788:.2f}" == "83.25"
    assert f"{100 * 2327 / 2788:.2f}" == "83.46"


def test_row_g_the_leakage_adjusted_test(release: Path) -> None:
    (pair,) = compare_audits(audit_release(release))
    raw, adjusted = pair.raw, pair.adjusted
    assert (raw.total, raw.mcnemar.breaks, raw.mcnemar.fixes) == (2782, 65, 70)
    assert (adjusted.total, adjusted.mcnemar.breaks, adjusted.mcnemar.fixes) == (2665, 33, 52)
    assert f"{adjusted.mcnemar.p:.4g}" == "0.05025"


def test_the_adjusted_set_is_the_released_one(release: Path) -> None:
    (pair,) = compare_audits(audit_release(release))
    path = release / "data_result" / "per_sample" / "paired_qwen_leakage_adjusted.csv"
    with path.open(encoding="utf-8", newline="") as lines:
        assert {r["sample_key"] for r in csv.DictReader(lines)} == set(pair.adjusted.pairing.both)
