"""One round of Soluna as pure values: stack, move, position.

A position is what matters for play: the multiset of (top, height). Which discs lie below, and where a stack lies on the
table, never matter for a legal move, so neither is here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import total_ordering
from string import ascii_uppercase
from typing import Any

from soluna_widget.errors import IllegalMove, InvalidNotation, SolunaError, shown, whole_number

SYMBOLS = "SMTC" + "".join(letter for letter in ascii_uppercase if letter not in "SMTC")
"""Every letter a symbol can have, in the order in which positions print them."""

SYMBOL_NAMES = {"S": "sun", "M": "moon", "T": "stars", "C": "comet"}

_RANK = {letter: rank for rank, letter in enumerate(SYMBOLS)}
_MOST_DISCS = 10_000


def symbol_name(letter: str) -> str:
    """Say a symbol's name: "sun" for "S", and "symbol A" for a letter that has none.

    Raises:
        SolunaError: If `letter` is not one capital letter from A to Z.
    """
    _check_symbol(letter)
    return SYMBOL_NAMES.get(letter, f"symbol {letter}")


@total_ordering
@dataclass(frozen=True, slots=True)
class Stack:
    """One or more discs on top of each other; stacks sort by top (S M T C, then A to Z) and then by height.

    Args:
        top: The face-up symbol of the highest disc, one capital letter.
        height: The number of discs, at least 1.

    Raises:
        SolunaError: If either is not as said.

    >>> Stack("S", 1)
    Stack('S', 1)
    >>> Stack("M", 2).describe()
    'moon, height 2'
    """

    top: str
    height: int = 1

    def __post_init__(self) -> None:
        _check_symbol(self.top)
        height = self.height if type(self.height) is int else whole_number(self.height)
        if height is None or height < 1:
            raise SolunaError(f"height: a stack has 1 disc or more, not {shown(self.height)}")
        object.__setattr__(self, "height", height)

    def describe(self) -> str:
        """Say the stack as it is spoken at the table."""
        return f"{symbol_name(self.top)}, height {self.height}"

    @classmethod
    def parse(cls, text: str) -> Stack:
        """Read a stack such as "S1".

        Raises:
            InvalidNotation: If the text is no stack.
        """
        found = re.fullmatch(r"([A-Z])([1-9][0-9]{0,4})", text, re.ASCII) if isinstance(text, str) else None
        if found is None:
            raise InvalidNotation(f"{shown(text)} is not a stack: write its top and its height, such as S1")
        return cls(found[1], int(found[2]))

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, Stack):
            return NotImplemented
        return (_RANK[self.top], self.height) < (_RANK[other.top], other.height)

    def __str__(self) -> str:
        return f"{self.top}{self.height}"

    def __repr__(self) -> str:
        return f"Stack({self.top!r}, {self.height})"


@dataclass(frozen=True, slots=True, order=True)
class Move:
    """One whole stack, the mover, put on another, the target.

    >>> Move(Stack("S", 1), Stack("M", 1)) == Move.parse("S1>M1")
    True
    """

    mover: Stack
    target: Stack

    def __post_init__(self) -> None:
        for name, stack in (("mover", self.mover), ("target", self.target)):
            if not isinstance(stack, Stack):
                raise SolunaError(f"{name}: a move is made of two stacks, not {shown(stack)}")

    @classmethod
    def parse(cls, text: str) -> Move:
        """Read a move such as "S1>M1": the first goes on the second.

        Raises:
            InvalidNotation: If the text is no move.
        """
        if not isinstance(text, str):
            raise InvalidNotation(f"{shown(text)} is not a move: write two stacks, such as S1>M1")
        mover, arrow, target = text.strip().partition(">")
        if not arrow:
            raise InvalidNotation(f"{shown(text)} is not a move: write two stacks with > between, such as S1>M1")
        try:
            return cls(Stack.parse(mover.strip()), Stack.parse(target.strip()))
        except InvalidNotation as error:
            raise InvalidNotation(f"{shown(text)} is not a move: {error}") from None

    @property
    def result(self) -> Stack:
        """The new stack: the mover's top and the sum of the heights."""
        return Stack(self.mover.top, self.mover.height + self.target.height)

    def __str__(self) -> str:
        return f"{self.mover}>{self.target}"

    def __repr__(self) -> str:
        return f"Move({self.mover!r}, {self.target!r})"


def agree(mover: Stack, target: Stack) -> bool:
    """Say whether one stack may go on another: the same top or the same height, or both."""
    return mover.top == target.top or mover.height == target.height


