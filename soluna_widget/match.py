"""A match: rounds, stars, who opens, undo and redo.

`Match` is the one place in which the game's state lives. It keeps every moment from the start on as a frozen value, so
that undo is a step back along them and a copy shares nothing that can change.
"""

from __future__ import annotations

import datetime
import os
import re
import secrets
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from random import Random
from typing import Any, Literal

from soluna_widget.discs import DISC_SETS, Disc, DiscSet, Layout
from soluna_widget.errors import IllegalMove, InvalidNotation, SolunaError, WrongPhase, shown, whole_number
from soluna_widget.record import (
    VERSION,
    Record,
    RecordedMove,
    RecordedRound,
    format_record,
    invalid,
    parse_record,
)
from soluna_widget.rules import Move, Position, Stack, agree, why_not

Phase = Literal["placing", "choosing", "playing", "round_over", "match_over"]
Order = Literal["first", "second"]

_LONGEST_NAME = 80


@dataclass(frozen=True, slots=True)
class Rulebook:
    """The choices in which the published rules differ; `RULEBOOKS` has the two named ones.

    Args:
        name: What it is called.
        first_opener: Who moves first in round one: "agreed" (given, or drawn), or "youngest_chooses".
        next_layout: The discs of a further round: "new" (thrown again), or "kept" (taken apart, no disc turned).
        next_opener: Who moves first in a further round: the "loser" of the last one, or "loser_chooses".
        stars: How many stars win the match, at least 1.

    Raises:
        SolunaError: If one of them is not as said.
    """

    name: str
    first_opener: Literal["agreed", "youngest_chooses"] = "agreed"
    next_layout: Literal["new", "kept"] = "new"
    next_opener: Literal["loser", "loser_chooses"] = "loser"
    stars: int = 4

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or re.fullmatch(r"[\w-][\w .-]{0,39}", self.name) is None:
            raise SolunaError(f"name: a rulebook is called by a short word, not {shown(self.name)}")
        for field_name, known in _RULEBOOK_WORDS.items():
            value = getattr(self, field_name)
            if value not in known:
                raise SolunaError(f"{field_name}: {' or '.join(map(repr, known))}, not {shown(value)}")
        if isinstance(self.stars, bool) or not isinstance(self.stars, int) or not 1 <= self.stars <= 1_000:
            raise SolunaError(f"stars: a match is won by 1 to 1000 stars, not {shown(self.stars)}")

    def to_words(self) -> tuple[str, ...]:
        """Give the rulebook as a record writes it: its name, and what it says unless it is a named one."""
        if RULEBOOKS.get(self.name) == self:
            return (self.name,)
        return (self.name, " ".join(f"{f.name}={getattr(self, f.name)}" for f in fields(self) if f.name != "name"))

    @classmethod
    def from_words(cls, words: Sequence[str]) -> Rulebook:
        """Read what `to_words` gave.

        Raises:
            SolunaError: If it means no rulebook.
        """
        if len(words) == 1:
            return _find_rulebook(words[0])
        chosen: dict[str, Any] = {}
        for word in words[1].split() if len(words) == 2 else ():
            key, _, value = word.partition("=")
            chosen[key] = int(value) if key == "stars" and re.fullmatch(r"[0-9]{1,4}", value, re.ASCII) else value
        if set(chosen) != {f.name for f in fields(cls)} - {"name"}:
            raise SolunaError(f"a rulebook of one's own gives {', '.join(f.name for f in fields(cls)[1:])}")
        return cls(words[0], **chosen)


_RULEBOOK_WORDS: dict[str, tuple[str, ...]] = {
    "first_opener": ("agreed", "youngest_chooses"),
    "next_layout": ("new", "kept"),
    "next_opener": ("loser", "loser_chooses"),
}

RULEBOOKS = {
    "bga": Rulebook("bga"),
    "morapiaf": Rulebook("morapiaf", "youngest_chooses", "kept", "loser_chooses"),
}
"""`bga`: Board Game Arena's help page, two revisions of 2023-02-14. `morapiaf`: the publisher's Spanish leaflet."""


@dataclass(frozen=True, slots=True)
class TableStack:
    """A stack as it lies on the table.

    Args:
        id: Its number: that of its first disc in the round's layout, from 1. A merged stack keeps the target's.
        discs: Its discs, bottom to top.
    """

    id: int
    discs: tuple[Disc, ...]

    @property
    def top(self) -> str:
        """The face-up symbol of the highest disc."""
        return self.discs[-1].up

    @property
    def height(self) -> int:
        """The number of discs."""
        return len(self.discs)

    @property
    def stack(self) -> Stack:
        """What matters of it for play."""
        return Stack(self.top, self.height)


