"""Discs with two faces, sets of discs, and the layouts in which they fall."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from random import Random

from soluna_widget.errors import InvalidNotation, SolunaError, shown
from soluna_widget.rules import SYMBOLS, Position, Stack, symbol_name

MOST_DISCS = 1_000


@dataclass(frozen=True, slots=True)
class Disc:
    """One disc, lying with one face up.

    Args:
        up: The face-up symbol, one capital letter.
        down: The other symbol, a different one; None for a tablet of one colour, as in Babylon.

    Raises:
        SolunaError: If either is not as said.

    >>> str(Disc("S", "M").turned())
    'MS'
    """

    up: str
    down: str | None = None

    def __post_init__(self) -> None:
        symbol_name(self.up)
        if self.down is not None:
            symbol_name(self.down)
        if self.up == self.down:
            raise SolunaError(f"down: the two faces of a disc have different symbols, not {self.up} twice")

    @classmethod
    def parse(cls, text: str) -> Disc:
        """Read a disc: "SM" has sun up and moon down, "S" is a tablet.

        Raises:
            InvalidNotation: If the text is no disc.
        """
        if not isinstance(text, str) or re.fullmatch(r"[A-Z]{1,2}", text, re.ASCII) is None or text[0] == text[1:]:
            raise InvalidNotation(
                f"{shown(text)} is not a disc: write its two different symbols, the face-up one first: SM"
            )
        return cls(text[0], text[1:] or None)

    @property
    def faces(self) -> tuple[str, ...]:
        """The symbols of the disc in the order S M T C, then A to Z, whichever is up."""
        return tuple(sorted((face for face in (self.up, self.down) if face), key=SYMBOLS.index))

    def turned(self) -> Disc:
        """Give the disc with its other face up; a tablet has none and stays."""
        return self if self.down is None else Disc(self.down, self.up)

    def __str__(self) -> str:
        return self.up + (self.down or "")


Layout = tuple[Disc, ...]
"""The face-up discs at the start of a round."""


def layout_position(layout: Layout) -> Position:
    """Give the position in which every disc of a layout is a stack of height one."""
    return Position(Stack(disc.up, 1) for disc in layout)


@dataclass(frozen=True, slots=True, init=False)
class DiscSet:
    """The discs of a box, whichever way they lie; equal boxes are equal.

    Args:
        discs: One disc or more.

    Raises:
        SolunaError: If there is none, more than a thousand, or something that is no disc.

    >>> str(DiscSet.pairs("SMTC", copies=2))
    'SM^2 ST^2 SC^2 MT^2 MC^2 TC^2'
    >>> DiscSet.parse("SM^2 ST").size
    3
    """

    discs: Layout

    def __init__(self, discs: Iterable[Disc]) -> None:
        found = tuple(discs)
        for disc in found:
            if not isinstance(disc, Disc):
                raise SolunaError(f"discs: a disc set is made of discs, not {shown(disc)}")
        if not 1 <= len(found) <= MOST_DISCS:
            raise SolunaError(f"discs: a disc set has 1 to {MOST_DISCS} discs, not {len(found)}")
        lying = sorted((Disc(*disc.faces) for disc in found), key=lambda disc: [*map(SYMBOLS.index, disc.faces)])
        object.__setattr__(self, "discs", tuple(lying))

    @classmethod
    def pairs(cls, symbols: str = "SMTC", copies: int = 2) -> DiscSet:
        """Make the set in which every pair of the symbols is on so many discs.

        Args:
            symbols: Two or more different capital letters.
            copies: How many discs carry each pair, at least 1. Twice the six pairs of S M T C is the boxed game.

        Raises:
            SolunaError: If either is not as said.
        """
        _check_letters(symbols, least=2)
        _check_copies(copies)
        return cls(Disc(a, b) for a, b in combinations(symbols, 2) for _ in range(copies))

    @classmethod
    def tablets(cls, symbols: str = "SMTC", copies: int = 3) -> DiscSet:
        """Make a set of tablets of one colour each: three of each of four colours is Babylon.

        Raises:
            SolunaError: If the symbols are not different capital letters, or there is no copy of each.
        """
        _check_letters(symbols, least=1)
        _check_copies(copies)
        return cls(Disc(letter) for letter in symbols for _ in range(copies))

    @classmethod
    def parse(cls, text: str) -> DiscSet:
        """Read a set: its discs, with ^k for k alike; or a name, "soluna" or "babylon".

        Raises:
            InvalidNotation: If the text means no set.
        """
        if not isinstance(text, str):
            raise InvalidNotation(f"{shown(text)} is not a disc set: write text such as 'SM^2 ST^2'")
        if text in DISC_SETS:
            return DISC_SETS[text]
        discs: list[Disc] = []
        for word in text.split():
            disc, _, copies = word.partition("^")
            if "^" in word and re.fullmatch(r"[1-9][0-9]{0,3}", copies, re.ASCII) is None:
                raise InvalidNotation(
                    f"{shown(text)}: {shown(word)} is not a disc and how often it is there: write SM^2"
                )
            if len(discs) > MOST_DISCS:
                break
            try:
                discs += [Disc.parse(disc)] * int(copies or 1)
            except InvalidNotation as error:
                names = " or ".join(DISC_SETS)
                raise InvalidNotation(f"{shown(text)} is not a disc set ({names}, or its discs): {error}") from None
        if not 1 <= len(discs) <= MOST_DISCS:
            raise InvalidNotation(f"{shown(text)}: a disc set has 1 to {MOST_DISCS} discs")
        return cls(discs)

    @property
    def size(self) -> int:
        """The number of discs."""
        return len(self.discs)

    def throw(self, rng: Random) -> Layout:
        """Let all discs fall: any order, either face up with the same chance.

        Args:
            rng: Where the chance comes from; the same state gives the same layout.
        """
        layout = [disc.turned() if rng.random() < 0.5 else disc for disc in self.discs]
        rng.shuffle(layout)
        return tuple(layout)

    def falls(self) -> dict[Position, int]:
        """Count the ways in which the discs can fall, for each start that can come of them.

        Returns:
            For each start in how many ways; the sum is 2 for each disc with two faces, multiplied: 4,096 for the boxed
            game. All ways are equally likely, so a share of the sum is an exact probability.

        >>> {str(start): ways for start, ways in DiscSet.parse("SM^2").falls().items()}
        {'S1^2': 1, 'S1 M1': 2, 'M1^2': 1}
        """
        letters = sorted({face for disc in self.discs for face in disc.faces}, key=SYMBOLS.index)
        counts: Counter[tuple[int, ...]] = Counter({(0,) * len(letters): 1})
        for disc in self.discs:
            after: Counter[tuple[int, ...]] = Counter()
            for before, number in counts.items():
                for face in disc.faces:
                    at = letters.index(face)
                    after[*before[:at], before[at] + 1, *before[at + 1 :]] += number
            counts = after
        ordered = sorted(counts.items(), reverse=True)
        return {Position.start(**dict(zip(letters, found, strict=True))): number for found, number in ordered}

    def can_fall_as(self, layout: Layout) -> bool:
        """Say whether these are the discs of this set, whichever faces are up."""
        return len(layout) > 0 and DiscSet(layout) == self

    def _words(self) -> Iterator[str]:
        for disc, copies in Counter(self.discs).items():
            yield f"{disc}^{copies}" if copies > 1 else str(disc)

    def __str__(self) -> str:
        return " ".join(self._words())

    def __repr__(self) -> str:
        return f"DiscSet.parse({str(self)!r})"


def _check_letters(symbols: str, least: int) -> None:
    if not isinstance(symbols, str) or len(symbols) < least or len(set(symbols)) != len(symbols):
        raise SolunaError(f"symbols: {least} or more different capital letters, not {shown(symbols)}")
    for letter in symbols:
        symbol_name(letter)


def _check_copies(copies: int) -> None:
    if isinstance(copies, bool) or not isinstance(copies, int) or not 1 <= copies <= MOST_DISCS:
        raise SolunaError(f"copies: a whole number from 1 to {MOST_DISCS}, not {shown(copies)}")


DISC_SETS = {"soluna": DiscSet.pairs(), "babylon": DiscSet.tablets()}
"""The boxed game, in which each of the six pairs of symbols is on exactly two discs (so says a published review), and
Babylon, its ancestor."""
