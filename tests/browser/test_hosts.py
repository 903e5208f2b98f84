"""Every host that can be had here: each shows the table, lets one play at it, and says when nobody answers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.harness import Lab, Notebook, OpenNotebook, Table, listening, table_cell
from tests.browser.hosts import Marimo, Network, Notebook7, Voila, export

CELL = table_cell(seed=7, opener=0)

# JupyterLab hides a cell that is out of sight, or leaves it without a height if it holds what others might refer to.
PUT_AWAY = """
() => {
  const { display, opacity } = document.querySelector('.soluna').closest('.jp-Cell').style;
  return display === 'none' || opacity === '0';
}
"""


def a_move(table: Table) -> tuple[int, int]:
    move = table.legal_move()
    assert move is not None
    return move


def move_by_keys(table: Table, mover: int, target: int) -> None:
    with table.answered():
        for number in (mover, target):
            table.stack(number).focus()
            table.page.keyboard.press("Enter")


# ---- JupyterLab ---------------------------------------------------------------------------------------------------


def test_a_table_that_was_scrolled_away_comes_back_as_it_is_now(open_notebook: OpenNotebook, lab: Lab) -> None:
    """With windowed scrolling JupyterLab puts cells away that are out of sight."""
    lab.setting("@jupyterlab/notebook-extension", "tracker", {"windowingMode": "full"})
    below = ["\n".join(f"# line {line}" for line in range(60))] * 8
    notebook = open_notebook(CELL, *below, fresh=True)
    page = notebook.page

    def scroll_to(cell: int) -> None:
        page.evaluate("(cell) => jupyterapp.shell.currentWidget.content.scrollToItem(cell, 'start')", cell)

    scroll_to(0)
    table = notebook.table()
    mover, _ = a_move(table)
    table.click_stack(mover)
    expect(table.stack(mover)).to_have_attribute("aria-pressed", "true")
    for ply in (1, 3):
        scroll_to(len(below))
        page.wait_for_function(PUT_AWAY)
        notebook.kernel.run("w.play(w.match.moves()[0])")
        scroll_to(0)
        page.wait_for_function(f"() => !({PUT_AWAY})()")
        expect(table.root).to_be_visible()
        assert page.locator(".soluna").count() == 1
        expect(table.root).to_have_attribute("data-revision", str(ply))
        table.agrees_with(notebook.kernel)
        serial = table.serial
        table.move(*a_move(table))
        assert table.serial == serial + 1, "one table asks, once"
        assert notebook.kernel.eval("w.match.ply") == ply + 1
    table.agrees_with(notebook.kernel)


def test_an_output_view_is_a_whole_table_and_can_be_closed(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook(CELL)
    first, second = notebook.table(), notebook.second_view()
    serial = first.serial
    move_by_keys(second, *a_move(second))
    first.settle(serial)
    assert first.stacks() == second.stacks()
    notebook.page.evaluate(
        "() => [...jupyterapp.shell.widgets('main')].find((shown) => shown.context === undefined).dispose()"
    )
    expect(notebook.page.locator(".soluna")).to_have_count(1)
    first.move(*a_move(first))
    first.agrees_with(notebook.kernel)
    assert notebook.kernel.eval("w.match.ply") == 2


def test_tables_in_a_tab_an_accordion_and_a_box(open_notebook: OpenNotebook) -> None:
    """Drawn while they are hidden, and sized when they are shown."""
    notebook = open_notebook(
        "from ipywidgets import HTML, Accordion, IntSlider, Tab, VBox\n" + CELL.removesuffix("\nw"),
        "Tab([HTML('nothing here'), w], titles=['Words', 'Table'], layout={'width': '420px'})",
        "Accordion([w], titles=['A table'])",
        "VBox([IntSlider(), w, HTML('below')])",
    )
    page = notebook.page
    tab, accordion, box = (Table(page, number) for number in range(3))
    box.wait()
    for hidden in (tab, accordion):
        expect(hidden.root).to_be_hidden()
        assert hidden.stacks() == box.stacks()
    page.locator(".lm-TabBar-tab").get_by_text("Table", exact=True).click()
    page.locator(".jupyter-widget-Collapse-header").click()
    for table, upright in ((tab, True), (accordion, False), (box, False)):
        table.wait()
        # Where it is narrow it stands on end, which it can only know once it is shown.
        ratio = "(svg) => svg.viewBox.baseVal.height / svg.viewBox.baseVal.width"
        page.wait_for_function(
            f"([number, upright]) => (({ratio})(document.querySelectorAll('.soluna-table')[number]) > 1) === upright",
            arg=[table.number, upright],
        )
        shape = table.root.locator(".soluna-table").bounding_box()
        assert shape is not None
        assert shape["width"] > (300 if upright else 600)
        serials = {other: other.serial for other in (tab, accordion, box)}
        table.move(*a_move(table))
        for other, serial in serials.items():
            other.settle(serial)
            other.agrees_with(notebook.kernel)
    assert notebook.kernel.eval("w.match.ply") == 3


# ---- other servers ------------------------------------------------------------------------------------------------


@pytest.fixture
def other_page(context: BrowserContext, complaints: list[str]) -> Iterator[Page]:
    """A page for a host that is not JupyterLab, with nothing of the network but this machine."""
    page = context.new_page()
    page.set_viewport_size({"width": 1100, "height": 900})
    page.on("dialog", lambda dialog: dialog.accept())
    # Voila and marimo ask for fonts from elsewhere; without them they do as well.
    page.route(re.compile(r"^https?://(?!127\.0\.0\.1)"), lambda route: route.abort())
    with listening(page, complaints):
        yield page
    page.close()


def test_notebook_7(other_page: Page, tmp_path_factory: pytest.TempPathFactory) -> None:
    server = Notebook7(tmp_path_factory.mktemp("notebook7"))
    try:
        server.write("table.ipynb", [CELL])
        notebook = Notebook(other_page, server, "table.ipynb", fresh=True)
        try:
            notebook.run_all()
            table = notebook.table()
            assert table.play_round() > 5
            table.agrees_with(notebook.kernel)
            table.press("Next round")
            table.agrees_with(notebook.kernel)
            notebook.theme("dark")
            expect(table.root).to_have_class(re.compile(r"\bsoluna-dark\b"))
        finally:
            notebook.close()
    finally:
        server.close()


def test_voila(other_page: Page, tmp_path: Path) -> None:
    server = Voila(tmp_path)
    try:
        kernel = server.visit(other_page, "table.ipynb", [CELL])
        table = Table(other_page)
        table.wait()
        for _ in range(3):
            table.move(*a_move(table))
        table.press("Undo")
        table.agrees_with(kernel)
        assert kernel.eval("w.match.ply") == 2
        kernel.close()
    finally:
        server.close()


APP = """
import marimo

