"""A perfect index of Soluna's positions: multisets of partitions as numbers.

Up to renaming symbols, a position of n discs and s symbols is a multiset of s partitions whose sizes sum to n: for each
symbol the heights of the stacks with that top, none for a symbol that shows nowhere. Such multisets can be counted, so
each has a number by counting alone, and nothing need be hashed or sorted.

Partitions are numbered in one order, by size, then by how many parts they have. The *code* of a partition is
``size * (n + 1) + parts``; codes of several partitions add up to the code of the multiset. A multiset is written with
its largest partition first, and its *rank* is its place among those of the same length and code in lexicographic order:
the multisets with a smaller first partition come before it, then those with the same first and smaller rest. Both are
sums of entries of one table, `below`, which is the combinatorial number system (Knuth, *The Art of Computer
Programming* 4A, 7.2.1.3) for multisets with a weight.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import groupby
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Ints: TypeAlias = npt.NDArray[Any]
"""Whole numbers."""
Parts: TypeAlias = tuple[int, ...]
"""The parts of a partition, largest first."""


def list_partitions(size: int, largest: int | None = None) -> Iterator[Parts]:
    """Give every partition of a size into parts of at most `largest`."""
    if size == 0:
        yield ()
        return
    for part in range(min(size, largest or size), 0, -1):
        for rest in list_partitions(size - part, part):
            yield (part, *rest)


def expand(counts: Ints) -> tuple[Ints, Ints]:
    """Give each place as often as `counts` says, and beside it 0, 1, 2, ... within that place."""
    ends = np.cumsum(counts)
    place = np.repeat(np.arange(len(counts)), counts)
    return place, np.arange(len(place)) - (ends - counts).take(place)


class Partitions:
    """Every partition of 0 to `size`, numbered, with what a move does to it.

    Attributes:
        parts: The partitions themselves.
        code: Their codes, ascending. Shape (partitions,).
        first: Where the partitions of each code begin; one more entry than there are codes.
        place: The place of each partition among those of its code.
        without: The partition without one part; column is the part, -1 where it has no such part.
        doubled: The partition with one part doubled; -1 where it has none or would outgrow `size`.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self.base = size + 1
        self.codes = self.base * self.base
        rows = [parts for total in range(size + 1) for parts in list_partitions(total)]
        rows.sort(key=lambda parts: (sum(parts), len(parts), parts))
        self.parts = rows
        self.number = number = {parts: i for i, parts in enumerate(rows)}
        self.code = np.array([sum(parts) * self.base + len(parts) for parts in rows])
        self.first = np.searchsorted(self.code, np.arange(self.codes + 1))
        self.place = np.arange(len(rows)) - self.first.take(self.code)
        self.without = np.full((len(rows), self.base), -1, np.int32)
        self.doubled = np.full((len(rows), self.base), -1, np.int32)
        merged: list[int] = []
        merges = [0]
        for i, parts in enumerate(rows):
            found = set()
            total = sum(parts)
            runs = [(part, len(list(run))) for part, run in groupby(parts)]
            for k, (part, times) in enumerate(runs):
                at = parts.index(part)
                rest = parts[:at] + parts[at + 1 :]
                self.without[i, part] = number[rest]
                if total + part <= size:
                    self.doubled[i, part] = number[_put(rest, 2 * part)]
                for other, _ in runs[k if times > 1 else k + 1 :]:
                    at = rest.index(other)
                    found.add(number[_put(rest[:at] + rest[at + 1 :], part + other)])
            merged += sorted(found)
            merges.append(len(merged))
        self.merged = np.array(merged, np.int32)
        self.merges = np.array(merges)

    def __len__(self) -> int:
        return len(self.parts)

    @cached_property
    def runs(self) -> tuple[Ints, Ints]:
        """The distinct parts of every partition, one after the other, and where each partition's begin."""
        found, at = [], [0]
        for parts in self.parts:
            found += sorted(set(parts))
            at.append(len(found))
        return np.array(found, np.int64), np.array(at)


def _put(parts: Parts, part: int) -> Parts:
    return tuple(sorted((*parts, part), reverse=True))


class Multisets:
    """Multisets of up to `most` partitions, numbered among those of the same length and code.

    Attributes:
        below: For each length r an array (partitions + 1, codes): how many multisets of r partitions, each of a smaller
            number than the row's, have the column's code.
    """

    def __init__(self, partitions: Partitions, most: int) -> None:
        self.partitions = partitions
        count, codes = len(partitions), partitions.codes
        none = np.zeros((count + 1, codes), np.int32)
        none[:, 0] = 1
        self.below = [none]
        first = partitions.first
        for _ in range(most):
            shorter, found = self.below[-1], np.zeros((count + 1, codes), np.int32)
            for code in np.unique(partitions.code).tolist():
                # With a first partition of this code, the rest has what is left and is nowhere larger.
                rows = slice(first[code] + 1, first[code + 1] + 1)
                found[rows, code:] = shorter[rows, : codes - code]
            self.below.append(np.cumsum(found, axis=0, dtype=np.int32, out=found))

    def count(self, length: int) -> Ints:
        """How many there are of each code."""
        counts: Ints = self.below[length][-1]
        return counts

    def rank(self, members: Sequence[Ints], codes: Sequence[Ints]) -> Any:
        """Number multisets.

        Args:
            members: The first, second, ... partition of each, largest first.
            codes: The codes of the first and all after it, of the second and all after it, ...
        """
        if not members:
            return 0
        width = self.partitions.codes
        total = self.partitions.place.take(members[-1])
        for i, (member, code) in enumerate(zip(members[:-1], codes[:-1], strict=True)):
            total = total + self.below[len(members) - i].ravel().take(member * width + code)
        return total

    def rank_one(self, numbers: Sequence[int]) -> int:
        """Number one multiset, given as the numbers of its partitions, largest first."""
        code = total = 0
        for length, number in enumerate(reversed(numbers), 1):
            code += int(self.partitions.code[number])
            total += int(self.below[length][number, code])
        return total

    def members(self, length: int) -> tuple[list[Ints], Ints]:
        """List every multiset of a length, ordered by code and then by rank, and where each code begins.

        The list is one array for the first partitions, one for the second, ...
        """
        start = np.concatenate([[0], np.cumsum(self.count(length))])
        if length == 0:
            return [], start
        if length == 1:
            return [np.arange(len(self.partitions))], start
        rests, begin = self.members(length - 1)
        size = np.arange(self.partitions.codes) // self.partitions.base
        counts = self.below[length - 1][1:] * (
            size[None, :] <= self.partitions.size - size.take(self.partitions.code)[:, None]
        )
        first, code = np.nonzero(counts)
        which, within = expand(counts[first, code])
        first, code = first.take(which), code.take(which)
        total = code + self.partitions.code.take(first)
        place = start.take(total) + self.below[length][first, total] + within
        listed = [np.empty_like(first) for _ in range(length)]
        listed[0][place] = first
        for array, rest in zip(listed[1:], rests, strict=True):
            array[place] = rest.take(begin.take(code) + within)
        return listed, start
