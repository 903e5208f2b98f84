"""The array solver: all positions of one size, level by level, with no Python loop per position.

A move takes one stack off the table, so the positions with k stacks are solved from those with k - 1. Within a level
the work is arranged by *pairs*: every move concerns one symbol or two, so it happens within a pair of a position's
partitions while the rest stays as it is. All positions are therefore laid out as tables with a row for each pair and a
column for each rest, one table for each code of the pair. A move within a pair takes a whole row to a whole row,
whatever the rest, so what all moves lead to is found by long vector operations. A position of s symbols has a place in
s(s - 1)/2 tables, one for each pair in it: what its options are worth is gathered from all of them, and its own value
is written back to all.

Two numbers are kept for each place: its mark (see `marks`), of which the largest among the options tells all, and the
bit 1 << Grundy value: the bits of the options or-ed, the lowest one that is missing is the position's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from soluna_widget.rules import SYMBOLS
from soluna_widget.solver.counts import count_positions
from soluna_widget.solver.marks import mark_of
from soluna_widget.solver.partitions import Ints, Multisets, Partitions, expand
from soluna_widget.solver.plain import Groups, reading_order, write_heights

Bytes: TypeAlias = npt.NDArray[np.uint8]

_CHUNK = 1 << 21
"""About how many bytes are worked on at once: what a processor keeps near."""
_STATES = 1 << 15
_PAIRS = 1 << 16
_NARROW = 32


@dataclass(frozen=True, slots=True)
class Level:
    """Where the tables of all positions with so many stacks lie.

    Attributes:
        stacks: How many stacks there are.
        pairs: The codes of pairs for which there is a table.
        begin: For each code where its table begins, counted from the level's first place.
        width: For each code how many rests there are, 0 where there is no table.
        places: How many places the level has.
    """

    stacks: int
    pairs: tuple[int, ...]
    begin: Ints
    width: Ints
    places: int


class Space:
    """All positions of `discs` discs and up to `symbols` symbols, up to renaming, as places in tables."""

    def __init__(self, discs: int, symbols: int) -> None:
        self.discs = discs
        self.symbols = symbols
        # One symbol: pairs, the second partition of which is empty.
        self.length = max(symbols, 2)
        self.rest = self.length - 2
        self.partitions = Partitions(discs)
        self.multisets = Multisets(self.partitions, max(2, self.rest))
        (self.high, self.low), self.first_pair = self.multisets.members(2)
        self.rests, self.first_rest = self.multisets.members(self.rest)
        self.pairs = self.multisets.count(2)
        self._levels: dict[int, Level] = {}
        self._moves: dict[int, tuple[Ints, Ints]] = {}
        self._codes = np.flatnonzero(self.pairs)
        code = self.partitions.code
        self._pair_code = code.take(self.high) + code.take(self.low)

    def level(self, stacks: int) -> Level:
        """Give where the tables of one level lie."""
        if stacks not in self._levels:
            self._levels[stacks] = self._lay_out(stacks)
        return self._levels[stacks]

    def _lay_out(self, stacks: int) -> Level:
        base, codes = self.partitions.base, self.partitions.codes
        whole = self.discs * base + stacks
        fits = self._codes[self._codes % base <= stacks]
        rests = self.multisets.count(self.rest).take(whole - fits).astype(np.int64)
        fits, rests = fits[rests > 0], rests[rests > 0]
        sizes = rests * self.pairs.take(fits)
        begin, width = np.zeros(codes, np.int64), np.zeros(codes, np.int64)
        ends = np.cumsum(sizes)
        begin[fits], width[fits] = ends - sizes, rests
        return Level(stacks, tuple(fits.tolist()), begin, width, int(ends[-1]))

    def states(self, level: Level) -> Iterator[tuple[list[Ints], list[Ints]]]:
        """List the positions of a level, each once, some at a time.

        Yields:
            The partitions of each position, an array for the first, the second, ..., largest first; and its places in
            the tables, an array for each pair.
        """
        pairs, code, counts = self.blocks(level)
        ends = np.cumsum(counts)
        cuts = np.searchsorted(ends, np.arange(_STATES, ends[-1], _STATES)).tolist()
        for start, stop in zip([0, *cuts], [*cuts, len(pairs)], strict=True):
            which, within = expand(counts[start:stop])
            if not len(which):
                continue
            which += start
            pair, rest = pairs.take(which), self.first_rest.take(code.take(which)) + within
            members = [self.high.take(pair), self.low.take(pair), *(array.take(rest) for array in self.rests)]
            yield members, self._places(level, members)

    def blocks(self, level: Level) -> tuple[Ints, Ints, Ints]:
        """Give a level's positions by their first two partitions: those pairs, the code of the rest, how many rests."""
        whole = self.discs * self.partitions.base + level.stacks
        first = self.first_pair
        pairs = np.concatenate([np.arange(first[code], first[code + 1]) for code in level.pairs])
        # The rest is nowhere larger than the pair's second partition.
        below = self.multisets.below[self.rest].ravel()
        code = whole - self._pair_code.take(pairs)
        counts = below.take((self.low.take(pairs) + 1) * self.partitions.codes + code)
        if self.symbols == 1:
            counts = counts * (self.low.take(pairs) == 0)
        some = np.flatnonzero(counts)
        return pairs.take(some), code.take(some), counts.take(some)

    def _places(self, level: Level, members: list[Ints]) -> list[Ints]:
        codes = [self.partitions.code.take(member) for member in members]
        ranks: dict[tuple[int, ...], Any] = {}

        def rank(which: tuple[int, ...]) -> Any:
            if which not in ranks:
                chosen = [codes[i] for i in which]
                rest = [sum(chosen[i + 1 :], chosen[i]) for i in range(len(chosen))]
                ranks[which] = self.multisets.rank([members[i] for i in which], rest)
            return ranks[which]

        places = []
        for i, j in combinations(range(self.length), 2):
            others = tuple(k for k in range(self.length) if k not in (i, j))
            code = codes[i] + codes[j]
            places.append(level.begin.take(code) + rank((i, j)) * level.width.take(code) + rank(others))
        return places

    def count(self) -> int:
        """How many positions there are."""
        return count_positions(self.discs, self.symbols)

    def place(self, level: Level, numbers: list[int]) -> int:
        """Give the first place of the position with these partitions, given by their numbers, largest first."""
        code = int(self.partitions.code[numbers[0]] + self.partitions.code[numbers[1]])
        row, column = self.multisets.rank_one(numbers[:2]), self.multisets.rank_one(numbers[2:])
        return int(level.begin[code]) + row * int(level.width[code]) + column

    def moves(self, code: int) -> tuple[Ints, Ints]:
        """Give where the moves within each pair of a code lead.

        Returns:
            An array (moves, pairs) of ranks among the pairs with one stack less; a pair with fewer moves than others
            has some of them twice. And the pairs that have no move.
        """
        if code not in self._moves:
            self._find_moves(code)
        return self._moves[code]

    def forget_moves(self) -> None:
        """Let go of what was found by `moves`, which a solution does not need."""
        self._moves.clear()

    def _find_moves(self, code: int) -> None:
        """Find the moves of a code, and of those after it for as long as they are few: small arrays cost as much."""
        first = self.first_pair
        last = max(code + 1, int(np.searchsorted(first, first[code] + _PAIRS)) - 1)
        high, low = self.high[first[code] : first[last]], self.low[first[code] : first[last]]
        found = [self._merges(high, low), self._merges(low, high), *self._crossings(high, low)]
        counts = [np.bincount(pair, minlength=len(high)) for pair, _ in found]
        count = np.sum(counts, axis=0)
        begin = np.cumsum(count) - count
        targets = np.zeros(int(count.sum()) + 1, np.int32)
        filled = begin.copy()
        for (pair, target), own in zip(found, counts, strict=True):
            targets[filled.take(pair) + expand(own)[1]] = target
            filled += own
        # What is largest or or-ed does not change when something is there twice.
        repeated = np.maximum(count - 1, 0)
        slots = np.arange(int(count.max(initial=0)))[:, None]
        for other in range(code, last):
            pairs = slice(first[other] - first[code], first[other + 1] - first[code])
            some = slots[: int(count[pairs].max(initial=0))]
            where = begin[pairs] + np.minimum(some, repeated[pairs])
            self._moves[other] = targets.take(where), np.flatnonzero(count[pairs] == 0)

    def _rank(self, one: Ints, other: Ints) -> Ints:
        high, low = np.maximum(one, other), np.minimum(one, other)
        code = self.partitions.code.take(low)
        ranks: Ints = self.multisets.rank([high, low], [self.partitions.code.take(high) + code, code])
        return ranks

    def _merges(self, one: Ints, other: Ints) -> tuple[Ints, Ints]:
        """Two stacks of one symbol become one."""
        begin = self.partitions.merges
        pair, within = expand(begin.take(one + 1) - begin.take(one))
        merged = self.partitions.merged.take(begin.take(one.take(pair)) + within)
        return pair, self._rank(merged, other.take(pair))

    def _crossings(self, high: Ints, low: Ints) -> Iterator[tuple[Ints, Ints]]:
        """A stack of one symbol lands on one of the other symbol and of the same height."""
        parts, begin = self.partitions.runs
        pair, within = expand(begin.take(low + 1) - begin.take(low))
        part = parts.take(begin.take(low.take(pair)) + within)
        base = self.partitions.base
        both = np.flatnonzero(self.partitions.without.ravel().take(high.take(pair) * base + part) >= 0)
        pair, part = pair.take(both), part.take(both)
        one, other = high.take(pair) * base + part, low.take(pair) * base + part
        without, doubled = self.partitions.without.ravel(), self.partitions.doubled.ravel()
        yield pair, self._rank(without.take(one), doubled.take(other))
        yield pair, self._rank(doubled.take(one), without.take(other))


