"""A real JupyterLab, driven as a person drives it: the server, a page with a notebook, its kernel, the table in it.

Nothing here sleeps or tries again: each wait is for something that the page or the kernel says.
"""

from __future__ import annotations

import ast
import json
import re
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, TypeVar

from jupyter_client.blocking.client import BlockingKernelClient
from playwright.sync_api import ConsoleMessage, Error, Locator, Page

from tests.browser.server import PATIENCE, Server

T = TypeVar("T")


def write_notebook(file: Path, cells: Sequence[str]) -> None:
    """Write a notebook of these code cells."""
    code: dict[str, Any] = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": []}
    notebook = {
        "cells": [{**code, "id": f"cell-{number}", "source": cell} for number, cell in enumerate(cells)],
        "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    file.write_text(json.dumps(notebook), encoding="utf-8")


# ---- the server ---------------------------------------------------------------------------------------------------


class Lab(Server):
    """A JupyterLab server.

    Args:
        folder: Where its folders go.
    """

    program = "jupyterlab"

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        # Otherwise a first visit is asked whether it wants news.
        news = self.settings / "@jupyterlab/apputils-extension/notification.jupyterlab-settings"
        news.parent.mkdir(parents=True)
        news.write_text(json.dumps({"fetchNews": "false", "checkForUpdates": False}), encoding="utf-8")
        self._kept = {news}
        words = ["--no-browser", "--allow-root", "--ip=127.0.0.1", f"--port={self.port}", "--ServerApp.port_retries=0"]
        words += ["--IdentityProvider.token=", "--expose-app-in-browser", f"--ServerApp.root_dir={self.root}"]
        self.start(self.program, *words)

    def address(self, name: str) -> str:
        """The page of a notebook, with nothing else open."""
        return f"{self.url}/lab/tree/{name}?reset"

    def write(self, name: str, cells: Sequence[str]) -> None:
        """Write a notebook of these code cells."""
        write_notebook(self.root / name, cells)

    def setting(self, package: str, plugin: str, values: dict[str, object]) -> None:
        """Choose a setting as the settings editor does, for one test."""
        file = self.settings / package / f"{plugin}.jupyterlab-settings"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(values), encoding="utf-8")

    def forget_settings(self) -> None:
        """Undo what a test has chosen, its theme say."""
        for file in self.settings.rglob("*.jupyterlab-settings"):
            if file not in self._kept:
                file.unlink()


# ---- the kernel ---------------------------------------------------------------------------------------------------


