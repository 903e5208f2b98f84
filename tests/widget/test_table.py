"""The table from Python: how it is made, played at, watched, drawn, and let go of."""

from __future__ import annotations

import copy
import gc
import pickle
import shutil
import subprocess
import sys
import weakref
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any
from xml.etree import ElementTree

import anywidget
import pytest
import traitlets
from ipywidgets import Label

import soluna_widget
from soluna_widget import (
    DiscSet,
    IllegalMove,
    InvalidNotation,
    Match,
    Move,
    Position,
    Rulebook,
    SolunaError,
    SolunaWidget,
    WrongPhase,
)
from soluna_widget.strategies import RandomPlayer
from tests.widget.conftest import Logged
from tests.widget.fake_comm import Comms
from tests.widget.players import Chance, first_move, raises
from tests.widget.wire_fixtures import play_round

OBSERVABLE = ("position", "turn", "phase", "stars", "winner", "players")
PACKAGE = Path(soluna_widget.__file__).parent


def observables(match: Match) -> dict[str, Any]:
    """What the observable traits must say of a match."""
    position = "" if match.position is None else str(match.position)
    return {"position": position} | {name: getattr(match, name) for name in OBSERVABLE[1:]}


def of(table: SolunaWidget) -> dict[str, Any]:
    return {name: getattr(table, name) for name in OBSERVABLE}


# How it is made ------------------------------------------------------------------------------------------------------


def test_the_first_message_is_whole(comms: Comms) -> None:
    table = SolunaWidget(seed=1, opener=0)
    comm = comms.of(table)
    assert [message.kind for message in comm.messages] == ["open"]
    assert comm.opened["state"] == table.state
    assert comm.opened["state"]["revision"] == 0 and len(comm.opened["state"]["stacks"]) == 12
    assert comm.opened["_esm"] == (PACKAGE / "static" / "widget.js").read_text(encoding="utf-8")
    assert comm.opened["_css"] == (PACKAGE / "static" / "widget.css").read_text(encoding="utf-8")


def test_two_traits_are_on_the_wire_and_no_more_than_that(comms: Comms) -> None:
    class Bare(anywidget.AnyWidget):
        _esm = "export default {}"
        _css = "a {}"

    table, bare = comms.of(SolunaWidget(seed=1)), comms.of(Bare())
    assert set(table.opened) - set(bare.opened) == {"state", "request"}
    assert table.opened["request"] is None


def test_the_front_end_is_text_and_not_a_path_which_would_keep_closed_widgets_alive() -> None:
    assert type(SolunaWidget._esm) is str and type(SolunaWidget._css) is str
    assert len(SolunaWidget._esm) > 1000 and len(SolunaWidget._css) > 1000


def test_without_a_built_front_end_it_says_how_to_build_one(tmp_path: Path) -> None:
    shutil.copytree(PACKAGE, tmp_path / "soluna_widget", ignore=shutil.ignore_patterns("static", "__pycache__"))
    code = "import soluna_widget; print(soluna_widget.__file__); soluna_widget.SolunaWidget()"
    ran = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert Path(ran.stdout.strip()).is_relative_to(tmp_path), "the copy was used"
    assert ran.returncode == 1
    last = ran.stderr.strip().splitlines()[-1]
    assert last.startswith("RuntimeError: ") and "not built" in last and "python task.py build" in last


SETTINGS: list[dict[str, Any]] = [
    {},
    {"rulebook": "morapiaf", "youngest": 1},
    {"rulebook": Rulebook("short", stars=2)},
    {"players": ["Ada", "Grace"], "opener": 1},
    {"discs": "babylon"},
    {"discs": DiscSet.pairs("SMTCAB", copies=1)},
    {"start": "S1^2,3 M2"},
    {"start": Position.start(S=3, M=3)},
    {"placing": True},
    {"misere": True},
]


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_the_arguments_are_those_of_a_match(settings: dict[str, Any]) -> None:
    table = SolunaWidget(seed=7, **settings)
    assert table.match == Match(seed=7, **settings)
    assert of(table) == observables(table.match)


