"""Exact match-ups, held against a second implementation that follows every pair of real stacks in fractions."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

import pytest

from soluna_widget import DISC_SETS, DiscSet, Position, SolunaError
from soluna_widget.experiments import exact, exact_match, exact_scores, paired, simulate, wilson
from soluna_widget.match import Rulebook
from soluna_widget.strategies import FalliblePlayer, MonteCarloPlayer, PolicyPlayer, RandomPlayer, moves_of
from soluna_widget.theory import CyclicGame, Nim, Sum
from tests import naive

# Naive play ----------------------------------------------------------------------------------------------------------

Way = Callable[[naive.Table], list[tuple[Fraction, naive.Table]]]


def blindfolded(table: naive.Table) -> list[tuple[Fraction, naive.Table]]:
    """Every ordered pair of stacks is as likely."""
    pairs = naive.physical_pairs(table)
    return [(Fraction(1, len(pairs)), naive.put(table, i, j)) for i, j in pairs]


def over_options(table: naive.Table) -> list[tuple[Fraction, naive.Table]]:
    options = naive.options(table)
    return [(Fraction(1, len(options)), naive.table_of(some)) for some in options]


def greedy(table: naive.Table) -> list[tuple[Fraction, naive.Table]]:
    """Every distinct move to the fewest options is as likely."""
    after = {
        (table[i][-1], len(table[i]), table[j][-1], len(table[j])): naive.put(table, i, j)
        for i, j in naive.physical_pairs(table)
    }
    fewest = min(len(naive.options(option)) for option in after.values())
    best = [option for option in after.values() if len(naive.options(option)) == fewest]
    return [(Fraction(1, len(best)), option) for option in best]


def first_wins(table: naive.Table, ways: tuple[Way, Way], misere: bool = False) -> Fraction:
    @cache
    def wins(some: naive.Shape, turn: int) -> Fraction:
        here = naive.table_of(some)
        if naive.is_over(here):
            return Fraction((turn == 1) != misere)
        return sum((share * wins(naive.shape(after), 1 - turn) for share, after in ways[turn](here)), Fraction())

    return wins(naive.shape(table), 0)


WAYS: dict[str, tuple[Any, Way]] = {
    "random": ("random", blindfolded),
    "options": (RandomPlayer("options"), over_options),
    "greedy": ("greedy", greedy),
}


@pytest.mark.parametrize("start", ["S1^3 M1^3", "S1^4 M1^2 T1", "S1^2,2 M1,2 T3", "S1^3 M1^2 T1^2"])
@pytest.mark.parametrize("players", list(itertools.product(WAYS, WAYS)), ids=str)
@pytest.mark.parametrize("misere", [False, True])
def test_exact_is_what_following_every_pair_of_stacks_gives(start: str, players: tuple[str, str], misere: bool) -> None:
    (first, one), (second, other) = WAYS[players[0]], WAYS[players[1]]
    position = Position.parse(start)
    table = naive.table_of(tuple((stack.top, stack.height) for stack in position.stacks))
    expected = first_wins(table, (one, other), misere)
    assert exact(first, second, start, misere=misere) == pytest.approx(float(expected), abs=1e-12)


def test_over_the_falls_it_is_the_average_of_every_single_way_to_fall() -> None:
    discs = DiscSet.parse("SM ST MT^2 SC")
    ways = list(itertools.product(*(disc.faces for disc in discs.discs)))
    assert len(ways) == 32
    expected = sum(first_wins(list(faces), (blindfolded, greedy)) for faces in ways) / 32
    assert exact("random", "greedy", discs) == pytest.approx(float(expected), abs=1e-12)


def test_two_perfect_players_on_the_discs_of_the_box() -> None:
    assert exact("perfect", "perfect") == 712 / 4096
    assert exact("perfect", "perfect", misere=True) == 3904 / 4096
    assert exact("perfect", "perfect", "S1^3 M1^3 T1^3 C1^3") == 0
    assert exact("random", "perfect", DISC_SETS["babylon"]) < 0.001 < exact("random", "random", DISC_SETS["babylon"])


def test_a_player_that_is_not_invariant_is_played_on_named_positions() -> None:
    def likes_sun(position: Any) -> dict[Any, float]:
        moves = moves_of(position)
        best = [move for move in moves if move.mover.top == "S"] or moves
        return {move: 1 / len(best) for move in best}

    def as_naive(table: naive.Table) -> list[tuple[Fraction, naive.Table]]:
        distinct = {
            (table[i][-1], len(table[i]), table[j][-1], len(table[j])): naive.put(table, i, j)
            for i, j in naive.physical_pairs(table)
        }
        best = [after for move, after in distinct.items() if move[0] == "S"] or list(distinct.values())
        return [(Fraction(1, len(best)), after) for after in best]

    for start, table in (("S1 M1^4", "SMMMM"), ("S1^4 M1", "SSSSM")):
        found = exact(PolicyPlayer(likes_sun), "random", start)
        assert found == pytest.approx(float(first_wins(list(table), (as_naive, blindfolded))), abs=1e-12)
    # To be called invariant when it is not gives another number: that is what the word is for.
    told = [exact(PolicyPlayer(likes_sun, invariant=lie), "random", "S1 M1^4") for lie in (False, True)]
    assert told[0] != pytest.approx(told[1])


def test_exact_works_for_any_game() -> None:
    assert exact("perfect", "random", Nim(1, 2)) == 1
    # From one heap of two: take one (then the other wins) or two.
    assert exact("random", "random", Nim(2)) == 0.5
    assert exact("random", "random", Nim(2), misere=True) == 0.5
    assert 0 < exact("random", "greedy", Sum(Nim(2), Position.parse("S1^2 M1"))) < 1
    assert exact("random", "random", "S1 M2") == 0, "who cannot move at once has lost"


class Circle(int):
    def options(self) -> list[Circle]:
        return [Circle((self + 1) % 3)]


def test_what_cannot_be_worked_out_is_refused() -> None:
    with pytest.raises(SolunaError, match=r"^second: 'Monte Carlo 9' has no policy\(position\)"):
        exact("random", MonteCarloPlayer(9))
    with pytest.raises(SolunaError, match=r"^first: 'random' or .* not 'deep blue'"):
        exact("deep blue", "random")
    with pytest.raises(SolunaError, match=r"^start: "):
        exact("random", "random", "S1^")
    with pytest.raises(SolunaError, match=r"^start: a position of a game has options"):
        exact("random", "random", 7)
    with pytest.raises(SolunaError, match=r"^misere: True or False"):
        exact("random", "random", misere="yes")  # type: ignore[arg-type]
    with pytest.raises(CyclicGame, match="can come back"):
        exact("random", "random", Circle(0))


@pytest.mark.parametrize(
    ("policy", "words"),
    [
        (lambda position: dict.fromkeys(moves_of(position), 1.0), r"those for S1\^2 M1 add up to [2-9]"),
        (lambda position: {moves_of(position)[0]: 1.5, None: -0.5}, "0 or more"),
        (lambda position: {"S9>S9": 1.0}, r"'S9>S9' is no move of S1\^2 M1"),
        (lambda position: moves_of(position), "a mapping of moves to probabilities"),
        (lambda position: {move: float("nan") for move in moves_of(position)}, "0 or more"),
    ],
)
def test_a_policy_that_gives_no_probabilities_of_moves_is_named(policy: Any, words: str) -> None:
    with pytest.raises(SolunaError, match=f"^'Odd': .*{words}"):
        exact(PolicyPlayer(policy, "Odd"), "random", "S1^2 M1")


# Matches -------------------------------------------------------------------------------------------------------------


def test_two_perfect_players_in_a_match() -> None:
    assert exact_match("perfect", "perfect", "bga") == pytest.approx(0.353, abs=0.0005)
    assert exact_scores("perfect", "perfect", "morapiaf") == {(4, 3): 1.0}, "the youngest wins 4-3 for certain"
    # Who plays perfectly and chooses wins each round but those in which the other chooses.
    assert exact_match("perfect", "random", "morapiaf") > 0.999


def played_out(rulebook: Rulebook, wins: tuple[Fraction, Fraction], opening: tuple[Fraction, Fraction]) -> Fraction:
    """P(a wins the match): by recursion over every round. `wins`: P(a wins a round) if a opens, and if b does."""

    def a_wins(stars: tuple[int, int], opener: int) -> Fraction:
        win = wins[opener]
        total = Fraction()
        for winner, share in ((0, win), (1, 1 - win)):
            now = stars[0] + (winner == 0), stars[1] + (winner == 1)
            total += share * (Fraction(winner == 0) if rulebook.stars in now else begin(now, 1 - winner))
        return total

    def begin(stars: tuple[int, int], who: int, chooses: bool = rulebook.next_opener == "loser_chooses") -> Fraction:
        if not chooses:
            return a_wins(stars, who)
        return opening[who] * a_wins(stars, who) + (1 - opening[who]) * a_wins(stars, 1 - who)

    return begin((0, 0), 0, rulebook.first_opener == "youngest_chooses")


@pytest.mark.parametrize("first_opener", ["agreed", "youngest_chooses"])
@pytest.mark.parametrize("next_opener", ["loser", "loser_chooses"])
@pytest.mark.parametrize("next_layout", ["new", "kept"])
@pytest.mark.parametrize("stars", [1, 3])
def test_a_match_is_what_going_through_its_rounds_gives(
    first_opener: Any, next_opener: Any, next_layout: Any, stars: int
) -> None:
    rulebook = Rulebook("own", first_opener, next_layout, next_opener, stars)
    discs = DiscSet.parse("SM^2 ST")
    one, other = FalliblePlayer(0.5), RandomPlayer()

    def rates(start: Any) -> tuple[Fraction, Fraction]:
        return Fraction(exact(one, other, start)), 1 - Fraction(exact(other, one, start))

    def mixed(start: Position) -> tuple[Fraction, Fraction]:
        return one.opening(start), Fraction(1, 2)

    falls = discs.falls()
    if next_layout == "kept":
        expected = sum(ways * played_out(rulebook, rates(start), mixed(start)) for start, ways in falls.items()) / 8
        assert exact_match(one, other, rulebook, discs) == pytest.approx(float(expected), abs=1e-12)
    elif (first_opener, next_opener) == ("agreed", "loser"):
        expected = played_out(rulebook, rates(discs), (Fraction(0), Fraction(0)))
        assert exact_match(one, other, rulebook, discs) == pytest.approx(float(expected), abs=1e-12)
    for start in falls:
        expected = played_out(rulebook, rates(start), mixed(start))
        assert exact_match(one, other, rulebook, start) == pytest.approx(float(expected), abs=1e-12)
    scores = exact_scores(one, other, rulebook, discs)
    assert sum(scores.values()) == pytest.approx(1) and all(max(score) == stars for score in scores)


def test_on_new_layouts_who_chooses_sees_each_before_choosing() -> None:
    rulebook = Rulebook("own", "youngest_chooses", "new", "loser_chooses", 1)
    assert exact_match("perfect", "perfect", rulebook) == 1, "the one who chooses wins every layout"


class Opener(RandomPlayer):
    def opens(self, position: Any, rng: Random) -> str:
        return "first"


def test_a_choice_without_a_probability_is_refused_where_it_matters() -> None:
    assert exact_match(Opener(), "random", "bga", "S1^3 M1") > 0
    with pytest.raises(SolunaError, match=r"^a: 'Random' has opens\(position, rng\), but exact results need opening"):
        exact_match(Opener(), "random", "morapiaf", "S1^3 M1")
    with pytest.raises(SolunaError, match=r"^rulebook: 'bga' or 'morapiaf', or a Rulebook, not 'chess'"):
        exact_match("random", "random", "chess")


# Sampling ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("start", [None, "S1^3 M1^2 T2"])
@pytest.mark.parametrize("misere", [False, True])
def test_simulated_rates_lie_in_their_intervals_as_often_as_they_should(start: str | None, misere: bool) -> None:
    players, runs = ("greedy", "random"), 400
    true = exact(*players, start, misere=misere)
    hits = 0
    for seed in range(runs):
        low, high = simulate(*players, 300, start, seed=seed, misere=misere).interval(0.9)
        hits += low <= true <= high
    # 360 are expected; four standard deviations are 24.
    assert abs(hits - 360) <= 24
    wrong = exact(*players, start, misere=not misere)
    low, high = simulate(*players, 20_000, start, misere=misere).interval(0.9999)
    assert low <= true <= high and not low <= wrong <= high


def test_the_same_seed_draws_the_same_rounds() -> None:
    one, again, other = (simulate("random", "random", 1_000, "S1^4 M1^3", seed=seed) for seed in (1, 1, 2))
    assert one == again != other
    assert one.rounds == 1_000 and 3_000 <= one.moves <= 6_000
    sure = simulate("perfect", "random", 500, "S1^2 M1")
    assert (sure.wins, sure.rate) == (500 * round(exact("perfect", "random", "S1^2 M1")), sure.wins / 500)
    for bad in (0, 1.5, True):
        with pytest.raises(SolunaError, match=r"^rounds: "):
            simulate("random", "random", bad)  # type: ignore[arg-type]
    with pytest.raises(SolunaError, match=r"^seed: "):
        simulate("random", "random", 1, seed=-1)


# Intervals -----------------------------------------------------------------------------------------------------------


def test_intervals_that_were_published() -> None:
    # Newcombe, Statistics in Medicine 17 (1998), 857-872, table I: 81/263 and 15/148, 0/20, 1/29.
    for (wins, rounds), expected in {
        (81, 263): (0.2553, 0.3662),
        (15, 148): (0.0624, 0.1605),
        (0, 20): (0.0, 0.1611),
        (1, 29): (0.0061, 0.1718),
    }.items():
        assert wilson(wins, rounds) == pytest.approx(expected, abs=0.00006)
    # The same, 2635-2650, table II: the difference for 36, 12, 2, 0 is 0.0569 to 0.3404.
    low, high = paired(both=12, first=36, second=0, neither=2)
    assert (2 * low - 1, 2 * high - 1) == pytest.approx((0.0569, 0.3404), abs=0.00006)


def test_no_interval_has_width_zero_and_all_hold_their_rate() -> None:
    for rounds in range(40):
        for wins in range(rounds + 1):
            low, high = wilson(wins, rounds)
            assert 0 <= low < high <= 1
            assert rounds == 0 or low <= wins / rounds <= high
    for both, first, second, neither in itertools.product(range(5), repeat=4):
        low, high = paired(both, first, second, neither)
        pairs = both + first + second + neither
        assert 0 <= low < high <= 1
        assert pairs == 0 or low <= (both + (first + second) / 2) / pairs <= high


def test_paired_intervals_hold_the_true_rate_as_often_as_they_should() -> None:
    # Layouts on which who is first mostly wins: pairs are far from independent rounds.
    shares, rng, hits = (0.15, 0.6, 0.15, 0.1), Random(4), 0
    true = 0.15 + 0.75 / 2
    for _ in range(1_500):
        drawn = rng.choices(range(4), weights=shares, k=60)
        low, high = paired(*(drawn.count(kind) for kind in range(4)), level=0.9)
        hits += low <= true <= high
    assert abs(hits / 1_500 - 0.9) < 0.04


@pytest.mark.parametrize("arguments", [(3, 2), (-1, 4), (1.5, 2), (0, 1, 0), (0, 1, 1), (0, 1, True)])
def test_numbers_that_mean_nothing_are_refused(arguments: Any) -> None:
    with pytest.raises(SolunaError, match=r"^(wins|level): "):
        wilson(*arguments)
    with pytest.raises(SolunaError, match=r"^both, first"):
        paired(1, -1, 0, 0)


def test_what_is_exact_needs_neither_numpy_nor_pandas() -> None:
    code = (
        "import sys\n"
        "for name in ('numpy', 'pandas', 'tqdm', 'matplotlib'): sys.modules[name] = None\n"
        "from soluna_widget import experiments as e\n"
        "print(e.exact('perfect', 'random', 'S1^3 M1^2') > 0.5, e.exact_match('greedy', 'greedy', 'bga', 'S1^3 M1^2'))"
    )
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env, check=True).stdout
    assert told.split() == [
        str(exact("perfect", "random", "S1^3 M1^2") > 0.5),
        str(exact_match("greedy", "greedy", "bga", "S1^3 M1^2")),
    ]
