"""How strength depends on one thing: the layout, the rate of errors, the size of the game, the budget."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from math import factorial, prod
from typing import TYPE_CHECKING, Any

from soluna_widget.discs import DiscSet
from soluna_widget.errors import SolunaError, shown, whole_number
from soluna_widget.experiments.bars import Progress
from soluna_widget.experiments.chain import exact, find_with_policy, win_chances
from soluna_widget.experiments.starts import Start, chances, check_flag, find_start
from soluna_widget.experiments.tournaments import tournament
from soluna_widget.rules import SYMBOLS, Position
from soluna_widget.strategies import FalliblePlayer, MonteCarloPlayer, PerfectPlayer, find

if TYPE_CHECKING:
    import pandas

    from soluna_widget.plots import Plot


@dataclass(frozen=True)
class Sweep:
    """A table of results, and how it is drawn.

    Args:
        frame: A row for each value that was tried.
        by: The column of these values.
        by_label: What it holds, with its unit.
        lines: For each column of win rates what its line is called.
        label: What was found out: the title of the figure.
        logarithmic: Whether the values are drawn on a logarithmic scale.
    """

    frame: pandas.DataFrame
    by: str
    by_label: str
    lines: Mapping[str, str]
    label: str
    logarithmic: bool = False

    def plot(self) -> Plot:
        """Draw the win rates."""
        from soluna_widget import plots

        return plots.trend(self.frame, self.by, self.by_label, self.lines, self.label, self.logarithmic)

    def __repr__(self) -> str:
        return f"<Sweep: {self.label}>\n{self.frame}"

    def _repr_html_(self) -> str:
        return str(self.frame.to_html(index=False))


def exact_square(
    players: Iterable[object] | Mapping[str, object], start: Start = None, *, misere: bool = False
) -> pandas.DataFrame:
    """Work out every match-up: the probability that the row's player wins when first against the column's.

    Args:
        players: Strategies with policies, or their names; or a mapping that gives each a name.
        start: As for `exact`.
        misere: Whether who cannot move wins.

    Raises:
        SolunaError: As for `exact`.
    """
    import pandas

    given = players if isinstance(players, Mapping) else {find(p, "players", misere).name: p for p in players}
    return pandas.DataFrame(
        [[exact(one, other, start, misere=misere) for other in given.values()] for one in given.values()],
        index=pandas.Index(list(given), name="first"),
        columns=pandas.Index(list(given), name="second"),
    )


def by_layout(first: object, second: object, start: Start = None, *, misere: bool = False) -> pandas.DataFrame:
    """Work out the match-up for each start, up to renaming symbols: which layouts are good for the first player.

    Args:
        first: Who moves first: a strategy with a policy, or its name; invariant under renaming.
        second: The other one.
        start: None for the discs of the box, or a DiscSet.
        misere: Whether who cannot move wins.

    Returns:
        A row for each start, the likeliest first: `start`, `share` (of all falls), `outcome` ("N": the first player
        can win), `first_wins`.

    Raises:
        SolunaError: As for `exact`, and if a player is not invariant.
    """
    import pandas

    check_flag("misere", misere)
    if not isinstance(find_start(start), DiscSet):
        raise SolunaError(f"start: a DiscSet, or None for the discs of the box, not {shown(start)}")
    players = find_with_policy("first", first, misere), find_with_policy("second", second, misere)
    for player in players:
        if not getattr(player, "invariant", False):
            raise SolunaError(
                f"{shown(player.name)} is not invariant under renaming symbols, so layouts differ by name"
            )
    shares: dict[Position, float] = {}
    for position, share in chances(start).items():
        shares[position.canonical()] = shares.get(position.canonical(), 0.0) + float(share)
    wins, judge = win_chances(*players, shares, misere), PerfectPlayer(misere)
    rows = [(str(p), share, "N" if judge.opening(p) else "P", wins[p]) for p, share in shares.items()]
    frame = pandas.DataFrame(rows, columns=["start", "share", "outcome", "first_wins"])
    return frame.sort_values(["share", "start"], ascending=[False, True], ignore_index=True)


def by_error(
    errors: Iterable[float] = (0, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1),
    opponent: object = "perfect",
    start: Start = None,
    *,
    misere: bool = False,
) -> Sweep:
    """Work out how often a fallible player wins, first and second, for each rate of errors.

    Args:
        errors: Probabilities of a random move.
        opponent: A strategy with a policy, or its name.
        start: As for `exact`.
        misere: Whether who cannot move wins.

    Returns:
        A Sweep with the columns `error`, `first` and `second` (win rates in that seat) and `win_rate` (of both).

    Raises:
        SolunaError: As for `exact`, and if an error is no probability.
    """
    import pandas

    rows = []
    for error in errors:
        player = FalliblePlayer(error, misere=misere)
        first = exact(player, opponent, start, misere=misere)
        second = 1 - exact(opponent, player, start, misere=misere)
        rows.append((float(error), first, second, (first + second) / 2))
    frame = pandas.DataFrame(rows, columns=["error", "first", "second", "win_rate"])
    name = find(opponent, "opponent", misere).name
    lines = {"first": "first", "second": "second"}
    return Sweep(frame, "error", "probability of a random move", lines, f"Fallible against {name}, exactly")


def by_size(
    first: object = "random",
    second: object = "random",
    discs: Iterable[int] = range(2, 11),
    symbols: Iterable[int] = (2, 3, 4),
    *,
    misere: bool = False,
) -> Sweep:
    """Work out how often the first player wins for each number of discs and of symbols.

    Each disc shows each symbol with the same probability, independently of the others.

    Args:
        first: Who moves first: a strategy with a policy, or its name; invariant under renaming.
        second: The other one.
        discs: Numbers of discs.
        symbols: Numbers of symbols.
        misere: Whether who cannot move wins.

    Returns:
        A Sweep: a row for each number of discs, with the columns `discs` and, say, `symbols_3`.

    Raises:
        SolunaError: As for `exact`, and if a number is not as said.
    """
    import pandas

    from soluna_widget.solver.plain import starts

    check_flag("misere", misere)
    sizes, kinds = _numbers("discs", discs, 64), _numbers("symbols", symbols, len(SYMBOLS))
    players = find_with_policy("first", first, misere), find_with_policy("second", second, misere)
    rows = []
    for size in sizes:
        row: dict[str, Any] = {"discs": size}
        for kind in kinds:
            weights = {
                Position.start(**dict(zip(SYMBOLS, counts, strict=False))): _share(counts, kind)
                for counts in starts(size, kind)
            }
            wins = win_chances(*players, weights, misere)
            row[f"symbols_{kind}"] = sum(weight * wins[position] for position, weight in weights.items())
        rows.append(row)
    lines = {f"symbols_{kind}": f"{kind} symbols" for kind in kinds}
    label = f"{players[0].name} moving first against {players[1].name}, exactly"
    return Sweep(pandas.DataFrame(rows), "discs", "number of discs", lines, label)


def by_budget(
    budgets: Iterable[int] = (1, 3, 10, 30, 100),
    opponent: object = "greedy",
    rounds: int = 200,
    seed: int | None = None,
    executor: Executor | None = None,
    progress: Progress = True,
    *,
    start: Start = None,
    misere: bool = False,
) -> Sweep:
    """Play to see how the strength of Monte Carlo tree search grows with its playouts.

    Args:
        budgets: Numbers of playouts for a move.
        opponent: A strategy, or its name.
        rounds: How many rounds each plays, moving first in half of them.
        seed: As for `tournament`, as are executor and progress.
        executor: See there.
        progress: See there.
        start: As for `exact`.
        misere: Whether who cannot move wins.

    Returns:
        A Sweep with the columns `playouts`, `played`, `wins`, `win_rate`, `low` and `high` (Wilson).

    Raises:
        SolunaError: As for `tournament`, and if a budget is not as said.
    """
    import pandas

    rows = []
    for budget in budgets:
        pair = {"searching": MonteCarloPlayer(budget, misere=misere), "opponent": find(opponent, "opponent", misere)}
        found = tournament(pair, rounds, seed=seed, executor=executor, progress=progress, start=start, misere=misere)
        row = found.pairs.iloc[0]
        rows.append((budget, *row[["played", "wins", "win_rate", "low", "high"]]))
    frame = pandas.DataFrame(rows, columns=["playouts", "played", "wins", "win_rate", "low", "high"])
    name = find(opponent, "opponent", misere).name
    label = f"Monte Carlo tree search against {name}"
    return Sweep(frame, "playouts", "playouts for a move", {"win_rate": "win rate"}, label, logarithmic=True)


def _share(counts: tuple[int, ...], symbols: int) -> float:
    """Give the probability that discs show some counts, whichever symbols have them."""
    discs = sum(counts)
    counts = counts + (0,) * (symbols - len(counts))
    arrangements: int = factorial(discs) // prod(map(factorial, counts))
    names: int = factorial(symbols) // prod(factorial(counts.count(count)) for count in set(counts))
    share: float = arrangements * names / symbols**discs
    return share


def _numbers(name: str, values: Iterable[int], most: int) -> list[int]:
    found = [whole_number(value) for value in values]
    if not found or any(number is None or not 1 <= number <= most for number in found):
        raise SolunaError(f"{name}: whole numbers from 1 to {most}, not {shown(values)}")
    return [number for number in found if number is not None]
