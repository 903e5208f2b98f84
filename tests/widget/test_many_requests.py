"""Thousands of requests, right, stale and mad, against a judge that knows what a browser sees and a bare match."""

from __future__ import annotations

import contextlib
import copy
import json
import math
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from soluna_widget import DiscSet, Match, Rulebook, SolunaError, SolunaWidget
from tests.widget.fake_comm import Comms, FakeComm, fake_comms
from tests.widget.players import PATIENCE

State = dict[str, Any]

OBSERVABLE = ("position", "turn", "phase", "stars", "winner", "players")
BODIES = {"move": ("mover", "target"), "choose": ("order",), "open": ("record",), "hints": ("on",)}
HARMLESS = ("hello", "record", "hints", "review")
"""They change nothing, and are answered all the same."""
KINDS = (*("move", "choose", "place", "next_round", "new_match", "undo", "redo"), *HARMLESS, "open")

RECORDS = [match.record() for match in (Match(seed=8, opener=1), Match("morapiaf", seed=9), Match(start="S1^2 M2"))]
DAMAGED = ["", "\x00", "\ud800", RECORDS[0].replace("bga", "b\udfffga"), RECORDS[1][:-9], RECORDS[2] + "1. S1>S1"]

# The judge -----------------------------------------------------------------------------------------------------------


def judge(state: State, raw: Any) -> tuple[str | None, str | None]:
    """Say what a request must be answered with, from the state that a browser has: the id, and the error's code."""
    if not isinstance(raw, dict):
        return None, "malformed"
    name = raw.get("id")
    answer_id = name if isinstance(name, str) and name.isprintable() and 1 <= len(name) <= 100 else None
    return answer_id, _judge(state, raw, answer_id)


def _judge(state: State, raw: dict[str, Any], answer_id: str | None) -> str | None:
    kind = raw.get("kind")
    if answer_id is None or not _is_int(raw.get("revision")) or kind not in [k for k in KINDS if isinstance(kind, str)]:
        return "malformed"
    carried = BODIES.get(kind, ())
    if set(raw) != {"id", "revision", "kind", *carried}:
        return "malformed"
    if kind == "move" and not all(_is_int(raw[key]) for key in carried):
        return "malformed"
    if kind == "choose" and raw["order"] not in [w for w in ("first", "second") if isinstance(raw["order"], str)]:
        return "malformed"
    if (kind == "open" and not isinstance(raw["record"], str)) or (kind == "hints" and not isinstance(raw["on"], bool)):
        return "malformed"
    if kind == "hello":
        return None
    if raw["revision"] != state["revision"]:
        return "stale"
    needs = {"move": "playing", "choose": "choosing", "place": "placing", "next_round": "round_over"}
    if state["phase"] != needs.get(kind, state["phase"]):
        return "wrong_phase"
    if kind == "review":
        return None if state["phase"] in ("round_over", "match_over") else "wrong_phase"
    if kind == "open":
        return None if raw["record"] in RECORDS else "invalid_record"
    if kind in ("undo", "redo"):
        return None if state["can"][kind] else f"nothing_to_{kind}"
    return _judge_move(state, raw["mover"], raw["target"]) if kind == "move" else None


def _judge_move(state: State, mover: int, target: int) -> str | None:
    stacks = {stack["id"]: stack["discs"] for stack in state["stacks"]}
    if mover not in stacks or target not in stacks:
        return "no_such_stack"
    if mover == target:
        return "one_stack"
    one, other = stacks[mover], stacks[target]
    return None if one[-1] == other[-1] or len(one) == len(other) else "neither_agrees"


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


# A bare match, or more than one where new ones were begun ------------------------------------------------------------


class Bare:
    """Matches without a table: what the requests that were legal make of them."""

    def __init__(self, match: Match) -> None:
        self.matches = [match]

    @property
    def match(self) -> Match:
        return self.matches[-1]

    @property
    def can(self) -> dict[str, bool]:
        return {"undo": self.match.can_undo() or len(self.matches) > 1, "redo": self.match.can_redo()}

    def do(self, kind: str, **body: Any) -> None:
        match kind:
            case "move":
                self.match.play((body["mover"], body["target"]))
            case "choose":
                self.match.choose(body["order"])
            case "new_match":
                self.matches.append(self.match.again())
            case "undo" if not self.match.can_undo():
                self.matches.pop()
            case "open":
                self.matches.append(Match.from_record(body["record"]))
            case "hello" | "record" | "hints" | "review":
                pass
            case _:
                getattr(self.match, kind)()


