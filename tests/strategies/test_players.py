"""The players that think: what each prefers, held against a second implementation, for Soluna and any other game."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from soluna_widget import DISC_SETS, Position, SolunaError, solve, theory
from soluna_widget.solver.plain import starts
from soluna_widget.strategies import (
    NAMED,
    FalliblePlayer,
    FunctionPlayer,
    GreedyPlayer,
    MinimaxPlayer,
    MonteCarloPlayer,
    ParityPlayer,
    PerfectPlayer,
    PolicyPlayer,
    RandomPlayer,
    Strategy,
    find,
    moves_of,
)
from soluna_widget.theory import Kayles, Nim, Sum
from tests import naive

STARTS = [Position.start(**dict(zip("SMTC", counts, strict=False))) for counts in starts(12, 4)]
WITH_POLICY = [
    RandomPlayer(),
    RandomPlayer("moves"),
    RandomPlayer("options"),
    GreedyPlayer(),
    ParityPlayer(),
    MinimaxPlayer(1),
    MinimaxPlayer(3),
    PerfectPlayer(),
    FalliblePlayer(0.3),
]
EVERY = [*WITH_POLICY, MonteCarloPlayer(20), FunctionPlayer(lambda position, rng: moves_of(position)[0], "First")]
names = [player.name for player in EVERY]

# What is met first is solved first, which takes longer than all that follow.
unhurried = settings(deadline=None, max_examples=60)

positions = st.lists(st.tuples(st.sampled_from("SMTC"), st.integers(1, 4)), min_size=2, max_size=6).map(
    lambda stacks: Position.parse(" ".join(f"{top}{height}" for top, height in stacks))
)


def shape(position: Position) -> naive.Shape:
    return tuple(sorted((stack.top, stack.height) for stack in position.stacks))


def mover_wins(position: Position, misere: bool = False) -> bool:
    return naive.judged(naive.kind(shape(position)), misere)[0] == "N"


@dataclass(frozen=True)
class Pile:
    """A heap of which at most three are taken; it has options and nothing else, in a set."""

    heap: int

    def options(self) -> set[Pile]:
        return {Pile(self.heap - taken) for taken in (1, 2, 3) if taken <= self.heap}


@dataclass(frozen=True)
class Word:
    """A word from which one letter is struck out; texts hash differently in each process, and so sets of them are."""

    letters: str

    def options(self) -> set[Word]:
        return {Word(self.letters[:at] + self.letters[at + 1 :]) for at in range(len(self.letters))}


GAMES: list[Any] = [Position.parse("S1^3 M1^2 T2"), Nim(1, 3, 4), Sum(Nim(2), Position.parse("S1^2 M1")), Pile(7)]


@pytest.mark.parametrize("player", EVERY, ids=names)
@pytest.mark.parametrize("game", GAMES, ids=str)
def test_every_player_plays_any_game_to_its_end(player: Strategy, game: Any) -> None:
    rng, moves = Random(3), 0
    while list(game.options()):
        move = player.choose(game, rng)
        assert move in moves_of(game)
        game = game.play(move) if hasattr(game, "play") else move
        moves += 1
    assert moves > 1
    with pytest.raises(SolunaError, match="there is no move in"):
        RandomPlayer().choose(game, rng)


@pytest.mark.parametrize("player", WITH_POLICY, ids=names[: len(WITH_POLICY)])
@unhurried
@given(position=positions)
def test_a_policy_gives_probabilities_to_moves_of_the_position(player: Any, position: Position) -> None:
    if position.is_over:
        with pytest.raises(SolunaError, match="there is no move"):
            player.policy(position)
        return
    policy = player.policy(position)
    assert set(policy) <= set(position.moves())
    assert sum(policy.values()) == 1 and min(policy.values()) >= 0
    assert all(isinstance(chance, Fraction) for chance in policy.values())
    assert player.choose(position, Random(1)) in policy


@pytest.mark.parametrize("player", WITH_POLICY, ids=names[: len(WITH_POLICY)])
@unhurried
@given(position=positions, order=st.permutations("SMTC"))
def test_a_player_that_says_so_is_invariant_under_renaming(player: Any, position: Position, order: list[str]) -> None:
    assume(not position.is_over)
    assert player.invariant
    name = dict(zip("SMTC", order, strict=True))

    def renamed(text: object) -> str:
        return "".join(name.get(letter, letter) for letter in str(text))

    twin = Position.parse(renamed(position))
    assert {renamed(move): chance for move, chance in player.policy(position).items()} == {
        str(move): chance for move, chance in player.policy(twin).items()
    }


def test_what_is_drawn_follows_the_policy() -> None:
    position, player, rng = Position.parse("S1^3 M1^2 T2"), FalliblePlayer(0.5), Random(5)
    drawn = [player.choose(position, rng) for _ in range(4_000)]
    for move, chance in player.policy(position).items():
        expected = 4_000 * float(chance)
        assert abs(drawn.count(move) - expected) < 4.5 * (expected * (1 - float(chance))) ** 0.5


# One move ahead ------------------------------------------------------------------------------------------------------


@unhurried
@given(position=positions)
def test_the_greedy_player_leaves_the_fewest_options(position: Position) -> None:
    assume(not position.is_over)
    left = {move: len(naive.options(naive.table_of(shape(position.play(move))))) for move in position.moves()}
    best = [move for move, count in left.items() if count == min(left.values())]
    assert GreedyPlayer().policy(position) == dict.fromkeys(best, Fraction(1, len(best)))


@pytest.mark.parametrize("misere", [False, True])
def test_the_parity_player_counts_stacks_and_symbols(misere: bool) -> None:
    position = Position.parse("S1^2 M1^2")  # after S1>S1: 3 stacks, 2 symbols; after S1>M1 too, but M1 is left
    for move in ParityPlayer(misere).policy(position):
        after = position.play(move)
        assert (len(after.stacks) - len({stack.top for stack in after.stacks})) % 2 == misere or misere is False
    # From S1 M1^2 two moves hide a symbol: 2 stacks less 1 symbol; the others leave 2 less 2.
    policy = ParityPlayer(misere).policy(Position.parse("S1 M1^2"))
    assert {str(move) for move in policy} == ({"M1>S1"} if misere else {"S1>M1", "M1>M1"})
    assert ParityPlayer(misere).opening(Position.start(S=3, M=3, T=3, C=3)) == misere


def test_in_other_games_the_parity_player_counts_the_longest_play() -> None:
    # From Nim 3 the plays left after 3>2, 3>1 and 3>0 are at most 2, 1 and 0 moves long.
    assert {str(move) for move in ParityPlayer().policy(Nim(3))} == {"3>2", "3>0"}
    assert {str(move) for move in ParityPlayer(misere=True).policy(Nim(3))} == {"3>1"}


# Looking ahead -------------------------------------------------------------------------------------------------------


def sees(position: Position, depth: int, misere: bool) -> int:
    """What minimax must see, by trying every pair of stacks."""
    table = naive.table_of(shape(position))
    pairs = naive.physical_pairs(table)
    if not pairs:
        return 1 if misere else -1
    if depth == 0:
        return 0
    after = [naive.shape(naive.put(table, i, j)) for i, j in pairs]
    return max(-sees(Position.parse(naive.text(some)), depth - 1, misere) for some in set(after))


@pytest.mark.parametrize("misere", [False, True])
@pytest.mark.parametrize("depth", [1, 2, 4])
@unhurried
@given(position=positions.filter(lambda position: len(position.stacks) <= 4))
def test_minimax_plays_what_looks_best_so_far_ahead(depth: int, misere: bool, position: Position) -> None:
    assume(not position.is_over)
    worth = {move: -sees(position.play(move), depth - 1, misere) for move in position.moves()}
    best = {move for move, value in worth.items() if value == max(worth.values())}
    assert set(MinimaxPlayer(depth, misere).policy(position)) == best
    assert MinimaxPlayer(depth, misere).opening(position) == Fraction(1 + sees(position, depth, misere), 2)


@pytest.mark.parametrize("start", ["S1^3 M1^3", "S1^4 M1 T1"])
@pytest.mark.parametrize("misere", [False, True])
def test_minimax_to_the_depth_of_the_game_never_loses_a_won_position(start: str, misere: bool) -> None:
    assert list(ends_of([Position.parse(start)], MinimaxPlayer(10, misere), misere)) == []


def test_playouts_find_the_winning_moves_and_more_playouts_find_them_more_often() -> None:
    won = [start for start in STARTS if solve(12, 4).outcome(start) == "N" and len(start.moves()) > 1]
    assert won

    def found(playouts: int) -> int:
        rng, player = Random(1), MonteCarloPlayer(playouts)
        hits = 0
        for start in won:
            wins = set(solve(12, 4).winning_moves(start))
            hits += sum(player.choose(start, rng) in wins for _ in range(8))
        return hits

    few, many = found(5), found(1_500)
    assert few < many and many >= 0.8 * 8 * len(won)


def test_playouts_or_seconds() -> None:
    assert MonteCarloPlayer().playouts == 200
    assert MonteCarloPlayer(seconds=0.01).choose(Position.parse("S1^2"), Random(1)) is not None
    assert not hasattr(MonteCarloPlayer(), "policy"), "what it plays depends on its playouts"
    assert MonteCarloPlayer(1_500).opens(Position.start(S=3, M=3, T=3, C=3), Random(1)) == "second"
    assert MonteCarloPlayer(1_500).opens(Position.start(S=4, M=4, T=4), Random(1)) == "first"


@pytest.mark.parametrize("text", ["S1^3 M1^2", "S1^4 M1^3", "S1,2 M1^2 T2"])
@pytest.mark.parametrize("misere", [False, True])
def test_playouts_count_for_the_kind_of_play(text: str, misere: bool) -> None:
    position = Position.parse(text)
    wins = {move for move in position.moves() if not mover_wins(position.play(move), misere)}
    chosen = {MonteCarloPlayer(400, misere=misere).choose(position, Random(seed)) for seed in range(5)}
    assert chosen <= wins or not wins


# Perfect -------------------------------------------------------------------------------------------------------------


def ends_of(starts: list[Position], player: Any, misere: bool) -> Iterator[Position]:
    """Where a player loses from won positions: every move its policy may make, and every reply, are tried.

    It sits in the seat that wins, first or second. What it leaves must be lost for the adversary, by the naive judge.
    """
    waiting: set[Position] = set()
    for start in starts:
        first = [start] if mover_wins(start, misere) else [start.play(move) for move in start.moves()]
        waiting |= {position.canonical() for position in first}
    seen: set[Position] = set()
    while waiting:
        position = waiting.pop()
        seen.add(position)
        if position.is_over:
            if not misere:
                yield position
            continue
        for move in player.policy(position):
            after = position.play(move)
            if mover_wins(after, misere):
                yield after
            replies = {after.play(reply).canonical() for reply in after.moves()}
            waiting |= replies - seen


@pytest.mark.parametrize("misere", [False, True])
def test_the_perfect_player_never_loses_a_won_position_against_any_reply(misere: bool) -> None:
    assert len(STARTS) == 34
    assert list(ends_of(STARTS, PerfectPlayer(misere), misere)) == []
    assert list(ends_of(STARTS, GreedyPlayer(), misere)), "else this test could not fail"


def plays(start: Position, players: tuple[Strategy, Strategy], rng: Random) -> int:
    """Who wins: 0 or 1."""
    turn, position = 0, start
    while not position.is_over:
        position = position.play(players[turn].choose(position, rng))
        turn = 1 - turn
    return 1 - turn


@pytest.mark.parametrize("other", EVERY, ids=names)
def test_the_perfect_player_never_loses_a_won_position_against_any_player(other: Strategy) -> None:
    rng, perfect = Random(8), PerfectPlayer()
    for start in STARTS:
        if mover_wins(start):
            assert plays(start, (perfect, other), rng) == 0
        else:
            assert plays(start, (other, perfect), rng) == 1


def test_when_lost_it_leaves_most_losing_moves_and_then_the_longest_game() -> None:
    def hope(option: Position) -> tuple[Fraction, int]:
        replies = [mover_wins(option.play(move)) for move in option.moves()]
        return Fraction(sum(replies), len(replies)), naive.judged(naive.kind(shape(option)), False)[1]

    tried = 0
    for some in naive.all_kinds(8, 3):
        position = Position.parse(" ".join(f"{letter.upper()}{height}" for letter, height in some))
        if position.is_over or mover_wins(position):
            continue
        hopes = {move: hope(position.play(move)) for move in position.moves()}
        assert set(PerfectPlayer().policy(position)) == {move for move in hopes if hopes[move] == max(hopes.values())}
        tried += len(set(hopes.values())) > 1
    assert tried > 20


def test_the_three_sources_of_what_it_knows_agree() -> None:
    class Judge:
        misere = False

        def outcome(self, position: Any) -> Any:
            return theory.outcome(position)

        def remoteness(self, position: Any) -> int:
            return theory.remoteness(position)

    for text in ("S1^3 M1^3 T1", "S2 M1^3 T1^2", "S1,2 M1^2 T2"):
        position = Position.parse(text)
        policies = [
            PerfectPlayer(knowledge=know).policy(position) for know in (None, Judge(), solve(position.discs, 3))
        ]
        assert policies[0] == policies[1] == policies[2]


def test_a_game_too_large_for_a_solution_is_judged_by_itself() -> None:
    position = Position.parse("S30 M31 T40 M40")
    wins = {move for move in position.moves() if not mover_wins(position.play(move))}
    assert wins and set(PerfectPlayer().policy(position)) == wins


def test_fallible_is_random_at_one_and_perfect_at_nought_and_between_a_mixture() -> None:
    position = Position.parse("S1^3 M1^2 T2")
    perfect, chance = PerfectPlayer().policy(position), RandomPlayer("moves").policy(position)
    assert FalliblePlayer(0).policy(position) == perfect
    assert FalliblePlayer(1).policy(position) == chance
    mixed = FalliblePlayer(0.1).policy(position)
    assert mixed == {move: chance[move] / 10 + Fraction(9, 10) * perfect.get(move, 0) for move in chance}


def test_who_chooses_who_opens_takes_the_winning_role() -> None:
    for start in STARTS:
        order = "first" if mover_wins(start) else "second"
        assert PerfectPlayer().opens(start, Random(1)) == order
        assert PerfectPlayer().opening(start) == (order == "first")
    assert FalliblePlayer(1).opening(STARTS[0]) == Fraction(1, 2)


# The same everywhere -------------------------------------------------------------------------------------------------

COURSES = """
from random import Random
from soluna_widget import Position
from soluna_widget.strategies import find
from soluna_widget.theory import Nim, Sum
from tests.strategies.test_players import Word
for name in ("random", "greedy", "parity", "minimax 3", "monte carlo 30", "fallible 0.5", "perfect"):
    for game in (Position.parse("S1^4 M1^3 T1^2"), Sum(Nim(3), Position.parse("S1^2 M1")), Word("soluna")):
        rng, player, course = Random(7), find(name), []
        while list(game.options()):
            move = player.choose(game, rng)
            course.append(str(move))
            game = game.play(move) if hasattr(game, "play") else move
        print(name, *course)
