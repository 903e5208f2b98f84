"""Pictures without a browser's help: a position, a match or a game tree as SVG, with a description in words.

An SVG brings its own background, so that it looks the same in light and dark notebooks and in print. Table units are
those of the table in the browser: 760 by 400, y downwards.
"""

from __future__ import annotations

import colorsys
import json
import math
import re
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from random import Random
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple
from xml.etree import ElementTree
from xml.sax.saxutils import escape, quoteattr

from soluna_widget.errors import SolunaError, shown
from soluna_widget.rules import Move, Position
from soluna_widget.theory import GameTree
from soluna_widget.theory.layout import Layout, curve

if TYPE_CHECKING:
    from soluna_widget.match import Match

WIDTH, HEIGHT = 760, 400

_TILT = 0.84
"""Discs are seen slightly from above: the height of a face over its width."""
_THICK = 0.21
"""The thickness of a disc, in radii."""
_MOST_RISE = 1.16
"""How far a pile rises at the most, in radii."""
_PAPER, _PAPER_RIM, _INK, _SOFT = "#f3ead9", "#d8c9ab", "#23242b", "#5d5a55"
_WOOD, _WOOD_SIDE, _WOOD_LINE, _BADGE = "#5b4c39", "#453829", "#8d7c62", "#ffffff"
_RIM = f'stroke="{_PAPER_RIM}" stroke-width="3"'
_RADIUS, _GAP, _COLUMNS = 30.0, 16.0, 9
_SMALL, _SMALL_COLUMNS = 19.0, 4
_CARD, _EDGE, _HEAVY = "#fffdf8", "#8a8378", "#23242b"
_OUTCOMES = {"P": "#9a3412", "N": "#1d4f91"}
"""Far apart also for eyes that see no red or no green, and dark enough for white letters."""
_FEW_NODES, _FEW_EDGES = 60, 200
"""Up to so many our own layout draws a tree."""
_WIDEST = 1600
"""Trees wider than this keep their size, so that they can be read and are scrolled."""
_MOST_WORDS = 60
"""Up to so many positions a tree's description names each."""
_FONT = "system-ui, 'Segoe UI', Helvetica, Arial, sans-serif"


class Place(NamedTuple):
    """Where the middle of a stack's lowest face lies, in table units."""

    x: int
    y: int


def radius_for(count: int) -> float:
    """Give half the width of a disc, in table units, at which `count` stacks lie freely on the table."""
    return round(min(46.0, 150.0 / math.sqrt(max(count, 1))), 1)


@lru_cache(maxsize=256)
def scatter(count: int, seed: str) -> tuple[Place, ...]:
    """Throw so many stacks on the table: irregular, and no two overlapping.

    Args:
        count: The number of stacks.
        seed: The same text gives the same places.

    Each disc begins anywhere in a cell of its own; then they push each other away until all are far enough apart.
    Distance counts y more than x, as discs are seen from above, and once more for the pile that may grow on each.
    """
    rng = Random(seed)
    radius = radius_for(count)
    left, right = radius + 16, WIDTH - radius - 24
    top, bottom = radius * (_TILT + 0.75), HEIGHT - radius * (_TILT + _THICK) - 14
    stretch = 1.28
    # Far enough apart for the table to look thrown full, and never closer than two discs with their badges.
    apart = max(2.42 * radius, 0.98 * math.sqrt((right - left) * (bottom - top) * stretch / max(count, 1)))
    cells = _cells(count, rng)
    spots = [[left + (right - left) * x, top + (bottom - top) * y] for x, y in cells]
    for _ in range(400):
        moved = False
        for i in range(count):
            for j in range(i):
                dx = spots[i][0] - spots[j][0] or 0.01
                dy = (spots[i][1] - spots[j][1]) * stretch
                distance = math.sqrt(dx * dx + dy * dy)
                if distance < apart:
                    push = (apart - distance) / distance / 2 + 0.002
                    for spot, sign in ((spots[i], 1), (spots[j], -1)):
                        spot[0] = min(max(spot[0] + sign * dx * push, left), right)
                        spot[1] = min(max(spot[1] + sign * dy * push / stretch, top), bottom)
                    moved = True
        if not moved:
            break
    places = tuple(Place(round(x), round(y)) for x, y in spots)
    return places if _lie_freely(places, radius) else _rows_of_places(count)


