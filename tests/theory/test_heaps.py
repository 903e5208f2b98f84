"""Nim, subtraction games and Kayles against what has been published of them, and their moves."""

from __future__ import annotations

import pickle
from functools import reduce
from operator import xor
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soluna_widget import IllegalMove, InvalidNotation, SolunaError, theory
from soluna_widget.theory import HeapMove, Kayles, Nim, Subtraction
from tests.theory import brute
from tests.theory.games import Place, tree_of

heaps = st.lists(st.integers(0, 4), max_size=3)
GAMES = [Nim(3, 4, 5), Nim(2, 2), Nim(), Kayles(5, 3), Kayles(7), Kayles(), Subtraction(9, (1, 3, 4)),
         Subtraction(1, (2,))]  # fmt: skip


def twin(game: Any) -> Place:
    """The same game on a map: known to the package by nothing but its options."""
    known = {game: 0}
    below: list[list[int]] = []
    for some in known_below(game, known):
        below.append([known[option] for option in some.options()])
    return Place(tuple(map(tuple, below)), 0)


def known_below(game: Any, known: dict[Any, int]) -> list[Any]:
    waiting = [game]
    for some in waiting:
        for option in some.options():
            if option not in known:
                known[option] = len(known)
                waiting.append(option)
    return waiting


@given(heaps)
@settings(deadline=None, max_examples=60)
def test_bouton_the_value_of_nim_is_the_nim_sum(sizes: list[int]) -> None:
    game = Nim(*sizes)
    assert theory.grundy(game) == reduce(xor, sizes, 0) == theory.grundy(twin(game))
    assert theory.outcome(game) == theory.outcome(twin(game))
    assert theory.remoteness(game) == theory.remoteness(twin(game))


@given(heaps)
@settings(deadline=None, max_examples=60)
def test_misere_nim_differs_only_where_all_heaps_are_single(sizes: list[int]) -> None:
    lost = reduce(xor, sizes, 0) == 0
    if all(size <= 1 for size in sizes):
        lost = not lost
    assert (theory.outcome(Nim(*sizes), misere=True) == "P") == lost


@pytest.mark.parametrize("sizes", [(), (1,), (2,), (1, 1), (2, 1), (2, 2), (3, 1)])
def test_small_nim_is_judged_as_its_whole_tree(sizes: tuple[int, ...]) -> None:
    tree = tree_of(Nim(*sizes))
    assert theory.grundy(Nim(*sizes)) == brute.value(tree)
    for misere in (False, True):
        assert (theory.outcome(Nim(*sizes), misere) == "N") == brute.wins(tree, misere)
        assert theory.remoteness(Nim(*sizes), misere) == brute.moves_to_the_end(tree, misere)


def test_large_heaps_cost_nothing_in_normal_play() -> None:
    assert theory.grundy(Nim(10**9, 10**9 + 1)) == 1


# Guy and Smith 1956; the table of Winning Ways, chapter 4.
KAYLES = [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4, 1, 2, 7, 1, 4, 3, 2, 1, 4, 6, 7]
PERIOD = [4, 1, 2, 8, 1, 4, 7, 2, 1, 8, 2, 7]


def test_kayles_has_the_values_of_guy_and_smith_and_period_12_from_71_on() -> None:
    values = [theory.grundy(Kayles(row)) for row in range(145)]
    assert values[: len(KAYLES)] == KAYLES
    assert [values[row] == PERIOD[row % 12] for row in range(70, 145)] == [False] + [True] * 74


@pytest.mark.parametrize("rows", [(1,), (4,), (5,), (2, 3), (1, 1, 2), (3, 3)])
def test_kayles_values_are_those_of_a_search_without_theorems(rows: tuple[int, ...]) -> None:
    assert theory.grundy(Kayles(*rows)) == theory.grundy(twin(Kayles(*rows)))


@given(st.sets(st.integers(1, 6), min_size=1))
@settings(deadline=None, max_examples=30)
def test_subtraction_games_become_periodic(takes: set[int]) -> None:
    values = [theory.grundy(Subtraction(heap, takes)) for heap in range(300)]
    most = max(takes)
    windows = [tuple(values[start : start + most]) for start in range(300 - most)]
    first = windows.index(next(window for window in windows if windows.count(window) > 1))
    period = windows.index(windows[first], first + 1) - first
    assert all(values[heap] == values[heap + period] for heap in range(first, 300 - period))


