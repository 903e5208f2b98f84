"""The computer at the table: when it is asked, where it thinks, what becomes of its answer, and what when it fails."""

from __future__ import annotations

import asyncio
import gc
import threading
import weakref
from collections.abc import Callable, Coroutine
from random import Random
from typing import Any

import pytest

from soluna_widget import Match, Rulebook, SolunaWidget, solve
from soluna_widget.widget import opponent as opponent_module
from soluna_widget.widget.opponent import Thinker
from tests.widget.conftest import Logged
from tests.widget.fake_comm import Comms
from tests.widget.players import PATIENCE, Chance, Opens, Says, Slow, first_move, let_the_loop_turn, raises

Play = Callable[[Coroutine[Any, Any, None]], None]
BOTH = Rulebook("both", "youngest_chooses", "new", "loser_chooses")


def run(coroutine: Coroutine[Any, Any, None]) -> None:
    """Run on a loop as a kernel does, and see that nothing there hangs."""
    asyncio.run(asyncio.wait_for(coroutine, PATIENCE))


@pytest.fixture(params=["threads", "no threads"])
def with_and_without_threads(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opponent_module, "HAS_THREADS", request.param == "threads")


def without_a_loop(coroutine: Coroutine[Any, Any, None]) -> None:
    """Run something that never has to wait, where no loop runs."""
    with pytest.raises(StopIteration):
        coroutine.send(None)


