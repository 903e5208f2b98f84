"""Sums: worth the nim-sum of their parts in normal play, searched under misère, the same in every order."""

from __future__ import annotations

import pickle
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soluna_widget import IllegalMove, InvalidNotation, Position, SolunaError, theory
from soluna_widget.theory import Kayles, Nim, Subtraction, Sum, SumMove
from tests.theory import brute
from tests.theory.games import Countdown, Place, places, tree_of

tables = st.sampled_from(["S1", "S1^2", "S1 M1", "S1^2 M1", "S1^3", "S1^2 M1^2", "S2 M1^2"]).map(Position.parse)
small = st.one_of(tables, st.integers(0, 3).map(Nim), st.integers(0, 4).map(Kayles), places(most=4))


@settings(deadline=None, max_examples=60)
@given(places(most=4), places(most=4), st.booleans())
def test_a_sum_is_judged_as_the_whole_tree_of_both(one: Place, other: Place, misere: bool) -> None:
    tree, game = brute.side_by_side(tree_of(one), tree_of(other)), Sum(one, other)
    assert theory.outcome(game, misere=misere) == ("N" if brute.wins(tree, misere) else "P")
    assert theory.remoteness(game, misere=misere) == brute.moves_to_the_end(tree, misere)


class Searched:
    """A sum of which the package knows nothing but its options."""

    def __init__(self, game: Sum) -> None:
        self.game = game

    def options(self) -> list[Searched]:
        return [Searched(option) for option in self.game.options()]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Searched) and self.game == other.game

    def __hash__(self) -> int:
        return hash(self.game)


@settings(deadline=None, max_examples=60)
@given(st.lists(small, max_size=3))
def test_sprague_and_grundy_the_value_of_a_sum_is_the_nim_sum(parts: list[Any]) -> None:
    game = Sum(*parts)
    value = 0
    for part in parts:
        value ^= theory.grundy(part)
    assert theory.grundy(game) == value == theory.grundy(Searched(game))
    assert theory.outcome(game) == theory.outcome(Searched(game)) == ("N" if value else "P")
    assert theory.misere_grundy(game) == theory.misere_grundy(Searched(game))


@settings(deadline=None, max_examples=60)
@given(st.lists(small, max_size=3), st.randoms(use_true_random=False))
def test_the_order_of_the_parts_is_of_no_matter(parts: list[Any], chance: Any) -> None:
    other = chance.sample(parts, len(parts))
    one, two = Sum(*parts), Sum(*other)
    assert one == two and hash(one) == hash(two)
    assert repr(one.canonical()) == repr(two.canonical())
    assert one.canonical() == one and one.parts == tuple(parts)


# Equal letters on two tables have nothing to do with each other -------------------------------------------------------


def test_a_sum_of_two_tables_is_not_the_table_with_their_stacks_together() -> None:
    suns, moons = Position.parse("S1^2"), Position.parse("M1^2")
    together = Position.parse("S1^2 M1^2")
    assert theory.grundy(Sum(suns, moons)) == 0
    assert theory.grundy(together) == 1
    assert Sum(suns, moons) == Sum(suns, suns) != Sum(together)


def test_the_symbols_of_each_table_are_renamed_on_their_own() -> None:
    parse = Position.parse
    assert Sum(parse("S1^2 M1"), parse("S1 M1^2")) == Sum(parse("C1^2 T1"), parse("S1^2 M1"))
    assert Sum(parse("S1^2 M1"), parse("S1")) != Sum(parse("S1^2"), parse("S1 M1"))


# Equal pairs cancel in normal play only -------------------------------------------------------------------------------


def test_equal_pairs_cancel_in_normal_play_without_a_look_at_them() -> None:
    huge = Position.start(S=20, M=20, T=20, C=20)
    renamed = Position.start(A=20, B=20, D=20, E=20)
    assert theory.grundy(Sum(huge, Nim(3), renamed)) == 3
    assert theory.outcome(Sum(huge, renamed)) == "P"


def test_equal_pairs_do_not_cancel_under_misere() -> None:
    # No game at all is won by who is to move; two heaps of two, or two equal tables, are lost.
    assert theory.outcome(Sum(), misere=True) == "N"
    assert theory.outcome(Sum(Nim(2), Nim(2)), misere=True) == "P"
    table = Position.parse("S1^2 M1")
    assert theory.outcome(Sum(table, table), misere=True) == "P"
    assert theory.outcome(Sum(table, table)) == theory.outcome(Sum()) == "P"


def test_equal_pairs_do_not_cancel_in_remoteness() -> None:
    assert theory.remoteness(Sum(Nim(2), Nim(2))) == 4
    assert theory.remoteness(Sum()) == 0


def test_misere_values_are_never_nim_added() -> None:
    # A heap of one is lost, so it has value 0; two of them are won, and 0 nim-added to 0 would be a loss.
    assert theory.misere_grundy(Nim(1)) == 0
    assert theory.misere_grundy(Sum(Nim(1), Nim(1))) == 1
    # An end has value 1, and adds nothing.
    assert theory.misere_grundy(Sum(Nim(2), Nim())) == 2