def places(match: Match, round: int | None = None) -> tuple[Place, ...]:
    """Give the place of each stack number, in order; discs that are not turned keep their places.

    Args:
        match: The match.
        round: Which round's places; None is the present one's.
    """
    kept = match.start is not None or match.rulebook.next_layout == "kept"
    count = len(match.stacks) if match.start is None else len(match.start.stacks)
    count = max(count, match.to_place + len(match.stacks), match.discs.size if match.start is None else 0)
    return scatter(count, f"soluna/{match.seed}/{1 if kept else round or match.round}/places")


def position_svg(position: Position, caption: str = "") -> str:
    """Draw a position: its stacks side by side, by top and height.

    Args:
        position: What to draw.
        caption: A line below; none where it is empty.

    Returns:
        An SVG document with a title and a description in words.
    """
    rows = _rows(position)
    height = rows.height + (26 if caption else 0)
    return _document(rows.width, height, f"Soluna position {position}", position.describe(), rows.drawn, caption)


def move_svg(position: Position, move: Move | str) -> str:
    """Draw a move: the position before, with the mover in a ring and the target in a dashed one, and the one after.

    Args:
        position: Where the move is made.
        move: A Move or its text.

    Returns:
        An SVG document with a title and a description in words.

    Raises:
        InvalidNotation: If a text is no move.
        IllegalMove: If the rules forbid it.
    """
    if not isinstance(move, Move):
        move = Move.parse(move)
    after = position.play(move)
    mover = position.stacks.index(move.mover)
    target = next(i for i, stack in enumerate(position.stacks) if stack == move.target and i != mover)
    above = _rows(position, {mover: "", target: ' stroke-dasharray="7 5"'})
    below = _rows(after, {after.stacks.index(move.result): ""}, y=above.height + 34)
    caption = f"{move.mover.describe()} goes on {move.target.describe()}"
    arrow = _text(_GAP + 4, above.height + 26, f"↓  {caption}", size=14, fill=_INK)
    return _document(
        max(above.width, below.width, 14.0 + 8 * len(caption)),
        above.height + 34 + below.height,
        f"Soluna move {move}",
        f"{position.describe()}. {caption}. Then {after.describe()}",
        [*above.drawn, arrow, *below.drawn],
        "",
    )


def match_svg(match: Match, caption: str = "") -> str:
    """Draw a match as it stands: the table, the stars, whose turn it is.

    Args:
        match: What to draw.
        caption: A line below instead of the one that says whose turn it is.

    Returns:
        An SVG document with a title and a description in words.
    """
    spots = places(match)
    radius = radius_for(len(spots))
    side, colour = (3, symbol_colour("S")) if match.turn == 0 else (WIDTH - 9, symbol_colour("M"))
    drawn = [
        f'<rect x="3" y="43" width="{WIDTH - 6}" height="{HEIGHT - 6}" rx="22" fill="{_PAPER}" {_RIM}/>',
        f'<rect x="{side}" y="63" width="6" height="{HEIGHT - 46}" rx="3" fill="{colour}"/>',
    ]
    for seat, (name, anchor, x) in enumerate(zip(match.players, ("start", "end"), (12, WIDTH - 12), strict=True)):
        stars = "★" * match.stars[seat] + "☆" * max(match.rulebook.stars - match.stars[seat], 0)
        if len(stars) > 9:
            stars = f"★ {match.stars[seat]} of {match.rulebook.stars}"
        text = f"{name}  {stars}" if seat == 0 else f"{stars}  {name}"
        weight = 700 if match.turn == seat else 400
        drawn.append(_text(x, 27, text, size=16, anchor=anchor, weight=weight))
    drawn.append(_text(WIDTH / 2, 27, f"round {match.round}", size=13, anchor="middle", fill=_SOFT))
    for stack in sorted(match.stacks, key=lambda stack: spots[stack.id - 1].y):
        spot = spots[stack.id - 1]
        drawn.append(_stack(spot.x, spot.y + 40, radius, [disc.up for disc in stack.discs]))
    status = caption or describe_turn(match)
    described = f"{match.position.describe()}. {describe_turn(match)}" if match.position else describe_turn(match)
    return _document(WIDTH, HEIGHT + 44 + 26, f"Soluna, round {match.round}", described, drawn, status, fill="#ffffff")