def test_the_arguments_may_be_given_by_place_as_for_a_match() -> None:
    arguments = ("morapiaf", ("A", "B"), 3, "babylon", None, 1, False, None, True)
    assert SolunaWidget(*arguments).match == Match(*arguments)


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"rulebook": "chess"}, "rulebook"),
        ({"players": "Sol"}, "players"),
        ({"players": ("Sol", "")}, "players"),
        ({"seed": "1"}, "seed"),
        ({"seed": True}, "seed"),
        ({"discs": "SS"}, "discs"),
        ({"opener": 2}, "opener"),
        ({"rulebook": "morapiaf", "opener": 0}, "opener"),
        ({"rulebook": "morapiaf", "youngest": -1}, "youngest"),
        ({"placing": 1}, "placing"),
        ({"rulebook": "morapiaf", "placing": True}, "placing"),
        ({"start": "sun"}, "start"),
        ({"start": "S1", "discs": "babylon"}, "start"),
        ({"misere": "yes"}, "misere"),
        ({"opponent": "deep blue"}, "opponent"),
        ({"opponent": RandomPlayer}, "opponent"),
        ({"opponent": 1}, "opponent"),
        ({"seat": 2}, "seat"),
        ({"seat": True}, "seat"),
        ({"seat": "1"}, "seat"),
        ({"seat": None}, "seat"),
        ({"discs": "SM^101"}, "discs"),
        ({"start": "S101"}, "start"),
    ],
    ids=str,
)
def test_a_bad_argument_is_named(comms: Comms, settings: dict[str, Any], named: str) -> None:
    with pytest.raises(SolunaError) as caught:
        SolunaWidget(**settings)
    assert str(caught.value).startswith(f"{named}: ")
    assert comms == [], "and nothing has been opened"


@pytest.mark.parametrize("name", ["sead", "layout", "state", "request", "position", "comm", "_esm"])
def test_an_unknown_argument_is_refused_by_name(comms: Comms, name: str) -> None:
    with pytest.raises(TypeError, match=rf"'{name}'"):
        SolunaWidget(**{name: None})
    assert comms == []


def test_a_hundred_discs_have_room() -> None:
    assert len(SolunaWidget(discs="SM^100", seed=1).state["stacks"]) == 100
    assert len(SolunaWidget(start="S1^50 M50", seed=1).state["stacks"]) == 51


# Played at from Python -----------------------------------------------------------------------------------------------


def fresh() -> SolunaWidget:
    return SolunaWidget(seed=1, opener=0)


def after_a_move() -> SolunaWidget:
    table = fresh()
    table.play(first_move(table.match.position))
    return table


def undone() -> SolunaWidget:
    table = after_a_move()
    table.undo()
    return table


def round_over() -> SolunaWidget:
    table = fresh()
    play_round(table, Random(1))
    return table


def second_match() -> SolunaWidget:
    table = after_a_move()
    table.new_match()
    return table


def set_match(table: SolunaWidget) -> None:
    table.match = Match("morapiaf", seed=5)


def set_opponent(table: SolunaWidget) -> None:
    table.opponent = "random"


PUBLIC: dict[str, tuple[Callable[[], SolunaWidget], Callable[[SolunaWidget], None]]] = {
    "play a text": (fresh, lambda table: table.play(str(first_move(table.match.position)))),
    "play a Move": (fresh, lambda table: table.play(first_move(table.match.position))),
    "play numbers": (fresh, lambda table: table.play(table.match.moves()[-1])),
    "choose": (lambda: SolunaWidget("morapiaf", seed=1), lambda table: table.choose("second")),
    "place": (lambda: SolunaWidget(placing=True, seed=1), lambda table: table.place()),
    "next_round": (round_over, lambda table: table.next_round()),
    "new_match": (fresh, lambda table: table.new_match()),
    "undo": (after_a_move, lambda table: table.undo()),
    "undo a new match": (second_match, lambda table: table.undo()),
    "redo": (undone, lambda table: table.redo()),
    "match": (fresh, set_match),
    "opponent": (fresh, set_opponent),
    "match.play": (fresh, lambda table: table.match.play(table.match.moves()[0])),
    "match.choose": (lambda: SolunaWidget("morapiaf", seed=1), lambda table: table.match.choose("first")),
    "match.place": (lambda: SolunaWidget(placing=True, seed=1), lambda table: table.match.place()),
    "match.next_round": (round_over, lambda table: table.match.next_round()),
    "match.undo": (after_a_move, lambda table: table.match.undo()),
    "match.redo": (undone, lambda table: table.match.redo()),
}


