"""Who wins, how fast, and what a position is worth: by looking at every position once.

All of it works from the ends upwards without recursion, so a game may be as deep as memory allows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from functools import reduce
from operator import xor
from typing import Any, Literal, TypeAlias

from soluna_widget.errors import SolunaError, shown, whole_number
from soluna_widget.theory.game import CyclicGame, Game, Key, check_game, key_of, moves_of, options_of

Outcome: TypeAlias = Literal["P", "N"]
"""Who wins: "P" where the player to move loses (the previous one wins), "N" where the next to move wins."""

_Table: TypeAlias = dict[Key, int]
_Rule: TypeAlias = Callable[[list[int]], int]

LIMIT = 200_000
"""How many positions the functions of this package remember at the most, per question: of Soluna, some 130 MB."""


def mex(values: Iterable[int]) -> int:
    """Give the minimal excludant: the smallest number 0, 1, 2, ... that is not among the values.

    Args:
        values: Whole numbers from 0, in any order, repeated or not.

    Raises:
        SolunaError: If one of them is something else.

    Source: R. P. Sprague, *Tohoku Math. J.* 41 (1935); P. M. Grundy, *Eureka* 2 (1939).

    >>> mex([0, 1, 3]), mex([])
    (2, 0)
    """
    try:
        given = list(values)
    except TypeError:
        raise SolunaError(f"values: numbers from 0 in a list or a set, not {shown(values)}") from None
    found = []
    for value in given:
        number = whole_number(value)
        if number is None or number < 0:
            raise SolunaError(f"values: whole numbers from 0, not {shown(value)}")
        found.append(number)
    return _mex(found)


def _mex(values: Iterable[int]) -> int:
    seen, number = set(values), 0
    while number in seen:
        number += 1
    return number


class Analysis:
    """A memory of positions already judged, for as long as you keep it.

    The functions `outcome`, `remoteness`, `grundy`, ... of this package ask one Analysis that they share. An own one
    is for a game with more positions than that keeps, or to be rid of everything when it goes.

    Args:
        limit: How many positions it remembers at the most for each question; None is no limit. What is asked when it
            is full begins anew with nothing remembered.

    Raises:
        SolunaError: If `limit` is no number of 1 or more.

    Positions are remembered by their type and up to `canonical()` where they have it. Every method raises CyclicGame if
    play can come back to a position, and SolunaError if `game` is no game or has more positions below it than `limit`.
    What `options()` raises is passed on.

    >>> from soluna_widget.theory import Nim
    >>> analysis = Analysis()
    >>> analysis.grundy(Nim(3, 5)), analysis.outcome(Nim(3, 3))
    (6, 'P')
    """

    def __init__(self, limit: int | None = LIMIT) -> None:
        number = whole_number(limit)
        if limit is not None and (number is None or number < 1):
            raise SolunaError(f"limit: a number of positions, 1 or more, or None, not {shown(limit)}")
        self.limit = number
        self._tables: dict[str, _Table] = {}

    def outcome(self, game: Game, misere: bool = False) -> Outcome:
        """Say who wins with best play; see the function of this name."""
        check_game(game)
        return "N" if self._ask("misere outcome" if misere else "outcome", game) else "P"

    def remoteness(self, game: Game, misere: bool = False) -> int:
        """Count the moves to the end with best play; see the function of this name."""
        check_game(game)
        return self._ask("misere remoteness" if misere else "remoteness", game)

    def grundy(self, game: Game) -> int:
        """Give the Grundy value; see the function of this name."""
        check_game(game)
        return self._ask("grundy", game)

    def misere_grundy(self, game: Game) -> int:
        """Give the misère Grundy value; see the function of this name."""
        check_game(game)
        return self._ask("misere grundy", game)

    def winning_options(self, game: Game, misere: bool = False) -> tuple[Any, ...]:
        """Give the options that win; see the function of this name."""
        check_game(game)
        return tuple(option for option in dict.fromkeys(options_of(game)) if self.outcome(option, misere) == "P")

    def winning_moves(self, game: Game, misere: bool = False) -> tuple[Any, ...]:
        """Give the moves that win; see the function of this name."""
        check_game(game)
        return tuple(move for move, option in moves_of(game) if self.outcome(option, misere) == "P")

    def forget(self) -> None:
        """Forget every position."""
        self._tables = {}

    def __len__(self) -> int:
        """Count what is remembered: one for each position and question."""
        return sum(len(table) for table in self._tables.values())

    def __repr__(self) -> str:
        return f"<Analysis: {len(self)} values of positions>"

    def _ask(self, question: str, game: Any) -> int:
        table = self._tables.setdefault(question, {})
        begun = len(table)
        try:
            return self._settle(question, table, game)
        except _FullError:
            if begun:  # with the whole table for itself it may still fit
                try:
                    self._tables[question] = table = {}
                    return self._settle(question, table, game)
                except _FullError:
                    pass
        raise SolunaError(
            f"{shown(game)} has more than {self.limit:,} positions below it: ask theory.Analysis(limit=...) with a "
            "larger limit, or give the game a canonical()"
        )

    def _settle(self, question: str, table: _Table, game: Any) -> int:
        """Fill the table from the ends up to `game`: a search in depth with a stack of its own.

        A position is opened once, and settled when all that its value comes from is settled. One that is needed while
        it is still open comes back to itself.
        """
        first = key_of(game)
        if first in table:
            return table[first]
        below, rule = self._reasons(question, first)
        stack = [(first, below, iter(below), rule)]
        still_open = {first}
        while stack:
            key, below, waiting, rule = stack[-1]
            for needed in waiting:
                if needed in table:
                    continue
                if needed in still_open:
                    raise CyclicGame(
                        f"{shown(needed[1])} can come back in play, so it has no value: a game must end",
                        code="cyclic_game",
                    )
                if self.limit is not None and len(table) + len(stack) >= self.limit:
                    raise _FullError
                deeper, deeper_rule = self._reasons(question, needed)
                stack.append((needed, deeper, iter(deeper), deeper_rule))
                still_open.add(needed)
                break
            else:
                table[key] = rule([table[needed] for needed in below])
                still_open.discard(key)
                stack.pop()
        return table[first]

    def _reasons(self, question: str, key: Key) -> tuple[list[Key], _Rule]:
        """Give the positions that a value comes from, and the rule that makes it of theirs."""
        game = key[1]
        if question in ("grundy", "outcome"):
            known = getattr(game, "_known_grundy", None)
            if known is not None and (value := known()) is not None:
                return [], lambda _: value if question == "grundy" else int(value != 0)
            summands = getattr(game, "_summands", None)
            if summands is not None:
                parts = odd_ones(key_of(part) for part in summands())
                if parts != [key]:
                    # The theorem of Sprague and Grundy: the value of a sum is the nim-sum of its parts' values.
                    if question == "grundy":
                        return parts, lambda values: reduce(xor, values, 0)
                    return [], lambda _: int(self._ask("grundy", game) != 0)
        return list(dict.fromkeys(key_of(option) for option in options_of(game))), _RULES[question]


class _FullError(Exception):
    """The table has no room for one more position."""


def odd_ones(keys: Iterable[Key]) -> list[Key]:
    """Leave out pairs of equal games: in normal play, and only there, their sum is worth nothing."""
    return [key for key, count in Counter(keys).items() if count % 2]


def _wins(values: list[int]) -> int:
    return int(0 in values)


def _wins_misere(values: list[int]) -> int:
    return int(not values or 0 in values)


def _remoteness(values: list[int]) -> int:
    return _best_speed(values, [value for value in values if value % 2 == 0])


def _misere_remoteness(values: list[int]) -> int:
    return _best_speed(values, [value for value in values if value % 2 == 1])


def _best_speed(values: list[int], lost: list[int]) -> int:
    """The winner goes to the lost option that ends first; the loser to the option that ends last."""
    return 1 + min(lost) if lost else 1 + max(values) if values else 0


def _misere_mex(values: list[int]) -> int:
    return _mex(values) if values else 1


_RULES: dict[str, _Rule] = {
    "outcome": _wins,
    "misere outcome": _wins_misere,
    "remoteness": _remoteness,
    "misere remoteness": _misere_remoteness,
    "grundy": _mex,
    "misere grundy": _misere_mex,
}

_shared = Analysis()


def outcome(game: Game, misere: bool = False) -> Outcome:
    """Say who wins with best play: "P" if the player to move loses, "N" if that player wins.

    Args:
        game: A position of any game.
        misere: Whether who cannot move wins.

    Raises:
        SolunaError: If `game` is no game, or has too many positions below it.
        CyclicGame: If play can come back to a position.

    Source: C. L. Bouton, *Annals of Mathematics* 3 (1901), for Nim; the letters are those of *Winning Ways*.

    >>> from soluna_widget.theory import Nim
    >>> outcome(Nim(1, 2, 3)), outcome(Nim(1, 1)), outcome(Nim(1, 1), misere=True)
    ('P', 'P', 'N')
    """
    return _shared.outcome(game, misere)


def remoteness(game: Game, misere: bool = False) -> int:
    """Count the moves to the end when the winner hurries and the loser delays.

    It is 0 at an end; else one more than the smallest remoteness of an option that is lost for its mover, or one more
    than the largest of all where there is none. In normal play P-positions are even and N-positions odd. Under misère
    P-positions are odd and N-positions even; an end is one of these, though nobody moves there.

    Args:
        game: A position of any game; a sum too is searched, as its parts do not determine it.
        misere: Whether who cannot move wins.

    Raises:
        SolunaError: If `game` is no game, or has too many positions below it.
        CyclicGame: If play can come back to a position.

    Source: H. Steinhaus (1925); Berlekamp, Conway and Guy, *Winning Ways*, chapter 9.

    >>> from soluna_widget.theory import Nim, Subtraction
    >>> remoteness(Nim(2, 2)), remoteness(Subtraction(21, (1, 2, 3)))
    (4, 11)
    """
    return _shared.remoteness(game, misere)


def grundy(game: Game) -> int:
    """Give the Grundy value in normal play: the mex of the options' values, so the Nim heap that the game is worth.

    Args:
        game: A position of any game. The value of a Sum is the nim-sum of its parts' values, and is not searched.

    Raises:
        SolunaError: If `game` is no game, or has too many positions below it.
        CyclicGame: If play can come back to a position.

    Source: R. P. Sprague, *Tohoku Math. J.* 41 (1935); P. M. Grundy, *Eureka* 2 (1939).

    >>> from soluna_widget.theory import Kayles, Nim, Sum
    >>> grundy(Kayles(5)), grundy(Sum(Kayles(5), Nim(4)))
    (4, 0)
    """
    return _shared.grundy(game)


def misere_grundy(game: Game) -> int:
    """Give the misère Grundy value: 1 at an end, else the mex of the options' values; 0 exactly for a P-position.

    Two of them tell nothing of a sum, so a Sum is searched and its parts' values are never nim-added.

    Args:
        game: A position of any game.

    Raises:
        SolunaError: If `game` is no game, or has too many positions below it.
        CyclicGame: If play can come back to a position.

    Source: Grundy and Smith, *Proc. Cambridge Phil. Soc.* 52 (1956).

    >>> from soluna_widget.theory import Nim
    >>> [misere_grundy(Nim(heap)) for heap in range(4)], misere_grundy(Nim(2, 2))
    ([1, 0, 2, 3], 0)
    """
    return _shared.misere_grundy(game)


def winning_options(game: Game, misere: bool = False) -> tuple[Any, ...]:
    """Give the options that are lost for who must move in them: the ones to move to, in the game's own order.

    Args:
        game: A position of any game.
        misere: Whether who cannot move wins.

    Returns:
        The distinct options; none in a P-position, nor at an end under misère, which is won without a move.

    Raises:
        SolunaError: If `game` is no game, or has too many positions below it.
        CyclicGame: If play can come back to a position.

    >>> from soluna_widget.theory import Nim
    >>> winning_options(Nim(3, 4, 5))
    (Nim(1, 4, 5),)
    """
    return _shared.winning_options(game, misere)


def winning_moves(game: Game, misere: bool = False) -> tuple[Any, ...]:
    """Give the moves to a winning option; for a game without `moves()` and `play()` these are the options.

    Args:
        game: A position of any game.
        misere: Whether who cannot move wins.

    Raises:
        SolunaError: If `game` is no game, or has too many positions below it.
        CyclicGame: If play can come back to a position.

    >>> from soluna_widget.theory import Nim
    >>> [str(move) for move in winning_moves(Nim(3, 4, 5))]
    ['3>1']
    """
    return _shared.winning_moves(game, misere)


def forget() -> None:
    """Forget every position that the functions of this module remember, after a game's rules were changed in place.

    A class defined anew needs no forgetting: positions are remembered with their class.
    """
    _shared.forget()


def shared() -> Analysis:
    """Give the Analysis that the functions of this package ask where they are given none."""
    return _shared