# Requests ------------------------------------------------------------------------------------------------------------


class Requests:
    """Makes requests by chance; `kept` are earlier ones, to be sent again."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance
        self.kept: list[Any] = [{}]
        self.makers: list[tuple[int, Callable[[State], Any]]] = [
            (30, self.right),
            (12, self.some_move),
            (8, self.not_now),
            (4, lambda state: self.labelled(state, self.chance.choice(["undo", "redo"]))),
            (10, self.stale),
            (8, lambda state: copy.deepcopy(self.chance.choice(self.kept))),
            (17, self.spoilt),
            (15, lambda state: self.rubbish(4)),
        ]

    def make(self, state: State) -> Any:
        (maker,) = self.chance.choices([maker for _, maker in self.makers], [weight for weight, _ in self.makers])
        raw = maker(state)
        self.kept = [*self.kept[-20:], raw]
        return raw

    def labelled(self, state: State, kind: str, **body: Any) -> dict[str, Any]:
        parts = [
            ("id", f"{self.chance.getrandbits(64):x}"),
            ("revision", state["revision"]),
            ("kind", kind),
            *body.items(),
        ]
        self.chance.shuffle(parts)
        return dict(parts)

    def right(self, state: State) -> Any:
        often = {"new_match": 1, "undo": 8, "redo": 8, "hello": 2, "record": 2, "open": 1, "hints": 2, "review": 5}
        kinds = [*(kind for kind, can in state["can"].items() if can), "hello", "record", "open"]
        (kind,) = self.chance.choices(kinds, [often.get(kind, 30) for kind in kinds])
        body: dict[str, Any] = {}
        if kind == "move":
            body = dict(zip(("mover", "target"), self.chance.choice(state["moves"]), strict=True))
        elif kind == "choose":
            body = {"order": self.chance.choice(["first", "second"])}
        elif kind == "hints":
            body = {"on": self.chance.random() < 0.5}
        elif kind == "open":
            body = {"record": self.chance.choice(RECORDS if self.chance.random() < 0.3 else DAMAGED)}
        return self.labelled(state, kind, **body)

    def some_move(self, state: State) -> Any:
        there = [stack["id"] for stack in state["stacks"]]
        numbers = [*there, *there, *range(-1, 14), -(10**30), 10**300, 2**63]
        return self.labelled(state, "move", mover=self.chance.choice(numbers), target=self.chance.choice(numbers))

    def not_now(self, state: State) -> Any:
        kind = self.chance.choice(KINDS)
        bodies: dict[str, dict[str, Any]] = {
            "move": {"mover": 1, "target": 2},
            "choose": {"order": "second"},
            "open": {"record": "?"},
            "hints": {"on": True},
        }
        return self.labelled(state, kind, **bodies.get(kind, {}))

    def stale(self, state: State) -> Any:
        earlier = [state["revision"] - 1, state["revision"] + 1, -1, 0, -state["revision"], 10**25, -(10**200)]
        return self.right(state) | {"revision": self.chance.choice(earlier)}

    def spoilt(self, state: State) -> Any:
        """Spoil a right request in one place."""
        raw = self.right(state)
        key = self.chance.choice(list(raw))
        match self.chance.randrange(5):
            case 0:
                del raw[key]
            case 1:
                raw[key] = self.rubbish(2)
            case 2:
                raw[self.chance.choice(["", "x", "state", "mover", "target", "order", "__class__"])] = self.rubbish(1)
            case 3:
                raw[key] = str(raw[key]) if self.chance.random() < 0.5 else [raw[key]]
            case _:
                raw[key] = self.chance.choice([True, False, None, 0.0, 1.0, float(state["revision"]), "x" * 101])
        return raw

    def rubbish(self, depth: int) -> Any:
        """Any JSON at all, and what Python's JSON lets through besides."""
        chance = self.chance
        if depth and chance.random() < 0.4:
            count = chance.randrange(4)
            if chance.random() < 0.4:
                return [self.rubbish(depth - 1) for _ in range(count)]
            keys = ["id", "revision", "kind", "mover", "target", "order", "request", "state", "", "\x00", "é"]
            return {chance.choice(keys): self.rubbish(depth - 1) for _ in range(count + 1)}
        plain: list[Any] = [
            None,
            True,
            False,
            0,
            1,
            -1,
            10**18,
            10**400,
            0.5,
            -0.0,
            1e308,
            math.nan,
            math.inf,
            -math.inf,
        ]
        words = ["", "a", "\x00", "☀" * 30, "x" * 5000, "0", "NaN", "null", "<script>", "first", *KINDS]
        return chance.choice([*plain, *words, *words])


