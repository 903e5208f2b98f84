"""The table for other eyes: without colour, with some colours only, zoomed in, in the system's own colours.

Marks are judged by the pixels that a person gets, not by the style sheet that asks for them.
"""

from __future__ import annotations

import math
from itertools import combinations
from typing import Any, Literal

from playwright.sync_api import expect

from tests.browser.harness import Notebook, OpenNotebook, Table, table_cell

THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
# How a browser is asked for the table as others see it: by a filter over what it has drawn, or by the system's wishes.
PLAIN: dict[str, Any] = {"reduced_motion": "reduce", "forced_colors": "none", "contrast": "no-preference"}
MEDIA = {"system colours": {**PLAIN, "forced_colors": "active"}, "more contrast": {**PLAIN, "contrast": "more"}}
EYES = ("achromatopsia", "protanopia", "deuteranopia", "tritanopia", *MEDIA)
# WCAG 2.2, 1.4.11: what a mark needs against what is there without it.
CONTRAST = 3
# The share of a face's area that must differ so much. Two symbols differ by a good part of the symbol; a mark is at
# least a dashed ring; the trace of a move is a thin ring and some dots. Who wants more contrast gets thicker lines.
DISTINCT, MARKED, TRACED = 0.12, {"more contrast": 0.12}, {"more contrast": 0.03}
TILT = 0.84

# How many pixels of two cuts of the same size differ so in luminance (WCAG 2.2), over the area of a disc's face. Only
# what lies within an ellipse around the middle counts: a neighbour's marks are not this stack's.
DIFFERENCES = """
async ([shots, pairs, [rx, ry], face, contrast]) => {
  const images = {};
  for (const [name, shot] of Object.entries(shots)) {
    const image = new Image();
    image.src = `data:image/png;base64,${shot}`;
    await image.decode();
    const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
    const context = canvas.getContext('2d', { willReadFrequently: true });
    context.drawImage(image, 0, 0);
    images[name] = context;
  }
  const linear = Array.from({ length: 256 }, (_, v) =>
    (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  const measured = new Map();
  const light = ([name, x, y]) => {
    const key = `${name} ${x} ${y}`;
    if (!measured.has(key)) {
      const { data } = images[name].getImageData(Math.round(x) - rx, Math.round(y) - ry, 2 * rx, 2 * ry);
      measured.set(key, Float64Array.from({ length: data.length / 4 }, (_, i) =>
        0.2126 * linear[data[4 * i]] + 0.7152 * linear[data[4 * i + 1]] + 0.0722 * linear[data[4 * i + 2]]));
    }
    return measured.get(key);
  };
  return pairs.map((pair) => {
    const [one, other] = pair.map(light);
    let differ = 0;
    one.forEach((a, i) => {
      const [x, y, b] = [i % (2 * rx) - rx, Math.floor(i / (2 * rx)) - ry, other[i]];
      if ((x / rx) ** 2 + (y / ry) ** 2 > 1) return;
      if ((Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) >= contrast) differ += 1;
    });
    return differ / face;
  });
}
"""
PLACES = """
(svg) => {
  const { left, top } = svg.getBoundingClientRect();
  return [...svg.querySelectorAll('[data-stack]')].map((handle) => {
    const { a, e, f } = handle.getScreenCTM();
    return [`${handle.dataset.top}${handle.dataset.height}`, Number(handle.dataset.stack), a, e - left, f - top];
  });
}
"""


class Eyes:
    """Looks at a table as others see it, and keeps what it has seen.

    Args:
        notebook: Where the table is.
        table: The table.
    """

    def __init__(self, notebook: Notebook, table: Table) -> None:
        self.page = notebook.page
        self.svg = table.root.locator(".soluna-table")
        self.svg.scroll_into_view_if_needed()
        self._line = self.page.context.new_cdp_session(self.page)
        self._seen: dict[str, dict[str, str]] = {eye: {} for eye in EYES}
        self.places: dict[str, tuple[int, float, float]] = {}
        """The number of one stack of each top and height, and where it lies in a picture."""
        for label, number, scale, x, y in self.svg.evaluate(PLACES):
            self.places.setdefault(label, (number, x, y))
            self.radius = scale * notebook.kernel.eval("w.state['table']['radius']")

    def look(self, name: str) -> None:
        """Take a picture of the table through each pair of eyes, and call it so."""
        box = self.svg.bounding_box()
        assert box is not None
        # Not Playwright's own picture, which takes thrice as long: nothing moves here.
        how = {"format": "png", "clip": {**box, "scale": 1}}
        for eye in EYES:
            if eye in MEDIA:
                self.page.emulate_media(**MEDIA[eye])
            else:
                self._line.send("Emulation.setEmulatedVisionDeficiency", {"type": eye})
            self._seen[eye][name] = self._line.send("Page.captureScreenshot", how)["data"]
            if eye in MEDIA:
                self.page.emulate_media(**PLAIN)
            else:
                self._line.send("Emulation.setEmulatedVisionDeficiency", {"type": "none"})

    def differences(self, eye: str, pairs: list[tuple[tuple[str, str], tuple[str, str]]]) -> list[float]:
        """How much two stacks in two pictures differ; each is named by its picture, and by its place."""
        cuts = [[(picture, *self.places[place][1:]) for picture, place in pair] for pair in pairs]
        window = [round(1.5 * self.radius), round(1.7 * self.radius)]
        face = math.pi * self.radius**2 * TILT
        found: list[float] = self.page.evaluate(DIFFERENCES, [self._seen[eye], cuts, window, face, CONTRAST])
        return found


