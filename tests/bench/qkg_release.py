"""Print QKG's figures three times: `python tests/bench/qkg_release.py FOLDER_OF_QKG_RESULTS`.

printed     in the paper
recomputed  by this project from the release's per-sample answers and per-case labels
released    in the release's own summary files
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from optimize.auditing import Audit, compare_audits
from optimize.compare_tables import p_text, percent, points
from optimize.comparing import Comparison, compare
from optimize.formats import TextTable, to_markdown
from optimize.released_audit import audit_release
from optimize.results import read_results

Line = tuple[str, str, str, str]

PRINTED_TESTS = {
    # N, b, c, p where the paper prints them: figure 2, §5.1, table 1
    "A": ("—", "22", "39", "0.04"),
    "B": ("—", "16", "55", "3.8e-06"),
    "C": ("—", "—", "—", "0.014"),
    "D": ("2788", "16", "177", "—"),
    "E": ("2788", "38", "204", "—"),
    "F": ("2782", "65", "70", "0.73"),
    "G": ("2665", "33", "52", "0.05"),
}
PRINTED_DELTAS = {"A": "+0.61", "B": "+1.40", "C": "+0.79", "E": "+5.96"}
PRINTED_TABLE_1 = (
    ("2788", "177", "16", "60", "83.25", "82.88"),
    ("2788", "204", "38", "75", "83.46", "83.75"),
)
PRINTED_TABLE_2 = (
    ("97 (0)", "20", "60", "12 (0)", "0", "4"),
    ("123 (27)", "26", "55", "36 (20)", "1", "1"),
)


def main() -> None:
    folder = Path(sys.argv[1])
    audits = audit_release(folder)
    for title, lines in (
        ("Paired tests", list(paired(folder, audits))),
        ("Table 1", list(table_1(folder, audits))),
        ("Table 2", list(table_2(folder, audits))),
    ):
        table = TextTable(title, ("figure", "printed", "recomputed", "released"), tuple(lines))
        sys.stdout.write(to_markdown(table) + "\n\n")


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def comparisons(folder: Path) -> list[Comparison]:
    """Rows A to F of the release, in its order."""
    found = []
    for validator in ("haiku", "qwen"):
        names = [f"{validator}_{setting}.csv" for setting in ("nopc", "wpc")]
        runs = [read_results(folder / "data_result" / "per_sample" / name) for name in names]
        found += compare(runs, within=True)
    return found


def paired(folder: Path, audits: tuple[Audit, ...]) -> Iterator[Line]:
    ours = [(str(c.total), str(c.breaks), str(c.fixes), p_text(c.p)) for c in comparisons(folder)]
    deltas = [points(c.difference) for c in comparisons(folder)]
    (pair,) = compare_audits(audits)
    test = pair.adjusted
    m = test.mcnemar
    ours.append((str(test.total), str(m.breaks), str(m.fixes), p_text(m.p)))
    deltas.append(points(test.difference))
    released = rows_of(folder / "data_result" / "significance_results.csv")
    columns = ("N_paired", "b_A_correct_B_wrong", "c_A_wrong_B_correct", "p_exact_two_sided")
    for letter, mine, delta, row in zip("ABCDEFG", ours, deltas, released, strict=True):
        for name, printed, value, column in zip(
            ("N", "b", "c", "p"), PRINTED_TESTS[letter], mine, columns, strict=True
        ):
            yield (f"{letter} {name}", printed, value, row[column])
        yield (f"{letter} Δ pp", PRINTED_DELTAS.get(letter, "—"), delta, row["delta_pp"])


def table_1(folder: Path, audits: tuple[Audit, ...]) -> Iterator[Line]:
    figures = folder / "figures"
    w2c = rows_of(figures / "leakage_classification_summary_llm.csv")
    names = ("N", "W→C", "C→W", "Est. adj.", "raw %", "adj. %")
    for audit, printed, row in zip(audits, PRINTED_TABLE_1, w2c, strict=True):
        ours = (
            str(audit.total),
            str(audit.improved.total),
            str(audit.regressed.total),
            str(audit.removed),
            percent(audit.raw),
            percent(audit.adjusted),
        )
        given = (
            row["N"],
            row["w2c_total"],
            row["c2w"],
            "—",
            percent(float(row["raw_final_acc"])),
            percent(float(row["adj_final_acc"])),
        )
        for name, p, o, r in zip(names, printed, ours, given, strict=True):
            yield (f"{audit.name[:14]} {name}", p, o, r)


def table_2(folder: Path, audits: tuple[Audit, ...]) -> Iterator[Line]:
    figures = folder / "figures"
    w2c = rows_of(figures / "leakage_classification_summary_llm.csv")
    c2w = rows_of(figures / "leakage_classification_c2w_summary.csv")
    names = [f"{way} {name}" for way in ("W→C", "C→W") for name in ("KG (ctx)", "mixed", "leakage")]
    for audit, printed, gain, loss in zip(audits, PRINTED_TABLE_2, w2c, c2w, strict=True):
        ours = [
            cell
            for c in (audit.improved, audit.regressed)
            for cell in (f"{c.kg_supported} ({c.context_driven})", str(c.mixed), str(c.leakage))
        ]
        given = [
            cell
            for row in (gain, loss)
            for cell in (
                f"{row['kg_supported']} ({row['kg_supported_of_which_context_driven']})",
                row["mixed"],
                row["leakage"],
            )
        ]
        for name, p, o, r in zip(names, printed, ours, given, strict=True):
            yield (f"{audit.name[:14]} {name}", p, o, r)


if __name__ == "__main__":
    main()
