"""What the browser is told: a match, and what goes on around it, as one JSON object.

The other side of this file is `js/src/contract.ts`, which says what each key means.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from soluna_widget.drawing import HEIGHT, WIDTH, Place, places, radius_for
from soluna_widget.errors import SolunaError
from soluna_widget.match import Match, RoundSoFar, TableStack


@dataclass(frozen=True, slots=True)
class Around:
    """What is not in the match: the publication's numbers, who may do what, answers and notices."""

    serial: int
    revision: int
    can_undo: bool = False
    can_redo: bool = False
    opponent_seat: int | None = None
    opponent_name: str = ""
    thinking: bool = False
    language: str | None = None
    answer: dict[str, Any] | None = None
    notice: dict[str, Any] | None = None
    record: str | None = None
    advice: bool = False
    hints: list[dict[str, Any]] | None = None
    review: dict[str, Any] | None = None


def to_message(error: SolunaError) -> dict[str, Any]:
    """Give an error as the browser reads it."""
    return {"code": error.code, "params": dict(error.params), "text": str(error)}


def to_state(match: Match, around: Around) -> dict[str, Any]:
    """Give the whole state; nothing in it is shared with the match."""
    spots = places(match)
    opponent = None
    if around.opponent_seat is not None:
        opponent = {"seat": around.opponent_seat, "name": around.opponent_name, "thinking": around.thinking}
    return {
        "serial": around.serial,
        "revision": around.revision,
        "rulebook": match.rulebook.name,
        "misere": match.misere,
        "phase": match.phase,
        "turn": match.turn,
        "players": list(match.players),
        "stars": list(match.stars),
        "stars_to_win": match.rulebook.stars,
        "round": match.round,
        "opener": match.opener,
        "winner": match.winner,
        "table": {"width": WIDTH, "height": HEIGHT, "radius": radius_for(len(spots))},
        "stacks": _stacks(match.stacks, spots),
        "moves": [list(pair) for pair in match.moves()],
        "last": _last(match),
        "ended": _ended(match.turn, match.round_winner),
        "to_place": match.to_place,
        "can": {
            "move": match.phase == "playing" and not around.thinking,
            "choose": match.phase == "choosing" and not around.thinking,
            "place": match.phase == "placing" and not around.thinking,
            "next_round": match.phase == "round_over",
            "new_match": True,
            "undo": around.can_undo,
            "redo": around.can_redo,
            "hints": around.advice,
            "review": around.advice and match.phase in ("round_over", "match_over"),
        },
        "opponent": opponent,
        "answer": around.answer,
        "notice": around.notice,
        "language": around.language,
        "history": [_round(match, played) for played in match.rounds()],
        "record": around.record,
        "hints": around.hints,
        "review": around.review,
    }


def _stacks(stacks: Iterable[TableStack], spots: Sequence[Place]) -> list[dict[str, Any]]:
    return [
        {
            "id": stack.id,
            "discs": [disc.up for disc in stack.discs],
            "x": spots[stack.id - 1].x,
            "y": spots[stack.id - 1].y,
        }
        for stack in stacks
    ]


def _ended(blocked: int | None, winner: int | None) -> dict[str, Any] | None:
    return None if winner is None else {"blocked": blocked, "winner": winner}


def _round(match: Match, played: RoundSoFar) -> dict[str, Any]:
    return {
        "round": played.round,
        "stars": list(played.stars),
        "opener": played.opener,
        "stacks": _stacks(played.stacks, places(match, played.round)),
        "moves": [list(pair) for pair in played.moves],
        "ended": _ended(played.blocked, played.winner),
    }


def _last(match: Match) -> dict[str, Any] | None:
    if match.last is None:
        return None
    spot = places(match)[match.last.mover.id - 1]
    return {
        "mover": match.last.mover.id,
        "target": match.last.target.id,
        "x": spot.x,
        "y": spot.y,
        "height": match.last.mover.height,
        "by": match.last.by,
    }
