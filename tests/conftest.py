"""What all tests share: their order, the checkout's task file, and the built wheel and sdist."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parent.parent


# Tests import each other's helpers as `tests.…`. Last on the path: an installed package comes before its sources.
sys.path.append(str(ROOT))


@pytest.fixture(scope="session")
def task() -> ModuleType:
    """The checkout's task file."""
    spec = importlib.util.spec_from_file_location("task", ROOT / "task.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the quick tests first, and those with a browser last.

    Not only for the waiting: Playwright keeps an event loop going in this thread, and a widget that finds one running
    would not answer at once.
    """
    slow = ["notebooks", "tests/packaging", "tests/browser", "tests/benchmarks"]

    def rank(item: pytest.Item) -> int:
        place = item.path.relative_to(ROOT).as_posix() if item.path.is_relative_to(ROOT) else ""
        return next((number for number, folder in enumerate(slow, 1) if place.startswith(f"{folder}/")), 0)

    items.sort(key=rank)


@dataclass(frozen=True)
class Dist:
    """What `python -m build` makes of the checkout."""

    wheel: Path
    sdist: Path


@pytest.fixture(scope="session")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Dist:
    """The wheel and the sdist: those in the folder SOLUNA_DIST (task.py makes them), else built here."""
    named = os.environ.get("SOLUNA_DIST")
    folder = Path(named) if named else tmp_path_factory.mktemp("dist")
    if not named:
        subprocess.run([sys.executable, "-P", "-m", "build", "--outdir", folder, ROOT], check=True)
    (wheel,) = folder.glob("*.whl")
    (sdist,) = folder.glob("*.tar.gz")
    return Dist(wheel, sdist)
