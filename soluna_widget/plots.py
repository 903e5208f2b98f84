"""Figures of results and of the theory, in one look: for paper, a projector and a dark notebook alike.

Each function returns a `Plot`: a matplotlib figure together with its finding in one sentence, which is also what a
screen reader says. The figures have a white ground of their own, so a dark notebook does not swallow their ink; lines
differ in marker and dash as well as in colour, which is from the palette of Okabe and Ito for the colour-blind.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape
from io import BytesIO
from typing import TYPE_CHECKING, Any

from soluna_widget.errors import SolunaError

if TYPE_CHECKING:
    import pandas
    from matplotlib.figure import Figure

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
DASHES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (3, 2)), (0, (1, 1)))

_STYLE: Any = {
    "axes.edgecolor": "#555555",
    "axes.facecolor": "white",
    "axes.grid": True,
    "axes.labelsize": 13,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 14,
    "figure.constrained_layout.use": True,
    "figure.dpi": 110,
    "figure.facecolor": "white",
    "figure.figsize": (8, 4.6),
    "grid.color": "#dddddd",
    "grid.linewidth": 0.8,
    "legend.fontsize": 12,
    "legend.frameon": False,
    "lines.linewidth": 2,
    "lines.markersize": 7,
    "savefig.facecolor": "white",
    "text.color": "#222222",
    "xtick.labelsize": 12,
    "ytick.labelsize": 12,
}


@dataclass(frozen=True, slots=True)
class Plot:
    """A figure and what it shows.

    Attributes:
        figure: The matplotlib figure, to be changed or saved with `figure.savefig`.
        finding: What it shows, in one sentence.
    """

    figure: Figure
    finding: str

    def _repr_html_(self) -> str:
        # Twice as many dots as it takes room for: sharp on a projector and on paper.
        data = BytesIO()
        self.figure.savefig(data, format="png", dpi=2 * _STYLE["figure.dpi"])
        picture = base64.b64encode(data.getvalue()).decode("ascii")
        width = round(self.figure.get_figwidth() * _STYLE["figure.dpi"])
        finding = escape(self.finding)
        return (
            f'<figure style="margin: 0"><img src="data:image/png;base64,{picture}" alt="{finding}" width="{width}" '
            f'style="max-width: 100%; height: auto"><figcaption>{finding}</figcaption></figure>'
        )

    def __repr__(self) -> str:
        return f"<Plot: {self.finding}>"


def growth(frame: pandas.DataFrame, what: str, label: str, by: str = "symbols") -> Plot:
    """Draw how something grows with the number of discs, on a logarithmic scale.

    Args:
        frame: A row for each size; the columns `discs`, `what` and `by` are read.
        what: The column to draw, with numbers above zero.
        label: What the column holds, with its unit: the title.
        by: The column for whose values there is a line each.

    Raises:
        SolunaError: If a column is missing, or there is no row.
    """
    from matplotlib.ticker import MaxNLocator

    _check(frame, "discs", what, by)
    with _axes() as (figure, axes):
        for i, (value, rows) in enumerate(frame.groupby(by)):
            rows = rows.sort_values("discs")
            axes.plot(rows["discs"], rows[what], **_line(i), label=f"{value} {by}")
        axes.set_yscale("log")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_xlabel("discs")
        axes.set_title(label)
        _label_lines(axes)
    largest = frame["discs"].max()
    ends = frame[frame["discs"] == largest]
    said = "; ".join(f"{_say(value)} for {name} {by}" for name, value in zip(ends[by], ends[what], strict=True))
    return Plot(figure, f"{label}, at {largest} discs: {said}.")


@contextmanager
def _axes() -> Iterator[tuple[Figure, Any]]:
    """Make a figure in the house's look, on no canvas but its own: nothing stays behind in pyplot."""
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(_STYLE):
        figure = Figure()
        yield figure, figure.subplots()
        # Drawn while the look holds, so that it is fixed.
        figure.draw_without_rendering()


def _line(number: int) -> dict[str, Any]:
    return {
        "color": COLOURS[number % len(COLOURS)],
        "marker": MARKERS[number % len(MARKERS)],
        "linestyle": DASHES[number % len(DASHES)],
    }


def _label_lines(axes: Any) -> None:
    """Write each line's name at its end, where the eye is already; a legend would have to be looked up."""
    ends = [(line.get_xdata()[-1], line.get_ydata()[-1], line) for line in axes.get_lines()]
    axes.margins(x=0.14)
    # Names that would lie on each other are pushed apart, upwards.
    free = float("-inf")
    for x, y, line in sorted(ends, key=lambda end: float(end[1])):
        _, height = axes.transData.transform((x, y)) * 72 / axes.figure.dpi
        place = max(height, free)
        free = place + 15
        style = {"textcoords": "offset points", "va": "center", "fontsize": 12, "color": line.get_color()}
        axes.annotate(line.get_label(), (x, y), xytext=(8, place - height), **style)


def _say(value: float) -> str:
    """Write a number for a sentence: whole ones whole, others to three places that count."""
    return f"{value:,}" if float(value).is_integer() else f"{value:.3g}"


def _check(frame: pandas.DataFrame, *columns: str) -> None:
    for column in columns:
        if column not in frame:
            raise SolunaError(f"frame: it has no column {column!r}, only {', '.join(map(repr, frame.columns))}")
    if frame.empty:
        raise SolunaError("frame: there is no row in it")