@pytest.mark.parametrize("act", PUBLIC)
def test_every_public_method_publishes_once(comms: Comms, act: str) -> None:
    # Case 2, jupyter-widgets/ipywidgets#2916.
    make, act_on = PUBLIC[act]
    table = make()
    comm = comms.of(table)
    before, sent = comm.state, len(comm.messages)
    act_on(table)
    (message,) = comm.messages[sent:]
    assert message.kind == "update" and list(message.traits) == ["state"]
    assert (comm.state["serial"], comm.state["revision"]) == (before["serial"] + 1, before["revision"] + 1)
    assert {key for key in before if before[key] != comm.state[key]} - {"serial", "revision"}, "one can see it"
    assert of(table) == observables(table.match)


def test_every_public_method_that_changes_a_match_is_among_them() -> None:
    looks = {"moves", "rounds", "rng", "again", "can_undo", "can_redo", "record", "from_record", "save", "load"}
    methods = {name for name, value in vars(Match).items() if callable(value) or isinstance(value, classmethod)}
    changes = {name for name in methods if not name.startswith("_")} - looks
    assert {f"match.{name}" for name in changes} == {act for act in PUBLIC if act.startswith("match.")}
    own = {name for name, value in vars(SolunaWidget).items() if callable(value) and not name.startswith("_")}
    # Reviews and hints show more of the same match: test_advice.py has them.
    other = {"review", "from_match", "settled", "close", "set_state", "notify_change", "observe", "unobserve"}
    setters = {name for name, value in vars(SolunaWidget).items() if isinstance(value, property) and value.fset}
    setters -= {"hints", "language"}  # changes words, not the match: test_history.py has it
    assert {act.partition(" ")[0] for act in PUBLIC if not act.startswith("match.")} == (own - other) | setters


@pytest.mark.parametrize(
    ("act", "kind"),
    [
        (lambda table: table.play("S9>M9"), IllegalMove),
        (lambda table: table.play("sun"), InvalidNotation),
        (lambda table: table.play((1, 1)), IllegalMove),
        (lambda table: table.choose("first"), WrongPhase),
        (lambda table: table.place(), WrongPhase),
        (lambda table: table.next_round(), WrongPhase),
        (lambda table: table.undo(), WrongPhase),
        (lambda table: table.redo(), WrongPhase),
        (lambda table: setattr(table, "match", "a record"), SolunaError),
        (lambda table: setattr(table, "match", Match(discs="SM^101")), SolunaError),
        (lambda table: setattr(table, "opponent", "deep blue"), SolunaError),
    ],
)
def test_what_is_refused_in_python_raises_and_changes_nothing(
    comms: Comms, act: Callable[[SolunaWidget], None], kind: type[Exception]
) -> None:
    table = fresh()
    match, record, messages = table.match, table.match.record(), list(comms.of(table).messages)
    with pytest.raises(kind):
        act(table)
    assert table.match is match and match.record() == record and table.opponent is None
    assert comms.of(table).messages == messages


def test_undo_goes_back_to_the_very_start_and_redo_to_the_end_over_rounds(comms: Comms) -> None:
    table = round_over()
    table.next_round()
    play_round(table, Random(2))
    end, steps = table.match.record(), 0
    while comms.of(table).state["can"]["undo"]:
        table.undo()
        steps += 1
    assert table.match == Match(seed=1, opener=0)
    with pytest.raises(WrongPhase):
        table.undo()
    while comms.of(table).state["can"]["redo"]:
        table.redo()
        steps -= 1
    assert (table.match.record(), steps) == (end, 0)
    with pytest.raises(WrongPhase):
        table.redo()


def test_a_new_match_has_the_same_settings_and_other_discs() -> None:
    settings: dict[str, Any] = {"players": ("A", "B"), "misere": True, "discs": DiscSet.pairs("SMTCAB", copies=1)}
    table = SolunaWidget(seed=1, opener=1, **settings)
    first = table.match
    table.new_match()
    second = table.match
    assert second is not first and second.seed != first.seed
    assert second == Match(seed=second.seed, opener=1, **settings)
    assert second.stacks != first.stacks


def test_undo_at_the_start_of_a_new_match_brings_the_one_before_back(comms: Comms) -> None:
    table = after_a_move()
    first, record = table.match, table.match.record()
    table.new_match()
    table.new_match()
    assert comms.of(table).state["can"]["undo"]
    table.undo()
    table.undo()
    assert table.match is first and first.record() == record
    assert of(table) == observables(first)
    assert len(comms.of(table).state["stacks"]) == 11
    table.undo()
    assert not comms.of(table).state["can"]["undo"]
    with pytest.raises(WrongPhase):
        table.undo()


