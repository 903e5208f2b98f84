"""Progress bars that are quiet where nobody watches."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from soluna_widget.errors import SolunaError, shown

Progress = bool | Callable[..., Any]


@contextmanager
def bar(progress: Progress, total: int, unit: str) -> Iterator[Callable[[int], object]]:
    """Give a function to be told how much more is done.

    Args:
        progress: True shows a bar where tqdm is installed; False shows none; or what makes one, such as
            `tqdm.auto.tqdm`: called with `total=` and `unit=`, updated and closed.
        total: How much there is to do.
        unit: Of what, such as " rounds".
    """
    if progress is False or total == 0:
        yield _nothing
        return
    if not (progress is True or callable(progress)):
        raise SolunaError(f"progress: True, False or what makes a bar, such as tqdm.auto.tqdm, not {shown(progress)}")
    shows = _make(total, unit) if progress is True else progress(total=total, unit=unit)
    try:
        yield _nothing if shows is None else shows.update
    finally:
        if shows is not None:
            shows.close()


def _nothing(count: int) -> None:
    """What is told where nobody watches."""


def _make(total: int, unit: str) -> Any:
    try:
        import tqdm
        import tqdm.auto
    except ImportError:
        return None
    if _in_notebook() or sys.stderr.isatty():
        return tqdm.auto.tqdm(total=total, unit=unit)
    # Into a log each update is a line of its own: a few will do.
    return tqdm.tqdm(total=total, unit=unit, miniters=max(1, total // 4), mininterval=0, maxinterval=float("inf"))


def _in_notebook() -> bool:
    shell = sys.modules.get("IPython")
    found = shell.get_ipython() if shell is not None and hasattr(shell, "get_ipython") else None
    return type(found).__name__ == "ZMQInteractiveShell"
