"""`solve` and what it gives: one face for both solvers."""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from soluna_widget.errors import SolunaError, shown, whole_number
from soluna_widget.rules import SYMBOLS, Move, Position
from soluna_widget.solver.counts import count_positions, estimate_memory, has_numpy
from soluna_widget.solver.marks import MOST_DISCS, Outcome, outcome_of, remoteness_of
from soluna_widget.solver.plain import Groups, PlainStore, sort_groups, starts

if TYPE_CHECKING:
    import pandas

Method = Literal["arrays", "plain"]

_FORMAT = "soluna-solution"
_VERSION = 1
_MOST_PLAIN = 1_000_000


class Store(Protocol):
    """What a solver leaves: the marks and Grundy values of all positions."""

    def __len__(self) -> int: ...

    def find(self, groups: Groups) -> tuple[int, int]: ...

    def stored(self) -> tuple[bytes, bytes]: ...

    def texts(self) -> list[str]: ...

    def levels(self) -> list[int]: ...


def solve(
    discs: int = 12,
    symbols: int = 4,
    misere: bool = False,
    progress: Callable[..., Any] | None = None,
    *,
    grundy: bool = True,
    method: Method | None = None,
) -> Solution:
    """Solve every position of `discs` discs that show up to `symbols` symbols.

    Args:
        discs: How many discs, 1 to 64; memory sets the limit long before.
        symbols: How many symbols at most, 1 to 26.
        misere: Whether who cannot move wins.
        progress: Makes a progress bar, such as `tqdm.auto.tqdm`: called with `total=` and `unit=`, updated and closed.
        grundy: Whether Grundy values are wanted. Without them a solution takes half the memory and reaches further.
        method: "arrays" needs numpy, "plain" does not; None takes the former where numpy is.

    Raises:
        SolunaError: If an argument is not as said, or the memory that is free does not suffice: the estimate is in the
            sentence.

    The array solver is described in `soluna_widget.solver.arrays`.

    >>> solution = solve(6, 2)
    >>> len(solution)
    65
    >>> solution.outcome("S1^3 M1^3"), solution.outcome("S1^4 M1^2")
    ('P', 'N')
    """
    discs_count = _check_count("discs", discs, MOST_DISCS)
    symbols_count = _check_count("symbols", symbols, len(SYMBOLS))
    for name, flag in (("misere", misere), ("grundy", grundy)):
        if not isinstance(flag, bool):
            raise SolunaError(f"{name}: True or False, not {shown(flag)}")
    kind = _find_method(method)
    if kind == "arrays":
        _check_memory(discs_count, symbols_count, grundy and not misere)
    total = count_positions(discs_count, symbols_count)
    if kind == "plain" and total > _MOST_PLAIN:
        raise SolunaError(
            f"discs: {total:,} positions are too many for the plain solver; with numpy (pip install "
            "'soluna-widget[solve]') they can be solved"
        )
    store_kind = _store_kind(kind)
    bar = None if progress is None else progress(total=total, unit=" positions")
    try:
        told = _nothing if bar is None else bar.update
        # More symbols than discs cannot show.
        most = min(symbols_count, discs_count)
        store: Store = store_kind.solve(discs_count, most, misere, grundy and not misere, told)
    finally:
        if bar is not None:
            bar.close()
    return Solution(store, discs_count, symbols_count, misere, grundy and not misere)


def estimate(discs: int, symbols: int, grundy: bool = True) -> tuple[int, int]:
    """Say what a solution takes: how many positions it has, and about how many bytes of memory, from above.

    Raises:
        SolunaError: If a number is not as `solve` takes it.
    """
    discs = _check_count("discs", discs, MOST_DISCS)
    symbols = min(_check_count("symbols", symbols, len(SYMBOLS)), discs)
    return count_positions(discs, symbols), estimate_memory(discs, symbols, grundy)


