"""Sweeps: each row against the match-up it stands for; and their pictures."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from soluna_widget import DISC_SETS, DiscSet, Position, SolunaError, plots
from soluna_widget.experiments import by_budget, by_error, by_layout, by_size, exact, exact_square
from soluna_widget.strategies import FalliblePlayer, PolicyPlayer, moves_of


def test_by_layout_gives_each_start_its_share_and_its_chance() -> None:
    frame = by_layout("perfect", "perfect")
    assert list(frame.columns) == ["start", "share", "outcome", "first_wins"]
    assert frame["share"].sum() == pytest.approx(1) and frame["share"].is_monotonic_decreasing
    assert frame.loc[frame["outcome"] == "N", "share"].sum() == 712 / 4096
    assert ((frame["first_wins"] == 1) == (frame["outcome"] == "N")).all()
    assert "S1^7 M1^5" not in set(frame["start"]), "each symbol is on six discs"
    frame = by_layout("random", "greedy", DiscSet.parse("SM^2 ST MT"))
    for row in frame.itertuples():
        assert row.first_wins == pytest.approx(exact("random", "greedy", row.start))
    whole = (frame["share"] * frame["first_wins"]).sum()
    assert whole == pytest.approx(exact("random", "greedy", DiscSet.parse("SM^2 ST MT")))


def test_the_square_holds_every_match_up() -> None:
    square = exact_square(["random", "greedy"], "S1^3 M1^2 T2")
    for first, second in itertools.product(["Random", "Greedy"], repeat=2):
        assert square.loc[first, second] == exact(first.lower(), second.lower(), "S1^3 M1^2 T2")
    assert square.index.name == "first" and square.columns.name == "second"
    assert list(exact_square({"a": "random", "b": "random"}, "S1^3").index) == ["a", "b"]


def test_by_error_ends_at_perfect_and_at_random() -> None:
    start = "S1^3 M1^2 T1^2"
    sweep = by_error((1, 0.25, 0), "greedy", start)
    rows = sweep.frame.set_index("error")
    for error in (0, 0.25, 1):
        player = FalliblePlayer(error)
        assert rows.loc[error, "first"] == exact(player, "greedy", start)
        assert rows.loc[error, "second"] == 1 - exact("greedy", player, start)
    assert rows.loc[0, "first"] == exact("perfect", "greedy", start)
    assert (rows["win_rate"] == (rows["first"] + rows["second"]) / 2).all()
    plot = sweep.plot()
    assert plot.finding.startswith("Fallible against Greedy, exactly, by probability of a random move: first ")
    assert [text.get_text() for text in plot.figure.axes[0].texts] and "<table" in sweep._repr_html_()


def test_by_size_is_the_average_over_every_way_to_show_symbols() -> None:
    sweep = by_size("random", "greedy", (2, 5), (1, 3))
    for row in sweep.frame.itertuples():
        for kind in (1, 3):
            ways = list(itertools.product("SMT"[:kind], repeat=row.discs))
            starts = [Position.parse(" ".join(f"{letter}1" for letter in way)) for way in ways]
            expected = sum(exact("random", "greedy", start) for start in starts) / len(ways)
            assert getattr(row, f"symbols_{kind}") == pytest.approx(expected)
    assert {line.get_label() for line in sweep.plot().figure.axes[0].get_lines()} == {"1 symbols", "3 symbols"}


def test_a_larger_budget_wins_more() -> None:
    sweep = by_budget((1, 60), "random", 60, seed=1, progress=False, start="S1^3 M1^3 T1")
    low, high = sweep.frame["win_rate"]
    assert low < high and list(sweep.frame["playouts"]) == [1, 60]
    assert (sweep.frame["low"] < sweep.frame["win_rate"]).all() and (sweep.frame["played"] == 60).all()
    assert sweep.plot().figure.axes[0].get_xscale() == "log"


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: by_layout("random", "random", "S1^3"), "start: a DiscSet"),
        (lambda: by_layout(PolicyPlayer(lambda p: {moves_of(p)[0]: 1}, "Odd"), "random"), "'Odd' is not invariant"),
        (lambda: by_error((2,)), "error: a probability"),
        (lambda: by_size(discs=()), "discs: whole numbers from 1 to 64"),
        (lambda: by_size(symbols=(0,)), "symbols: whole numbers from 1 to 26"),
        (lambda: by_budget((0,), progress=False), "playouts: a number of 1 or more"),
        (lambda: exact_square(["random", "monte carlo"], "S1^2 M1"), "second: 'Monte Carlo 200' has no policy"),
    ],
)
def test_what_cannot_be_swept_is_refused(call: Any, words: str) -> None:
    with pytest.raises(SolunaError, match=f"^{words}"):
        call()


def test_names_at_the_ends_of_lines_do_not_lie_on_each_other() -> None:
    figure = by_size(discs=(8, 10), symbols=(2, 3, 4)).plot().figure
    boxes = sorted((text.get_window_extent() for text in figure.axes[0].texts), key=lambda box: box.y0)
    assert len(boxes) == 3
    # A line of type has room for tails below and hats above: one may reach a little into the other's.
    assert all(upper.y0 > lower.y1 - 3 for lower, upper in itertools.pairwise(boxes))


def test_the_square_of_win_rates_says_its_numbers_in_ink_that_reads() -> None:
    square = exact_square(["random", "greedy", "perfect"], DISC_SETS["soluna"])
    plot = plots.win_rates(square, "First against second")
    texts = {text.get_text(): text.get_color() for text in plot.figure.axes[0].texts}
    assert "100 %" in texts and texts["100 %"] == "white" and texts["0 %"] == "#222222"
    assert plot.finding.startswith("First against second: Perfect is ahead, with ")
    with pytest.raises(SolunaError, match="no row"):
        plots.win_rates(square.iloc[:0], "Nothing")
    assert plots.win_rates(square * float("nan"), "Nothing").finding == "Nothing: nothing was played."