def test_a_match_that_has_left_the_table_no_longer_moves_it(comms: Comms) -> None:
    table = fresh()
    first = table.match
    table.new_match()
    second = table.match
    before = comms.of(table).messages.copy()
    first.play(first.moves()[0])
    assert comms.of(table).messages == before
    table.undo()
    assert table.match is first and comms.of(table).state["turn"] == 1
    before = comms.of(table).messages.copy()
    second.play(second.moves()[0])
    assert comms.of(table).messages == before


def test_a_match_that_is_there_already_can_be_put_on_a_table(comms: Comms) -> None:
    match = Match("morapiaf", seed=5)
    match.choose("second")
    match.play(match.moves()[0])
    table = SolunaWidget.from_match(match)
    assert table.match is match
    assert of(table) == observables(match)
    assert comms.of(table).state["stacks"] == table.state["stacks"] and len(table.state["stacks"]) == 11
    match.undo()
    assert len(comms.of(table).state["stacks"]) == 12
    table.undo()
    assert table.phase == "choosing"
    with pytest.raises(WrongPhase):
        table.undo()


def test_a_loaded_match_goes_on_at_a_table(tmp_path: Path) -> None:
    table = round_over()
    table.match.save(tmp_path / "match.txt")
    again = SolunaWidget.from_match(Match.load(tmp_path / "match.txt"))
    assert again.match == table.match
    for one in (table, again):
        one.next_round()
    assert again.match == table.match and again.state == table.state | {
        key: again.state[key] for key in ("serial", "revision")
    }


def test_putting_another_match_there_can_be_undone(comms: Comms) -> None:
    table = fresh()
    first, other = table.match, Match("morapiaf", seed=5)
    table.match = other
    assert table.match is other and comms.of(table).state["phase"] == "choosing"
    table.undo()
    assert table.match is first


def test_a_match_lies_on_one_table_at_a_time() -> None:
    table = fresh()
    for put in (SolunaWidget.from_match, lambda match: setattr(fresh(), "match", match)):
        with pytest.raises(SolunaError, match=r"^match: .* another table"):
            put(table.match)
    copied = SolunaWidget.from_match(copy.copy(table.match))
    copied.play(copied.match.moves()[0])
    assert (table.turn, copied.turn) == (0, 1)
    table.close()
    assert SolunaWidget.from_match(table.match).match is table.match, "a closed table has let go of it"


@pytest.mark.parametrize("bad", ["a record", None, 3, Match])
def test_only_a_match_can_be_put_on_a_table(bad: Any) -> None:
    with pytest.raises(SolunaError, match=r"^match: "):
        SolunaWidget.from_match(bad)


def test_a_bad_argument_beside_a_match_leaves_the_match_free() -> None:
    match = Match(seed=1)
    for bad in ({"seat": 2}, {"opponent": "deep blue"}):
        with pytest.raises(SolunaError, match=f"^{next(iter(bad))}: "):
            SolunaWidget.from_match(match, **bad)
    assert SolunaWidget.from_match(match).match is match


def test_two_tables_are_strangers(comms: Comms) -> None:
    # Case 21, enthought/traits#1644.
    one, other = fresh(), fresh()
    one.play(one.match.moves()[0])
    one.new_match()
    untouched = comms.of(other).messages.copy()
    record, state = other.match.record(), copy.deepcopy(other.state)
    comms.of(one).press("undo")
    comms.of(one).press("undo")
    one.observe(lambda change: None, "turn")
    one.play(one.match.moves()[5])
    play_round(one, Random(1))
    comms.of(one).press("next_round")
    comms.of(one).press("redo")
    assert comms.of(other).messages == untouched
    assert (other.match.record(), other.state) == (record, state)
    assert len(untouched) == 1 and not other.state["can"]["undo"] and not other.state["can"]["redo"]
    assert {id(stack) for stack in one.state["stacks"]}.isdisjoint(id(stack) for stack in other.state["stacks"])


