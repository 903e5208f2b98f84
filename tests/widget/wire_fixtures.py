"""What goes over the wire, as files that both languages read: `tests/fixtures/wire/`.

`states/*.json` are states that real tables have sent, one a file; `requests.json` has a request of every kind. The
front end's tests draw the former and send the latter; the tests here see that Python still sends and takes them. Remake
them with

    python -m tests.widget.wire_fixtures
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from soluna_widget import DiscSet, Match, Rulebook, SolunaWidget
from tests.widget.fake_comm import fake_comms
from tests.widget.players import Slow

FOLDER = Path(__file__).parents[1] / "fixtures" / "wire"

State = dict[str, Any]
STATES: dict[str, Callable[[], State]] = {}
"""How each state comes about, by the name of its file."""

ID = "fixture-1"
SEED = 2026
_RECORD = """\
[Soluna "1"]
[Players "Ada" "Bo"]
[Rulebook "bga"]
[Seed "5"]
[Date "2026-06-21"]
[Opener "1"]

Round 1: MT TC CT CS CS CM TS MS MT CM ST MS
1. C1#6>T1#7  2. C1#10>C2  3. S1>M1#12  4. T1>C1#4  5. C1#5>C1  6. M1#8>M1#9
7. S2>M2  8. C2>T2  9. C4>C3

