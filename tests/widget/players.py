"""Opponents for tests, and how a test waits for them: on what they do, never for a while."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from random import Random
from typing import Any

PATIENCE = 30
"""Seconds after which something that should have happened has not."""


class Says:
    """Answers what a function of the position says."""

    def __init__(self, answer: Callable[[Any], Any], name: str = "Sayer") -> None:
        self.name = name
        self._answer = answer

    def choose(self, position: Any, rng: Random) -> Any:
        return self._answer(position)


def raises(error: BaseException) -> Says:
    def answer(position: Any) -> Any:
        raise error

    return Says(answer, name="Raiser")


class Opens(Says):
    """Says too who opens, where it is asked."""

    def __init__(self, order: Any) -> None:
        super().__init__(first_move)
        self.order = order
        self.asked: list[Any] = []

    def opens(self, position: Any, rng: Random) -> Any:
        self.asked.append(position)
        if isinstance(self.order, BaseException):
            raise self.order
        return self.order


class Chance:
    """Plays at random and keeps what it was asked."""

    name = "Chance"

    def __init__(self) -> None:
        self.asked: list[Any] = []

    def choose(self, position: Any, rng: Random) -> Any:
        self.asked.append(position)
        return rng.choice(position.moves())


class Slow:
    """Thinks until it is let go: each thought that begins is in `thoughts`."""

    name = "Slow"

    def __init__(self) -> None:
        self.thoughts: list[Thought] = []
        self.begun = threading.Semaphore(0)

    def choose(self, position: Any, rng: Random) -> Any:
        thought = Thought(position)
        self.thoughts.append(thought)
        self.begun.release()
        assert thought.go.wait(PATIENCE)
        return first_move(position)

    async def begins(self) -> Thought:
        """Wait until the next thought begins, in a thread of its own."""
        assert await asyncio.to_thread(self.begun.acquire, timeout=PATIENCE)
        return self.thoughts[-1]


class Thought:
    """A thought under way."""

    def __init__(self, position: Any) -> None:
        self.position = position
        self.thread = threading.current_thread()
        self.go = threading.Event()

    async def ends(self) -> None:
        """Let it end, and wait until its answer has been handed over, or would have been."""
        self.go.set()
        await asyncio.to_thread(self.thread.join, PATIENCE)
        assert not self.thread.is_alive()
        await let_the_loop_turn()


async def let_the_loop_turn() -> None:
    """Wait until all that is due on the loop is done, and what follows from it too."""
    loop = asyncio.get_running_loop()
    for _ in range(10):
        turned = loop.create_future()
        loop.call_soon(turned.set_result, None)
        await turned


def first_move(position: Any) -> Any:
    return position.moves()[0]
