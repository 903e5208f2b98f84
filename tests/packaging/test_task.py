"""The task file: what it says when it cannot go on, and that it does nothing twice."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from tests.conftest import ROOT

PRETEND_OLD = """
import runpy, sys
sys.version_info = (3, 10, 2, "final", 0)
sys.argv = [sys.argv[1], "play"]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def test_an_old_python_is_told_that_it_is_too_old() -> None:
    # Python 3.7 can read this much, so it gets as far as the sentence.
    ast.parse((ROOT / "task.py").read_text(encoding="utf-8"), feature_version=(3, 7))
    command = [sys.executable, "-c", PRETEND_OLD, str(ROOT / "task.py")]
    told = subprocess.run(command, stderr=subprocess.PIPE, text=True)
    assert told.returncode == 1
    assert "needs Python 3.11 or newer, and this is 3.10" in told.stderr


def test_it_needs_nothing_but_the_standard_library() -> None:
    tree = ast.parse((ROOT / "task.py").read_text(encoding="utf-8"))
    nodes = list(ast.walk(tree))
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)}
    assert names <= sys.stdlib_module_names


def test_help_names_every_command_from_any_folder(task: ModuleType, tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "task.py"), "--help"]
    told = subprocess.run(command, cwd=tmp_path, check=True, stdout=subprocess.PIPE, text=True).stdout
    assert all(f"\n  {name} " in told for name in task.COMMANDS)


def test_a_named_chromium_that_is_not_there_is_not_passed_over(
    task: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SOLUNA_CHROMIUM", str(tmp_path / "chromium"))
    with pytest.raises(task.Stop, match="no program is there"):
        task.find_chromium()


def test_the_first_chromium_on_the_path_is_taken(
    task: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    program = tmp_path / ("chrome.bat" if sys.platform == "win32" else "chrome")
    program.touch(0o755)
    monkeypatch.delenv("SOLUNA_CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert Path(task.find_chromium()).name.lower() == program.name


def test_extras_that_name_each_other_are_resolved(task: ModuleType) -> None:
    wanted = " ".join(task.requirements({"test"}))
    assert "pytest" in wanted
    assert "jupyterlab" in wanted
    assert "soluna" not in wanted


@pytest.mark.parametrize("words", [[], ["tests/browser/test_accessible.py"]], ids=["all", "some"])
def test_the_tests_find_the_front_ends_tools(
    task: ModuleType, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    """axe-core comes with them."""
    did: list[str] = []

    def doing(name: str) -> Callable[..., int]:
        def do(*arguments: str, **options: object) -> int:
            did.append(name)
            return 0

        return do

    for name in ("install_requirements", "install_package", "install_node_modules", "get_chromium", "run", "pytest"):
        monkeypatch.setattr(task, name, doing(name))
    assert task.test(words) == 0
    assert did.index("install_node_modules") < did.index("pytest")


def test_fingerprints_see_content_and_not_leavings(
    task: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(task, "ROOT", tmp_path)
    (tmp_path / "js" / "node_modules").mkdir(parents=True)
    source = tmp_path / "js" / "table.ts"
    source.write_text("1")
    first = task.fingerprint(tmp_path / "js")
    (tmp_path / "js" / "node_modules" / "left").write_text("2")
    assert task.fingerprint(tmp_path / "js") == first
    source.write_text("2")
    assert task.fingerprint(tmp_path / "js") != first


def test_a_missing_ensurepip_is_named_with_what_brings_it(
    task: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """As Debian's Python is without its package python3-venv."""
    monkeypatch.setattr(task, "VENV", tmp_path / ".venv")
    monkeypatch.setitem(sys.modules, "ensurepip", None)
    with pytest.raises(task.Stop, match=r"apt install python3\.\d+-venv"):
        task.make_venv()
    assert not (tmp_path / ".venv").exists()
