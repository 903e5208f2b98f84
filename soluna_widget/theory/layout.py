"""Where the nodes of a layered graph go: a way of our own, good for small graphs.

It knows numbers only: levels, edges, sizes. Every edge leads to a deeper level.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

Point = tuple[float, float]
Edge = tuple[int, int]

_ROUNDS = 24


@dataclass(frozen=True, slots=True)
class Layout:
    """Where everything goes, from (0, 0) at the top left.

    Args:
        centres: The middle of each node.
        paths: For each edge a cubic Bézier path: its first point, then three points for each curve.
        width, height: What all of it takes.
    """

    centres: tuple[Point, ...]
    paths: dict[Edge, tuple[Point, ...]]
    width: float
    height: float


def layered(levels: Sequence[int], edges: Sequence[Edge], sizes: Sequence[Point], gap: Point) -> Layout:
    """Lay out a small graph level by level with few crossings.

    Args:
        levels: Each node's level, from 0.
        edges: Pairs of nodes, each from a level to a deeper one.
        sizes: Each node's width and height.
        gap: How far nodes of a level, and how far levels, stand apart.

    Source: K. Sugiyama, S. Tagawa and M. Toda, *IEEE Trans. Systems, Man and Cybernetics* 11 (1981): an edge over
    several levels passes a point on each; levels are ordered by the mean place of their neighbours, keeping the best
    order seen; then nodes are drawn to the mean of their neighbours as far as the order allows (least squares).
    """
    rows: list[list[int]] = [[] for _ in range(max(levels) + 1)]
    for node, level in enumerate(levels):
        rows[level].append(node)
    widths = [width for width, _ in sizes]
    down: dict[int, list[int]] = {node: [] for node in range(len(levels))}
    chains: dict[Edge, list[int]] = {}
    for source, target in edges:
        chain = [source]
        for level in range(levels[source] + 1, levels[target]):
            point = len(widths)
            widths.append(gap[0] / 2)
            rows[level].append(point)
            down[point] = []
            chain.append(point)
        chain.append(target)
        chains[source, target] = chain
        for one, other in pairwise(chain):
            down[one].append(other)
    up: dict[int, list[int]] = {node: [] for node in down}
    for one, others in down.items():
        for other in others:
            up[other].append(one)
    rows = _with_few_crossings(rows, up, down)
    x = _places(rows, up, down, widths, gap[0], real=len(levels))

    heights = [max((sizes[node][1] for node in row if node < len(levels)), default=0.0) for row in rows]
    middle, y = [], 0.0
    for height in heights:
        middle.append(y + height / 2)
        y += height + gap[1]
    centres = tuple((x[node], middle[level]) for node, level in enumerate(levels))
    paths = {}
    for (source, target), chain in chains.items():
        points: list[Point] = [(x[source], middle[levels[source]] + sizes[source][1] / 2)]
        for level, node in enumerate(chain[1:], start=levels[source] + 1):
            half = heights[level] / 2
            top = middle[level] - (sizes[target][1] / 2 if node == target else half)
            points += curve(points[-1], (x[node], top))[1:]
            if node != target:  # straight down past a level
                points += [(x[node], top), (x[node], top + 2 * half), (x[node], top + 2 * half)]
        paths[source, target] = tuple(points)
    left = min(x[node] - widths[node] / 2 for node in x)
    right = max(x[node] + widths[node] / 2 for node in x)
    return Layout(
        tuple((cx - left, cy) for cx, cy in centres),
        {edge: tuple((px - left, py) for px, py in path) for edge, path in paths.items()},
        right - left,
        y - gap[1],
    )


def crossings(upper: Sequence[int], lower: Sequence[int], down: dict[int, list[int]]) -> int:
    """Count the crossings between two neighbouring levels."""
    place = {node: number for number, node in enumerate(lower)}
    seen: list[int] = []
    count = 0
    for node in upper:
        ends = sorted(place[other] for other in down[node])
        count += sum(len(seen) - bisect_right(seen, end) for end in ends)
        for end in ends:
            insort(seen, end)
    return count


def curve(start: Point, end: Point) -> tuple[Point, ...]:
    """Give a curve that begins and ends straight downwards."""
    middle = (start[1] + end[1]) / 2
    return start, (start[0], middle), (end[0], middle), end


def _with_few_crossings(rows: list[list[int]], up: dict[int, list[int]], down: dict[int, list[int]]) -> list[list[int]]:
    def total(rows: list[list[int]]) -> int:
        return sum(crossings(one, other, down) for one, other in pairwise(rows))

    best, fewest = [list(row) for row in rows], total(rows)
    for turn in range(_ROUNDS):
        if not fewest:
            break
        downwards = turn % 2 == 0
        order = range(1, len(rows)) if downwards else range(len(rows) - 2, -1, -1)
        for level in order:
            beside = rows[level - 1] if downwards else rows[level + 1]
            near = up if downwards else down
            place = {node: number for number, node in enumerate(beside)}
            wish = {
                node: sum(place[other] for other in near[node]) / len(near[node]) if near[node] else float(number)
                for number, node in enumerate(rows[level])
            }
            rows[level] = sorted(rows[level], key=wish.__getitem__)
        _swap_neighbours(rows, down)
        if (now := total(rows)) < fewest:
            best, fewest = [list(row) for row in rows], now
    return best


def _swap_neighbours(rows: list[list[int]], down: dict[int, list[int]]) -> None:
    """Swap two that stand side by side where this saves a crossing, until it saves none."""
    up: dict[int, list[int]] = {}
    for one, others in down.items():
        for other in others:
            up.setdefault(other, []).append(one)
    for _ in range(4):
        changed = False
        for level, row in enumerate(rows):
            above = {node: place for place, node in enumerate(rows[level - 1])} if level else {}
            below = {node: place for place, node in enumerate(rows[level + 1])} if level + 1 < len(rows) else {}
            for at in range(len(row) - 1):
                one, other = row[at], row[at + 1]
                kept = swapped = 0
                for near, place in ((up, above), (down, below)):
                    for a in near.get(one, ()):
                        for b in near.get(other, ()):
                            kept += place[a] > place[b]
                            swapped += place[a] < place[b]
                if swapped < kept:
                    row[at], row[at + 1] = other, one
                    changed = True
        if not changed:
            return


def _places(
    rows: list[list[int]],
    up: dict[int, list[int]],
    down: dict[int, list[int]],
    widths: list[float],
    gap: float,
    real: int,
) -> dict[int, float]:
    x: dict[int, float] = {}
    for row in rows:
        right = -sum(widths[node] + gap for node in row) / 2
        for node in row:
            x[node] = right + widths[node] / 2
            right += widths[node] + gap
    for turn in range(_ROUNDS):
        order = range(len(rows)) if turn % 2 == 0 else range(len(rows) - 1, -1, -1)
        for level in order:
            row = rows[level]
            first, second = (up, down) if turn % 2 == 0 else (down, up)
            # At the end both sides count, so that parents stand over the middle of their options.
            wishes, weights = [], []
            for node in row:
                near = [*first[node], *second[node]] if turn >= _ROUNDS - 8 else first[node] or second[node]
                # Long edges are held straight: their points pull harder on each other.
                pulls = [4.0 if node >= real and other >= real else 1.0 for other in near]
                wish = sum(pull * x[other] for pull, other in zip(pulls, near, strict=True))
                wishes.append(wish / sum(pulls) if pulls else x[node])
                weights.append(sum(pulls) or 0.1)
            for node, place in zip(row, _apart(row, wishes, weights, widths, gap), strict=True):
                x[node] = place
    return x


def _apart(
    row: Sequence[int], wishes: Sequence[float], weights: Sequence[float], widths: Sequence[float], gap: float
) -> list[float]:
    """Come as near to all wishes as the order allows: what would overlap is pooled, each pool at its mean wish."""
    offsets, offset = [], 0.0
    for number, node in enumerate(row):
        if number:
            offset += (widths[row[number - 1]] + widths[node]) / 2 + gap
        offsets.append(offset)
    pools: list[tuple[float, float, int]] = []  # mean, weight, how many
    for wish, weight, offset in zip(wishes, weights, offsets, strict=True):
        mean, count = wish - offset, 1
        while pools and pools[-1][0] > mean:
            other, heavy, more = pools.pop()
            mean = (mean * weight + other * heavy) / (weight + heavy)
            weight += heavy
            count += more
        pools.append((mean, weight, count))
    means = [mean for mean, _, count in pools for _ in range(count)]
    return [mean + offset for mean, offset in zip(means, offsets, strict=True)]