"""


def test_the_same_chance_gives_the_same_moves_in_every_process() -> None:
    told = set()
    for salt in ("1", "2"):
        env = {**os.environ, "PYTHONHASHSEED": salt, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        told.add(subprocess.run([sys.executable, "-c", COURSES], check=True, capture_output=True, env=env).stdout)
    assert len(told) == 1 and told.pop().count(b"\n") == 21


@pytest.mark.parametrize("player", EVERY[:-1], ids=names[:-1])
def test_players_are_values_that_travel(player: Any) -> None:
    twin = pickle.loads(pickle.dumps(player))
    assert twin == player and hash(twin) == hash(player) and repr(twin) == repr(player)


# By name and by mistake ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "player"),
    [
        ("greedy", GreedyPlayer()),
        ("minimax", MinimaxPlayer()),
        ("minimax 3", MinimaxPlayer(3)),
        ("monte carlo", MonteCarloPlayer()),
        ("monte carlo 50", MonteCarloPlayer(50)),
        ("fallible 0.25", FalliblePlayer(0.25)),
        ("fallible 1", FalliblePlayer(1)),
        ("perfect", PerfectPlayer()),
    ],
)
def test_players_are_found_by_name_and_level(name: str, player: Strategy) -> None:
    assert find(name) == player
    assert find(name, misere=True) == (player if name == "greedy" else type(player)(**{**vars(player), "misere": True}))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("minimax three", "'random' or .*'perfect', or a strategy, not 'minimax three'"),
        ("minimax 0", "depth: a number of moves from 1 to 100, not 0"),
        ("minimax 2.5", "depth is a whole number"),
        ("fallible 2", "error: a probability from 0 to 1, not 2"),
        ("monte carlo 0", "playouts: a number of 1 or more, not 0"),
        ("greedy 3", "'greedy' has no level, only 'minimax' or 'monte carlo' or 'fallible' have"),
    ],
)
def test_a_level_that_means_nothing_is_refused(text: str, words: str) -> None:
    with pytest.raises(SolunaError, match=f"^second: .*{words}"):
        find(text, "second")


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: MinimaxPlayer(True), "depth: "),
        (lambda: MonteCarloPlayer(5, seconds=1), "playouts: .* not both"),
        (lambda: MonteCarloPlayer(seconds=0), "seconds: "),
        (lambda: MonteCarloPlayer(seconds=float("nan")), "seconds: "),
        (lambda: MonteCarloPlayer(exploration=-1), "exploration: "),
        (lambda: FalliblePlayer("much"), "error: "),
        (lambda: FalliblePlayer(float("nan")), "error: "),
        (lambda: FalliblePlayer(over="stones"), "over: "),
        (lambda: PerfectPlayer(knowledge="all"), "knowledge: a Solution"),
        (lambda: PerfectPlayer(misere=True, knowledge=solve(4, 2)), "knowledge: .* is not for misère play"),
        (lambda: PolicyPlayer("uniform"), "policy: "),
    ],
)
def test_settings_that_mean_nothing_are_refused(make: Any, words: str) -> None:
    with pytest.raises(SolunaError, match=f"^{words}"):
        make()


def test_a_policy_player_plays_its_function() -> None:
    def last(position: Any) -> dict[Any, float]:
        return {moves_of(position)[-1]: 1.0}

    player = PolicyPlayer(last)
    assert player.name == "last" and not player.invariant
    assert player.choose(Position.parse("S1^2 M1"), Random(1)) == Position.parse("S1^2 M1").moves()[-1]


def test_they_are_few_enough_to_read_and_all_have_names() -> None:
    assert [find(name).name for name in NAMED] == [
        "Random",
        "Greedy",
        "Parity",
        "Minimax 2",
        "Monte Carlo 200",
        "Fallible 0.1",
        "Perfect",
    ]


def test_the_box_is_judged_as_is_known() -> None:
    falls = DISC_SETS["soluna"].falls()
    assert sum(ways for start, ways in falls.items() if PerfectPlayer().opening(start)) == 712


def test_kayles_is_won_by_the_perfect_player() -> None:
    rng = Random(2)
    for _ in range(5):
        game: Any = Kayles(9)
        turn = 0
        while game.moves():
            player: Strategy = (PerfectPlayer(), RandomPlayer())[turn]
            game, turn = game.play(player.choose(game, rng)), 1 - turn
        assert turn == 1
