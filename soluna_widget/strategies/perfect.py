"""Players that know who wins."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal, Protocol

from soluna_widget.errors import SolunaError, shown
from soluna_widget.strategies.simple import RandomPlayer
from soluna_widget.strategies.strategy import Known, Opening, below, evenly, leads_of
from soluna_widget.theory.game import Key, key_of
from soluna_widget.theory.values import shared

_MOST_POSITIONS = {"arrays": 500_000, "plain": 5_000}


class Knowledge(Protocol):
    """What tells who wins: a `Solution`, or whatever has these two."""

    def outcome(self, position: Any) -> Literal["P", "N"]:
        """Say who wins."""
        ...

    def remoteness(self, position: Any) -> int:
        """Say in how many moves."""
        ...


@dataclass(frozen=True)
class PerfectPlayer(Known, Opening):
    """Wins when it can. From a lost position it leaves the opponent the largest share of losing moves, and among those
    the longest game.

    Args:
        misere: Whether who cannot move wins.
        knowledge: A `Solution`, or whatever has its `outcome` and `remoteness`, for the positions that will be met and
            the same kind of play. None: Soluna's positions are solved when the first is met, while they are not too
            many; those of any other game are judged one by one and remembered.

    Raises:
        SolunaError: If `knowledge` has no outcomes, or is for the other kind of play.
    """

    misere: bool = False
    knowledge: Knowledge | None = None

    def __post_init__(self) -> None:
        if self.knowledge is None:
            return
        if not (hasattr(self.knowledge, "outcome") and hasattr(self.knowledge, "remoteness")):
            raise SolunaError(f"knowledge: a Solution, or what has outcome and remoteness, not {shown(self.knowledge)}")
        if getattr(self.knowledge, "misere", self.misere) != self.misere:
            play = ("normal", "misère")[self.misere]
            raise SolunaError(f"knowledge: {shown(self.knowledge)} is not for {play} play")

    @property
    def name(self) -> str:
        """What it is called."""
        return "Perfect"

    def policy(self, position: Any) -> dict[Any, Fraction]:
        """Give the probability of each move."""
        leads = [(move, key_of(option)) for move, option in leads_of(position)]
        wins = [move for move, option in leads if self._loses(option)]
        if wins:
            return evenly(wins)
        worth = {move: self._hope(option) for move, option in leads}
        best = max(worth.values())
        return evenly([move for move, value in worth.items() if value == best])

    def opening(self, position: Any) -> Fraction:
        """Give the probability of choosing to move first: 1 where the first player wins, else 0."""
        return Fraction(int(not self._loses(key_of(position))))

    def _loses(self, key: Key) -> bool:
        question = self, key
        found = _losses.get(question)
        if found is None:
            if len(_losses) >= _MOST_KEPT:
                _losses.clear()
            found = _losses[question] = self._ask("outcome", key[1]) == "P"
        return found

    def _hope(self, key: Key) -> tuple[Fraction, int]:
        """Say what a won position leaves to hope for: the share of the winner's moves that lose, and the remoteness."""
        question = self, key
        found = _hopes.get(question)
        if found is None:
            if len(_hopes) >= _MOST_KEPT:
                _hopes.clear()
            losing = [not self._loses(option) for option in below(key)]
            # Under misère an end is won without a move.
            share = Fraction(sum(losing), len(losing) or 1)
            found = _hopes[question] = share, int(self._ask("remoteness", key[1]))
        return found

    def _ask(self, what: str, position: Any) -> Any:
        if self.knowledge is not None:
            return getattr(self.knowledge, what)(position)
        solution = _solution_for(position, self.misere)
        return getattr(shared(), what)(position, self.misere) if solution is None else getattr(solution, what)(position)


_MOST_KEPT = 100_000
_losses: dict[tuple[PerfectPlayer, Key], bool] = {}
_hopes: dict[tuple[PerfectPlayer, Key], tuple[Fraction, int]] = {}
_solutions: dict[tuple[int, bool], Any] = {}


def _solution_for(position: Any, misere: bool) -> Any:
    """Give a solution that holds a position of Soluna, None for other games and where there are too many positions."""
    from soluna_widget.rules import Position
    from soluna_widget.solver import solve
    from soluna_widget.solver.counts import count_positions, has_numpy
    from soluna_widget.solver.marks import MOST_DISCS

    if not isinstance(position, Position) or position.discs > MOST_DISCS:
        return None
    kind = discs, _ = position.discs, misere
    symbols = len({stack.top for stack in position.stacks})
    known = _solutions.get(kind)
    if known is not None and known.symbols >= symbols:
        return known
    most = _MOST_POSITIONS["arrays" if has_numpy() else "plain"]
    # Symbols go out of sight as play goes on, so the size that was met first serves to the end; four is the game's.
    for enough in dict.fromkeys((max(symbols, 4), symbols)):
        if count_positions(discs, min(enough, discs)) <= most:
            _solutions[kind] = solve(discs, enough, misere, grundy=False)
            return _solutions[kind]
    return None


@dataclass(frozen=True)
class FalliblePlayer(Known, Opening):
    """Makes a random move with some probability, and else a perfect one: a class can choose its level.

    Args:
        error: The probability of a random move, 0 to 1. A random move may happen to be a good one.
        over: What is equally likely then, as for `RandomPlayer`.
        misere: Whether who cannot move wins.

    Raises:
        SolunaError: If `error` or `over` is not as said.
    """

    error: float = 0.1
    over: Literal["stacks", "moves", "options"] = "moves"
    misere: bool = False

    def __post_init__(self) -> None:
        if (
            isinstance(self.error, bool)
            or not isinstance(self.error, int | float | Fraction)
            or not 0 <= self.error <= 1
        ):
            raise SolunaError(f"error: a probability from 0 to 1, not {shown(self.error)}")
        RandomPlayer(self.over)

    @property
    def name(self) -> str:
        """What it is called."""
        return f"Fallible {float(self.error):g}"

    @property
    def _error(self) -> Fraction:
        # 0.1 means one tenth, not the nearest binary fraction.
        return self.error if isinstance(self.error, Fraction) else Fraction(Decimal(repr(self.error)))

    def policy(self, position: Any) -> dict[Any, Fraction]:
        """Give the probability of each move."""
        perfect, error = PerfectPlayer(self.misere).policy(position), self._error
        mixed = {move: error * chance for move, chance in RandomPlayer(self.over).policy(position).items()}
        for move, chance in perfect.items():
            mixed[move] += (1 - error) * chance
        return {move: chance for move, chance in mixed.items() if chance}

    def opening(self, position: Any) -> Fraction:
        """Give the probability of choosing to move first: drawn with probability `error`, else perfect."""
        return self._error / 2 + (1 - self._error) * PerfectPlayer(self.misere).opening(position)