def test_case_19_symbols_and_states_are_distinct_to_all_eyes(open_notebook: OpenNotebook) -> None:
    """lichess-org/lila#10890: through a greyscale filter, without one of the colours, and in the system's own."""
    notebook = open_notebook(table_cell(start="S1^2 M1 T1 C1 M3", opener=0, seed=5))
    # Every picture is taken of a table that lies still.
    notebook.spoiled = True
    notebook.page.emulate_media(**PLAIN)
    table, page = notebook.table(), notebook.page
    eyes = Eyes(notebook, table)
    numbers = {label: number for label, (number, _, _) in eyes.places.items()}
    for theme in THEMES:
        notebook.theme(theme)
        page.mouse.move(2, 2)
        eyes.look("plain")
        table.stack(numbers["S1"]).hover()
        eyes.look("hovered")
        page.mouse.move(2, 2)
        for name, taken in (("taken", "S1"), ("target", "T1")):
            table.click_stack(numbers[taken])
            page.mouse.move(2, 2)
            eyes.look(name)
            page.keyboard.press("Escape")
        page.keyboard.press("Home")
        table.stack(numbers["S1"]).focus()
        eyes.look("focused")
        table.stack(numbers["S1"]).blur()
        # Where the comet lay there is first the trace of its move, and after another move nothing.
        table.move(numbers["C1"], numbers["T1"])
        page.mouse.move(2, 2)
        eyes.look("trace")
        table.move(numbers["M1"], numbers["S1"])
        page.mouse.move(2, 2)
        eyes.look("bare")
        table.press("Undo")
        table.press("Undo")

        symbols = [(("plain", one), ("plain", other)) for one, other in combinations(("S1", "M1", "T1", "C1"), 2)]
        states = ("plain", "hovered", "taken", "target", "focused")
        marks = [((one, "S1"), (other, "S1")) for one, other in combinations(states, 2)]
        last = [(("bare", "C1"), ("trace", "C1"))]
        for eye in EYES:
            pairs = symbols + marks + last
            alike = {
                pair: round(found, 3)
                for pair, found in zip(pairs, eyes.differences(eye, pairs), strict=True)
                if found
                < (DISTINCT if pair in symbols else MARKED.get(eye, 0.05) if pair in marks else TRACED.get(eye, 0.012))
            }
            assert alike == {}, (theme, eye)


# ---- zoomed in ----------------------------------------------------------------------------------------------------

