"""Benchmarks print ratios within one run beside what is aimed at; none fails for being slow on a slow day."""

from __future__ import annotations

from collections.abc import Callable

import pytest

# The same browser, server and page as the browser tests.
from tests.browser.conftest import complaints, context, lab, open_notebook, page, pages  # noqa: F401

Report = Callable[[str, float, str], None]


@pytest.fixture
def report(request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]) -> Report:
    """`report(what, value, aim)` prints one figure, past pytest's capture."""

    def report(what: str, value: float, aim: str) -> None:
        with capsys.disabled():
            print(f"\n  {what}: {value:.2f} (aim: {aim})", end="")

    return report