TABLES: dict[str, dict[str, Any]] = {
    "bga": {"seed": 1},
    "morapiaf": {"seed": 2, "rulebook": "morapiaf", "youngest": 1},
    "placing": {"seed": 3, "placing": True, "discs": DiscSet.pairs("SMT", copies=2)},
    "by hand, misere": {"seed": 4, "start": "S1^3,2 M1^2 T3", "misere": True},
    "short": {
        "seed": 5,
        "rulebook": Rulebook("short", "youngest_chooses", "new", "loser_chooses", stars=2),
        "discs": "babylon",
    },
}
SITTINGS, EACH = 20, 200
"""How often people sit down at each table, and how many requests come then: with five tables, 20,000."""


def test_twenty_thousand_requests_are_each_answered_and_only_the_legal_ones_do_anything(comms: Comms) -> None:
    # What is raised or logged on the way fails the test, too.
    verdicts: Counter[str | None] = Counter()
    for name, sitting in product(TABLES, range(SITTINGS)):
        arguments = TABLES[name] | {"seed": sitting}
        table, bare = SolunaWidget(**arguments), Bare(Match(**arguments))
        comm, requests = comms.of(table), Requests(Random(f"requests/{name}/{sitting}"))
        for _ in range(EACH):
            before = comm.state
            # As it would come over the wire: a browser's NaN too, which Python's JSON reads.
            raw = json.loads(json.dumps(requests.make(before)))
            answer_id, code = judge(before, raw)
            (after,) = comm.ask(raw)
            error = after["answer"]["error"]
            assert (after["answer"]["id"], error and error["code"]) == (answer_id, code), raw
            assert after["serial"] == before["serial"] + 1
            if code is None and raw["kind"] not in HARMLESS:
                bare.do(**{key: value for key, value in raw.items() if key not in ("id", "revision")})
                assert after["revision"] == before["revision"] + 1
            else:
                told = bare.match.record() if code is None and raw["kind"] == "record" else None
                changed = {"serial": after["serial"], "answer": after["answer"], "record": told}
                if code is None and raw["kind"] in ("hints", "review"):
                    # What they say is for the tests of advice.
                    changed[raw["kind"]] = after[raw["kind"]]
                assert after == before | changed
            assert (table.match.ply, table.match.stacks) == (bare.match.ply, bare.match.stacks)
            assert {kind: after["can"][kind] for kind in bare.can} == bare.can
            verdicts[code] += 1
            comm.messages[1:] = comm.messages[-1:]
        assert table.match == bare.match, "its history, too, is what the legal requests made it"
        table.close()
    assert verdicts.total() == 20_000
    assert verdicts[None] > 4_000 and verdicts["malformed"] > 4_000 and verdicts["stale"] > 1_000
    assert min(verdicts.values()) >= 10
    assert set(verdicts) - {None} == {
        "malformed",
        "stale",
        "wrong_phase",
        "no_such_stack",
        "one_stack",
        "neither_agrees",
        "nothing_to_undo",
        "nothing_to_redo",
        "invalid_record",
    }


