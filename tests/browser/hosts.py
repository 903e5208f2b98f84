"""Where a table is shown besides JupyterLab: other programs that serve notebooks, and a page that is only a file."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Sequence
from pathlib import Path

from jupyter_core.paths import jupyter_path
from playwright.sync_api import Page, Route

from tests.browser.harness import Kernel, Lab, write_notebook
from tests.browser.server import Server, own_environment
from tests.conftest import ROOT


class Notebook7(Lab):
    """A server of Jupyter Notebook 7, whose pages are JupyterLab's, one notebook to a page."""

    program = "notebook"

    def address(self, name: str) -> str:
        return f"{self.url}/notebooks/{name}"


class Voila(Server):
    """A Voila server: it runs a notebook at each visit, and shows what came out of it."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        words = ["--no-browser", "--Voila.ip=127.0.0.1", f"--port={self.port}", "--Voila.port_retries=0"]
        words += [f"--Voila.connection_dir_root={self.runtime}"]
        self.start("voila", *words, str(self.root), answers="/")

    def visit(self, page: Page, name: str, cells: Sequence[str]) -> Kernel:
        """Go to a notebook of these cells, and have a line to its kernel."""
        write_notebook(self.root / name, cells)
        page.goto(f"{self.url}/voila/render/{name}")
        configuration = json.loads(page.locator("#jupyter-config-data").text_content() or "")
        (file,) = self.runtime.rglob(f"kernel-{configuration['kernelId']}.json")
        return Kernel(file)


class Marimo(Server):
    """A marimo server that runs an app.

    Args:
        folder: Where its folders go.
        app: The source of the app.
    """

    def __init__(self, folder: Path, app: str) -> None:
        super().__init__(folder)
        file = self.root / "app.py"
        file.write_text(app, encoding="utf-8")
        words = ["--headless", "--no-token", "--host=127.0.0.1", f"--port={self.port}", str(file)]
        self.start("marimo", "run", *words, answers="/health")


# ---- a page that was exported -------------------------------------------------------------------------------------

MANAGER = "@jupyter-widgets/html-manager"
# In js/package.json these would bring 127 packages that they depend on into every build of the wheel. What is used here
# has all of them bundled in one file.
PACKED = {
    f"{MANAGER}@1.0.15": "2b9d65cb7913e1c7d671757a10008b32c9c2448d4429513371e55c07d6107638",
    "requirejs@2.3.8": "777158e89275e16bd51aec3ef714fbcb5dc45789e7078659933bc814916d7dec",
}


def export(folder: Path, cells: Sequence[str]) -> Path:
    """Run a notebook of these cells and make an HTML page of it, with the state of its widgets."""
    file = folder / "exported.ipynb"
    write_notebook(file, cells)
    words = [sys.executable, "-P", "-m", "nbconvert", "--execute", "--to", "html", str(file)]
    told = subprocess.run(words, env=own_environment(folder), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert told.returncode == 0, told.stdout.decode(errors="replace")
    return file.with_suffix(".html")


class Network:
    """The part of the network that an exported page takes its programs from, as files of this machine; and no more."""

    def __init__(self, folder: Path) -> None:
        # npm comes with the test requirements, and so lies beside Python where it is not on the path.
        places = [str(Path(sys.executable).parent), os.environ.get("PATH", "")]
        npm = shutil.which("npm", path=os.pathsep.join(places))
        assert npm is not None, "no npm: 'python task.py test' brings it along"
        words = [npm, "pack", "--silent", "--prefer-offline", f"--pack-destination={folder}", *PACKED]
        told = subprocess.run(words, cwd=ROOT / "js", check=True, stdout=subprocess.PIPE, text=True).stdout.split()
        for name, wanted in zip(told, PACKED.values(), strict=True):
            archive = folder / name
            assert hashlib.sha256(archive.read_bytes()).hexdigest() == wanted, f"{name} is not what it was"
            with tarfile.open(archive) as opened:
                opened.extractall(folder / name.split("-")[0], filter="data")
        self._folder = folder
        # The same file that JupyterLab and Voila load: the version that is installed.
        self._anywidget = next(
            file for place in jupyter_path("nbextensions") if (file := Path(place, "anywidget", "index.js")).is_file()
        )
        self.refused: list[str] = []
        """What was asked for besides."""

    def serve(self, route: Route) -> None:
        url = route.request.url
        name = url.rsplit("/", 1)[-1]
        if url.startswith("file:") and "anywidget" not in name:
            route.continue_()
        elif MANAGER in url:
            route.fulfill(path=self._folder / "jupyter" / "package" / "dist" / name)
        elif "require.js" in url:
            route.fulfill(path=self._folder / "requirejs" / "package" / "require.js")
        elif "anywidget" in url:
            route.fulfill(path=self._anywidget)
        else:
            self.refused.append(url)
            route.abort()