def test_a_copy_of_the_match_is_not_on_the_table(comms: Comms) -> None:
    table = after_a_move()
    messages = comms.of(table).messages.copy()
    for twin in (copy.copy(table.match), copy.deepcopy(table.match), pickle.loads(pickle.dumps(table.match))):
        assert twin == table.match
        twin.undo()
        assert twin.can_redo() and not table.match.can_redo()
    assert comms.of(table).messages == messages


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
def test_a_table_itself_cannot_be_copied_and_says_what_to_do(copied: Callable[[Any], Any]) -> None:
    with pytest.raises(TypeError, match="from_match"):
        copied(fresh())


# Watched -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["state", *OBSERVABLE])
def test_what_can_be_observed_cannot_be_assigned(name: str) -> None:
    table = fresh()
    before = table.state, of(table)
    with pytest.raises(traitlets.TraitError):
        setattr(table, name, getattr(table, name))
    assert (table.state, of(table)) == before


@pytest.mark.parametrize("watched", OBSERVABLE)
def test_a_callback_on_any_trait_sees_all_the_others_new(watched: str) -> None:
    table = SolunaWidget("morapiaf", seed=1)
    seen: list[tuple[dict[str, Any], dict[str, Any]]] = []
    table.observe(lambda change: seen.append((of(table), observables(table.match))), watched)
    table.choose("second")
    play_round(table, Random(1))
    table.next_round()
    while table.winner is None:
        play_round(table, Random(1))
        if table.phase == "round_over":
            table.next_round()
    table.match = Match(players=("A", "B"), seed=1)
    assert seen and all(told == true for told, true in seen)


def test_a_callback_is_told_only_of_what_has_changed_and_from_what() -> None:
    table = fresh()
    told: list[tuple[str, Any, Any]] = []
    table.observe(lambda change: told.append((change.name, change.old, change.new)), OBSERVABLE)
    before = of(table)
    table.play(table.match.moves()[0])
    after = of(table)
    assert {name: (old, new) for name, old, new in told} == {
        name: (before[name], after[name]) for name in OBSERVABLE if before[name] != after[name]
    }
    assert len(told) == 2, "position and turn"


def test_linked_values_follow(comms: Comms) -> None:
    table, label = fresh(), Label()
    link = traitlets.dlink((table, "position"), (label, "value"))
    table.play(table.match.moves()[0])
    assert label.value == table.position
    comms.of(table).press("undo")
    assert label.value == table.position == str(Match(seed=1, opener=0).position)
    link.unlink()
    table.redo()
    assert label.value != table.position


def test_a_callback_that_is_taken_away_is_no_longer_called() -> None:
    class Watcher:
        def __init__(self) -> None:
            self.told: list[str] = []

        def tell(self, change: Any) -> None:
            self.told.append(change.name)

    table, watcher, told = fresh(), Watcher(), []

    def tell(change: Any) -> None:
        told.append(change.name)

    table.observe(tell, "turn")
    table.observe(tell, "turn")
    table.observe(watcher.tell, ["turn", "position"])
    table.play(table.match.moves()[0])
    assert told == ["turn"], "registered twice is registered once"
    assert sorted(watcher.told) == ["position", "turn"]
    table.unobserve(tell, "turn")
    table.unobserve(watcher.tell, "position")
    table.play(table.match.moves()[0])
    assert told == ["turn"] and sorted(watcher.told) == ["position", "turn", "turn"]


def test_a_callback_may_watch_everything() -> None:
    table = fresh()
    told: set[str] = set()
    table.observe(lambda change: told.add(change.name))
    table.play(table.match.moves()[0])
    assert told == {"state", "position", "turn"}


def test_a_callback_that_raises_is_shown_and_stops_nobody_else(comms: Comms, logged: Logged) -> None:
    # Case 3, jupyter-widgets/ipywidgets#2949.
    table = fresh()
    comm = comms.of(table)
    told: list[str] = []

    def shout(change: Any) -> None:
        raise LookupError("where?")

    table.observe(lambda change: told.append("first"), "turn")
    table.observe(shout, "turn")
    table.observe(lambda change: told.append("last"), "turn")
    table.play(table.match.moves()[0])
    assert told == ["first", "last"]
    assert comm.state["notice"] == {
        "code": "callback_failed",
        "params": {"error": "LookupError: where?"},
        "text": "a callback raised LookupError: where?",
    }
    assert comm.state["revision"] == 1 and comm.state["stacks"] == table.state["stacks"]
    assert logged.take() == ["a callback failed"]
    table.unobserve(shout, "turn")
    assert comm.code("undo") is None, "the table stays playable"
    assert comm.state["notice"] is None and told == ["first", "last"] * 2