def test_remoteness_is_not_determined_by_the_parts() -> None:
    one, other = Nim(1, 2), Nim(1, 1, 3)
    assert theory.grundy(one) == theory.grundy(other) == 3
    assert theory.remoteness(one) == theory.remoteness(other) == 3
    assert (theory.remoteness(Sum(one, Nim(1))), theory.remoteness(Sum(other, Nim(1)))) == (3, 5)


# Moves ---------------------------------------------------------------------------------------------------------------


def test_a_move_names_the_part_in_the_order_in_which_they_were_given() -> None:
    game = Sum(Nim(3), Position.parse("S1 M1"), Countdown(2))
    assert [str(move) for move in game.moves()] == [
        "1: 3>0", "1: 3>1", "1: 3>2", "2: S1>M1", "2: M1>S1", "3: 1", "3: 0",
    ]  # fmt: skip
    after = game.play("2: M1>S1")
    assert str(after) == "Nim 3 + M2 + 2"
    assert game.play((2, "M1>S1")) == game.play(game.moves()[4]) == after
    assert (
        game.play("3: 1") == game.play(SumMove(3, Countdown(1))) == Sum(Nim(3), Position.parse("S1 M1"), Countdown(1))
    )
    # A part that is over stays in its place, so that the others keep their numbers.
    assert str(game.play("1: 3>0").play("3: 0")) == "Nim 0 + S1 M1 + 0"


@settings(deadline=None, max_examples=60)
@given(st.lists(small, max_size=3))
def test_moves_lead_to_the_options_and_one_part_changes(parts: list[Any]) -> None:
    game = Sum(*parts)
    assert {game.play(move) for move in game.moves()} == set(game.options())
    assert len(set(game.options())) == len(game.options())
    assert game.is_over == (not game.moves())
    for move in game.moves():
        after = game.play(move)
        assert len(after.parts) == len(parts)
        assert [place for place, part in enumerate(parts, 1) if part != after.parts[place - 1]] == [move.part]


@pytest.mark.parametrize("move", ["", "3>1", "x: 3>1", ": 3>1", None, 7, (1,), (1, 2, 3)])
def test_what_names_no_part_is_refused(move: Any) -> None:
    with pytest.raises(InvalidNotation, match="is not a move in a sum"):
        Sum(Nim(3)).play(move)


@pytest.mark.parametrize("move", ["0: 3>1", "3: 3>1", (-1, "3>1"), ("a", "3>1")])
def test_a_part_that_is_not_there_is_refused(move: Any) -> None:
    with pytest.raises(IllegalMove, match="there is no part"):
        Sum(Nim(3), Nim(3)).play(move)


def test_what_a_part_refuses_the_sum_refuses() -> None:
    with pytest.raises(IllegalMove, match="no heap of 4"):
        Sum(Nim(3)).play("1: 4>1")
    with pytest.raises(IllegalMove, match="no option"):
        Sum(Countdown(3)).play("1: 0")
    with pytest.raises(IllegalMove, match="no parts"):
        Sum().play("1: 3>1")


# Values --------------------------------------------------------------------------------------------------------------


def test_a_sum_is_made_of_games_and_does_not_change() -> None:
    for parts in ((Nim(1), 3), (Nim,), ([Nim(1), Nim(2)],), (None,)):
        with pytest.raises(SolunaError, match=r"^parts?"):
            Sum(*parts)
    with pytest.raises(AttributeError):
        Sum(Nim(1)).parts = ()


def test_sums_print_travel_and_nest() -> None:
    game = Sum(Nim(3), Sum(Kayles(2), Subtraction(4, (1, 2))))
    assert str(game) == "Nim 3 + (Kayles 2 + Subtraction 4)"
    assert eval(repr(game)) == game and pickle.loads(pickle.dumps(game)) == game
    assert theory.grundy(game) == 3 ^ 2 ^ 1
    assert game.describe() == "part 1: Nim 3; part 2: part 1: Kayles 2; part 2: Subtraction 4"
    assert str(Sum()) == Sum().describe() == "no parts"


def test_the_canonical_form_prints_alike_in_every_run() -> None:
    code = (
        "from soluna_widget import Position, theory as t;"
        "print(repr(t.Sum(t.Nim(3), Position.parse('M1^2'), t.Kayles(2), t.Nim(1), Position.parse('S2')).canonical()))"
    )
    told = {
        subprocess.run([sys.executable, "-P", "-c", code], check=True, stdout=subprocess.PIPE, text=True,
                       env={"PYTHONHASHSEED": str(seed), "PYTHONPATH": ":".join(filter(None, sys.path))}).stdout
        for seed in (1, 2, 3)
    }  # fmt: skip
    assert len(told) == 1