class ArrayStore:
    """All positions of one size in tables, a row for each pair and a column for each rest.

    Args:
        space: Which positions.
        marks: For each number of stacks the marks of the level's places.
        grundys: The Grundy values in the same way; none where they were not wanted.
    """

    def __init__(self, space: Space, marks: list[Bytes], grundys: list[Bytes]) -> None:
        self.space = space
        self._marks = marks
        self._grundys = grundys

    @classmethod
    def solve(cls, discs: int, symbols: int, misere: bool, grundy: bool, told: Callable[[int], object]) -> ArrayStore:
        """Solve all positions of `discs` discs and up to `symbols` symbols, from the fewest stacks to the most."""
        space = Space(discs, symbols)
        return cls(space, *_sweep(space, misere, grundy, told))

    @classmethod
    def restore(cls, discs: int, symbols: int, marks: bytes, grundys: bytes | None) -> ArrayStore:
        """Take the values from bytes, one for each position in the storing order."""
        space = Space(discs, symbols)
        sources = [np.frombuffer(source, np.uint8) for source in (marks, grundys) if source is not None]
        tables: list[list[Bytes]] = [[] for _ in sources]
        at = 0
        for stacks in range(1, discs + 1):
            level = space.level(stacks)
            for table in tables:
                table.append(np.zeros(level.places, np.uint8))
            for _, places in space.states(level):
                count = len(places[0])
                for table, source in zip(tables, sources, strict=True):
                    for place in places:
                        table[-1][place] = source[at : at + count]
                at += count
        if at != len(marks):
            raise ValueError(f"{len(marks)} values for {at} positions")
        return cls(space, tables[0], tables[1] if len(tables) > 1 else [])

    def __len__(self) -> int:
        return self.space.count()

    def find(self, groups: Groups) -> tuple[int, int]:
        """Give mark and Grundy value of a position."""
        space = self.space
        numbers = [space.partitions.number[parts] for parts in groups] + [0] * (space.length - len(groups))
        stacks = sum(map(len, groups))
        place = space.place(space.level(stacks), numbers)
        return int(self._marks[stacks - 1][place]), int(self._grundys[stacks - 1][place]) if self._grundys else 0

    def stored(self) -> tuple[bytes, bytes]:
        """Give all marks, and all Grundy values, in the storing order."""
        marks, grundys = bytearray(), bytearray()
        for level, _, places in self._states():
            marks += self._marks[level.stacks - 1].take(places[0]).tobytes()
            if self._grundys:
                grundys += self._grundys[level.stacks - 1].take(places[0]).tobytes()
        return bytes(marks), bytes(grundys)

    def levels(self) -> list[int]:
        """Count the positions of 1, 2, ... stacks."""
        levels = map(self.space.level, range(1, self.space.discs + 1))
        return [int(self.space.blocks(level)[2].sum()) for level in levels]

    def texts(self) -> list[str]:
        """Write all positions, in the storing order."""
        parts = self.space.partitions.parts
        order = sorted(range(len(parts)), key=lambda number: reading_order(parts[number]))
        place = np.empty(len(parts), np.int64)
        place[order] = np.arange(len(parts))
        heights = [write_heights(parts[number]) for number in order]
        # Group by group: what a partition reads as where it comes first, second, ...
        words = [
            np.array([(" " if i else "") + symbol + text if text else "" for text in heights], dtype=object)
            for i, symbol in enumerate(SYMBOLS[: self.space.length])
        ]
        found: list[str] = []
        for _, members, _ in self._states():
            places = np.sort(place.take(np.stack(members)), axis=0)
            line = words[0].take(places[0])
            for word, row in zip(words[1:], places[1:], strict=True):
                line = line + word.take(row)
            found += line.tolist()
        return found

    def _states(self) -> Iterator[tuple[Level, list[Ints], list[Ints]]]:
        for stacks in range(1, self.space.discs + 1):
            level = self.space.level(stacks)
            for members, places in self.space.states(level):
                yield level, members, places


