"""A second implementation of one round, simple enough to be believed by reading it.

It judges the engine, so it imports nothing from it and shares no idea with it: a table is a list of physical stacks, a
stack is a text of its discs' symbols from bottom to top, and every question is answered by trying everything.

Run it to remake the counts in ``tests/perft/`` (about a minute)::

    python tests/naive.py
"""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

Table = list[str]  # ["S", "MTS"]: one sun alone; a stars on a moon, and a sun on top of both
Shape = tuple[tuple[str, int], ...]  # sorted (top, height) pairs: all that matters for play

WAYS = ("physical pairs", "moves", "options", "options up to renaming")
PERFT = Path(__file__).parent / "perft"
PERFT_STARTS = (
    "SSSMMMTTTCCC",  # the commercial start of Babylon
    "SSSSSSMMMMMM",
    "SSSSSSMMMTTT",
    "SSSSMMMTTTC",  # eleven discs
    "SMTCABSMTCAB",  # six symbols, each twice
    "SSSSSS",
    "SMTCAB",  # nothing agrees but the heights
    "S",  # over before it began
)


# One round -----------------------------------------------------------------------------------------------------------


def agree(one: str, other: str) -> bool:
    """Whether two stacks have the same top or the same height."""
    return one[-1] == other[-1] or len(one) == len(other)


def physical_pairs(table: Table) -> list[tuple[int, int]]:
    """Every (mover, target), by place on the table."""
    places = range(len(table))
    return [(i, j) for i in places for j in places if i != j and agree(table[i], table[j])]


def put(table: Table, mover: int, target: int) -> Table:
    """The table after one stack was put on another."""
    rest = [stack for place, stack in enumerate(table) if place not in (mover, target)]
    return [*rest, table[target] + table[mover]]


def shape(table: Iterable[str]) -> Shape:
    return tuple(sorted((stack[-1], len(stack)) for stack in table))


def table_of(some: Shape) -> Table:
    """A table of that shape; the hidden discs are dots."""
    return ["." * (height - 1) + top for top, height in some]


def moves(table: Table) -> set[tuple[tuple[str, int], tuple[str, int]]]:
    """The distinct moves: mover and target as (top, height)."""
    return {
        ((table[i][-1], len(table[i])), (table[j][-1], len(table[j]))) for i, j in physical_pairs(table)
    }  # fmt: skip


def options(table: Table) -> set[Shape]:
    """The distinct results."""
    return {shape(put(table, i, j)) for i, j in physical_pairs(table)}


def is_over(table: Table) -> bool:
    return not physical_pairs(table)


# Renaming symbols ----------------------------------------------------------------------------------------------------


def renamings(some: Shape) -> Iterator[Shape]:
    """The shape under every way to call its symbols a, b, c, ..."""
    symbols = sorted({top for top, _ in some})
    for names in itertools.permutations("abcdefghijklmnopqrstuvwxyz"[: len(symbols)]):
        name = dict(zip(symbols, names, strict=True))
        yield tuple(sorted((name[top], height) for top, height in some))


@cache
def kind(some: Shape) -> Shape:
    """The same for two shapes exactly when renaming symbols makes one of the other."""
    return min(renamings(some))


# Four ways to count choices ------------------------------------------------------------------------------------------


def count_choices(table: Table) -> dict[str, int]:
    return {
        "physical pairs": len(physical_pairs(table)),
        "moves": len(moves(table)),
        "options": len(options(table)),
        "options up to renaming": len({kind(option) for option in options(table)}),
    }


def choices(table: Table, way: str) -> list[Shape]:
    """What the table can become, once for each choice in this way of counting."""
    if way == "physical pairs":
        return [shape(put(table, i, j)) for i, j in physical_pairs(table)]
    if way == "moves":
        one_pair_of_each = {
            ((table[i][-1], len(table[i])), (table[j][-1], len(table[j]))): (i, j) for i, j in physical_pairs(table)
        }
        return [shape(put(table, i, j)) for i, j in one_pair_of_each.values()]
    if way == "options":
        return sorted(options(table))
    if way == "options up to renaming":
        return sorted({kind(option) for option in options(table)})
    raise ValueError(way)


