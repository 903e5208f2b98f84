"""Outcome, remoteness and Grundy values of any game, judged by recursion over whole trees."""

from __future__ import annotations

import doctest
import random
from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soluna_widget import Position, SolunaError, theory
from soluna_widget.theory import Analysis, Nim, Sum
from tests import naive
from tests.theory import brute
from tests.theory.games import Countdown, Place, Step, places, tree_of

both = pytest.mark.parametrize("misere", [False, True], ids=["normal", "misere"])


@pytest.fixture(autouse=True)
def nothing_remembered() -> None:
    theory.forget()


@pytest.mark.parametrize("module", ["game", "values", "heaps", "sums", "tree", "layout", "explanation"])
def test_the_examples_in_the_docstrings_are_true(module: str) -> None:
    assert doctest.testmod(import_module(f"soluna_widget.theory.{module}")).failed == 0


# mex -----------------------------------------------------------------------------------------------------------------


@given(st.lists(st.integers(0, 12)))
def test_mex_is_the_smallest_number_that_is_missing(values: list[int]) -> None:
    number = theory.mex(values)
    assert number not in values and all(smaller in values for smaller in range(number))


@pytest.mark.parametrize("values", [[-1], [0.5], ["0"], [None], [True], 3, None])
def test_mex_takes_nothing_but_whole_numbers_from_0(values: Any) -> None:
    with pytest.raises(SolunaError, match=r"values: .*numbers from 0"):
        theory.mex(values)


# Any game ------------------------------------------------------------------------------------------------------------


@settings(deadline=None)
@given(places(), st.booleans())
def test_outcome_and_remoteness_are_those_of_the_whole_tree(game: Place, misere: bool) -> None:
    tree = tree_of(game)
    assert theory.outcome(game, misere=misere) == ("N" if brute.wins(tree, misere) else "P")
    assert theory.remoteness(game, misere=misere) == brute.moves_to_the_end(tree, misere)


@settings(deadline=None, max_examples=60)
@given(places(most=5))
def test_values_are_the_nim_heaps_that_balance_a_game(game: Place) -> None:
    tree = tree_of(game)
    assert theory.grundy(game) == brute.value(tree)
    assert theory.misere_grundy(game) == brute.misere_value(tree)


@settings(deadline=None)
@given(places(most=12), st.booleans())
def test_the_parity_of_remoteness_tells_who_wins(game: Place, misere: bool) -> None:
    even = theory.remoteness(game, misere=misere) % 2 == 0
    assert (theory.outcome(game, misere=misere) == "P") == (even != misere)


@settings(deadline=None)
@given(places(most=12))
def test_a_game_is_lost_exactly_where_its_value_is_0(game: Place) -> None:
    assert (theory.outcome(game) == "P") == (theory.grundy(game) == 0)
    assert (theory.outcome(game, misere=True) == "P") == (theory.misere_grundy(game) == 0)


@settings(deadline=None)
@given(places(most=12), st.booleans())
def test_the_winning_options_are_those_lost_for_who_must_move_in_them(game: Place, misere: bool) -> None:
    winning = theory.winning_options(game, misere=misere)
    assert winning == theory.winning_moves(game, misere=misere)
    assert len(set(winning)) == len(winning)
    for option in game.options():
        assert (option in winning) == (theory.outcome(option, misere=misere) == "P")
    if game.options():
        assert bool(winning) == (theory.outcome(game, misere=misere) == "N")


def test_an_end_is_lost_and_under_misere_won_without_a_move() -> None:
    end = Countdown(0)
    assert (theory.outcome(end), theory.remoteness(end), theory.winning_options(end)) == ("P", 0, ())
    assert theory.outcome(end, misere=True) == "N"
    assert (theory.remoteness(end, misere=True), theory.winning_options(end, misere=True)) == (0, ())
    assert (theory.grundy(end), theory.misere_grundy(end)) == (0, 1)
    last = Countdown(1)
    assert (theory.outcome(last), theory.outcome(last, misere=True), theory.remoteness(last, misere=True)) == (
        ("N", "P", 1)
    )