Round 2: MS ST MT ST CM SM TC TC SC SC MC TM
1. M1#11>T1#12  2. S1#4>S1#6
Result: 0-1, unfinished
"""

REQUESTS: list[dict[str, Any]] = [
    {"kind": "move", "mover": 3, "target": 7, "id": "k3v9x1p0a-1", "revision": 0},
    {"kind": "choose", "order": "first", "id": "k3v9x1p0a-2", "revision": 1},
    {"kind": "choose", "order": "second", "id": "k3v9x1p0a-3", "revision": 1},
    {"kind": "place", "id": "k3v9x1p0a-4", "revision": 2},
    {"kind": "next_round", "id": "k3v9x1p0a-5", "revision": 3},
    {"kind": "new_match", "id": "k3v9x1p0a-6", "revision": 4},
    {"kind": "undo", "id": "k3v9x1p0a-7", "revision": 5},
    {"kind": "redo", "id": "k3v9x1p0a-8", "revision": 6},
    {"kind": "hello", "id": "k3v9x1p0a-9", "revision": 0},
    {"kind": "record", "id": "k3v9x1p0a-10", "revision": 7},
    {"kind": "hints", "on": True, "id": "k3v9x1p0a-12", "revision": 7},
    {"kind": "review", "id": "k3v9x1p0a-13", "revision": 7},
    {"kind": "open", "record": '[Soluna "1"]\n', "id": "k3v9x1p0a-11", "revision": 7},
]


def _state(make: Callable[[], SolunaWidget | State]) -> Callable[[], State]:
    def taken() -> State:
        with fake_comms() as comms:
            made = make()
            return comms.of(made).state if isinstance(made, SolunaWidget) else made

    STATES[make.__name__] = taken
    return taken


def _answered(table: SolunaWidget, request: Any) -> SolunaWidget:
    """Let the browser ask something; `id` and `revision` are those that fit unless they are given."""
    if isinstance(request, dict):
        request = {"id": ID, "revision": table.state["revision"]} | request
    table.comm.ask(request)
    return table


def play_round(table: SolunaWidget | Match, chance: Random) -> None:
    """Go on at random until the round is over."""
    match = table.match if isinstance(table, SolunaWidget) else table
    while match.phase not in ("round_over", "match_over"):
        if match.phase == "placing":
            match.place()
        elif match.phase == "choosing":
            match.choose(chance.choice(("first", "second")))
        else:
            match.play(chance.choice(match.moves()))


def _table(plies: int = 0, **settings: Any) -> SolunaWidget:
    """A table after some moves of chance."""
    table = SolunaWidget(**({"seed": SEED, "opener": 0} | settings))
    chance = Random(SEED)
    for _ in range(plies):
        table.match.play(chance.choice(table.match.moves()))
    return table


# The course of a match -----------------------------------------------------------------------------------------------


@_state
def start() -> SolunaWidget:
    return _table()


@_state
def mid_round() -> SolunaWidget:
    return _table(plies=5)


@_state
def undone() -> SolunaWidget:
    table = _table(plies=3)
    table.undo()
    return table


@_state
def choosing() -> SolunaWidget:
    return SolunaWidget("morapiaf", seed=SEED, youngest=1)


@_state
def choosing_next() -> SolunaWidget:
    table = SolunaWidget("morapiaf", seed=SEED)
    play_round(table, Random(SEED))
    table.next_round()
    return table


@_state
def placing_first() -> SolunaWidget:
    return SolunaWidget(seed=SEED, opener=1, placing=True)


@_state
def placing_half() -> SolunaWidget:
    table = SolunaWidget(seed=SEED, opener=1, placing=True)
    for _ in range(6):
        table.place()
    return table


@_state
def round_over() -> SolunaWidget:
    table = _table()
    play_round(table, Random(SEED))
    return table


@_state
def round_over_misere() -> SolunaWidget:
    table = _table(misere=True)
    play_round(table, Random(SEED))
    return table


@_state
def second_round() -> SolunaWidget:
    table = _table()
    play_round(table, Random(SEED))
    table.next_round()
    return table


@_state
def match_over() -> SolunaWidget:
    table = _table()
    chance = Random(SEED)
    play_round(table, chance)
    while table.phase != "match_over":
        table.next_round()
        play_round(table, chance)
    return table


# Answers -------------------------------------------------------------------------------------------------------------


@_state
def answered() -> SolunaWidget:
    table = _table(plies=2)
    mover, target = table.match.moves()[0]
    return _answered(table, {"kind": "move", "mover": mover, "target": target})


@_state
def answered_hello() -> SolunaWidget:
    return _answered(_table(plies=2), {"kind": "hello"})


@_state
def refused_malformed() -> SolunaWidget:
    return _answered(_table(), {"kind": "sing"})


@_state
def refused_without_id() -> SolunaWidget:
    return _answered(_table(), "rubbish")


@_state
def refused_stale() -> SolunaWidget:
    return _answered(_table(plies=2), {"kind": "undo", "revision": 1})


@_state
def refused_wrong_phase() -> SolunaWidget:
    return _answered(_table(), {"kind": "next_round"})


@_state
def refused_no_such_stack() -> SolunaWidget:
    return _answered(_table(), {"kind": "move", "mover": 1, "target": 13})


@_state
def refused_one_stack() -> SolunaWidget:
    return _answered(_table(), {"kind": "move", "mover": 4, "target": 4})


@_state
def refused_neither_agrees() -> SolunaWidget:
    table = _table(plies=5)
    legal = table.match.moves()
    ids = [stack.id for stack in table.match.stacks]
    mover, target = next((a, b) for a in ids for b in ids if a != b and (a, b) not in legal)
    return _answered(table, {"kind": "move", "mover": mover, "target": target})


@_state
def refused_nothing_to_undo() -> SolunaWidget:
    return _answered(_table(), {"kind": "undo"})


@_state
def refused_nothing_to_redo() -> SolunaWidget:
    return _answered(_table(), {"kind": "redo"})


@_state
def refused_invalid_record() -> SolunaWidget:
    return _answered(_table(), {"kind": "open", "record": _RECORD.replace("2. S1#4>S1#6", "2. S1#4>M2")})


@_state
def opened() -> SolunaWidget:
    return _answered(_table(), {"kind": "open", "record": _RECORD})


@_state
def hints() -> SolunaWidget:
    return _answered(_table(plies=6), {"kind": "hints", "on": True})


@_state
def hints_misere() -> SolunaWidget:
    return _answered(_table(plies=6, misere=True), {"kind": "hints", "on": True})


@_state
def review() -> SolunaWidget:
    table = _table()
    play_round(table, Random(SEED))
    return _answered(table, {"kind": "review"})


@_state
def review_misere() -> SolunaWidget:
    table = _table(misere=True)
    play_round(table, Random(SEED))
    return _answered(table, {"kind": "review"})


@_state
def refused_too_many() -> SolunaWidget:
    return _answered(_table(start="S25 M25"), {"kind": "hints", "on": True})


@_state
def answered_record() -> SolunaWidget:
    table = SolunaWidget.from_match(Match.from_record(_RECORD))
    return _answered(table, {"kind": "record"})


class _Broken(Match):
    """A match with a fault that no request should find."""

    def redo(self, seat: int | None = None) -> None:
        raise RuntimeError("the dog ate it")


@_state
def refused_failed() -> SolunaWidget:
    return _answered(SolunaWidget.from_match(_Broken(seed=SEED, opener=0)), {"kind": "redo"})


# The opponent --------------------------------------------------------------------------------------------------------


def _while_it_thinks(act: Callable[[SolunaWidget], object]) -> State:
    """Give the state while the computer thinks, after something was done then."""

    async def sit() -> State:
        slow = Slow()
        table = _table(opponent=slow)
        table.play(table.match.moves()[0])
        thought = await slow.begins()
        act(table)
        state: State = table.comm.state
        await thought.ends()
        return state

    return asyncio.run(sit())


@_state
def opponent_thinking() -> State:
    return _while_it_thinks(lambda table: None)


@_state
def refused_computers_turn() -> State:
    return _while_it_thinks(
        lambda table: _answered(table, {"kind": "move", "mover": 1, "target": 2}),
    )


@_state
def opponent_moved() -> SolunaWidget:
    table = _table(opponent="random")
    table.play(table.match.moves()[0])
    return table


def clever(position: Any, rng: Random) -> Any:
    raise ZeroDivisionError("division by zero")


@_state
def opponent_failed() -> SolunaWidget:
    table = _table(opponent=clever)
    table.play(table.match.moves()[0])
    return table


@_state
def callback_failed() -> SolunaWidget:
    def shout(change: Any) -> None:
        raise LookupError("<b>nobody listens</b>")

    table = _table()
    table.observe(shout, "turn")
    table.play(table.match.moves()[0])
    return table


# Other tables --------------------------------------------------------------------------------------------------------


@_state
def start_by_hand() -> SolunaWidget:
    return SolunaWidget(seed=SEED, opener=0, start="S1^2,3 M2 T1^3 C5,12")


@_state
def babylon() -> SolunaWidget:
    return _table(plies=3, discs="babylon")


@_state
def many_discs() -> SolunaWidget:
    return _table(plies=4, discs=DiscSet.pairs("SMTCABDE", copies=1))


@_state
def six_symbols() -> SolunaWidget:
    return _table(plies=4, discs=DiscSet.pairs("SMTCAB", copies=1))


@_state
def one_disc() -> SolunaWidget:
    return SolunaWidget(seed=SEED, opener=0, start="S1")


@_state
def names_full_of_html() -> SolunaWidget:
    names = ("<img src=x onerror=alert(1)>", "</script><b>&amp; \"Luna\" 'O'</b>")
    return _table(plies=2, players=names)


@_state
def own_rulebook() -> SolunaWidget:
    rulebook = Rulebook("short", first_opener="agreed", next_layout="kept", next_opener="loser_chooses", stars=2)
    table = _table(rulebook=rulebook)
    play_round(table, Random(SEED))
    return table


# Files ---------------------------------------------------------------------------------------------------------------


def make_files() -> dict[str, str]:
    """Give every file's text by its path in the folder."""
    logging.disable(logging.CRITICAL)
    try:
        files = {f"states/{name}.json": _format(make()) for name, make in STATES.items()}
    finally:
        logging.disable(logging.NOTSET)
    return files | {"requests.json": _format(REQUESTS)}


def _format(value: Any) -> str:
    """Write JSON so that it can be read and compared by line: one line for each part, and for each stack."""
    if isinstance(value, list):
        return "[\n" + ",\n".join(f"  {_dump(one)}" for one in value) + "\n]\n"
    parts = []
    for key, part in value.items():
        if key == "stacks" and part:
            written = "[\n" + ",\n".join(f"    {_dump(one)}" for one in part) + "\n  ]"
        else:
            written = _dump(part)
        parts.append(f"  {_dump(key)}: {written}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def main() -> None:
    files = make_files()
    for old in FOLDER.rglob("*.json"):
        if old.relative_to(FOLDER).as_posix() not in files:
            old.unlink()
    for name, text in files.items():
        path = FOLDER / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    print(f"{len(files)} files in {FOLDER}")


if __name__ == "__main__":
    main()