@pytest.fixture(params=["threads", "no threads", "no loop"])
def anywhere(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Play:
    """All the ways in which an opponent can be asked."""
    monkeypatch.setattr(opponent_module, "HAS_THREADS", request.param != "no threads")
    return without_a_loop if request.param == "no loop" else run


def play_first(table: SolunaWidget) -> None:
    table.play(first_move(table.match.position))


# When it is asked ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("opener", [0, 1])
def test_it_moves_when_it_is_its_turn_and_never_else(comms: Comms, anywhere: Play, seat: int, opener: int) -> None:
    async def sit() -> None:
        chance = Chance()
        table = SolunaWidget(seed=3, opener=opener, opponent=chance, seat=seat)
        while table.phase != "match_over":
            await table.settled()
            assert table.turn == 1 - seat or table.phase in ("round_over", "match_over")
            if table.phase == "round_over":
                table.next_round()
            elif table.phase == "playing":
                play_first(table)
        moves = [state["last"]["by"] for state in comms.of(table).states if state["last"] and not state["answer"]]
        assert moves.count(seat) == len(chance.asked) > 10

    anywhere(sit())


def test_it_is_asked_with_the_position_and_a_chance_of_the_match(anywhere: Play) -> None:
    asked: list[tuple[Any, float]] = []

    class Keeper(Chance):
        def choose(self, position: Any, rng: Random) -> Any:
            asked.append((position, rng.random()))
            return first_move(position)

    async def sit() -> None:
        table, bare = (kind(seed=3, opener=0) for kind in (SolunaWidget, Match))
        table.opponent = Keeper()
        table.play(bare.moves()[5])
        await table.settled()
        bare.play(bare.moves()[5])
        assert [position for position, _ in asked] == [bare.position]
        assert [chance for _, chance in asked] == [bare.rng("opponent/1").random()]

    anywhere(sit())


@pytest.mark.parametrize("order", ["first", "second"])
@pytest.mark.parametrize("seat", [0, 1])
def test_it_chooses_who_opens_where_it_may(anywhere: Play, seat: int, order: str) -> None:
    async def sit() -> None:
        opens = Opens(order)
        table = SolunaWidget("morapiaf", seed=3, youngest=seat, opponent=opens, seat=seat)
        seen = table.match.position
        await table.settled()
        opener = seat if order == "first" else 1 - seat
        assert table.match.opener == opener
        assert table.turn == 1 - seat, "and if it opens it has moved, too"
        assert table.match.ply == (2 if opener == seat else 1)
        assert [position.discs for position in opens.asked] == [12] and len(opens.asked[0].stacks) == 12
        assert seen is not None

    anywhere(sit())


def test_one_that_says_nothing_of_who_opens_draws_it_repeatably(anywhere: Play) -> None:
    async def sit() -> None:
        openers = set()
        for seed in range(12):
            drawn = set()
            for _ in range(2):
                table = SolunaWidget("morapiaf", seed=seed, youngest=1, opponent=Chance())
                await table.settled()
                drawn.add(table.match.opener)
            assert len(drawn) == 1
            openers |= drawn
        assert openers == {0, 1}

    anywhere(sit())


@pytest.mark.parametrize("seat", [0, 1])
def test_the_loser_chooses_also_when_it_is_the_computer(anywhere: Play, seat: int) -> None:
    async def sit() -> None:
        opens = Opens("second")
        table = SolunaWidget(BOTH, seed=3, youngest=1 - seat, opponent=opens, seat=seat)
        lost = 0
        while table.phase != "match_over":
            await table.settled()
            if table.phase == "choosing":
                assert table.turn == 1 - seat
                table.choose("first")
            elif table.phase == "playing":
                assert table.turn == 1 - seat
                table.play(Random(table.match.ply).choice(table.match.position.moves()))
            elif table.phase == "round_over":
                lost += table.turn == seat
                table.next_round()
        assert len(opens.asked) == lost > 0

    anywhere(sit())


@pytest.mark.parametrize("seat", [0, 1])
def test_it_places_its_discs(comms: Comms, anywhere: Play, seat: int) -> None:
    async def sit() -> None:
        table = SolunaWidget(seed=3, opener=seat, placing=True, opponent=Chance(), seat=seat)
        placed = 0
        while table.phase == "placing":
            await table.settled()
            if table.phase == "placing":
                assert table.turn == 1 - seat
                assert comms.of(table).code("place") is None
                placed += 1
        await table.settled()
        assert placed == 6
        assert (table.turn, table.match.ply) == (1 - seat, 13), "and it opens"

    anywhere(sit())


def test_it_does_not_begin_the_next_round(anywhere: Play) -> None:
    async def sit() -> None:
        table = SolunaWidget(start="S1^2", opener=0, seed=1, opponent=Chance())
        play_first(table)
        await table.settled()
        assert (table.phase, table.turn, table.match.round) == ("round_over", 1, 1)

    anywhere(sit())


def test_without_a_loop_it_answers_at_once(comms: Comms) -> None:
    table = SolunaWidget(seed=3, opener=1, opponent=Chance())
    assert (table.turn, table.match.ply) == (0, 1)
    state = comms.of(table).state
    assert state["opponent"] == {"seat": 1, "name": "Chance", "thinking": False}
    before = len(comms.of(table).messages)
    play_first(table)
    assert (table.turn, table.match.ply, len(comms.of(table).messages)) == (0, 3, before + 2)
    assert not any(state["opponent"]["thinking"] for state in comms.of(table).states)


def test_a_request_and_the_answer_at_once_are_two_publications(comms: Comms) -> None:
    table = SolunaWidget(seed=3, opener=0, opponent=Chance())
    mover, target = table.match.moves()[0]
    states = comms.of(table).ask({"id": "a", "revision": 0, "kind": "move", "mover": mover, "target": target})
    assert [(state["revision"], state["turn"], state["answer"]) for state in states] == [
        (1, 1, {"id": "a", "error": None}),
        (2, 0, {"id": "a", "error": None}),
    ]


def test_one_is_shipped_and_asked_for_by_name(comms: Comms) -> None:
    table = SolunaWidget(seed=3, opener=0, opponent="random")
    play_first(table)
    assert comms.of(table).state["opponent"] == {"seat": 1, "name": "Random", "thinking": False}
    assert table.turn == 0


def test_a_function_and_a_text_will_do(comms: Comms, anywhere: Play) -> None:
    def greedy(position: Any, rng: Random) -> str:
        return f" {first_move(position)} "

    async def sit() -> None:
        table = SolunaWidget(seed=3, opener=0, opponent=greedy)
        play_first(table)
        await table.settled()
        assert (table.turn, table.match.ply) == (0, 2)
        assert comms.of(table).state["opponent"]["name"] == "greedy"
        assert comms.of(table).state["notice"] is None

    anywhere(sit())


def test_it_can_come_change_and_leave_at_any_time(comms: Comms, anywhere: Play) -> None:
    async def sit() -> None:
        table = SolunaWidget(seed=3, opener=0)
        comm = comms.of(table)
        assert table.opponent is None and comm.state["opponent"] is None
        play_first(table)
        chance = Chance()
        table.opponent = chance
        await table.settled()
        assert (table.opponent, table.turn, table.match.ply) == (chance, 0, 2)
        table.opponent = None
        play_first(table)
        await table.settled()
        assert (table.turn, comm.state["opponent"]) == (1, None)
        table.undo()
        assert table.match.ply == 2, "between two people undo takes back one move"

    anywhere(sit())


# Where it thinks -----------------------------------------------------------------------------------------------------


def test_it_thinks_in_a_thread_and_answers_on_the_loops(comms: Comms) -> None:
    async def sit() -> None:
        here = threading.get_ident()
        thinking: list[int] = []
        told: list[int] = []

        def think(position: Any) -> Any:
            thinking.append(threading.get_ident())
            return first_move(position)

        table = SolunaWidget(seed=3, opener=0, opponent=Says(think))
        table.observe(lambda change: told.append(threading.get_ident()), ["turn", "state"])
        play_first(table)
        await table.settled()
        assert len(thinking) == 1 and thinking[0] != here
        assert told and set(told) == {here}

    run(sit())


def test_where_there_are_no_threads_it_thinks_on_the_loop_after_the_turn_was_shown(
    comms: Comms, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opponent_module, "HAS_THREADS", False)
    monkeypatch.setattr(threading, "Thread", None)

    async def sit() -> None:
        here = threading.get_ident()
        thinking: list[Any] = []

        def think(position: Any) -> Any:
            thinking.append((threading.get_ident(), len(comms.of(table).messages)))
            return first_move(position)

        table = SolunaWidget(seed=3, opener=0, opponent=Says(think))
        play_first(table)
        assert comms.of(table).state["opponent"]["thinking"] and not thinking
        await table.settled()
        assert thinking == [(here, 2)]
        assert (table.turn, comms.of(table).state["opponent"]["thinking"]) == (0, False)

    run(sit())


def test_the_kernel_is_free_while_it_thinks_and_the_table_says_so(comms: Comms) -> None:
    async def sit() -> None:
        slow = Slow()
        table = SolunaWidget(seed=3, opener=0, opponent=slow)
        comm = comms.of(table)
        play_first(table)
        thought = await slow.begins()
        assert comm.state["opponent"] == {"seat": 1, "name": "Slow", "thinking": True}
        assert comm.state["can"] == {
            "move": False,
            "choose": False,
            "place": False,
            "next_round": False,
            "new_match": True,
            "undo": True,
            "redo": False,
            "hints": True,
            "review": False,
        }
        assert comm.press("hello")["opponent"]["thinking"], "and goes on saying so"
        settled = asyncio.ensure_future(table.settled())
        await let_the_loop_turn()
        assert not settled.done()
        await thought.ends()
        await settled
        assert (table.turn, comm.state["opponent"]["thinking"], comm.state["can"]["move"]) == (0, False, True)
        assert len(comm.messages) == 4, "the first, the move, hello, the answer"

    run(sit())


def test_it_thinks_already_when_the_table_is_first_shown(comms: Comms) -> None:
    async def sit() -> None:
        slow = Slow()
        table = SolunaWidget(seed=3, opener=1, opponent=slow)
        assert comms.of(table).opened["state"]["opponent"]["thinking"]
        await (await slow.begins()).ends()
        assert table.turn == 0

    run(sit())


@pytest.mark.parametrize("kind", ["move", "choose", "place"])
def test_nobody_moves_for_it_while_it_thinks(comms: Comms, kind: str) -> None:
    bodies: dict[str, dict[str, Any]] = {"move": {"mover": 2, "target": 3}, "choose": {"order": "first"}, "place": {}}

    async def sit() -> None:
        slow = Slow()
        table = SolunaWidget(seed=3, opener=0, opponent=slow, players=("Ada", "Grace"))
        comm = comms.of(table)
        play_first(table)
        thought = await slow.begins()
        record = table.match.record()
        state = comm.press(kind, **bodies[kind])
        assert state["answer"]["error"]["code"] == "computers_turn"
        assert state["answer"]["error"]["params"] == {"name": "Grace"}
        assert table.match.record() == record and state["revision"] == 1 and state["opponent"]["thinking"]
        await thought.ends()
        assert table.match.ply == 2, "its answer still counts"

    run(sit())


def test_waiting_does_not_wait_for_a_person(with_and_without_threads: None) -> None:
    # Case 8, ipython/ipykernel#65: "run all" with a cell that would wait for a person's move.
    async def sit() -> None:
        for settings in ({}, {"opponent": "random", "opener": 0}, {"opponent": "random", "opener": 1}):
            table = SolunaWidget(seed=3, **settings)
            for _ in range(3):
                await table.settled()
            assert table.phase == "playing"

    run(sit())


def test_waiting_works_for_several_at_once_and_over_several_answers_in_a_row() -> None:
    async def sit() -> None:
        table = SolunaWidget("morapiaf", seed=3, youngest=1, opponent=Opens("first"))
        await asyncio.gather(table.settled(), table.settled(), table.settled())
        assert (table.turn, table.match.ply) == (0, 2)

    run(sit())


def test_waiting_goes_on_while_one_answer_leads_to_the_next_question() -> None:
    class OpensFirst(Slow):
        def opens(self, position: Any, rng: Random) -> str:
            self.choose(position, rng)
            return "first"

    async def sit() -> None:
        slow = OpensFirst()
        table = SolunaWidget("morapiaf", seed=3, youngest=1, opponent=slow)
        order = await slow.begins()
        waiting = asyncio.ensure_future(table.settled())
        await let_the_loop_turn()
        await order.ends()
        move = await slow.begins()
        assert (table.phase, table.turn) == ("playing", 1) and not waiting.done()
        await move.ends()
        await waiting
        assert (table.turn, table.match.ply) == (0, 2)

    run(sit())


# Undo, close and whatever else comes meanwhile -----------------------------------------------------------------------


@pytest.mark.parametrize("by", ["python", "browser"])
def test_undo_after_its_reply_goes_back_to_the_persons_turn(comms: Comms, anywhere: Play, by: str) -> None:
    # Case 16, jonthysell/Mzinga#30.
    async def sit() -> None:
        table = SolunaWidget(seed=3, opener=0, opponent=Chance())
        comm = comms.of(table)
        start = table.position
        play_first(table)
        await table.settled()
        after = table.position
        for _ in range(3):
            table.undo() if by == "python" else comm.press("undo")
            await table.settled()
            assert (table.turn, table.position) == (0, start)
            assert not comm.state["can"]["undo"] and comm.state["can"]["redo"]
            table.redo() if by == "python" else comm.press("redo")
            await table.settled()
            assert (table.turn, table.position) == (0, after)

    anywhere(sit())


@pytest.mark.parametrize("by", ["python", "browser"])
def test_redo_goes_on_to_the_persons_next_turn_and_does_not_ask_it_again(comms: Comms, anywhere: Play, by: str) -> None:
    async def sit() -> None:
        chance = Chance()
        table = SolunaWidget(seed=3, opener=0, opponent=chance)
        comm, positions = comms.of(table), [table.position]
        for _ in range(3):
            play_first(table)
            await table.settled()
            positions.append(table.position)
        for position in reversed(positions[:-1]):
            table.undo() if by == "python" else comm.press("undo")
            assert (table.turn, table.position) == (0, position)
        for position in positions[1:]:
            assert comm.state["can"]["redo"]
            table.redo() if by == "python" else comm.press("redo")
            await table.settled()
            assert (table.turn, table.position) == (0, position)
        assert len(chance.asked) == 3 and not comm.state["can"]["redo"]

    anywhere(sit())


@pytest.mark.parametrize("by", ["python", "browser"])
def test_undo_while_it_thinks_goes_back_and_no_late_move_lands(comms: Comms, by: str) -> None:
    # Case 16.
    async def sit() -> None:
        slow = Slow()
        table = SolunaWidget(seed=3, opener=0, opponent=slow)
        comm = comms.of(table)
        start = table.position
        play_first(table)
        thought = await slow.begins()
        table.undo() if by == "python" else comm.press("undo")
        assert (table.turn, table.position) == (0, start)
        assert not comm.state["opponent"]["thinking"] and comm.state["can"]["move"]
        await asyncio.wait_for(table.settled(), PATIENCE)
        messages = comm.messages.copy()
        await thought.ends()
        assert (table.turn, table.position) == (0, start)
        assert comm.messages == messages and len(slow.thoughts) == 1

    run(sit())


def undo_and(then: Callable[[SolunaWidget], None]) -> Callable[[SolunaWidget], None]:
    def act(table: SolunaWidget) -> None:
        table.undo()
        then(table)

    return act


MEANWHILE: dict[str, Callable[[SolunaWidget], None]] = {
    "undo": lambda table: table.undo(),
    "undo and the same move again": undo_and(play_first),
    "undo and redo": undo_and(lambda table: table.redo()),
    "undo and another move": undo_and(lambda table: table.play(table.match.moves()[-1])),
    "match.undo": lambda table: table.match.undo(),
    "a move from Python": play_first,
    "a new match": lambda table: table.new_match(),
    "another match": lambda table: setattr(table, "match", Match(seed=9, opener=0)),
    "another opponent": lambda table: setattr(table, "opponent", Chance()),
    "no opponent": lambda table: setattr(table, "opponent", None),
    "closing": lambda table: table.close(),
}


@pytest.mark.parametrize("meanwhile", MEANWHILE)
def test_whatever_comes_meanwhile_its_earlier_answer_is_dropped(comms: Comms, meanwhile: str) -> None:
    async def sit() -> None:
        slow = Slow()
        table = SolunaWidget(seed=3, opener=0, opponent=slow)
        comm = comms.of(table)
        play_first(table)
        late = await slow.begins()
        MEANWHILE[meanwhile](table)
        before = table.match.record(), comm.messages.copy()
        asks_again = table.opponent is slow and not comm.closed and table.match.turn == 1 and table.phase == "playing"
        if isinstance(table.opponent, Chance):
            await table.settled()
            before = table.match.record(), comm.messages.copy()
        newer = await slow.begins() if asks_again else None
        await late.ends()
        assert (table.match.record(), comm.messages) == before
        if newer is not None:
            await newer.ends()
            assert table.match.turn == 0 and len(comm.messages) == len(before[1]) + 1
        assert len(slow.thoughts) == 1 + asks_again

    run(sit())


def test_closing_while_it_thinks_lets_go_of_everything(comms: Comms) -> None:
    async def sit() -> None:
        slow = Slow()
        table = SolunaWidget(seed=3, opener=0, opponent=slow)
        play_first(table)
        thought = await slow.begins()
        waiting = asyncio.ensure_future(table.settled())
        await let_the_loop_turn()
        ref = weakref.ref(table)
        table.close()
        await waiting
        comms.clear()
        del table, waiting
        gc.collect()
        assert ref() is None, "a strategy that never comes back does not keep a closed table"
        await thought.ends()

    run(sit())


def test_who_gives_up_waiting_does_not_end_the_thought() -> None:
    async def sit() -> None:
        slow = Slow()
        table = SolunaWidget(seed=3, opener=0, opponent=slow)
        play_first(table)
        thought = await slow.begins()
        waiting = asyncio.ensure_future(table.settled())
        await let_the_loop_turn()
        waiting.cancel()
        await let_the_loop_turn()
        assert waiting.cancelled()
        await thought.ends()
        assert (table.turn, table.match.ply) == (0, 2)

    run(sit())


def test_a_cell_waits_for_an_answer_that_was_asked_on_another_loop() -> None:
    # A kernel may handle clicks in a thread with a loop of its own, while a cell waits on the main one.
    slow, over, answered = Slow(), threading.Event(), []
    table = SolunaWidget(seed=3, opener=0, opponent=slow)
    table.observe(lambda change: answered.append((change.new, threading.current_thread())), "turn")

    async def clicks() -> None:
        play_first(table)
        assert await asyncio.to_thread(over.wait, PATIENCE)

    async def cell() -> None:
        thought = await slow.begins()
        waiting = asyncio.ensure_future(table.settled())
        await let_the_loop_turn()
        assert not waiting.done()
        thought.go.set()
        await waiting
        assert (table.turn, table.match.ply) == (0, 2)

    thread = threading.Thread(target=asyncio.run, args=(clicks(),))
    thread.start()
    try:
        run(cell())
    finally:
        over.set()
        thread.join(PATIENCE)
    assert answered == [(1, thread), (0, thread)], "it is applied where it was asked"


def test_a_loop_that_ends_does_not_wait_for_a_thought_and_the_answer_still_counts(comms: Comms) -> None:
    slow = Slow()

    async def sit() -> SolunaWidget:
        table = SolunaWidget(seed=3, opener=0, opponent=slow)
        play_first(table)
        await slow.begins()
        return table

    table = asyncio.run(sit())
    (thought,) = slow.thoughts
    assert thought.thread.daemon, "nor does the kernel"
    assert comms.of(table).state["opponent"]["thinking"]
    thought.go.set()
    thought.thread.join(PATIENCE)
    assert (table.turn, table.match.ply) == (0, 2)
    assert not comms.of(table).state["opponent"]["thinking"]


@pytest.mark.parametrize("meanwhile", ["undo", "close"])
def test_a_thought_whose_loop_has_ended_can_be_dropped(comms: Comms, meanwhile: str) -> None:
    slow, loop = Slow(), asyncio.new_event_loop()

    async def sit() -> SolunaWidget:
        table = SolunaWidget(seed=3, opener=0, opponent=slow)
        play_first(table)
        await slow.begins()
        return table

    table = loop.run_until_complete(sit())
    loop.run_until_complete(loop.shutdown_default_executor())
    loop.close()
    (thought,) = slow.thoughts
    comm = comms.of(table)
    table.undo() if meanwhile == "undo" else table.close()
    messages, ply = comm.messages.copy(), table.match.ply
    thought.go.set()
    thought.thread.join(PATIENCE)
    assert comm.messages == messages and table.match.ply == ply == (0 if meanwhile == "undo" else 1)


def test_a_thinker_drops_the_earlier_thought() -> None:
    async def think() -> None:
        thinker, done = Thinker(), []
        go = threading.Event()
        thinker.start(go.wait, lambda answer, error: done.append("late"))
        assert thinker.busy
        thinker.start(lambda: 1 / 0, lambda answer, error: done.append((answer, type(error))))
        await thinker.settled()
        assert not thinker.busy and done == [(None, ZeroDivisionError)]
        go.set()
        thinker.start(lambda: "yes", lambda answer, error: done.append((answer, error)))
        await thinker.settled()
        thinker.drop()
        await thinker.settled()
        assert done[1:] == [("yes", None)]

    run(think())


# Chance --------------------------------------------------------------------------------------------------------------


def test_the_seed_makes_it_repeatable_whichever_way_it_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    def games() -> list[str]:
        records = []

        async def sit() -> None:
            for seed in (1, 1, 2):
                table = SolunaWidget("morapiaf", seed=seed, youngest=1, opponent="random")
                while table.phase != "match_over":
                    await table.settled()
                    if table.phase == "playing":
                        play_first(table)
                    elif table.phase == "choosing":
                        table.choose("second")
                    elif table.phase == "round_over":
                        table.next_round()
                records.append(table.match.record())

        for play in (run, without_a_loop):
            play(sit())
        monkeypatch.setattr(opponent_module, "HAS_THREADS", False)
        run(sit())
        return records

    records = games()
    assert len(records) == 9
    assert len({*records[0::3], *records[1::3]}) == 1 and len({*records[2::3]}) == 1
    assert records[0] != records[2]


def test_undo_and_redo_do_not_roll_again(anywhere: Play) -> None:
    async def sit() -> None:
        table = SolunaWidget(seed=3, opener=0, opponent="random")
        play_first(table)
        await table.settled()
        reply = table.position
        for _ in range(3):
            table.undo()
            play_first(table)
            await table.settled()
            assert table.position == reply
            table.undo()
            table.redo()
            await table.settled()
            assert table.position == reply

    anywhere(sit())


def test_its_chance_differs_from_turn_to_turn_and_from_round_to_round() -> None:
    drawn: list[float] = []

    class Draws(Chance):
        def choose(self, position: Any, rng: Random) -> Any:
            drawn.append(rng.random())
            return first_move(position)

    table = SolunaWidget(seed=3, opener=0, opponent=Draws())
    while table.phase != "match_over":
        if table.phase == "round_over":
            table.next_round()
        else:
            play_first(table)
    assert len(set(drawn)) == len(drawn) > 15


# When it fails -------------------------------------------------------------------------------------------------------


class Unspeakable(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no words")


class Unprintable:
    def __repr__(self) -> str:
        raise RuntimeError("no words")


FAILURES: dict[str, tuple[Callable[[], Says], str]] = {
    "an error": (lambda: raises(ZeroDivisionError("by zero")), "ZeroDivisionError: by zero"),
    "an error without text": (lambda: raises(KeyError()), "KeyError"),
    "an error that cannot be printed": (lambda: raises(Unspeakable()), "Unspeakable"),
    "a stop": (lambda: raises(StopIteration("enough")), "StopIteration: enough"),
    "an illegal move": (lambda: Says(lambda position: "S9>M9"), "there is no sun, height 9 on the table"),
    "a text that is no move": (lambda: Says(lambda position: "sun on moon"), "'sun on moon' is not a move"),
    "nothing": (lambda: Says(lambda position: None), "None is not a move"),
    "a number": (lambda: Says(lambda position: 7), "7 is not a move"),
    "a position": (lambda: Says(lambda position: position.options()[0]), "is not a move"),
    "two numbers": (lambda: Says(lambda position: (1, 2)), "(1, 2) is not a move"),
    "a thing that cannot be printed": (lambda: Says(lambda position: Unprintable()), "Unprintable"),
}


@pytest.mark.parametrize("failure", FAILURES)
def test_a_strategy_that_fails_says_so_and_leaves_the_match_playable(
    comms: Comms, anywhere: Play, logged: Logged, failure: str
) -> None:
    # Case 3, jupyter-widgets/ipywidgets#2949.
    make, says = FAILURES[failure]
    strategy = make()

    async def sit() -> None:
        table = SolunaWidget(seed=3, opener=0, opponent=strategy)
        comm = comms.of(table)
        play_first(table)
        await table.settled()
        state = comm.state
        assert (table.turn, table.match.ply, state["revision"]) == (1, 1, 1)
        assert state["notice"]["code"] == "opponent_failed"
        assert state["notice"]["params"]["name"] == strategy.name
        assert says in state["notice"]["params"]["error"]
        assert state["notice"]["text"].startswith(f"{strategy.name} failed: ")
        assert state["opponent"]["thinking"] is False
        assert state["can"]["move"] and state["can"]["undo"]
        assert logged.take() == ["the opponent failed"]
        assert comm.press("hello")["notice"] == state["notice"], "it stays to be read, and nobody is asked again"
        mover, target = table.match.moves()[0]
        state = comm.press("move", mover=mover, target=target)
        assert state["answer"]["error"] is None and state["notice"] is None, "somebody moves for it"
        await table.settled()
        assert (table.turn, table.match.ply) == (0, 2)
        comm.press("undo")
        assert table.match.ply == 0, "undo goes back to the person's turn"
        assert logged.take() == []

    anywhere(sit())


def test_one_that_would_end_the_program_does_not_end_the_kernel(
    comms: Comms, with_and_without_threads: None, logged: Logged
) -> None:
    async def sit() -> None:
        table = SolunaWidget(seed=3, opener=0, opponent=raises(SystemExit(3)))
        play_first(table)
        await table.settled()
        state = comms.of(table).state
        assert state["notice"]["params"] == {"name": "Raiser", "error": "SystemExit: 3"}
        assert not state["opponent"]["thinking"] and state["can"]["move"]
        assert logged.take() == ["the opponent failed"]

    run(sit())


@pytest.mark.parametrize("order", ["third", None, 1, [], ValueError("neither")])
def test_one_that_does_not_know_who_opens_says_so_and_somebody_chooses_for_it(
    comms: Comms, anywhere: Play, logged: Logged, order: Any
) -> None:
    async def sit() -> None:
        table = SolunaWidget("morapiaf", seed=3, youngest=1, opponent=Opens(order))
        comm = comms.of(table)
        await table.settled()
        assert (table.phase, table.turn) == ("choosing", 1)
        assert comm.state["notice"]["code"] == "opponent_failed" and comm.state["can"]["choose"]
        assert logged.take() == ["the opponent failed"]
        assert comm.code("choose", order="second") is None
        assert (table.phase, table.turn, comm.state["notice"]) == ("playing", 0, None)

    anywhere(sit())


def test_one_that_failed_is_asked_again_once_the_table_has_changed(comms: Comms, logged: Logged) -> None:
    moods = iter([ZeroDivisionError(), None])

    def moody(position: Any) -> Any:
        mood = next(moods)
        if mood is not None:
            raise mood
        return first_move(position)

    table = SolunaWidget(seed=3, opener=0, opponent=Says(moody))
    play_first(table)
    assert table.turn == 1 and logged.take() == ["the opponent failed"]
    comms.of(table).press("undo")
    play_first(table)
    assert (table.turn, table.match.ply, comms.of(table).state["notice"]) == (0, 2, None)


def test_one_that_failed_is_not_said_to_think_although_a_callback_raises_at_the_news(
    comms: Comms, with_and_without_threads: None, logged: Logged
) -> None:
    def shout(change: Any) -> None:
        if change.new["notice"] is not None:
            raise LookupError("where?")

    async def sit() -> None:
        table = SolunaWidget(seed=3, opener=0, opponent=raises(ZeroDivisionError()))
        table.observe(shout, "state")
        play_first(table)
        await table.settled()
        state = comms.of(table).state
        assert not state["opponent"]["thinking"] and state["can"]["move"] and state["notice"] is not None
        assert set(logged.take()) == {"the opponent failed", "a callback failed"}

    run(sit())


def test_a_new_opponent_takes_over_where_one_failed(comms: Comms, anywhere: Play, logged: Logged) -> None:
    async def sit() -> None:
        table = SolunaWidget(seed=3, opener=0, opponent=raises(ZeroDivisionError()))
        play_first(table)
        await table.settled()
        assert logged.take() == ["the opponent failed"]
        table.opponent = "random"
        await table.settled()
        assert (table.turn, table.match.ply, comms.of(table).state["notice"]) == (0, 2, None)

    anywhere(sit())


def test_an_interrupt_from_the_keyboard_is_not_kept_from_a_script() -> None:
    table = SolunaWidget(seed=3, opener=0, opponent=raises(KeyboardInterrupt()))
    with pytest.raises(KeyboardInterrupt):
        play_first(table)
    assert table.match.ply == 1


@pytest.mark.parametrize("misere", [False, True])
@pytest.mark.parametrize("name", ["greedy", "parity", "minimax 2", "monte carlo 20", "fallible 0.5", "perfect"])
def test_every_named_player_plays_a_round_at_the_table(name: str, misere: bool, comms: Comms) -> None:
    table = SolunaWidget(seed=3, opener=0, opponent=name, misere=misere)
    while table.phase == "playing":
        table.play(table.match.moves()[0])
    assert table.phase == "round_over" and table.state["notice"] is None


def test_the_perfect_player_knows_which_way_it_is_played(comms: Comms) -> None:
    # From here one move wins in normal play, and another under misère.
    for misere in (False, True):
        table = SolunaWidget(start="S1^2 M1", seed=1, opener=1, opponent="perfect", misere=misere)
        while table.phase == "playing":
            table.play(table.match.moves()[0])
        assert table.stars[1] == (1 if solve(3, 2, misere).outcome("S1^2 M1") == "N" else 0)
