"""Who wins every start of up to three and four symbols: remakes `notebooks/starts.csv`.

    python -m tests.solver.starts

takes some ten minutes and eight gigabytes. The tests solve the smaller sizes again, the benchmarks all of them.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

from soluna_widget.solver import solve

FILE = Path(__file__).parents[2] / "notebooks" / "starts.csv"
REACH = {3: 40, 4: 32}
"""For each number of symbols, to how many discs."""

Row = tuple[int, int, str, str]
"""Symbols that show, discs, how many discs show each, outcome."""


def rows(symbols: int, discs: int) -> Iterator[Row]:
    """Give the starts with exactly so many symbols."""
    for counts, outcome in solve(discs, symbols, grundy=False).starts():
        if len(counts) == symbols:
            yield symbols, discs, "-".join(map(str, counts)), str(outcome)


def read() -> list[Row]:
    """Give what is in the file."""
    with FILE.open(encoding="utf-8", newline="") as file:
        return [(int(row["symbols"]), int(row["discs"]), row["start"], row["outcome"]) for row in csv.DictReader(file)]


def _write() -> None:
    with FILE.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["symbols", "discs", "start", "outcome"])
        for symbols, most in REACH.items():
            for discs in range(symbols, most + 1):
                writer.writerows(rows(symbols, discs))
                file.flush()


if __name__ == "__main__":
    _write()