class Kernel:
    """A second line to a notebook's kernel, beside the page's: what Python itself says, whatever the page believes.

    Its client works in a thread of its own, because Playwright keeps an event loop in the test's.
    """

    def __init__(self, connection_file: Path) -> None:
        self._file = connection_file
        self._thread = ThreadPoolExecutor(1, "kernel")
        self._client: BlockingKernelClient | None = None
        self.reconnect()

    def _do(self, work: Callable[[BlockingKernelClient], T]) -> T:
        client = self._client
        assert client is not None
        return self._thread.submit(work, client).result()

    def reconnect(self) -> None:
        """After a restart of the kernel."""

        def connect() -> BlockingKernelClient:
            if self._client is not None:
                self._client.stop_channels()
            client = BlockingKernelClient(connection_file=str(self._file))
            client.load_connection_file()
            client.start_channels()
            client.wait_for_ready(timeout=PATIENCE)
            return client

        self._client = self._thread.submit(connect).result()

    def _ask(self, code: str, expressions: dict[str, str]) -> Callable[[BlockingKernelClient], dict[str, Any]]:
        def ask(client: BlockingKernelClient) -> dict[str, Any]:
            client.execute(code, silent=True, store_history=False, user_expressions=expressions)
            return self._reply(client)

        return ask

    @staticmethod
    def _reply(client: BlockingKernelClient) -> dict[str, Any]:
        content: dict[str, Any] = client.get_shell_msg(timeout=PATIENCE)["content"]
        for part in (content, *content.get("user_expressions", {}).values()):
            if part["status"] != "ok":
                raise KernelError(part.get("ename", part["status"]), "\n".join(part.get("traceback", [])))
        return content

    def run(self, code: str) -> None:
        """Run code in the kernel.

        Raises:
            KernelError: If the code raises.
        """
        self._do(self._ask(code, {}))

    def eval(self, expression: str) -> Any:
        """The value of an expression, which must be a plain Python literal.

        Raises:
            KernelError: If the expression raises.
        """
        content = self._do(self._ask("", {"value": f"__import__('builtins').repr({expression})"}))
        # The kernel shows the text that repr made: a literal of a literal.
        return ast.literal_eval(ast.literal_eval(content["user_expressions"]["value"]["data"]["text/plain"]))

    @contextmanager
    def busy(self, folder: Path) -> Iterator[None]:
        """Keep the kernel at work for as long as the block lasts."""
        begun, end = folder / "begun", folder / "end"
        code = (
            f"import pathlib, time\npathlib.Path({str(begun)!r}).touch()\n"
            f"while not pathlib.Path({str(end)!r}).exists(): time.sleep(0.01)"
        )

        def send(client: BlockingKernelClient) -> None:
            client.execute(code, silent=True, store_history=False)

        self._do(send)
        until = time.monotonic() + PATIENCE
        while not begun.exists():
            assert time.monotonic() < until, "the kernel did not begin to work"
            time.sleep(0.01)
        try:
            yield
        finally:
            end.touch()
            self._do(self._reply)
            begun.unlink()
            end.unlink()

    def close(self) -> None:
        self._do(lambda client: client.stop_channels())
        self._thread.shutdown()


class KernelError(Exception):
    """What the kernel was asked to do raised there."""


# ---- the page -----------------------------------------------------------------------------------------------------

_IDLE = """
(name) => {
  // Not the current widget: after a reload another view may have come to the front.
  const shown = [...(window.jupyterapp?.shell.widgets('main') ?? [])].find((widget) => widget.context?.path === name);
  if (shown?.sessionContext?.session?.kernel?.status !== 'idle') return false;
  jupyterapp.shell.activateById(shown.id);
  return jupyterapp.shell.currentWidget === shown;
}
"""
_CLOSE_ALL = """
async () => {
  for (const shown of [...jupyterapp.shell.widgets('main')]) {
    // Otherwise it asks whether to save.
    if (shown.context) shown.context.model.dirty = false;
    shown.dispose();
  }
  await jupyterapp.serviceManager.sessions.shutdownAll();
}
"""
_ERRORS = """
() => [...jupyterapp.shell.currentWidget.content.model.cells].flatMap((cell) =>
  (cell.toJSON().outputs ?? []).filter((output) => output.output_type === 'error').map((output) =>
    output.traceback.join('\\n')))
"""


@contextmanager
def listening(page: Page, heard: list[str]) -> Iterator[None]:
    """Note what goes wrong in a page on our side: JupyterLab's own complaints are not ours to mend."""

    def error(error: Error) -> None:
        text = f"{error.message}\n{error.stack or ''}"
        # anywidget imports a widget's JavaScript from a blob, marimo from a file of its own.
        if re.search("blob:|anywidget|/@file/", text):
            heard.append(text)

    def console(message: ConsoleMessage) -> None:
        ours = re.search("^blob:|/@file/", message.location.get("url", ""))
        # JupyterLab warns of a slow start and names the plugin that it waited for.
        about_us = message.type == "error" and "anywidget" in message.text
        if about_us or (ours and message.type in ("error", "warning", "assert")):
            heard.append(f"console.{message.type}: {message.text}")

    page.on("pageerror", error)
    page.on("console", console)
    try:
        yield
    finally:
        page.remove_listener("pageerror", error)
        page.remove_listener("console", console)


