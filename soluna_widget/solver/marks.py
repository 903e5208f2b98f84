"""What a solver notes of each position: outcome and remoteness in one number, so that the largest says all.

An N-position of remoteness r is marked r + 1 and a P-position 255 - r. So among the options of a position the largest
mark is the quickest win, if there is a P-position at all; else it is the longest delay. (Remoteness: Steinhaus 1925;
Berlekamp, Conway and Guy, *Winning Ways*, chapter 9.)
"""

from __future__ import annotations

from typing import Literal

MOST_DISCS = 64
"""More would not fit: Grundy values are kept as bits of a 64-bit number."""

Outcome = Literal["N", "P"]


def mark_of(largest: int, misere: bool) -> int:
    """Give the mark of a position from the largest mark among its options, 0 where it has none."""
    if largest == 0:
        return 1 if misere else 255
    # 255 - (largest - 1 + 1) after a longest delay; (255 - largest) + 1 moves to a win, marked one more.
    return 257 - largest if largest >= 128 else 255 - largest


def outcome_of(mark: int) -> Outcome:
    """Say who wins: "P" when the player to move loses, "N" otherwise."""
    return "P" if mark >= 128 else "N"


def remoteness_of(mark: int) -> int:
    """Say how many moves it is to the end, when the winner hurries and the loser delays."""
    return 255 - mark if mark >= 128 else mark - 1