@given(places(most=12), st.randoms(use_true_random=False))
def test_the_order_in_which_positions_are_asked_is_of_no_matter(game: Place, chance: random.Random) -> None:
    asked = [Place(game.map, at) for at in range(len(game.map))]
    questions: list[Callable[[Analysis, Any], object]] = [
        lambda analysis, place: analysis.outcome(place),
        lambda analysis, place: analysis.outcome(place, misere=True),
        lambda analysis, place: analysis.remoteness(place),
        lambda analysis, place: analysis.remoteness(place, misere=True),
        lambda analysis, place: analysis.grundy(place),
        lambda analysis, place: analysis.misere_grundy(place),
    ]
    alone = {(i, place): question(Analysis(), place) for i, question in enumerate(questions) for place in asked}
    order = list(alone)
    chance.shuffle(order)
    together = Analysis()
    assert all(questions[i](together, place) == alone[i, place] for i, place in order)


# Moves ---------------------------------------------------------------------------------------------------------------


def test_winning_moves_are_the_games_own_moves_and_every_one_of_them() -> None:
    position = Position.parse("S1 M1")
    assert [str(move) for move in theory.winning_moves(position)] == ["S1>M1", "M1>S1"]
    assert theory.winning_moves(position, misere=True) == ()
    assert theory.winning_options(position) == position.options()
    assert theory.winning_moves(Countdown(4)) == (Countdown(3),)


# Soluna --------------------------------------------------------------------------------------------------------------


@both
@pytest.mark.parametrize("symbols", ["SSSS", "SSMM", "SSMT", "SMTC", "SSSMM", "SSMMT", "SSSMMT", "SSMMTC", "SSMMTTC"])
def test_soluna_is_judged_as_the_naive_engine_judges_it(symbols: str, misere: bool) -> None:
    start = naive.shape(symbols)
    seen, waiting = {start}, [start]
    while waiting:
        some = waiting.pop()
        position, table = Position.parse(naive.text(some)), naive.table_of(some)
        assert (theory.outcome(position, misere=misere) == "N") == naive.mover_wins(table, misere)
        new = naive.options(table) - seen
        seen |= new
        waiting += new
    assert len(seen) > 3


def test_the_commercial_start_is_a_win_for_the_second_player() -> None:
    start = Position.start(S=3, M=3, T=3, C=3)
    asked = Analysis()
    assert asked.outcome(start) == "P" and asked.grundy(start) == 0
    assert asked.remoteness(start) == 10
    # Two options up to renaming, and 688 positions in all: without renaming there would be thousands.
    assert len(asked) == 3 * 688


@pytest.mark.parametrize("few", range(1, 6))
@pytest.mark.parametrize("many", range(1, 8))
def test_two_symbols_are_as_goadrich_and_schlatter_proved(many: int, few: int) -> None:
    if few <= many:
        first_wins = (many + few) % 2 == 1 or few <= 2
        assert theory.outcome(Position.start(S=many, M=few)) == ("N" if first_wins else "P")


# Deep, cyclic, large and broken ones ---------------------------------------------------------------------------------


def test_a_game_of_ten_thousand_moves_is_no_deeper_than_another() -> None:
    assert theory.outcome(Step(10_000)) == "P"
    assert theory.remoteness(Step(10_000)) == 10_000
    assert theory.grundy(Step(10_001)) == 1
    assert theory.misere_grundy(Step(10_001)) == 0
    assert theory.outcome(Step(10_001), misere=True) == "P"
    assert theory.outcome(Sum(Step(10_001), Step(10_000))) == "N"
    assert theory.winning_options(Step(10_001)) == (Step(10_000),)


@pytest.mark.parametrize("map", [((0,),), ((1,), (0,)), ((), (0, 2), (3,), (1, 0))])
def test_a_game_that_can_come_back_is_refused_by_name(map: tuple[tuple[int, ...], ...]) -> None:
    game = Place(map, len(map) - 1)
    for ask in (theory.outcome, theory.remoteness, theory.grundy, theory.misere_grundy):
        with pytest.raises(theory.CyclicGame, match=r"^Place\(.*\) can come back in play") as caught:
            ask(game)
        assert isinstance(caught.value, SolunaError)
    # What lies below the circle keeps its value.
    assert theory.outcome(Place(((), (1,)), 0)) == "P"


