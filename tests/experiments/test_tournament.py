"""Tournaments: the same result however the work is shared out, nothing lost, and in agreement with what is exact.

The numbered cases are those reported against other projects; each names its source.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from typing import Any

import pandas as pd
import pytest

from soluna_widget import DiscSet, SolunaError
from soluna_widget.experiments import Tournament, exact, exact_match, paired, tournament, wilson
from soluna_widget.strategies import MonteCarloPlayer, RandomPlayer
from soluna_widget.theory import Nim
from tests.experiments.players import Cheat, Counter, First, Last, Shaky, Tired

SMALL = DiscSet.parse("SM^2 ST^2 MT^2")
TIMES = ["ms_per_move", "opponent_ms_per_move"]


def quiet(*players: Any, **settings: Any) -> Tournament:
    return tournament(players, progress=False, **{"seed": 1, "start": SMALL, **settings})


def same(one: Tournament, other: Tournament) -> bool:
    return (
        one.games.equals(other.games)
        and one.pairs.drop(columns=TIMES).equals(other.pairs.drop(columns=TIMES))
        and one.missing.equals(other.missing)
        and one.notes == other.notes
    )


# What is counted -----------------------------------------------------------------------------------------------------


def test_every_pair_plays_as_many_rounds_and_opens_in_turns() -> None:
    result = quiet("random", "greedy", "perfect", rounds=30)
    assert len(result.games) == 90 and result.unit == "round" and result.missing.empty and result.notes == ()
    for (player, _), games in result.games.groupby(["player", "opponent"]):
        assert list(games["number"]) == list(range(30))
        assert list(games["first"] == player) == [True, False] * 15
    pairs = result.pairs.set_index(["player", "opponent"])
    for pair, games in result.games.groupby(["player", "opponent"]):
        row = pairs.loc[pair]
        wins = int((games["winner"] == pair[0]).sum())
        assert (row["played"], row["wins"], row["losses"]) == (30, wins, 30 - wins)
        assert (row["win_rate"], row["low"], row["high"]) == (wins / 30, *wilson(wins, 30))
        assert row["first_share"] == (games["first"] == games["winner"]).mean()
        assert row["moves"] == games["moves"].mean() and (games["moves"] <= 5).all()
        assert row["ms_per_move"] > 0 and row["opponent_ms_per_move"] > 0
    square = result.matrix()
    assert square.loc["Greedy", "Random"] == 1 - square.loc["Random", "Greedy"] == 1 - result.pairs["win_rate"][0]
    assert square.isna().to_numpy().diagonal().all()


def test_layouts_are_fresh_and_those_of_a_pair_are_not_anothers() -> None:
    result = quiet("random", "greedy", "perfect", rounds=200, start=None)
    starts = {pair: list(games["start"]) for pair, games in result.games.groupby(["player", "opponent"])}
    one, other, _ = starts.values()
    assert one != other and len(set(one)) > 50
    assert all(start.count("1") and len(result.games) for start in one)


def test_swapped_seats_share_a_layout_and_give_a_paired_interval() -> None:
    result = quiet("random", "greedy", rounds=40, swap=True)
    games = result.games
    assert list(games["start"][::2]) == list(games["start"][1::2])
    won = (games["winner"] == "Random").to_numpy()
    kinds = [tuple(map(bool, pair)) for pair in zip(won[::2], won[1::2], strict=True)]
    both, first, second, neither = (kinds.count(kind) for kind in ((1, 1), (1, 0), (0, 1), (0, 0)))
    row = result.pairs.iloc[0]
    assert (row["low"], row["high"]) == paired(both, first, second, neither)
    assert (row["low"], row["high"]) != wilson(int(row["wins"]), 40)


@pytest.mark.parametrize("rulebook", ["bga", "morapiaf"])
def test_a_match_is_one_unit_however_many_rounds_it_has(rulebook: str) -> None:
    result = quiet("random", "perfect", matches=20, rulebook=rulebook)
    assert result.unit == "match" and len(result.games) == 20
    assert result.games["rounds"].between(4, 7).all()
    row = result.pairs.iloc[0]
    assert row["played"] == 20 and row["rounds"] == result.games["rounds"].mean()
    assert row["moves"] == result.games["moves"].sum() / result.games["rounds"].sum()


def test_any_game_can_be_played() -> None:
    result = quiet("random", "perfect", rounds=20, start=Nim(1, 2, 4))
    assert result.matrix().loc["Perfect", "Random"] > 0.5 and set(result.games["start"]) == {"Nim 1 2 4"}
    with pytest.raises(SolunaError, match=r"^start: a match starts from discs or a Position"):
        quiet("random", "perfect", matches=2, start=Nim(3))


# Against what is exact -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("misere", [False, True])
def test_simulation_agrees_with_exact(misere: bool) -> None:
    result = quiet("greedy", "random", rounds=2_000, misere=misere)
    true = (exact("greedy", "random", SMALL, misere=misere) + 1 - exact("random", "greedy", SMALL, misere=misere)) / 2
    low, high = wilson(int(result.pairs["wins"][0]), 2_000, 0.9999)
    assert low <= true <= high and high - low < 0.1


def test_intervals_hold_the_exact_rate_as_often_as_they_should() -> None:
    true = (exact("greedy", "random", SMALL) + 1 - exact("random", "greedy", SMALL)) / 2
    for swap in (False, True):
        rows = [quiet("greedy", "random", rounds=60, seed=seed, swap=swap).pairs.iloc[0] for seed in range(80)]
        hits = sum(row["low"] <= true <= row["high"] for row in rows)
        assert hits >= 70, "95 % of 80 are 76; three standard deviations are 6"


@pytest.mark.parametrize("rulebook", ["bga", "morapiaf"])
def test_simulated_matches_agree_with_exact_ones(rulebook: str) -> None:
    discs = DiscSet.parse("SM ST^2 MT")
    result = quiet("fallible 0.6", "random", matches=400, rulebook=rulebook, start=discs)
    true = exact_match("fallible 0.6", "random", rulebook, discs)
    true = (true + 1 - exact_match("random", "fallible 0.6", rulebook, discs)) / 2
    low, high = wilson(int(result.pairs["wins"][0]), 400, 0.9999)
    assert low <= true <= high


# The same wherever it is played --------------------------------------------------------------------------------------


class Backwards(Executor):
    """Does everything at once, and hands it over in another order."""

    def __init__(self) -> None:
        self.waiting: list[tuple[Future[Any], Callable[[], Any]]] = []

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.waiting.append((future, lambda: fn(*args, **kwargs)))
        if len(self.waiting) == 3:
            for future_, work in reversed(self.waiting):
                future_.set_result(work())
            self.waiting = []
        return future


PLAYERS = ["random", "greedy", MonteCarloPlayer(10)]


def test_one_seeded_tournament_with_one_and_with_eight_workers() -> None:
    """Case 17, PaddlePaddle/PARL#401: the same result, and workers do not play the same rounds."""
    alone = quiet(*PLAYERS, Counter(), rounds=21)
    assert alone.games["moves"].nunique() > 1 and alone.pairs["different"].min() > 15
    for workers in (1, 8):
        with ThreadPoolExecutor(workers) as executor:
            assert same(alone, quiet(*PLAYERS, Counter(), rounds=21, executor=executor))
    assert same(alone, quiet(*PLAYERS, Counter(), rounds=21, executor=Backwards()))
    assert not same(alone, quiet(*PLAYERS, Counter(), rounds=21, seed=2))


