"""Players that look ahead: every reply to a depth, or random playouts."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import Any

from soluna_widget.errors import SolunaError, shown, whole_number
from soluna_widget.strategies.strategy import Known, Opening, Order, below, evenly, leads_of
from soluna_widget.theory.game import Key, key_of

_MOST_KEPT = 200_000


@dataclass(frozen=True)
class MinimaxPlayer(Known, Opening):
    """Looks a number of moves ahead: it wins if it sees how, avoids a loss it sees, and else plays at random.

    Args:
        depth: How many moves it looks ahead, its own included, 1 to 100. To the depth of the game it is perfect.
        misere: Whether who cannot move wins.

    Raises:
        SolunaError: If `depth` is not as said.

    Source: C. E. Shannon, *Philosophical Magazine* 41 (1950), with no evaluation at the horizon but "unknown".
    """

    depth: int = 2
    misere: bool = False

    def __post_init__(self) -> None:
        number = whole_number(self.depth)
        if number is None or not 1 <= number <= 100:
            raise SolunaError(f"depth: a number of moves from 1 to 100, not {shown(self.depth)}")
        object.__setattr__(self, "depth", number)

    @property
    def name(self) -> str:
        """What it is called."""
        return f"Minimax {self.depth}"

    def policy(self, position: Any) -> dict[Any, Fraction]:
        """Give the probability of each move."""
        worth = {move: -_worth(key_of(option), self.depth - 1, self.misere) for move, option in leads_of(position)}
        best = max(worth.values())
        return evenly([move for move, value in worth.items() if value == best])

    def opening(self, position: Any) -> Fraction:
        """Give the probability of choosing to move first: 1 if it sees a win, 0 if it sees a loss, else a half."""
        return Fraction(1 + _worth(key_of(position), self.depth, self.misere), 2)


_worths: dict[tuple[Key, int, bool], int] = {}


def _worth(key: Key, depth: int, misere: bool) -> int:
    """Say what the mover can see within `depth` moves: 1 a win, -1 a loss, 0 neither."""
    question = key, depth, misere
    found = _worths.get(question)
    if found is None:
        options = below(key)
        if not options:
            found = 1 if misere else -1
        elif depth == 0:
            found = 0
        else:
            found = -1
            for option in dict.fromkeys(options):
                found = max(found, -_worth(option, depth - 1, misere))
                if found == 1:
                    break
        if len(_worths) >= _MOST_KEPT:
            _worths.clear()
        _worths[question] = found
    return found


@dataclass(frozen=True)
class MonteCarloPlayer:
    """Monte Carlo tree search: it plays the round out at random many times, more often where that went well.

    It has no policy: what it plays depends on its playouts.

    Args:
        playouts: How many playouts for a move, 1 or more; None where `seconds` is given.
        seconds: How long it plays out for a move. What it then plays depends on the machine too, not on chance alone.
        exploration: How much it favours what it has tried less often, 0 or more.
        misere: Whether who cannot move wins.

    Raises:
        SolunaError: If an argument is not as said, or both or neither of `playouts` and `seconds` are given.

    Source: UCT, L. Kocsis and C. Szepesvári, *Bandit based Monte-Carlo planning* (2006). Equal positions are one node.
    """

    playouts: int | None = None
    seconds: float | None = None
    exploration: float = field(default=math.sqrt(2))
    misere: bool = False

    def __post_init__(self) -> None:
        if self.playouts is None and self.seconds is None:
            object.__setattr__(self, "playouts", 200)
        elif self.playouts is not None and self.seconds is not None:
            raise SolunaError("playouts: give a number of playouts or seconds, not both")
        number = whole_number(self.playouts)
        if self.playouts is not None and (number is None or number < 1):
            raise SolunaError(f"playouts: a number of 1 or more, not {shown(self.playouts)}")
        if self.seconds is not None and not _is_amount(self.seconds, above=0):
            raise SolunaError(f"seconds: a number above 0, not {shown(self.seconds)}")
        if not _is_amount(self.exploration):
            raise SolunaError(f"exploration: a number of 0 or more, not {shown(self.exploration)}")

    @property
    def name(self) -> str:
        """What it is called."""
        return f"Monte Carlo {self.playouts}" if self.playouts is not None else f"Monte Carlo {self.seconds} s"

    def choose(self, position: Any, rng: Random) -> Any:
        """Choose the move that was tried most often.

        Raises:
            SolunaError: If there is no move.
        """
        leads, nodes = leads_of(position), _Nodes.current()
        tree = self._grow(nodes.find(key_of(position)), rng)
        nowhere = (0, 0)
        tries = [tree.get(nodes.find(key_of(option)), nowhere)[0] for _, option in leads]
        most = max(tries)
        return rng.choice([move for (move, _), count in zip(leads, tries, strict=True) if count == most])

    def opens(self, position: Any, rng: Random) -> Order:
        """Choose to move "first" if the mover won more than half of the playouts."""
        root = _Nodes.current().find(key_of(position))
        tries, losses = self._grow(root, rng)[root]
        return "second" if 2 * losses >= tries else "first"

    def _grow(self, root: _Node, rng: Random) -> dict[_Node, list[int]]:
        """Give for each position in the tree how often it was reached, and how often its mover lost from there."""
        tree: dict[_Node, list[int]] = {root: [0, 0]}
        until = None if self.seconds is None else time.perf_counter() + self.seconds
        done = 0
        while done == 0 or (done < self.playouts if self.playouts is not None else time.perf_counter() < (until or 0)):
            self._play_out(root, tree, rng)
            done += 1
        return tree

    def _play_out(self, root: _Node, tree: dict[_Node, list[int]], rng: Random) -> None:
        path, node = [root], root
        while options := node.options():
            unseen = [option for option in options if option not in tree]
            if unseen:
                node = rng.choice(unseen)
                path.append(node)
                tree[node] = [0, 0]
                break
            # The upper confidence bound: an option is good for the mover where its own mover lost.
            weight = self.exploration * math.sqrt(math.log(max(tree[node][0], 1)))
            best = -1.0
            for option in node.distinct:
                tries, losses = tree[option]
                bound = losses / tries + weight / math.sqrt(tries)
                if bound > best:
                    best, node = bound, option
            path.append(node)
        moves = 0
        while options := node.options():
            # Quicker than rng.choice, and as even for so few options.
            node = options[int(rng.random() * len(options))]
            moves += 1
        # Who is to move at the end has lost, or won under misère; going back up the mover changes each time.
        lost = (moves % 2 == 0) != self.misere
        for node in reversed(path):
            tree[node][0] += 1
            tree[node][1] += lost
            lost = not lost


class _Node:
    """A position that knows where it leads; only itself is equal to it, so looking it up is quick."""

    __slots__ = ("_key", "_nodes", "_options", "distinct")

    def __init__(self, key: Key, nodes: _Nodes) -> None:
        self._key, self._nodes = key, nodes
        self._options: tuple[_Node, ...] | None = None
        self.distinct: tuple[_Node, ...] = ()

    def options(self) -> tuple[_Node, ...]:
        """Give where each move leads, with repetitions; `distinct` is without, and known from then on."""
        if self._options is None:
            options = tuple(map(self._nodes.find, below(self._key)))
            self.distinct = tuple(dict.fromkeys(options))
            self._options = options
        return self._options


class _Nodes:
    """All nodes that were met; a search keeps the one it began with, so that a position stays one node."""

    _now: _Nodes | None = None

    def __init__(self) -> None:
        self._found: dict[Key, _Node] = {}

    @classmethod
    def current(cls) -> _Nodes:
        """Give what is there, or a new one where that has grown large."""
        now = cls._now
        if now is None or len(now._found) > _MOST_KEPT:
            now = cls._now = cls()
        return now

    def find(self, key: Key) -> _Node:
        """Give the node of a position."""
        node = self._found.get(key)
        return self._found.setdefault(key, _Node(key, self)) if node is None else node


def _is_amount(value: object, above: float | None = None) -> bool:
    return (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and math.isfinite(value)
        and (value >= 0 if above is None else value > above)
    )
