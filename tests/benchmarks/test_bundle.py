"""How much a browser has to load for the table."""

from __future__ import annotations

import gzip
from importlib.resources import files

from tests.benchmarks.conftest import Report

MOST_KB = 25


def test_bundle_size(report: Report) -> None:
    static = files("soluna_widget").joinpath("static")
    size = sum(len(gzip.compress(static.joinpath(name).read_bytes(), 9)) for name in ("widget.js", "widget.css"))
    report("widget.js and widget.css, gzipped, kB", size / 1000, f"{MOST_KB}")
    # A size is the same on every machine, so this one is held.
    assert size <= MOST_KB * 1000
