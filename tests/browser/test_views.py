"""One table, several views; views without a kernel; a kernel without time."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.harness import Lab, OpenNotebook, Table, table_cell

CELL = table_cell(seed=1, opener=0)
SAVE_STATE = "@jupyter-widgets/jupyterlab-manager:saveWidgetState"


def some_move(table: Table) -> tuple[int, int]:
    move = table.legal_move()
    assert move is not None
    return move


def test_a_second_view_stays_alike(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook(CELL)
    first, second = notebook.table(), notebook.second_view()
    assert first.stacks() == second.stacks()
    for here, there in ((first, second), (second, first)):
        serial = there.serial
        here.move(*some_move(here))
        there.settle(serial)
        assert here.stacks() == there.stacks()
        assert here.revision == there.revision
    first.agrees_with(notebook.kernel)
    second.agrees_with(notebook.kernel)


def test_two_views_cannot_move_twice(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook(CELL)
    first, second = notebook.table(), notebook.second_view()
    move = some_move(first)
    with first.answered(), second.answered():
        # Both are asked before either is answered.
        notebook.page.evaluate(
            """(move) => {
              for (const root of document.querySelectorAll('.soluna'))
                for (const number of move)
                  root.querySelector(`[data-stack="${number}"] path:last-child`)
                    .dispatchEvent(new MouseEvent('click', { bubbles: true }));
            }""",
            list(move),
        )
    assert notebook.kernel.eval("w.match.ply") == 1
    # The two requests may have been merged on their way, and then one view is told only that the table has changed.
    for table in (first, second):
        expect(table.root).to_have_attribute("data-busy", "false")
        table.agrees_with(notebook.kernel)


def test_a_double_click_moves_once(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook(CELL)
    table = notebook.table()
    mover, target = some_move(table)
    table.click_stack(mover)
    with table.answered():
        table.stack(target).dblclick()
    assert notebook.kernel.eval("w.match.ply") == 1
    table.move(*some_move(table))
    with table.answered():
        table.button("Undo").dblclick()
    assert notebook.kernel.eval("w.match.ply") == 1
    table.agrees_with(notebook.kernel)


def test_a_reloaded_page_shows_the_match_as_it_was(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook(CELL)
    table = notebook.table()
    table.move(*some_move(table))
    before = table.stacks()
    notebook.reload()
    table = notebook.table()
    assert table.stacks() == before
    expect(table.root).to_have_attribute("data-busy", "false")
    table.agrees_with(notebook.kernel)
    table.move(*some_move(table))
    assert notebook.kernel.eval("w.match.ply") == 2


def test_after_a_restart_the_table_says_that_nobody_answers(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook(CELL)
    table = notebook.table()
    table.move(*some_move(table))
    before = table.stacks()
    notebook.restart_kernel()
    for number in some_move(table):
        table.click_stack(number)
    expect(table.root.locator(".soluna-words")).to_contain_text(re.compile("answers"), timeout=15_000)
    # The move that nobody made is taken back.
    assert table.stacks() == before
    notebook.run_all()
    table = notebook.table()
    table.move(*some_move(table))
    assert notebook.kernel.eval("w.match.ply") == 1


def test_a_busy_kernel_is_named_and_nothing_is_lost(open_notebook: OpenNotebook, lab: Lab, tmp_path: Path) -> None:
    # So it is with older kernels, and with those of other languages: one thing at a time.
    lab.setting("@jupyterlab/apputils-extension", "kernels-settings", {"commsOverSubshells": "disabled"})
    notebook = open_notebook(CELL, fresh=True)
    table = notebook.table()
    mover, target = some_move(table)
    with table.answered(), notebook.kernel.busy(tmp_path):
        table.click_stack(mover)
        table.click_stack(target)
        assert table.data("busy") == "true"
        expect(table.root.locator(".soluna-words")).to_contain_text("kernel is busy")
        # More clicks meanwhile ask for nothing.
        table.button("New match").click()
        assert table.data("busy") == "true"
    assert notebook.kernel.eval("(w.match.ply, w.match.round)") == (1, 1)
    table.agrees_with(notebook.kernel)


def test_the_table_answers_while_a_cell_runs(open_notebook: OpenNotebook, tmp_path: Path) -> None:
    """Newer kernels hear clicks in a thread beside the cell's."""
    notebook = open_notebook(CELL)
    table = notebook.table()
    if not notebook.page.evaluate(
        "() => jupyterapp.shell.currentWidget.sessionContext.session.kernel.supportsSubshells"
    ):
        pytest.skip("this kernel does one thing at a time")
    # That thread begins with the first message.
    table.move(*some_move(table))
    with notebook.kernel.busy(tmp_path):
        table.move(*some_move(table))
        table.press("Undo")
        table.press("Redo")
    assert notebook.kernel.eval("w.match.ply") == 2
    table.agrees_with(notebook.kernel)


def test_case_22_a_saved_table_without_a_kernel(open_notebook: OpenNotebook, lab: Lab) -> None:
    """widgetti/ipyreact#40: saved with widget state, it shows the table as it was, and says that no kernel answers."""
    lab.setting("@jupyter-widgets/jupyterlab-manager", "plugin", {"saveState": True})
    notebook = open_notebook(CELL, fresh=True)
    table = notebook.table()
    table.move(*some_move(table))
    before = table.stacks()
    # The setting may reach the page after the notebook: without it nothing is saved.
    notebook.page.wait_for_function(f"() => jupyterapp.commands.isToggled('{SAVE_STATE}')")
    notebook.save()
    notebook.restart_kernel()
    notebook.page.reload()
    notebook.wait_until_idle()
    table = notebook.table()
    assert table.stacks() == before
    expect(table.root.locator(".soluna-words")).to_contain_text("No kernel answers", timeout=15_000)
    # Nor does it pretend to move.
    for number in some_move(table):
        table.click_stack(number)
    assert (table.data("kernel"), table.data("busy"), table.stacks()) == ("none", "false", before)
    assert table.root.locator(".soluna-flight").count() == 0


def test_case_14_what_a_callback_prints(open_notebook: OpenNotebook) -> None:
    """ipywidgets#2380: it appears where the notebook says: in an Output of its own, else in JupyterLab's log."""
    notebook = open_notebook(
        CELL,
        "from ipywidgets import Output\n\nlog = Output()\n\n@log.capture()\ndef report(change):\n"
        "    print('kept:', change.name)\n\nw.observe(report, 'position')\nlog",
        "w.observe(lambda change: print('loose:', change.name), 'position')",
    )
    table = notebook.table()
    notebook.command("logconsole:open")
    table.move(*some_move(table))
    expect(notebook.page.locator(".jp-OutputArea").get_by_text("kept: position").first).to_be_visible()
    expect(notebook.page.locator(".jp-LogConsolePanel").get_by_text("loose: position")).to_be_visible()
