"""What a person sees, and where a click lands."""

from __future__ import annotations

import re
from typing import Literal

import pytest
from playwright.sync_api import expect

from tests.browser.harness import OpenNotebook, table_cell

# Of each piece of text on the table: its contrast with what lies behind it, by WCAG's formula.
CONTRASTS = """
(root) => {
  const canvas = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d');
  const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = ([r, g, b, a], below) => [r, g, b].map((part, i) => part * a + below[i] * (1 - a)).concat(1);
  const behind = (element) => {
    if (element === null) return [255, 255, 255, 1];
    const colour = rgba(getComputedStyle(element).backgroundColor);
    return colour[3] === 1 ? colour : over(colour, behind(element.parentElement));
  };
  const light = ([r, g, b]) => {
    const part = (v) => ((v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  };
  const contrast = (text, ground) => {
    const [dark, bright] = [light(over(text, ground)), light(ground)].sort((a, b) => a - b);
    return (bright + 0.05) / (dark + 0.05);
  };
  const shown = (element) => element.getClientRects().length > 0 && element.textContent.trim() !== '';
  const result = {};
  for (const kind of ['.soluna-name', '.soluna-round', '.soluna-status', '.soluna-note', 'button:enabled'])
    for (const element of [...root.querySelectorAll(kind)].filter(shown))
      result[`${kind} ${element.textContent}`] = contrast(rgba(getComputedStyle(element).color), behind(element));
  for (const text of root.querySelectorAll('.soluna-badge text')) {
    const ground = rgba(getComputedStyle(text.previousElementSibling).fill);
    result[`badge ${text.textContent}`] = contrast(rgba(getComputedStyle(text).fill), ground);
  }
  return result;
}
"""


def test_case_20_a_theme_opposite_to_the_systems(open_notebook: OpenNotebook) -> None:
    """python-adaptive/adaptive#256: Lab's theme decides, and every text keeps a contrast of 4.5 to 1."""
    notebook = open_notebook(table_cell(seed=1, opener=0))
    table = notebook.table()
    themes: tuple[tuple[Literal["light", "dark"], Literal["light", "dark"]], ...] = (
        ("dark", "light"),
        ("light", "dark"),
    )
    for theme, system in themes:
        notebook.page.emulate_media(color_scheme=system)
        notebook.theme(theme)
        dark = re.compile(r"(^|\s)soluna-dark(\s|$)")
        if theme == "dark":
            expect(table.root).to_have_class(dark)
        else:
            expect(table.root).not_to_have_class(dark)
        contrasts = table.root.evaluate(CONTRASTS)
        assert len(contrasts) >= 5
        assert {text: round(found, 2) for text, found in contrasts.items() if found < 4.5} == {}


@pytest.mark.parametrize(
    "names",
    [
        ('<img src=x onerror="window.pwned = true">', "</span><script>window.pwned = true</script>"),
        ("<b>Bo</b> &amp; &lt;co&gt;", "{{7*7}} ${7*7} \\u003ci\\u003e"),
    ],
    ids=["tags", "entities"],
)
def test_names_full_of_html_are_only_names(open_notebook: OpenNotebook, names: tuple[str, str]) -> None:
    notebook = open_notebook(table_cell(players=names, seed=1, opener=0))
    table = notebook.table()
    assert table.root.locator(".soluna-name").all_text_contents() == list(names)
    table.play_round()
    assert names[table.turn] in table.root.locator(".soluna-words").inner_text()
    assert table.root.locator("img, script, b").count() == 0
    assert notebook.page.evaluate("() => window.pwned === undefined")
    assert notebook.kernel.eval("w.players") == names


def test_case_5_clicks_land_on_what_they_hit(open_notebook: OpenNotebook) -> None:
    """lichess-org/chessground#241: output inserted above, side bar collapsed, zoomed: each click takes its stack."""
    notebook = open_notebook("if 'w' in globals(): print('above\\n' * 12)", table_cell(seed=4, opener=0))
    table, page = notebook.table(), notebook.page

    def each_click_takes_its_stack() -> None:
        for number in table.stacks():
            table.click_stack(number)
            pressed = table.root.locator('[data-stack][aria-pressed="true"]')
            expect(pressed).to_have_count(1)
            expect(pressed).to_have_attribute("data-stack", str(number))
            page.keyboard.press("Escape")
            expect(pressed).to_have_count(0)

    each_click_takes_its_stack()
    page.evaluate("() => { jupyterapp.shell.currentWidget.content.activeCellIndex = 0; }")
    notebook.command("notebook:run-cell")
    each_click_takes_its_stack()
    notebook.command("application:toggle-left-area")
    each_click_takes_its_stack()
    # What a browser's zoom to 125 % does: a smaller page of finer pixels.
    metrics = {"width": 1024, "height": 720, "deviceScaleFactor": 1.25, "mobile": False}
    page.context.new_cdp_session(page).send("Emulation.setDeviceMetricsOverride", metrics)
    page.wait_for_function("() => window.devicePixelRatio === 1.25 && window.innerWidth === 1024")
    each_click_takes_its_stack()
    table.move(*(table.legal_move() or (0, 0)))
    each_click_takes_its_stack()
    assert notebook.kernel.eval("w.match.ply") == 1
