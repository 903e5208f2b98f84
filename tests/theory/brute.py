"""A second implementation of the theory, by recursion over whole trees, without memory, theorems or cleverness.

It judges the package, so it imports nothing from it. A game is the tuple of its options, which are such tuples:
the end is `()`.
"""

from __future__ import annotations

from typing import Any

Tree = tuple[Any, ...]


def wins(tree: Tree, misere: bool) -> bool:
    """Whether who is to move wins: who cannot move loses, or under misère wins."""
    if not tree:
        return misere
    return any(not wins(option, misere) for option in tree)


def wins_within(tree: Tree, moves: int, misere: bool) -> bool:
    """Whether who is to move can force the win in so many moves of both."""
    if not tree:
        return misere
    return moves > 0 and any(loses_within(option, moves - 1, misere) for option in tree)


def loses_within(tree: Tree, moves: int, misere: bool) -> bool:
    """Whether who is to move loses in so many moves, whatever that player does."""
    if not tree:
        return not misere
    return moves > 0 and all(wins_within(option, moves - 1, misere) for option in tree)


def moves_to_the_end(tree: Tree, misere: bool) -> int:
    """The smallest number of moves in which the winner can force the end."""
    moves = 0
    while not (wins_within(tree, moves, misere) or loses_within(tree, moves, misere)):
        moves += 1
    return moves


def nim_heap(size: int) -> Tree:
    return tuple(nim_heap(rest) for rest in range(size))


def side_by_side(one: Tree, other: Tree) -> Tree:
    """Two games, of which one is moved in on each turn."""
    return tuple(side_by_side(option, other) for option in one) + tuple(side_by_side(one, option) for option in other)


def value(tree: Tree) -> int:
    """The Grundy value by what it means: the Nim heap that makes the sum with it a loss for who is to move."""
    size = 0
    while wins(side_by_side(tree, nim_heap(size)), misere=False):
        size += 1
    return size


def misere_value(tree: Tree) -> int:
    """The misère Grundy value by what it means: the same under misère, beside one Nim heap alone."""
    size = 0
    while wins(side_by_side(tree, nim_heap(size)), misere=True):
        size += 1
    return size
