"""Hints and reviews: what the solver says at the table, against a naive player."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import pytest

from soluna_widget import DiscSet, Match, SolunaError, SolunaWidget, WrongPhase
from soluna_widget.widget import advice
from tests import naive
from tests.widget.fake_comm import Comms
from tests.widget.wire_fixtures import play_round

BOTH = pytest.mark.parametrize("misere", [False, True], ids=["normal", "misere"])


def tables(match: Match) -> list[list[str]]:
    """The last round's tables as a naive player sees them: before each move, and at the end."""
    played = match.rounds()[-1]
    table = {stack.id: "".join(disc.up for disc in stack.discs) for stack in played.stacks}
    found = [table]
    for mover, target in played.moves:
        table = {**{n: s for n, s in table.items() if n != mover}, target: table[target] + table[mover]}
        found.append(table)
    return [list(table.values()) for table in found]


def judged(stacks: list[str], misere: bool) -> tuple[str, int, int]:
    return naive.judged(naive.kind(naive.shape(stacks)), misere)


@BOTH
def test_hints_say_of_every_legal_move_what_a_naive_player_finds(misere: bool, comms: Comms) -> None:
    table = SolunaWidget(start="S1^2 M1^2 T1^2 C1", seed=2, opener=0, misere=misere)
    chance = Random(4)
    assert table.hints is False and table.state["hints"] is None
    table.hints = True
    while table.phase == "playing":
        lying = {stack.id: "".join(disc.up for disc in stack.discs) for stack in table.match.stacks}
        hints = {(hint["mover"], hint["target"]): hint for hint in comms.of(table).state["hints"]}
        assert set(hints) == set(table.match.moves())
        for (mover, target), hint in hints.items():
            after = [s for n, s in lying.items() if n not in (mover, target)] + [lying[target] + lying[mover]]
            outcome, remoteness, grundy = judged(after, misere)
            assert (hint["won"], hint["moves"]) == (outcome == "P", remoteness + 1)
            assert hint["grundy"] == (None if misere else grundy)
        table.play(chance.choice(table.match.moves()))
    assert table.state["hints"] == []
    table.hints = False
    assert table.state["hints"] is None


@BOTH
@pytest.mark.parametrize("seed", range(6))
def test_a_review_finds_every_move_that_gave_a_win_away_and_what_refutes_it(
    seed: int, misere: bool, comms: Comms
) -> None:
    table = SolunaWidget(start="S1^3 M1^2 T1^2 C1", seed=seed, opener=seed % 2, misere=misere)
    play_round(table, Random(seed))
    review = table.review()
    assert comms.of(table).state["review"] == review
    seen = tables(table.match)
    opener = table.match.opener
    assert opener is not None
    outcomes = [judged(stacks, misere)[0] for stacks in seen]
    assert review["round"] == 1
    assert review["winner"] == (opener if outcomes[0] == "N" else 1 - opener)
    gave_away = [number for number in range(1, len(seen)) if outcomes[number - 1] == outcomes[number] == "N"]
    assert [mistake["move"] for mistake in review["mistakes"]] == gave_away
    played = table.match.rounds()[-1]
    lying: list[dict[int, str]] = [{s.id: "".join(d.up for d in s.discs) for s in played.stacks}]
    for mover, target in played.moves:
        last = lying[-1]
        lying.append({**{n: s for n, s in last.items() if n != mover}, target: last[target] + last[mover]})
    for mistake in review["mistakes"]:
        number = mistake["move"]
        assert mistake["by"] == (opener + number - 1) % 2
        for stacks, pair in ((lying[number - 1], mistake["better"]), (lying[number], mistake["reply"])):
            if pair is None:
                assert misere and naive.is_over(list(stacks.values()))
                continue
            mover, target = pair
            assert naive.agree(stacks[mover], stacks[target])
            after = [s for n, s in stacks.items() if n not in (mover, target)] + [stacks[target] + stacks[mover]]
            assert judged(after, misere)[0] == "P"


def test_some_of_these_reviews_have_mistakes_and_some_moves_are_right() -> None:
    counts = []
    for seed in range(6):
        table = SolunaWidget(start="S1^3 M1^2 T1^2 C1", seed=seed, opener=0)
        play_round(table, Random(seed))
        counts.append((len(table.review()["mistakes"]), len(table.match.rounds()[-1].moves)))
    assert any(mistakes for mistakes, _ in counts) and all(mistakes < moves for mistakes, moves in counts)


def test_a_review_is_for_a_round_that_is_over_and_goes_with_it(comms: Comms) -> None:
    table = SolunaWidget(seed=1, opener=0)
    with pytest.raises(WrongPhase, match="when it is over"):
        table.review()
    assert table.state["can"]["review"] is False
    play_round(table, Random(1))
    assert table.state["can"]["review"] is True and table.state["review"] is None
    table.review()
    assert table.state["review"] is not None
    table.undo()
    assert table.state["review"] is None


def test_hints_may_be_on_while_discs_are_placed_and_show_when_there_are_moves() -> None:
    table = SolunaWidget(seed=1, placing=True, opener=0)
    table.hints = True
    assert table.state["hints"] == []
    while table.phase == "placing":
        table.place()
    assert len(table.state["hints"]) == len(table.match.moves())


def test_hints_stay_on_for_the_next_round_and_the_next_match() -> None:
    table = SolunaWidget(seed=1, opener=0)
    table.hints = True
    play_round(table, Random(1))
    table.next_round()
    assert table.hints and table.state["hints"]
    table.new_match()
    assert table.hints and table.state["hints"]


@pytest.mark.parametrize("arguments", [{"start": "S25 M25"}, {"discs": DiscSet.pairs("SMTCAB", copies=2)}])
def test_too_many_positions_are_refused_and_nothing_changes(arguments: dict[str, Any]) -> None:
    table = SolunaWidget(seed=1, opener=0, **arguments)
    assert not table.state["can"]["hints"] and not table.state["can"]["review"]
    serial = table.state["serial"]
    with pytest.raises(SolunaError, match="hints: this table has too many positions"):
        table.hints = True
    assert table.hints is False and table.state["serial"] == serial
    while table.phase == "playing":
        table.play(table.match.moves()[0])
    with pytest.raises(SolunaError, match="review: this table has too many positions"):
        table.review()


def test_a_match_that_is_too_large_may_come_to_a_table_with_hints_on() -> None:
    table = SolunaWidget(seed=1, opener=0)
    table.hints = True
    table.match = Match(start="S25 M25", opener=0)
    assert table.state["hints"] is None and not table.state["can"]["hints"]


@pytest.mark.parametrize("value", [1, None, "on"])
def test_hints_are_true_or_false(value: Any) -> None:
    with pytest.raises(SolunaError, match="hints: True or False, not"):
        SolunaWidget(seed=1).hints = value


def test_without_numpy_only_small_tables_are_advised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advice, "has_numpy", lambda: False)
    assert advice.can_advise(Match(seed=1))
    assert not advice.can_advise(Match(start="S1^5 M1^5 T1^5 C1"))
    monkeypatch.undo()
    assert advice.can_advise(Match(start="S1^5 M1^5 T1^5 C1"))


def test_the_computers_turn_has_hints_too(comms: Comms) -> None:
    async def play() -> None:
        table = SolunaWidget(seed=1, opener=0, opponent="random")
        table.hints = True
        table.play(table.match.moves()[0])
        await table.settled()
        assert {(h["mover"], h["target"]) for h in table.state["hints"]} == set(table.match.moves())

    asyncio.run(play())
