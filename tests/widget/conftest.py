"""What all tests of the widget share: comms that keep every message, and nothing that goes wrong unseen."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.widget.fake_comm import Comms, failures, fake_comms


@pytest.fixture(autouse=True)
def comms() -> Iterator[Comms]:
    """Every widget of a test opens a fake comm; it is closed when the test ends."""
    with fake_comms() as opened:
        yield opened


@pytest.fixture(autouse=True)
def nothing_fails_unseen(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """See that nothing was logged as going wrong; a test in which something must go wrong asks `logged` for it."""
    yield
    assert failures(caplog.get_records("call")) == []


class Logged:
    """What was logged as going wrong."""

    def __init__(self, caplog: pytest.LogCaptureFixture) -> None:
        self._caplog = caplog

    def take(self) -> list[str]:
        """Give it, and forget it."""
        found = failures(self._caplog.records)
        self._caplog.clear()
        return found

    def take_tracebacks(self) -> list[str]:
        """Give what was logged with a traceback, and forget all."""
        found = [record.getMessage() for record in self._caplog.records if record.exc_info]
        self._caplog.clear()
        return found


@pytest.fixture
def logged(caplog: pytest.LogCaptureFixture) -> Logged:
    return Logged(caplog)