@dataclass(frozen=True, slots=True)
class Played:
    """A move that was made: by whom, which stack as it was, on which stack."""

    by: int
    mover: TableStack
    target: TableStack

    @property
    def move(self) -> Move:
        """What matters of it for play."""
        return Move(self.mover.stack, self.target.stack)


@dataclass(frozen=True, slots=True)
class RoundSoFar:
    """One round of a match, as far as it was played.

    Args:
        round: Its number, from 1.
        stars: The rounds won by each player before it.
        opener: Who moves first; None while that is to be chosen.
        stacks: How they lay before the first move; while discs are placed, those placed so far.
        moves: The moves in order, as pairs of stack numbers (mover, target); the opener made the first.
        blocked: Who could not move at its end, None while it goes on.
        winner: Who took its star, None while it goes on.
    """

    round: int
    stars: tuple[int, int]
    opener: int | None
    stacks: tuple[TableStack, ...]
    moves: tuple[tuple[int, int], ...]
    blocked: int | None
    winner: int | None


@dataclass(frozen=True, slots=True)
class _Chose:
    order: Order


@dataclass(frozen=True, slots=True)
class _Placed:
    pass


@dataclass(frozen=True, slots=True)
class _NextRound:
    pass


_Event = Played | _Chose | _Placed | _NextRound


@dataclass(frozen=True, slots=True)
class _Moment:
    """A match at one moment. `layout` is the whole round's; while discs are placed only `stacks` of it lie there."""

    phase: Phase
    turn: int
    round: int
    stars: tuple[int, int]
    opener: int | None
    layout: Layout
    stacks: tuple[TableStack, ...]
    last: Played | None = None
    star_to: int | None = None


