"""The computer at the table: it thinks beside the kernel's loop and answers on it.

A strategy runs in a thread of its own, so that the notebook stays usable; where threads do not exist it runs on the
loop, and without a running loop it answers at once. Its answer is handed over on the loop on which it was asked, and
only if nobody has let go of it meanwhile. A kernel may have several loops: a cell runs on one, and a click may come on
another.
"""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import AbstractContextManager
from typing import Any

Think = Callable[[], Any]
Result = tuple[Any, BaseException | None]
Done = Callable[[Any, BaseException | None], None]

HAS_THREADS = sys.platform != "emscripten"


class _Thought:
    """One thought, from the question until its answer is handed over or dropped: then `ended` is."""

    def __init__(self, done: Done) -> None:
        self.ended: Future[None] = Future()
        self.done: Done | None = done
        self.handing_over = False


class Thinker:
    """Runs one thought at a time.

    Args:
        lock: Held while an answer is handed over, so that nobody lets go of it meanwhile in another thread.
    """

    def __init__(self, lock: AbstractContextManager[Any] | None = None) -> None:
        self._lock = lock or threading.RLock()
        self._current: _Thought | None = None
        self._latest: _Thought | None = None

    @property
    def busy(self) -> bool:
        """Whether a thought is under way."""
        return self._current is not None

    def start(self, think: Think, done: Done) -> None:
        """Think, then call `done(answer, None)` or `done(None, error)`; an earlier thought is dropped."""
        self.drop()
        loop = running_loop()
        if loop is None:
            done(*_attempt(think))
            return
        thought = self._current = self._latest = _Thought(done)

        def hand_over(result: Result) -> None:
            with self._lock:
                if self._current is not thought or thought.done is None:
                    return
                thought.handing_over = True
                self._current = None
                try:
                    thought.done(*result)
                finally:
                    thought.done = None
                    thought.ended.set_result(None)

        if HAS_THREADS:
            _in_thread(think, loop, hand_over)
        else:
            # A turn of the loop later, so that the page shows the person's own move first.
            loop.call_later(0, lambda: hand_over(_attempt(think)))

    def drop(self) -> None:
        """Let go of the thought under way: its answer goes nowhere."""
        with self._lock:
            thought, self._current = self._current, None
            if thought is not None and not thought.handing_over:
                # A strategy may never come back: its thread must not keep a closed table.
                thought.done = None
                thought.ended.set_result(None)

    async def settled(self) -> None:
        """Wait, on any loop, until no thought is under way, those included that follow from the first."""
        while self._latest is not None and not self._latest.ended.done():
            # Shielded: who gives up waiting does not end the thought.
            await asyncio.shield(asyncio.wrap_future(self._latest.ended))


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


def _in_thread(think: Think, loop: asyncio.AbstractEventLoop, hand_over: Callable[[Result], None]) -> None:
    """Run in a daemon thread: one that never comes back does not keep the kernel from ending."""

    def run() -> None:
        try:
            result = _attempt(think)
        except BaseException as error:  # without an answer the table would wait for ever
            result = None, error
        try:
            loop.call_soon_threadsafe(hand_over, result)
        except RuntimeError:  # the loop has ended with its thread, and the table must go on
            hand_over(result)

    threading.Thread(target=run, name="soluna-opponent", daemon=True).start()
