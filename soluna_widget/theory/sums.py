"""Several games side by side: on a turn, move in exactly one of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from soluna_widget.errors import IllegalMove, InvalidNotation, SolunaError, shown, whole_number
from soluna_widget.theory.game import check_game, has_moves, key_of, moves_of, options_of, words_for


@dataclass(frozen=True, slots=True)
class SumMove:
    """A move in a sum: in which part, and the move there.

    Args:
        part: The part's number, from 1, in the order of `parts`.
        move: The move as the part knows it; for a part without moves of its own, the option.

    >>> str(SumMove(2, "3>1"))
    '2: 3>1'
    """

    part: int
    move: Any

    def describe(self) -> str:
        """Say the move in words."""
        return f"in part {self.part}, {words_for(self.move)}"

    def __str__(self) -> str:
        return f"{self.part}: {self.move}"


class Sum:
    """The sum of games: who is to move chooses one part and moves there. It is over when no part has a move.

    Args:
        *parts: Positions of any games, also of different ones. They keep their order, which is how `moves` count them.

    Raises:
        SolunaError: If one of them is no game.

    Two sums are equal, and hash alike, if their parts are the same in some order, each up to `canonical()` on its own:
    equal names in two parts have nothing to do with each other. Nothing cancels in that, because under misère and in
    remoteness equal parts matter. In normal play Grundy value and outcome come from the parts' values.

    Source: A. N. Siegel, *Combinatorial Game Theory* (2013), chapter I.

    >>> from soluna_widget import theory
    >>> game = Sum(theory.Nim(3), theory.Kayles(3))
    >>> str(game), theory.grundy(game), str(game.play("2: 3>1"))
    ('Nim 3 + Kayles 3', 0, 'Nim 3 + Kayles 1')
    >>> game == Sum(theory.Kayles(3), theory.Nim(3))
    True
    """

    __slots__ = ("_canonical", "_hash", "_key", "parts")

    parts: tuple[Any, ...]
    _canonical: tuple[Any, ...]
    _key: frozenset[tuple[tuple[type, Any], int]]
    _hash: int

    def __init__(self, *parts: Any) -> None:
        if len(parts) == 1 and isinstance(parts[0], (list, set, frozenset)):
            raise SolunaError("parts: write Sum(a, b), or Sum(*games) for games in a list")
        for number, part in enumerate(parts, start=1):
            check_game(part, f"part {number}")
        self._set(parts, tuple(key_of(part)[1] for part in parts))

    def _set(self, parts: tuple[Any, ...], canonical: tuple[Any, ...]) -> None:
        counts = Counter((type(part), part) for part in canonical)
        object.__setattr__(self, "parts", parts)
        object.__setattr__(self, "_canonical", canonical)
        # A set of counted parts needs no order among games of different kinds to be the same for the same parts.
        object.__setattr__(self, "_key", frozenset(counts.items()))
        object.__setattr__(self, "_hash", hash(self._key))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Sum does not change: {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a Sum does not change: {name}")

    def __reduce__(self) -> tuple[Any, ...]:
        return Sum, self.parts

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return self._key == other._key if isinstance(other, Sum) else NotImplemented

    def options(self) -> tuple[Sum, ...]:
        """Give the distinct resulting sums, by part; the parts keep their places, also those that are over."""
        found: dict[Sum, None] = {}
        for place, part in enumerate(self.parts):
            for option in options_of(part):
                found.setdefault(self._with(place, option))
        return tuple(found)

    def moves(self) -> tuple[SumMove, ...]:
        """Give every move of every part, by part: equal parts have moves of their own."""
        return tuple(SumMove(number, move) for number, part in enumerate(self.parts, 1) for move, _ in moves_of(part))

    def play(self, move: SumMove | tuple[int, Any] | str) -> Sum:
        """Give the sum after a move.

        Args:
            move: A SumMove, a pair of part and move such as `(2, "3>1")`, or text such as "2: 3>1".

        Raises:
            InvalidNotation: If a text is no move.
            IllegalMove: If there is no such part, or the part refuses the move.
        """
        if isinstance(move, SumMove):
            number, inner = move.part, move.move
        elif isinstance(move, tuple) and len(move) == 2:
            number, inner = move
        else:
            found = re.fullmatch(r"\s*([0-9]{1,9})\s*:\s*(.*?)\s*", move, re.ASCII) if isinstance(move, str) else None
            if found is None:
                raise InvalidNotation(
                    f"{shown(move)} is not a move in a sum: write the part's number and the move there, such as 2: 3>1"
                )
            number, inner = int(found[1]), found[2]
        place = whole_number(number)
        if place is None or not 1 <= place <= len(self.parts):
            raise IllegalMove(
                f"there is no part {number}: the sum has parts 1 to {len(self.parts)}"
                if self.parts
                else "the sum has no parts",
                code="no_such_part",
            )
        return self._with(place - 1, _play_in(self.parts[place - 1], inner))

    def canonical(self) -> Sum:
        """Give the one sum that stands for all with the same parts: each made canonical on its own, then sorted.

        They are sorted by their class's name and their `repr`, never by their hash, so it prints alike in every run.
        """
        parts = sorted(self._canonical, key=lambda part: (type(part).__module__, type(part).__qualname__, repr(part)))
        return Sum._of(tuple(parts), tuple(parts))

    @property
    def is_over(self) -> bool:
        """Whether there is no move in any part."""
        return not any(True for part in self.parts for _ in options_of(part))

    def describe(self) -> str:
        """Say the sum in words, part by part."""
        return "; ".join(f"part {number}: {words_for(part)}" for number, part in enumerate(self.parts, 1)) or "no parts"

    def _with(self, place: int, part: Any) -> Sum:
        before, after = slice(None, place), slice(place + 1, None)
        known = self._canonical
        return Sum._of(
            (*self.parts[before], part, *self.parts[after]), (*known[before], key_of(part)[1], *known[after])
        )

    @classmethod
    def _of(cls, parts: tuple[Any, ...], canonical: tuple[Any, ...]) -> Sum:
        new = object.__new__(cls)
        new._set(parts, canonical)
        return new

    def _stand_in(self) -> Sum:
        return Sum._of(self._canonical, self._canonical)

    def _summands(self) -> Iterator[Any]:
        yield from self.parts

    def __str__(self) -> str:
        return " + ".join(f"({part})" if isinstance(part, Sum) else str(part) for part in self.parts) or "no parts"

    def __repr__(self) -> str:
        return f"Sum({', '.join(map(repr, self.parts))})"


def _play_in(part: Any, move: Any) -> Any:
    """Play in one part; an option may also be named by its text."""
    if has_moves(part):
        return part.play(move)
    options = list(options_of(part))
    for option in options:
        if option == move:
            return option
    for option in options:
        if isinstance(move, str) and str(option) == move:
            return option
    raise IllegalMove(f"{shown(move)} is no option of {shown(part)}", code="no_such_option")
