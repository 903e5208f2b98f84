"""What the browser may ask for: one place that checks the shape of a request.

The other side of this file is `js/src/contract.ts`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from soluna_widget.errors import SolunaError

_LONGEST_ID = 100
_LONGEST_RECORD = 1_000_000


class _Part(NamedTuple):
    """Something that a request carries: whether a value fits, and what is due, in words."""

    fits: Callable[[object], bool]
    due: str


_STACK = _Part(lambda value: type(value) is int, "a stack number")
_ORDER = _Part(lambda value: isinstance(value, str) and value in ("first", "second"), "first or second")
_FLAG = _Part(lambda value: isinstance(value, bool), "true or false")
_RECORD = _Part(
    lambda value: isinstance(value, str) and len(value) <= _LONGEST_RECORD,
    f"a text of at most {_LONGEST_RECORD:,} characters",
)

KINDS: dict[str, dict[str, _Part]] = {
    "move": {"mover": _STACK, "target": _STACK},
    "choose": {"order": _ORDER},
    "place": {},
    "next_round": {},
    "new_match": {},
    "undo": {},
    "redo": {},
    "record": {},
    "hints": {"on": _FLAG},
    "review": {},
    "open": {"record": _RECORD},
    "hello": {},
}
"""Every kind of request, with what it carries beside its id and revision."""


@dataclass(frozen=True, slots=True)
class Request:
    """A request of the right shape; whether it fits the table is not said yet."""

    id: str
    revision: int
    kind: str
    body: Mapping[str, Any]


def usable_id(raw: object) -> str | None:
    """Give the id of whatever came, None where it has none that an answer could name."""
    found = raw.get("id") if isinstance(raw, dict) else None
    fits = isinstance(found, str) and 0 < len(found) <= _LONGEST_ID and found.isprintable()
    return found if fits else None


def read_request(raw: object) -> Request:
    """Check the shape of whatever came.

    Raises:
        SolunaError: If it is no request; the sentence says what is wrong with it. Its code is "malformed".
    """
    if not isinstance(raw, dict):
        raise _malformed(f"an object is due, not {type(raw).__name__}")
    if (request_id := usable_id(raw)) is None:
        raise _malformed(f"id: a printable text of 1 to {_LONGEST_ID} characters is due")
    if type(revision := raw.get("revision")) is not int:
        raise _malformed("revision: a whole number is due")
    kind = raw.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        raise _malformed(f"kind: one of {', '.join(KINDS)} is due")
    body = {key: value for key, value in raw.items() if key not in ("id", "revision", "kind")}
    for key in body.keys() - KINDS[kind].keys():
        raise _malformed(f"a request {kind!r} carries no {str(key)[:40]!r}")
    for key, part in KINDS[kind].items():
        if key not in body or not part.fits(body[key]):
            raise _malformed(f"{key}: {part.due} is due")
    return Request(request_id, revision, kind, body)


def _malformed(why: str) -> SolunaError:
    return SolunaError(f"this request is malformed: {why}", code="malformed", reason=why)
