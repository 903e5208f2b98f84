"""A browser, a JupyterLab server for all browser tests, and a fresh page for each."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator
from pathlib import Path
from types import ModuleType

import pytest
from playwright.sync_api import BrowserContext, Page, sync_playwright

from tests.browser.harness import Lab, Notebook, OpenNotebook, listening
from tests.browser.server import PATIENCE

ARTIFACTS = Path(os.environ.get("SOLUNA_ARTIFACTS", Path(__file__).resolve().parents[2] / "test-artifacts"))
FLAGS = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def context(task: ModuleType) -> Iterator[BrowserContext]:
    """A Chromium for all tests: one, so that JupyterLab's own code is read only once.

    Without one the tests are skipped at a desk, and fail where CI is set.
    """
    chromium = task.find_chromium() or task.playwrights_chromium()
    if chromium is None:
        reason = "no Chromium: 'python task.py test' finds or gets one"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    with sync_playwright() as playwright:
        # No sandbox: Chromium refuses one to root, and these pages are our own.
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS, chromium_sandbox=False)
        context = browser.new_context()
        context.set_default_timeout(PATIENCE * 1000)
        yield context
        browser.close()


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    lab = Lab(tmp_path_factory.mktemp("lab"))
    yield lab
    lab.close()


@pytest.fixture
def complaints() -> Iterator[list[str]]:
    """What went wrong in the page on our side. It fails the test, unless the test expects it and takes it out."""
    heard: list[str] = []
    yield heard
    assert not heard, "\n\n".join(heard)


@pytest.fixture(scope="session")
def pages() -> list[Page]:
    """The page in which JupyterLab is loaded, while it is as it was when it was loaded."""
    return []


FAILED = pytest.StashKey[bool]()


@pytest.fixture
def page(
    context: BrowserContext, pages: list[Page], complaints: list[str], request: pytest.FixtureRequest
) -> Iterator[Page]:
    """A page with nothing open in it. Loading JupyterLab takes longer than most tests, so they share it if they can."""
    if not pages:
        pages.append(context.new_page())
        pages[0].set_viewport_size({"width": 1280, "height": 900})
        # Otherwise a reload would wait for somebody to say that unsaved changes may go.
        pages[0].on("dialog", lambda dialog: dialog.accept())
    page = pages[0]
    with listening(page, complaints):
        yield page
    if request.node.stash.get(FAILED, False) and pages:
        pages.pop().close()


@pytest.fixture
def open_notebook(page: Page, pages: list[Page], lab: Lab, request: pytest.FixtureRequest) -> Iterator[OpenNotebook]:
    """`open_notebook(*cells)` opens a notebook of these cells and runs it; `fresh=True` loads JupyterLab anew first."""
    opened: list[Notebook] = []

    def open_notebook(*cells: str, fresh: bool = False) -> Notebook:
        name = "".join(letter if letter.isalnum() else "-" for letter in request.node.name) + f"-{len(opened)}.ipynb"
        lab.write(name, cells)
        notebook = Notebook(page, lab, name, fresh)
        opened.append(notebook)
        notebook.run_all()
        return notebook

    yield open_notebook
    for notebook in opened:
        notebook.close()
    if any(notebook.spoiled for notebook in opened):
        pages.pop().close()
        lab.forget_settings()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.failed:
        item.stash[FAILED] = True
    used = getattr(item, "funcargs", {})
    page = used.get("other_page") or used.get("page")
    if report.when == "call" and report.failed and page is not None:
        ARTIFACTS.mkdir(parents=True, exist_ok=True)
        name = "".join(letter if letter.isalnum() else "-" for letter in item.nodeid)
        picture = ARTIFACTS / f"{name[-100:]}.png"
        page.screenshot(path=picture)
        report.sections.append(("what the page looked like", str(picture)))
    return report