@pytest.mark.parametrize("watched", ["state", traitlets.All], ids=str)
def test_a_callback_that_raises_whatever_it_is_told_of_is_shown_too(comms: Comms, logged: Logged, watched: Any) -> None:
    # It is told of the very state that says that it raised.
    table = fresh()
    comm = comms.of(table)

    def shout(change: Any) -> None:
        raise LookupError("where?")

    table.observe(shout, watched)
    table.play(table.match.moves()[0])
    assert table.turn == 1 and comm.state["notice"]["code"] == "callback_failed"
    comm.update({"request": {"id": "a", "revision": 1, "kind": "undo"}})
    assert table.turn == 0 and comm.state["answer"] == {"id": "a", "error": None}
    assert len(comm.messages) < 20
    assert set(logged.take()) == {"a callback failed"}


def test_a_request_is_carried_out_although_a_callback_raises(comms: Comms, logged: Logged) -> None:
    table = fresh()
    comm = comms.of(table)

    def shout(change: Any) -> None:
        raise LookupError

    table.observe(shout, "position")
    mover, target = table.match.moves()[0]
    state = comm.press("move", mover=mover, target=target)
    assert state["answer"]["error"] is None
    assert state["notice"]["text"] == "a callback raised LookupError"
    assert table.turn == 1
    assert logged.take() == ["a callback failed"]


def test_a_callback_that_raises_does_not_hide_behind_a_quick_answer(comms: Comms, logged: Logged) -> None:
    table = SolunaWidget(seed=1, opener=0, opponent="random")

    def shout_once(change: Any) -> None:
        if change.new == 1:
            raise LookupError("where?")

    table.observe(shout_once, "turn")
    table.play(table.match.moves()[0])
    assert table.turn == 0, "the computer has answered"
    assert comms.of(table).state["notice"] is not None, "and what went wrong can still be read"
    assert logged.take() == ["a callback failed"]


def test_an_error_without_words_is_shown_too(comms: Comms, logged: Logged) -> None:
    class Wordless(Exception):
        def __str__(self) -> str:
            raise RuntimeError("no words")

    def shout(change: Any) -> None:
        raise Wordless

    table = fresh()
    table.observe(shout, "turn")
    table.play(table.match.moves()[0])
    assert "Wordless" in comms.of(table).state["notice"]["text"]
    assert logged.take() == ["a callback failed"]


def test_a_callback_may_play(comms: Comms) -> None:
    table = fresh()

    def answer(change: Any) -> None:
        if table.turn == 1 and table.phase == "playing":
            table.play(table.match.moves()[0])

    table.observe(answer, "turn")
    mover, target = table.match.moves()[0]
    state = comms.of(table).ask({"id": "a", "revision": 0, "kind": "move", "mover": mover, "target": target})[-1]
    assert (table.turn, state["turn"], state["revision"], table.match.ply) == (0, 0, 2, 2)
    assert of(table) == observables(table.match)


@pytest.mark.parametrize("place", range(3))
@pytest.mark.parametrize("turns", range(5))
def test_the_last_word_to_every_callback_is_true_also_when_one_of_them_plays(place: int, turns: int) -> None:
    table = fresh()
    last: list[dict[str, Any]] = [{}, {}]
    busy, left = False, turns

    def play(change: Any) -> None:
        nonlocal busy, left
        if left and not busy and table.phase == "playing":
            busy, left = True, left - 1
            table.play(table.match.moves()[0])
            busy = False

    callbacks: list[Callable[[Any], None]] = [
        lambda change: last[0].update({change.name: change.new}),
        lambda change: last[1].update({change.name: change.new}),
    ]
    callbacks.insert(place, play)
    for callback in callbacks:
        table.observe(callback, ["position", "turn"])
    table.play(table.match.moves()[0])
    assert table.match.ply >= min(turns, 1) + 1
    assert last == [{"position": table.position, "turn": table.turn}] * 2