def test_with_processes_it_is_the_same() -> None:
    alone = quiet(*PLAYERS, Shaky(), rounds=10)
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as executor:
        assert same(alone, quiet(*PLAYERS, Shaky(), rounds=10, executor=executor))


def test_with_a_dask_cluster_it_is_the_same() -> None:
    distributed = pytest.importorskip("distributed")
    alone = quiet(*PLAYERS, rounds=10)
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        assert same(alone, quiet(*PLAYERS, rounds=10, executor=client.get_executor()))


def run(code: str, **settings: Any) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), **settings.pop("env", {})}
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env, **settings)


def test_it_does_not_depend_on_the_hash_seed_nor_on_anybodys_chance() -> None:
    code = (
        "from soluna_widget.experiments import tournament\n"
        "r = tournament(['random', 'greedy', 'monte carlo 10'], 6, seed=3, start='S1^3 M1^2 T1', progress=False)\n"
        "print(r.games.to_json())"
    )
    told = {run(code, env={"PYTHONHASHSEED": salt}, check=True).stdout for salt in ("1", "2")}
    assert len(told) == 1
    state = random.getstate()
    quiet("random", "greedy", rounds=4)
    assert random.getstate() == state


CELL = """
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from soluna_widget.experiments import tournament
from soluna_widget.strategies import moves_of
{before}
class Mine:
    name = "Mine"
    def choose(self, position, rng):
        return moves_of(position)[helper()]
def helper():
    return 0
with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as executor:
    executor.submit(int).result()
    begun = time.perf_counter()
    try:
        print(tournament([Mine(), "random"], 8, seed=1, start="S1^3 M1^2", executor=executor, progress=False))
    except ValueError as error:
        print(type(error).__name__, error)
    print("seconds", time.perf_counter() - begun < 10)
"""


