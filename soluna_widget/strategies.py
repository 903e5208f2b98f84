"""Players: a position in, a move out. They know no Soluna beyond what any game offers.

A strategy has a `name` and `choose(position, rng)`, where `rng` is a `random.Random`: the same chance gives the same
move. It may have `opens(position, rng)`, which answers "first" or "second" where the rulebook lets it choose who opens.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from random import Random
from typing import Any, Literal, Protocol, TypeVar, runtime_checkable

from soluna_widget.errors import SolunaError, shown

M = TypeVar("M")


@runtime_checkable
class Strategy(Protocol):
    """What sits at a table or in a tournament."""

    @property
    def name(self) -> str:
        """What it is called."""
        ...

    def choose(self, position: Any, rng: Random) -> Any:
        """Choose a move in a position that is not over.

        Args:
            position: A game with `moves()`, or with `options()` alone, where a move is the option itself.
            rng: Where chance comes from.
        """
        ...


class RandomPlayer:
    """Plays at random.

    Args:
        over: What is equally likely: "stacks" (ordered pairs of stacks on the table, as a blindfolded child plays),
            "moves" (distinct moves), or "options" (distinct resulting positions).

    Raises:
        SolunaError: If `over` is none of them.
    """

    def __init__(self, over: Literal["stacks", "moves", "options"] = "stacks") -> None:
        if over not in ("stacks", "moves", "options"):
            raise SolunaError(f"over: 'stacks', 'moves' or 'options', not {shown(over)}")
        self.over = over
        self.name = "Random"

    def choose(self, position: Any, rng: Random) -> Any:
        """Choose one move; a game that does not count pairs of stacks is played over its moves."""
        moves = moves_of(position)
        if self.over == "stacks" and hasattr(position, "pairs"):
            return rng.choices(moves, weights=[position.pairs(move) for move in moves])[0]
        if self.over == "options" and hasattr(position, "play"):
            by_option: dict[Hashable, Any] = {}
            for move in moves:
                by_option.setdefault(position.play(move), move)
            return rng.choice(list(by_option.values()))
        return rng.choice(moves)

    def __repr__(self) -> str:
        return f"RandomPlayer(over={self.over!r})"


class FunctionPlayer:
    """Plays what a function says.

    Args:
        function: Called with (position, rng); gives a move.
        name: What it is called; None takes the function's name.

    Raises:
        SolunaError: If `function` cannot be called.
    """

    def __init__(self, function: Callable[[Any, Random], Any], name: str | None = None) -> None:
        if not callable(function):
            raise SolunaError(f"function: something that can be called with (position, rng), not {shown(function)}")
        self.function = function
        self.name = name or str(getattr(function, "__name__", "Function"))

    def choose(self, position: Any, rng: Random) -> Any:
        """Ask the function."""
        return self.function(position, rng)

    def __repr__(self) -> str:
        return f"FunctionPlayer({self.name})"


NAMED: dict[str, Callable[[], Strategy]] = {"random": RandomPlayer}
"""The strategies that can be asked for by name."""


def find(opponent: object) -> Strategy:
    """Give the strategy that is meant by an object, a function or a name.

    Raises:
        SolunaError: If it is none of them.
    """
    if isinstance(opponent, str):
        if opponent not in NAMED:
            raise SolunaError(f"opponent: {_one_of(NAMED)}, or a strategy, not {shown(opponent)}")
        return NAMED[opponent]()
    if isinstance(opponent, type):
        raise SolunaError(f"opponent: a strategy, not its class: write {opponent.__name__}()")
    if callable(getattr(opponent, "choose", None)):
        if not isinstance(getattr(opponent, "name", None), str):
            raise SolunaError(
                f"opponent: a strategy has choose(position, rng) and a name, but {shown(opponent)} has none"
            )
        return opponent  # type: ignore[return-value]  # checked just above
    if callable(opponent):
        return FunctionPlayer(opponent)
    raise SolunaError(
        f"opponent: {_one_of(NAMED)}, a strategy with choose(position, rng), or a function, not {shown(opponent)}"
    )


def moves_of(position: Any) -> Sequence[Any]:
    """Give the moves of a game: its `moves()`, or where it has none its options.

    Raises:
        SolunaError: If there is none: who cannot move is not asked.
    """
    moves: Sequence[Any] = list(position.moves() if hasattr(position, "moves") else position.options())
    if not moves:
        raise SolunaError(f"there is no move in {position}")
    return moves


def _one_of(names: Iterable[str]) -> str:
    return " or ".join(repr(name) for name in names)