class Endless(int):
    def options(self) -> list[Endless]:
        return [Endless(self + 1)]


class Broken(int):
    def options(self) -> list[Broken]:
        if self == 0:
            raise RuntimeError("broken")
        return [Broken(self - 1)]


class Fickle(int):
    def options(self) -> list[int]:
        return [7]


class Unhashable(list[int]):
    def options(self) -> list[Unhashable]:
        return []


def test_a_game_without_end_is_stopped_by_the_limit() -> None:
    with pytest.raises(SolunaError, match=r"^0 has more than 100 positions below it.*limit"):
        Analysis(limit=100).outcome(Endless(0))


def test_a_memory_that_is_full_begins_anew_and_never_grows_beyond_its_limit() -> None:
    small = Analysis(limit=50)
    for start in range(0, 400, 7):
        game = Place(tuple((number - 1,) if number % 40 else () for number in range(400)), start)
        assert small.remoteness(game) == start % 40
        assert len(small) <= 50


@pytest.mark.parametrize("limit", [0, -1, 1.5, "many", True])
def test_a_limit_is_a_number_of_positions(limit: Any) -> None:
    with pytest.raises(SolunaError, match=r"^limit: "):
        Analysis(limit=limit)


def test_what_options_raises_is_passed_on_and_spoils_nothing() -> None:
    for _ in range(2):
        with pytest.raises(RuntimeError, match="broken"):
            theory.outcome(Broken(3))


@pytest.mark.parametrize("game", [3, "S1", None, Nim, [1], Unhashable()])
@pytest.mark.parametrize("ask", [theory.outcome, theory.remoteness, theory.grundy, theory.misere_grundy,
                                 theory.winning_options, theory.winning_moves])  # fmt: skip
def test_what_is_no_game_is_refused_by_the_argument_and_the_rule(ask: Callable[[Any], object], game: Any) -> None:
    with pytest.raises(SolunaError, match=r"^game: a position of a game has options\(\) and can be hashed"):
        ask(game)


def test_an_option_that_is_no_game_is_told_with_where_it_came_from() -> None:
    with pytest.raises(
        SolunaError, match=r"^options\(\) of 3: a position of a game has options\(\) and can be hashed, not 7"
    ):
        theory.outcome(Fickle(3))


# Memory --------------------------------------------------------------------------------------------------------------


class Counted(NamedTuple):
    size: int

    def options(self) -> list[Counted]:
        asked.append(self.size)
        return [Counted(self.size - 1)] if self.size else []


asked: list[int] = []


def test_nothing_is_worked_out_twice() -> None:
    asked.clear()
    assert [theory.outcome(Counted(size)) for size in (9, 3, 9, 8)] == ["N", "N", "N", "P"]
    assert sorted(asked) == list(range(10))
    theory.forget()
    assert theory.outcome(Counted(1)) == "N" and len(asked) == 12


def test_equal_values_of_two_classes_are_two_games() -> None:
    class Other(NamedTuple):
        size: int

        def options(self) -> list[Other]:
            return []

    assert Counted(1) == Other(1)
    assert theory.outcome(Counted(1)) == "N" and theory.outcome(Other(1)) == "P"
    assert Sum(Counted(1)) != Sum(Other(1))


# Places where winner and loser have a choice: 3 may end at once or go by 2; 5 may lose in one move or by 4.
CHOICE = ((), (0,), (1,), (2, 0), (2,), (1, 4))


def test_the_winner_hurries_and_the_loser_delays() -> None:
    assert [theory.remoteness(Place(CHOICE, at)) for at in range(6)] == [0, 1, 2, 1, 3, 4]
    # Under misère 3 is lost, and delays by 2; 5 wins, and hurries by 1.
    assert [theory.remoteness(Place(CHOICE, at), misere=True) for at in range(6)] == [0, 1, 2, 3, 3, 2]
