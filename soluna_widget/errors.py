"""The errors of the package, named by kind.

Each carries, beside its sentence, a `code` and `params`: the table in the browser says the same in its own language.
"""

from __future__ import annotations

import operator
from typing import Any


class SolunaError(ValueError):
    """Anything this package refuses; nothing has changed when one is raised.

    Args:
        text: The sentence for people, in English.
        code: A short name of the rule that failed, the key of the same sentence in the browser's catalogue.
        params: What the sentence names: plain JSON values.
    """

    def __init__(self, text: str, *, code: str = "failed", **params: Any) -> None:
        super().__init__(text)
        self.text = text
        self.code = code
        self.params: dict[str, Any] = params

    def __reduce__(self) -> tuple[Any, ...]:
        return _remake, (type(self), self.text, self.code, self.params)


class InvalidNotation(SolunaError):
    """Text that means nothing; the sentence says where."""


class IllegalMove(SolunaError):
    """A real move that the rules forbid; the sentence says why."""


class WrongPhase(SolunaError):
    """Something that cannot be done now, such as a move while a round is over."""


def shown(value: object) -> str:
    """Give a value's `repr` for a sentence: at most some eighty characters, and some words where it has none."""
    try:
        text = repr(value)
    except Exception:
        return f"a {type(value).__name__} that cannot be shown"
    return text if len(text) <= 80 else f"{text[:60]}…{text[-15:]}"


def whole_number(value: object) -> int | None:
    """Give a whole number of any kind, numpy's too, as an int; None for everything else, True and False included."""
    if isinstance(value, bool):
        return None
    try:
        return operator.index(value)  # type: ignore[arg-type]  # what it refuses is told just below
    except TypeError:
        return None


def _remake(kind: type[SolunaError], text: str, code: str, params: dict[str, Any]) -> SolunaError:
    return kind(text, code=code, **params)
