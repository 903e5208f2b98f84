r"""A match as text, in the spirit of PGN: text to plain data, and back.

    [Soluna "1"]
    [Players "Sol" "Luna"]
    [Rulebook "bga"]
    [Seed "8731"]
    [Date "2026-11-29"]
    [Opener "0"]

    Round 1: CS CT ST ST MC SM TC SM CM MT MT SC
    1. S1#4>C1#9  2. C1#2>C1  3. S1>S2
    Result: 0-0, unfinished

Lines of headers come first, each a name and its values as JSON strings: the format's version, the two players, the
rulebook, the seed and the date are always there; the first opener (`Opener`, 0 or 1) where the players agree on one, or
who chooses (`Youngest`, 0 or 1); and where they are not the usual ones the disc set (`Discs`), a start chosen by hand
(`Start`), `Placing "yes"` and `Misere "yes"`. A rulebook of one's own is written out:
`[Rulebook "house" "first_opener=agreed next_layout=new next_opener=loser stars=2"]`.

Then a block per round. `Round 2:` is followed by the discs in the order of their numbers, each by its two symbols, the
face-up one first; with a start chosen by hand by nothing. Where somebody chose, `choose first` or `choose second` is
next. Moves follow, numbered from 1. Where several stacks look alike, a move takes the one with the lowest number;
another is named with #: in `S1#4>C1#9` the target is the stack that lies where the ninth disc fell. Text in braces is a
comment.

The last line gives the stars and `unfinished`, or `"Sol" won` (the winner's name): a text without it has been cut off.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from soluna_widget.discs import Disc
from soluna_widget.errors import InvalidNotation, shown
from soluna_widget.rules import Move

VERSION = "1"
_HEADERS = {
    "Soluna": 1, "Players": 2, "Rulebook": None, "Seed": 1, "Date": 1, "Opener": 1, "Youngest": 1, "Discs": 1,
    "Start": 1, "Placing": 1, "Misere": 1,
}  # fmt: skip
_NEEDED = ("Soluna", "Players", "Rulebook", "Seed")
_MOVES_A_LINE = 6


@dataclass(frozen=True, slots=True)
class RecordedMove:
    """A move, and the numbers of its two stacks where they are not the lowest that fit."""

    move: Move
    mover: int | None = None
    target: int | None = None
    line: int = field(default=0, compare=False)

    def __str__(self) -> str:
        mover = "" if self.mover is None else f"#{self.mover}"
        target = "" if self.target is None else f"#{self.target}"
        return f"{self.move.mover}{mover}>{self.move.target}{target}"


@dataclass(frozen=True, slots=True)
class RecordedRound:
    """One round: its discs in order, what was chosen, its moves."""

    discs: tuple[Disc, ...]
    choice: str | None = None
    moves: tuple[RecordedMove, ...] = ()
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Record:
    """A whole match: headers by name, rounds, the stars, and the winner's name, None while it is unfinished."""

    headers: dict[str, tuple[str, ...]]
    rounds: tuple[RecordedRound, ...]
    stars: tuple[int, int]
    winner: str | None
    lines: dict[str, int] = field(default_factory=dict, compare=False)

    def get(self, name: str) -> str | None:
        """Give the first value of a header, None where it is not there."""
        values = self.headers.get(name)
        return values[0] if values else None

    def header_error(self, name: str, why: object) -> InvalidNotation:
        """Make the error that says what is wrong with a header."""
        return invalid(self.lines.get(name, 0), f"{name}: {why}")


def invalid(line: int, why: object, round: int | None = None, ply: int | None = None) -> InvalidNotation:
    """Make the error that says where a record is damaged: line, and for a move its round and ply, all from 1."""
    where = f"line {line}"
    if round is not None and ply is not None:
        where += f", round {round}, ply {ply}"
    return InvalidNotation(f"{where}: {why}", code="invalid_record", line=line, round=round, ply=ply)


def format_record(record: Record) -> str:
    """Write a record as text; `parse_record` reads it back."""
    lines = [_format_header(name, values) for name, values in record.headers.items()]
    for number, played in enumerate(record.rounds, 1):
        lines += ["", f"Round {number}: {' '.join(str(disc) for disc in played.discs)}".rstrip()]
        if played.choice is not None:
            lines.append(f"choose {played.choice}")
        words = [f"{ply}. {move}" for ply, move in enumerate(played.moves, 1)]
        lines += ["  ".join(words[i : i + _MOVES_A_LINE]) for i in range(0, len(words), _MOVES_A_LINE)]
    won = "unfinished" if record.winner is None else f"{json.dumps(record.winner, ensure_ascii=False)} won"
    lines.append(f"Result: {record.stars[0]}-{record.stars[1]}, {won}")
    return "\n".join(lines) + "\n"


