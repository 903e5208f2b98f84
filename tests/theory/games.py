"""Small games for the tests of the theory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from tests.theory.brute import Tree


@dataclass(frozen=True)
class Place:
    """A place on a map: from each place one goes to those that the map says. It has options and nothing else."""

    map: tuple[tuple[int, ...], ...]
    at: int

    def options(self) -> list[Place]:
        return [Place(self.map, place) for place in self.map[self.at]]

    def __str__(self) -> str:
        return f"place {self.at}"


def tree_of(game: Any) -> Tree:
    """The whole tree below a game, with nothing merged."""
    return tuple(tree_of(option) for option in game.options())


@st.composite
def places(draw: st.DrawFn, most: int = 6) -> Place:
    """Any small map without a way back, from its last place."""
    size = draw(st.integers(1, most))
    below = [draw(st.lists(st.integers(0, max(number - 1, 0)), max_size=3 if number else 0)) for number in range(size)]
    return Place(tuple(tuple(some) for some in below), size - 1)


class Countdown(int):
    """A number from which 1 or 2 is taken: the least that a game can be."""

    def options(self) -> list[Countdown]:
        return [Countdown(self - take) for take in (1, 2) if take <= self]


class Step(int):
    """One way, down to 0."""

    def options(self) -> list[Step]:
        return [Step(self - 1)] if self else []
