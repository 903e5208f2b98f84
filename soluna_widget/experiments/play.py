"""Rounds and matches between strategies, one by one, and the chunks of them that workers are given."""

from __future__ import annotations

import hashlib
import pickle
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from random import Random
from typing import Any

from soluna_widget.discs import DiscSet
from soluna_widget.errors import SolunaError, shown
from soluna_widget.experiments.starts import throw
from soluna_widget.match import Match, Rulebook
from soluna_widget.strategies import Strategy


@dataclass(frozen=True, slots=True)
class Settings:
    """What a tournament is played by.

    Args:
        seed: Where all chance comes from.
        start: A DiscSet, or a position of a game.
        rulebook: None for single rounds, else that of whole matches.
        swap: Whether each layout is played twice, with the seats changed.
        misere: Whether who cannot move wins.
    """

    seed: int
    start: Any
    rulebook: Rulebook | None
    swap: bool
    misere: bool


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some games of one pair: from number `begin` up to, without, `end`."""

    a: int
    b: int
    begin: int
    end: int


@dataclass(slots=True)
class Game:
    """One round, or one whole match, as it went.

    Args:
        a: The number of a player.
        b: That of the other one.
        number: Which game of the two it is, from 0.
        opener: 0 if `a` moved first (in a match: opened it, or chose), 1 if `b` did.
        winner: 0 if `a` won, 1 if `b` did, None where a strategy raised.
        start: The position it began from, as text.
        first_wins: How many rounds the player won who moved first in them.
        rounds: How many rounds.
        moves: How many moves.
        course: A fingerprint of start and moves: two games with the same went the same way.
        seconds: How long each player thought.
        turns: How many moves each player made.
        error: What was raised, by whom; empty where nothing was.
    """

    a: int
    b: int
    number: int
    opener: int
    winner: int | None = None
    start: str = ""
    first_wins: int = 0
    rounds: int = 0
    moves: int = 0
    course: str = ""
    seconds: list[float] = field(default_factory=lambda: [0.0, 0.0])
    turns: list[int] = field(default_factory=lambda: [0, 0])
    error: str = ""


@dataclass(slots=True)
class Played:
    """What came of a chunk.

    Args:
        games: In order, as far as they were played.
        stopped: Why there are no more, where there are not.
    """

    games: list[Game]
    stopped: str = ""


class _StrategyError(Exception):
    """A strategy raised, or made no legal move; who did is in the text."""


def play_chunk(settings: Settings, players: Sequence[Strategy], chunk: Chunk) -> Played:
    """Play the games of a chunk; an interrupt keeps those that are over."""
    games: list[Game] = []
    try:
        for number in range(chunk.begin, chunk.end):
            games.append(play_game(settings, players, chunk.a, chunk.b, number))
    except KeyboardInterrupt:
        return Played(games, "interrupted")
    return Played(games)


def play_game(settings: Settings, players: Sequence[Strategy], a: int, b: int, number: int) -> Game:
    """Play one round or match. All its chance comes from the seed, the pair and the number, so it is the same anywhere.

    Of two games one after the other `a` opens the first and `b` the second.
    """
    game = Game(a, b, number, opener=number % 2)
    where = f"soluna/tournament/{settings.seed}/{a}/{b}"
    seats = [_fresh(players[a]), _fresh(players[b])]
    # A text seed goes through SHA-512: the same chance in every process and on every machine.
    chance = [Random(f"{where}/{number}/seat {seat}") for seat in (0, 1)]
    layout = Random(f"{where}/{number // 2 if settings.swap else number}/layout")
    course = hashlib.sha256()
    try:
        if settings.rulebook is None:
            _play_round(game, settings, seats, chance, throw(settings.start, layout), course)
        else:
            _play_match(game, settings, settings.rulebook, seats, chance, layout.randrange(10**9), course)
    except _StrategyError as error:
        game.winner, game.error = None, str(error)
    game.course = course.hexdigest()[:16]
    return game


def _fresh(player: Any) -> Any:
    """Give a strategy that remembers nothing of earlier rounds."""
    fresh = getattr(player, "fresh", None)
    return fresh() if callable(fresh) else player


def _play_round(
    game: Game, settings: Settings, seats: list[Any], chance: list[Random], position: Any, course: Any
) -> None:
    game.start, game.rounds, turn = str(position), 1, game.opener
    course.update(f"{game.opener} {position}".encode())
    while _can_move(position):
        move = _ask(game, turn, seats[turn].name, seats[turn].choose, position, chance[turn])
        with _told(seats[turn].name):
            position = _after(position, move)
        course.update(f" {move}".encode())
        game.moves += 1
        game.turns[turn] += 1
        turn = 1 - turn
    game.winner = turn if settings.misere else 1 - turn
    game.first_wins = int(game.winner == game.opener)


def _play_match(
    game: Game, settings: Settings, book: Rulebook, seats: list[Any], chance: list[Random], seed: int, course: Any
) -> None:
    by_choice = book.first_opener == "youngest_chooses"
    roles: dict[str, Any] = {"youngest" if by_choice else "opener": game.opener}
    place: dict[str, Any] = {"discs" if isinstance(settings.start, DiscSet) else "start": settings.start}
    match = Match(book, ("0", "1"), seed, misere=settings.misere, **roles, **place)
    game.start = str(match.position)
    course.update(f"{game.opener} {game.start}".encode())
    while True:
        turn, seat = match.turn, seats[match.turn]
        if match.phase == "playing":
            move = _ask(game, turn, seat.name, seat.choose, match.position, chance[turn])
            with _told(seat.name):
                match.play(move)
            course.update(f" {move}".encode())
            game.moves += 1
            game.turns[turn] += 1
        elif match.phase == "choosing":
            if hasattr(seat, "opens"):
                order = _ask(game, turn, seat.name, seat.opens, match.position, chance[turn])
            else:
                order = chance[turn].choice(("first", "second"))
            with _told(seat.name):
                match.choose(order)
            course.update(f" {order}".encode())
        else:
            game.rounds += 1
            game.first_wins += match.round_winner == match.opener
            if match.phase == "match_over":
                break
            match.next_round()
            course.update(f" / {match.position}".encode())
    game.winner = match.winner


def _can_move(position: Any) -> bool:
    over = getattr(position, "is_over", None)
    return not over if isinstance(over, bool) else any(True for _ in position.options())


def _after(position: Any, move: Any) -> Any:
    if callable(getattr(position, "play", None)):
        return position.play(move)
    if move not in list(position.options()):
        raise SolunaError(f"{shown(move)} is no option of {shown(position)}")
    return move


def _ask(game: Game, turn: int, name: str, question: Any, position: Any, rng: Random) -> Any:
    begun = time.perf_counter()
    with _told(name):
        answer = question(position, rng)
    game.seconds[turn] += time.perf_counter() - begun
    return answer


@contextmanager
def _told(name: str) -> Iterator[None]:
    """Say of what is raised who raised it."""
    try:
        yield
    except (Exception, SystemExit) as error:  # a strategy that gives up must not take a worker with it
        raise _StrategyError(f"{name}: {type(error).__name__}: {error}") from error


# Other processes -----------------------------------------------------------------------------------------------------


def pack(players: Sequence[Strategy]) -> bytes:
    """Make the players ready to travel to other processes: what a notebook's cell defines goes along, by value.

    Raises:
        SolunaError: If one of them cannot travel.
    """
    try:
        from cloudpickle import dumps
    except ImportError:
        from pickle import dumps
    for player in players:
        try:
            dumps(player)
        except Exception as error:
            raise SolunaError(
                f"players: {shown(player.name)} cannot be taken to another process ({type(error).__name__}: {error}); "
                "without an executor it can play"
            ) from error
    packed: bytes = dumps(list(players))
    return packed


class CannotTravel(SolunaError):  # as the package's other errors
    """The players did not arrive in a worker."""


def work(settings: Settings, packed: bytes, chunk: Chunk) -> Played:
    """Play a chunk in a worker.

    Raises:
        CannotTravel: If the players cannot be unpacked there.
    """
    try:
        players = _unpack(packed)
    except Exception as error:
        raise CannotTravel(
            f"players: they did not arrive in a worker ({type(error).__name__}: {error}). What a notebook or a script "
            "defines travels if cloudpickle is installed (pip install 'soluna-widget[experiments]'); what a module "
            "defines must be there in the worker, too"
        ) from None
    return play_chunk(settings, players, chunk)


@lru_cache(maxsize=2)
def _unpack(packed: bytes) -> list[Strategy]:
    players: list[Strategy] = pickle.loads(packed)
    return players
