"""Which player is how strong: exact match-ups, tournaments, sweeps. What is exact needs no sampling, and no numpy."""

from __future__ import annotations

from soluna_widget.experiments.chain import Simulation as Simulation
from soluna_widget.experiments.chain import exact as exact
from soluna_widget.experiments.chain import simulate as simulate
from soluna_widget.experiments.intervals import paired as paired
from soluna_widget.experiments.intervals import wilson as wilson
from soluna_widget.experiments.matches import exact_match as exact_match
from soluna_widget.experiments.matches import exact_scores as exact_scores
from soluna_widget.experiments.sweeps import Sweep as Sweep
from soluna_widget.experiments.sweeps import by_budget as by_budget
from soluna_widget.experiments.sweeps import by_error as by_error
from soluna_widget.experiments.sweeps import by_layout as by_layout
from soluna_widget.experiments.sweeps import by_size as by_size
from soluna_widget.experiments.sweeps import exact_square as exact_square
from soluna_widget.experiments.tournaments import Tournament as Tournament
from soluna_widget.experiments.tournaments import tournament as tournament