class Notebook:
    """A notebook open in a page of JupyterLab.

    Args:
        page: The page; if JupyterLab is in it already, the notebook is opened there, as by a double click on its name.
        lab: The server.
        name: The notebook's file.
        fresh: Load JupyterLab anew in any case.
    """

    def __init__(self, page: Page, lab: Lab, name: str, fresh: bool = False) -> None:
        self.page = page
        self.lab = lab
        self.name = name
        self.spoiled = fresh
        """Whether JupyterLab itself was changed: a test after this one must load it anew."""
        if fresh or not page.url.startswith(lab.url):
            page.goto(lab.address(name))
        else:
            self._execute("docmanager:open", path=name, factory="Notebook")
        self.wait_until_idle()
        number = page.evaluate("() => jupyterapp.shell.currentWidget.sessionContext.session.kernel.id")
        self.kernel = Kernel(lab.runtime / f"kernel-{number}.json")

    def wait_until_idle(self) -> None:
        self.page.wait_for_function(_IDLE, arg=self.name)

    def _execute(self, command: str, **arguments: Any) -> None:
        # What the command returns is a widget, which cannot leave the page.
        self.page.evaluate(
            "async ([command, args]) => { await jupyterapp.commands.execute(command, args); }", [command, arguments]
        )

    def command(self, command: str, **arguments: Any) -> None:
        """Do what a menu entry of JupyterLab does, and wait until it is done."""
        self.spoiled = True
        self._execute(command, **arguments)

    def run_all(self) -> None:
        """Run every cell.

        Raises:
            AssertionError: If one raises: its traceback.
        """
        self._execute("notebook:run-all-cells")
        errors = self.page.evaluate(_ERRORS)
        assert not errors, "\n\n".join(re.sub(r"\x1b\[[0-9;]*m", "", error) for error in errors)

    def save(self) -> None:
        self._execute("docmanager:save")

    def reload(self) -> None:
        """Save the notebook and load the page again, as F5 does: the kernel goes on."""
        self.spoiled = True
        self.save()
        self.page.reload()
        self.wait_until_idle()

    def restart_kernel(self) -> None:
        self.page.evaluate("async () => { await jupyterapp.shell.currentWidget.sessionContext.restartKernel(); }")
        self.wait_until_idle()
        self.kernel.reconnect()

    def theme(self, theme: Literal["light", "dark"]) -> None:
        self.command("apputils:change-theme", theme=f"JupyterLab {theme.title()}")
        self.page.wait_for_function(
            "(light) => document.body.dataset.jpThemeLight === light", arg=str(theme == "light").lower()
        )
        # JupyterLab covers the page while it changes.
        self.page.locator("#jupyterlab-splash").wait_for(state="detached")

    def second_view(self) -> Table:
        """Show the first cell's output a second time, beside the notebook: "Create New View for Cell Output"."""
        before = self.page.locator(".soluna").count()
        self.page.evaluate("() => { jupyterapp.shell.currentWidget.content.activeCellIndex = 0; }")
        self.command("notebook:create-output-view")
        return self.table(before)

    def table(self, number: int = 0) -> Table:
        """The page's table with this number, from 0, once it is drawn and knows whether a kernel answers it.

        Before that it may still ask: Python's answer is one more state, and would come in between what a test does.
        """
        table = Table(self.page, number)
        table.wait()
        return table

    def close(self) -> None:
        """Close everything that is open in the page, and end its kernels."""
        self.kernel.close()
        self.page.evaluate(_CLOSE_ALL)


OpenNotebook = Callable[..., Notebook]


def table_cell(**arguments: object) -> str:
    """A cell that puts a table `w` into the notebook."""
    told = ", ".join(f"{name}={value!r}" for name, value in arguments.items())
    return f"from soluna_widget import SolunaWidget\n\nw = SolunaWidget({told})\nw"


# ---- the table ----------------------------------------------------------------------------------------------------