@pytest.mark.parametrize("seat", [0, 1])
def test_against_a_computer_every_request_is_answered_too(comms: Comms, seat: int) -> None:
    table = SolunaWidget("morapiaf", seed=6, opponent="random", seat=seat)
    comm, requests = comms.of(table), Requests(Random(f"computer/{seat}"))
    for _ in range(1_000):
        before, match, moment = comm.state, table.match, (table.match.ply, table.match.stacks, table.match.can_redo())
        raw = json.loads(json.dumps(requests.make(before)))
        answer_id, code = judge(before, raw)
        states = comm.ask(raw)
        for state in states:
            assert state["answer"]["id"] == answer_id
            assert (state["answer"]["error"] or {"code": None})["code"] == code
        if code is None and raw["kind"] not in HARMLESS:
            assert comm.state["revision"] > before["revision"]
        else:
            assert len(states) == 1 and table.match is match
            assert (match.ply, match.stacks, match.can_redo()) == moment
        assert table.turn == 1 - seat or table.phase in ("round_over", "match_over"), "the computer has answered"
        comm.messages[1:] = comm.messages[-1:]


# A cell and a click at the same time ---------------------------------------------------------------------------------


@pytest.fixture
def restless_threads() -> Iterator[None]:
    """Threads take turns as often as they can, so that what can come between two steps does."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


@pytest.mark.parametrize("seed", range(20))
def test_a_cell_that_plays_while_clicks_come_in_another_thread_loses_none(
    comms: Comms, restless_threads: None, seed: int
) -> None:
    # Kernels handle clicks beside the cell that runs (JupyterLab sends them to a subshell).
    table = SolunaWidget(seed=seed, opener=0)
    comm, asked, ready = comms.of(table), [], threading.Barrier(2)
    told: dict[str, Any] = {}
    table.observe(lambda change: told.update({change.name: change.new}), ["turn", "position"])

    def play() -> None:
        chance = Random(seed)
        ready.wait(PATIENCE)
        for _ in range(60):
            moves = table.match.moves()
            # What was legal a moment ago may be no longer.
            with contextlib.suppress(SolunaError):
                table.play(chance.choice(moves)) if moves and chance.random() < 0.7 else table.undo()

    def click() -> None:
        chance = Random(-seed)
        ready.wait(PATIENCE)
        for number in range(60):
            kind = chance.choice(["undo", "redo", "hello"])
            request = {"id": f"a{number}", "revision": comm.state["revision"], "kind": kind}
            asked.append(request["id"])
            comm.update({"request": request})

    with ThreadPoolExecutor(2) as pool:
        for both in [pool.submit(play), pool.submit(click)]:
            both.result(PATIENCE)
    serials = [state["serial"] for state in comm.states]
    assert serials == list(range(1, len(serials) + 1)), "published one after the other"
    answers = {state["answer"]["id"] for state in comm.states if state["answer"]}
    assert answers == set(asked) and len(asked) == 60, "each click is answered"
    assert comm.state["revision"] == comm.states[-1]["revision"] and comm.state["turn"] == table.turn
    assert (table.turn, table.position) == (table.match.turn, str(table.match.position))
    assert told == {"turn": table.turn, "position": table.position}
    copied = Match.from_record(table.match.record())
    assert copied.stacks == table.match.stacks


# A long walk, by the browser, by the table and by its match alike ----------------------------------------------------


class TableAndMatch(RuleBasedStateMachine):
    """Whatever is done in whichever way, the table is the match, and the wire and the traits say so."""

    @initialize(
        name=st.sampled_from(sorted(TABLES)),
        seed=st.integers(0, 5),
    )
    def sit_down(self, name: str, seed: int) -> None:
        self.manager = fake_comms()
        self.comms = self.manager.__enter__()
        arguments = TABLES[name] | {"seed": seed}
        self.table, self.bare = SolunaWidget(**arguments), Bare(Match(**arguments))
        self.comm: FakeComm = self.comms.of(self.table)
        self.told: dict[str, Any] = {name: getattr(self.table, name) for name in OBSERVABLE}
        self.table.observe(lambda change: self.told.update({change.name: change.new}), OBSERVABLE)
        self.publications = 1
        self.revision = 0

    def teardown(self) -> None:
        if hasattr(self, "manager"):
            self.manager.__exit__(None, None, None)

    def phase_is(self, phase: str) -> bool:
        return self.bare.match.phase == phase

    def act(self, way: str, kind: str, **body: Any) -> None:
        """Do something that is legal: as a browser does it, as a cell does it, or behind the table's back."""
        at_table: Any = self.table if way == "table" or kind == "new_match" else self.table.match
        across = kind == "undo" and not self.bare.match.can_undo()
        self.bare.do(kind, **body)
        if way == "browser":
            assert self.comm.code(kind, **body) is None
        elif kind == "move":
            at_table.play((body["mover"], body["target"]))
        elif kind == "choose":
            at_table.choose(body["order"])
        else:
            getattr(self.table if across else at_table, kind)()
        self.publications += 1
        self.revision += 1

    ways = st.sampled_from(["browser", "table", "match"])

    @precondition(lambda self: self.phase_is("playing"))
    @rule(way=ways, number=st.integers(0, 10**6))
    def move(self, way: str, number: int) -> None:
        moves = self.bare.match.moves()
        mover, target = moves[number % len(moves)]
        self.act(way, "move", mover=mover, target=target)

    @precondition(lambda self: self.phase_is("choosing"))
    @rule(way=ways, order=st.sampled_from(["first", "second"]))
    def choose(self, way: str, order: str) -> None:
        self.act(way, "choose", order=order)

    @precondition(lambda self: self.phase_is("placing"))
    @rule(way=ways)
    def place(self, way: str) -> None:
        self.act(way, "place")

    @precondition(lambda self: self.phase_is("round_over"))
    @rule(way=ways)
    def next_round(self, way: str) -> None:
        self.act(way, "next_round")

    @precondition(lambda self: self.bare.can["undo"])
    @rule(way=ways)
    def undo(self, way: str) -> None:
        self.act(way, "undo")

    @precondition(lambda self: self.bare.can["redo"])
    @rule(way=ways)
    def redo(self, way: str) -> None:
        self.act(way, "redo")

    @rule(way=ways)
    def new_match(self, way: str) -> None:
        self.act(way, "new_match")

    @rule()
    def save_and_load(self) -> None:
        loaded = Match.from_record(self.table.match.record())
        self.table.match = loaded
        self.bare.matches.append(copy.copy(loaded))
        self.publications += 1
        self.revision += 1

    @rule(chance=st.randoms(use_true_random=False))
    def refuse(self, chance: Random) -> None:
        state = self.comm.state
        raw = Requests(chance).make(state)
        answer_id, code = judge(state, raw)
        if code is not None:
            (state,) = self.comm.ask(raw)
            assert (state["answer"]["id"], state["answer"]["error"]["code"]) == (answer_id, code)
            self.publications += 1

    @rule(kind=st.sampled_from(["play", "choose", "place", "next_round", "undo", "redo"]))
    def refuse_in_python(self, kind: str) -> None:
        can = {"play": False, "choose": False, **self.comm.state["can"]}
        if not can[kind]:
            with pytest.raises(SolunaError):
                getattr(self.table, kind)(*{"play": ["S1>S99"], "choose": ["third"]}.get(kind, []))

    @invariant()
    def all_say_the_same(self) -> None:
        match, state = self.bare.match, self.comm.state
        assert self.table.match == match
        assert state == self.table.state
        assert (state["serial"], state["revision"]) == (self.publications, self.revision)
        assert [(stack["id"], stack["discs"]) for stack in state["stacks"]] == [
            (stack.id, [disc.up for disc in stack.discs]) for stack in match.stacks
        ]
        assert {kind: state["can"][kind] for kind in self.bare.can} == self.bare.can
        values = {name: getattr(match, name) for name in OBSERVABLE}
        values["position"] = "" if match.position is None else str(match.position)
        assert {name: getattr(self.table, name) for name in OBSERVABLE} == values == self.told


TestTableAndMatch = TableAndMatch.TestCase
TestTableAndMatch.settings = settings(max_examples=40, stateful_step_count=30, deadline=None, print_blob=True)