def test_a_player_defined_in_a_cell_plays_in_other_processes_or_fails_at_once_saying_why() -> None:
    """Case 9, jupyter/notebook#5261."""
    pytest.importorskip("cloudpickle")
    good = run(CELL.format(before=""), check=True, timeout=120).stdout
    assert good == "<Tournament: 2 players, 8 rounds, seed 1>\nseconds True\n"
    bad = run(CELL.format(before="import sys; sys.modules['cloudpickle'] = None"), check=True, timeout=120).stdout
    assert bad.startswith("CannotTravel players: they did not arrive in a worker (AttributeError: ")
    assert "pip install 'soluna-widget[experiments]'" in bad and bad.endswith("seconds True\n")


def test_a_player_that_cannot_travel_is_named_before_anything_is_played() -> None:
    player = Counter()
    player.lock = __import__("threading").Lock()  # type: ignore[attr-defined]
    with ThreadPoolExecutor(1) as executor, pytest.raises(SolunaError, match=r"^players: 'Counter' cannot be taken to"):
        quiet(player, "random", rounds=4, executor=executor)


# Nothing is lost -----------------------------------------------------------------------------------------------------


def test_a_strategy_that_raises_costs_the_round_and_nothing_else() -> None:
    result = quiet(Shaky(), "random", "greedy", rounds=60)
    missing = result.missing
    assert set(missing["player"]) == {"Shaky"} and set(missing["why"]) == {"Shaky: RuntimeError: no idea"}
    counts = result.pairs.set_index(["player", "opponent"])["played"]
    for row in missing.itertuples():
        assert counts[row.player, row.opponent] == 60 - row.missing and row.missing > 0
    assert counts["Random", "Greedy"] == 60
    assert "Shaky against Random: " in result.notes[0] and "of 60 rounds are missing" in repr(result)
    cheat = quiet(Cheat(), "random", rounds=5)
    assert cheat.missing["missing"].tolist() == [5] and "Cheat: IllegalMove: there is no sun" in cheat.missing["why"][0]
    assert quiet(Cheat(), "random", matches=2, start="S1^3").missing["missing"].tolist() == [2]


