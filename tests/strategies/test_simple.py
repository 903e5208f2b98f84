"""Players: a position in, a move out. What chance says is held against counts made by trying everything."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Hashable, Mapping
from random import Random
from typing import Any, Literal

import pytest

from soluna_widget import Move, Position, SolunaError
from soluna_widget.strategies import NAMED, FunctionPlayer, RandomPlayer, Strategy, find, moves_of
from tests import naive

DRAWS = 4_000

# "S2" is written ".S" here: a sun on a disc that nobody sees.
TABLES: dict[str, list[str]] = {
    "S1^3,2 M1 T2": ["S", "S", "S", ".S", "M", ".T"],
    "S1^3 M1^3": ["S", "S", "S", "M", "M", "M"],
    "S1,2^2 M2,3": ["S", ".S", ".S", ".M", "..M"],
    "S1^12": ["S"] * 12,
    "S1^2": ["S", "S"],
}


def move_of(mover: str, target: str) -> str:
    return f"{mover[-1]}{len(mover)}>{target[-1]}{len(target)}"


def by_stacks(table: list[str]) -> Counter[str]:
    """How many ordered pairs of stacks on the table make each move."""
    return Counter(move_of(table[a], table[b]) for a, b in naive.physical_pairs(table))


def options(table: list[str]) -> dict[str, str]:
    """What each move leads to."""
    return {
        move_of(table[a], table[b]): naive.text(naive.shape(naive.put(table, a, b)))
        for a, b in naive.physical_pairs(table)
    }


def drawn(player: RandomPlayer, position: Any, draws: int = DRAWS) -> Counter[Any]:
    rng = Random(2026)
    return Counter(player.choose(position, rng) for _ in range(draws))


def agrees(found: Mapping[Hashable, int], weights: Mapping[Hashable, float]) -> bool:
    """Whether counts are what chance would do with these weights: chi-square within four standard deviations."""
    assert set(found) <= set(weights)
    draws, total = sum(found.values()), sum(weights.values())
    expected = {key: draws * weight / total for key, weight in weights.items()}
    assert min(expected.values()) >= 5, "too few draws to say anything"
    square = sum((found.get(key, 0) - due) ** 2 / due for key, due in expected.items())
    free = len(weights) - 1
    return square <= free + 4 * (2 * free) ** 0.5


@pytest.mark.parametrize("text", TABLES)
def test_over_stacks_every_ordered_pair_of_stacks_is_equally_likely(text: str) -> None:
    found = drawn(RandomPlayer("stacks"), Position.parse(text))
    assert agrees({str(move): times for move, times in found.items()}, by_stacks(TABLES[text]))


@pytest.mark.parametrize("text", TABLES)
def test_over_moves_every_distinct_move_is_equally_likely(text: str) -> None:
    found = drawn(RandomPlayer("moves"), Position.parse(text))
    assert agrees({str(move): times for move, times in found.items()}, dict.fromkeys(by_stacks(TABLES[text]), 1))


@pytest.mark.parametrize("text", TABLES)
def test_over_options_every_resulting_position_is_equally_likely(text: str) -> None:
    position, leads_to = Position.parse(text), options(TABLES[text])
    found: Counter[str] = Counter()
    for move, times in drawn(RandomPlayer("options"), position, draws=1_500).items():
        found[leads_to[str(move)]] += times
    assert agrees(found, dict.fromkeys(leads_to.values(), 1))


def test_the_three_ways_differ_where_they_should() -> None:
    text = "S1^3,2 M1 T2"
    weights = by_stacks(TABLES[text])
    found = {str(move): times for move, times in drawn(RandomPlayer("moves"), Position.parse(text)).items()}
    assert not agrees(found, weights), "else these tests could not tell stacks from moves"
    leads_to = options(TABLES["S1,2^2 M2,3"])
    assert len(set(leads_to.values())) < len(leads_to), "else they could not tell moves from options"
    by_option: Counter[str] = Counter()
    for move, times in drawn(RandomPlayer("moves"), Position.parse("S1,2^2 M2,3")).items():
        by_option[leads_to[str(move)]] += times
    assert not agrees(by_option, dict.fromkeys(leads_to.values(), 1))


@pytest.mark.parametrize("over", ["stacks", "moves", "options"])
def test_what_it_plays_is_a_move_of_the_position(over: Literal["stacks", "moves", "options"]) -> None:
    rng, player = Random(1), RandomPlayer(over)
    for _ in range(20):
        position = Position.start(S=3, M=3, T=3, C=3)
        while not position.is_over:
            move = player.choose(position, rng)
            assert isinstance(move, Move) and move in position.moves()
            position = position.play(move)


@pytest.mark.parametrize("over", ["stacks", "moves", "options"])
def test_the_same_chance_gives_the_same_move_and_nobody_elses_chance_is_touched(
    over: Literal["stacks", "moves", "options"],
) -> None:
    position, state = Position.start(S=3, M=3, T=3, C=3), random.getstate()
    runs = []
    for seed in (1, 1, 2):
        rng = Random(seed)
        runs.append([RandomPlayer(over).choose(position, rng) for _ in range(20)])
    assert runs[0] == runs[1] != runs[2]
    assert random.getstate() == state


# Any game ------------------------------------------------------------------------------------------------------------


class Countdown:
    """A heap from which one, two or three are taken; it has options and nothing else."""

    def __init__(self, heap: int) -> None:
        self.heap = heap

    def options(self) -> list[Countdown]:
        return [Countdown(self.heap - taken) for taken in (1, 2, 3) if taken <= self.heap]

    def __str__(self) -> str:
        return f"a heap of {self.heap}"


class Moving(Countdown):
    """The same with moves: numbers that are taken, of which 1 and "one" do the same."""

    def moves(self) -> list[Any]:
        return [1, "one", 2, 3]

    def play(self, move: Any) -> int:
        return self.heap - (1 if move == "one" else move)


@pytest.mark.parametrize("over", ["stacks", "moves", "options"])
def test_a_game_without_moves_is_played_over_its_options(over: Literal["stacks", "moves", "options"]) -> None:
    game = Countdown(7)
    found = Counter(option.heap for option in drawn(RandomPlayer(over), game).elements())
    assert agrees(found, {6: 1, 5: 1, 4: 1})


@pytest.mark.parametrize(
    ("over", "weights"),
    [
        ("stacks", {1: 1, "one": 1, 2: 1, 3: 1}),
        ("moves", {1: 1, "one": 1, 2: 1, 3: 1}),
        ("options", {1: 1, "one": 1, 2: 2, 3: 2}),
    ],
)
def test_a_game_that_counts_no_pairs_of_stacks_is_played_over_its_moves(over: Any, weights: dict[Any, int]) -> None:
    # The moves to one option share its chance.
    assert agrees(drawn(RandomPlayer(over), Moving(7)), weights)


@pytest.mark.parametrize("over", ["stacks", "moves", "options"])
@pytest.mark.parametrize("game", [Countdown(0), Position.parse("S1"), Position.parse("S1 M2 T3")], ids=str)
def test_who_cannot_move_is_not_asked(over: Literal["stacks", "moves", "options"], game: Any) -> None:
    with pytest.raises(SolunaError, match=f"^there is no move in {game}$"):
        RandomPlayer(over).choose(game, Random(1))


def test_the_moves_of_a_game_are_its_moves_or_else_its_options() -> None:
    position = Position.parse("S1^2 M1")
    assert list(moves_of(position)) == list(position.moves())
    assert [option.heap for option in moves_of(Countdown(2))] == [1, 0]
    assert moves_of(Moving(3)) == [1, "one", 2, 3]


# Who is meant --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("over", ["stones", "", None, 1, "Stacks"])
def test_over_what_is_one_of_three_words(over: Any) -> None:
    with pytest.raises(SolunaError, match=r"^over: 'stacks', 'moves' or 'options', not "):
        RandomPlayer(over)


def test_it_plays_over_stacks_unless_told_otherwise() -> None:
    assert RandomPlayer().over == "stacks"
    assert repr(RandomPlayer("moves")) == "RandomPlayer(over='moves')"


def greedy(position: Any, rng: Random) -> Any:
    return moves_of(position)[0]


def test_a_strategy_is_found_by_its_name_or_as_itself_or_as_a_function() -> None:
    player = RandomPlayer("moves")
    assert find(player) is player
    assert isinstance(find("random"), RandomPlayer) and find("random") is not find("random")
    found = find(greedy)
    assert isinstance(found, FunctionPlayer) and found.name == "greedy" and "greedy" in repr(found)
    assert found.choose(Position.parse("S1^2"), Random(1)) == Move.parse("S1>S1")
    for name in NAMED:
        assert isinstance(find(name), Strategy)


def test_a_function_player_gives_the_function_what_it_was_given() -> None:
    asked: list[Any] = []
    player = FunctionPlayer(lambda position, rng: asked.append((position, rng)), name="Asker")
    rng = Random(1)
    assert player.choose("here", rng) is None
    assert asked == [("here", rng)] and player.name == "Asker"


class Callable:
    """Something that can be called and has no name of its own."""

    def __call__(self, position: Any, rng: Random) -> Any:
        return greedy(position, rng)


def test_something_that_can_be_called_is_a_player_with_some_name() -> None:
    player = find(Callable())
    assert isinstance(player, Strategy) and player.name
    assert player.choose(Position.parse("S1^2"), Random(1)) == Move.parse("S1>S1")


class Nameless:
    def choose(self, position: Any, rng: Random) -> Any:
        return greedy(position, rng)


class Misnamed(Nameless):
    name = 7


@pytest.mark.parametrize(
    ("opponent", "words"),
    [
        ("deep blue", "'random' or 'greedy' or .*, or a strategy, not 'deep blue'"),
        ("Random", "not 'Random'"),
        ("", "not ''"),
        (RandomPlayer, r"a strategy, not its class: write RandomPlayer\(\)"),
        (Nameless(), "and a name, but .*Nameless"),
        (Misnamed(), "and a name, but .*Misnamed"),
        (None, "not None"),
        (7, "not 7"),
        ([], r"not \[\]"),
    ],
)
def test_what_is_no_strategy_is_refused_and_says_what_would_be_one(opponent: Any, words: str) -> None:
    with pytest.raises(SolunaError, match=rf"^opponent: .*{words}"):
        find(opponent)


@pytest.mark.parametrize("function", [None, "greedy", 7])
def test_a_function_player_needs_a_function(function: Any) -> None:
    with pytest.raises(SolunaError, match=r"^function: "):
        FunctionPlayer(function)