def perft(table: Table, way: str) -> list[int]:
    """How many courses of play have 0, 1, 2, ... moves, to the longest round.

    Equal positions of one depth are gathered, which is only a matter of speed (`perft_one_by_one` does not).
    """
    counts = []
    level = Counter([shape(table)])
    while level:
        counts.append(level.total())
        following: Counter[Shape] = Counter()
        for some, ways in level.items():
            for choice in choices(table_of(some), way):
                following[choice] += ways
        level = following
    return counts


def perft_one_by_one(table: Table) -> list[int]:
    """The same for physical pairs by playing every single course of play with real discs."""
    counts = [1]
    for i, j in physical_pairs(table):
        below = perft_one_by_one(put(table, i, j))
        counts += [0] * (len(below) + 1 - len(counts))
        for depth, number in enumerate(below, start=1):
            counts[depth] += number
    return counts


# Who wins ------------------------------------------------------------------------------------------------------------


def mover_wins(table: Table, misere: bool = False) -> bool:
    """Whether who is to move can force the win: by recursion over everything, so for small tables."""
    return _mover_wins(shape(table), misere)


@cache
def _mover_wins(some: Shape, misere: bool) -> bool:
    table = table_of(some)
    if is_over(table):
        return misere
    return any(not _mover_wins(option, misere) for option in options(table))


@cache
def judged(some: Shape, misere: bool) -> tuple[str, int, int]:
    """Outcome, remoteness and Grundy value of a shape that `kind` has named, straight from their definitions."""
    known = [judged(kind(option), misere) for option in options(table_of(some))]
    if not known:
        return ("N" if misere else "P"), 0, 0
    lost = [remoteness for outcome, remoteness, _ in known if outcome == "P"]
    every = [remoteness for _, remoteness, _ in known]
    grundy = min(set(range(len(known) + 1)) - {value for _, _, value in known})
    return ("N", 1 + min(lost), grundy) if lost else ("P", 1 + max(every), grundy)


def all_kinds(discs: int, symbols: int) -> set[Shape]:
    """Every shape of so many discs and up to so many symbols, up to renaming: all that can be played from a start."""
    letters = "abcdefghijklmnopqrstuvwxyz"[:symbols]
    starts = itertools.combinations_with_replacement(letters, discs)
    found, waiting = set(), {kind(shape(start)) for start in starts}
    while waiting:
        found |= waiting
        waiting = {kind(option) for some in waiting for option in options(table_of(some))}
    return found


# Notation ------------------------------------------------------------------------------------------------------------


def text(some: Shape) -> str:
    """How a position is written: per top the heights ascending, ^k for repeats, tops in the order S M T C, then A-Z."""
    words = []
    for top in "SMTCABDEFGHIJKLNOPQRUVWXYZ":
        heights = sorted(height for letter, height in some if letter == top)
        groups = [(height, len(list(same))) for height, same in itertools.groupby(heights)]
        if groups:
            words.append(top + ",".join(f"{h}^{times}" if times > 1 else f"{h}" for h, times in groups))
    return " ".join(words)


def _write_perft() -> None:
    for symbols in PERFT_STARTS:
        table = list(symbols)
        counts = {way: perft(table, way) for way in WAYS}
        lines = [f"    {json.dumps(way)}: {json.dumps(numbers)}" for way, numbers in counts.items()]
        start = json.dumps(text(shape(table)))
        content = f'{{\n  "start": {start},\n  "counts": {{\n' + ",\n".join(lines) + "\n  }\n}\n"
        (PERFT / f"{symbols}.json").write_text(content, encoding="utf-8")
        print(symbols, counts)


if __name__ == "__main__":
    _write_perft()
