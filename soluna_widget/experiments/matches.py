"""The probability of winning a whole match, from those of winning a round."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from soluna_widget.errors import SolunaError, shown
from soluna_widget.experiments.chain import find_with_policy, win_chances
from soluna_widget.experiments.starts import Start, chances, check_flag
from soluna_widget.match import RULEBOOKS, Rulebook

Score = tuple[int, int]


def exact_match(
    a: object, b: object, rulebook: str | Rulebook = "bga", start: Start = None, *, misere: bool = False
) -> float:
    """Work out the probability that `a` wins the whole match.

    Args:
        a: Who opens the first round, or is the youngest and chooses: a strategy with a policy, or its name.
        b: The other one.
        rulebook: "bga", "morapiaf" or a Rulebook.
        start: As for `exact`. Where the layout is kept, the match is worked out for each layout and then averaged.
        misere: Whether who cannot move wins the round.

    Raises:
        SolunaError: As for `exact`; and where players choose who opens, if one has `opens` but not `opening`, its
            probability. One that has neither draws.

    >>> round(exact_match("perfect", "perfect"), 3)
    0.353
    """
    stars = find_rulebook(rulebook).stars
    return sum(
        chance for (won, _), chance in exact_scores(a, b, rulebook, start, misere=misere).items() if won == stars
    )


def exact_scores(
    a: object, b: object, rulebook: str | Rulebook = "bga", start: Start = None, *, misere: bool = False
) -> dict[Score, float]:
    """Work out how a match ends: the probability of each pair of stars (those of `a`, those of `b`).

    Arguments and errors are those of `exact_match`. Scores that cannot be are left out.

    >>> exact_scores("perfect", "perfect", "morapiaf")
    {(4, 3): 1.0}
    """
    check_flag("misere", misere)
    book = find_rulebook(rulebook)
    one, other = find_with_policy("a", a, misere), find_with_policy("b", b, misere)
    weights = {position: float(weight) for position, weight in chances(start).items()}
    opened = win_chances(one, other, weights, misere)  # a wins, a opening
    answered = {position: 1 - chance for position, chance in win_chances(other, one, weights, misere).items()}
    opening, choosing = (opened, answered), (opened, answered)
    if "chooses" in book.first_opener + book.next_opener:
        choosing = (
            _mixed(opened, answered, _opening("a", one, weights)),
            _mixed(answered, opened, _opening("b", other, weights)),
        )
    first = (choosing if book.first_opener == "youngest_chooses" else opening)[0]
    later = choosing if book.next_opener == "loser_chooses" else opening
    found: dict[Score, float] = defaultdict(float)
    if book.next_layout == "kept":
        for position, weight in weights.items():
            ends = _scores(first[position], (later[0][position], later[1][position]), book.stars)
            for score, chance in ends.items():
                found[score] += weight * chance
    else:
        average = [sum(weight * table[position] for position, weight in weights.items()) for table in (first, *later)]
        found = _scores(average[0], (average[1], average[2]), book.stars)
    return {score: chance for score, chance in sorted(found.items(), reverse=True) if chance}


def _scores(first: float, later: tuple[float, float], stars: int) -> dict[Score, float]:
    """Go through a match whose rounds are independent.

    Args:
        first: The probability that `a` wins the first round.
        later: The same for a later round, if `a` lost the one before; and if `b` did.
        stars: How many win.
    """
    now: dict[tuple[int, int, int | None], float] = {(0, 0, None): 1.0}
    ends: dict[Score, float] = defaultdict(float)
    while now:
        after: dict[tuple[int, int, int | None], float] = defaultdict(float)
        for (mine, yours, loser), chance in now.items():
            win = first if loser is None else later[loser]
            for won, share in ((1, win), (0, 1 - win)):
                score = mine + won, yours + 1 - won
                if stars in score:
                    ends[score] += chance * share
                elif share:
                    after[(*score, won)] += chance * share
        now = after
    return ends


def _mixed(one: dict[Any, float], other: dict[Any, float], share: dict[Any, float]) -> dict[Any, float]:
    return {key: share[key] * one[key] + (1 - share[key]) * other[key] for key in one}


def _opening(name: str, player: Any, positions: dict[Any, float]) -> dict[Any, float]:
    if callable(getattr(player, "opening", None)):
        return {position: float(player.opening(position)) for position in positions}
    if hasattr(player, "opens"):
        raise SolunaError(
            f"{name}: {shown(player.name)} has opens(position, rng), but exact results need opening(position), the "
            "probability of moving first"
        )
    return dict.fromkeys(positions, 0.5)


def find_rulebook(rulebook: str | Rulebook) -> Rulebook:
    """Give the rulebook that is meant.

    Raises:
        SolunaError: If it is none.
    """
    if isinstance(rulebook, Rulebook):
        return rulebook
    if not isinstance(rulebook, str) or rulebook not in RULEBOOKS:
        raise SolunaError(f"rulebook: {' or '.join(map(repr, RULEBOOKS))}, or a Rulebook, not {shown(rulebook)}")
    return RULEBOOKS[rulebook]
