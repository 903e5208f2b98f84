"""Figures: what they draw, what they say, and that they leave nothing behind."""

from __future__ import annotations

import re

import matplotlib
import pandas as pd
import pytest
from matplotlib.colors import to_rgb

from soluna_widget import SolunaError, plots

SIZES = pd.DataFrame(
    {"discs": [4, 6, 8, 4, 6, 8], "symbols": [2, 2, 2, 3, 3, 3], "positions": [10, 30, 90, 20, 80, 1_320]}
)


def test_growth_draws_a_line_for_each_number_of_symbols() -> None:
    plot = plots.growth(SIZES.sample(frac=1, random_state=1), "positions", "Positions")
    (axes,) = plot.figure.axes
    assert {line.get_label(): [list(data) for data in line.get_data()] for line in axes.get_lines()} == {
        "2 symbols": [[4, 6, 8], [10, 30, 90]],
        "3 symbols": [[4, 6, 8], [20, 80, 1_320]],
    }
    assert axes.get_yscale() == "log"
    assert [text.get_text() for text in axes.texts] == ["2 symbols", "3 symbols"], "each line is named at its end"
    assert plot.finding in (
        "Positions, at 8 discs: 90 for 2 symbols; 1,320 for 3 symbols.",
        "Positions, at 8 discs: 1,320 for 3 symbols; 90 for 2 symbols.",
    )


def test_lines_differ_in_more_than_colour_and_are_dark_enough_on_white() -> None:
    assert len(plots.COLOURS) == len(set(plots.MARKERS)) == len({str(dash) for dash in plots.DASHES})

    def luminance(colour: str) -> float:
        parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour)]
        return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True))

    for colour in plots.COLOURS[:4]:
        assert 1.05 / (luminance(colour) + 0.05) >= 2.5


def test_a_plot_shows_itself_with_its_finding_for_every_reader() -> None:
    plot = plots.growth(SIZES, "positions", "<Positions>")
    html = plot._repr_html_()
    assert re.search(r'<img src="data:image/png;base64,[A-Za-z0-9+/=]{5000,}" alt="&lt;Positions&gt;, at 8', html)
    assert "<figcaption>&lt;Positions&gt;, at 8 discs" in html
    assert repr(plot) == f"<Plot: {plot.finding}>"


def test_drawing_leaves_matplotlib_as_it_was() -> None:
    before = dict(matplotlib.rcParams)
    plots.growth(SIZES, "positions", "Positions")
    assert dict(matplotlib.rcParams) == before
    assert "matplotlib.pyplot" not in plots.__dict__


@pytest.mark.parametrize("column", ["discs", "symbols", "positions"])
def test_a_missing_column_and_an_empty_frame_are_named(column: str) -> None:
    with pytest.raises(SolunaError, match=f"frame: it has no column '{column}', only"):
        plots.growth(SIZES.drop(columns=column), "positions", "Positions")
    with pytest.raises(SolunaError, match="no row"):
        plots.growth(SIZES.iloc[:0], "positions", "Positions")
