"""How many positions there are, and what solving them takes, before anything is made."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from math import comb


@cache
def has_numpy() -> bool:
    """Say whether the array solver can be had; numpy itself is not imported for that."""
    return find_spec("numpy") is not None


@cache
def count_partitions(size: int, largest: int | None = None) -> int:
    """Count the partitions of a size into parts of at most `largest`."""
    if size == 0:
        return 1
    return sum(count_partitions(size - part, part) for part in range(1, min(size, largest or size) + 1))


@cache
def count_multisets(length: int, most: int) -> tuple[int, ...]:
    """Count the multisets of `length` partitions, empty ones too, whose sizes sum to 0, 1, ..., `most`."""
    # found[k][n]: multisets of k partitions of the sizes seen so far that sum to n.
    found = [[0] * (most + 1) for _ in range(length + 1)]
    found[0][0] = 1
    for size in range(most + 1):
        kinds = count_partitions(size)
        found = [
            [
                sum(
                    comb(kinds + times - 1, times) * found[count - times][total - times * size]
                    for times in range(count + 1)
                    if times * size <= total
                )
                for total in range(most + 1)
            ]
            for count in range(length + 1)
        ]
    return tuple(found[length])


@cache
def count_positions(discs: int, symbols: int) -> int:
    """Count the positions of `discs` discs and up to `symbols` symbols, up to renaming symbols."""
    return count_multisets(symbols, discs)[discs]


def estimate_memory(discs: int, symbols: int, grundy: bool) -> int:
    """Estimate from above how many bytes the array solver takes: measured for 20 to 40 discs."""
    length = max(symbols, 2)
    pairs, rests = count_multisets(2, discs), count_multisets(length - 2, discs)
    places = sum(pairs[size] * rests[discs - size] for size in range(discs + 1))
    tables = (sum(map(count_partitions, range(discs + 1))) + 1) * (discs + 1) ** 2 * 4 * (max(2, length - 2) + 1)
    return places * (4 if grundy else 2) + sum(pairs) * 250 + tables + 50_000_000
