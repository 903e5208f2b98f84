"""The panel for a class without code, in a real JupyterLab."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.harness import OpenNotebook
from tests.browser.server import PATIENCE

LONG = PATIENCE * 1000

CELL = """
from soluna_widget import ExperimentPanel

panel = ExperimentPanel(("greedy", "random"), 60, seed=5)
panel
"""


def test_a_class_runs_an_experiment_stops_one_and_the_notebook_stays_free(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook(CELL)
    page = notebook.page
    status = page.get_by_role("status").filter(has_text=re.compile("Choose|play|won|counts|wait"))
    # The icons before the words are text of a font of pictures, which a name holds, too.
    run, stop = (page.locator("button.widget-button", has_text=word) for word in ("Run", "Stop"))
    expect(status).to_contain_text("Choose two players", timeout=LONG)
    run.click()
    expect(status).to_contain_text("won", timeout=LONG)
    expect(page.get_by_role("img", name=re.compile("exactly it is"))).to_be_visible(timeout=LONG)
    wins = notebook.kernel.eval("int(panel.tournament.pairs.iloc[0].wins)")
    expect(status).to_contain_text(f"Greedy won {wins} of 60 rounds against Random", timeout=LONG)

    page.get_by_label("rounds").fill("100000")
    page.get_by_label("rounds").press("Tab")
    run.click()
    expect(status).to_contain_text("play 100,000 rounds", timeout=LONG)
    # The kernel answers while the players are at it.
    assert notebook.kernel.eval("6 * 7") == 42
    stop.click()
    expect(status).to_contain_text("of 100,000 rounds are missing: interrupted", timeout=LONG)
    expect(run).to_be_enabled(timeout=LONG)
