"""One scale for all players of a tournament."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from soluna_widget.errors import SolunaError, shown

if TYPE_CHECKING:
    import pandas

_FITS = 400
_POINTS = 400 / math.log(10)
"""Elo points for each unit of log odds."""


def rate(players: Sequence[str], pairs: pandas.DataFrame, seed: int, level: float) -> pandas.DataFrame:
    """Fit the model of Bradley and Terry; `Tournament.ratings` says how."""
    if isinstance(level, bool) or not isinstance(level, int | float) or not 0 < level < 1:
        raise SolunaError(f"level: a number between 0 and 1, not {shown(level)}")
    try:
        import choix
    except ImportError:
        raise SolunaError("ratings need choix: pip install 'soluna-widget[experiments]'") from None
    import numpy
    import pandas

    place = {name: number for number, name in enumerate(players)}
    a, b = ([place[name] for name in pairs[column]] for column in ("player", "opponent"))
    wins, losses = pairs["wins"].to_numpy() + 0.5, pairs["losses"].to_numpy() + 0.5

    def fit(won: numpy.ndarray, lost: numpy.ndarray) -> numpy.ndarray:
        table = numpy.zeros((len(players), len(players)))
        table[a, b], table[b, a] = won, lost
        found: numpy.ndarray = _POINTS * choix.ilsr_pairwise_dense(table)
        centred: numpy.ndarray = found - found.mean()
        return centred

    rng = numpy.random.default_rng(abs(seed))
    total = wins + losses
    # Away from 0 and 1, where the fit has no end.
    drawn = (numpy.clip(rng.beta(wins, losses), 1e-9, 1 - 1e-9) for _ in range(_FITS))
    fits = numpy.array([fit(total * share, total * (1 - share)) for share in drawn])
    low, high = numpy.quantile(fits, [(1 - level) / 2, (1 + level) / 2], axis=0)
    frame = pandas.DataFrame({"player": players, "rating": fit(wins, losses), "low": low, "high": high})
    return frame.sort_values("rating", ascending=False, ignore_index=True)
