"""What is known of Soluna, published or found here: each is computed anew."""

from __future__ import annotations

from fractions import Fraction

import pytest

from soluna_widget import DISC_SETS, Position, Solution, solve
from tests.solver import starts


@pytest.fixture(scope="module")
def twelve() -> Solution:
    return solve(12, 4)


def test_the_first_player_wins_seven_of_the_thirty_four_starts(twelve: Solution) -> None:
    starts = twelve.starts()
    assert len(starts) == 34
    assert [counts for counts, grundy in starts if grundy] == WON


WON = [(12,), (11, 1), (10, 2), (10, 1, 1), (5, 4, 3), (4, 4, 4), (4, 4, 3, 1)]


def test_babylon_is_won_by_the_second_player(twelve: Solution) -> None:
    """Several computer analyses since 2004."""
    start = Position.start(S=3, M=3, T=3, C=3)
    assert (twelve.outcome(start), twelve.grundy(start), twelve.winning_moves(start)) == ("P", 0, ())
    assert solve(12, 4, misere=True).outcome(start) == "P"


@pytest.mark.parametrize(("misere", "first"), [(False, Fraction(89, 512)), (True, Fraction(61, 64))])
def test_who_wins_with_the_discs_of_the_box(misere: bool, first: Fraction) -> None:
    # Over all 4,096 ways in which they fall: 712 and 3,904 of them.
    solution = solve(12, 4, misere)
    falls = DISC_SETS["soluna"].falls()
    won = sum(ways for start, ways in falls.items() if solution.outcome(start) == "N")
    assert Fraction(won, sum(falls.values())) == first


@pytest.mark.parametrize("discs", range(2, 31))
def test_two_colours(discs: int) -> None:
    """Goadrich and Schlatter, Integers 11 (2011) G01; Georgakopoulos and Winkler, Integers 12 (2012) G1."""
    for counts, outcome in solve(discs, 2, grundy=False).starts():
        if len(counts) == 2:
            assert (outcome == "N") == (discs % 2 == 1 or counts[1] <= 2), counts
        else:
            # One colour: the first player wins exactly when the number of discs is even.
            assert (outcome == "N") == (discs % 2 == 0)


@pytest.mark.parametrize("discs", range(1, 17))
def test_one_symbol_leaves_no_choice(discs: int) -> None:
    solution = solve(discs, 1)
    start = Position.start(S=discs)
    assert solution.remoteness(start) == discs - 1
    assert set(solution.to_frame()["grundy"]) <= {0, 1}


@pytest.mark.parametrize("discs", range(1, 13))
def test_all_symbols_different_leave_no_choice_either(discs: int) -> None:
    # Stacks of height 2^k pair up as a binary counter carries, whoever moves how.
    start = Position.start(**dict.fromkeys("SMTCABDEFGHI"[:discs], 1))
    solution = solve(discs, discs)
    moves = discs - discs.bit_count()
    assert solution.remoteness(start) == moves
    assert solution.outcome(start) == ("P" if moves % 2 == 0 else "N")


@pytest.mark.parametrize("symbols", starts.REACH)
def test_the_table_of_starts_is_what_a_solution_says(symbols: int) -> None:
    table = starts.read()
    for discs in range(symbols, 23):
        assert [row for row in table if row[:2] == (symbols, discs)] == list(starts.rows(symbols, discs))
    assert max(row[1] for row in table if row[0] == symbols) == starts.REACH[symbols]


def test_three_colours_with_an_odd_number_of_discs() -> None:
    # "The first player wins" holds up to thirteen discs; this start is the first that breaks it.
    broken = [row for row in starts.read() if row[0] == 3 and row[1] % 2 == 1 and row[3] == "P"]
    assert broken[0][1:3] == (15, "5-5-5")
