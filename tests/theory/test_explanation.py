"""Explanations: every claim in one is true, and none is missing."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soluna_widget import Position, SolunaError, theory
from soluna_widget.theory import Analysis, GameTree, Kayles, Nim, Subtraction, Sum, explain
from soluna_widget.theory.game import moves_of
from tests.theory.games import Countdown, Place, places

tables = st.sampled_from(["S1", "S1^2", "S1 M1", "S1^2 M1", "S1^3 M1^2", "S1^2 M1^2", "S1^2 M1 T1", "S1^2 M2 T1"])
games = st.one_of(
    tables.map(Position.parse),
    st.lists(st.integers(0, 3), max_size=3).map(lambda heaps: Nim(*heaps)),
    st.integers(0, 6).map(Kayles),
    st.integers(0, 9).map(Countdown),
    places(),
    st.tuples(tables, tables).map(lambda pair: Sum(*map(Position.parse, pair))),
)


def play(game: Any, move: Any) -> Any:
    return game.play(move) if hasattr(game, "play") else move


@settings(deadline=None)
@given(games, st.booleans())
def test_every_move_named_does_what_is_said_of_it(game: Any, misere: bool) -> None:
    told = explain(game, misere)
    assert told.outcome == theory.outcome(game, misere)
    assert told.remoteness == theory.remoteness(game, misere)
    for line in told.winning:
        for move in (*line.moves, *line.alike):
            assert theory.outcome(play(game, move), misere) == "P"
    before = told.winning[0].option if told.winning else game
    for line in told.refutations:
        for move in line.moves:
            after = play(before, move)
            assert theory.outcome(after, misere) == "N"
            # The answers are moves there, by these very names, and each wins.
            for answer in line.answers:
                assert theory.outcome(play(after, answer), misere) == "P"
        for move in line.alike:
            assert theory.remoteness(play(before, move), misere) == theory.remoteness(line.option, misere)


@settings(deadline=None)
@given(games, st.booleans())
def test_no_move_is_forgotten(game: Any, misere: bool) -> None:
    told = explain(game, misere)
    if told.outcome == "N":
        said = [move for line in told.winning for move in (*line.moves, *line.alike)]
        assert sorted(map(str, said)) == sorted(map(str, theory.winning_moves(game, misere)))
        if said:
            assert theory.remoteness(told.winning[0].option, misere) == told.remoteness - 1
    before = told.winning[0].option if told.winning else game
    if told.winning or told.outcome == "P":
        said = [move for line in told.refutations for move in (*line.moves, *line.alike)]
        assert sorted(map(str, said)) == sorted(str(move) for move, _ in moves_of(before))


@settings(deadline=None)
@given(games, st.booleans())
def test_the_first_answer_is_the_quickest_win(game: Any, misere: bool) -> None:
    for line in explain(game, misere).refutations:
        if line.answers:
            assert line.after == play(line.option, line.answers[0])
            assert theory.remoteness(line.after, misere) + 1 == theory.remoteness(line.option, misere)


SAID = {
    ("S1 M1", False): """\
S1 M1: N, the player to move wins, with best play in 1 move.
The move S1>M1 wins: it leads to S2, where nobody can move, and who cannot move loses.
So does M1>S1.""",
    ("S1 M1", True): """\
S1 M1: P, the player to move loses, with best play in 1 move (misère).
S1>M1 leaves the other player without a move, who so wins; M1>S1 plays alike.""",
    ("S1 M2", False): "S1 M2: P, the player to move loses: nobody can move, and who cannot move loses.",
    ("S1 M2", True): "S1 M2: N, the player to move wins: nobody can move, and who cannot move wins.",
    ("S1^3 M2", False): """\
S1^3 M2: P, the player to move loses, with best play in 2 moves.
S1>S1 runs into S1>S2, which leads to S3 M2, where nobody can move (S2>S1 and M2>S2 would do as well).""",
}


@pytest.mark.parametrize(("position", "misere"), SAID)
def test_it_is_said_in_sentences(position: str, misere: bool) -> None:
    assert str(explain(Position.parse(position), misere)) == SAID[position, misere]


def test_a_game_without_moves_is_explained_by_its_options() -> None:
    assert str(explain(Countdown(3))) == (
        "3: P, the player to move loses, with best play in 2 moves.\n"
        "2 runs into 0, where nobody can move.\n"
        "1 runs into 0, where nobody can move."
    )
    assert str(explain(Countdown(4))).splitlines()[1] == ("3 wins: it is lost for the player who must move there.")


def test_moves_are_told_in_words_where_they_have_them() -> None:
    assert "2: 3>2 (in part 2, take 1 from 3, leaving 2) wins" in str(explain(Sum(Nim(2), Nim(3))))
    assert "21>20 (take 1 from 21, leaving 20) wins" in str(explain(Subtraction(21, (1, 2, 3))))


def test_equal_tables_in_other_places_have_answers_of_their_own() -> None:
    # The two sums after these moves are equal as values, but the answer to each is at the other table.
    (line,) = explain(Sum(Position.parse("S1^2"), Position.parse("M1^2"))).refutations
    assert [str(move) for move in (*line.moves, *line.answers)] == ["1: S1>S1", "2: M1>M1"]
    assert [str(move) for move in line.alike] == ["2: M1>M1"]


def test_what_is_no_game_is_not_explained() -> None:
    with pytest.raises(SolunaError, match=r"^game: "):
        explain("S1 M1")  # type: ignore[arg-type]  # that is the point


def test_another_memory_may_be_asked() -> None:
    own = Analysis()
    assert explain(Nim(1, 2), analysis=own) == explain(Nim(1, 2)) and len(own)
    before = len(own)
    assert GameTree(Nim(3), analysis=own).outcome(0) == "N" and len(own) > before


def test_the_quickest_answer_comes_first_whatever_order_the_game_has() -> None:
    # From 4 one must go to 3, which ends at once or goes round by 2.
    (line,) = explain(Place(((), (0,), (1,), (2, 0), (3,)), 4)).refutations
    assert [answer.at for answer in line.answers] == [0, 2] and line.after.at == 0
