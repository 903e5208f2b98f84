"""The tree of a game: what can come after a position, to a depth, with repeated positions merged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, Literal

from soluna_widget.errors import SolunaError, shown, whole_number
from soluna_widget.theory.game import CyclicGame, check_game, key_of, moves_of, options_of
from soluna_widget.theory.layout import Layout, Point, layered
from soluna_widget.theory.values import Analysis, Outcome, shared

_MOST_DRAWN = 200
"""Up to so many nodes a tree draws itself in a notebook."""


@dataclass(frozen=True, slots=True)
class Node:
    """One position in a tree.

    Args:
        id: Its number; the root is 0, and numbers grow with the level.
        game: The position; of merged ones, the one that was met first.
        level: The most moves that lead there, so that every edge leads to a deeper level.
        options: The numbers of its options in the tree.
        cut: Whether it has options that the tree leaves out.
    """

    id: int
    game: Any
    level: int
    options: tuple[int, ...]
    cut: bool = False


class GameTree:
    """The options of a position, their options, and so on.

    Args:
        game: The position at the root: of any game.
        depth: How many moves to follow; None is to the ends.
        merge: Which positions are one node: "equal" ones, those with the same "canonical" form, or "none": then each
            course of play has nodes of its own, and the tree is one in the strict sense.
        misere: Whether outcomes and remoteness are those of misère play.
        limit: The most nodes.
        analysis: Who is asked for values; None is the memory that the functions of this package share.

    Raises:
        SolunaError: If an argument is not as said, or the tree would have more nodes than `limit`.
        CyclicGame: If play can come back to a position.

    In a notebook a tree of moderate size draws itself.

    >>> from soluna_widget.theory import Nim
    >>> tree = GameTree(Nim(1, 2))
    >>> len(tree), len(tree.edges), tree.levels, tree.plays
    (5, 7, (1, 2, 1, 1), (0, 0, 2, 2))
    >>> print(tree)
    Game tree of Nim 1 2: 5 positions, 7 edges, 4 levels.
    Level 0: 1 position.
      0. Nim 1 2: N, value 3, remoteness 3. Options 1, 2, 3.
    Level 1: 2 positions.
      1. Nim 2: N, value 2, remoteness 1. Options 3, 4.
      2. Nim 1 1: P, value 0, remoteness 2. Options 3.
    Level 2: 1 position.
      3. Nim 1: N, value 1, remoteness 1. Options 4.
    Level 3: 1 position.
      4. Nim 0: P, value 0, remoteness 0. An end.
    """

    def __init__(
        self,
        game: Any,
        depth: int | None = None,
        *,
        merge: Literal["equal", "canonical", "none"] = "equal",
        misere: bool = False,
        limit: int = 20_000,
        analysis: Analysis | None = None,
    ) -> None:
        check_game(game)
        if depth is not None and ((number := whole_number(depth)) is None or number < 0):
            raise SolunaError(f"depth: a number of moves, 0 or more, or None, not {shown(depth)}")
        if merge not in ("equal", "canonical", "none"):
            raise SolunaError(f"merge: 'equal', 'canonical' or 'none', not {shown(merge)}")
        if (number := whole_number(limit)) is None or number < 1:
            raise SolunaError(f"limit: a number of nodes, 1 or more, not {shown(limit)}")
        self.misere = bool(misere)
        self.merge = merge
        self._analysis = analysis  # not the shared one, which is large and must not travel with a tree
        self.nodes = self._grow(game, depth, number)

    def _grow(self, root: Any, depth: int | None, limit: int) -> tuple[Node, ...]:
        """Find the nodes by fewest moves, then give each the level of the most moves."""
        key = self._key()
        found = {key(root): 0}
        games, distance = [root], [0]
        below: list[list[int]] = []
        cut = []
        for number, game in enumerate(games):  # grows as it goes
            options = dict.fromkeys(options_of(game))
            stop = depth is not None and distance[number] >= depth
            cut.append(stop and bool(options))
            own: dict[int, None] = {}
            for option in () if stop else options:
                place = found.setdefault(key(option), len(games))
                if place == len(games):
                    if place >= limit:
                        raise SolunaError(
                            f"the tree of {shown(root)} has more than {limit:,} nodes: give a depth, merge more, or "
                            "raise the limit"
                        )
                    games.append(option)
                    distance.append(distance[number] + 1)
                own.setdefault(place)
            below.append(list(own))
        levels = _longest(below)
        if levels is None:
            raise CyclicGame(f"{shown(root)}: play can come back to a position, so it has no tree", code="cyclic_game")
        order = sorted(range(len(games)), key=lambda number: (levels[number], number))
        name = {number: id for id, number in enumerate(order)}
        return tuple(
            Node(id, games[number], levels[number], tuple(sorted(name[place] for place in below[number])), cut[number])
            for id, number in enumerate(order)
        )

    def _key(self) -> Callable[[Any], Hashable]:
        """Give the function by which positions are told apart."""
        if self.merge == "canonical":
            return key_of
        if self.merge == "equal":
            return lambda game: (type(game), game)
        fresh = count()
        return lambda _: next(fresh)

    @property
    def root(self) -> Node:
        """The position at which it begins."""
        return self.nodes[0]

    @property
    def edges(self) -> tuple[tuple[int, int], ...]:
        """The pairs (node, option) of numbers."""
        return tuple((node.id, option) for node in self.nodes for option in node.options)

    @property
    def levels(self) -> tuple[int, ...]:
        """How many nodes each level has."""
        counted = Counter(node.level for node in self.nodes)
        return tuple(counted[level] for level in range(len(counted)))

    @property
    def leaves(self) -> tuple[Node, ...]:
        """The nodes without options in the tree: ends, or cut off by the depth."""
        return tuple(node for node in self.nodes if not node.options)

    @property
    def plays(self) -> tuple[int, ...]:
        """How many ways lead from the root to a leaf in 0, 1, 2, ... moves; ways that merge are still counted apart.

        Moves to the same node are one way.
        """
        ways: list[Counter[int]] = [Counter() for _ in self.nodes]
        ways[0][0] = 1
        ended: Counter[int] = Counter()
        for node in self.nodes:  # every edge leads to a larger number
            for option in node.options:
                for moves, number in ways[node.id].items():
                    ways[option][moves + 1] += number
            if not node.options:
                ended += ways[node.id]
            ways[node.id] = Counter()
        return tuple(ended[moves] for moves in range(max(ended) + 1))

    def outcome(self, node: Node | int) -> Outcome:
        """Say who wins from a node, by the whole game below it and not only by what the tree shows."""
        return self._judge.outcome(self._node(node).game, self.misere)

    def remoteness(self, node: Node | int) -> int:
        """Give the remoteness of a node, by the whole game below it."""
        return self._judge.remoteness(self._node(node).game, self.misere)

    def grundy(self, node: Node | int) -> int:
        """Give the Grundy value of a node, under misère the misère one, by the whole game below it."""
        game = self._node(node).game
        return self._judge.misere_grundy(game) if self.misere else self._judge.grundy(game)

    def moves(self, node: Node | int, option: Node | int) -> tuple[Any, ...]:
        """Give the moves that lead from a node to one of its options."""
        node, option = self._node(node), self._node(option)
        key = self._key() if self.merge == "canonical" else lambda game: (type(game), game)
        wanted = key(option.game)
        return tuple(move for move, after in moves_of(node.game) if key(after) == wanted)

    @property
    def _judge(self) -> Analysis:
        return shared() if self._analysis is None else self._analysis

    def _node(self, node: Node | int) -> Node:
        number = whole_number(node.id if isinstance(node, Node) else node)
        if number is None or not 0 <= number < len(self.nodes):
            raise SolunaError(f"node: a number from 0 to {len(self.nodes) - 1}, not {shown(node)}")
        return self.nodes[number]

    def to_nodes(self, values: bool = True) -> list[dict[str, Any]]:
        """Give the nodes as plain dicts, one row each, as pandas and networkx take them.

        Args:
            values: Whether to work out outcome, remoteness and Grundy value, which looks at the whole game below.
        """
        rows = []
        for node in self.nodes:
            row = {"id": node.id, "label": str(node.game), "level": node.level, "cut": node.cut}
            if values:
                row |= {"outcome": self.outcome(node), "remoteness": self.remoteness(node), "grundy": self.grundy(node)}
            rows.append(row)
        return rows

    def to_edges(self, moves: bool = True) -> list[dict[str, Any]]:
        """Give the edges as plain dicts with `source` and `target`, and the moves' texts unless you leave them out."""
        rows: list[dict[str, Any]] = []
        for source, target in self.edges:
            row: dict[str, Any] = {"source": source, "target": target}
            if moves:
                row["moves"] = [str(move) for move in self.moves(source, target)]
            rows.append(row)
        return rows

    def to_dict(self, values: bool = True, moves: bool = True) -> dict[str, Any]:
        """Give nodes and edges in the node-link form: `networkx.node_link_graph(tree.to_dict(), edges="edges")`."""
        return {
            "directed": True,
            "multigraph": False,
            "graph": {"game": str(self.root.game), "misere": self.misere},
            "nodes": self.to_nodes(values),
            "edges": self.to_edges(moves),
        }

    def to_text(self, style: Literal["levels", "indented"] = "levels", values: bool = True) -> str:
        """Write the tree line by line.

        Args:
            style: "levels" lists the levels and names options by number, which reads well aloud; "indented" puts
                options below their position, each position's own options once.
            values: Whether each line has outcome, value and remoteness.

        Raises:
            SolunaError: If `style` is neither.
        """
        if style not in ("levels", "indented"):
            raise SolunaError(f"style: 'levels' or 'indented', not {shown(style)}")
        lines = [self.summary()]
        if style == "levels":
            level, levels = -1, self.levels
            for node in self.nodes:  # in the order of their levels
                if node.level > level:
                    level = node.level
                    lines.append(f"Level {level}: {_counted(levels[level], 'position')}.")
                lines.append(f"  {node.id}. {self.line(node, values)}. {_rest(node)}")
            return "\n".join(lines)
        seen: set[int] = set()
        waiting = [(0, 0)]
        while waiting:
            id, deep = waiting.pop()
            again = id in seen and self.nodes[id].options
            cut = " ..." if self.nodes[id].cut else ""
            seen.add(id)
            lines.append(f"{'  ' * (deep + 1)}{self.line(id, values)}{cut}{' (see above)' if again else ''}")
            if not again:
                waiting += [(option, deep + 1) for option in reversed(self.nodes[id].options)]
        return "\n".join(lines)

    def summary(self) -> str:
        """Say in a sentence how large it is."""
        kind = "Game tree under misère" if self.misere else "Game tree"
        return (
            f"{kind} of {self.root.game}: {_counted(len(self), 'position')}, {_counted(len(self.edges), 'edge')}, "
            f"{_counted(len(self.levels), 'level')}."
        )

    def line(self, node: Node | int, values: bool = True) -> str:
        """Say a node in a line: its position, and unless left out outcome, value and remoteness."""
        text = str(self._node(node).game)
        if not values:
            return text
        value = f"{'misère ' if self.misere else ''}value {self.grundy(node)}"
        return f"{text}: {self.outcome(node)}, {value}, remoteness {self.remoteness(node)}"

    def layout(self, sizes: Sequence[Point] | Point = (1.0, 1.0), gap: Point = (0.5, 1.0)) -> Layout:
        """Say where to draw nodes and edges, y downwards; good for small trees, while `drawing.tree` draws larger ones.

        Args:
            sizes: Width and height of all nodes, or of each in order.
            gap: How far nodes of a level, and how far levels, stand apart.
        """
        each: Any = [sizes] * len(self) if isinstance(sizes[0], (int, float)) else sizes
        return layered([node.level for node in self.nodes], self.edges, each, gap)

    def _repr_svg_(self) -> str | None:
        # The one arrow upwards in this folder: a picture is made only when a notebook asks for one.
        from soluna_widget import drawing

        try:
            return drawing.tree(self) if len(self) <= _MOST_DRAWN else None
        except SolunaError:  # too large without Graphviz: the notebook shows the text
            return None

    def __len__(self) -> int:
        return len(self.nodes)

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        # In a notebook this is what is seen of a tree that is not drawn.
        way = "" if len(self) <= _MOST_DRAWN else " Too many to draw: give a depth, or merge='canonical'."
        return f"<{self.summary()}{way}>"


def _longest(below: list[list[int]]) -> list[int] | None:
    """Give the most moves that lead to each from 0, or None where there is a way back."""
    entering = Counter(place for options in below for place in options)
    levels = [0] * len(below)
    ready = [0] if not entering[0] else []
    for number in ready:  # grows as it goes
        for place in below[number]:
            levels[place] = max(levels[place], levels[number] + 1)
            entering[place] -= 1
            if not entering[place]:
                ready.append(place)
    return levels if len(ready) == len(below) else None


def _rest(node: Node) -> str:
    if node.options:
        return f"Options {', '.join(map(str, node.options))}."
    return "Its options are left out." if node.cut else "An end."


def _counted(number: int, thing: str) -> str:
    return f"{number:,} {thing}{'' if number == 1 else 's'}"
