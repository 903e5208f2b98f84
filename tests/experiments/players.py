"""Players that misbehave, or remember."""

from __future__ import annotations

from random import Random
from typing import Any

from soluna_widget.strategies import moves_of


class Shaky:
    """Raises, now and then."""

    name = "Shaky"

    def choose(self, position: Any, rng: Random) -> Any:
        if rng.random() < 0.02:
            raise RuntimeError("no idea")
        return rng.choice(moves_of(position))


class Cheat:
    """Makes a move that there is none of."""

    name = "Cheat"

    def choose(self, position: Any, rng: Random) -> Any:
        return "S9>S9"


class Tired:
    """Is interrupted at its hundredth move."""

    name = "Tired"

    def __init__(self) -> None:
        self.moves = 0

    def choose(self, position: Any, rng: Random) -> Any:
        self.moves += 1
        if self.moves == 100:
            raise KeyboardInterrupt
        return rng.choice(moves_of(position))


class Counter:
    """Remembers how many moves it has made, so it has no policy; in a new round it begins anew."""

    name = "Counter"

    def __init__(self) -> None:
        self.moves = 0

    def fresh(self) -> Counter:
        return Counter()

    def choose(self, position: Any, rng: Random) -> Any:
        self.moves += 1
        moves = moves_of(position)
        return moves[self.moves % len(moves)]


class First:
    """Always makes the first move."""

    name = "First"

    def choose(self, position: Any, rng: Random) -> Any:
        return moves_of(position)[0]


class Last(First):
    """Always makes the last move."""

    name = "Last"

    def choose(self, position: Any, rng: Random) -> Any:
        return moves_of(position)[-1]
