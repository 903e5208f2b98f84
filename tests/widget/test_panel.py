"""The panel for a class without code."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from typing import Any

import ipywidgets
import pytest

from soluna_widget import ExperimentPanel, Position, SolunaError, experiments
from soluna_widget.strategies import NAMED
from tests.widget.fake_comm import fake_comms


@pytest.fixture(autouse=True)
def comms() -> Iterator[None]:
    with fake_comms():
        yield


def every(widget: Any) -> Iterator[Any]:
    yield widget
    for child in getattr(widget, "children", ()):
        yield from every(child)


def find(panel: ExperimentPanel, description: str, number: int = 0) -> Any:
    return [one for one in every(panel) if getattr(one, "description", None) == description][number]


def said(panel: ExperimentPanel) -> str:
    (text,) = [one.value for one in every(panel) if isinstance(one, ipywidgets.HTML) and 'role="status"' in one.value]
    return re.sub("<.*?>", "", text)


def picture(panel: ExperimentPanel) -> str:
    return [one.value for one in every(panel) if isinstance(one, ipywidgets.HTML)][-1]


def is_shown(widget: Any) -> bool:
    return widget.layout.display != "none"


def test_a_run_shows_win_rate_interval_plot_and_the_exact_answer() -> None:
    panel = ExperimentPanel(("greedy", "random"), 60, seed=5)
    assert panel.tournament is None and panel.exact is None
    find(panel, "Run").click()
    row = panel.tournament.pairs.iloc[0]
    assert row.played == 60 and find(panel, "played").value == 60
    one, other = experiments.exact("greedy", "random"), experiments.exact("random", "greedy")
    assert panel.exact == pytest.approx((one + 1 - other) / 2)
    assert f"won {row.wins} of 60 rounds against Random: {row.win_rate:.1%}" in said(panel)
    assert f"{row.low:.1%} to {row.high:.1%}" in said(panel)
    assert f"Exactly, it is {panel.exact:.1%}." in said(panel)
    assert '<img src="data:image/png' in picture(panel) and f"exactly it is {panel.exact:.1%}" in picture(panel)
    assert not find(panel, "Run").disabled and find(panel, "Stop").disabled


def test_the_same_seed_runs_the_same() -> None:
    panels = [ExperimentPanel(("greedy", "random"), 40, seed=9) for _ in range(2)]
    for panel in panels:
        panel.run()
    assert panels[0].tournament.games.equals(panels[1].tournament.games)


@pytest.mark.parametrize("name", NAMED)
def test_every_player_can_be_chosen_and_only_its_level_is_asked_for(name: str) -> None:
    panel = ExperimentPanel(("random", "random"), 2, seed=1)
    find(panel, "Player").value = name
    levels = {"minimax": "depth", "monte carlo": "playouts", "fallible": "errors"}
    for player, level in levels.items():
        assert is_shown(find(panel, level)) == (player == name)
    if name == "monte carlo":
        find(panel, "playouts").value = 5
    find(panel, "start").value = find(panel, "start").options[1]
    panel.run()
    assert panel.tournament.pairs.iloc[0].played == 2, said(panel)
    assert (panel.exact is None) == (name == "monte carlo")


def test_levels_reach_the_players() -> None:
    panel = ExperimentPanel(("minimax 3", "fallible 0.25"), 2, seed=1)
    assert (find(panel, "depth").value, find(panel, "errors", 1).value) == (3, 0.25)
    find(panel, "errors", 1).value = 0.5
    find(panel, "start").value = find(panel, "start").options[1]
    panel.run()
    assert "0.5" in panel.tournament.players[1] and "3" in panel.tournament.players[0]


def test_two_of_a_kind_have_names_of_their_own() -> None:
    panel = ExperimentPanel(("random", "random"), 4, seed=1)
    panel.run()
    assert panel.tournament.players == ("Random A", "Random B")
    assert panel.exact == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("text", "start"), [("4 4 4", "S1^4 M1^4 T1^4"), ("2,3", "S1^2 M1^3"), (" 1-1-2 ", "S1 M1 T1^2")]
)
def test_counts_of_ones_own(text: str, start: str) -> None:
    panel = ExperimentPanel(("random", "random"), 2, seed=1)
    counts = find(panel, "counts")
    assert not is_shown(counts)
    find(panel, "start").value = find(panel, "start").options[2]
    assert is_shown(counts)
    counts.value = text
    panel.run()
    assert {str(Position.parse(str(one))) for one in panel.tournament.games["start"]} == {start}


@pytest.mark.parametrize("text", ["", "4 x", "0 1", "11 11", "-", "4.5"])
def test_wrong_counts_are_said_and_nothing_runs(text: str) -> None:
    panel = ExperimentPanel(seed=1)
    find(panel, "start").value = find(panel, "start").options[2]
    find(panel, "counts").value = text
    panel.run()
    assert said(panel).startswith("counts: ") and panel.tournament is None
    assert not find(panel, "Run").disabled


def test_beside_a_running_loop_the_kernel_stays_free_and_settled_waits() -> None:
    async def go() -> None:
        panel = ExperimentPanel(("greedy", "random"), 60, seed=5)
        panel.run()
        assert panel.tournament is None and find(panel, "Run").disabled and not find(panel, "Stop").disabled
        panel.run()  # a second press does nothing
        await panel.settled()
        assert panel.tournament.pairs.iloc[0].played == 60 and not find(panel, "Run").disabled
        await panel.settled()

    asyncio.run(go())


def test_stop_keeps_what_was_played_and_says_what_is_missing() -> None:
    async def go() -> None:
        panel = ExperimentPanel(("random", "greedy"), 50_000, seed=5)
        panel.run()
        while find(panel, "played").value == 0:
            await asyncio.sleep(0)
        find(panel, "Stop").click()
        await panel.settled()
        played = panel.tournament.pairs.iloc[0].played
        assert 0 < played < 50_000
        assert f"{50_000 - played:,} of 50,000 rounds are missing: interrupted" in said(panel)

    asyncio.run(go())


def test_a_failure_is_said_and_the_panel_stays_usable(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ValueError("no luck <today>")

    panel = ExperimentPanel(seed=1)
    with monkeypatch.context() as patch:
        patch.setattr(experiments, "tournament", fail)
        panel.run()
    assert "This failed: no luck &lt;today&gt;" in said(panel)
    find(panel, "rounds").value = 4
    panel.run()
    assert panel.tournament.pairs.iloc[0].played == 4


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ({"players": ("random",)}, "players: two names"),
        ({"players": ("random", "nobody")}, "players: "),
        ({"players": ("random", None)}, "players: names such as"),
        ({"rounds": 1}, "rounds: a whole number from 2"),
        ({"rounds": 10**9}, "rounds: a whole number from 2"),
        ({"seed": "x"}, "seed: a whole number or None"),
    ],
)
def test_an_argument_that_is_not_as_said_is_named(arguments: dict[str, Any], why: str) -> None:
    with pytest.raises(SolunaError, match=why):
        ExperimentPanel(**arguments)
