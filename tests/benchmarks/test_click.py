"""How long a click takes at the table, against the smallest anywidget there can be, in the same page and kernel.

Both are measured in the page, from the click's event to the change of the page that answers it, and in turn, so that a
slow moment of the machine meets both.
"""

from __future__ import annotations

import math
import statistics

from playwright.sync_api import Page

from tests.benchmarks.conftest import Report
from tests.browser.harness import OpenNotebook, Table

CLICKS = 60

COUNTER = """
import anywidget, traitlets

class Counter(anywidget.AnyWidget):
    _esm = '''
    export default { render({ model, el }) {
      const button = document.createElement("button");
      button.className = "bare-counter";
      const draw = () => { button.textContent = button.dataset.count = String(model.get("answer")); };
      button.addEventListener("click", () => { model.set("request", model.get("request") + 1); model.save_changes(); });
      model.on("change:answer", draw);
      draw();
      el.append(button);
    } };
    '''
    request = traitlets.Int(0).tag(sync=True, echo_update=False)
    answer = traitlets.Int(0).tag(sync=True)

    @traitlets.observe("request")
    def _count(self, change):
        self.answer = change.new

counter = Counter()
counter
"""

TABLE = "from soluna_widget import SolunaWidget\nw = SolunaWidget(seed=1, opener=0)\nw"

# Milliseconds from the next click's event to the moment at which the page's `selector` carries another `attribute`.
CLOCK = """
([selector, attribute]) => new Promise((resolve) => {
  const element = document.querySelector(selector);
  const before = element.getAttribute(attribute);
  let begun = NaN;
  document.addEventListener("click", () => { begun = performance.now(); }, { capture: true, once: true });
  const seen = new MutationObserver(() => {
    if (element.getAttribute(attribute) === before || Number.isNaN(begun)) return;
    seen.disconnect();
    resolve(performance.now() - begun);
  });
  seen.observe(element, { attributes: true, attributeFilter: [attribute] });
})
"""

# Milliseconds from the next click's event to the frame after the first change anywhere in the table.
FIRST_ANSWER = """
(selector) => new Promise((resolve) => {
  const element = document.querySelector(selector);
  let begun = NaN;
  document.addEventListener("click", () => { begun = performance.now(); }, { capture: true, once: true });
  const seen = new MutationObserver(() => {
    if (Number.isNaN(begun)) return;
    seen.disconnect();
    requestAnimationFrame(() => resolve(performance.now() - begun));
  });
  seen.observe(element, { attributes: true, childList: true, characterData: true, subtree: true });
})
"""


def p95(values: list[float]) -> float:
    return sorted(values)[math.ceil(0.95 * len(values)) - 1]


def clocked(page: Page, script: str, argument: object, selector: str) -> float:
    """Start the clock in the page, click, and read it."""
    page.evaluate("([script, argument]) => { window.clock = eval(script)(argument); }", [script, argument])
    page.locator(selector).click()
    value: float = page.evaluate("() => window.clock")
    return value


def next_move(table: Table) -> tuple[int, int]:
    """A legal move, beginning another round or match where this one is over."""
    while (move := table.legal_move()) is None:
        table.press("Next round" if table.phase == "round_over" else "New match")
    return move


def test_click_to_confirmed_redraw_against_a_bare_counter(open_notebook: OpenNotebook, report: Report) -> None:
    notebook = open_notebook(COUNTER, TABLE)
    page, table = notebook.page, notebook.table()
    bare, ours = [], []
    for _ in range(CLICKS):
        bare.append(clocked(page, CLOCK, [".bare-counter", "data-count"], ".bare-counter"))
        mover, target = next_move(table)
        table.click_stack(mover)
        ours.append(clocked(page, CLOCK, [".soluna", "data-serial"], f'.soluna [data-stack="{target}"]'))
    assert notebook.kernel.eval("counter.answer") == CLICKS
    report("bare counter, click to redraw, median ms", statistics.median(bare), "-")
    report("table, click to confirmed redraw, median ms", statistics.median(ours), "-")
    report("p95 of the table / p95 of the counter", p95(ours) / p95(bare), "1.25")


def test_click_to_first_visible_answer(open_notebook: OpenNotebook, report: Report) -> None:
    notebook = open_notebook(TABLE)
    table = notebook.table()
    times = []
    for _ in range(CLICKS):
        mover, _ = next_move(table)
        times.append(clocked(notebook.page, FIRST_ANSWER, ".soluna", f'.soluna [data-stack="{mover}"]'))
        table.click_stack(mover)  # lets go
    report("click to first visible answer, p95 ms", p95(times), "20")
