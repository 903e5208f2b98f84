"""What a state says of a match, and how states are published: whole, new each time, and in order."""

from __future__ import annotations

import copy
import json
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from soluna_widget import DiscSet, Match, Rulebook, SolunaWidget
from soluna_widget.widget.state import Around, to_state
from tests import naive
from tests.widget.fake_comm import Comms, FakeComm
from tests.widget.wire_fixtures import play_round

MATCHES: dict[str, dict[str, Any]] = {
    "bga": {},
    "morapiaf": {"rulebook": "morapiaf"},
    "placing": {"placing": True},
    "misere": {"misere": True},
    "by hand": {"start": "S1^2,3 M2 T1^3 C5"},
    "babylon": {"discs": "babylon"},
    "28 discs": {"discs": DiscSet.pairs("SMTCABDE", copies=1)},
    "two stars": {"rulebook": Rulebook("short", "youngest_chooses", "new", "loser", stars=2)},
}


@pytest.fixture(params=MATCHES)
def match(request: pytest.FixtureRequest) -> Match:
    return Match(seed=11, **MATCHES[request.param])


def state_of(match: Match, **around: Any) -> dict[str, Any]:
    return to_state(match, Around(**({"serial": 1, "revision": 0} | around)))


def turns(match: Match, rounds: int = 3) -> Any:
    """Play at random, and stop after every turn."""
    chance = Random(5)
    yield
    while match.phase != "match_over" and match.round <= rounds:
        match_phase = match.phase
        if match_phase == "round_over":
            match.next_round()
        elif match_phase == "placing":
            match.place()
        elif match_phase == "choosing":
            match.choose(chance.choice(("first", "second")))
        else:
            match.play(chance.choice(match.moves()))
        yield


# What it says --------------------------------------------------------------------------------------------------------


def test_a_state_is_the_match_in_plain_json(match: Match) -> None:
    for _ in turns(match):
        state = state_of(match)
        assert json.loads(json.dumps(state, allow_nan=False)) == state
        said = {key: state[key] for key in ("phase", "turn", "round", "opener", "winner", "misere", "to_place")}
        assert said == {key: getattr(match, key) for key in said}
        assert (state["rulebook"], state["stars_to_win"]) == (match.rulebook.name, match.rulebook.stars)
        assert (state["players"], state["stars"]) == (list(match.players), list(match.stars))
        assert {s["id"]: s["discs"] for s in state["stacks"]} == {
            stack.id: [disc.up for disc in stack.discs] for stack in match.stacks
        }


def test_the_moves_of_a_state_are_those_of_the_second_implementation(match: Match) -> None:
    for _ in turns(match):
        state = state_of(match)
        table = ["".join(stack["discs"]) for stack in state["stacks"]]
        ids = [stack["id"] for stack in state["stacks"]]
        pairs = [[ids[a], ids[b]] for a, b in naive.physical_pairs(table)] if match.phase == "playing" else []
        assert state["moves"] == sorted(pairs)


def test_a_merged_stack_keeps_the_targets_number_and_place_and_all_others_stay(match: Match) -> None:
    before: dict[int, dict[str, Any]] | None = None
    for _ in turns(match):
        state = state_of(match)
        now = {stack["id"]: stack for stack in state["stacks"]}
        last = state["last"]
        if last is not None:
            assert before is not None
            mover, target = before.pop(last["mover"]), before.pop(last["target"])
            merged = now.pop(last["target"])
            assert merged["discs"] == target["discs"] + mover["discs"]
            assert (merged["x"], merged["y"]) == (target["x"], target["y"])
            assert (last["x"], last["y"], last["height"]) == (mover["x"], mover["y"], len(mover["discs"]))
            assert last["by"] == 1 - state["turn"]
            assert now == before
        before = {stack["id"]: stack for stack in state["stacks"]}


def test_the_places_of_a_round_stay_also_while_discs_are_placed() -> None:
    match = Match(seed=3, placing=True)
    seen: dict[int, tuple[int, int]] = {}
    radii = set()
    while match.phase == "placing":
        match.place()
        state = state_of(match)
        radii.add(state["table"]["radius"])
        for stack in state["stacks"]:
            assert seen.setdefault(stack["id"], (stack["x"], stack["y"])) == (stack["x"], stack["y"])
    assert len(seen) == 12 and len(set(seen.values())) == 12 and len(radii) == 1


@pytest.mark.parametrize(("rulebook", "kept"), [("bga", False), ("morapiaf", True)])
def test_discs_that_are_thrown_again_lie_elsewhere_and_those_that_are_not_turned_stay(
    rulebook: str, kept: bool
) -> None:
    match = Match(rulebook, seed=3)
    first = state_of(match)["stacks"]
    play_round(match, Random(1))
    match.next_round()
    second = state_of(match)["stacks"]
    assert (second == first) is kept
    assert ([(s["x"], s["y"]) for s in second] == [(s["x"], s["y"]) for s in first]) is kept


def test_a_disc_fits_on_the_table_and_on_no_other(match: Match) -> None:
    for _ in turns(match, rounds=1):
        state = state_of(match)
        width, height, radius = (state["table"][key] for key in ("width", "height", "radius"))
        spots = [(stack["x"], stack["y"]) for stack in state["stacks"]]
        for x, y in spots:
            assert radius <= x <= width - radius and 0 < y < height
        for number, (x, y) in enumerate(spots):
            for a, b in spots[:number]:
                assert ((x - a) ** 2 + (y - b) ** 2) ** 0.5 > 2 * 0.84 * radius
                assert ((x - a) ** 2 + ((y - b) / 0.84) ** 2) ** 0.5 > 2 * radius


