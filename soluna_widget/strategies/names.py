"""Strategies by name, as a person writes them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from soluna_widget.errors import SolunaError, shown
from soluna_widget.strategies.perfect import FalliblePlayer, PerfectPlayer
from soluna_widget.strategies.search import MinimaxPlayer, MonteCarloPlayer
from soluna_widget.strategies.simple import FunctionPlayer, GreedyPlayer, ParityPlayer, RandomPlayer
from soluna_widget.strategies.strategy import Strategy

NAMED: dict[str, Callable[[], Strategy]] = {
    "random": RandomPlayer,
    "greedy": GreedyPlayer,
    "parity": ParityPlayer,
    "minimax": MinimaxPlayer,
    "monte carlo": MonteCarloPlayer,
    "fallible": FalliblePlayer,
    "perfect": PerfectPlayer,
}
"""The strategies that can be asked for by name. Three take a level: "minimax 3", "monte carlo 200", "fallible 0.2"."""

_LEVELS: dict[str, tuple[str, Callable[[str], Any]]] = {
    "minimax": ("depth", int),
    "monte carlo": ("playouts", int),
    "fallible": ("error", float),
}


def find(opponent: object, name: str = "opponent", misere: bool = False) -> Strategy:
    """Give the strategy that is meant by an object, a function or a name.

    Args:
        opponent: A strategy, a function of (position, rng) that gives a move, or a name such as "minimax 3".
        name: What errors call the argument.
        misere: Whether a strategy that is asked for by name is one for misère play, where it can be.

    Raises:
        SolunaError: If it is none of them.
    """
    if isinstance(opponent, str):
        return _by_name(opponent, name, misere)
    if isinstance(opponent, type):
        raise SolunaError(f"{name}: a strategy, not its class: write {opponent.__name__}()")
    if callable(getattr(opponent, "choose", None)):
        if not isinstance(getattr(opponent, "name", None), str):
            raise SolunaError(
                f"{name}: a strategy has choose(position, rng) and a name, but {shown(opponent)} has none"
            )
        return opponent  # type: ignore[return-value]  # checked just above
    if callable(opponent):
        return FunctionPlayer(opponent)
    raise SolunaError(
        f"{name}: {_one_of(NAMED)}, a strategy with choose(position, rng), or a function, not {shown(opponent)}"
    )


def _by_name(text: str, argument: str, misere: bool) -> Strategy:
    if text in NAMED:
        settings: dict[str, Any] = {}
        kind: Any = NAMED[text]
    else:
        found = re.fullmatch(r"(\D*\S) ([0-9]+(?:\.[0-9]+)?)", text, re.ASCII)
        if found is None or found[1] not in NAMED:
            raise SolunaError(f"{argument}: {_one_of(NAMED)}, or a strategy, not {shown(text)}")
        if found[1] not in _LEVELS:
            raise SolunaError(f"{argument}: {found[1]!r} has no level, only {_one_of(_LEVELS)} have: {shown(text)}")
        level, read = _LEVELS[found[1]]
        kind = NAMED[found[1]]
        try:
            settings = {level: read(found[2])}
        except ValueError:
            raise SolunaError(f"{argument}: {shown(text)}: {level} is a whole number") from None
    if misere and "misere" in getattr(kind, "__dataclass_fields__", ()):
        settings["misere"] = True
    try:
        strategy: Strategy = kind(**settings)
    except SolunaError as error:
        raise SolunaError(f"{argument}: {shown(text)}: {error}") from None
    return strategy


def _one_of(names: Iterable[str]) -> str:
    return " or ".join(repr(name) for name in names)