def test_nested_play_to_the_end_of_the_match_inside_a_callback(comms: Comms) -> None:
    table = fresh()
    last: dict[str, Any] = {}

    def go_on(change: Any) -> None:
        if table.phase == "playing":
            table.play(table.match.moves()[0])
        elif table.phase == "round_over":
            table.next_round()

    table.observe(go_on, "position")
    table.observe(lambda change: last.update({change.name: change.new}), OBSERVABLE)
    table.play(table.match.moves()[0])
    assert table.phase == "match_over" and table.winner is not None
    assert last == {name: getattr(table, name) for name in OBSERVABLE if name != "players"}
    assert comms.of(table).state["winner"] == table.winner


# Drawn without a browser ---------------------------------------------------------------------------------------------


def test_what_a_notebook_keeps_is_a_view_a_text_and_a_picture_with_a_caption() -> None:
    names = ("<b>Sol</b>", "L&una")
    table = SolunaWidget(seed=1, opener=0, players=names)
    data, _ = table._repr_mimebundle_()
    assert set(data) == {"application/vnd.jupyter.widget-view+json", "text/plain", "image/svg+xml"}
    assert data["application/vnd.jupyter.widget-view+json"]["model_id"] == table.model_id
    assert data["text/plain"] == repr(table) and "SolunaWidget" in repr(table)
    svg = ElementTree.fromstring(data["image/svg+xml"])
    texts = [part.text for part in svg.iter("{http://www.w3.org/2000/svg}text")]
    assert "The table when this cell ran. It is the turn of <b>Sol</b>." in texts
    table.play(table.match.moves()[0])
    data, _ = table._repr_mimebundle_()
    assert "The table when this cell ran. It is the turn of L&amp;una." in data["image/svg+xml"]


def test_a_table_says_in_its_text_how_the_match_stands() -> None:
    table = SolunaWidget(seed=1, players=("Ada", "Grace"))
    for word in ("Ada", "Grace", table.phase, table.position):
        assert word in repr(table)


# Let go of -----------------------------------------------------------------------------------------------------------


def test_closing_says_so_once_and_frees_the_table_and_its_match(comms: Comms) -> None:
    table = SolunaWidget(seed=1, opener=0, opponent=Chance())
    comm = comms.of(table)
    table.observe(lambda change, kept=table: kept.turn, "turn")
    table.play(table.match.moves()[0])
    comm.press("undo")
    table.new_match()
    refs = [weakref.ref(table), weakref.ref(table.match)]
    table.close()
    table.close()
    assert [message.kind for message in comm.messages].count("close") == 1
    comms.clear()
    del table
    gc.collect()
    assert [ref() for ref in refs] == [None, None]


def test_a_match_that_somebody_keeps_does_not_keep_its_closed_table() -> None:
    table = fresh()
    matches = [table.match]
    table.new_match()
    matches.append(table.match)
    ref = weakref.ref(table)
    table.close()
    del table
    gc.collect()
    assert ref() is None
    assert [match.listener for match in matches] == [None, None]
    matches[1].play(matches[1].moves()[0])


def test_a_refused_table_leaves_nothing_behind() -> None:
    def count() -> int:
        gc.collect()
        return sum(isinstance(thing, SolunaWidget) for thing in gc.get_objects())

    before = count()
    for settings in ({"seat": 2}, {"opponent": 1}, {"discs": "SM^101"}, {"rulebook": "chess"}, {"sead": 1}):
        with pytest.raises((SolunaError, TypeError)):
            SolunaWidget(**settings)
    assert count() == before


def test_a_closed_table_can_still_be_played_from_python_and_says_nothing(comms: Comms) -> None:
    table = SolunaWidget(seed=1, opener=0, opponent="random")
    comm = comms.of(table)
    table.close()
    messages = comm.messages.copy()
    table.play(table.match.moves()[0])
    assert table.match.turn == 1, "nobody sits there any more"
    table.undo()
    table.new_match()
    table.match = Match(seed=2)
    table.opponent = raises(ZeroDivisionError())
    assert comm.messages == messages


def test_a_closed_table_holds_no_match() -> None:
    table = fresh()
    table.close()
    table.new_match()
    assert SolunaWidget.from_match(table.match).match is table.match
    match = Match(seed=2)
    table.match = match
    assert match.listener is None


def test_moves_are_read_as_a_match_reads_them() -> None:
    for move in (Move.parse("S1>M1"), "S1>M1", " S1 > M1 "):
        table = SolunaWidget(start="S1^2 M1", opener=0, seed=1)
        table.play(move)
        assert table.position == "S1,2"
