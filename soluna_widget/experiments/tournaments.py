"""Round robins: everybody against everybody, in one process or in many, with the same result."""

from __future__ import annotations

import json
import math
import secrets
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, as_completed, wait
from itertools import combinations
from typing import TYPE_CHECKING, Any

from soluna_widget.discs import DiscSet
from soluna_widget.errors import SolunaError, shown, whole_number
from soluna_widget.experiments.bars import Progress, bar
from soluna_widget.experiments.intervals import paired, wilson
from soluna_widget.experiments.matches import find_rulebook
from soluna_widget.experiments.play import Chunk, Game, Played, Settings, pack, play_chunk, work
from soluna_widget.experiments.starts import Start, check_flag, find_start
from soluna_widget.match import Rulebook
from soluna_widget.rules import Position
from soluna_widget.strategies import Strategy, find

if TYPE_CHECKING:
    import pandas

    from soluna_widget.plots import Plot

_PATIENCE = 2.0
"""Seconds that an interrupted tournament waits for what its workers have."""

_CHUNKS = 64
"""About so many chunks a tournament has: few enough that starting one costs nothing, many enough to share evenly."""


class Tournament:
    """What came of a tournament; made by `tournament`.

    Attributes:
        players: The names, in order.
        unit: "round" or "match": what is independent, and what is counted.
        seed: Where its chance came from.
        games: A row for each round or match: `player`, `opponent`, `number`, `first` (who moved first; in a match, who
            opened it or chose), `winner`, `start`, `rounds`, `moves`.
        pairs: A row for each pair: `player`, `opponent`, `played`, `wins`, `losses`, `win_rate` and its interval from
            `low` to `high`, `first_share` (of rounds, won by who moved first), `rounds` and `moves` (average length),
            `different` (how many went differently), and `ms_per_move`, `opponent_ms_per_move`.
        missing: A row for each pair of which games are missing: `player`, `opponent`, `missing`, `why`.
        notes: Sentences on what a reader should know.
    """

    def __init__(
        self, settings: Settings, players: Sequence[str], wanted: int, found: Iterable[Game], stopped: Mapping[Any, str]
    ) -> None:
        import pandas

        self.players = tuple(players)
        self.unit = "round" if settings.rulebook is None else "match"
        self.seed = settings.seed
        games = sorted(found, key=lambda game: (game.a, game.b, game.number))
        played = [game for game in games if game.winner is not None]
        by_pair = {pair: [g for g in played if (g.a, g.b) == pair] for pair in combinations(range(len(players)), 2)}
        self.games = pandas.DataFrame(
            [self._game(game) for game in played],
            columns=["player", "opponent", "number", "first", "winner", "start", "rounds", "moves"],
        )
        self.pairs = pandas.DataFrame([self._pair(*pair, some, settings.swap) for pair, some in by_pair.items()])
        missing, notes = [], []
        for (a, b), some in by_pair.items():
            pair = f"{players[a]} against {players[b]}"
            if len(some) < wanted:
                errors = [game.error for game in games if (game.a, game.b) == (a, b) and game.error]
                why = "; ".join([*errors[:1], *([stopped[a, b]] if (a, b) in stopped else [])])
                missing.append((players[a], players[b], wanted - len(some), why))
                notes.append(f"{pair}: {wanted - len(some):,} of {wanted:,} {self.unit}s are missing: {why}.")
            ways = len({game.course for game in some})
            if not isinstance(settings.start, DiscSet) and len(some) > 2 and ways <= 2:
                notes.append(
                    f"{pair}: from one start these players repeat themselves; {len(some):,} {self.unit}s went "
                    f"{'one way' if ways == 1 else 'two ways'}, so the interval says nothing."
                )
        self.notes = tuple(notes)
        self.missing = pandas.DataFrame(missing, columns=["player", "opponent", "missing", "why"])

    def _game(self, game: Game) -> dict[str, Any]:
        names = self.players[game.a], self.players[game.b]
        return {
            "player": names[0],
            "opponent": names[1],
            "number": game.number,
            "first": names[game.opener],
            "winner": names[game.winner or 0],
            "start": game.start,
            "rounds": game.rounds,
            "moves": game.moves,
        }

    def _pair(self, a: int, b: int, games: list[Game], swap: bool) -> dict[str, Any]:
        wins, played = sum(game.winner == 0 for game in games), len(games)
        rounds = sum(game.rounds for game in games)
        low, high = _paired_interval(games) if swap else wilson(wins, played)
        return {
            "player": self.players[a],
            "opponent": self.players[b],
            "played": played,
            "wins": wins,
            "losses": played - wins,
            "win_rate": _share(wins, played),
            "low": low,
            "high": high,
            "first_share": _share(sum(game.first_wins for game in games), rounds),
            "rounds": _share(rounds, played),
            "moves": _share(sum(game.moves for game in games), rounds),
            "different": len({game.course for game in games}),
            "ms_per_move": 1000 * _share(sum(g.seconds[0] for g in games), sum(g.turns[0] for g in games)),
            "opponent_ms_per_move": 1000 * _share(sum(g.seconds[1] for g in games), sum(g.turns[1] for g in games)),
        }

    def matrix(self) -> pandas.DataFrame:
        """Give the win rates as a square: how often the player of the row beat that of the column."""
        import pandas

        square = pandas.DataFrame(math.nan, self.players, self.players)
        square.index.name, square.columns.name = "player", "opponent"
        for row in self.pairs.itertuples():
            square.loc[row.player, row.opponent] = row.win_rate
            square.loc[row.opponent, row.player] = 1 - row.win_rate
        return square

    def ratings(self, level: float = 0.95) -> pandas.DataFrame:
        """Rate the players on one scale: `player`, `rating` in Elo points around 0, and its interval `low` to `high`.

        Two players whose ratings are 400 apart win 10 to 1. Needs choix (in the extra `experiments`).

        Args:
            level: How often such intervals shall hold the true rating.

        Raises:
            SolunaError: If `level` is no number between 0 and 1, or choix is not installed.

        Source: R. A. Bradley and M. E. Terry, *Biometrika* 39 (1952), fitted by choix. Each pair counts half a win more
        on both sides, so that one who always wins has a rating. The intervals come of 400 fits to win rates drawn from
        what the results leave open (beta distributions); they know nothing of seats that were swapped.
        """
        from soluna_widget.experiments.ratings import rate

        return rate(self.players, self.pairs, self.seed, level)

    def plot(self) -> Plot:
        """Draw the win rates as a square."""
        from soluna_widget import plots

        return plots.win_rates(self.matrix(), f"Win rate of the row's player, per {self.unit}")

    def to_json(self) -> str:
        """Give everything but the single games as strict JSON: what is not known is null."""
        frames = {name: getattr(self, name).to_dict("records") for name in ("pairs", "missing")}
        told = {"players": self.players, "unit": self.unit, "seed": self.seed, **frames, "notes": self.notes}
        return json.dumps(_plain(told), allow_nan=False)

    def __repr__(self) -> str:
        text = f"<Tournament: {len(self.players)} players, {len(self.games):,} {self.unit}s, seed {self.seed}>"
        return "\n".join((text, *self.notes))

    def _repr_html_(self) -> str:
        from html import escape

        notes = "".join(f"<p>{escape(note)}</p>" for note in self.notes)
        return f"{self.pairs.to_html(index=False, float_format='{:.3f}'.format)}{notes}"