app = marimo.App()


@app.cell
def _():
    import marimo as mo

    from soluna_widget import SolunaWidget

    t = mo.ui.anywidget(SolunaWidget(seed=7, opener=0))
    t
    return SolunaWidget, mo, t


@app.cell
def _(mo, t):
    mo.md(f"Position {t.position}. Value {t.value['state']['revision']}, {t.value['state']['phase']}.")
    return


@app.cell
def _(mo, SolunaWidget):
    w = SolunaWidget(seed=7, opener=0, opponent="random")
    told, tell = mo.state(0)
    w.observe(lambda change: tell(change.owner.state["revision"]), "position")
    w
    return (told,)


@app.cell
def _(mo, told):
    mo.md(f"Told of revision {told()}.")
    return


if __name__ == "__main__":
    app.run()
"""


def test_marimo(other_page: Page, tmp_path: Path) -> None:
    """A cell that reads the table, by its traits or by `.value`, runs again after each click; `mo.state` and `observe`
    bring a cell what the computer does too."""
    server = Marimo(tmp_path, APP)
    try:
        other_page.goto(server.url)
        table = Table(other_page)
        table.wait()
        reader = other_page.get_by_text("Position")
        seen = {reader.inner_text()}
        for revision in (1, 2):
            table.move(*a_move(table))
            assert table.revision == revision
            expect(reader).to_contain_text(f"Value {revision}, playing.")
            seen.add(reader.inner_text())
        assert len(seen) == 3, "the position follows too"
        against = Table(other_page, 1)
        against.wait()
        against.move(*a_move(against))
        expect(other_page.get_by_text("Told of revision 2.")).to_be_visible()
        expect(against.root).to_have_attribute("data-revision", "2")
    finally:
        server.close()


# ---- a page that was exported -------------------------------------------------------------------------------------


def test_an_exported_page(other_page: Page, tmp_path: Path) -> None:
    """It shows the match, says that no kernel answers, and pretends nothing."""
    network = Network(tmp_path)
    file = export(tmp_path, [f"{CELL.removesuffix('w')}for _ in range(3):\n    w.play(w.match.moves()[0])\nw"])
    other_page.unroute_all()
    other_page.route("**/*", network.serve)
    other_page.goto(file.as_uri())
    table = Table(other_page)
    table.root.wait_for()
    before = table.stacks()
    mover, target = a_move(table)
    table.click_stack(mover)
    table.click_stack(target)
    table.wait()
    assert table.data("kernel") == "none"
    words = table.root.locator(".soluna-words")
    expect(words).to_contain_text("Nobody answers")
    table.click_stack(target)
    expect(words).to_contain_text("No kernel answers")
    assert (table.data("busy"), table.stacks(), table.root.locator(".soluna-flight").count()) == ("false", before, 0)
    other_page.keyboard.press("Escape")
    expect(words).to_contain_text("No kernel answers")

    table.button("Replay").click()
    shown = [table.data("replay")]
    for step in ("back", "back", "back", "forward"):
        table.button(f"One move {step}").click()
        shown.append(table.data("replay"))
    assert shown == ["1.3", "1.2", "1.1", "1.0", "1.1"]
    expect(table.root.locator(".soluna-pile")).to_have_count(11)
    table.button("Back to the table").click()
    expect(table.root.locator(".soluna-pile")).to_have_count(len(before))