class Solution:
    """The outcome, remoteness and Grundy value of every position of one size; made by `solve` or `Solution.load`."""

    def __init__(self, store: Store, discs: int, symbols: int, misere: bool, grundy: bool) -> None:
        self._store = store
        self._discs, self._symbols = discs, symbols
        self._misere, self._grundy = misere, grundy

    @property
    def discs(self) -> int:
        """How many discs its positions have."""
        return self._discs

    @property
    def symbols(self) -> int:
        """How many symbols its positions show at most."""
        return self._symbols

    @property
    def misere(self) -> bool:
        """Whether who cannot move wins."""
        return self._misere

    def __len__(self) -> int:
        return len(self._store)

    def outcome(self, position: Position | str) -> Outcome:
        """Say "P" when the player to move loses, "N" otherwise.

        Args:
            position: Any position of that many discs, or its text, with any symbol names.

        Raises:
            InvalidNotation: If a text is no position.
            SolunaError: If the position has another number of discs, or more symbols.
        """
        return outcome_of(self._find(position)[0])

    def remoteness(self, position: Position | str) -> int:
        """Say how many moves it is to the end, when the winner hurries and the loser delays.

        Raises:
            InvalidNotation, SolunaError: As for `outcome`.
        """
        return remoteness_of(self._find(position)[0])

    def grundy(self, position: Position | str) -> int:
        """Give the Grundy value: the smallest number that no option has.

        Raises:
            InvalidNotation, SolunaError: As for `outcome`; under misère play, where Grundy values tell nothing; and
                where they were not wanted.
        """
        if self._misere:
            raise SolunaError("Grundy values are for normal play: this is a solution of misère play")
        if not self._grundy:
            raise SolunaError("this solution was made without Grundy values: solve(..., grundy=True) makes them")
        return self._find(position)[1]

    def winning_moves(self, position: Position | str) -> tuple[Move, ...]:
        """Give the moves after which the other player loses, in the position's own symbols; none from a lost one.

        Raises:
            InvalidNotation, SolunaError: As for `outcome`.
        """
        position = _read(position)
        self._find(position)
        return tuple(move for move in position.moves() if self.outcome(position.play(move)) == "P")

    def starts(self) -> tuple[tuple[tuple[int, ...], int | Outcome], ...]:
        """Give every start: how many discs show each symbol, the most first, and its Grundy value.

        Under misère play, and without Grundy values, the outcome stands in its place.
        """
        found: list[tuple[tuple[int, ...], int | Outcome]] = []
        for counts in starts(self._discs, self._symbols):
            mark, value = self._store.find(sort_groups((1,) * count for count in counts))
            found.append((counts, value if self._grundy else outcome_of(mark)))
        return tuple(found)

    def to_frame(self) -> pandas.DataFrame:
        """Give all positions as a table: `position` (text), `stacks`, `outcome`, `remoteness` and, if known, `grundy`.

        The rows are ordered by the number of stacks.

        Raises:
            SolunaError: If pandas is not installed.
        """
        try:
            import numpy
            import pandas
        except ImportError as error:
            raise SolunaError(f"a table needs pandas: pip install 'soluna-widget[course]' ({error})") from None

        texts = self._store.texts()
        marks, values = (numpy.frombuffer(stored, numpy.uint8) for stored in self._store.stored())
        # A byte has 256 values: each is read once, in the one place that knows how.
        lost = numpy.array([outcome_of(mark) == "P" for mark in range(256)]).take(marks)
        remoteness = numpy.array([remoteness_of(mark) for mark in range(256)], numpy.int16)
        columns: dict[str, Any] = {
            "position": texts,
            "stacks": numpy.repeat(numpy.arange(1, self._discs + 1), self._store.levels()),
            "outcome": pandas.Categorical.from_codes(lost.astype(numpy.int8), ["N", "P"]),
            "remoteness": remoteness.take(marks),
        }
        if self._grundy:
            columns["grundy"] = values
        return pandas.DataFrame(columns)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the solution to a file; a file that is there is replaced only when all is written.

        Raises:
            OSError: If that fails.
        """
        path = Path(path)
        marks, values = self._store.stored()
        header = {"format": _FORMAT, "version": _VERSION, "discs": self._discs, "symbols": self._symbols}
        header |= {"misere": self._misere, "grundy": self._grundy, "positions": len(self)}
        half = path.with_name(f"{path.name}.{os.getpid()}.half")
        try:
            with zipfile.ZipFile(half, "w", zipfile.ZIP_DEFLATED) as file:
                file.writestr("header.json", json.dumps(header))
                file.writestr("marks", marks)
                if self._grundy:
                    file.writestr("grundy", values)
            half.replace(path)
        finally:
            half.unlink(missing_ok=True)

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, method: Method | None = None) -> Solution:
        """Read a solution that was saved, by either solver.

        Args:
            path: The file.
            method: As for `solve`.

        Raises:
            OSError: If it cannot be read.
            SolunaError: If it is damaged, no solution, or of another version.
        """
        name = shown(os.fspath(path))
        kind = _store_kind(_find_method(method))
        try:
            with zipfile.ZipFile(path) as file:
                header = json.loads(file.read("header.json"))
                if not isinstance(header, dict) or header.get("format") != _FORMAT:
                    raise SolunaError(f"path: {name} is no solution")
                if header["version"] != _VERSION:
                    raise SolunaError(f"path: {name} has version {header['version']!r}; this reads {_VERSION}")
                discs = _check_count("discs", header["discs"], MOST_DISCS)
                symbols = _check_count("symbols", header["symbols"], len(SYMBOLS))
                misere, grundy = header["misere"] is True, header["grundy"] is True
                marks, values = file.read("marks"), file.read("grundy") if grundy else None
        except SolunaError:
            raise
        except (zipfile.BadZipFile, zipfile.LargeZipFile, KeyError, ValueError, EOFError, RuntimeError) as error:
            raise SolunaError(f"path: {name} is damaged, or no solution: {error}") from None
        total = count_positions(discs, symbols)
        if len(marks) != total or (values is not None and len(values) != total):
            raise SolunaError(f"path: {name} is damaged: it does not hold the values of {total:,} positions")
        return cls(kind.restore(discs, min(symbols, discs), marks, values), discs, symbols, misere, grundy)

    def __repr__(self) -> str:
        play = "misère" if self._misere else "normal"
        count = [_counted(self._discs, "disc"), _counted(self._symbols, "symbol"), _counted(len(self), "position")]
        return f"<Solution: {count[0]}, {count[1]}, {play} play, {count[2]}>"

    def _find(self, position: Position | str) -> tuple[int, int]:
        position = _read(position)
        if position.discs != self._discs:
            raise SolunaError(
                f"position: this solution is for {self._discs} discs, and {position} has {position.discs}"
            )
        heights: dict[str, list[int]] = {}
        for stack in position.stacks:
            heights.setdefault(stack.top, []).append(stack.height)
        if len(heights) > self._symbols:
            raise SolunaError(
                f"position: this solution is for {self._symbols} symbols, and {position} shows {len(heights)}"
            )
        return self._store.find(sort_groups(tuple(reversed(group)) for group in heights.values()))


def _read(position: Position | str) -> Position:
    if isinstance(position, Position):
        return position
    if isinstance(position, str):
        return Position.parse(position)
    raise SolunaError(f"position: a Position or its text, not {shown(position)}")


def _counted(number: int, thing: str) -> str:
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def _nothing(count: int) -> None:
    """What is told where nobody listens."""


def _check_count(name: str, value: object, most: int) -> int:
    number = whole_number(value)
    if number is None or not 1 <= number <= most:
        raise SolunaError(f"{name}: a whole number from 1 to {most}, not {shown(value)}")
    return number


def _find_method(method: Method | None) -> Method:
    if method is None:
        return "arrays" if has_numpy() else "plain"
    if method not in ("arrays", "plain"):
        raise SolunaError(f"method: 'arrays', 'plain' or None, not {shown(method)}")
    return method


def _store_kind(method: Method) -> Any:
    if method == "plain":
        return PlainStore
    from soluna_widget.solver.arrays import ArrayStore

    return ArrayStore


def _check_memory(discs: int, symbols: int, grundy: bool) -> None:
    needed, free = estimate_memory(discs, symbols, grundy), _free_memory()
    if free is not None and needed > free:
        total = count_positions(discs, symbols)
        raise SolunaError(
            f"discs: {total:,} positions of {discs} discs and {symbols} symbols take about {needed / 1e9:.1f} GB of "
            f"memory, and {free / 1e9:.1f} GB are free" + ("; grundy=False takes less" if grundy else "")
        )


def _free_memory() -> int | None:
    """Say how many bytes of memory can still be had, None where nothing tells."""
    try:
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except (OSError, ValueError):
        pass
    try:
        # On other systems than Linux: Jupyter's kernel brings it.
        import psutil
    except ImportError:
        return None
    return int(psutil.virtual_memory().available)
