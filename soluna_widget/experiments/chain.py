"""Two policies make a Markov chain of positions: its win probabilities exactly, or many rounds at once by chance.

Where both players are invariant under renaming symbols, positions that differ only in that are one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from soluna_widget.errors import SolunaError, shown, whole_number
from soluna_widget.experiments.intervals import wilson
from soluna_widget.experiments.starts import Start, chances, check_flag
from soluna_widget.strategies import find
from soluna_widget.strategies.strategy import Known
from soluna_widget.theory.game import CyclicGame, Key, key_of

if TYPE_CHECKING:
    import numpy

Row = tuple[tuple[Key, float], ...]

_MOST_ROWS = 500_000
_rows: dict[tuple[Any, bool], dict[Key, Row]] = {}


def exact(first: object, second: object, start: Start = None, *, misere: bool = False) -> float:
    """Work out the probability that the first player wins a round: no sampling, every position once.

    Args:
        first: Who moves first: a strategy with a policy, or its name.
        second: The other one.
        start: None averages over all 4,096 ways in which the discs of the box fall, a DiscSet over those of its own; or
            a Position or its text, or a position of any other game.
        misere: Whether who cannot move wins.

    Raises:
        SolunaError: If a player has no policy, or one that gives no probabilities of moves; or a start is none.
        CyclicGame: If play can come back to a position.

    >>> exact("perfect", "perfect") == 712 / 4096
    True
    """
    check_flag("misere", misere)
    weights = chances(start)
    wins = win_chances(
        find_with_policy("first", first, misere), find_with_policy("second", second, misere), weights, misere
    )
    return sum(float(weights[position]) * wins[position] for position in weights)


def win_chances(first: Any, second: Any, starts: Iterable[Any], misere: bool) -> dict[Any, float]:
    """Give for each start the probability that the first player wins."""
    chain = _chain_of(first, second, starts)
    values: list[float] = []
    for turn, (options, shares) in zip(chain.turns, chain.rows, strict=True):
        if options:
            values.append(sum(share * values[option] for option, share in zip(options, shares, strict=True)))
        else:
            values.append(float((turn == 1) != misere))
    return {start: values[place] for start, place in chain.starts.items()}


@dataclass(frozen=True)
class Simulation:
    """Rounds that were drawn from the option graph.

    Args:
        rounds: How many.
        wins: How many the first player won.
        moves: How many moves were made in all.
    """

    rounds: int
    wins: int
    moves: int

    @property
    def rate(self) -> float:
        """The share that the first player won."""
        return self.wins / self.rounds

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Give the Wilson interval of the rate."""
        return wilson(self.wins, self.rounds, level)


def simulate(
    first: object, second: object, rounds: int, start: Start = None, *, seed: int = 0, misere: bool = False
) -> Simulation:
    """Play very many rounds between two policies, all at once: needs numpy.

    Args:
        first: Who moves first: a strategy with a policy, or its name.
        second: The other one.
        rounds: How many, 1 or more; a million take about a second.
        start: As for `exact`; discs are thrown for each round.
        seed: A whole number of 0 or more: the same gives the same rounds.
        misere: Whether who cannot move wins.

    Raises:
        SolunaError: As for `exact`, and if `rounds` or `seed` is not as said.
    """
    import numpy

    check_flag("misere", misere)
    number, chance = whole_number(rounds), whole_number(seed)
    if number is None or number < 1:
        raise SolunaError(f"rounds: a number of 1 or more, not {shown(rounds)}")
    if chance is None or chance < 0:
        raise SolunaError(f"seed: a whole number of 0 or more, not {shown(seed)}")
    weights = chances(start)
    players = find_with_policy("first", first, misere), find_with_policy("second", second, misere)
    chain = _chain_of(*players, weights)
    table = chain.arrays
    rng = numpy.random.default_rng(chance)
    places = numpy.array([chain.starts[position] for position in weights])
    state = rng.choice(places, size=number, p=numpy.array([float(weight) for weight in weights.values()]))
    moves = 0
    playing = numpy.flatnonzero(table.sizes[state])
    while len(playing):
        moves += len(playing)
        state[playing] = table.step(state[playing], rng)
        playing = playing[table.sizes[state[playing]] > 0]
    won = (table.turns[state] == 1) != misere
    return Simulation(number, int(won.sum()), moves)


@dataclass(frozen=True)
class Arrays:
    """A chain as numpy has it: rows one after the other.

    Args:
        turns: Whose turn it is in each state.
        sizes: How many options each state has.
        ends: Where the row of each state ends.
        options: The states that are led to.
        reached: The number of the state plus the probability of this option or one before it: ascending throughout, so
            that one search finds both row and option.
    """

    turns: numpy.ndarray
    sizes: numpy.ndarray
    ends: numpy.ndarray
    options: numpy.ndarray
    reached: numpy.ndarray

    def step(self, state: numpy.ndarray, rng: numpy.random.Generator) -> numpy.ndarray:
        """Draw where each of some states goes."""
        import numpy

        found = numpy.searchsorted(self.reached, state + rng.random(len(state)), side="right")
        # A sum may be rounded up to the next row.
        after: numpy.ndarray = self.options[numpy.minimum(found, self.ends[state] - 1)]
        return after