def why_not(mover: Stack, target: Stack) -> IllegalMove | None:
    """Give the error of putting `mover` on `target`, another stack, or None where the rules allow it."""
    if agree(mover, target):
        return None
    return IllegalMove(
        f"{mover.describe()} cannot go on {target.describe()}: neither tops nor heights agree",
        code="neither_agrees",
        mover={"top": mover.top, "height": mover.height},
        target={"top": target.top, "height": target.height},
    )


@dataclass(frozen=True, slots=True)
class Position:
    """All stacks on the table, in one order: equal positions are equal values and print equally.

    Args:
        stacks: One stack or more, in any order; `position.stacks` is the sorted tuple.

    Raises:
        SolunaError: If there is no stack, or something that is none.

    >>> position = Position.start(S=3, M=3, T=3, C=3)
    >>> str(position.play("S1>M1"))
    'S1^2,2 M1^2 T1^3 C1^3'
    >>> len(position.moves()), len(position.options())
    (16, 16)
    """

    stacks: tuple[Stack, ...]
    _hash: int = field(init=False, repr=False, compare=False)

    def __init__(self, stacks: Iterable[Stack]) -> None:
        found = tuple(stacks)
        for stack in found:
            if not isinstance(stack, Stack):
                raise SolunaError(f"stacks: a position is made of stacks, not {shown(stack)}")
        if not found:
            raise SolunaError("stacks: a position has one stack or more")
        if sum(stack.height for stack in found) > _MOST_DISCS:
            raise SolunaError(f"stacks: a position has at most {_MOST_DISCS} discs")
        object.__setattr__(self, "stacks", tuple(sorted(found)))
        object.__setattr__(self, "_hash", hash(self.stacks))

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[Any, ...]:
        # Hashes of text differ between processes, so a kept one must not travel.
        return Position, (self.stacks,)

    @classmethod
    def start(cls, **discs: int) -> Position:
        """Make a start: stacks of height one, so many per symbol.

        Args:
            **discs: For each symbol's letter how many discs show it, 0 or more; at least one disc in all.

        Raises:
            SolunaError: If a name is no symbol, or a number is not as said.

        >>> str(Position.start(S=3, T=1))
        'S1^3 T1'
        """
        stacks: list[Stack] = []
        for letter, count in discs.items():
            _check_symbol(letter)
            number = whole_number(count)
            if number is None or not 0 <= number <= _MOST_DISCS:
                raise SolunaError(f"{letter}: the number of discs is 0 or more, not {shown(count)}")
            stacks += [Stack(letter, 1)] * number
        if not stacks:
            raise SolunaError("a start has one disc or more")
        return cls(stacks)

    @classmethod
    def parse(cls, text: str) -> Position:
        """Read a position such as "S1^3 M1,2 T4": per top the heights, with ^k for k stacks alike.

        Any order is read; `str` of a position is the one form that is written.

        Raises:
            InvalidNotation: If the text means no position; the sentence says where.
        """
        if not isinstance(text, str):
            raise InvalidNotation(f"{shown(text)} is not a position: write text such as 'S1^3 M1,2 T4'")
        stacks: list[Stack] = []
        discs = 0
        for word in re.finditer(r"\S+", text):
            for stack, count in _parse_group(text, word.start(), word[0]):
                discs += stack.height * count
                if discs > _MOST_DISCS:
                    raise InvalidNotation(f"{shown(text)}: a position has at most {_MOST_DISCS} discs")
                stacks += [stack] * count
        if not stacks:
            raise InvalidNotation(f"{shown(text)} is not a position: there is no stack in it")
        return cls(stacks)

    @property
    def discs(self) -> int:
        """The number of discs on the table."""
        return sum(stack.height for stack in self.stacks)

    @property
    def is_over(self) -> bool:
        """Whether nobody can move: all tops differ and all heights differ."""
        tops = {stack.top for stack in self.stacks}
        heights = {stack.height for stack in self.stacks}
        return len(tops) == len(heights) == len(self.stacks)

    def moves(self) -> tuple[Move, ...]:
        """Give the distinct (mover, target) pairs, sorted: both orders where two tops agree."""
        return tuple(self._moves())

    def options(self) -> tuple[Position, ...]:
        """Give the distinct resulting positions, sorted by their stacks."""
        found = {self._after(move) for move in self._moves()}
        return tuple(sorted(found, key=lambda position: position.stacks))

    def pairs(self, move: Move) -> int:
        """Count the ordered pairs of stacks on the table that make this move; 0 if none does.

        The sum over `moves()` counts the physical pairs: 132 for the start 3-3-3-3.
        """
        if not agree(move.mover, move.target):
            return 0
        # For a dozen stacks counting two of them is several times quicker than counting all.
        count = self.stacks.count
        return count(move.mover) * (count(move.target) - (move.mover == move.target))

    def play(self, move: Move | str) -> Position:
        """Give the position after a move.

        Args:
            move: A Move, or its text such as "S1>M1".

        Raises:
            InvalidNotation: If a text is no move.
            IllegalMove: If the rules forbid it: which rule failed, for which stacks.
        """
        if not isinstance(move, Move):
            move = Move.parse(move)
        for stack in (move.mover, move.target):
            if stack not in self.stacks:
                raise IllegalMove(
                    f"there is no {stack.describe()} on the table", code="no_such_stack", stack=str(stack)
                )
        if move.mover == move.target and self.stacks.count(move.mover) == 1:
            raise IllegalMove(
                f"{move.mover.describe()} cannot go on itself: there is only one such stack",
                code="one_stack",
                stack=str(move.mover),
            )
        error = why_not(move.mover, move.target)
        if error is not None:
            raise error
        return self._after(move)

    def canonical(self) -> Position:
        """Give the one position that stands for all that differ only in the names of their symbols.

        >>> Position.parse("C1 T2^2") == Position.parse("M1 S2^2").canonical()
        False
        >>> Position.parse("C1 T2^2").canonical() == Position.parse("M1 S2^2").canonical()
        True
        """
        heights: dict[str, list[int]] = {}
        for stack in self.stacks:
            heights.setdefault(stack.top, []).append(stack.height)
        groups = sorted(heights.values(), key=lambda group: (-len(group), group))
        named = zip(SYMBOLS, groups, strict=False)
        return Position(Stack(letter, height) for letter, group in named for height in group)

    def describe(self) -> str:
        """Say the position in words.

        >>> Position.parse("S1^2,3 M2").describe()
        '4 stacks: sun 1, 1, 3; moon 2'
        """
        count = "1 stack" if len(self.stacks) == 1 else f"{len(self.stacks)} stacks"
        return f"{count}: " + "; ".join(
            f"{symbol_name(top)} {', '.join(str(height) for height in heights)}" for top, heights in self._groups()
        )

    def _moves(self) -> Iterator[Move]:
        # Counted in the order of the stacks, so the moves come sorted.
        count = Counter(self.stacks)
        for mover in count:
            for target, targets in count.items():
                if agree(mover, target) and (mover != target or targets > 1):
                    yield Move(mover, target)

    def _after(self, move: Move) -> Position:
        stacks = list(self.stacks)
        stacks.remove(move.mover)
        stacks.remove(move.target)
        stacks.append(move.result)
        return Position(stacks)

    def _groups(self) -> Iterator[tuple[str, list[int]]]:
        heights: dict[str, list[int]] = {}
        for stack in self.stacks:
            heights.setdefault(stack.top, []).append(stack.height)
        yield from heights.items()

    def _repr_svg_(self) -> str:
        # The one arrow upwards in this module: a picture is made only when a notebook asks for one.
        from soluna_widget.drawing import position_svg

        return position_svg(self)

    def __str__(self) -> str:
        groups = []
        for top, heights in self._groups():
            count = Counter(heights)
            groups.append(top + ",".join(f"{height}^{k}" if k > 1 else str(height) for height, k in count.items()))
        return " ".join(groups)

    def __repr__(self) -> str:
        return f"Position.parse({str(self)!r})"


def _check_symbol(letter: object) -> None:
    if not isinstance(letter, str) or letter not in _RANK:
        raise SolunaError(f"{shown(letter)} is not a symbol: a symbol is one capital letter from A to Z")


def _parse_group(text: str, at: int, word: str) -> Iterator[tuple[Stack, int]]:
    """Read the stacks of one top, such as "S1^3,2", each and how often; the word starts at `at` in the whole text."""

    def invalid(where: int, why: str) -> InvalidNotation:
        return InvalidNotation(f"{shown(text)}, character {where + 1}: {why}")

    if word[0] not in _RANK:
        raise invalid(at, f"a group starts with a symbol, one capital letter, not {shown(word[0])}")
    at += 1
    for part in word[1:].split(","):
        found = re.fullmatch(r"([1-9][0-9]{0,4})(?:\^([1-9][0-9]{0,4}))?", part, re.ASCII)
        if found is None:
            raise invalid(at, f"{shown(part)} is not a height: write 2, or 2^3 for three stacks of height 2")
        yield Stack(word[0], int(found[1])), int(found[2] or 1)
        at += len(part) + 1
