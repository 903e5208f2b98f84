"""Players that look one move ahead at most, and players made of functions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any, Literal

from soluna_widget.errors import SolunaError, shown
from soluna_widget.strategies.strategy import (
    Function,
    Known,
    Opening,
    Policy,
    below,
    check_function,
    draw,
    evenly,
    leads_of,
    moves_of,
)
from soluna_widget.theory.game import Key, key_of


@dataclass(frozen=True)
class RandomPlayer(Known):
    """Plays at random.

    Args:
        over: What is equally likely: "stacks" (ordered pairs of stacks on the table, as a blindfolded child plays),
            "moves" (distinct moves), or "options" (distinct resulting positions; the moves to one share its chance).

    Raises:
        SolunaError: If `over` is none of them.

    A game that does not count pairs of stacks, by `pairs(move)`, is played over its moves instead.
    """

    over: Literal["stacks", "moves", "options"] = "stacks"

    def __post_init__(self) -> None:
        if self.over not in ("stacks", "moves", "options"):
            raise SolunaError(f"over: 'stacks', 'moves' or 'options', not {shown(self.over)}")

    @property
    def name(self) -> str:
        """What it is called."""
        return "Random" if self.over == "stacks" else f"Random over {self.over}"

    def policy(self, position: Any) -> dict[Any, Fraction]:
        """Give the probability of each move."""
        moves = moves_of(position)
        if self.over == "stacks" and hasattr(position, "pairs"):
            pairs = [position.pairs(move) for move in moves]
            total = sum(pairs)
            return {move: Fraction(count, total) for move, count in zip(moves, pairs, strict=True)}
        if self.over == "options":
            leads = leads_of(position)
            ways = Counter(option for _, option in leads)
            return {move: Fraction(1, len(ways) * ways[option]) for move, option in leads}
        return evenly(moves)


@dataclass(frozen=True)
class GreedyPlayer(Known):
    """Leaves the opponent the fewest distinct options: it wins at once where it can, and cares for nothing else."""

    @property
    def name(self) -> str:
        """What it is called."""
        return "Greedy"

    def policy(self, position: Any) -> dict[Any, Fraction]:
        """Give the probability of each move."""
        left = {move: _count_options(key_of(option)) for move, option in leads_of(position)}
        fewest = min(left.values())
        return evenly([move for move, count in left.items() if count == fewest])


_MOST_KEPT = 200_000
_counts: dict[Key, int] = {}


def _count_options(key: Key) -> int:
    """Count the distinct options of a position, which are as many up to `canonical()`."""
    found = _counts.get(key)
    if found is None:
        if len(_counts) >= _MOST_KEPT:
            _counts.clear()
        found = _counts[key] = len(set(key[1].options()))
    return found


@dataclass(frozen=True)
class ParityPlayer(Known, Opening):
    """Counts whether an even number of moves will be left, as then it makes the last one.

    In Soluna each move takes one stack away, so a round has as many moves as stacks go. This player expects that one
    stack will be left for each symbol that shows now, and likes positions in which stacks less symbols is even. So it
    does not foresee that a symbol will go out of sight. In another game it expects the longest play.

    Args:
        misere: Whether who cannot move wins; then it likes an odd number.
    """

    misere: bool = False

    @property
    def name(self) -> str:
        """What it is called."""
        return "Parity"

    def policy(self, position: Any) -> dict[Any, Fraction]:
        """Give the probability of each move."""
        leads = leads_of(position)
        liked = [move for move, option in leads if (expected_moves(option) % 2 == 1) == self.misere]
        return evenly(liked or [move for move, _ in leads])

    def opening(self, position: Any) -> Fraction:
        """Give the probability of choosing to move first: 1 if it expects to make the last move then."""
        return Fraction(int((expected_moves(position) % 2 == 0) == self.misere))


def expected_moves(position: Any) -> int:
    """Say how many moves `ParityPlayer` expects: stacks less symbols that show, or in another game the longest play."""
    stacks = getattr(position, "stacks", None)
    if stacks is not None:
        return len(stacks) - len({stack.top for stack in stacks})
    return _longest(key_of(position))


_lengths: dict[Key, int] = {}


def _longest(first: Key) -> int:
    """Count the moves of the longest play, from the ends upwards and without recursion."""
    stack = [first]
    while stack:
        key = stack[-1]
        if key not in _lengths:
            options = below(key)
            waiting = [option for option in dict.fromkeys(options) if option not in _lengths]
            if waiting:
                stack += waiting
                continue
            _lengths[key] = 1 + max((_lengths[option] for option in options), default=-1)
        stack.pop()
    return _lengths[first]


class FunctionPlayer:
    """Plays what a function says.

    Args:
        function: Called with (position, rng); gives a move.
        name: What it is called; None takes the function's name.

    Raises:
        SolunaError: If `function` cannot be called.
    """

    def __init__(self, function: Function, name: str | None = None) -> None:
        if not callable(function):
            raise SolunaError(f"function: something that can be called with (position, rng), not {shown(function)}")
        self.function = function
        self.name = name or str(getattr(function, "__name__", "Function"))

    def choose(self, position: Any, rng: Random) -> Any:
        """Ask the function."""
        return self.function(position, rng)

    def __repr__(self) -> str:
        return f"FunctionPlayer({self.name})"


class PolicyPlayer:
    """Plays by the probabilities that a function gives.

    Args:
        policy: Called with a position; gives a mapping of moves to probabilities that add up to 1.
        name: What it is called; None takes the function's name.
        invariant: Whether the function treats positions alike that differ only in the names of their symbols.

    Raises:
        SolunaError: If `policy` cannot be called.
    """

    def __init__(self, policy: Callable[[Any], Policy], name: str | None = None, invariant: bool = False) -> None:
        check_function("policy", policy)
        self.policy = policy
        self.name = name or str(getattr(policy, "__name__", "Policy"))
        self.invariant = invariant

    def choose(self, position: Any, rng: Random) -> Any:
        """Draw a move from the policy."""
        return draw(self.policy(position), rng)

    def __repr__(self) -> str:
        return f"PolicyPlayer({self.name})"
