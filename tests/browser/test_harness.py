"""The harness itself, on the smallest widget there is: a button that counts its clicks."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.harness import KernelError, OpenNotebook

COUNTER = """
import anywidget, traitlets

class Counter(anywidget.AnyWidget):
    _esm = '''
    export default {
      render({ model, el }) {
        const root = document.createElement("div");
        const draw = () => Object.assign(root.dataset, { serial: model.get("count"), busy: "false", kernel: "alive" });
        const button = document.createElement("button");
        button.textContent = "Count";
        button.onclick = () => {
          if (model.get("fault")) throw new Error("counted too far");
          root.dataset.busy = "true";
          model.set("request", Math.random());
          model.save_changes();
        };
        root.className = "soluna";
        root.append(button);
        el.append(root);
        model.on("change:count", draw);
        draw();
      },
    };
    '''
    count = traitlets.Int(0).tag(sync=True)
    request = traitlets.Any().tag(sync=True)
    fault = traitlets.Bool(False).tag(sync=True)

    @traitlets.observe("request")
    def _requested(self, change):
        self.count += 1

w = Counter()
w
"""


def test_a_click_reaches_python_and_python_reaches_the_page(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook(COUNTER)
    table = notebook.table()
    assert table.serial == 0
    table.press("Count")
    assert table.serial == 1
    assert notebook.kernel.eval("w.count") == 1
    with table.answered():
        notebook.kernel.run("w.count = 41")
    table.press("Count")
    assert notebook.kernel.eval("[w.count, str(w.count)]") == [42, "42"]


def test_what_raises_in_the_kernel_raises_here(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook("")
    with pytest.raises(KernelError, match="ZeroDivisionError"):
        notebook.kernel.eval("1 / 0")
    with pytest.raises(AssertionError, match="no such thing"):
        open_notebook("raise ValueError('no such thing')")


def test_a_reload_and_a_second_view_show_the_same_model(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook(COUNTER)
    notebook.table().press("Count")
    notebook.reload()
    first, second = notebook.table(), notebook.second_view()
    assert (first.serial, second.serial) == (1, 1)
    first.press("Count")
    second.settle(1)
    second.press("Count")
    first.settle(2)
    assert notebook.kernel.eval("w.count") == 3


def test_a_notebook_is_found_again_behind_another_view(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook(COUNTER)
    notebook.second_view()
    notebook.reload()
    notebook.theme("dark")
    notebook.run_all()
    assert notebook.kernel.eval("w.count") == 0


def test_a_busy_kernel_answers_when_it_is_free(open_notebook: OpenNotebook, tmp_path: Path) -> None:
    notebook = open_notebook(COUNTER)
    table = notebook.table()
    with notebook.kernel.busy(tmp_path):
        table.button("Count").click()
        notebook.page.wait_for_function(
            "() => jupyterapp.shell.currentWidget.sessionContext.session.kernel.status === 'busy'"
        )
    table.settle(0)
    assert notebook.kernel.eval("w.count") == 1


def test_a_restarted_kernel_knows_nothing(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook(COUNTER)
    notebook.table()
    notebook.restart_kernel()
    with pytest.raises(KernelError, match="NameError"):
        notebook.kernel.eval("w")
    notebook.run_all()
    notebook.table().press("Count")
    assert notebook.kernel.eval("w.count") == 1


def test_both_themes(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook("1 + 1")
    for theme in ("dark", "light"):
        notebook.theme(theme)
        expect(notebook.page.locator("body")).to_have_attribute("data-jp-theme-name", f"JupyterLab {theme.title()}")


def test_faults_of_a_widget_are_heard(open_notebook: OpenNotebook, complaints: list[str]) -> None:
    notebook = open_notebook(COUNTER)
    table = notebook.table()
    with table.answered():
        notebook.kernel.run("with w.hold_trait_notifications(): w.fault, w.count = True, 1")
    with notebook.page.expect_event("pageerror"):
        table.button("Count").click()
    assert any("counted too far" in complaint for complaint in complaints)
    complaints.clear()
