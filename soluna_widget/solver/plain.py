"""The plain solver: standard library only, for small sizes and for browsers; it judges the array solver, too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from soluna_widget.rules import SYMBOLS
from soluna_widget.solver.marks import mark_of

Parts = tuple[int, ...]
"""The heights of one symbol's stacks, largest first."""
Groups = tuple[Parts, ...]
"""A position up to renaming: one group for each symbol that shows, largest first as `size_first` says."""


def size_first(parts: Parts) -> tuple[int, int, Parts]:
    """Give what groups are ordered by: discs, then stacks, then the heights themselves."""
    return sum(parts), len(parts), parts


def sort_groups(groups: Iterable[Parts]) -> Groups:
    """Bring groups, each sorted already, into their order; empty ones are left out."""
    return tuple(sorted((parts for parts in groups if parts), key=size_first, reverse=True))


def reading_order(parts: Parts) -> tuple[int, Parts]:
    """Give what groups are ordered by in a position that is written: most stacks first, then lowest first."""
    return -len(parts), parts[::-1]


def write_heights(parts: Parts) -> str:
    """Write a group's heights as `str(Position)` does."""
    runs = [(height, parts.count(height)) for height in sorted(set(parts))]
    return ",".join(f"{height}^{times}" if times > 1 else str(height) for height, times in runs)


def write(groups: Groups) -> str:
    """Write a position as `str(position.canonical())` does."""
    ordered = sorted(groups, key=reading_order)
    return " ".join(symbol + write_heights(parts) for symbol, parts in zip(SYMBOLS, ordered, strict=False))


def starts(discs: int, symbols: int, most: int | None = None) -> Iterator[tuple[int, ...]]:
    """Give every way in which `discs` discs can show up to `symbols` symbols, as counts from the most to the fewest."""
    if discs == 0:
        yield ()
    elif symbols:
        for count in range(min(discs, most or discs), 0, -1):
            for rest in starts(discs - count, symbols - 1, count):
                yield (count, *rest)


def options(groups: Groups) -> set[Groups]:
    """Give the distinct options of a position, up to renaming."""
    found = set()
    for i, parts in enumerate(groups):
        rest = groups[:i] + groups[i + 1 :]
        for one in set(parts):
            left = _without(parts, one)
            for other in set(left):
                found.add(sort_groups((*rest, _with(_without(left, other), one + other))))
            for j, others in enumerate(rest):
                if one in others:
                    landed = _with(_without(others, one), 2 * one)
                    found.add(sort_groups((*rest[:j], *rest[j + 1 :], left, landed)))
    return found


def _without(parts: Parts, part: int) -> Parts:
    at = parts.index(part)
    return parts[:at] + parts[at + 1 :]


def _with(parts: Parts, part: int) -> Parts:
    return tuple(sorted((*parts, part), reverse=True))


class PlainStore:
    """All positions of one size in a dictionary.

    Args:
        values: For each position its mark and its Grundy value, in the order in which solutions are stored.
    """

    def __init__(self, values: dict[Groups, tuple[int, int]]) -> None:
        self._values = values

    @classmethod
    def solve(cls, discs: int, symbols: int, misere: bool, grundy: bool, told: Callable[[int], object]) -> PlainStore:
        """Solve all positions of `discs` discs and up to `symbols` symbols, from the fewest stacks to the most."""
        values: dict[Groups, tuple[int, int]] = {}
        for level in reversed(_levels(discs, symbols)):
            for groups, leads_to in level.items():
                known = [values[option] for option in leads_to]
                mark = mark_of(max((mark for mark, _ in known), default=0), misere)
                values[groups] = mark, _mex({value for _, value in known}) if grundy else 0
            told(len(level))
        return cls({groups: values[groups] for groups in sorted(values, key=_storing_order)})

    @classmethod
    def restore(cls, discs: int, symbols: int, marks: bytes, grundys: bytes | None) -> PlainStore:
        """Take the values from bytes, one for each position in the storing order."""
        order = sorted((groups for level in _levels(discs, symbols) for groups in level), key=_storing_order)
        return cls(dict(zip(order, zip(marks, grundys or bytes(len(marks)), strict=True), strict=True)))

    def __len__(self) -> int:
        return len(self._values)

    def find(self, groups: Groups) -> tuple[int, int]:
        """Give mark and Grundy value of a position."""
        return self._values[groups]

    def stored(self) -> tuple[bytes, bytes]:
        """Give all marks, and all Grundy values, in the storing order."""
        values = self._values.values()
        return bytes(mark for mark, _ in values), bytes(value for _, value in values)

    def levels(self) -> list[int]:
        """Count the positions of 1, 2, ... stacks."""
        found = Counter(sum(map(len, groups)) for groups in self._values)
        return [found[stacks] for stacks in range(1, max(found) + 1)]

    def texts(self) -> list[str]:
        """Write all positions, in the storing order."""
        return [write(groups) for groups in self._values]


def _levels(discs: int, symbols: int) -> list[dict[Groups, set[Groups]]]:
    """All positions with their options, from the most stacks to the fewest: whatever can be played from a start."""
    level = [tuple((1,) * count for count in counts) for counts in starts(discs, symbols)]
    levels = []
    while level:
        levels.append({groups: options(groups) for groups in level})
        level = list({option: None for found in levels[-1].values() for option in found})
    return levels


def _storing_order(groups: Groups) -> tuple[object, ...]:
    """Order as the array solver does: by stacks, then by what its first two groups have, then group by group."""
    first = groups[:2]
    discs, stacks = sum(map(sum, first)), sum(map(len, first))
    return sum(map(len, groups)), discs, stacks, *map(size_first, groups)


def _mex(values: set[int]) -> int:
    found = 0
    while found in values:
        found += 1
    return found