@dataclass(frozen=True)
class Chain:
    """The states that two policies can reach: a position and whose turn it is.

    Args:
        turns: Whose turn it is in each state: 0 the first player's, 1 the second's.
        rows: For each state the states it can lead to, all with lower numbers, and how probably.
        starts: The state of each start.
    """

    turns: list[int]
    rows: list[tuple[tuple[int, ...], tuple[float, ...]]]
    starts: dict[Any, int]

    @classmethod
    def of(cls, first: Any, second: Any, starts: Iterable[Any]) -> Chain:
        """Find all states below some starts: in depth, without recursion, the ends first."""
        together = bool(getattr(first, "invariant", False)) and bool(getattr(second, "invariant", False))
        rows_of = [_rows_of(player, together) for player in (first, second)]
        places: dict[tuple[Key, int], int] = {}
        turns: list[int] = []
        rows: list[tuple[tuple[int, ...], tuple[float, ...]]] = []
        begun: dict[Any, int] = {}
        still_open: set[tuple[Key, int]] = set()
        for start in starts:
            root = (key_of(start) if together else (type(start), start)), 0
            stack = [root]
            while stack:
                state = stack[-1]
                if state in places:
                    stack.pop()
                    continue
                key, turn = state
                row = rows_of[turn](key)
                waiting = [after for option, _ in row if (after := (option, 1 - turn)) not in places]
                if waiting:
                    if state in still_open:
                        raise CyclicGame(f"{shown(key[1])} can come back in play: a game must end", code="cyclic_game")
                    still_open.add(state)
                    stack += waiting
                    continue
                still_open.discard(state)
                places[state] = len(rows)
                turns.append(turn)
                rows.append((tuple(places[option, 1 - turn] for option, _ in row), tuple(share for _, share in row)))
                stack.pop()
            begun[start] = places[root]
        return cls(turns, rows, begun)

    @cached_property
    def arrays(self) -> Arrays:
        """Give the chain as arrays."""
        import numpy

        sizes = numpy.array([len(options) for options, _ in self.rows])
        options = numpy.array([option for options, _ in self.rows for option in options], dtype=numpy.int64)
        reached: list[float] = []
        for number, (_, shares) in enumerate(self.rows):
            total = 0.0
            for share in shares:
                total += share
                reached.append(number + min(total, 1.0))
        return Arrays(numpy.array(self.turns), sizes, numpy.cumsum(sizes), options, numpy.array(reached))


def _chain_of(first: Any, second: Any, starts: Iterable[Any]) -> Chain:
    """Give the chain, the last ones from memory: players that are fixed values always make the same."""
    if isinstance(first, Known) and isinstance(second, Known):
        return _kept_chain(first, second, tuple(starts))
    return Chain.of(first, second, starts)


@lru_cache(maxsize=8)
def _kept_chain(first: Any, second: Any, starts: tuple[Any, ...]) -> Chain:
    return Chain.of(first, second, starts)


def find_with_policy(name: str, player: object, misere: bool = False) -> Any:
    """Give the strategy that is meant, which must have a policy.

    Raises:
        SolunaError: If it is none, or has none.
    """
    strategy = find(player, name, misere)
    if not callable(getattr(strategy, "policy", None)):
        raise SolunaError(
            f"{name}: {shown(strategy.name)} has no policy(position), the probability of each move, which exact "
            "results need; tournament() plays it"
        )
    return strategy


def _rows_of(player: Any, together: bool) -> Any:
    """Give the function from a position to its row, with what is known already where the player is a fixed value."""
    kept: dict[Key, Row] = {}
    if isinstance(player, Known):
        if sum(map(len, _rows.values())) > _MOST_ROWS:
            _rows.clear()
        kept = _rows.setdefault((player, together), kept)

    def row(key: Key) -> Row:
        found = kept.get(key)
        if found is None:
            found = kept[key] = _row(player, key[1], together)
        return found

    return row


def _row(player: Any, position: Any, together: bool) -> Row:
    moves = list(position.moves()) if hasattr(position, "moves") else list(position.options())
    if not moves:
        return ()
    policy = player.policy(position)
    try:
        shares = {move: float(share) for move, share in policy.items()}
    except (AttributeError, TypeError, ValueError):
        raise SolunaError(
            f"{shown(player.name)}: policy(position) gives a mapping of moves to probabilities, not {shown(policy)}"
        ) from None
    if not all(share >= 0 for share in shares.values()) or abs(sum(shares.values()) - 1) > 1e-9:
        raise SolunaError(
            f"{shown(player.name)}: probabilities are 0 or more and add up to 1; those for {position} add up to "
            f"{sum(shares.values())}"
        )
    known = set(moves)
    found: dict[Key, float] = {}
    for move, share in shares.items():
        if move not in known:
            raise SolunaError(f"{shown(player.name)}: {shown(move)} is no move of {position}")
        if share:
            option = position.play(move) if hasattr(position, "play") else move
            key = key_of(option) if together else (type(option), option)
            found[key] = found.get(key, 0.0) + share
    return tuple(found.items())
