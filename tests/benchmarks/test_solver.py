"""The array solver against a textbook solver in Python and a plain one in C++, and how far it reaches.

`all_positions.cpp` keeps every position in a hash map and searches with recursion: what one would write first.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from soluna_widget.solver import estimate, solve
from soluna_widget.solver.plain import Groups, options, sort_groups, starts
from tests.benchmarks.conftest import Report
from tests.solver import starts as table

SOURCE = Path(__file__).with_name("all_positions.cpp")


def seconds(work: Callable[[], object], runs: int) -> float:
    """The fastest of some runs: what disturbs a run only makes it longer."""
    found = []
    for _ in range(runs):
        begun = time.perf_counter()
        work()
        found.append(time.perf_counter() - begun)
    return min(found)


def every_pair(groups: Groups) -> set[Groups]:
    """The options of a position by trying every pair of stacks, as one would first write it."""
    stacks = [(symbol, height) for symbol, heights in enumerate(groups) for height in heights]
    found = set()
    for i, (top, height) in enumerate(stacks):
        for j, (other_top, other_height) in enumerate(stacks):
            if i != j and (top == other_top or height == other_height):
                left: list[list[int]] = [[] for _ in groups]
                for k, (symbol, size) in enumerate(stacks):
                    if k not in (i, j):
                        left[symbol].append(size)
                left[top].append(height + other_height)
                found.add(sort_groups(tuple(sorted(heights, reverse=True)) for heights in left))
    return found


def textbook(discs: int, symbols: int, options: Callable[[Groups], set[Groups]]) -> dict[Groups, int]:
    """Grundy values by recursion with a memory, as in any textbook."""
    known: dict[Groups, int] = {}

    def grundy(groups: Groups) -> int:
        if groups not in known:
            values = {grundy(option) for option in options(groups)}
            known[groups] = next(value for value in range(len(values) + 1) if value not in values)
        return known[groups]

    for counts in starts(discs, symbols):
        grundy(sort_groups((1,) * count for count in counts))
    return known


def test_twelve_discs_against_a_textbook_solver(report: Report) -> None:
    assert len(textbook(12, 4, every_pair)) == len(solve(12, 4)) == 2_133
    assert textbook(12, 4, every_pair) == textbook(12, 4, options)
    ours = seconds(lambda: solve(12, 4), 15)
    ratio = seconds(lambda: textbook(12, 4, every_pair), 3) / ours
    report("12 discs, 4 symbols: textbook solver / solve, fastest of some runs", ratio, "at least 10")
    ratio = seconds(lambda: textbook(12, 4, options), 5) / ours
    report("the same with options found group by group, as the plain solver does / solve", ratio, "none set")


@pytest.fixture(scope="module")
def yardstick(tmp_path_factory: pytest.TempPathFactory) -> Callable[[int], float]:
    compiler = shutil.which("g++")
    if compiler is None:
        pytest.skip("no g++ to build the yardstick with")
    program = tmp_path_factory.mktemp("yardstick") / "all_positions"
    subprocess.run([compiler, "-O2", "-o", program, SOURCE], check=True)

    def run(discs: int) -> float:
        told = subprocess.run([program, str(discs), "4"], check=True, capture_output=True, text=True).stdout
        assert f"positions={estimate(discs, 4)[0]} " in told
        return float(told.split("time=")[1].split()[0])

    return run


@pytest.mark.parametrize(("discs", "runs", "aim"), [(24, 3, "0.10"), (28, 1, "0.12")])
def test_many_discs_against_a_plain_program(
    discs: int, runs: int, aim: str, yardstick: Callable[[int], float], report: Report
) -> None:
    ours = seconds(lambda: solve(discs, 4), runs)
    theirs = min(yardstick(discs) for _ in range(runs))
    report(f"{discs} discs, 4 symbols: solve / C++ with a hash map ({ours:.2f} s / {theirs:.2f} s)", ours / theirs, aim)


@pytest.mark.parametrize(
    ("discs", "symbols", "grundy"),
    [*((discs, 4, True) for discs in (12, 16, 20, 24, 28)), (32, 4, False), *((n, 3, False) for n in (28, 32, 36, 40))],
)
def test_growth_of_time_and_memory(discs: int, symbols: int, grundy: bool, report: Report) -> None:
    code = (
        f"import sys, time; from soluna_widget.solver import solve; begun = time.perf_counter(); "
        f"solve({discs}, {symbols}, grundy={grundy}); print(time.perf_counter() - begun)"
    )
    if sys.platform != "linux":
        pytest.skip("how much memory a process takes is told in other units elsewhere")
    told = subprocess.run(
        [
            sys.executable,
            "-c",
            f"{code}; import resource; print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)",
        ],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    time_taken, memory = map(float, told.split())
    positions, expected = estimate(discs, symbols, grundy)
    what = f"{discs} discs, {symbols} symbols{'' if grundy else ', outcomes alone'}: {positions:,} positions"
    report(
        f"{what}, {memory / 1e9:.2f} GB (estimated {expected / 1e9:.2f} GB), seconds",
        time_taken,
        "minutes, within the estimate",
    )
    assert memory < expected


@pytest.mark.parametrize("symbols", table.REACH)
def test_the_whole_table_of_starts(symbols: int) -> None:
    written = table.read()
    for discs in range(symbols, table.REACH[symbols] + 1):
        assert [row for row in written if row[:2] == (symbols, discs)] == list(table.rows(symbols, discs))
