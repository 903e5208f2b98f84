"""The match so far, as the browser gets it: enough to go through every earlier table."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from soluna_widget import Match, SolunaError, SolunaWidget


def tables_of(history: list[dict[str, Any]]) -> list[list[tuple[str, int, int]]]:
    """Every table there was, by (top, height, id), from the history alone: a stack put on another, no rule known."""
    found = []
    for played in history:
        stacks = {stack["id"]: list(stack["discs"]) for stack in played["stacks"]}
        found.append(sorted((discs[-1], len(discs), number) for number, discs in stacks.items()))
        for mover, target in played["moves"]:
            stacks[target] += stacks.pop(mover)
            found.append(sorted((discs[-1], len(discs), number) for number, discs in stacks.items()))
    return found


@pytest.mark.parametrize(
    ("rulebook", "settings"),
    [("bga", {}), ("bga", {"start": "S1^3 M1,2 T4"}), ("morapiaf", {}), ("morapiaf", {"misere": True})],
)
def test_the_history_tells_every_table_of_the_match(rulebook: str, settings: dict[str, Any]) -> None:
    rng = Random(7)
    table = SolunaWidget(rulebook, seed=4, **settings)
    seen = []
    while table.phase != "match_over":
        if table.phase == "choosing":
            table.choose("first")
        elif table.phase == "round_over":
            table.next_round()
        else:
            if table.match.last is None:
                seen.append(sorted((s.top, s.height, s.id) for s in table.match.stacks))
            table.play(rng.choice(table.match.moves()))
            seen.append(sorted((s.top, s.height, s.id) for s in table.match.stacks))
        told = tables_of(table.state["history"])
        assert told[: len(seen)] == seen
    history = table.state["history"]
    assert [played["round"] for played in history] == list(range(1, table.match.round + 1))
    for played, after in zip(history, [*history[1:], None], strict=True):
        stars = list(played["stars"])
        stars[played["ended"]["winner"]] += 1
        assert stars == (list(table.stars) if after is None else after["stars"])
        mover = played["opener"] if len(played["moves"]) % 2 == 0 else 1 - played["opener"]
        assert played["ended"]["blocked"] == mover


def test_undo_takes_the_history_back_too() -> None:
    table = SolunaWidget(seed=4, opener=0)
    table.play(table.match.moves()[0])
    assert len(table.state["history"][-1]["moves"]) == 1
    table.undo()
    assert table.state["history"][-1]["moves"] == []


def test_while_discs_are_placed_the_history_has_those_that_lie_there() -> None:
    match = Match(seed=1, placing=True)
    assert [len(played.stacks) for played in match.rounds()] == [0]
    match.place()
    assert [len(played.stacks) for played in match.rounds()] == [1]


def test_a_start_that_is_over_at_once_counts_its_star_after_the_round() -> None:
    (played,) = Match(start="S1 M2", opener=0).rounds()
    assert (played.stars, played.blocked, played.winner) == ((0, 0), 0, 1)


def test_the_language_is_told_and_may_change() -> None:
    table = SolunaWidget(language="es")
    assert table.state["language"] == "es"
    before = table.state["revision"]
    table.language = None
    assert table.state["language"] is None
    assert table.state["revision"] == before
    with pytest.raises(SolunaError, match="language: 'en' or 'es', or None, not 'xx'"):
        table.language = "xx"
    with pytest.raises(SolunaError, match="language"):
        SolunaWidget(language="xx")