# What is cut off, covered or too small to hit; nothing, if all is well.
FAULTS = """
(root) => {
  const faults = [];
  const shown = (element) => element.getClientRects().length > 0;
  const box = (element) => element.getBoundingClientRect();
  const name = (element) => `${element.className.baseVal ?? element.className} ${element.textContent}`;
  const frame = box(root);
  const parts = [...root.querySelectorAll(
    '.soluna-name, .soluna-stars, .soluna-round, .soluna-table, .soluna-words p, button, .soluna-help, dt, dd')
  ].filter(shown);
  for (const part of parts) {
    const { left, right } = box(part);
    if (left < frame.left - 1 || right > frame.right + 1) faults.push(`outside the table: ${name(part)}`);
    const wider = part.scrollWidth > part.clientWidth + 1 || part.scrollHeight > part.clientHeight + 1;
    if (wider && part.matches('p, button, .soluna-help, dt, dd, .soluna-name')) faults.push(`cut off: ${name(part)}`);
  }
  const words = parts.filter((part) => !part.matches('.soluna-help'));
  words.forEach((one, i) => words.slice(i + 1).forEach((other) => {
    const [a, b] = [box(one), box(other)];
    const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (width > 1 && height > 1) faults.push(`overlap: ${name(one)} and ${name(other)}`);
  }));
  for (const outer of [root, root.parentElement])
    if (outer.scrollWidth > outer.clientWidth + 1) faults.push('scrolls sideways');
  for (const hit of root.querySelectorAll('.soluna-hit, .soluna-button')) {
    if (!shown(hit)) continue;
    const { width, height } = box(hit);
    // Half a pixel: a browser rounds.
    if (Math.min(width, height) < 23.5) faults.push(`too small to hit: ${width} x ${height}: ${name(hit)}`);
  }
  return faults;
}
"""
RESIZED = """
([number, old]) => document.querySelectorAll('.soluna')[number].clientWidth !== old
"""
# What a browser's zoom does is a smaller page of finer pixels; text alone may grow too, and be set wider (WCAG 1.4.12).
LARGE = ".soluna :is(.soluna-head, .soluna-words, .soluna-actions, .soluna-help) { font-size: 28px; }"
WIDE = ".soluna * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }"


def each_stack_can_be_taken(table: Table) -> None:
    for number in table.stacks():
        table.click_stack(number)
        pressed = table.root.locator('[data-stack][aria-pressed="true"]')
        expect(pressed).to_have_attribute("data-stack", str(number))
        table.page.keyboard.press("Escape")
        expect(pressed).to_have_count(0)


def test_zoomed_in_nothing_is_cut_off(open_notebook: OpenNotebook) -> None:
    """WCAG 2.2, 1.4.4, 1.4.10, 1.4.12 and 2.5.8: at 200 %, at 320 pixels, with larger and with wider text."""
    names = ("Maximiliane", "Bartholomäus")
    notebook = open_notebook(table_cell(seed=7, opener=0, language="es", players=names))
    page, table = notebook.page, notebook.table()
    notebook.spoiled = True
    help_button = table.button("Ayuda")

    def resize(width: int, height: int) -> None:
        before = table.root.evaluate("(root) => root.clientWidth")
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(RESIZED, arg=[table.number, before])

    def nothing_is_cut_off(what: str) -> None:
        help_button.click()
        table.root.evaluate("(root) => root.scrollIntoView()")
        assert table.root.evaluate(FAULTS) == [], what
        help_button.click()
        each_stack_can_be_taken(table)

    for name, style in (("large", LARGE), ("wide", WIDE)):
        tag = page.add_style_tag(content=style)
        nothing_is_cut_off(f"{name} text")
        tag.evaluate("(tag) => tag.remove()")
    resize(640, 450)
    nothing_is_cut_off("200 %")
    notebook.command("application:toggle-left-area")
    resize(639, 450)
    nothing_is_cut_off("200 %, no side bar")
    resize(320, 512)
    nothing_is_cut_off("320 pixels")


FOCUSED = "() => Number(document.activeElement.dataset.stack)"
LEFT_EDGES = """
(root) => {
  const { left } = root.getBoundingClientRect();
  return [...root.querySelectorAll('.soluna-name, .soluna-round, .soluna-stars, .soluna-status, .soluna-hit, button')]
    .filter((part) => part.getClientRects().length > 0)
    .map((part) => Math.round(part.getBoundingClientRect().left - left));
}
"""


def test_a_page_that_runs_from_right_to_left_does_not_mirror_the_table(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook(table_cell(seed=7, opener=0, players=("עדה", "Zoë")))
    page, table = notebook.page, notebook.table()
    notebook.spoiled = True

    def seen() -> tuple[list[int], list[int]]:
        """The stacks from left to right as ArrowRight leads through them, and where everything lies at the table."""
        table.stack(leftmost).focus()
        way = [leftmost]
        while True:
            page.keyboard.press("ArrowRight")
            if page.evaluate(FOCUSED) == way[-1]:
                return way, table.root.evaluate(LEFT_EDGES)
            way.append(page.evaluate(FOCUSED))

    places = {number: x for _, number, _, x, _ in table.root.locator(".soluna-table").evaluate(PLACES)}
    leftmost = min(places, key=lambda number: places[number])
    way, edges = seen()
    assert [places[number] for number in way] == sorted(places[number] for number in way)
    assert len(way) > 2
    page.evaluate("() => { document.documentElement.dir = 'rtl'; document.body.dir = 'rtl'; }")
    expect(table.root.locator("xpath=..")).to_have_css("direction", "rtl")
    assert seen() == (way, edges)
