"""Intervals for win rates: what a sample says of the true rate. None of them has width zero."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

from soluna_widget.errors import SolunaError, shown, whole_number

Interval = tuple[float, float]


def wilson(wins: int, rounds: int, level: float = 0.95) -> Interval:
    """Give the Wilson score interval of a win rate.

    Args:
        wins: How many independent rounds were won.
        rounds: Of how many; of none the interval is (0, 1).
        level: How often such intervals shall hold the true rate, between 0 and 1.

    Raises:
        SolunaError: If the numbers are not as said.

    Source: E. B. Wilson, *J. Amer. Statist. Assoc.* 22 (1927).

    >>> low, high = wilson(20, 20)
    >>> round(low, 3), high
    (0.839, 1.0)
    """
    won, played = whole_number(wins), whole_number(rounds)
    if won is None or played is None or not 0 <= won <= played:
        raise SolunaError(f"wins: a number from 0 to rounds, not {shown(wins)} of {shown(rounds)}")
    z = _quantile(level)
    if played == 0:
        return 0.0, 1.0
    rate, square = won / played, z * z / played
    middle, half = rate + square / 2, z * sqrt(rate * (1 - rate) / played + square / (4 * played))
    # At the ends the formula gives them exactly, but for rounding.
    low = 0.0 if won == 0 else (middle - half) / (1 + square)
    high = 1.0 if won == played else (middle + half) / (1 + square)
    return low, high


def paired(both: int, first: int, second: int, neither: int, level: float = 0.95) -> Interval:
    """Give the interval of a win rate from pairs of rounds on one layout, in which the players changed seats.

    Args:
        both: In how many pairs the player won both rounds.
        first: In how many only the one in which that player moved first.
        second: In how many only the other one.
        neither: In how many none.
        level: How often such intervals shall hold the true rate.

    Raises:
        SolunaError: If the numbers are not as said.

    The win rate is a half and half the difference of two shares: of layouts that the player wins when first, and of
    those that the opponent wins when first. The interval is that of a difference of paired shares by R. G. Newcombe,
    *Statistics in Medicine* 17 (1998), 2635-2650, method 10.

    >>> low, high = paired(0, 50, 0, 0)
    >>> round(low, 3), round(high, 3)
    (0.464, 0.536)
    """
    counts = [whole_number(count) for count in (both, first, second, neither)]
    if any(count is None or count < 0 for count in counts):
        raise SolunaError(
            f"both, first, second, neither: numbers of pairs, not {shown((both, first, second, neither))}"
        )
    # Who is first wins: the player's own shares, and the opponent's, crossed.
    low, high = _difference(a=first, b=both, c=neither, d=second, level=level)
    return (1 + low) / 2, (1 + high) / 2


def _difference(a: int, b: int, c: int, d: int, level: float) -> Interval:
    """Newcombe's method 10 for (a + b) / n - (a + c) / n."""
    n = a + b + c + d
    if n == 0:
        _quantile(level)
        return -1.0, 1.0
    one, other = (a + b) / n, (a + c) / n
    (one_low, one_high), (other_low, other_high) = wilson(a + b, n, level), wilson(a + c, n, level)
    product = (a + b) * (c + d) * (a + c) * (b + d)
    together: float = a * d - b * c
    if together > 0:
        together = max(together - n / 2, 0)  # his correction for continuity keeps the width above zero
    phi = together / sqrt(product) if product else 0.0

    def width(x: float, y: float) -> float:
        return sqrt(max(x * x - 2 * phi * x * y + y * y, 0))

    difference = one - other
    low = difference - width(one - one_low, other_high - other)
    high = difference + width(one_high - one, other - other_low)
    return max(low, -1.0), min(high, 1.0)


def _quantile(level: float) -> float:
    if isinstance(level, bool) or not isinstance(level, int | float) or not 0 < level < 1:
        raise SolunaError(f"level: a number between 0 and 1, not {shown(level)}")
    return NormalDist().inv_cdf((1 + level) / 2)
