"""What a game is, and the few questions that every other module asks of one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Protocol, TypeAlias, runtime_checkable

from soluna_widget.errors import SolunaError, shown

Key: TypeAlias = tuple[type, Any]
"""What a position is remembered by. The type belongs to it: tuples of two classes may be equal and play differently."""


@runtime_checkable
class Game(Protocol):
    """A position of a game for two in which both have the same options: anything hashable with `options()`.

    It may have more, and everything here uses it where it is:

    - `moves()` and `play(move)`: the moves and where they lead. Without them a move is the option itself.
    - `canonical()`: the one position that stands for all that play alike. It makes large games feasible.
    - `describe()`, of a game or of a move: words instead of notation.

    Equal positions must have equal options, and play must end. Such games are called impartial: A. N. Siegel,
    *Combinatorial Game Theory* (2013), chapter I.

    >>> class Countdown(int):
    ...     def options(self):
    ...         return [Countdown(self - take) for take in (1, 2) if take <= self]
    >>> isinstance(Countdown(3), Game)
    True
    """

    def options(self) -> Iterable[Any]:
        """Give the positions that one move leads to."""
        ...

    def __hash__(self) -> int: ...


class CyclicGame(SolunaError):
    """A game whose play can come back to where it was: it has no Grundy value, and maybe no winner."""


def check_game(game: object, name: str = "game") -> None:
    """Refuse what is no game.

    Raises:
        SolunaError: If it has no `options()` or cannot be hashed; the sentence names the argument.
    """
    rule = f"{name}: a position of a game has options() and can be hashed"
    if isinstance(game, type):
        raise SolunaError(f"{rule}: not the class {game.__name__}")
    if not callable(getattr(game, "options", None)):
        text = "; make a position of the text first, such as Position.parse(...)" if isinstance(game, str) else ""
        raise SolunaError(f"{rule}, not {shown(game)}{text}")
    try:
        hash(game)
    except TypeError:
        raise SolunaError(f"{rule}, but {shown(game)} cannot be hashed") from None


def options_of(game: Any) -> Iterator[Any]:
    """Give the options of a game, each checked.

    Raises:
        SolunaError: If one of them is no game.
    """
    good: type | None = None
    for option in game.options():
        if type(option) is not good:  # one look at each kind is enough, and options are many
            check_game(option, f"options() of {shown(game)}")
            good = type(option)
        yield option


def key_of(game: Any) -> Key:
    """Give what a position is remembered by: its type and itself, up to `canonical()` where it has that."""
    # A Sum is equal to its canonical form, and so spares the sorting that only readers need.
    canonical = getattr(game, "_stand_in", None) or getattr(game, "canonical", None)
    if callable(canonical):
        game = canonical()
    return type(game), game


def has_moves(game: Any) -> bool:
    """Say whether a game has moves of its own, beside its options."""
    return callable(getattr(game, "moves", None)) and callable(getattr(game, "play", None))


def moves_of(game: Any) -> list[tuple[Any, Any]]:
    """Give every move and where it leads; a game without `moves()` and `play()` is moved in by naming the option."""
    if has_moves(game):
        return [(move, game.play(move)) for move in game.moves()]
    return [(option, option) for option in dict.fromkeys(options_of(game))]


def words_for(thing: Any) -> str:
    """Say a move in words where it has `describe()`, else as its text."""
    describe = getattr(thing, "describe", None)
    return str(describe()) if callable(describe) else str(thing)