def describe_turn(match: Match) -> str:
    """Say in a sentence what the match waits for."""
    name, other = match.players[match.turn], match.players[1 - match.turn]
    match match.phase:
        case "placing":
            return f"{name} places a disc."
        case "choosing":
            return f"{name} chooses to go first or second."
        case "playing":
            return f"It is the turn of {name}."
    taker = name if match.misere else other
    if match.phase == "match_over":
        return f"{name} cannot move. {taker} wins the match, {max(match.stars)} to {min(match.stars)}."
    return f"{name} cannot move. {taker} takes a star."


def small_svg(position: Position) -> str:
    """Draw a position small, as it stands in a tree: four stacks in a row, with no paper behind.

    Args:
        position: What to draw.

    Returns:
        An SVG document with a title and a description in words.
    """
    rows = -(-len(position.stacks) // _SMALL_COLUMNS)
    columns = -(-len(position.stacks) // rows)
    # Room for the tallest stack, so that none is cut off.
    lift = max(0.9 * _SMALL, *(_rise(stack.height, _SMALL) + 2 for stack in position.stacks))
    cell, row = 2 * _SMALL + 11, _SMALL * (2 * _TILT + _THICK) + lift
    drawn = [
        _stack(
            cell * (index % columns) + cell / 2 - 2,
            row * (index // columns) + _SMALL * _TILT + lift,
            _SMALL,
            [""] * (stack.height - 1) + [stack.top],
            badge=10,
        )
        for index, stack in enumerate(position.stacks)
    ]
    height = row * rows + 10
    title, words = escape(f"Soluna position {position}"), position.describe()
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {columns * cell + 4:.0f} {height:.0f}" '
        f'width="{columns * cell + 4:.0f}" height="{height:.0f}" role="img" aria-label={quoteattr(words)} '
        f'font-family="{_FONT}"><title>{title}</title><desc>{escape(words)}</desc>{"".join(drawn)}</svg>'
    )


def tree(
    game: Any,
    picture: Callable[[Any], str] | None = None,
    *,
    values: bool = True,
    caption: str = "",
    engine: Literal["auto", "simple", "graphviz"] = "auto",
) -> str:
    """Draw a game tree: a card for each position, with a picture, its text, who wins and its Grundy value.

    Args:
        game: A `theory.GameTree`, or a position of any game, whose whole tree is drawn.
        picture: Gives the SVG text of a position, or "" for none; None draws positions of Soluna small, and no others.
        values: Whether to say who wins and what each is worth, and to draw moves to a lost position as heavy lines.
        caption: A line below; none where it is empty.
        engine: Who lays it out: "simple" is our own way, good for small trees; "graphviz" asks `dot`, which comes with
            the extra `trees`; "auto" takes the first for small trees and the second for larger ones.

    Returns:
        An SVG document with a title and a description in words.

    Raises:
        SolunaError: If a picture is no SVG with a width and a height, or Graphviz is needed and not installed.
    """
    shape = game if isinstance(game, GameTree) else GameTree(game)
    cards = [_card(shape, number, picture, values) for number in range(len(shape))]
    # The wider a tree, the flatter its lines would run.
    widest = max(
        sum(card.width + 26 for card, node in zip(cards, shape.nodes, strict=True) if node.level == level)
        for level in range(len(shape.levels))
    )
    sizes = [(card.width, card.height) for card in cards]
    laid = _laid_out(shape, sizes, (26, min(max(64, widest / 15), 240)), engine)
    margin = 22.0
    losing = {node.id for node in shape.nodes if values and shape.outcome(node) == "P"}
    light: list[str] = []
    heavy: list[str] = []
    for (source, target), path in laid.paths.items():
        first, rest = path[0], path[1:]
        d = f"M{first[0] + margin:.1f} {first[1] + margin:.1f}C" + " ".join(
            f"{x + margin:.1f} {y + margin:.1f}" for x, y in rest
        )
        wins = target in losing
        style = f'stroke="{_HEAVY}" stroke-width="3.2"' if wins else f'stroke="{_EDGE}" stroke-width="1.4"'
        (heavy if wins else light).append(f'<path d="{d}" fill="none" {style} data-edge="{source} {target}"/>')
    drawn = [*light, *heavy]
    for card, (x, y) in zip(cards, laid.centres, strict=True):
        drawn.append(card.drawn(x - card.width / 2 + margin, y - card.height / 2 + margin))
    low = laid.height + 2 * margin
    words = _tree_legend(shape, values)
    for line in words:
        drawn.append(_text(margin, low + 10, line, size=15, fill=_SOFT))
        low += 21
    longest = max(len(line) for line in (*words, caption, ""))
    return _document(
        max(laid.width + 2 * margin, 2 * margin + 7.6 * longest),
        low + (26 if caption else 4),
        shape.summary(),
        shape.to_text(values=values) if len(shape) <= _MOST_WORDS else " ".join([shape.summary(), *words]),
        drawn,
        caption,
        shrink=laid.width < _WIDEST,
    )


def _laid_out(shape: GameTree, sizes: Sequence[tuple[float, float]], gap: tuple[float, float], engine: str) -> Layout:
    if engine not in ("auto", "simple", "graphviz"):
        raise SolunaError(f"engine: 'auto', 'simple' or 'graphviz', not {shown(engine)}")
    small = len(shape) <= _FEW_NODES and len(shape.edges) <= _FEW_EDGES
    if engine == "simple" or (engine == "auto" and small):
        return shape.layout(sizes, gap)
    return _graphviz([node.level for node in shape.nodes], shape.edges, sizes, gap)


def _graphviz(
    levels: Sequence[int],
    edges: Sequence[tuple[int, int]],
    sizes: Sequence[tuple[float, float]],
    gap: tuple[float, float],
) -> Layout:
    """Lay out a tree with Graphviz's `dot`, which pygraphviz brings along.

    Source: E. R. Gansner, E. Koutsofios, S. C. North and K.-P. Vo, *IEEE Trans. Software Engineering* 19 (1993).
    """
    try:
        from pygraphviz import AGraph
    except ImportError:
        raise SolunaError(
            f"a tree of {len(levels)} positions is laid out by Graphviz: pip install 'soluna-widget[trees]', or make "
            "the tree smaller with depth=, or ask for engine='simple'",
            code="not_installed",
        ) from None
    graph: Any = AGraph(directed=True, strict=True)
    inch = 72.0
    graph.graph_attr.update(nodesep=f"{gap[0] / inch:.3f}", ranksep=f"{gap[1] / inch:.3f}")
    graph.node_attr.update(shape="box", fixedsize="true", label="")
    graph.edge_attr.update(arrowhead="none", headport="n", tailport="s")
    for node, (width, height) in enumerate(sizes):
        graph.add_node(node, width=f"{width / inch:.3f}", height=f"{height / inch:.3f}")
    for level in range(max(levels) + 1):
        graph.add_subgraph([node for node, own in enumerate(levels) if own == level], rank="same")
    graph.add_edges_from(edges)
    graph.layout(prog="dot")
    _, _, width, height = (float(number) for number in graph.graph_attr["bb"].split(","))

    def read(text: str) -> tuple[tuple[float, float], ...]:
        pairs = (pair.split(",") for pair in text.split())
        return tuple((float(px), height - float(py)) for px, py in pairs)  # dot counts upwards

    centres = tuple(read(graph.get_node(node).attr["pos"])[0] for node in range(len(levels)))
    # Between neighbouring levels nothing is in the way, and dot's own curves sway; longer ones it leads past the nodes.
    paths = {
        (source, target): curve(
            (centres[source][0], centres[source][1] + sizes[source][1] / 2),
            (centres[target][0], centres[target][1] - sizes[target][1] / 2),
        )
        if levels[target] == levels[source] + 1
        else read(graph.get_edge(source, target).attr["pos"])
        for source, target in edges
    }
    return Layout(centres, paths, width, height)


def _tree_legend(shape: GameTree, values: bool) -> list[str]:
    lines = []
    if values:
        won = "Who cannot move wins." if shape.misere else "Who cannot move loses."
        lines += ["P: the player to move loses.   N: the player to move wins.", f"{won} Heavy lines: moves that win."]
    if any(node.cut for node in shape.nodes):
        lines.append("⋯: its options are left out.")
    return lines


def _picture(game: Any) -> str:
    """What a tree shows of a position unless it is told: those of Soluna, small."""
    return small_svg(game) if isinstance(game, Position) else ""


class _Card(NamedTuple):
    """What stands for one position in a tree."""

    width: float
    height: float
    parts: str
    number: int

    def drawn(self, x: float, y: float) -> str:
        return f'<g data-node="{self.number}" transform="translate({x:.1f} {y:.1f})">{self.parts}</g>'


def _card(shape: GameTree, number: int, picture: Callable[[Any], str] | None, values: bool) -> _Card:
    node = shape.nodes[number]
    image = (picture or _picture)(node.game)
    inner, wide, high = _nested(image) if image else ("", 0.0, 0.0)
    lines = textwrap.wrap(str(node.game), 24, max_lines=4, placeholder=" …") or [""]
    outcome = shape.outcome(number) if values else ""
    value = f"{'misère ' if shape.misere else ''}value {shape.grundy(number)}" if values else ""
    head = 34.0 if values else 8.0
    width = max(wide + 16, 10.8 * max(map(len, lines)) + 24, 50 + 8.4 * len(value) if values else 0, 56.0)
    height = head + high + 21 * len(lines) + 6 + (12 if node.cut else 0)
    ink = _OUTCOMES.get(outcome, _EDGE)
    # Lost positions have a heavy rim too, so that colour is never the only sign beside the letter.
    rim = f'stroke="{ink}" stroke-width="{4 if outcome == "P" else 1.8}"'
    parts = [
        f"<title>{escape(shape.line(number, values))}</title>",
        f'<rect width="{width:.1f}" height="{height:.1f}" rx="10" fill="{_CARD}" {rim}/>',
    ]
    if values:
        parts += [
            f'<rect x="7" y="7" width="27" height="24" rx="6" fill="{ink}"/>',
            _text(20.5, 25, outcome, size=17, anchor="middle", weight=700, fill="#ffffff"),
            _text(42, 24.5, value, size=15),
        ]
    if image:
        parts.append(f'<g transform="translate({(width - wide) / 2:.1f} {head:.1f})">{inner}</g>')
    for line, text in enumerate(lines):
        parts.append(_text(width / 2, head + high + 16 + 21 * line, text, size=16, anchor="middle", weight=600))
    if node.cut:
        parts.append(_text(width / 2, height - 5, "⋯", size=17, anchor="middle"))
    return _Card(width, height, "".join(parts), number)


def _nested(image: str, most: float = 230.0) -> tuple[str, float, float]:
    """Give an SVG document as a part of another, its width, and its height; wide ones are drawn smaller."""
    try:
        root = ElementTree.fromstring(image)
        width, height = (float(re.sub(r"(px)?$", "", root.attrib[name].strip())) for name in ("width", "height"))
        fine = root.tag.endswith("svg") and width > 0 and height > 0
    except (ElementTree.ParseError, TypeError, KeyError, ValueError):
        fine = False
    if not fine:
        raise SolunaError(f"picture: gives the text of an SVG with a width and a height, not {shown(image)}")
    scale = min(1.0, most / width)
    box = root.get("viewBox") or f"0 0 {width:g} {height:g}"
    found = re.search(r"<(?:\w+:)?svg\b(?:[^>\"']|\"[^\"]*\"|'[^']*')*>", image)
    inside = image[found.end() : image.rindex("</")] if found and not found[0].endswith("/>") else ""
    # A style of its own, such as a width in per cent, would mean the whole drawing here.
    opening = (
        f'<svg width="{width * scale:.1f}" height="{height * scale:.1f}" viewBox={quoteattr(box)} '
        f"font-family={quoteattr(root.get('font-family', _FONT))}>"
    )
    return f"{opening}{inside}</svg>", width * scale, height * scale


@cache
def _symbols() -> dict[str, dict[str, str]]:
    loaded: dict[str, dict[str, str]] = json.loads(
        files("soluna_widget").joinpath("symbols.json").read_text(encoding="utf-8")
    )
    return loaded


def symbol_colour(letter: str) -> str:
    """Give a symbol's colour as #rrggbb; letters without a drawing take hues far from their neighbours'."""
    if letter in _symbols():
        return _symbols()[letter]["colour"]
    index = ord(letter) - ord("A")
    red, green, blue = colorsys.hls_to_rgb((index * 137.5 + 20) % 360 / 360, 0.86 if index % 2 == 0 else 0.82, 0.68)
    return f"#{round(red * 255):02x}{round(green * 255):02x}{round(blue * 255):02x}"


class _Rows(NamedTuple):
    """Stacks side by side, and the room they take."""

    drawn: list[str]
    width: float
    height: float


def _rows(position: Position, rings: Mapping[int, str] = MappingProxyType({}), y: float = 0) -> _Rows:
    """Lay a position's stacks in rows from `y` down; `rings` has the stroke's extras for each stack in a ring."""
    count = len(position.stacks)
    columns = min(count, _COLUMNS)
    cell = 2 * _RADIUS + _GAP
    row = _RADIUS * (2 * _TILT + _THICK + 1.2)
    drawn = []
    for index, stack in enumerate(position.stacks):
        middle = _GAP + cell * (index % columns) + cell / 2
        low = y + _GAP / 2 + row * (index // columns) + _RADIUS * (_TILT + 1.2)
        # What lies below is not part of a position, so only the top disc shows a colour.
        drawn.append(_stack(middle, low, _RADIUS, [""] * (stack.height - 1) + [stack.top], rings.get(index)))
    return _Rows(drawn, columns * cell + 2 * _GAP, -(-count // columns) * row + 1.5 * _GAP)


def _rise(count: int, radius: float) -> float:
    """How far the top face of a pile lies above its lowest."""
    return min(_THICK * (count - 1), _MOST_RISE) * radius


def _lie_freely(spots: Sequence[Place], radius: float) -> bool:
    return all(
        (a.x - b.x) ** 2 + ((a.y - b.y) / _TILT) ** 2 >= (2.08 * radius) ** 2
        for i, a in enumerate(spots)
        for b in spots[:i]
    )


def _grid(count: int) -> tuple[int, int]:
    """How many columns and rows give so many stacks a cell each, about as wide as high."""
    columns = max(1, round(math.sqrt(count * WIDTH / HEIGHT)))
    return columns, -(-count // columns)


def _cells(count: int, rng: Random) -> list[tuple[float, float]]:
    """Give each stack a point of its own cell, in a unit square; the cells that stay empty are anywhere."""
    columns, rows = _grid(count)
    chosen = rng.sample([(column, row) for row in range(rows) for column in range(columns)], count)
    return [((column + rng.random()) / columns, (row + rng.random()) / rows) for column, row in chosen]


def _rows_of_places(count: int) -> tuple[Place, ...]:
    """Lay the stacks in rows: for the rare throw that found no room."""
    columns, rows = _grid(count)
    cells = [(column, row) for row in range(rows) for column in range(columns)][:count]
    return tuple(
        Place(round((column + 0.5) * WIDTH / columns), round((row + 0.55) * HEIGHT / rows)) for column, row in cells
    )


def _stack(x: float, y: float, radius: float, discs: Sequence[str], ring: str | None = None, badge: float = 8) -> str:
    """Draw one stack.

    `discs` are the symbols bottom to top, "" for one that is not known; `ring` a ring's extras; `badge` the least
    radius of the number's.
    """
    rx, ry = radius, radius * _TILT
    thick = _THICK * radius
    step = _rise(len(discs), radius) / max(len(discs) - 1, 1)
    parts = [f'<ellipse cx="{x + 3:.1f}" cy="{y + thick + 3:.1f}" rx="{rx + 2:.1f}" ry="{ry:.1f}" opacity=".16"/>']
    for level, letter in enumerate(discs):
        up = y - level * step
        side = f"v{thick:.1f}a{rx:.1f} {ry:.1f} 0 0 0 {2 * rx:.1f} 0v{-thick:.1f}"
        parts.append(f'<path d="M{x - rx:.1f} {up:.1f}{side}" fill="{_WOOD_SIDE}"/>')
        # The edge shows the disc's colour; one that is not known is told from the next by a thin line.
        seen = step if step and level else thick
        band, edge = (max(seen * 0.34, 1), symbol_colour(letter)) if letter else (0.8, _WOOD_LINE)
        arc = f"M{x - rx:.1f} {up + seen * 0.5:.1f}a{rx:.1f} {ry:.1f} 0 0 0 {2 * rx:.1f} 0"
        parts.append(f'<path d="{arc}" fill="none" stroke="{edge}" stroke-width="{band:.1f}"/>')
        parts.append(
            f'<ellipse cx="{x:.1f}" cy="{up:.1f}" rx="{rx:.1f}" ry="{ry:.1f}" fill="{_WOOD}" stroke="#2b2219" '
            'stroke-width=".8"/>'
        )
    top, up = discs[-1], y - (len(discs) - 1) * step
    colour = symbol_colour(top)
    parts.append(
        f'<ellipse cx="{x:.1f}" cy="{up:.1f}" rx="{rx * 0.89:.1f}" ry="{ry * 0.89:.1f}" fill="none" stroke="{colour}" '
        f'stroke-width="{radius * 0.045:.1f}" opacity=".75"/>'
    )
    if top in _symbols():
        parts.append(
            f'<path transform="translate({x:.1f} {up:.1f}) scale({radius / 68:.3f} {radius * _TILT / 68:.3f})" '
            f'd="{_symbols()[top]["path"]}" fill="{colour}"/>'
        )
    else:
        parts.append(_text(x, up + radius * 0.36, top, size=radius, anchor="middle", weight=700, fill=colour))
    if ring is not None:
        parts.append(
            f'<ellipse cx="{x:.1f}" cy="{up:.1f}" rx="{rx + 5:.1f}" ry="{ry + 5:.1f}" fill="none" stroke="{_INK}" '
            f'stroke-width="2.5"{ring}/>'
        )
    bx, by, br = x + rx * 0.82, up + ry * 0.68, max(radius * 0.31, badge)
    parts.append(f'<circle cx="{bx:.1f}" cy="{by:.1f}" r="{br:.1f}" fill="{_BADGE}" stroke="{_PAPER_RIM}"/>')
    parts.append(_text(bx, by + br * 0.4, str(len(discs)), size=br * 1.15, anchor="middle", weight=700))
    return f"<g>{''.join(parts)}</g>"


def _text(
    x: float, y: float, text: str, *, size: float, anchor: str = "start", weight: int = 400, fill: str = _INK
) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:.1f}" text-anchor="{anchor}" font-weight="{weight}" '
        f'fill="{fill}" xml:space="preserve">{escape(text)}</text>'
    )


def _document(
    width: float,
    height: float,
    title: str,
    description: str,
    drawn: Iterable[str],
    caption: str,
    fill: str = _PAPER,
    shrink: bool = True,
) -> str:
    style = ' style="max-width: 100%; height: auto"' if shrink else ""
    line = _text(14, height - 9, caption, size=14) if caption else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
        f'height="{height:.0f}" role="img" aria-label={quoteattr(description)} font-family="{_FONT}"{style}>'
        f"<title>{escape(title)}</title><desc>{escape(description)}</desc>"
        f'<rect width="100%" height="100%" rx="14" fill="{fill}"/>{"".join(drawn)}{line}</svg>'
    )