class Match:
    """A match of Soluna, from the first layout to the last star.

    Args:
        rulebook: "bga", "morapiaf", or a Rulebook.
        players: The two names; player 0 is the first.
        seed: A whole number that makes the match repeatable; None draws one, which the record keeps.
        discs: The discs of the box: a DiscSet, its text or its name ("soluna", "babylon"); None is the boxed game.
        opener: Who moves first in round one where the players agree on it: 0, 1, or None to draw.
        youngest: Who chooses in round one where the rulebook lets the youngest choose: 0 or 1.
        placing: Whether the players put the discs down one by one, the opener first; only where every round has new
            discs and nobody chooses.
        start: A start chosen by hand for every round: a Position or its text; None throws the discs.
        misere: Whether who cannot move wins the round.

    Raises:
        SolunaError: If an argument is not as said; the sentence names it.

    Attributes:
        listener: Called with no argument after every change; the widget publishes from it. It must not raise.

    >>> match = Match(seed=1, opener=0, start="S1^2 M2")
    >>> match.play("S1>S1")
    >>> match.play("S2>M2")
    >>> match.phase, match.turn, match.stars
    ('round_over', 0, (0, 1))
    """

    def __init__(
        self,
        rulebook: str | Rulebook = "bga",
        players: Sequence[str] = ("Sol", "Luna"),
        seed: int | None = None,
        discs: DiscSet | str | None = None,
        opener: int | None = None,
        youngest: int = 0,
        placing: bool = False,
        start: Position | str | None = None,
        misere: bool = False,
    ) -> None:
        self.listener: Callable[[], None] | None = None
        self._rulebook = _find_rulebook(rulebook)
        self._players = _check_players(players)
        self._seed = _check_seed(seed)
        self._discs = _find_discs(discs)
        self._start = _find_start(start)
        self._youngest = _check_seat("youngest", youngest)
        self._placing = _check_flag("placing", placing)
        self._misere = _check_flag("misere", misere)
        self._date = datetime.date.today()
        chosen = self._rulebook.first_opener == "youngest_chooses"
        if opener is not None:
            opener = _check_seat("opener", opener)
            if chosen:
                raise SolunaError(
                    f"opener: in {shown(self._rulebook.name)} the youngest chooses who opens; give youngest"
                )
        if start is not None and discs is not None:
            raise SolunaError("start: give a start by hand or the discs of the box, not both")
        if placing:
            if chosen or self._rulebook.next_opener == "loser_chooses" or self._rulebook.next_layout == "kept":
                raise SolunaError(
                    f"placing: under the rulebook {shown(self._rulebook.name)} the discs fall all at once; "
                    "placing needs new discs in every round and an opener who is known before"
                )
            if start is not None:
                raise SolunaError("placing: with a start chosen by hand there is nothing to place")
        self._opener_given = opener
        self._opener = None if chosen else self._draw_opener() if opener is None else opener
        self._events: list[_Event] = []
        self._moments = [self._begin_round(1, (0, 0), None, self._throw(1))]
        self._at = 0

    # What the match is played by

    @property
    def rulebook(self) -> Rulebook:
        """The rulebook it is played by."""
        return self._rulebook

    @property
    def players(self) -> tuple[str, str]:
        """The two names."""
        return self._players

    @property
    def seed(self) -> int:
        """The seed, given or drawn."""
        return self._seed

    @property
    def discs(self) -> DiscSet:
        """The discs of the box; not used where a start was chosen by hand."""
        return self._discs

    @property
    def start(self) -> Position | None:
        """The start chosen by hand, or None."""
        return self._start

    @property
    def misere(self) -> bool:
        """Whether who cannot move wins the round."""
        return self._misere

    @property
    def date(self) -> datetime.date:
        """The day on which it was begun; matches compare without it."""
        return self._date

    # What is on the table now

    @property
    def phase(self) -> Phase:
        """What the match waits for: "placing", "choosing", "playing", "round_over" or "match_over"."""
        return self._now.phase

    @property
    def turn(self) -> int:
        """Who acts: 0 or 1; in round_over and match_over, who cannot move."""
        return self._now.turn

    @property
    def round(self) -> int:
        """The number of the round, from 1."""
        return self._now.round

    @property
    def stars(self) -> tuple[int, int]:
        """The rounds won by each player."""
        return self._now.stars

    @property
    def opener(self) -> int | None:
        """Who moves first in this round; None while that is to be chosen."""
        return self._now.opener

    @property
    def winner(self) -> int | None:
        """Who won the match: 0, 1, or None while nobody has."""
        return self._now.star_to if self._now.phase == "match_over" else None

    @property
    def round_winner(self) -> int | None:
        """Who took the star of this round: 0, 1, or None while it goes on."""
        return self._now.star_to

    @property
    def stacks(self) -> tuple[TableStack, ...]:
        """The stacks on the table, by number."""
        return self._now.stacks

    @property
    def position(self) -> Position | None:
        """The position on the table; None while no disc has been placed."""
        return Position(stack.stack for stack in self.stacks) if self.stacks else None

    @property
    def to_place(self) -> int:
        """How many discs are still to be placed in this round."""
        return len(self._now.layout) - len(self.stacks) if self.phase == "placing" else 0

    @property
    def last(self) -> Played | None:
        """The last move of this round, None at its start."""
        return self._now.last

    @property
    def ply(self) -> int:
        """How many turns have been taken since the match began, choices, placings and next rounds included."""
        return self._at

    def rounds(self) -> tuple[RoundSoFar, ...]:
        """Give every round up to now, enough to go through the match again."""
        found: list[RoundSoFar] = []
        begun = 0
        for at in range(self._at + 1):
            if at < self._at and not isinstance(self._events[at], _NextRound):
                continue
            found.append(self._round_so_far(begun, at))
            begun = at + 1
        return tuple(found)

    def _round_so_far(self, begun: int, now: int) -> RoundSoFar:
        played = [at for at in range(begun, now) if isinstance(self._events[at], Played)]
        moves = tuple((e.mover.id, e.target.id) for e in self._events[begun:now] if isinstance(e, Played))
        first, last = self._moments[begun], self._moments[now]
        lay = self._moments[played[0]] if played else last
        won = last.star_to is not None
        # A start by hand may be over at once, its star already counted in the first moment.
        stars = first.stars if first.star_to is None else _before_star(first.stars, first.star_to)
        blocked = last.turn if won else None
        return RoundSoFar(last.round, stars, last.opener, lay.stacks, moves, blocked, last.star_to)

    def moves(self) -> tuple[tuple[int, int], ...]:
        """Give the legal moves as pairs of stack numbers (mover, target), sorted; none outside the phase "playing"."""
        if self.phase != "playing":
            return ()
        lying = [(stack.id, stack.stack) for stack in self.stacks]
        return tuple((a, b) for a, mover in lying for b, target in lying if a != b and agree(mover, target))

    def rng(self, purpose: str) -> Random:
        """Give the chance for one purpose in this round; only seed, round and purpose tell, so undo cannot re-roll."""
        return self._rng(self.round, purpose)

    def again(self) -> Match:
        """Give a new match with the same settings and the next seed; who was drawn as opener is drawn anew."""
        seed = self._rng(0, "again").randrange(10**9)
        start = self._start
        discs = None if start is not None else self._discs
        return type(self)(
            self._rulebook,
            self._players,
            seed,
            discs,
            self._opener_given,
            self._youngest,
            self._placing,
            start,
            self._misere,
        )

    # Turns

    def play(self, move: Move | str | tuple[int, int]) -> None:
        """Make a move for the player whose turn it is.

        Args:
            move: A Move or its text, of which the stacks with the lowest numbers are taken; or the numbers of the two
                stacks, (mover, target).

        Raises:
            InvalidNotation: If a text is no move.
            IllegalMove: If the rules forbid it; nothing changes.
            WrongPhase: If the match waits for something else.
        """
        self._need("playing", "move")
        mover, target = self._find_pair(move)
        error = why_not(mover.stack, target.stack)
        if error is not None:
            raise error
        merged = TableStack(target.id, target.discs + mover.discs)
        stacks = tuple(merged if stack.id == target.id else stack for stack in self.stacks if stack.id != mover.id)
        played = Played(self.turn, mover, target)
        self._go(played, self._settle(replace(self._now, turn=1 - self.turn, stacks=stacks, last=played)))

    def choose(self, order: Order) -> None:
        """Choose to go "first" or "second" in this round.

        Raises:
            SolunaError: If `order` is neither.
            WrongPhase: If there is nothing to choose.
        """
        self._need("choosing", "choose")
        if order not in ("first", "second"):
            raise SolunaError(f"order: 'first' or 'second', not {shown(order)}", code="malformed")
        opener = self.turn if order == "first" else 1 - self.turn
        self._go(_Chose(order), self._settle(replace(self._now, phase="playing", turn=opener, opener=opener)))

    def place(self) -> None:
        """Place the next disc, for the player whose turn it is; which disc and which face is chance.

        Raises:
            WrongPhase: If there is no disc to place.
        """
        self._need("placing", "place")
        now = self._now
        assert now.opener is not None
        number = len(now.stacks)
        stacks = (*now.stacks, TableStack(number + 1, (now.layout[number],)))
        if len(stacks) < len(now.layout):
            self._go(_Placed(), replace(now, turn=1 - now.turn, stacks=stacks))
        else:
            self._go(_Placed(), self._settle(replace(now, phase="playing", turn=now.opener, stacks=stacks)))

    def next_round(self) -> None:
        """Begin the next round.

        Raises:
            WrongPhase: If this one is not over, or the match is.
        """
        self._need("round_over", "next_round")
        kept = self._rulebook.next_layout == "kept"
        self._next_round(self._now.layout if kept else self._throw(self.round + 1))

    # Back and forth

    def can_undo(self, seat: int | None = None) -> bool:
        """Say whether `undo(seat)` has anything to take back."""
        return self._back_to(seat) is not None

    def can_redo(self) -> bool:
        """Say whether there is anything to do again."""
        return self._at < len(self._events)

    def undo(self, seat: int | None = None) -> None:
        """Take back the last turn: a move, a choice, a placing or the beginning of a round.

        Args:
            seat: 0 or 1 goes back to the last moment at which this player could act; None one step.

        Raises:
            WrongPhase: If there is none; nothing changes.
        """
        at = self._back_to(seat)
        if at is None:
            raise WrongPhase("there is nothing to undo", code="nothing_to_undo")
        self._at = at
        self._changed()

    def redo(self, seat: int | None = None) -> None:
        """Do again what was taken back.

        Args:
            seat: 0 or 1 goes on to the next moment at which this player could act, or to the end; None one step.

        Raises:
            WrongPhase: If there is nothing; nothing changes.
        """
        if seat is not None:
            _check_seat("seat", seat)
        if not self.can_redo():
            raise WrongPhase("there is nothing to redo", code="nothing_to_redo")
        self._at += 1
        while self.can_redo() and not _acts(self._now, seat):
            self._at += 1
        self._changed()

    # Records

    def record(self) -> str:
        """Give the match so far as text; `soluna_widget.record` says how it reads."""
        return format_record(self._to_record(self._date))

    @classmethod
    def from_record(cls, text: str) -> Match:
        """Read a match back: it is equal to the one that was recorded, and goes on identically.

        Raises:
            InvalidNotation: If the text is damaged; the sentence says in which line, and for a move in which ply.
        """
        return _replay(cls, parse_record(text))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the record to a file; a crash on the way leaves the file that was there before whole.

        Raises:
            OSError: If it cannot be written.
        """
        target = Path(path)
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".part")
        written = Path(name)
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
                file.write(self.record())
                file.flush()
                os.fsync(file.fileno())
            # mkstemp makes the file private to its owner; a saved match gets what any new file would.
            umask = os.umask(0)
            os.umask(umask)
            written.chmod(0o666 & ~umask)
            os.replace(written, target)  # noqa: PTH105  # atomic on every system
        except BaseException:
            written.unlink(missing_ok=True)
            raise

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Match:
        """Read a match from a file that `save` wrote.

        Raises:
            OSError: If the file cannot be read.
            InvalidNotation: If its text is damaged.
        """
        try:
            return cls.from_record(Path(path).read_bytes().decode("utf-8-sig"))
        except UnicodeDecodeError as error:
            raise InvalidNotation(f"{os.fspath(path)!r} is not a record: byte {error.start} is not UTF-8") from None

    # Values and pictures

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Match):
            return NotImplemented
        return self._to_record(None) == other._to_record(None)

    __hash__ = None  # type: ignore[assignment]  # a match changes

    def __getstate__(self) -> dict[str, Any]:
        return {
            name: value.copy() if isinstance(value, list | dict) else value
            for name, value in self.__dict__.items()
            if name != "listener"
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.listener = None
        self.__dict__.update(state)

    def __copy__(self) -> Match:
        twin = type(self).__new__(type(self))
        twin.__setstate__(self.__getstate__())
        return twin

    def __deepcopy__(self, memo: dict[int, Any]) -> Match:
        return self.__copy__()

    def __repr__(self) -> str:
        (a, b), (x, y) = self.players, self.stars
        return f"<Match {self.rulebook.name}: {a} {x}, {b} {y}; round {self.round}, {self.phase}; {self.position}>"

    def _repr_svg_(self) -> str:
        # The one arrow upwards in this module: a picture is made only when a notebook asks for one.
        from soluna_widget.drawing import match_svg

        return match_svg(self)

    # Inside

    @property
    def _now(self) -> _Moment:
        return self._moments[self._at]

    def _rng(self, round: int, purpose: str) -> Random:
        # A text seed goes through SHA-512: the same chance in every process and on every machine.
        return Random(f"soluna/{self._seed}/{round}/{purpose}")

    def _draw_opener(self) -> int:
        return self._rng(1, "opener").randrange(2)

    def _throw(self, round: int) -> Layout:
        return () if self._start is not None else self._discs.throw(self._rng(round, "layout"))

    def _next_round(self, layout: Layout) -> None:
        now = self._now
        assert now.star_to is not None
        self._go(_NextRound(), self._begin_round(now.round + 1, now.stars, 1 - now.star_to, layout))

    def _begin_round(self, round: int, stars: tuple[int, int], loser: int | None, layout: Layout) -> _Moment:
        if loser is None:
            chooses = self._rulebook.first_opener == "youngest_chooses"
            turn = self._youngest if chooses else self._opener
        else:
            chooses = self._rulebook.next_opener == "loser_chooses"
            turn = loser
        assert turn is not None
        opener = None if chooses else turn
        if self._start is not None:
            stacks = tuple(
                TableStack(number, (Disc(stack.top),) * stack.height)
                for number, stack in enumerate(self._start.stacks, 1)
            )
        else:
            stacks = tuple(TableStack(number, (disc,)) for number, disc in enumerate(layout, 1))
        if self._placing:
            return _Moment("placing", turn, round, stars, opener, layout, ())
        moment = _Moment("choosing" if chooses else "playing", turn, round, stars, opener, layout, stacks)
        return moment if chooses else self._settle(moment)

    def _settle(self, moment: _Moment) -> _Moment:
        """End the round where the player to move cannot."""
        if not Position(stack.stack for stack in moment.stacks).is_over:
            return moment
        star_to = moment.turn if self._misere else 1 - moment.turn
        first, second = moment.stars
        stars = (first + (star_to == 0), second + (star_to == 1))
        phase: Phase = "match_over" if stars[star_to] >= self._rulebook.stars else "round_over"
        return replace(moment, phase=phase, stars=stars, star_to=star_to)

    def _need(self, phase: Phase, kind: str) -> None:
        if self.phase != phase:
            raise WrongPhase(
                f"{_DOINGS[kind]} is not possible now: {self._waits()}", code="wrong_phase", kind=kind, phase=self.phase
            )

    def _waits(self) -> str:
        name = self.players[self.turn]
        match self.phase:
            case "placing":
                return f"{name} places a disc"
            case "choosing":
                return f"{name} chooses who opens"
            case "playing":
                return f"the round goes on, and it is the turn of {name}"
            case "round_over":
                return "the round is over"
            case "match_over":
                return "the match is over"

    def _find_pair(self, move: Move | str | tuple[int, int]) -> tuple[TableStack, TableStack]:
        if isinstance(move, tuple) and not isinstance(move, Move):
            if len(move) != 2:
                raise InvalidNotation(f"{shown(move)} is not a move: give the numbers of two stacks")
            mover, target = (self._find_id(number) for number in move)
            if mover is target:
                raise IllegalMove(
                    f"{mover.stack.describe()} cannot go on itself", code="one_stack", stack=str(mover.stack)
                )
            return mover, target
        if not isinstance(move, Move):
            move = Move.parse(move)
        position = self.position
        assert position is not None
        position.play(move)  # says which rule failed
        mover = next(stack for stack in self.stacks if stack.stack == move.mover)
        target = next(stack for stack in self.stacks if stack.stack == move.target and stack is not mover)
        return mover, target

    def _find_id(self, number: object) -> TableStack:
        for stack in self.stacks:
            if type(number) is int and stack.id == number:
                return stack
        raise IllegalMove(f"there is no stack {shown(number)} on the table", code="no_such_stack", stack=shown(number))

    def _go(self, event: _Event, moment: _Moment) -> None:
        del self._events[self._at :], self._moments[self._at + 1 :]
        self._events.append(event)
        self._moments.append(moment)
        self._at += 1
        self._changed()

    def _changed(self) -> None:
        if self.listener is not None:
            self.listener()

    def _back_to(self, seat: int | None) -> int | None:
        if seat is not None:
            _check_seat("seat", seat)
        return next((at for at in range(self._at - 1, -1, -1) if _acts(self._moments[at], seat)), None)

    def _to_record(self, date: datetime.date | None) -> Record:
        headers = {
            "Soluna": (VERSION,),
            "Players": self._players,
            "Rulebook": self._rulebook.to_words(),
            "Seed": (str(self._seed),),
        }
        if date is not None:
            headers["Date"] = (date.isoformat(),)
        if self._opener is None:
            headers["Youngest"] = (str(self._youngest),)
        else:
            headers["Opener"] = (str(self._opener),)
        if self._start is not None:
            headers["Start"] = (str(self._start),)
        elif self._discs != DISC_SETS["soluna"]:
            headers["Discs"] = (str(self._discs),)
        for name, flag in (("Placing", self._placing), ("Misere", self._misere)):
            if flag:
                headers[name] = ("yes",)
        rounds: list[RecordedRound] = []
        events: list[tuple[_Event, _Moment]] = []
        for event, before in zip(self._events[: self._at], self._moments, strict=False):
            if isinstance(event, _NextRound):
                rounds.append(_record_round(before, events))
                events = []
            else:
                events.append((event, before))
        rounds.append(_record_round(self._now, events))
        winner = None if self.winner is None else self._players[self.winner]
        return Record(headers, tuple(rounds), self.stars, winner)


_DOINGS = {
    "move": "a move",
    "choose": "choosing who opens",
    "place": "placing a disc",
    "next_round": "beginning the next round",
}


def _before_star(stars: tuple[int, int], star_to: int) -> tuple[int, int]:
    return stars[0] - (star_to == 0), stars[1] - (star_to == 1)


def _acts(moment: _Moment, seat: int | None) -> bool:
    """Say whether this player could act at a moment; between rounds anybody can."""
    return seat is None or moment.turn == seat or moment.phase in ("round_over", "match_over")


def _record_round(now: _Moment, events: Iterable[tuple[_Event, _Moment]]) -> RecordedRound:
    discs = now.layout[: len(now.stacks)] if now.phase == "placing" else now.layout
    choice: str | None = None
    moves: list[RecordedMove] = []
    for event, before in events:
        if isinstance(event, _Chose):
            choice = event.order
        elif isinstance(event, Played):
            moves.append(_record_move(event, before.stacks))
    return RecordedRound(discs, choice, tuple(moves))


def _record_move(played: Played, stacks: tuple[TableStack, ...]) -> RecordedMove:
    move = played.move
    usual_mover = next(stack for stack in stacks if stack.stack == move.mover)
    mover = None if played.mover.id == usual_mover.id else played.mover.id
    usual_target = next(stack for stack in stacks if stack.stack == move.target and stack.id != played.mover.id)
    target = None if played.target.id == usual_target.id else played.target.id
    return RecordedMove(move, mover, target)


def _replay(kind: type[Match], record: Record) -> Match:
    """Play a record through, so that nothing in it is believed that the rules forbid."""
    match = _from_headers(kind, record)
    for number, played in enumerate(record.rounds, 1):
        layout = _check_layout(match, played, number, last=number == len(record.rounds))
        try:
            if number == 1:
                match._moments = [match._begin_round(1, (0, 0), None, layout)]
            else:
                match._need("round_over", "next_round")
                match._next_round(layout)
            for _ in range(len(played.discs) if match._placing else 0):
                match.place()
            if played.choice is not None:
                match.choose("first" if played.choice == "first" else "second")
        except SolunaError as error:
            raise invalid(played.line, error) from None
        for ply, move in enumerate(played.moves, 1):
            try:
                match.play(_find_recorded(match, move))
            except SolunaError as error:
                raise invalid(move.line, error, number, ply) from None
    winner = None if match.winner is None else match.players[match.winner]
    if (match.stars, winner) != (record.stars, record.winner):
        stars = f"{match.stars[0]}-{match.stars[1]}"
        state = "the match is unfinished" if winner is None else f"{winner} has won"
        raise record.header_error("Result", f"it does not fit the moves, after which the stars are {stars} and {state}")
    return match


def _from_headers(kind: type[Match], record: Record) -> Match:
    arguments: dict[str, Any] = {
        "rulebook": ("Rulebook", lambda: Rulebook.from_words(record.headers["Rulebook"])),
        "players": ("Players", lambda: record.headers["Players"]),
        "seed": ("Seed", lambda: _read_number(record.get("Seed"), r"-?[0-9]{1,40}")),
        "opener": ("Opener", lambda: _read_number(record.get("Opener"), r"[01]")),
        "youngest": ("Youngest", lambda: _read_number(record.get("Youngest") or "0", r"[01]")),
        "discs": ("Discs", lambda: record.get("Discs") and DiscSet.parse(record.get("Discs") or "")),
        "start": ("Start", lambda: record.get("Start") and Position.parse(record.get("Start") or "")),
        "placing": ("Placing", lambda: _read_yes(record.get("Placing"))),
        "misere": ("Misere", lambda: _read_yes(record.get("Misere"))),
    }
    read: dict[str, Any] = {}
    for argument, (header, reader) in arguments.items():
        try:
            read[argument] = reader()
        except SolunaError as error:
            raise record.header_error(header, error) from None
    try:
        match = kind(**read)
    except SolunaError as error:
        argument = str(error).partition(":")[0]
        raise record.header_error(arguments.get(argument, ("Soluna",))[0], error) from None
    if match._opener is None and "Opener" in record.headers:
        raise record.header_error("Opener", "under this rulebook the youngest chooses who opens")
    if match._opener is not None and "Youngest" in record.headers:
        raise record.header_error("Youngest", "under this rulebook the players agree on who opens")
    written = record.get("Date")
    if written is not None:
        try:
            match._date = datetime.date.fromisoformat(written)
        except ValueError:
            raise record.header_error("Date", f"a day is written 2026-11-29, not {shown(written)}") from None
    return match


def _check_layout(match: Match, played: RecordedRound, number: int, last: bool) -> Layout:
    """Give the layout of a recorded round."""
    if match.start is not None:
        if played.discs:
            raise invalid(played.line, "with a start chosen by hand the round lists no discs")
        return ()
    rest: Layout = ()
    if match._placing and last and not played.moves and len(played.discs) < match.discs.size:
        rest = _still_to_place(match, played, number)
    if not match.discs.can_fall_as(played.discs + rest):
        raise invalid(played.line, f"these are not the discs of the box, {match.discs}")
    if match.rulebook.next_layout == "kept" and number > 1 and played.discs != match._now.layout:
        raise invalid(played.line, "under this rulebook no disc is turned: these are not the discs of round 1")
    return played.discs + rest


def _still_to_place(match: Match, played: RecordedRound, number: int) -> Layout:
    """While discs are placed the record has only some: the others fall as the seed says, where it says so."""
    layout = match._throw(number)
    count = len(played.discs)
    if layout[:count] == played.discs:
        return layout[count:]
    left = Counter(Disc(*disc.faces) for disc in layout)
    left.subtract(Disc(*disc.faces) for disc in played.discs)
    if min(left.values()) < 0:
        raise invalid(played.line, f"these are not discs of the box, {match.discs}")
    return tuple(disc for disc in layout if _take(left, Disc(*disc.faces)))


def _take(left: Counter[Disc], disc: Disc) -> bool:
    left[disc] -= 1
    return left[disc] >= 0


def _find_recorded(match: Match, recorded: RecordedMove) -> tuple[int, int]:
    """Find the two stacks of a recorded move: by number where it has one, else the lowest that fits."""
    match._need("playing", "move")
    position = match.position
    assert position is not None
    position.play(recorded.move)  # says which rule failed
    mover = _find_alike(match, recorded.move.mover, recorded.mover, other=recorded.target)
    return mover, _find_alike(match, recorded.move.target, recorded.target, other=mover)


def _find_alike(match: Match, stack: Stack, number: int | None, other: int | None) -> int:
    alike = [s.id for s in match.stacks if s.stack == stack and s.id != other]
    if number is None and alike:
        return alike[0]
    if number is None or number not in alike:
        raise IllegalMove(f"stack {number} is not {stack.describe()}, or not another one")
    return number


def _read_number(text: str | None, form: str) -> int | None:
    if text is None:
        return None
    if re.fullmatch(form, text, re.ASCII) is None:
        raise SolunaError(f"{shown(text)} is not a number that can stand here")
    return int(text)


def _read_yes(text: str | None) -> bool:
    if text not in (None, "yes"):
        raise SolunaError(f"'yes', or no such header, not {shown(text)}")
    return text == "yes"


def _find_rulebook(rulebook: str | Rulebook) -> Rulebook:
    if isinstance(rulebook, Rulebook):
        return rulebook
    if not isinstance(rulebook, str) or rulebook not in RULEBOOKS:
        raise SolunaError(f"rulebook: {' or '.join(map(repr, RULEBOOKS))}, or a Rulebook, not {shown(rulebook)}")
    return RULEBOOKS[rulebook]


def _find_discs(discs: DiscSet | str | None) -> DiscSet:
    if discs is None:
        return DISC_SETS["soluna"]
    if isinstance(discs, DiscSet):
        return discs
    try:
        return DiscSet.parse(discs)
    except InvalidNotation as error:
        raise InvalidNotation(f"discs: {error}") from None


def _find_start(start: Position | str | None) -> Position | None:
    if start is None or isinstance(start, Position):
        return start
    try:
        return Position.parse(start)
    except InvalidNotation as error:
        raise InvalidNotation(f"start: {error}") from None


def _check_players(players: Sequence[str]) -> tuple[str, str]:
    if isinstance(players, str) or not isinstance(players, Sequence) or len(players) != 2:
        raise SolunaError(f"players: two names, not {shown(players)}")
    for name in players:
        if not isinstance(name, str) or not name.strip() or len(name) > _LONGEST_NAME or not _is_writable(name):
            raise SolunaError(
                f"players: a name is printable text of 1 to {_LONGEST_NAME} characters, not {shown(name)}"
            )
    return players[0], players[1]


def _is_writable(name: str) -> bool:
    """Say whether a name has no line ends, controls and the like; the joiners of many scripts and of emoji are fine."""
    return all(letter.isprintable() or letter in "\u00a0\u200c\u200d" for letter in name)


def _check_seed(seed: int | None) -> int:
    if seed is None:
        return secrets.randbelow(10**9)
    number = whole_number(seed)
    if number is None or abs(number) >= 10**40:
        raise SolunaError(f"seed: a whole number of at most 40 digits, or None, not {shown(seed)}")
    return number


def _check_seat(name: str, seat: int) -> int:
    number = whole_number(seat)
    if number not in (0, 1):
        raise SolunaError(f"{name}: player 0 or player 1, not {shown(seat)}")
    return number


def _check_flag(name: str, flag: bool) -> bool:
    if not isinstance(flag, bool):
        raise SolunaError(f"{name}: True or False, not {shown(flag)}")
    return flag
