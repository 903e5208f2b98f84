"""Every position of so many discs and symbols, solved at once.

`solve(28, 4)` knows the outcome, the remoteness and the Grundy value of 4,788,549 positions. With numpy it works on
whole levels of positions at a time (`arrays`); without, a short plain solver does the same for small sizes (`plain`).
"""

from soluna_widget.solver.solution import Solution, estimate, solve

__all__ = ["Solution", "estimate", "solve"]