@pytest.mark.parametrize("misere", [False, True])
def test_how_a_round_ended_is_said_only_then(misere: bool) -> None:
    match = Match(seed=4, misere=misere)
    for _ in turns(match):
        ended = state_of(match)["ended"]
        if match.phase in ("round_over", "match_over"):
            winner = match.turn if misere else 1 - match.turn
            assert ended == {"blocked": match.turn, "winner": winner}
        else:
            assert ended is None


def test_what_can_be_asked_for_follows_from_the_phase(match: Match) -> None:
    kinds = {
        "playing": "move",
        "choosing": "choose",
        "placing": "place",
        "round_over": "next_round",
        "match_over": None,
    }
    for _ in turns(match, rounds=9):
        can = state_of(match, can_undo=True, advice=True)["can"]
        always = {"new_match": True, "undo": True, "redo": False, "hints": True}
        always["review"] = match.phase in ("round_over", "match_over")
        assert can == {kind: kind == kinds[match.phase] for kind in kinds.values() if kind} | always
    assert match.phase == "match_over"


def test_nothing_can_be_moved_chosen_or_placed_while_the_computer_thinks(match: Match) -> None:
    for _ in turns(match):
        around = {"opponent_seat": match.turn, "opponent_name": "Deep", "thinking": True}
        state = state_of(match, **around)
        assert not any(state["can"][kind] for kind in ("move", "choose", "place"))
        assert state["opponent"] == {"seat": match.turn, "name": "Deep", "thinking": True}


def test_a_state_shares_nothing_with_the_match(match: Match) -> None:
    for _ in turns(match, rounds=1):
        state, record = state_of(match), match.record()
        spoil(state)
        assert match.record() == record
        assert state_of(match) != state


def spoil(part: Any) -> None:
    """Break everything in it that can be changed."""
    for inner in list(part.values()) if isinstance(part, dict) else list(part):
        if isinstance(inner, dict | list):
            spoil(inner)
    part.clear()


# How it is published -------------------------------------------------------------------------------------------------


def some_of_everything(table: SolunaWidget, comm: FakeComm) -> None:
    """Play, ask, be refused, go back and forth, and begin anew."""
    table.play(table.match.moves()[0])
    comm.press("move", mover=1, target=1)
    comm.press("undo")
    comm.press("redo")
    comm.press("hello")
    comm.ask("rubbish")
    table.undo()
    play_round(table, Random(1))
    table.next_round()
    comm.press("new_match")
    table.undo()
    table.opponent = "random"
    table.opponent = None


def test_serials_grow_with_every_publication_and_revisions_with_every_change(comms: Comms) -> None:
    table = SolunaWidget(seed=1, opener=0)
    comm = comms.of(table)
    some_of_everything(table, comm)
    states = comm.states
    serials = [state["serial"] for state in states]
    assert serials == list(range(serials[0], serials[0] + len(states)))
    for before, after in pairwise(states):
        table_keys = set(before) - {"serial", "revision", "answer", "notice"}
        if after["revision"] == before["revision"]:
            assert {key: before[key] for key in table_keys} == {key: after[key] for key in table_keys}
        else:
            assert after["revision"] == before["revision"] + 1


@pytest.mark.parametrize(
    ("ask", "grows"),
    [
        ({"kind": "hello"}, 0),
        ({"kind": "redo"}, 0),
        ({"kind": "next_round"}, 0),
        ({"kind": "sing"}, 0),
        ({"kind": "move", "mover": 2, "target": 2}, 0),
        ({"kind": "move", "mover": 1, "target": 99}, 0),
        ({"kind": "undo", "revision": 0}, 0),
        ({"kind": "undo"}, 1),
        ({"kind": "new_match"}, 1),
    ],
)
def test_the_revision_grows_exactly_when_the_table_changes(comms: Comms, ask: dict[str, Any], grows: int) -> None:
    table = SolunaWidget(seed=1)
    comm = comms.of(table)
    table.play(table.match.moves()[0])
    before = comm.state["revision"]
    (state,) = comm.ask({"id": "a", "revision": before} | ask)
    assert state["revision"] == before + grows
    assert (state["answer"]["error"] is None) == (grows == 1 or ask["kind"] == "hello")


def test_the_state_is_replaced_and_never_mutated(comms: Comms) -> None:
    table = SolunaWidget(seed=1, opener=0)
    kept = [table.state]
    as_they_were = [copy.deepcopy(table.state)]

    def keep(change: Any) -> None:
        assert change.new is table.state
        assert change.old is kept[-1]
        kept.append(change.new)
        as_they_were.append(copy.deepcopy(change.new))

    table.observe(keep, "state")
    some_of_everything(table, comms.of(table))
    assert len(kept) > 20
    assert kept == as_they_were == comms.of(table).states
    parts = [id(state[key]) for state in kept for key in ("stacks", "moves", "can", "table", "stars", "players")]
    assert len(set(parts)) == len(parts), "no two states share a part that could change"


def test_each_change_is_one_message_sent_before_anybody_is_told(comms: Comms) -> None:
    table = SolunaWidget(seed=1, opener=0)
    comm = comms.of(table)
    sent: list[int] = []
    names = ("position", "turn", "phase", "stars", "winner", "players")
    table.observe(lambda change: sent.append(len(comm.messages)), names)
    for number in range(1, 6):
        table.play(table.match.moves()[0])
        assert len(comm.messages) == 1 + number, "the first message, and one for each move"
        assert set(sent) == {1 + number}, "it had gone out when people's callbacks were called"
        assert (comm.state["revision"], comm.state["turn"]) == (number, table.turn)
        sent.clear()
