"""Players: a position in, a move out. They know no Soluna beyond what any game offers.

A strategy has a `name` and `choose(position, rng)`, where `rng` is a `random.Random`: the same chance gives the same
move, in every process. `Strategy` says what it may have beside.
"""

from __future__ import annotations

from soluna_widget.strategies.names import NAMED as NAMED
from soluna_widget.strategies.names import find as find
from soluna_widget.strategies.perfect import FalliblePlayer as FalliblePlayer
from soluna_widget.strategies.perfect import Knowledge as Knowledge
from soluna_widget.strategies.perfect import PerfectPlayer as PerfectPlayer
from soluna_widget.strategies.search import MinimaxPlayer as MinimaxPlayer
from soluna_widget.strategies.search import MonteCarloPlayer as MonteCarloPlayer
from soluna_widget.strategies.simple import FunctionPlayer as FunctionPlayer
from soluna_widget.strategies.simple import GreedyPlayer as GreedyPlayer
from soluna_widget.strategies.simple import ParityPlayer as ParityPlayer
from soluna_widget.strategies.simple import PolicyPlayer as PolicyPlayer
from soluna_widget.strategies.simple import RandomPlayer as RandomPlayer
from soluna_widget.strategies.strategy import Policy as Policy
from soluna_widget.strategies.strategy import Strategy as Strategy
from soluna_widget.strategies.strategy import moves_of as moves_of
