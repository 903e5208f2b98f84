"""What the solver says at the table: which moves win, and where a round was thrown away."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from soluna_widget.match import Match, RoundSoFar
from soluna_widget.rules import Move, Position, Stack, agree
from soluna_widget.solver import Solution, solve
from soluna_widget.solver.counts import count_positions, has_numpy

_MOST = 200_000
_MOST_PLAIN = 5_000
"""How many positions a table solves while somebody waits: with numpy twenty discs of four symbols, without twelve."""


def can_advise(match: Match) -> bool:
    """Say whether the match's positions are few enough to be solved while somebody waits."""
    discs, symbols = _size(match)
    # Counting takes time, too: larger tables are refused without it, also those of one symbol.
    if discs > 30 or symbols > 26:
        return False
    return count_positions(discs, symbols) <= (_MOST if has_numpy() else _MOST_PLAIN)


def give_hints(match: Match) -> list[dict[str, Any]]:
    """Say of every legal move whether it wins, how many moves are left then, and the Grundy value it leaves."""
    if match.phase != "playing" or match.position is None:
        return []
    solution, position = _solution(match), match.position
    stacks = {stack.id: stack.stack for stack in match.stacks}
    known: dict[Move, dict[str, Any]] = {}
    found = []
    for mover, target in match.moves():
        move = Move(stacks[mover], stacks[target])
        if move not in known:
            after = position.play(move)
            known[move] = {
                "won": solution.outcome(after) == "P",
                "moves": solution.remoteness(after) + 1,
                "grundy": None if match.misere else solution.grundy(after),
            }
        found.append({"mover": mover, "target": target, **known[move]})
    return found


def give_review(match: Match) -> dict[str, Any]:
    """Say who could win the last round from its start, and which moves gave a won position away.

    Returns:
        `round`; `winner`, who had a won position at the start; and `mistakes`, each with its `move` from 1, who made it
        (`by`), a `better` move and the `reply` that refutes it, as pairs of stack numbers; no reply where under misère
        the other player is left without a move, and so wins.
    """
    solution = _solution(match)
    played = match.rounds()[-1]
    opener = played.opener or 0
    start = Position(stack.stack for stack in played.stacks)
    mistakes = []
    for number, (stacks, (mover, target)) in enumerate(_tables(played)):
        position = Position(stacks.values())
        after = position.play(Move(stacks[mover], stacks[target]))
        if solution.outcome(position) == "N" and solution.outcome(after) == "N":
            left = _merge(stacks, mover, target)
            better = _best(solution, position, stacks)
            reply = _best(solution, after, left)
            mistakes.append({"move": number + 1, "by": (opener + number) % 2, "better": better, "reply": reply})
    first = solution.outcome(start) == "N"
    return {"round": played.round, "winner": opener if first else 1 - opener, "mistakes": mistakes}


def _tables(played: RoundSoFar) -> list[tuple[dict[int, Stack], tuple[int, int]]]:
    """Give the stacks before each move of a round by their numbers, and the move."""
    stacks = {stack.id: stack.stack for stack in played.stacks}
    found = []
    for mover, target in played.moves:
        found.append((stacks, (mover, target)))
        stacks = _merge(stacks, mover, target)
    return found


def _merge(stacks: dict[int, Stack], mover: int, target: int) -> dict[int, Stack]:
    result = Move(stacks[mover], stacks[target]).result
    return {number: result if number == target else stack for number, stack in stacks.items() if number != mover}


def _best(solution: Solution, position: Position, stacks: dict[int, Stack]) -> list[int] | None:
    """Give the winning move that ends the round soonest, as two stack numbers; None where there is none."""
    moves = solution.winning_moves(position)
    if not moves:
        return None
    move = min(moves, key=lambda move: solution.remoteness(position.play(move)))
    for mover, top in stacks.items():
        for target, other in stacks.items():
            if mover != target and agree(top, other) and Move(top, other) == move:
                return [mover, target]
    return None


def _size(match: Match) -> tuple[int, int]:
    if match.start is not None:
        return match.start.discs, len({stack.top for stack in match.start.stacks})
    return match.discs.size, len({face for disc in match.discs.discs for face in disc.faces})


def _solution(match: Match) -> Solution:
    return _solve(*_size(match), match.misere)


@lru_cache(maxsize=8)
def _solve(discs: int, symbols: int, misere: bool) -> Solution:
    return solve(discs, symbols, misere)
