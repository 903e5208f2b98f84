"""Games in general: who wins, how fast and why, for any game with `options()`. It knows nothing of Soluna.

A game (`Game`) is anything hashable with `options()`; see there for what else it may have. The functions here share a
bounded memory of positions (`Analysis`), so asking again is cheap.
"""

from __future__ import annotations

from soluna_widget.theory.explanation import Explanation as Explanation
from soluna_widget.theory.explanation import explain as explain
from soluna_widget.theory.game import CyclicGame as CyclicGame
from soluna_widget.theory.game import Game as Game
from soluna_widget.theory.heaps import HeapMove as HeapMove
from soluna_widget.theory.heaps import Kayles as Kayles
from soluna_widget.theory.heaps import Nim as Nim
from soluna_widget.theory.heaps import Subtraction as Subtraction
from soluna_widget.theory.sums import Sum as Sum
from soluna_widget.theory.sums import SumMove as SumMove
from soluna_widget.theory.tree import GameTree as GameTree
from soluna_widget.theory.tree import Node as Node
from soluna_widget.theory.values import Analysis as Analysis
from soluna_widget.theory.values import Outcome as Outcome
from soluna_widget.theory.values import forget as forget
from soluna_widget.theory.values import grundy as grundy
from soluna_widget.theory.values import mex as mex
from soluna_widget.theory.values import misere_grundy as misere_grundy
from soluna_widget.theory.values import outcome as outcome
from soluna_widget.theory.values import remoteness as remoteness
from soluna_widget.theory.values import winning_moves as winning_moves
from soluna_widget.theory.values import winning_options as winning_options
