"""What a strategy is, what it may have beside, and what the shipped ones share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate
from random import Random
from typing import Any, Literal, Protocol, TypeAlias, runtime_checkable

from soluna_widget.errors import SolunaError, shown
from soluna_widget.theory.game import Key, key_of

Order: TypeAlias = Literal["first", "second"]

Policy: TypeAlias = Mapping[Any, Fraction | float]
"""The probability of each move, adding up to 1; moves that are never made may be left out."""

_MOST_KEPT = 30_000
"""A policy takes a few kilobytes."""

_MOST_BELOW = 200_000


@runtime_checkable
class Strategy(Protocol):
    """What sits at a table or in a tournament: a `name` and `choose`.

    It may have more, and it is used where it is:

    - `policy(position)`: the probability of each move, as a mapping; then `experiments` can work out exactly how often
      it wins. It must depend on the position alone: a strategy that remembers earlier moves has none.
    - `invariant`: True if its policy is the same up to renaming symbols, that is, if it plays a position as it plays
      `position.canonical()`. Exact work is about ten times quicker then.
    - `opens(position, rng)`: "first" or "second", where the rulebook lets it choose; without it that is drawn.
    - `opening(position)`: the probability with which `opens` says "first".
    - `fresh()`: a strategy that remembers gives a copy that remembers nothing; a tournament asks before each round.
    """

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


def moves_of(position: Any) -> Sequence[Any]:
    """Give the moves of a game: its `moves()`, or where it has none its options.

    Raises:
        SolunaError: If there is none: who cannot move is not asked.
    """
    moves = ordered(position.moves() if hasattr(position, "moves") else position.options())
    if not moves:
        raise SolunaError(f"there is no move in {position}")
    return moves


def ordered(found: Iterable[Any]) -> list[Any]:
    """Give things in an order that is the same in every process: sets have none, their hashes may be salted."""
    return sorted(found, key=repr) if isinstance(found, set | frozenset) else list(found)


def leads_of(position: Any) -> list[tuple[Any, Any]]:
    """Give every move and the option it leads to.

    Raises:
        SolunaError: If there is none.
    """
    moves = moves_of(position)
    return [(move, position.play(move)) for move in moves] if hasattr(position, "play") else [(m, m) for m in moves]


def evenly(moves: Sequence[Any]) -> dict[Any, Fraction]:
    """Give the policy by which each of some moves is as likely: how ties are broken."""
    return dict.fromkeys(moves, Fraction(1, len(moves)))


def draw(policy: Policy, rng: Random) -> Any:
    """Draw a move from a policy."""
    return rng.choices(list(policy), weights=[float(weight) for weight in policy.values()])[0]


class Known:
    """A strategy whose policy depends on the position alone: what it would play is worked out once and kept.

    Subclasses are frozen values with `policy`; two that are equal share what is kept.
    """

    invariant = True

    def policy(self, position: Any) -> dict[Any, Fraction]:
        """Give the probability of each move.

        Raises:
            SolunaError: If there is no move.
        """
        raise NotImplementedError

    def choose(self, position: Any, rng: Random) -> Any:
        """Draw a move from the policy.

        Raises:
            SolunaError: If there is no move.
        """
        key = self, type(position), position
        kept = _kept.get(key)
        if kept is None:
            policy = self.policy(position)
            if len(_kept) >= _MOST_KEPT:
                # The newest goes: what was met early is met often. One step, so that threads do not meet.
                _kept.popitem()
            kept = _kept[key] = list(policy), list(accumulate(float(weight) for weight in policy.values()))
        return rng.choices(kept[0], cum_weights=kept[1])[0]


class Opening:
    """A strategy that can tell how gladly it would move first."""

    def opening(self, position: Any) -> Fraction:
        """Give the probability of choosing to move first."""
        raise NotImplementedError

    def opens(self, position: Any, rng: Random) -> Order:
        """Choose to move "first" or "second" from a position."""
        return "first" if rng.random() < self.opening(position) else "second"


_kept: dict[tuple[Any, type, Any], tuple[list[Any], list[float]]] = {}
_below: dict[Key, tuple[Key, ...]] = {}


def below(key: Key) -> tuple[Key, ...]:
    """Give where each move of a position leads, up to `canonical()`: an entry for each move, so with repetitions."""
    found = _below.get(key)
    if found is None:
        game = key[1]
        if hasattr(game, "moves") and hasattr(game, "play"):
            options = [game.play(move) for move in ordered(game.moves())]
        else:
            options = ordered(game.options())
        if len(_below) >= _MOST_BELOW:
            _below.clear()
        found = _below[key] = tuple(key_of(option) for option in options)
    return found


def check_function(name: str, function: object) -> None:
    """Refuse what cannot be called.

    Raises:
        SolunaError: With the argument's name.
    """
    if not callable(function):
        raise SolunaError(f"{name}: something that can be called, not {shown(function)}")


Function: TypeAlias = Callable[[Any, Random], Any]
