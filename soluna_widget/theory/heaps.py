"""Well-known games of heaps: Nim, subtraction games, Kayles."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import reduce
from operator import xor
from typing import Self

from soluna_widget.errors import IllegalMove, InvalidNotation, SolunaError, shown, whole_number


@dataclass(frozen=True, slots=True, order=True)
class HeapMove:
    """One heap, and what is left of it: nothing, a heap, or two.

    >>> str(HeapMove(5, (2,))), str(HeapMove(5, ())), str(HeapMove(5, (1, 3)))
    ('5>2', '5>0', '5>1+3')
    >>> HeapMove.parse("5>1+3").describe()
    'take 1 from 5, leaving 1 and 3'
    """

    heap: int
    rest: tuple[int, ...]

    @classmethod
    def parse(cls, text: str) -> HeapMove:
        """Read a move such as "5>2", or "5>1+3" where a heap falls in two.

        Raises:
            InvalidNotation: If the text is no move.
        """
        found = re.fullmatch(r"\s*([0-9]{1,9})\s*>\s*([0-9]{1,9}(?:\s*\+\s*[0-9]{1,9})*)\s*", str(text), re.ASCII)
        if not isinstance(text, str) or found is None:
            raise InvalidNotation(f"{shown(text)} is not a move: write a heap and what is left of it, such as 5>2")
        return cls(int(found[1]), tuple(sorted(rest for part in found[2].split("+") if (rest := int(part)))))

    def describe(self) -> str:
        """Say the move in words."""
        left = " and ".join(str(rest) for rest in self.rest) or "nothing"
        return f"take {self.heap - sum(self.rest)} from {self.heap}, leaving {left}"

    def __str__(self) -> str:
        return f"{self.heap}>{'+'.join(str(rest) for rest in self.rest) or 0}"


@dataclass(frozen=True, slots=True, init=False)
class _Heaps:
    """Heaps in which one is changed at a time; empty ones are left out, and their order is of no matter."""

    heaps: tuple[int, ...]

    def __init__(self, *heaps: int) -> None:
        numbers = []
        for heap in heaps:
            number = whole_number(heap)
            if number is None or number < 0:
                raise SolunaError(f"heaps: numbers of 0 or more, not {shown(heap)}")
            numbers.append(number)
        object.__setattr__(self, "heaps", tuple(sorted(number for number in numbers if number)))

    def _rests(self, heap: int) -> Iterator[tuple[int, ...]]:
        """Give what one heap can become."""
        raise NotImplementedError

    def _after(self, move: HeapMove) -> Self:
        heaps = list(self.heaps)
        heaps.remove(move.heap)
        return self._with(tuple(sorted([*heaps, *move.rest])))

    def _with(self, heaps: tuple[int, ...]) -> Self:
        """Give the same game with other heaps, which are sorted and none empty."""
        new = object.__new__(type(self))
        object.__setattr__(new, "heaps", heaps)
        return new

    def _summands(self) -> tuple[Self, ...]:
        return tuple(self._with((heap,)) for heap in self.heaps)

    def _known_grundy(self) -> int | None:
        return None

    def moves(self) -> tuple[HeapMove, ...]:
        """Give the distinct moves, sorted."""
        return tuple(sorted({HeapMove(heap, rest) for heap in set(self.heaps) for rest in self._rests(heap)}))

    def options(self) -> tuple[Self, ...]:
        """Give the distinct resulting positions, in the order of the moves."""
        return tuple(dict.fromkeys(self._after(move) for move in self.moves()))

    def play(self, move: HeapMove | str) -> Self:
        """Give the position after a move.

        Args:
            move: A HeapMove, or its text such as "5>2".

        Raises:
            InvalidNotation: If a text is no move.
            IllegalMove: If there is no such heap, or it cannot become that.
        """
        if not isinstance(move, HeapMove):
            move = HeapMove.parse(move)
        if move.heap not in self.heaps:
            raise IllegalMove(f"there is no heap of {move.heap} in {self}", code="no_such_heap", heap=move.heap)
        if move.rest not in self._rests(move.heap):
            raise IllegalMove(f"{move} is no move: a heap of {move.heap} cannot become that", code="no_such_rest")
        return self._after(move)

    @property
    def is_over(self) -> bool:
        """Whether nobody can move."""
        return not any(True for heap in self.heaps for _ in self._rests(heap))

    def __str__(self) -> str:
        return f"{type(self).__name__} {' '.join(map(str, self.heaps)) or 0}"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(str, self.heaps))})"


class Nim(_Heaps):
    """Nim: take one or more from one heap.

    Args:
        *heaps: The heaps' sizes, in any order; empty ones are left out, and `Nim()` is over.

    Raises:
        SolunaError: If one of them is no number of 0 or more.

    Its Grundy value is the nim-sum of the heaps, and is not searched: C. L. Bouton, *Annals of Mathematics* 3 (1901).
    Remoteness and all of misère play are searched.

    >>> game = Nim(5, 3, 4)
    >>> game, str(game.play("5>2"))
    (Nim(3, 4, 5), 'Nim 2 3 4')
    """

    __slots__ = ()

    def _rests(self, heap: int) -> Iterator[tuple[int, ...]]:
        yield ()
        for rest in range(1, heap):
            yield (rest,)

    def _known_grundy(self) -> int | None:
        return reduce(xor, self.heaps, 0)


class Kayles(_Heaps):
    """Kayles: knock down one pin, or two that stand side by side; a row may fall in two.

    Args:
        *heaps: The rows' lengths, in any order; empty ones are left out, and `Kayles()` is over.

    Raises:
        SolunaError: If one of them is no number of 0 or more.

    The octal game 0.77. Its Grundy values have period 12 from 71 on: R. K. Guy and C. A. B. Smith, *Proceedings of the
    Cambridge Philosophical Society* 52 (1956).

    >>> [str(option) for option in Kayles(4).options()]
    ['Kayles 1 1', 'Kayles 1 2', 'Kayles 2', 'Kayles 3']
    """

    __slots__ = ()

    def _rests(self, heap: int) -> Iterator[tuple[int, ...]]:
        for taken in (1, 2):
            left = heap - taken
            for low in range(left // 2 + 1):
                yield tuple(rest for rest in (low, left - low) if rest)


@dataclass(frozen=True, slots=True, init=False)
class Subtraction(_Heaps):
    """A subtraction game: take one of some numbers from a heap.

    Args:
        heap: The heap's size.
        takes: The numbers that may be taken, each 1 or more.

    Raises:
        SolunaError: If either is not as said.

    Its Grundy values are periodic in the heap: *Winning Ways*, chapter 4.

    >>> from soluna_widget import theory
    >>> [theory.grundy(Subtraction(heap, (1, 2, 3))) for heap in range(9)]
    [0, 1, 2, 3, 0, 1, 2, 3, 0]
    """

    takes: tuple[int, ...]

    def __init__(self, heap: int, takes: Iterable[int]) -> None:
        number = whole_number(heap)
        if number is None or number < 0:
            raise SolunaError(f"heap: a number of 0 or more, not {shown(heap)}")
        try:
            given = [whole_number(take) for take in takes]
        except TypeError:
            raise SolunaError(f"takes: numbers such as (1, 2, 3), not {shown(takes)}") from None
        numbers = {take for take in given if take is not None and take > 0}
        if not numbers or any(take not in numbers for take in given):
            raise SolunaError(f"takes: numbers of 1 or more, not {shown(takes)}")
        object.__setattr__(self, "heaps", (number,) if number else ())
        object.__setattr__(self, "takes", tuple(sorted(numbers)))

    def _with(self, heaps: tuple[int, ...]) -> Self:
        new = object.__new__(type(self))
        object.__setattr__(new, "heaps", heaps)
        object.__setattr__(new, "takes", self.takes)
        return new

    def _rests(self, heap: int) -> Iterator[tuple[int, ...]]:
        for take in self.takes:
            if take <= heap:
                yield (heap - take,) if take < heap else ()

    def __repr__(self) -> str:
        return f"Subtraction({sum(self.heaps)}, {self.takes})"
