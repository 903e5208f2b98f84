"""From where rounds begin: one position, or every way in which discs can fall."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any, TypeAlias

from soluna_widget.discs import DISC_SETS, DiscSet, layout_position
from soluna_widget.errors import InvalidNotation, SolunaError, shown
from soluna_widget.rules import Position
from soluna_widget.theory.game import check_game

Start: TypeAlias = Any
"""None for the discs of the boxed game, a DiscSet, a Position or its text, or a position of any other game."""


def find_start(start: Start) -> Any:
    """Give a DiscSet, or a position of a game.

    Raises:
        InvalidNotation: If a text is no position.
        SolunaError: If it is nothing of what a start may be.
    """
    if start is None:
        return DISC_SETS["soluna"]
    if isinstance(start, DiscSet):
        return start
    if isinstance(start, str):
        try:
            return Position.parse(start)
        except InvalidNotation as error:
            raise InvalidNotation(f"start: {error}") from None
    check_game(start, "start")
    return start


def chances(start: Start) -> dict[Any, Fraction]:
    """Give every position from which a round can begin, and its probability."""
    start = find_start(start)
    if not isinstance(start, DiscSet):
        return {start: Fraction(1)}
    falls = start.falls()
    ways = sum(falls.values())
    return {position: Fraction(number, ways) for position, number in falls.items()}


def throw(start: Any, rng: Random) -> Any:
    """Give a position from which a round begins, by chance where discs are thrown."""
    return layout_position(start.throw(rng)) if isinstance(start, DiscSet) else start


def check_flag(name: str, flag: object) -> None:
    """Refuse what is neither True nor False.

    Raises:
        SolunaError: With the argument's name.
    """
    if not isinstance(flag, bool):
        raise SolunaError(f"{name}: True or False, not {shown(flag)}")
