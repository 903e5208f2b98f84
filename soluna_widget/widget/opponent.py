"""The computer at the table: it thinks beside the kernel's loop and answers on it.

A strategy runs in a thread of its own, so that the notebook stays usable; where threads do not exist it runs on the
loop, and without a running loop it answers at once. Its answer is handed over only if nobody has let go of it
meanwhile.
"""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable
from typing import Any

Think = Callable[[], Any]
Result = tuple[Any, BaseException | None]
Done = Callable[[Any, BaseException | None], None]

HAS_THREADS = sys.platform != "emscripten"


class Thinker:
    """Runs one thought at a time."""

    def __init__(self) -> None:
        self._task: asyncio.Task[None] | None = None

    @property
    def busy(self) -> bool:
        """Whether a thought is under way."""
        return self._task is not None and not self._task.done()

    def start(self, think: Think, done: Done) -> None:
        """Think, then call `done(answer, None)` or `done(None, error)`; an earlier thought is dropped."""
        self.drop()
        loop = running_loop()
        if loop is None:
            done(*_attempt(think))
        else:
            self._task = loop.create_task(self._run(think, done))

    def drop(self) -> None:
        """Let go of the thought under way: its answer goes nowhere."""
        if self._task is not None:
            # A task that is itself handing over its answer has already let go of this one.
            self._task.cancel()
            self._task = None

    async def settled(self) -> None:
        """Wait until no thought is under way, those included that follow from the first."""
        while self._task is not None:
            task = self._task
            await asyncio.wait({task})
            if self._task is task:
                self._task = None

    async def _run(self, think: Think, done: Done) -> None:
        answer, error = await (_in_thread(think) if HAS_THREADS else _on_loop(think))
        self._task = None
        done(answer, error)


def running_loop() -> asyncio.AbstractEventLoop | None:
    """Give the loop that runs in this thread, None where none does."""
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


def _attempt(think: Think) -> Result:
    try:
        return think(), None
    except (Exception, SystemExit) as error:  # a strategy that gives up must not take the kernel with it
        return None, error


async def _on_loop(think: Think) -> Result:
    await asyncio.sleep(0)
    return _attempt(think)


async def _in_thread(think: Think) -> Result:
    """Run in a daemon thread: one that never comes back does not keep the kernel from ending."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Result] = loop.create_future()

    def deliver(result: Result) -> None:
        if not future.done():
            future.set_result(result)

    def run() -> None:
        try:
            result = _attempt(think)
        except BaseException as error:  # SystemExit, say: without an answer the table would wait for ever
            result = None, error
        if not loop.is_closed():
            loop.call_soon_threadsafe(deliver, result)

    threading.Thread(target=run, name="soluna-opponent", daemon=True).start()
    return await future
