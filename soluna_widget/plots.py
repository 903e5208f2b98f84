"""Figures of results and of the theory, in one look: for paper, a projector and a dark notebook alike.

Each function returns a `Plot`: a matplotlib figure together with its finding in one sentence, which is also what a
screen reader says. The figures have a white ground of their own, so a dark notebook does not swallow their ink; lines
differ in marker and dash as well as in colour, which is from the palette of Okabe and Ito for the colour-blind.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping
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


def win_rates(square: pandas.DataFrame, label: str) -> Plot:
    """Draw how often each player beats each other one, as a square of shades with the numbers in it.

    Args:
        square: Win rates from 0 to 1, the row's player against the column's; what is not known is NaN.
        label: What is counted: the title.

    Raises:
        SolunaError: If there is no row.
    """
    _check(square)
    values = square.to_numpy(dtype=float)
    size = len(square)
    with _axes() as (figure, axes):
        side = min(3 + 0.75 * size, 12)
        figure.set_size_inches(side + 0.8, side)
        # One colour from light to dark, so that it reads in grey as well.
        image = axes.imshow(values, cmap="Blues", vmin=0, vmax=1)
        figure.colorbar(image, ax=axes, shrink=0.7, label="win rate")
        axes.set_xticks(range(size), list(square.columns), rotation=35, ha="right", rotation_mode="anchor")
        axes.set_yticks(range(size), list(square.index))
        axes.grid(visible=False)
        for (row, column), value in _numbers(values):
            ink = "white" if value > 0.68 else "#222222"  # at least four to one against the shade
            axes.text(column, row, f"{100 * value:.0f} %", ha="center", va="center", color=ink, fontsize=12)
        axes.set_title(label)
    means = square.mean(axis=1).dropna()
    if means.empty:
        return Plot(figure, f"{label}: nothing was played.")
    best = means.idxmax()
    return Plot(figure, f"{label}: {best} is ahead, with {_percent(means[best])} on average over its opponents.")


def trend(
    frame: pandas.DataFrame, by: str, by_label: str, lines: Mapping[str, str], label: str, logarithmic: bool = False
) -> Plot:
    """Draw how win rates depend on something, with their intervals where there are any.

    Args:
        frame: A row for each value of `by`.
        by: The column along the axis.
        by_label: What it holds, with its unit.
        lines: For each column of win rates from 0 to 1 what the line is called. The interval of a column "x" is read
            from "x_low" and "x_high", and where there is one column only, also from "low" and "high".
        label: What is drawn: the title.
        logarithmic: Whether `by` is drawn on a logarithmic scale.

    Raises:
        SolunaError: If a column is missing, or there is no row.
    """
    _check(frame, by, *lines)
    frame = frame.sort_values(by)
    with _axes() as (figure, axes):
        for i, (column, name) in enumerate(lines.items()):
            style = _line(i)
            axes.plot(frame[by], 100 * frame[column], **style, label=name)
            low, high = f"{column}_low", f"{column}_high"
            if low not in frame and len(lines) == 1:
                low, high = "low", "high"
            if low in frame and high in frame:
                axes.fill_between(
                    frame[by], 100 * frame[low], 100 * frame[high], color=style["color"], alpha=0.18, lw=0
                )
        if logarithmic:
            axes.set_xscale("log")
            axes.xaxis.set_major_formatter("{x:g}")
        axes.set_ylim(-3, 103)
        axes.set_ylabel("win rate in %")
        axes.set_xlabel(by_label)
        axes.set_title(label)
        if len(lines) > 1:
            _label_lines(axes)
    first, last = frame.iloc[0], frame.iloc[-1]
    said = "; ".join(
        f"{name} from {_percent(first[column])} to {_percent(last[column])}" for column, name in lines.items()
    )
    return Plot(figure, f"{label}, by {by_label}: {said}, as that goes from {_say(first[by])} to {_say(last[by])}.")


def _numbers(values: Any) -> Iterator[tuple[tuple[int, int], float]]:
    """Give the places and values of a table that are known."""
    for row, line in enumerate(values):
        for column, value in enumerate(line):
            if value == value:  # not NaN
                yield (row, column), float(value)


def match_up(names: tuple[str, str], rate: float, low: float, high: float, exact: float | None = None) -> Plot:
    """Draw how often one player beat another, with its interval, beside the exact answer.

    Args:
        names: The two players.
        rate: The share of rounds that the first of them won, from 0 to 1.
        low: Where its interval begins.
        high: Where it ends.
        exact: The exact probability; None where there is none.
    """
    with _axes() as (figure, axes):
        figure.set_size_inches(8, 2.2 if exact is None else 2.8)
        rows = ["played"] if exact is None else ["exact", "played"]
        top = len(rows) - 1
        axes.errorbar([rate], [top], xerr=[[max(0, rate - low)], [max(0, high - rate)]], color=COLOURS[0], fmt="o")
        # On a ground of its own, for the line at one half runs through it.
        ground = {"facecolor": "white", "edgecolor": "none", "pad": 1}
        place = {"xytext": (0, 11), "textcoords": "offset points", "ha": "center", "fontsize": 12, "bbox": ground}
        axes.annotate(f"{rate:.1%}", (rate, top), **place)
        if exact is not None:
            axes.plot([exact], [0], color=COLOURS[1], marker="D", linestyle="none")
            axes.annotate(f"{exact:.1%}", (exact, 0), **place)
        axes.axvline(0.5, color="#555555", linestyle=":", linewidth=1.5)
        axes.set_yticks(range(len(rows)), rows)
        axes.set_ylim(-0.6, top + 0.8)
        axes.set_xlim(-0.03, 1.03)
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
        axes.set_title(f"Rounds that {names[0]} wins against {names[1]}")
    said = f"{names[0]} won {rate:.1%} against {names[1]} (95 % interval {low:.1%} to {high:.1%})"
    return Plot(figure, f"{said}; exactly it is {exact:.1%}." if exact is not None else f"{said}.")


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
    return f"{int(value):,}" if float(value).is_integer() else f"{value:.3g}"


def _percent(rate: float) -> str:
    """Write a win rate for a sentence: one that only nearly always or never holds is not called certain."""
    if 0 < rate < 0.005:
        return "under 1 %"
    return "over 99 %" if 0.995 < rate < 1 else f"{100 * rate:.0f} %"


def _check(frame: pandas.DataFrame, *columns: str) -> None:
    for column in columns:
        if column not in frame:
            raise SolunaError(f"frame: it has no column {column!r}, only {', '.join(map(repr, frame.columns))}")
    if frame.empty:
        raise SolunaError("frame: there is no row in it")