def _best(moves: Ints, ends: Ints, table: npt.NDArray[Any], operation: np.ufunc, out: npt.NDArray[Any]) -> None:
    """For each row of `out`, combine the rows of `table` that its moves lead to."""
    slots, rows = moves.shape
    if slots == 0:
        return
    width = table.shape[1]
    step = max(1, _CHUNK // (slots * width * table.itemsize))
    for start in range(0, rows, step):
        some = moves[:, start : start + step]
        operation.reduce(table.take(some, axis=0), axis=0, out=out[start : start + step])
    if len(ends):
        out[ends] = 0


def _sweep(space: Space, misere: bool, grundy: bool, told: Callable[[int], object]) -> tuple[list[Bytes], list[Bytes]]:
    """Give the marks, and the Grundy values if they are wanted, of each level's places."""
    mark = np.array([mark_of(largest, misere) for largest in range(256)], np.uint8)
    # A Grundy value is at most the number of moves that are left, so less than the number of discs.
    bits = np.uint32 if space.discs <= _NARROW else np.uint64
    operations = [(np.maximum, np.uint8), *([(np.bitwise_or, bits)] if grundy else [])]
    before: Level | None = None
    values: list[Any] = []
    marks: list[Bytes] = []
    grundys: list[Bytes] = []
    for stacks in range(1, space.discs + 1):
        level = space.level(stacks)
        gathered: list[Any] = [np.zeros(level.places, kind) for _, kind in operations]
        for code in level.pairs:
            fewer = code - 1
            if before is None or code % space.partitions.base == 0 or before.width[fewer] == 0:
                continue
            width, rows = int(level.width[code]), int(space.pairs[code])
            begin, earlier = int(level.begin[code]), int(before.begin[fewer])
            for (operation, _), source, target in zip(operations, values, gathered, strict=True):
                table = source[earlier : earlier + int(space.pairs[fewer]) * width].reshape(-1, width)
                _best(*space.moves(code), table, operation, target[begin : begin + rows * width].reshape(rows, width))
        values = [np.zeros_like(array) for array in gathered]
        for _, places in space.states(level):
            for (operation, _), source, target in zip(operations, gathered, values, strict=True):
                found = source.take(places[0])
                for place in places[1:]:
                    operation(found, source.take(place), out=found)
                found = mark.take(found) if operation is np.maximum else ~found & (found + bits(1))
                for place in places:
                    target[place] = found
            told(len(places[0]))
        marks.append(values[0])
        if grundy:
            # How many bits lie below the one.
            grundys.append(np.bitwise_count(values[1] - bits(1)))
        before = level
    space.forget_moves()
    return marks, grundys
