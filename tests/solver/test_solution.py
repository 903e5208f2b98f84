"""What a solution says of positions, and what it refuses."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from soluna_widget import InvalidNotation, Position, SolunaError
from soluna_widget.solver import Solution, estimate, solve
from soluna_widget.solver import solution as module
from tests import naive

BOTH = pytest.mark.parametrize("misere", [False, True], ids=["normal", "misere"])
METHODS = pytest.mark.parametrize("method", ["arrays", "plain"])


# Against a second implementation -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("discs", "symbols"), [(12, 4), (7, 7), (9, 3), (10, 2), (8, 1), (1, 1), (2, 26)])
@BOTH
def test_every_position_is_what_a_naive_player_finds(discs: int, symbols: int, misere: bool) -> None:
    solution = solve(discs, symbols, misere)
    kinds = naive.all_kinds(discs, min(symbols, discs))
    assert len(solution) == len(kinds)
    for some in kinds:
        position = naive.text(tuple((top.upper(), height) for top, height in some))
        outcome, remoteness, grundy = naive.judged(some, misere)
        assert (solution.outcome(position), solution.remoteness(position)) == (outcome, remoteness), position
        if not misere:
            assert solution.grundy(position) == grundy, position


@METHODS
def test_any_symbol_names_may_be_asked(method: Any) -> None:
    solution = solve(8, 3, method=method)
    chance = Random(1)
    for text in solution.to_frame()["position"].sample(60, random_state=1):
        position = Position.parse(text)
        named = dict(zip("SMT", chance.sample("SMTCABZ", 3), strict=True))
        other = Position.parse("".join(named.get(letter, letter) for letter in text))
        assert solution.outcome(other) == solution.outcome(position) == solution.outcome(str(other))
        assert solution.remoteness(other) == solution.remoteness(position)
        assert solution.grundy(other) == solution.grundy(position)


@BOTH
def test_winning_moves_lead_to_lost_positions_and_are_all_that_do(misere: bool) -> None:
    solution = solve(7, 3, misere)
    for text in solution.to_frame()["position"]:
        position = Position.parse(text)
        winning = solution.winning_moves(position)
        lost = [move for move in position.moves() if solution.outcome(position.play(move)) == "P"]
        assert list(winning) == lost
        # Under misère an end is won, and there is no move to make.
        assert bool(winning) == (solution.outcome(position) == "N" and not position.is_over)


def test_winning_moves_come_in_both_orders_where_tops_agree() -> None:
    moves = solve(3, 2).winning_moves("S1 S2")
    assert [str(move) for move in moves] == ["S1>S2", "S2>S1"]


def test_the_order_of_calls_changes_nothing() -> None:
    one, two = solve(9, 4), solve(9, 4, misere=True)
    other_two, other_one = solve(9, 4, misere=True), solve(9, 4)
    assert one.to_frame().equals(other_one.to_frame())
    assert two.to_frame().equals(other_two.to_frame())


@METHODS
@BOTH
def test_starts_are_all_the_ways_in_which_discs_can_fall(method: Any, misere: bool) -> None:
    solution = solve(7, 3, misere, method=method)
    starts = dict(solution.starts())
    assert list(starts) == sorted(starts, reverse=True)
    assert set(starts) == {
        tuple(sorted((a, b, 7 - a - b), reverse=True)[: 3 - [a, b, 7 - a - b].count(0)])
        for a in range(8)
        for b in range(8 - a)
    }
    for counts, value in starts.items():
        start = Position.start(**dict(zip("SMT", counts, strict=False)))
        assert value == (solution.outcome(start) if misere else solution.grundy(start))


# As a table ----------------------------------------------------------------------------------------------------------


@METHODS
@BOTH
def test_the_frame_has_every_position_once_as_it_prints(method: Any, misere: bool) -> None:
    solution = solve(8, 4, misere, method=method)
    frame = solution.to_frame()
    assert list(frame.columns) == ["position", "stacks", "outcome", "remoteness", *([] if misere else ["grundy"])]
    assert frame["position"].is_unique and len(frame) == len(solution)
    assert frame["stacks"].is_monotonic_increasing
    for row in frame.itertuples():
        position = Position.parse(row.position)
        assert str(position) == str(position.canonical()) == row.position
        assert len(position.stacks) == row.stacks
        assert (row.outcome, row.remoteness) == (solution.outcome(position), solution.remoteness(position))
        if not misere:
            assert row.grundy == solution.grundy(position)


# Saved and loaded ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("saved_by", "read_by"), [("arrays", "plain"), ("plain", "arrays")])
@pytest.mark.parametrize("symbols", [1, 2, 3, 4, 5, 6])
@BOTH
def test_either_solver_reads_what_the_other_has_saved(
    saved_by: Any, read_by: Any, symbols: int, misere: bool, tmp_path: Path
) -> None:
    saved = solve(8, symbols, misere, method=saved_by)
    saved.save(tmp_path / "a.solution")
    read = Solution.load(tmp_path / "a.solution", method=read_by)
    assert (read.discs, read.symbols, read.misere) == (8, symbols, misere)
    assert read.to_frame().equals(saved.to_frame())
    for position in saved.to_frame()["position"]:
        assert read.remoteness(position) == saved.remoteness(position)
    assert list(tmp_path.iterdir()) == [tmp_path / "a.solution"]


def test_without_grundy_values_a_solution_says_so_also_after_loading(tmp_path: Path) -> None:
    whole, solution = solve(8, 3), solve(8, 3, grundy=False)
    solution.save(tmp_path / "a")
    for one in (solution, Solution.load(tmp_path / "a")):
        assert one.to_frame().equals(whole.to_frame().drop(columns="grundy"))
        assert dict(one.starts())[3, 3, 2] == whole.outcome("S1^3 M1^3 T1^2")
        with pytest.raises(SolunaError, match="without Grundy values"):
            one.grundy("S1^3 M1^3 T1^2")


def _remake(path: Path, change: Callable[[dict[str, bytes]], object]) -> None:
    with zipfile.ZipFile(path) as file:
        parts = {name: file.read(name) for name in file.namelist()}
    change(parts)
    with zipfile.ZipFile(path, "w") as file:
        for name, content in parts.items():
            file.writestr(name, content)


def _header(**changes: object) -> Callable[[dict[str, bytes]], object]:
    return lambda parts: parts.update({"header.json": json.dumps(json.loads(parts["header.json"]) | changes).encode()})


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (_header(format="something"), "no solution"),
        (_header(version=2), "version 2; this reads 1"),
        (_header(discs=7), "does not hold the values of"),
        (_header(discs="6"), "discs: a whole number"),
        (_header(symbols=0), "symbols: a whole number"),
        (lambda parts: parts.pop("marks"), "damaged"),
        (lambda parts: parts.pop("grundy"), "damaged"),
        (lambda parts: parts.pop("header.json"), "damaged"),
        (lambda parts: parts.update({"header.json": b"[]"}), "no solution"),
        (lambda parts: parts.update({"header.json": b"{"}), "damaged"),
        (lambda parts: parts.update({"marks": parts["marks"][:-1]}), "does not hold the values of 49 positions"),
    ],
)
def test_a_damaged_file_is_refused_with_its_name(
    change: Callable[[dict[str, bytes]], object], why: str, tmp_path: Path
) -> None:
    path = tmp_path / "a.solution"
    solve(6, 3).save(path)
    _remake(path, change)
    with pytest.raises(SolunaError, match=why) as caught:
        Solution.load(path)
    assert "a.solution" in str(caught.value) or "whole number" in str(caught.value)


def test_every_cut_and_every_flipped_byte_of_the_values_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "a.solution"
    solve(6, 3).save(path)
    whole = path.read_bytes()
    for end in range(0, len(whole), 7):
        path.write_bytes(whole[:end])
        with pytest.raises(SolunaError):
            Solution.load(path)
    with zipfile.ZipFile(tmp_path / "b", "w") as plain, zipfile.ZipFile(_write(path, whole)) as file:
        marks = file.read("marks")
        for name in file.namelist():
            plain.writestr(name, file.read(name))
    stored = (tmp_path / "b").read_bytes()
    at = stored.index(marks)
    (tmp_path / "b").write_bytes(stored[:at] + bytes([stored[at] ^ 1]) + stored[at + 1 :])
    with pytest.raises(SolunaError, match="CRC"):
        Solution.load(tmp_path / "b")


def _write(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def test_a_file_stays_as_it_was_when_saving_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.solution"
    solve(5, 2).save(path)
    before = path.read_bytes()

    def fail(*_: object) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(zipfile.ZipFile, "writestr", fail)
    with pytest.raises(OSError, match="full"):
        solve(6, 2).save(path)
    assert path.read_bytes() == before and list(tmp_path.iterdir()) == [path]


def test_a_file_that_is_not_there_is_the_systems_own_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Solution.load(tmp_path / "nothing")


# What is refused -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ({"discs": 0}, "discs: a whole number from 1 to 64, not 0"),
        ({"discs": 65}, "discs: a whole number from 1 to 64, not 65"),
        ({"discs": True}, "discs"),
        ({"discs": 2.5}, "discs"),
        ({"discs": "12"}, "discs"),
        ({"symbols": 0}, "symbols: a whole number from 1 to 26, not 0"),
        ({"symbols": 27}, "symbols"),
        ({"misere": 5}, "misere: True or False, not 5"),
        ({"grundy": "yes"}, "grundy: True or False, not 'yes'"),
        ({"method": "magic"}, "method: 'arrays', 'plain' or None, not 'magic'"),
        ({"discs": 40, "method": "plain"}, "too many for the plain solver"),
    ],
)
def test_an_argument_that_is_not_as_said_is_named(arguments: dict[str, Any], why: str) -> None:
    with pytest.raises(SolunaError, match=why):
        solve(**arguments)


@METHODS
def test_positions_of_another_size_are_refused_by_name(method: Any) -> None:
    solution = solve(6, 2, method=method)
    for ask in (solution.outcome, solution.remoteness, solution.grundy, solution.winning_moves):
        with pytest.raises(SolunaError, match="for 6 discs, and S1\\^3 M1\\^2 has 5"):
            ask("S1^3 M1^2")
        with pytest.raises(SolunaError, match="for 2 symbols, and S1\\^4 M1 T1 shows 3"):
            ask("S1^4 M1 T1")
        with pytest.raises(InvalidNotation):
            ask("rubbish")
        with pytest.raises(SolunaError, match="position: a Position or its text, not 12"):
            ask(12)  # type: ignore[arg-type]


def test_under_misere_play_there_are_no_grundy_values() -> None:
    with pytest.raises(SolunaError, match="Grundy values are for normal play"):
        solve(6, 2, misere=True).grundy("S1^3 M1^3")


def test_a_size_beyond_memory_is_refused_beforehand_with_the_estimate(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SolunaError, match=r"positions of 64 discs and 4 symbols take about [\d.]+ GB") as caught:
        solve(64, 4)
    assert "grundy=False takes less" in str(caught.value)
    positions, needed = estimate(20, 4)
    assert positions == 133_734
    monkeypatch.setattr(module, "_free_memory", lambda: needed - 1)
    with pytest.raises(SolunaError, match="133,734 positions of 20 discs"):
        solve(20, 4)
    monkeypatch.setattr(module, "_free_memory", lambda: needed)
    assert len(solve(20, 4)) == positions
    monkeypatch.setattr(module, "_free_memory", lambda: None)
    assert len(solve(12, 4)) == 2_133


# Progress, and Ctrl-C ------------------------------------------------------------------------------------------------


class Bar:
    """What tqdm makes, as far as a solver uses it."""

    def __init__(self, total: int, unit: str) -> None:
        self.total, self.unit, self.done, self.closed, self.stop_at = total, unit, 0, False, Bar.stop_next_at
        Bar.made = self

    made: Bar
    stop_next_at: float = float("inf")

    def update(self, count: int) -> None:
        self.done += count
        if self.done >= self.stop_at:
            raise KeyboardInterrupt

    def close(self) -> None:
        self.closed = True


@METHODS
def test_progress_counts_every_position_once_and_is_closed(method: Any) -> None:
    solution = solve(9, 3, progress=Bar, method=method)
    assert (Bar.made.total, Bar.made.done, Bar.made.closed) == (len(solution), len(solution), True)


@METHODS
def test_an_interrupt_leaves_nothing_broken(method: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Bar, "stop_next_at", 50)
    with pytest.raises(KeyboardInterrupt):
        solve(9, 3, progress=Bar, method=method)
    assert Bar.made.closed
    assert solve(9, 3, method=method).grundy("S1^3 M1^3 T1^3") == solve(9, 3).grundy("S1^3 M1^3 T1^3")


def test_a_real_progress_bar_fits() -> None:
    from tqdm.auto import tqdm

    assert len(solve(8, 2, progress=tqdm)) == len(solve(8, 2))


# Without numpy -------------------------------------------------------------------------------------------------------


def test_twelve_discs_are_solved_where_numpy_is_absent(tmp_path: Path) -> None:
    code = f"""
import sys
for name in ("numpy", "pandas", "anywidget"):
    sys.modules[name] = None
from importlib.util import find_spec
import importlib.util
importlib.util.find_spec = lambda name, *a: None if name == "numpy" else find_spec(name, *a)
from soluna_widget import Solution, solve
solution = solve(12, 4)
assert len(solution) == 2133
assert solution.outcome("S1^3 M1^3 T1^3 C1^3") == "P"
solution.save({str(tmp_path / "a")!r})
assert Solution.load({str(tmp_path / "a")!r}).grundy("S1^11 M1") == 1
try:
    solution.to_frame()
except ValueError as error:
    assert "soluna-widget[course]" in str(error)
else:
    raise AssertionError("there is no pandas")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_solution_prints_what_it_is() -> None:
    assert repr(solve(12, 4, misere=True)) == "<Solution: 12 discs, 4 symbols, misère play, 2,133 positions>"
    assert repr(solve(1, 1)) == "<Solution: 1 disc, 1 symbol, normal play, 1 position>"