def tournament(
    players: Sequence[object] | Mapping[str, object],
    rounds: int | None = None,
    rulebook: str | Rulebook = "bga",
    seed: int | None = None,
    executor: Executor | None = None,
    progress: Progress = True,
    *,
    matches: int | None = None,
    start: Start = None,
    swap: bool = False,
    misere: bool = False,
) -> Tournament:
    """Let everybody play everybody: needs pandas.

    Args:
        players: Two or more strategies or their names; or a mapping that gives each a name of its own.
        rounds: How many independent rounds each pair plays, 1 or more, each on a fresh layout, opening in turns; 100 if
            `matches` is not given either. The rounds of a match depend on each other, so they are not these.
        rulebook: That of the matches, "bga", "morapiaf" or a Rulebook; single rounds need none.
        seed: A whole number that makes it repeatable; None draws one, which the result keeps.
        executor: Any `concurrent.futures.Executor` to share the work out to; None plays here and now. The result is the
            same, but for time-budgeted players and the columns of times.
        progress: Whether to show a bar, or what makes one, such as `tqdm.auto.tqdm`.
        matches: How many whole matches each pair plays, instead of rounds, opening the first round in turns.
        start: As for `exact`: None throws the discs of the box anew each time.
        swap: Whether each layout is played twice, with the seats changed; then `rounds` is even, and the interval is
            that of pairs.
        misere: Whether who cannot move wins.

    Returns:
        A Tournament, whose attributes are data frames. An interrupt (Ctrl-C) ends it early: what was played is kept,
        and `missing` says what was not. So does a strategy that raises, for the game in which it did.

    Raises:
        SolunaError: If an argument is not as said, or the players cannot be taken to the executor's processes.
    """
    strategies = _find_players(players, misere)
    book, wanted = _find_unit(rounds, matches, rulebook)
    check_flag("swap", swap)
    check_flag("misere", misere)
    origin = find_start(start)
    if book is not None and not isinstance(origin, DiscSet | Position):
        raise SolunaError(f"start: a match starts from discs or a Position, not {shown(start)}")
    if swap and (book is not None or wanted % 2):
        raise SolunaError("swap: seats are changed in rounds, of which there must be an even number, not in matches")
    if executor is not None and not callable(getattr(executor, "submit", None)):
        raise SolunaError(f"executor: a concurrent.futures.Executor or None, not {shown(executor)}")
    settings = Settings(_find_seed(seed), origin, book, swap, misere)
    chunks = list(_chunks(len(strategies), wanted))
    games: list[Game] = []
    stopped: dict[tuple[int, int], str] = {}
    unit = " rounds" if book is None else " matches"
    left = dict.fromkeys(chunks)
    with bar(progress, wanted * math.comb(len(strategies), 2), unit) as tell:
        if executor is None:
            done = _here(settings, list(strategies.values()), chunks)
        else:
            done = _elsewhere(settings, list(strategies.values()), chunks, executor)
        try:
            for chunk, played in done:
                games += played.games
                del left[chunk]
                if played.stopped:
                    stopped[chunk.a, chunk.b] = played.stopped
                tell(len(played.games))
        except KeyboardInterrupt:
            pass
    for chunk in left:
        stopped.setdefault((chunk.a, chunk.b), "interrupted")
    return Tournament(settings, list(strategies), wanted, games, stopped)


