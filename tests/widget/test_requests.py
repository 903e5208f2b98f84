"""What the browser may ask for, and what it gets: every request is answered, and nothing else it sends does a thing."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from soluna_widget import Match, SolunaError, SolunaWidget
from soluna_widget.widget.requests import KINDS, read_request, usable_id
from tests.widget.conftest import Logged
from tests.widget.fake_comm import Comms, through_json
from tests.widget.wire_fixtures import play_round


def right(kind: str) -> dict[str, Any]:
    """A request of the right shape."""
    bodies: dict[str, dict[str, Any]] = {
        "move": {"mover": 1, "target": 2},
        "choose": {"order": "first"},
        "open": {"record": "?"},
        "hints": {"on": True},
    }
    return {"id": "a", "revision": 0, "kind": kind, **bodies.get(kind, {})}


def without(request: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in request.items() if name != key}


# Their shape ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_a_request_of_the_right_shape_is_read(kind: str) -> None:
    raw = right(kind)
    read = read_request(raw)
    assert {"id": read.id, "revision": read.revision, "kind": read.kind, **read.body} == raw
    assert read_request(through_json(raw)) == read


WRONG_VALUES: dict[str, list[Any]] = {
    "id": [None, 1, True, "", "x" * 101, [], {}, ["a"], 1.5],
    "revision": [None, "0", 0.0, 0.5, True, False, [], {}, math.nan, math.inf, -math.inf],
    "kind": [None, "", "sing", "Move", "move ", "moves", 0, True, ["move"], {"kind": "move"}, "__class__", "undo\x00"],
    "mover": [None, "1", 1.0, True, False, [], [1], {}, math.nan],
    "target": [None, "2", 2.0, True, False, [], [2], {}, math.inf],
    "order": [None, "third", "First", "first ", "", 1, 0, True, [], ["first"], {}],
    "on": [None, 0, 1, "true", [], {}],
    "record": [None, 1, True, [], ["a"], {}, "x" * 1_000_001],
}
WRONG_SHAPES: list[tuple[str, Any]] = [
    *(
        (f"{type(raw).__name__} {raw!r}", raw)
        for raw in (None, True, 0, 3, 1.5, math.nan, "", "undo", [], [1], ["undo"])
    ),
    ("nothing in it", {}),
    *(
        (f"{kind} without {key}", without(right(kind), key))
        for kind in KINDS
        for key in ("id", "revision", "kind", *KINDS[kind])
    ),
    *(
        (f"{kind} with {key} {value!r:.20}", right(kind) | {key: value})
        for kind in KINDS
        for key in ("id", "revision", "kind", *KINDS[kind])
        for value in WRONG_VALUES[key]
    ),
    *(
        (f"{kind} with {extra}", right(kind) | {extra: 1})
        for kind in KINDS
        for extra in ("", "extra", "state", "__proto__", "stars", "order" if kind != "choose" else "mover")
    ),
]


@pytest.mark.parametrize("raw", [pytest.param(raw, id=name) for name, raw in WRONG_SHAPES])
def test_a_request_of_a_wrong_shape_is_refused_with_a_sentence_and_answered(comms: Comms, raw: Any) -> None:
    with pytest.raises(SolunaError) as caught:
        read_request(raw)
    assert caught.value.code == "malformed"
    assert str(caught.value).startswith("this request is malformed: ")
    table = SolunaWidget(seed=1, opener=0)
    before = table.match.record()
    (state,) = comms.of(table).ask(raw)
    has_id = isinstance(raw, dict) and isinstance(raw.get("id"), str) and 0 < len(raw["id"]) <= 100
    assert state["answer"]["id"] == (raw["id"] if has_id else None) == usable_id(raw)
    assert state["answer"]["error"] == {
        "code": "malformed",
        "params": dict(caught.value.params),
        "text": str(caught.value),
    }
    assert (state["revision"], table.match.record()) == (0, before)


@pytest.mark.parametrize("request_id", ["a", "x" * 100, "<b>", "é☀", "null", " "])
def test_any_short_printable_text_is_an_id_and_comes_back_as_it_was(comms: Comms, request_id: str) -> None:
    (state,) = comms.of(SolunaWidget(seed=1)).ask({"id": request_id, "revision": 0, "kind": "hello"})
    assert state["answer"] == {"id": request_id, "error": None}


@pytest.mark.parametrize("text", [chr(0xD800), "a" + chr(0xDFFF), chr(0xDC80), "\x00"])
def test_an_id_that_cannot_be_sent_back_is_unusable(comms: Comms, text: str) -> None:
    # A browser may send half a character, which JSON can spell and UTF-8 cannot: the answer with it would never go out.
    table = SolunaWidget(seed=1, opener=0)
    comm = comms.of(table)
    raw = json.loads(json.dumps({"id": text, "revision": 0, "kind": "undo"}))
    (state,) = comm.ask(raw)
    assert state["answer"]["id"] is None and state["answer"]["error"]["code"] == "malformed"
    assert comm.code("hello") is None
    table.play(table.match.moves()[0])
    assert comm.state["revision"] == 1


# What they do --------------------------------------------------------------------------------------------------------


def test_each_kind_does_what_its_method_does(comms: Comms) -> None:
    asked, bare = SolunaWidget("morapiaf", seed=1), Match("morapiaf", seed=1)
    comm, chance = comms.of(asked), Random(4)
    assert comm.code("choose", order="second") is None
    bare.choose("second")
    while asked.phase != "match_over":
        if asked.phase == "choosing":
            assert comm.code("choose", order="first") is None
            bare.choose("first")
        elif asked.phase == "round_over":
            assert comm.code("next_round") is None
            bare.next_round()
        else:
            mover, target = chance.choice(comm.state["moves"])
            assert comm.code("move", mover=mover, target=target) is None
            bare.play((mover, target))
            assert comm.code("undo") is None
            assert comm.code("redo") is None
        assert asked.match == bare
    assert comm.code("new_match") is None
    assert asked.match == bare.again()
    placing, bare = SolunaWidget(seed=1, placing=True), Match(seed=1, placing=True)
    for _ in range(12):
        assert comms.of(placing).code("place") is None
        bare.place()
        assert placing.match == bare
    assert placing.phase == "playing"


@pytest.mark.parametrize("kind", KINDS)
def test_a_request_is_answered_by_one_publication_and_nothing_else(comms: Comms, kind: str) -> None:
    table = SolunaWidget("morapiaf", seed=1)
    comm = comms.of(table)
    for number in range(3):
        before = len(comm.messages)
        states = comm.ask(right(kind) | {"id": f"a{number}", "revision": comm.state["revision"]})
        assert [state["answer"]["id"] for state in states] == [f"a{number}"]
        assert len(comm.messages) == before + 1, "and it is not echoed"


def test_the_identical_request_twice_is_two_requests(comms: Comms) -> None:
    # Case 1, jashkenas/backbone#559: an unchanged trait value fires nothing.
    table = SolunaWidget(seed=1, opener=0)
    comm = comms.of(table)
    hello = {"id": "a", "revision": 0, "kind": "hello"}
    for expected in (2, 3, 4):
        (state,) = comm.ask(dict(hello))
        assert (state["serial"], state["answer"]) == (expected, {"id": "a", "error": None})


def test_undo_pressed_twice_takes_back_two_turns(comms: Comms) -> None:
    # Case 1 once more, as people meet it: two requests that differ in nothing but what makes every request its own.
    table = SolunaWidget(seed=1, opener=0)
    comm, start = comms.of(table), table.position
    for _ in range(2):
        table.play(table.match.moves()[0])
    for _ in range(2):
        assert comm.code("undo") is None
    assert table.position == start
    for _ in range(2):
        assert comm.code("redo") is None
    assert table.match.ply == 2


def test_a_double_click_moves_once(comms: Comms) -> None:
    table = SolunaWidget(seed=1, opener=0)
    comm = comms.of(table)
    mover, target = next((a, b) for a, b in table.match.moves() if a > b)
    click = {"revision": 0, "kind": "move", "mover": mover, "target": target}
    (first,) = comm.ask(click | {"id": "a"})
    (second,) = comm.ask(click | {"id": "b"})
    assert first["answer"] == {"id": "a", "error": None}
    assert second["answer"]["id"] == "b" and second["answer"]["error"]["code"] == "stale"
    assert table.match.ply == 1


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "hello"])
@pytest.mark.parametrize("revision", [-1, 0, 2, 10**6, -(10**40), 10**400])
def test_a_request_for_another_revision_is_stale(comms: Comms, kind: str, revision: int) -> None:
    # Case 10, miskibin/py-draughts#27.
    table = SolunaWidget("morapiaf", seed=1)
    table.choose("first")
    record, redo = table.match.record(), table.match.can_redo()
    (state,) = comms.of(table).ask(right(kind) | {"revision": revision})
    assert state["answer"]["error"]["code"] == "stale"
    assert (table.match.record(), table.match.can_redo(), state["revision"]) == (record, redo, 1)


@pytest.mark.parametrize("revision", [-1, 0, 1, 10**400])
def test_whether_anybody_is_there_is_answered_whatever_the_revision(comms: Comms, revision: int) -> None:
    table = SolunaWidget(seed=1)
    before = table.state
    (state,) = comms.of(table).ask({"id": "a", "revision": revision, "kind": "hello"})
    assert state == before | {"serial": before["serial"] + 1, "answer": {"id": "a", "error": None}}


def illegal(table: SolunaWidget) -> tuple[int, int]:
    """Two stacks of which one cannot go on the other."""
    ids = [stack.id for stack in table.match.stacks]
    return next((a, b) for a in ids for b in ids if a != b and (a, b) not in table.match.moves())


def mid_round() -> SolunaWidget:
    table = SolunaWidget(seed=1, opener=0)
    for _ in range(4):
        table.play(table.match.moves()[0])
    table.undo()
    return table


REFUSED: dict[str, tuple[Callable[[SolunaWidget], dict[str, Any]], str, str]] = {
    "on itself": (lambda t: {"mover": 12, "target": 12}, "one_stack", "cannot go on itself"),
    "a stack that is part of another": (lambda t: {"mover": 1, "target": 12}, "no_such_stack", "no stack 1"),
    "on a stack that is part of another": (lambda t: {"mover": 12, "target": 1}, "no_such_stack", "no stack 1"),
    "on itself, which is not there": (lambda t: {"mover": 1, "target": 1}, "no_such_stack", "no stack 1"),
    "zero": (lambda t: {"mover": 0, "target": 12}, "no_such_stack", "no stack 0"),
    "negative": (lambda t: {"mover": -1, "target": 12}, "no_such_stack", "no stack -1"),
    "one too many": (lambda t: {"mover": 12, "target": 13}, "no_such_stack", "no stack 13"),
    "far too many": (lambda t: {"mover": 10**400, "target": 12}, "no_such_stack", "no stack 1000"),
    "neither agrees": (lambda t: dict(zip(("mover", "target"), illegal(t), strict=True)), "neither_agrees", "agree"),
}


@pytest.mark.parametrize("refused", REFUSED)
def test_an_illegal_move_is_refused_with_the_rule_that_failed(comms: Comms, refused: str) -> None:
    # Case 10, miskibin/py-draughts#27.
    table = mid_round()
    assert {1, 12} & {stack.id for stack in table.match.stacks} == {12}
    make, code, words = REFUSED[refused]
    record, before = table.match.record(), table.state
    state = comms.of(table).press("move", **make(table))
    assert state["answer"]["error"]["code"] == code
    assert words in state["answer"]["error"]["text"]
    assert table.match.record() == record and table.match.can_redo(), "what was taken back can still be done again"
    assert state == before | {"serial": before["serial"] + 1, "answer": state["answer"]}


def test_the_refusal_names_both_stacks_for_the_browsers_own_words(comms: Comms) -> None:
    table = SolunaWidget(start="S3 M2 S1", opener=0, seed=1)
    state = comms.of(table).press("move", mover=3, target=2)
    assert state["answer"]["error"] == {
        "code": "neither_agrees",
        "params": {"mover": {"top": "M", "height": 2}, "target": {"top": "S", "height": 3}},
        "text": "moon, height 2 cannot go on sun, height 3: neither tops nor heights agree",
    }


def played_out(settings: dict[str, Any], rounds: int) -> SolunaWidget:
    table = SolunaWidget(seed=1, **settings)
    chance = Random(1)
    for number in range(rounds):
        if number:
            table.next_round()
        play_round(table, chance)
    return table


PHASES: dict[str, Callable[[], SolunaWidget]] = {
    "placing": lambda: SolunaWidget(seed=1, placing=True),
    "choosing": lambda: SolunaWidget("morapiaf", seed=1),
    "playing": lambda: SolunaWidget(seed=1),
    "round_over": lambda: played_out({}, 1),
    "match_over": lambda: played_out({"start": "S1^2", "opener": 0}, 7),
}
FITS = {"move": "playing", "choose": "choosing", "place": "placing", "next_round": "round_over"}


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("kind", FITS)
def test_what_the_phase_does_not_allow_is_refused(comms: Comms, kind: str, phase: str) -> None:
    table = PHASES[phase]()
    assert table.phase == phase
    comm, record = comms.of(table), table.match.record()
    bodies: dict[str, dict[str, Any]] = {"choose": {"order": "first"}}
    if kind == "move":
        mover, target = (comm.state["moves"] or [(1, 2)])[0]
        bodies["move"] = {"mover": mover, "target": target}
    error = comm.press(kind, **bodies.get(kind, {}))["answer"]["error"]
    if FITS[kind] == phase:
        assert error is None and table.match.record() != record
    else:
        assert error["code"] == "wrong_phase" and error["params"] == {"kind": kind, "phase": phase}
        assert table.match.record() == record


@pytest.mark.parametrize("phase", PHASES)
def test_what_can_be_asked_for_is_carried_out_and_what_cannot_is_refused(comms: Comms, phase: str) -> None:
    for kind in PHASES["playing"]().state["can"]:
        comm = comms.of(PHASES[phase]())
        can = comm.state["can"][kind]
        moves = comm.state["moves"] or [(1, 2)]
        bodies: dict[str, dict[str, Any]] = {
            "move": dict(zip(("mover", "target"), moves[0], strict=True)),
            "choose": {"order": "first"},
            "hints": {"on": True},
        }
        body = bodies.get(kind, {})
        assert (comm.code(kind, **body) is None) is can, kind


def test_nothing_left_to_undo_or_redo_is_said(comms: Comms) -> None:
    comm = comms.of(SolunaWidget(seed=1))
    assert (comm.code("undo"), comm.code("redo")) == ("nothing_to_undo", "nothing_to_redo")
    assert comm.state["revision"] == 0


def test_a_new_match_can_be_taken_back_by_the_browser(comms: Comms) -> None:
    table = mid_round()
    comm, match, record = comms.of(table), table.match, table.match.record()
    assert comm.code("new_match") is None and len(comm.state["stacks"]) == 12
    assert comm.state["can"]["undo"] and not comm.state["can"]["redo"]
    assert comm.code("undo") is None
    assert table.match is match and match.record() == record and comm.state["can"]["redo"]


def test_a_fault_of_ours_is_answered_and_logged(comms: Comms, logged: Logged) -> None:
    class Broken(Match):
        def redo(self, seat: int | None = None) -> None:
            raise RuntimeError("the dog ate it")

    table = SolunaWidget.from_match(Broken(seed=1))
    error = comms.of(table).press("redo")["answer"]["error"]
    assert error["code"] == "failed" and error["params"] == {"error": "RuntimeError: the dog ate it"}
    assert logged.take() == ["a request failed"]
    assert comms.of(table).code("hello") is None


# What else a browser might send --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "traits",
    [
        {"state": {}},
        {"state": None},
        {"state": {"serial": 99, "revision": 99, "stars": [4, 0]}},
        {"position": "S1"},
        {"turn": 1, "phase": "match_over", "winner": 1, "stars": [0, 4]},
        {"players": ["Mallory", "Mallory"]},
        {"_esm": "alert(1)", "_css": "* { display: none }", "_anywidget_id": "x"},
        {"_view_count": 3, "layout": "IPY_MODEL_x", "_dom_classes": ["x"], "comm": None, "keys": []},
        {"_matches": [], "match": None, "opponent": None},
        {},
        None,
        [],
        "request",
        7,
    ],
    ids=str,
)
def test_nothing_but_a_request_is_taken_from_a_browser(comms: Comms, traits: Any) -> None:
    table = SolunaWidget(seed=1, opener=0)
    comm = comms.of(table)
    before = {name: getattr(table, name) for name in table.traits()}
    assert comm.update(traits) == [], "nothing is sent, not even an echo"
    assert {name: getattr(table, name) for name in table.traits()} == before
    assert comm.code("hello") is None


def test_a_request_among_other_traits_is_taken_alone(comms: Comms) -> None:
    table = SolunaWidget(seed=1, opener=0)
    sent = comms.of(table).update({"state": {"serial": 7}, "position": "S1", "request": right("hello")})
    assert [message.traits["state"]["answer"]["id"] for message in sent] == ["a"]
    assert table.position == str(Match(seed=1, opener=0).position)


@pytest.mark.parametrize(
    ("buffers", "paths"),
    [
        ([b"x"], [["request"]]),
        ([b"x"], [["request", "kind"]]),
        ([], [["request"]]),
        ([b"x"], [[]]),
        ([b"x"], "rubbish"),
    ],
)
def test_buffers_are_not_looked_at(comms: Comms, buffers: list[bytes], paths: Any) -> None:
    comm = comms.of(SolunaWidget(seed=1))
    (message,) = comm.update({"request": right("hello")}, buffers, buffer_paths=paths)
    assert message.traits["state"]["answer"] == {"id": "a", "error": None}


def test_whoever_asks_for_the_whole_state_gets_it(comms: Comms) -> None:
    table = mid_round()
    comm = comms.of(table)
    before = len(comm.messages)
    comm.deliver({"method": "request_state"})
    (message,) = comm.messages[before:]
    assert message.kind == "update" and message.traits["state"] == table.state == comm.state
    assert set(message.traits) == set(comm.opened)


@pytest.mark.parametrize(
    "raw", [math.nan, {"id": "a", "revision": math.inf}, {chr(0xD800): "half a character"}, "deep"]
)
def test_whoever_asks_gets_it_whatever_was_in_the_last_request(comms: Comms, raw: Any) -> None:
    # A page that is loaded again asks for the whole state: what cannot be sent would keep the table from being drawn.
    if raw == "deep":
        for _ in range(900):
            raw = [raw]
    comm = comms.of(SolunaWidget(seed=1))
    (state,) = comm.ask(raw)
    assert state["answer"]["error"]["code"] == "malformed"
    before = len(comm.messages)
    comm.deliver({"method": "request_state"})
    assert [message.traits["state"] for message in comm.messages[before:]] == [state]


GARBAGE: list[Any] = [
    None,
    [],
    {},
    "update",
    7,
    {"method": None},
    {"method": ["update"]},
    {"method": "update"},
    {"method": "sing", "state": {"request": right("new_match")}},
    {"method": "echo_update", "state": {"state": {}}},
    {"state": {"request": right("new_match")}},
    {"method": "custom"},
    {"method": "custom", "content": None},
    {"method": "custom", "content": {"kind": "new_match"}},
]


@pytest.mark.parametrize("data", GARBAGE, ids=str)
def test_a_message_that_is_no_request_does_nothing(comms: Comms, logged: Logged, data: Any) -> None:
    table = SolunaWidget(seed=1)
    comm, match = comms.of(table), table.match
    comm.deliver(data)
    assert len(comm.messages) == 1 and table.match is match and match.ply == 0
    assert not logged.take_tracebacks(), "a kernel would print them below some cell"
    assert comm.code("hello") is None


def test_a_message_with_no_data_does_nothing(comms: Comms, logged: Logged) -> None:
    comm = comms.of(SolunaWidget(seed=1))
    comm.deliver_raw({"content": {"comm_id": comm.comm_id}})
    assert len(comm.messages) == 1
    assert not logged.take_tracebacks()
    assert comm.code("hello") is None