@pytest.mark.parametrize("most", [1, 2, 3, 5])
def test_taking_up_to_so_many_has_the_remainder_as_its_value(most: int) -> None:
    game = [Subtraction(heap, range(1, most + 1)) for heap in range(40)]
    assert [theory.grundy(some) for some in game] == [heap % (most + 1) for heap in range(40)]
    if most > 1:
        assert [heap for heap in range(40) if theory.outcome(game[heap], misere=True) == "P"] == [
            *range(1, 40, most + 1)
        ]


def test_twenty_one() -> None:
    game = Subtraction(21, (1, 2, 3))
    assert theory.winning_options(game) == (Subtraction(20, (1, 2, 3)),)
    assert theory.outcome(game, misere=True) == "P"


# Moves ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_moves_lead_to_the_options_and_texts_round_trip(game: Any) -> None:
    moves = game.moves()
    assert len(set(moves)) == len(moves) and moves == tuple(sorted(moves))
    assert {game.play(move) for move in moves} == set(game.options())
    assert [game.play(str(move)) for move in moves] == [game.play(move) for move in moves]
    assert game.is_over == (not moves)
    assert eval(repr(game)) == game and pickle.loads(pickle.dumps(game)) == game


def test_a_position_is_its_heaps_in_any_order_without_the_empty_ones() -> None:
    assert Nim(5, 0, 3) == Nim(3, 5) and hash(Nim(5, 0, 3)) == hash(Nim(3, 5))
    assert (str(Nim(5, 0, 3)), str(Nim()), str(Kayles(2)), str(Subtraction(4, [1]))) == (
        ("Nim 3 5", "Nim 0", "Kayles 2", "Subtraction 4")
    )
    assert Nim(3) != Kayles(3) and Subtraction(3, [1]) != Subtraction(3, [2])


def test_kayles_rows_fall_in_two() -> None:
    assert [str(move) for move in Kayles(4).moves()] == ["4>1+1", "4>1+2", "4>2", "4>3"]
    assert [str(move) for move in Kayles(1).moves()] == ["1>0"]


@pytest.mark.parametrize("text", ["", "5", "5>", ">2", "5>2>1", "5>-1", "take two", "5>2+", 5, None, "٣>1"])
def test_text_that_is_no_move_is_refused(text: Any) -> None:
    with pytest.raises(InvalidNotation, match="is not a move"):
        Nim(5).play(text)


@pytest.mark.parametrize(
    ("game", "move", "why"),
    [
        (Nim(3, 5), "4>2", "no heap of 4"),
        (Nim(3, 5), "5>5", "cannot become"),
        (Nim(3, 5), "5>6", "cannot become"),
        (Nim(3, 5), "5>1+1", "cannot become"),
        (Kayles(5), "5>1+1", "cannot become"),
        (Subtraction(9, (1, 3)), "9>7", "cannot become"),
        (Nim(), "1>0", "no heap of 1"),
    ],
)
def test_a_move_that_the_rules_forbid_is_refused(game: Any, move: str, why: str) -> None:
    with pytest.raises(IllegalMove, match=why):
        game.play(move)


@pytest.mark.parametrize("make", [lambda: Nim(-1), lambda: Nim(1.5), lambda: Nim("3"), lambda: Nim(True),
                                  lambda: Kayles([3]), lambda: Subtraction(-1, [1]), lambda: Subtraction(3, []),
                                  lambda: Subtraction(3, [0]), lambda: Subtraction(3, [1, "2"]),
                                  lambda: Subtraction(3, 1)])  # fmt: skip
def test_games_that_make_no_sense_are_refused(make: Any) -> None:
    with pytest.raises(SolunaError, match=r"^(heaps|heap|takes): "):
        make()


def test_a_move_says_itself_in_words() -> None:
    assert HeapMove.parse("5>0").describe() == "take 5 from 5, leaving nothing"
    assert HeapMove.parse(" 5 > 3+1 ") == HeapMove(5, (1, 3))