Done = Iterator[tuple[Chunk, Played]]


def _chunks(players: int, wanted: int) -> Iterator[Chunk]:
    pairs = list(combinations(range(players), 2))
    size = max(1, math.ceil(wanted * len(pairs) / _CHUNKS))
    for a, b in pairs:
        for begin in range(0, wanted, size):
            yield Chunk(a, b, begin, min(begin + size, wanted))


def _here(settings: Settings, players: Sequence[Strategy], chunks: Sequence[Chunk]) -> Done:
    for chunk in chunks:
        played = play_chunk(settings, players, chunk)
        yield chunk, played
        if played.stopped:
            return


def _elsewhere(settings: Settings, players: Sequence[Strategy], chunks: Sequence[Chunk], executor: Executor) -> Done:
    packed = pack(players)
    futures: dict[Future[Played], Chunk] = {}
    seen: set[Future[Played]] = set()
    why = ""
    try:
        for chunk in chunks:
            futures[executor.submit(work, settings, packed, chunk)] = chunk
        for future in as_completed(futures):
            played = future.result()
            seen.add(future)
            yield futures[future], played
    except (KeyboardInterrupt, CancelledError):
        why = "interrupted"
    except BrokenExecutor as error:
        why = f"the workers ended ({error})"
        if not seen:
            raise SolunaError(
                f"executor: its workers ended before they played ({error}). In a script, start them under "
                "if __name__ == '__main__'"
            ) from error
    finally:
        for future in futures:
            future.cancel()
    if not why:
        return
    # Workers that were interrupted too give what they have; for others it would be long to wait.
    wait(futures, timeout=_PATIENCE)
    for future, chunk in futures.items():
        if future not in seen:
            good = future.done() and not future.cancelled() and future.exception() is None
            yield chunk, future.result() if good else Played([], why)


def _paired_interval(games: list[Game]) -> tuple[float, float]:
    """Give the interval of a win rate from pairs of games on one layout; a game whose twin is missing is left out."""
    won = {game.number: game.winner == 0 for game in games}
    # Even numbers are those in which the player moved first.
    kinds = Counter((won[n], won[n + 1]) for n in won if n % 2 == 0 and n + 1 in won)
    return paired(kinds[True, True], kinds[True, False], kinds[False, True], kinds[False, False])


def _find_players(players: Any, misere: bool) -> dict[str, Strategy]:
    if isinstance(players, Mapping):
        found = [(name, find(player, f"players[{name!r}]", misere)) for name, player in players.items()]
        for name, _ in found:
            if not isinstance(name, str):
                raise SolunaError(f"players: names are texts, not {shown(name)}")
    elif isinstance(players, Iterable) and not isinstance(players, str):
        strategies = [find(player, f"players[{number}]", misere) for number, player in enumerate(players)]
        found = [(strategy.name, strategy) for strategy in strategies]
    else:
        raise SolunaError(f"players: a list of strategies or names, or a mapping, not {shown(players)}")
    if len(found) < 2:
        raise SolunaError(f"players: two or more, not {len(found)}")
    twice = [name for name, count in Counter(name for name, _ in found).items() if count > 1]
    if twice:
        raise SolunaError(f"players: two are called {shown(twice[0])}; give a mapping with a name for each")
    return dict(found)


def _find_unit(rounds: Any, matches: Any, rulebook: Any) -> tuple[Rulebook | None, int]:
    if rounds is not None and matches is not None:
        raise SolunaError("matches: give rounds or matches, not both")
    name, value = ("rounds", 100 if rounds is None else rounds) if matches is None else ("matches", matches)
    number = whole_number(value)
    if number is None or number < 1:
        raise SolunaError(f"{name}: a number of 1 or more for each pair, not {shown(value)}")
    book = find_rulebook(rulebook)
    return (None if matches is None else book), number


def _find_seed(seed: Any) -> int:
    if seed is None:
        return secrets.randbelow(10**9)
    number = whole_number(seed)
    if number is None:
        raise SolunaError(f"seed: a whole number or None, not {shown(seed)}")
    return number


def _share(part: float, whole: float) -> float:
    return part / whole if whole else math.nan


def _plain(value: Any) -> Any:
    """Give a value as JSON has it."""
    if isinstance(value, Mapping):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