# Some hosts put a widget into a shadow tree, which no selector of the page looks into.
_DATA = """
(number) => {
  const within = (place) => {
    const found = [...place.querySelectorAll('.soluna')];
    if (found.length > 0) return found;
    return [...place.querySelectorAll('*')].flatMap(({ shadowRoot }) => (shadowRoot ? within(shadowRoot) : []));
  };
  return within(document)[number]?.dataset;
}
"""
_KNOWS = f"(number) => ['alive', 'none'].includes(({_DATA})(number)?.kernel)"
_SETTLED = f"""
([number, serial]) => {{
  const data = ({_DATA})(number);
  return data !== undefined && Number(data.serial) > serial && data.busy === 'false';
}}
"""
_STACKS = """
(root) => [...root.querySelectorAll('[data-stack]')].map((stack) =>
  [Number(stack.dataset.stack), stack.dataset.top, Number(stack.dataset.height)])
"""


class Table:
    """A table as a person sees it: what it says of itself, and clicks."""

    def __init__(self, page: Page, number: int = 0) -> None:
        self.page = page
        self.number = number
        self.root: Locator = page.locator(".soluna").nth(number)

    def wait(self) -> None:
        """Wait until it is drawn and knows whether a kernel answers it."""
        self.root.wait_for()
        self.page.wait_for_function(_KNOWS, arg=self.number)

    def data(self, name: str) -> str:
        """What the root says under `data-name`."""
        value = self.root.get_attribute(f"data-{name}")
        assert value is not None, f"the table has no data-{name}"
        return value

    @property
    def serial(self) -> int:
        return int(self.data("serial"))

    @property
    def revision(self) -> int:
        return int(self.data("revision"))

    @property
    def phase(self) -> str:
        return self.data("phase")

    @property
    def turn(self) -> int:
        return int(self.data("turn"))

    def stacks(self) -> dict[int, tuple[str, int]]:
        """Top and height of each stack, by its id."""
        return {number: (top, height) for number, top, height in self.root.evaluate(_STACKS)}

    def position(self) -> list[tuple[str, int]]:
        return sorted(self.stacks().values())

    def legal_move(self) -> tuple[int, int] | None:
        """A move that the rules allow, judged by eye: some two stacks that agree in top or height."""
        stacks = sorted(self.stacks().items())
        for number, (top, height) in stacks:
            for other, (other_top, other_height) in stacks:
                if number != other and (top == other_top or height == other_height):
                    return number, other
        return None

    def stack(self, number: int) -> Locator:
        return self.root.locator(f'[data-stack="{number}"]')

    def button(self, name: str) -> Locator:
        return self.root.get_by_role("button", name=name, exact=True)

    def settle(self, serial: int) -> None:
        """Wait until the table shows something newer than `serial`, and no answer is due."""
        self.page.wait_for_function(_SETTLED, arg=[self.number, serial])

    @contextmanager
    def answered(self) -> Iterator[None]:
        """Wait, after the block, until what it did at the table is answered."""
        serial = self.serial
        yield
        self.settle(serial)

    def click_stack(self, number: int) -> None:
        self.stack(number).click()

    def move(self, mover: int, target: int) -> None:
        """Click one stack, then another, and wait for the answer."""
        with self.answered():
            self.click_stack(mover)
            self.click_stack(target)

    def press(self, name: str) -> None:
        """Press a button, and wait for the answer."""
        with self.answered():
            self.button(name).click()

    def status(self) -> str:
        """All that the table says in words below itself."""
        return self.root.locator(".soluna-words").inner_text()

    def play_round(self) -> int:
        """Play on, by clicks, until somebody cannot move; how many moves that took."""
        moves = 0
        while self.phase == "playing":
            move = self.legal_move()
            assert move is not None, f"nobody can move, and the table does not say so: {self.stacks()}"
            self.move(*move)
            moves += 1
        return moves

    def agrees_with(self, kernel: Kernel) -> None:
        """Check all that the table says of itself against Python's own word."""
        state = kernel.eval("__import__('json').loads(__import__('json').dumps(w.state))")
        assert self.stacks() == {stack["id"]: (stack["discs"][-1], len(stack["discs"])) for stack in state["stacks"]}
        said = {name: self.data(name) for name in ("serial", "revision", "phase", "turn", "busy")}
        assert said == {**{name: str(state[name]) for name in ("serial", "revision", "phase", "turn")}, "busy": "false"}
