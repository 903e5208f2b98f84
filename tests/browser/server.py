"""A program that serves pages to a test: started with folders of its own, waited for, and ended."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

PATIENCE = 60
"""Seconds after which something that should have happened has not. A wait ends as soon as it has."""


def own_environment(folder: Path) -> dict[str, str]:
    """An environment for a program of Jupyter's kind, with folders of its own in `folder`, which are made."""
    own = {
        "JUPYTER_CONFIG_DIR": "config",
        "JUPYTER_DATA_DIR": "data",
        "JUPYTER_RUNTIME_DIR": "runtime",
        "JUPYTERLAB_SETTINGS_DIR": "settings",
        "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
        "IPYTHONDIR": "ipython",
        "XDG_CONFIG_HOME": "xdg-config",
        "XDG_CACHE_HOME": "xdg-cache",
        "XDG_STATE_HOME": "xdg-state",
    }
    strange = ("JUPYTER", "PYTHON", "MARIMO", "VOILA")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(strange)}
    for name, place in own.items():
        (folder / place).mkdir(parents=True)
        environment[name] = str(folder / place)
    return environment | {"PYTHONNOUSERSITE": "1", "MARIMO_SKIP_UPDATE_CHECK": "1"}


class Server:
    """A Python program that serves pages, with folders of its own, so that no setting of this machine reaches it, and
    none of its settings this machine.

    Args:
        folder: Where its folders go.
    """

    def __init__(self, folder: Path) -> None:
        self.root = folder / "notebooks"
        self.settings = folder / "settings"
        self.runtime = folder / "runtime"
        self.log = folder / "server.log"
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._environment = own_environment(folder)
        self.root.mkdir()

    def start(self, *words: str, answers: str = "/api/status") -> None:
        """Start `python -m words`, and wait until the page `answers` does.

        Raises:
            RuntimeError: If it ends instead, or says nothing: with what it wrote.
        """
        with self.log.open("wb") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", *words], cwd=self.root, env=self._environment, stdout=log, stderr=log
            )
        try:
            self._wait(words[0], answers)
        except BaseException:
            self.close()
            raise

    def _wait(self, name: str, answers: str) -> None:
        until = time.monotonic() + PATIENCE
        while True:
            try:
                with urllib.request.urlopen(f"{self.url}{answers}", timeout=PATIENCE):
                    return
            except (urllib.error.URLError, OSError):
                if self._process.poll() is not None or time.monotonic() > until:
                    said = self.log.read_text(encoding="utf-8", errors="replace")
                    raise RuntimeError(f"{name} did not start:\n{said}") from None
                # The server has no way to say that it is about to listen: ask twenty times a second.
                time.sleep(0.05)

    def close(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
