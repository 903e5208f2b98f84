"""What is shipped: the wheel and the sdist, by content and in clean environments. Case 25: manzt/anywidget#344."""

from __future__ import annotations

import os
import re
import subprocess
import tarfile
import venv
import zipfile
from email.parser import Parser
from importlib.metadata import distribution
from pathlib import Path

import pytest

from tests.conftest import ROOT, Dist

FRONT_END = {"soluna_widget/static/widget.js", "soluna_widget/static/widget.css"}
NEVER = re.compile(r"node_modules|__pycache__|\.venv|\.ipynb_checkpoints|(^|/)(dist|\.git|\.ci|test-artifacts)/")


@pytest.fixture(scope="module")
def wheel_files(dist: Dist) -> dict[str, bytes]:
    """The wheel's files by name, those about the wheel itself left out."""
    with zipfile.ZipFile(dist.wheel) as wheel:
        return {name: wheel.read(name) for name in wheel.namelist() if ".dist-info/" not in name}


@pytest.fixture(scope="module")
def sdist_names(dist: Dist) -> set[str]:
    with tarfile.open(dist.sdist) as sdist:
        return {name.partition("/")[2] for name in sdist.getnames()}


def test_the_wheel_is_pure_python_and_carries_the_front_end(dist: Dist, wheel_files: dict[str, bytes]) -> None:
    assert dist.wheel.name.endswith("-py3-none-any.whl")
    assert wheel_files.keys() >= FRONT_END | {"soluna_widget/__init__.py", "soluna_widget/py.typed"}
    assert all(len(wheel_files[name]) > 1000 for name in FRONT_END)


def test_the_wheel_holds_the_package_and_nothing_else(wheel_files: dict[str, bytes]) -> None:
    left = {"static", "__pycache__"}
    sources = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "soluna_widget").rglob("*")
        if path.is_file() and not left.intersection(path.parts)
    }
    assert wheel_files.keys() == sources | FRONT_END


def test_the_wheel_carries_the_licence_and_nothing_else_as_one(dist: Dist) -> None:
    with zipfile.ZipFile(dist.wheel) as wheel:
        licences = [name.partition("/licenses/")[2] for name in wheel.namelist() if "/licenses/" in name]
    assert licences == ["LICENSE"]


def test_the_sdist_carries_the_built_front_end_and_its_sources(sdist_names: set[str]) -> None:
    assert sdist_names >= FRONT_END
    assert sdist_names >= {
        "build_front_end.py",
        "js/package.json",
        "js/package-lock.json",
        "js/src/contract.ts",
        "LICENSE",
    }


def test_neither_carries_what_builds_leave_behind(wheel_files: dict[str, bytes], sdist_names: set[str]) -> None:
    assert [name for name in [*wheel_files, *sdist_names] if NEVER.search(name)] == []


def test_a_player_needs_few_packages(dist: Dist) -> None:
    with zipfile.ZipFile(dist.wheel) as wheel:
        (name,) = (name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
        metadata = Parser().parsestr(wheel.read(name).decode())
    needed = {
        re.split(r"[^\w-]", requirement)[0]
        for requirement in metadata.get_all("Requires-Dist", [])
        if "extra ==" not in requirement
    }
    assert needed == {"anywidget", "ipywidgets", "traitlets"}
    assert metadata["Requires-Python"] == ">=3.11"


@pytest.mark.skipif("SOLUNA_DIST" not in os.environ, reason="only 'python task.py test' installs the wheel first")
def test_all_other_tests_run_on_this_wheel(wheel_files: dict[str, bytes]) -> None:
    here = distribution("soluna-widget")
    for name, content in wheel_files.items():
        assert Path(str(here.locate_file(name))).read_bytes() == content, name
    import soluna_widget

    assert Path(soluna_widget.__file__) == Path(str(here.locate_file("soluna_widget/__init__.py")))


CONSTRUCT = """
import hashlib, pathlib, soluna_widget
from soluna_widget import SolunaWidget
w = SolunaWidget(seed=1)
assert isinstance(w._esm, str) and "export" in w._esm, w._esm
assert isinstance(w._css, str) and ".soluna" in w._css, w._css
assert w.state["stacks"], w.state
print(soluna_widget.__version__)
root = pathlib.Path(soluna_widget.__file__).parent
for path in sorted(root.rglob("*")):
    if path.is_file() and "__pycache__" not in path.parts:
        print(path.relative_to(root.parent).as_posix(), hashlib.sha256(path.read_bytes()).hexdigest())
"""


@pytest.mark.parametrize("kind", ["wheel", "sdist"])
def test_case_25_it_works_in_a_clean_environment(
    kind: str, dist: Dist, wheel_files: dict[str, bytes], tmp_path: Path
) -> None:
    """Outside the checkout, without npm's registry, each installs the very files that the browser tests use."""
    import hashlib

    import soluna_widget

    place = tmp_path / "a clean place"
    venv.create(place, with_pip=True, symlinks=os.name != "nt")
    python = place / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    clean = {
        name: value for name, value in os.environ.items() if not name.startswith("PYTHON") and name != "VIRTUAL_ENV"
    }
    # If the build asked npm for anything, it would get no answer.
    clean |= {"npm_config_offline": "true", "npm_config_cache": str(tmp_path / "empty")}
    install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", getattr(dist, kind)]
    subprocess.run(install, cwd=tmp_path, env=clean, check=True)
    told = subprocess.run(
        [python, "-c", CONSTRUCT], cwd=tmp_path, env=clean, check=True, stdout=subprocess.PIPE, text=True
    ).stdout.splitlines()
    assert told[0] == soluna_widget.__version__
    installed = dict(line.rsplit(" ", 1) for line in told[1:])
    assert installed == {name: hashlib.sha256(content).hexdigest() for name, content in wheel_files.items()}


def test_the_changelog_speaks_of_this_version() -> None:
    import soluna_widget

    headings = re.findall(r"^## \[(.+?)\]", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert headings[0] in ("Unreleased", soluna_widget.__version__)
