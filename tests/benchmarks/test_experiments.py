"""Random play through the option graph against plain Python, and exact match-ups against sampled tournaments."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from random import Random
from typing import Any

from soluna_widget import DISC_SETS
from soluna_widget.discs import layout_position
from soluna_widget.experiments import chain, exact, simulate, tournament
from soluna_widget.strategies import RandomPlayer, strategy
from tests.benchmarks.conftest import Report

Stacks = list[tuple[str, int]]


def seconds(work: Callable[[], Any]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def plain_rounds(rounds: int) -> int:
    """Random rounds over physical pairs of stacks, written with tuples; how many the first player wins."""
    rng, wins = Random(1), 0
    faces = [disc.faces for disc in DISC_SETS["soluna"].discs]
    for _ in range(rounds):
        stacks: Stacks = [(rng.choice(face), 1) for face in faces]
        moves = 0
        while True:
            pairs = [
                (i, j)
                for i, (top, height) in enumerate(stacks)
                for j, (other, size) in enumerate(stacks)
                if i != j and (top == other or height == size)
            ]
            if not pairs:
                break
            i, j = rng.choice(pairs)
            stacks[j] = (stacks[i][0], stacks[i][1] + stacks[j][1])
            stacks[i] = stacks[-1]
            stacks.pop()
            moves += 1
        wins += moves % 2
    return wins


def object_rounds(rounds: int) -> int:
    """The same through Position and RandomPlayer."""
    rng, player, wins = Random(1), RandomPlayer(), 0
    for _ in range(rounds):
        position, moves = layout_position(DISC_SETS["soluna"].throw(rng)), 0
        while not position.is_over:
            position = position.play(player.choose(position, rng))
            moves += 1
        wins += moves % 2
    return wins


def forget() -> None:
    """Begin with nothing known."""
    chain._rows.clear()
    chain._kept_chain.cache_clear()
    strategy._kept.clear()


def test_random_rounds_per_second(report: Report) -> None:
    plain, objects, graph, true = 2_000, 1_000, 1_000_000, exact("random", "random")
    for rate, rounds in (
        (plain_rounds(plain) / plain, plain),
        (object_rounds(objects) / objects, objects),
        (simulate("random", "random", graph).rate, graph),
    ):
        assert abs(rate - true) < 5 * 0.5 / rounds**0.5, "all three play the same game"
    forget()
    first = seconds(lambda: simulate("random", "random", 1))
    by_plain = plain / seconds(lambda: plain_rounds(plain))
    by_object = objects / seconds(lambda: object_rounds(objects))
    by_graph = graph / seconds(lambda: simulate("random", "random", graph, seed=2))
    report(
        f"random rounds: option graph {by_graph:,.0f}/s / tuples {by_plain:,.0f}/s", by_graph / by_plain, "at least 3"
    )
    report(f"random rounds: Position {by_object:,.0f}/s / tuples", by_object / by_plain, "beside it")
    report("seconds to make the option graph", first, "a few")


def test_exact_against_a_sampled_tournament(report: Report) -> None:
    players = RandomPlayer(), RandomPlayer("moves")
    forget()
    worked_out = seconds(lambda: exact(*players))
    sampled = seconds(lambda: tournament(players, 10_000, seed=1, progress=False))
    what = f"tournament of 10,000 rounds / exact over all 4,096 falls ({sampled:.1f} s / {worked_out:.2f} s)"
    report(what, sampled / worked_out, "more than 1")


def count(to: int) -> int:
    """A plain loop."""
    total = 0
    for number in range(to):
        total += number * number
    return total


def test_two_workers_against_one(report: Report) -> None:
    """Beside what two processes gain here on a plain loop: a busy machine, or one with a single core, gains nothing."""

    def both(workers: int) -> tuple[float, float]:
        with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as executor:
            # Started and warm, as in a sweep of many tournaments.
            tournament(players, 40, seed=1, executor=executor, progress=False)
            plain = seconds(lambda: list(executor.map(count, [3_000_000] * 16)))
            return plain, seconds(lambda: tournament(players, 400, seed=2, executor=executor, progress=False))

    players = ["monte carlo 30", "monte carlo 60"]
    (one_plain, one), (two_plain, two) = both(1), both(2)
    report("a tournament with one worker / two", one / two, "close to 2 with two free cores")
    report("a plain loop in one process / two", one_plain / two_plain, "what this machine can give")
