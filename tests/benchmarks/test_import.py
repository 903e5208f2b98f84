"""How long a notebook's first line takes, against `import anywidget`, which it cannot do without."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

from tests.benchmarks.conftest import Report

RUNS = 9


def seconds(code: str) -> float:
    begun = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return time.perf_counter() - begun


def test_import_time_against_anywidget(report: Report) -> None:
    ours, theirs = "from soluna_widget import SolunaWidget", "import anywidget"
    seconds(ours), seconds(theirs)  # the first run reads the disk
    ratios = [seconds(ours) / seconds(theirs) for _ in range(RUNS)]
    report("from soluna_widget import SolunaWidget / import anywidget, median", statistics.median(ratios), "1.3")