def parse_record(text: str) -> Record:
    """Read a record. Line ends of any system and a byte-order mark are accepted.

    Raises:
        InvalidNotation: If it is damaged: the sentence says in which line, and for a move in which round and ply.
    """
    if not isinstance(text, str):
        raise InvalidNotation(f"a record is text, not {shown(text)}")
    lines = re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff"))
    headers: dict[str, tuple[str, ...]] = {}
    where: dict[str, int] = {}
    rounds: list[_OpenRound] = []
    result: tuple[tuple[int, int], str | None] | None = None
    for number, raw in enumerate(lines, 1):
        line = raw.strip()
        if line.startswith("[") and not rounds and result is None:
            name, values = _parse_header(number, line)
            if name in headers:
                raise invalid(number, f"{name}: this header is there twice")
            headers[name], where[name] = values, number
            continue
        if not line.startswith("Result"):
            line = _without_comments(number, line)
        if not line:
            continue
        if result is not None:
            raise invalid(number, f"nothing follows the result, but here is {shown(line)}")
        if line.startswith("Round"):
            rounds.append(_parse_round(number, line, expected=len(rounds) + 1))
        elif line.startswith("Result"):
            result, where["Result"] = _parse_result(number, line), number
        elif not rounds:
            raise invalid(number, f"a header such as [Seed \"1\"] or 'Round 1:' is due here, not {shown(line)}")
        else:
            rounds[-1].read(number, line, round=len(rounds))
    for name in _NEEDED:
        if name not in headers:
            raise invalid(len(lines), f"{name}: this header is missing")
    if headers["Soluna"] != (VERSION,):
        raise invalid(where["Soluna"], f"Soluna: this is version {VERSION} of the format, not {headers['Soluna'][0]!r}")
    if result is None:
        raise invalid(len(lines), "the record is cut off: its last line, the result, is missing")
    if not rounds:
        raise invalid(len(lines), "there is no round in it")
    return Record(headers, tuple(played.closed() for played in rounds), *result, where)


@dataclass(slots=True)
class _OpenRound:
    """A round while its lines are read."""

    discs: tuple[Disc, ...]
    line: int
    choice: str | None = None
    moves: list[RecordedMove] = field(default_factory=list)

    def read(self, line: int, text: str, round: int) -> None:
        if text.startswith("choose"):
            found = re.fullmatch(r"choose (first|second)", text)
            if found is None:
                raise invalid(line, f"'choose first' or 'choose second' is meant, not {shown(text)}")
            if self.choice is not None or self.moves:
                raise invalid(line, "a choice is made once, before the first move")
            self.choice = found[1]
            return
        words = text.split()
        if len(words) % 2:
            raise invalid(line, "a move and its number belong together: 1. S1>M1", round, len(self.moves) + 1)
        for number, move in zip(words[::2], words[1::2], strict=True):
            ply = len(self.moves) + 1
            if number != f"{ply}.":
                raise invalid(line, f"the number of this move is {ply}., not {shown(number)}", round, ply)
            self.moves.append(_parse_move(line, move, round, ply))

    def closed(self) -> RecordedRound:
        return RecordedRound(self.discs, self.choice, tuple(self.moves), self.line)


def _format_header(name: str, values: tuple[str, ...]) -> str:
    return f"[{name} {' '.join(json.dumps(value, ensure_ascii=False) for value in values)}]"


def _parse_header(line: int, text: str) -> tuple[str, tuple[str, ...]]:
    found = re.fullmatch(r"\[([A-Z][a-z]*)((?: \"(?:[^\"\\]|\\.)*\")+)\]", text)
    if found is None:
        raise invalid(line, f'a header is written [Name "value"], not {shown(text)}')
    name = found[1]
    if name not in _HEADERS:
        raise invalid(line, f"{name}: there is no such header; there are {', '.join(_HEADERS)}")
    try:
        values = tuple(_strings(found[2]))
    except json.JSONDecodeError as error:
        raise invalid(line, f"{name}: {error.msg}") from None
    if len(values) != (_HEADERS[name] or len(values)):
        raise invalid(line, f"{name}: this header has {_HEADERS[name]} values, not {len(values)}")
    return name, values


def _strings(text: str) -> Iterator[str]:
    decoder, at = json.JSONDecoder(), 1
    while at < len(text):
        value, end = decoder.raw_decode(text, at)
        yield value
        at = end + 1


def _without_comments(line: int, text: str) -> str:
    bare = re.sub(r"\{[^{}]*\}", " ", text).strip()
    if "{" in bare or "}" in bare:
        raise invalid(line, "a comment ends with } in the line in which it begins with {")
    return bare


def _parse_round(line: int, text: str, expected: int) -> _OpenRound:
    head, colon, discs = text.partition(":")
    if head != f"Round {expected}" or not colon:
        raise invalid(line, f"'Round {expected}:' is due here, not {shown(text)}")
    try:
        return _OpenRound(tuple(Disc.parse(word) for word in discs.split()), line)
    except InvalidNotation as error:
        raise invalid(line, error) from None


def _parse_result(line: int, text: str) -> tuple[tuple[int, int], str | None]:
    found = re.fullmatch(r"Result: (\d{1,6})-(\d{1,6}), (?:unfinished|(\"(?:[^\"\\]|\\.)*\") won)", text, re.ASCII)
    if found is None:
        raise invalid(line, f"a result is written 'Result: 2-1, unfinished', not {shown(text)}")
    try:
        winner = None if found[3] is None else str(json.loads(found[3]))
    except json.JSONDecodeError as error:
        raise invalid(line, error.msg) from None
    return (int(found[1]), int(found[2])), winner


def _parse_move(line: int, text: str, round: int, ply: int) -> RecordedMove:
    found = re.fullmatch(r"([^#>]+)(?:#([1-9]\d{0,5}))?>([^#>]+)(?:#([1-9]\d{0,5}))?", text, re.ASCII)
    if found is None:
        raise invalid(line, f"{shown(text)} is not a move: write S1>M1 or S1#3>M1#7", round, ply)
    try:
        move = Move.parse(f"{found[1]}>{found[3]}")
    except InvalidNotation as error:
        raise invalid(line, error, round, ply) from None
    mover, target = (int(number) if number else None for number in (found[2], found[4]))
    return RecordedMove(move, mover, target, line)
