"""A panel for a class without code: choose two players, let them play, and see how sure one may be of who is better."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from functools import partial
from html import escape
from typing import Any

import ipywidgets as widgets

from soluna_widget.discs import DISC_SETS
from soluna_widget.errors import SolunaError, shown, whole_number
from soluna_widget.rules import SYMBOLS, Position
from soluna_widget.strategies import NAMED, find
from soluna_widget.widget.opponent import Thinker, running_loop

_BOX, _BABYLON, _OWN = "the discs of the box, thrown anew", "three of each symbol (Babylon)", "counts of your own"
_MOST_ROUNDS, _MOST_DISCS = 100_000, 20


class _Seat:
    """What is chosen for one of the two players."""

    def __init__(self, label: str, player: str) -> None:
        name, _, level = player.rpartition(" ") if re.search(r" [\d.]+$", player) else (player, "", "")
        self.name = widgets.Dropdown(options=list(NAMED), value=name, description=label)
        self.depth = widgets.BoundedIntText(value=2, min=1, max=12, description="depth")
        self.playouts = widgets.BoundedIntText(value=100, min=1, max=10_000, description="playouts")
        self.error = widgets.BoundedFloatText(value=0.2, min=0, max=1, step=0.05, description="errors")
        self.levels = {"minimax": self.depth, "monte carlo": self.playouts, "fallible": self.error}
        if level:
            self.levels[name].value = float(level) if name == "fallible" else int(level)
        self.box = widgets.VBox([self.name, *self.levels.values()])
        self.name.observe(self._show, "value")
        self._show()

    def _show(self, _: object = None) -> None:
        """Only the level that the player has."""
        for name, level in self.levels.items():
            level.layout.display = "" if name == self.name.value else "none"

    def text(self) -> str:
        """Give the player as `strategies.find` reads it."""
        level = self.levels.get(self.name.value)
        return self.name.value if level is None else f"{self.name.value} {level.value:g}"


class ExperimentPanel(widgets.VBox):  # type: ignore[misc]  # ipywidgets has no types
    """Two players, a layout, a number of rounds: run, and see the win rate with its interval and the exact answer.

    Args:
        players: Their names to begin with, such as "random" or "fallible 0.2"; see `strategies.NAMED`.
        rounds: How many rounds to begin with, 2 to 100,000; both players open as often.
        seed: Makes every run the same; None draws a new one for each.

    Raises:
        SolunaError: If an argument is not as said.

    Attributes:
        tournament: What the last run came to; None before.
        exact: The exact probability with which the first player wins a round when both open as often; None where a
            player has no policy, and before the first run.

    The work is done beside the kernel's own, which stays free; a notebook that runs unattended waits with
    `await panel.settled()`.
    """

    def __init__(
        self, players: tuple[str, str] = ("greedy", "random"), rounds: int = 200, *, seed: int | None = None
    ) -> None:
        if not isinstance(players, tuple | list) or len(players) != 2:
            raise SolunaError(f"players: two names, not {shown(players)}")
        for player in players:
            if not isinstance(player, str):
                raise SolunaError(f"players: names such as 'random', not {shown(player)}")
            find(player, "players")
        number = whole_number(rounds)
        if number is None or not 2 <= number <= _MOST_ROUNDS:
            raise SolunaError(f"rounds: a whole number from 2 to {_MOST_ROUNDS:,}, not {shown(rounds)}")
        if seed is not None and whole_number(seed) is None:
            raise SolunaError(f"seed: a whole number or None, not {shown(seed)}")
        self.tournament: Any = None
        self.exact: float | None = None
        self._seed = seed
        self._stop = threading.Event()
        self._thinker = Thinker()
        self._seats = _Seat("Player", players[0]), _Seat("against", players[1])
        wide = widgets.Layout(width="26em", max_width="100%")
        self._layout = widgets.Dropdown(options=[_BOX, _BABYLON, _OWN], description="start", layout=wide)
        self._counts = widgets.Text("4 4 4", description="counts", placeholder="such as 4 4 4")
        self._rounds = widgets.BoundedIntText(value=number, min=2, max=_MOST_ROUNDS, description="rounds")
        self._run = widgets.Button(description="Run", button_style="primary", icon="play")
        self._halt = widgets.Button(description="Stop", icon="stop", disabled=True)
        self._bar = widgets.IntProgress(value=0, min=0, max=1, description="played")
        self._said = widgets.HTML('<p role="status">Choose two players, and run.</p>')
        self._shown = widgets.HTML()
        self._layout.observe(self._show_counts, "value")
        self._show_counts()
        self._run.on_click(lambda _: self.run())
        self._halt.on_click(lambda _: self.stop())
        super().__init__(
            [
                widgets.HBox([seat.box for seat in self._seats], layout=widgets.Layout(flex_flow="row wrap")),
                widgets.HBox([self._layout, self._counts, self._rounds], layout=widgets.Layout(flex_flow="row wrap")),
                widgets.HBox([self._run, self._halt, self._bar], layout=widgets.Layout(flex_flow="row wrap")),
                self._said,
                self._shown,
            ]
        )

    def run(self) -> None:
        """Begin a run with what is chosen; what is wrong with it is said in the panel."""
        if self._run.disabled:
            return
        names = [seat.text() for seat in self._seats]
        try:
            players = [find(name, "players") for name in names]
            start = self._start()
        except SolunaError as error:
            self._say(str(error))
            return
        rounds = self._rounds.value
        self._stop.clear()
        self._run.disabled, self._halt.disabled = True, False
        self._bar.value, self._bar.max = 0, rounds
        self._say(f"{players[0].name} and {players[1].name} play {rounds:,} rounds…")
        progress = _Progress(running_loop(), self._played, self._stop)
        self._thinker.start(partial(_play, players, start, self._rounds.value, self._seed, progress), self._done)

    def stop(self) -> None:
        """End the run; what was played counts."""
        self._stop.set()

    async def settled(self) -> None:
        """Wait until no run is going on."""
        await self._thinker.settled()

    def close(self) -> None:
        """Close the panel; a run ends."""
        # ipywidgets closes widgets that were refused before they were made.
        if "_stop" in self.__dict__:
            self._stop.set()
        super().close()

    def _start(self) -> Any:
        """Give what is chosen to begin from.

        Raises:
            SolunaError: If the counts are not as they should be.
        """
        if self._layout.value == _BOX:
            return DISC_SETS["soluna"]
        if self._layout.value == _BABYLON:
            return Position.start(S=3, M=3, T=3, C=3)
        words = re.split(r"[\s,-]+", self._counts.value.strip())
        if not all(word.isascii() and word.isdigit() for word in words) or len(words) > len(SYMBOLS):
            raise SolunaError(
                f"counts: how many discs show each symbol, such as 4 4 4, not {shown(self._counts.value)}"
            )
        counts = [int(word) for word in words]
        if not 2 <= sum(counts) <= _MOST_DISCS:
            raise SolunaError(f"counts: 2 to {_MOST_DISCS} discs together, not {sum(counts)}")
        return Position.start(**dict(zip(SYMBOLS, counts, strict=False)))

    def _show_counts(self, _: object = None) -> None:
        self._counts.layout.display = "" if self._layout.value == _OWN else "none"

    def _say(self, text: str) -> None:
        self._said.value = f'<p role="status">{escape(text)}</p>'

    def _played(self, count: int) -> None:
        self._bar.value = count

    def _done(self, run: Any, error: BaseException | None) -> None:
        self._run.disabled, self._halt.disabled = False, True
        if error is not None:
            self._say(f"This failed: {error}")
            return
        self.tournament, self.exact, said, self._shown.value = run
        self._say(said)


class _Progress:
    """What a tournament takes for a progress bar: it hears what is played, and ends it when told to stop."""

    def __init__(self, loop: Any, tell: Callable[[int], None], stop: threading.Event) -> None:
        self.loop, self.tell, self.stop, self.played = loop, tell, stop, 0

    def update(self, count: int) -> None:
        """Hear that more was played."""
        self.played += count
        if self.loop is None:
            self.tell(self.played)
        else:
            # Widgets are the loop's business, and this is another thread.
            self.loop.call_soon_threadsafe(self.tell, self.played)
        if self.stop.is_set():
            raise KeyboardInterrupt

    def close(self) -> None:
        """Hear that no more will be played."""


def _play(
    players: list[Any], start: Any, rounds: int, seed: int | None, progress: _Progress
) -> tuple[Any, float | None, str, str]:
    """Play, and work out the exact answer: the tournament, the answer, both in words, and as a picture."""
    from soluna_widget import plots
    from soluna_widget.experiments import exact, tournament

    first, second = players
    # Two of a kind need names of their own.
    names = (first.name, second.name) if first.name != second.name else (f"{first.name} A", f"{second.name} B")
    found = tournament(
        dict(zip(names, players, strict=True)), rounds, seed=seed, start=start, progress=lambda **_: progress
    )
    known = None
    if all(hasattr(player, "policy") for player in players):
        # Both open as often.
        known = (exact(first, second, start) + 1 - exact(second, first, start)) / 2
    row = found.pairs.iloc[0]
    if not row.played:
        return found, known, " ".join(["Nothing was played.", *found.notes]), ""
    said = (
        f"{names[0]} won {row.wins:,} of {row.played:,} rounds against {names[1]}: {row.win_rate:.1%}. The 95 % "
        f"interval is {row.low:.1%} to {row.high:.1%}."
    )
    said += f" Exactly, it is {known:.1%}." if known is not None else " There is no exact answer without a policy."
    drawn = plots.match_up(names, row.win_rate, row.low, row.high, known)
    return found, known, " ".join([said, *found.notes]), drawn._repr_html_()
