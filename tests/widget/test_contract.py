"""The wire's two sides say the same: `js/src/contract.ts` types what Python sends and takes.

Only the names are read from it here; that the fixtures fit its types is checked by the front end's tests, which read
the same files.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import soluna_widget
from soluna_widget import SolunaWidget
from soluna_widget.widget.requests import KINDS, read_request
from tests.widget.fake_comm import Comms
from tests.widget.wire_fixtures import FOLDER, REQUESTS, STATES, make_files

CONTRACT = Path(__file__).parents[2] / "js" / "src" / "contract.ts"


def contract() -> str:
    """The contract without its comments."""
    text = CONTRACT.read_text(encoding="utf-8")
    return re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.DOTALL)


def interface(name: str) -> list[str]:
    """The keys of an interface, in order."""
    (body,) = re.findall(rf"export interface {name} \{{(.*?)\n\}}", contract(), re.DOTALL)
    keys = re.findall(r"^ {2}readonly (\w+): ", body, re.MULTILINE)
    assert len(keys) == body.count(";")
    return keys


def union(name: str) -> list[str]:
    """The words of a type that is one of several words."""
    (body,) = re.findall(rf"export type {name} =([^;]*);", contract())
    words = re.findall(r'"(\w+)"', body)
    assert len(words) == len(re.findall(r"\|", body)) + (not body.lstrip().startswith("|"))
    return words


def request_bodies() -> dict[str, list[str]]:
    """What each kind of request carries."""
    (body,) = re.findall(r"export type RequestBody =(.*?)\n\nexport", contract(), re.DOTALL)
    kinds = re.findall(r'\{ readonly kind: "(\w+)"([^}]*)\}', body)
    assert len(kinds) == body.count("readonly kind:")
    return {kind: re.findall(r"readonly (\w+):", rest) for kind, rest in kinds}


@pytest.fixture(scope="module")
def files() -> dict[str, str]:
    """The fixtures as Python makes them now."""
    return make_files()


@pytest.fixture(scope="module")
def states(files: dict[str, str]) -> dict[str, dict[str, Any]]:
    return {name: json.loads(files[f"states/{name}.json"]) for name in STATES}


def each(states: dict[str, dict[str, Any]], *path: str) -> dict[str, Any]:
    """The parts at a path in the states that have one there."""
    found = dict(states)
    for key in path:
        found = {name: part[key] for name, part in found.items() if part[key] is not None}
    assert found
    return found


def test_the_files_are_what_python_sends_now(files: dict[str, str]) -> None:
    there = {path.relative_to(FOLDER).as_posix(): path.read_text(encoding="utf-8") for path in FOLDER.rglob("*.json")}
    assert there == files, "python -m tests.widget.wire_fixtures writes them anew"


def test_making_the_files_twice_makes_the_same(files: dict[str, str]) -> None:
    assert make_files() == files


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("State", ()),
        ("TableSize", ("table",)),
        ("LastMove", ("last",)),
        ("RoundEnd", ("ended",)),
        ("Can", ("can",)),
        ("Opponent", ("opponent",)),
        ("Answer", ("answer",)),
        ("Message", ("answer", "error")),
        ("Message", ("notice",)),
    ],
)
def test_an_object_of_the_state_has_the_keys_of_its_interface(
    states: dict[str, dict[str, Any]], name: str, path: tuple[str, ...]
) -> None:
    keys = interface(name)
    assert keys
    for where, part in each(states, *path).items():
        assert list(part) == keys, where


def test_a_stack_has_the_keys_of_its_interface(states: dict[str, dict[str, Any]]) -> None:
    keys = interface("StackState")
    assert keys
    for where, state in states.items():
        for stack in state["stacks"]:
            assert list(stack) == keys, where


def test_the_phases_are_those_of_the_contract(states: dict[str, dict[str, Any]]) -> None:
    assert {state["phase"] for state in states.values()} == set(union("Phase"))


def test_the_kinds_of_request_and_what_they_carry_are_those_of_the_contract() -> None:
    assert request_bodies() == {kind: list(carried) for kind, carried in KINDS.items()}
    assert interface_of_request() == ["id", "revision"]


def interface_of_request() -> list[str]:
    (body,) = re.findall(r"export type Request = RequestBody & \{(.*?)\n\};", contract(), re.DOTALL)
    return re.findall(r"readonly (\w+):", body)


def test_there_is_a_request_of_every_kind_and_python_takes_them_all(comms: Comms) -> None:
    assert {request["kind"] for request in REQUESTS} == set(KINDS)
    comm = comms.of(SolunaWidget(seed=1))
    for request in REQUESTS:
        read = read_request(request)
        assert {"id": read.id, "revision": read.revision, "kind": read.kind, **read.body} == request
        (state,) = comm.ask(request | {"revision": comm.state["revision"]})
        assert state["answer"]["id"] == request["id"]
        assert state["answer"]["error"] is None or state["answer"]["error"]["code"] != "malformed"


def test_every_code_of_an_error_is_in_the_contract_and_is_sent(states: dict[str, dict[str, Any]]) -> None:
    errors = each(states, "answer", "error")
    assert {error["code"] for error in errors.values()} == set(union("ErrorCode"))
    for where, error in errors.items():
        assert where in (f"refused_{error['code']}", "refused_without_id")
        assert error["text"], "there is a sentence for people"


def test_every_code_that_a_request_can_meet_is_in_the_contract() -> None:
    package = Path(soluna_widget.__file__).parent
    modules = [
        *(package / f"{name}.py" for name in ("errors", "rules", "record", "match")),
        *package.glob("widget/*.py"),
    ]
    source = "\n".join(path.read_text(encoding="utf-8") for path in modules)
    assert set(re.findall(r'\bcode(?:: str)? ?= ?"(\w+)"', source)) == set(union("ErrorCode"))
    assert set(re.findall(r'"code": "(\w+)"', source)) == set(union("NoticeCode"))


def test_every_code_of_a_notice_is_in_the_contract_and_is_sent(states: dict[str, dict[str, Any]]) -> None:
    notices = each(states, "notice")
    assert {notice["code"] for notice in notices.values()} == set(union("NoticeCode"))
    assert all(where == notice["code"] for where, notice in notices.items())


def test_the_parts_of_a_state_fit_together(states: dict[str, dict[str, Any]]) -> None:
    for where, state in states.items():
        ids = [stack["id"] for stack in state["stacks"]]
        assert ids == sorted(set(ids)), where
        assert all(mover in ids and target in ids and mover != target for mover, target in state["moves"]), where
        assert (state["moves"] != []) == (state["phase"] == "playing"), where
        assert (state["ended"] is not None) == (state["phase"] in ("round_over", "match_over")), where
        assert (state["winner"] is not None) == (state["phase"] == "match_over"), where
        assert (state["to_place"] > 0) == (state["phase"] == "placing"), where
        assert (state["opener"] is None) == (state["phase"] == "choosing"), where
        if state["last"] is not None:
            assert state["last"]["mover"] not in ids and state["last"]["target"] in ids, where
            (target,) = (stack for stack in state["stacks"] if stack["id"] == state["last"]["target"])
            assert 0 < state["last"]["height"] < len(target["discs"]), where
            assert state["last"]["by"] == 1 - state["turn"], where
        if state["ended"] is not None:
            assert state["ended"]["blocked"] == state["turn"], where
            assert (state["ended"]["winner"] == state["turn"]) == state["misere"], where