def test_an_interrupt_keeps_what_was_played_and_says_what_is_missing() -> None:
    result = quiet("random", Tired(), "greedy", rounds=100)
    assert 20 <= len(result.games) < 60 and set(result.missing["why"]) == {"interrupted"}
    played, missing = result.pairs["played"].tolist(), result.missing.groupby("opponent")["missing"].sum()
    assert played[0] > 0 and played[1:] == [0, 0] and missing["Greedy"] == 200
    assert "interrupted" in repr(result) and result.pairs["win_rate"].isna().tolist() == [False, True, True]


SLOW = """
import os, signal, sys, threading, time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from soluna_widget.experiments import tournament
class Slow:
    name = "Slow"
    def choose(self, position, rng):
        time.sleep(0.02)
        return rng.choice(position.moves())
class Bar:
    # Ctrl-C once something has been played, in the middle of what comes next.
    pressed = False
    def update(self, count):
        if not self.pressed:
            self.pressed = True
            threading.Thread(target=os.killpg, args=(0, signal.SIGINT)).start()
    def close(self):
        pass
def go(executor=None):
    r = tournament([Slow(), "random"], 5_000, seed=1, start="S1^3 M1^2", executor=executor, progress=lambda **_: Bar())
    print(0 < len(r.games) < 5_000, len(r.games) + r.missing["missing"].sum(), r.missing["why"].tolist(), flush=True)
if "processes" in sys.argv:
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as executor:
        go(executor)
else:
    go()
"""


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="interrupts come in another way here")
@pytest.mark.parametrize("where", ["here", "processes"])
def test_ctrl_c_at_a_terminal_keeps_what_was_played(where: str) -> None:
    if where == "processes":
        pytest.importorskip("cloudpickle")
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    process = subprocess.Popen(
        [sys.executable, "-c", SLOW, where], stdout=subprocess.PIPE, text=True, start_new_session=True, env=env,
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        told, _ = process.communicate(timeout=60)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
    assert told == "True 5000 ['interrupted']\n"


def test_deterministic_players_on_one_start_are_told_that_they_repeat() -> None:
    result = quiet(First(), Last(), rounds=50, start="S1^4 M1^3")
    assert result.pairs["different"][0] <= 2
    assert "First against Last: from one start these players repeat themselves; 50 rounds went" in result.notes[0]
    assert quiet(First(), Last(), rounds=50).notes == ()
    assert quiet("random", "greedy", rounds=50, start="S1^4 M1^3").notes == ()


# Few results ---------------------------------------------------------------------------------------------------------


def strict(text: str) -> Any:
    def refuse(word: str) -> None:
        raise AssertionError(f"{word} is no JSON")

    return json.loads(text, parse_constant=refuse)


@pytest.mark.parametrize(
    ("players", "rounds", "wins"),
    [((First(), Last()), 20, 20), ((Last(), First()), 20, 0), (("random", "greedy"), 1, None)],
)
def test_clear_results_and_single_ones(players: Any, rounds: int, wins: int | None) -> None:
    """Case 12, Disservin/fastchess#881: strict JSON, the plot draws, no interval of width zero."""
    # Who takes the whole heap wins at once; who takes less leaves it to the other one.
    result = quiet(*players, rounds=rounds, start=Nim(2))
    row = result.pairs.iloc[0]
    assert wins is None or row["wins"] == wins
    assert 0 <= row["low"] < row["high"] <= 1
    assert strict(result.to_json())["pairs"][0]["wins"] == row["wins"]
    strict(result.pairs.to_json(orient="records"))
    assert "Win rate" in result.plot().figure.axes[0].get_title("left")
    pytest.importorskip("choix")
    ratings = result.ratings()
    assert (ratings["low"] < ratings["high"]).all() and ratings[["rating", "low", "high"]].map(abs).max().max() < 5_000


def test_no_game_at_all() -> None:
    """Case 12 once more."""
    result = quiet(Cheat(), "random", rounds=3)
    row = result.pairs.iloc[0]
    assert (row["played"], row["low"], row["high"]) == (0, 0, 1) and pd.isna(row["win_rate"])
    assert strict(result.to_json())["pairs"][0]["win_rate"] is None
    assert result.plot().finding
    pytest.importorskip("choix")
    assert (result.ratings()["low"] < result.ratings()["high"]).all()


def test_ratings_order_the_players_and_hold_their_own() -> None:
    pytest.importorskip("choix")
    ratings = quiet("random", "perfect", "fallible 0.3", "greedy", rounds=60, start=None).ratings()
    assert list(ratings["player"])[:2] == ["Perfect", "Fallible 0.3"]
    assert ((ratings["low"] < ratings["rating"]) & (ratings["rating"] < ratings["high"])).all()
    assert ratings["rating"].sum() == pytest.approx(0, abs=1e-6)


# Bars ----------------------------------------------------------------------------------------------------------------


def test_a_thousand_rounds_leave_a_handful_of_lines_in_a_log(capsys: pytest.CaptureFixture[str]) -> None:
    """Case 13, nteract/papermill#765."""
    tournament(["random", "greedy"], 1_000, seed=1, start="S1^3 M1^2")
    told = capsys.readouterr()
    assert told.out == "" and 2 <= len(told.err.replace("\r", "\n").strip().split("\n")) <= 8
    assert "1000/1000" in told.err
    tournament(["random", "greedy"], 1_000, seed=1, start="S1^3 M1^2", progress=False)
    assert capsys.readouterr() == ("", "")


def test_a_bar_of_ones_own_is_told_and_closed() -> None:
    log: list[Any] = []

    class Bar:
        def __init__(self, **settings: Any) -> None:
            log.append(settings)

        def update(self, count: int) -> None:
            log.append(count)

        def close(self) -> None:
            log.append("closed")

    tournament(["random", "greedy"], 30, seed=1, start="S1^3", progress=Bar)
    assert log[0] == {"total": 30, "unit": " rounds"} and sum(log[1:-1]) == 30 and log[-1] == "closed"


# Mistakes ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "settings", "words"),
    [
        (["random"], {}, "players: two or more, not 1"),
        ("random", {}, "players: a list of strategies"),
        (["random", "random"], {}, "players: two are called 'Random'; give a mapping"),
        (["random", "deep blue"], {}, r"players\[1\]: 'random' or .* not 'deep blue'"),
        ({"a": "random", 2: "random"}, {}, "players: names are texts, not 2"),
        (["random", "greedy"], {"rounds": 0}, "rounds: a number of 1 or more"),
        (["random", "greedy"], {"rounds": True}, "rounds: a number of 1 or more"),
        (["random", "greedy"], {"matches": 0}, "matches: a number of 1 or more"),
        (["random", "greedy"], {"rounds": 1, "matches": 1}, "matches: give rounds or matches"),
        (["random", "greedy"], {"rulebook": "chess"}, "rulebook: 'bga' or 'morapiaf'"),
        (["random", "greedy"], {"seed": "x"}, "seed: a whole number"),
        (["random", "greedy"], {"rounds": 3, "swap": True}, "swap: "),
        (["random", "greedy"], {"matches": 4, "swap": True}, "swap: "),
        (["random", "greedy"], {"start": "S"}, "start: "),
        (["random", "greedy"], {"executor": "processes"}, "executor: a concurrent.futures.Executor"),
        (["random", "greedy"], {"progress": "yes"}, "progress: True, False or"),
        (["random", "greedy"], {"misere": 1}, "misere: True or False"),
    ],
)
def test_what_makes_no_tournament_is_refused(players: Any, settings: dict[str, Any], words: str) -> None:
    with pytest.raises(SolunaError, match=f"^{words}"):
        tournament(players, **settings)


def test_names_of_ones_own() -> None:
    result = tournament({"by pairs": "random", "by moves": RandomPlayer("moves")}, 4, seed=1, progress=False)
    assert result.players == ("by pairs", "by moves") and "by pairs" in set(result.games["winner"]) | {"by pairs"}
