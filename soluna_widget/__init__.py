"""Soluna for Jupyter: the game, a table to play it at, and the theory behind it.

Everything public imports from here, lazily: a Python without Jupyter can use the game alone.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from soluna_widget import experiments as experiments
    from soluna_widget import plots as plots
    from soluna_widget import solver as solver
    from soluna_widget import strategies as strategies
    from soluna_widget import theory as theory
    from soluna_widget.discs import DISC_SETS as DISC_SETS
    from soluna_widget.discs import Disc as Disc
    from soluna_widget.discs import DiscSet as DiscSet
    from soluna_widget.errors import IllegalMove as IllegalMove
    from soluna_widget.errors import InvalidNotation as InvalidNotation
    from soluna_widget.errors import SolunaError as SolunaError
    from soluna_widget.errors import WrongPhase as WrongPhase
    from soluna_widget.match import RULEBOOKS as RULEBOOKS
    from soluna_widget.match import Match as Match
    from soluna_widget.match import Rulebook as Rulebook
    from soluna_widget.rules import SYMBOLS as SYMBOLS
    from soluna_widget.rules import Move as Move
    from soluna_widget.rules import Position as Position
    from soluna_widget.rules import Stack as Stack
    from soluna_widget.solver import Solution as Solution
    from soluna_widget.solver import solve as solve
    from soluna_widget.widget import SolunaWidget as SolunaWidget
    from soluna_widget.widget.panel import ExperimentPanel as ExperimentPanel

__version__ = "0.1.0"

_HOMES = {
    "DISC_SETS": "discs",
    "Disc": "discs",
    "DiscSet": "discs",
    "IllegalMove": "errors",
    "InvalidNotation": "errors",
    "SolunaError": "errors",
    "WrongPhase": "errors",
    "RULEBOOKS": "match",
    "Match": "match",
    "Rulebook": "match",
    "SYMBOLS": "rules",
    "Move": "rules",
    "Position": "rules",
    "Stack": "rules",
    "Solution": "solver",
    "solve": "solver",
    "SolunaWidget": "widget",
    "ExperimentPanel": "widget.panel",
}
_MODULES = ("experiments", "plots", "solver", "strategies", "theory")

__all__ = ["__version__", *_HOMES, *_MODULES]


def __getattr__(name: str) -> object:
    if name in _HOMES:
        found: object = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    elif name in _MODULES:
        found = import_module(f"{__name__}.{name}")
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
