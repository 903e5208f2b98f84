"""Who may import whom: downwards in CONTRIBUTING's list, never upwards."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "soluna_widget"

# From the top down. Modules in one line may import each other.
LAYERS = [
    {"widget"},
    {"lessons"},
    {"experiments"},
    {"plots"},
    {"drawing"},
    {"strategies"},
    {"solver"},
    {"theory"},
    {"match"},
    {"record"},
    {"discs"},
    {"rules"},
    {"errors"},
]
PURE = ["rules", "discs", "match", "record", "theory", "strategies", "errors"]

# Upward imports that are meant. All happen inside a function, when it is called.
ALLOWED = {
    ("rules", "drawing"): "a position draws itself in a notebook; playing needs no drawing",
    ("match", "drawing"): "a match draws itself in a notebook; playing needs no drawing",
    ("theory", "drawing"): "a tree draws itself in a notebook; it is made without drawing",
}


def modules() -> list[str]:
    return sorted(
        path.stem
        for path in PACKAGE.iterdir()
        if (path.suffix == ".py" and path.stem != "__init__") or (path / "__init__.py").is_file()
    )


def imports(module: str) -> Iterator[tuple[str, bool]]:
    """What a module of the package imports, by full name, and whether only inside a function or for types."""
    files = (
        [PACKAGE / f"{module}.py"] if (PACKAGE / f"{module}.py").is_file() else sorted((PACKAGE / module).rglob("*.py"))
    )
    for file in files:
        yield from _imports(ast.parse(file.read_text(encoding="utf-8")), later=False)


def _imports(node: ast.AST, later: bool) -> Iterator[tuple[str, bool]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            yield from ((alias.name, later) for alias in child.names)
        elif isinstance(child, ast.ImportFrom):
            assert child.level == 0, "write imports in full"
            if child.module == "soluna_widget":
                yield from ((f"soluna_widget.{alias.name}", later) for alias in child.names)
            else:
                yield str(child.module), later
        else:
            for_types = isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING"
            yield from _imports(child, later or for_types or isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)))


def rank(module: str) -> int:
    (found,) = (number for number, layer in enumerate(LAYERS) if module in layer)
    return found


def test_every_module_has_its_place() -> None:
    placed = {module for layer in LAYERS for module in layer}
    assert set(modules()) <= placed


@pytest.mark.parametrize("module", modules())
def test_imports_go_downwards(module: str) -> None:
    for name, later in imports(module):
        top, _, rest = name.partition(".")
        other = rest.partition(".")[0]
        if top == "soluna_widget" and other in modules() and other != module and rank(other) <= rank(module):
            assert (module, other) in ALLOWED, f"{module} imports {other}, which stands above it"
            assert later, f"{module} may import {other}, but only where it is used"


@pytest.mark.parametrize("module", [module for module in PURE if module in modules()])
def test_the_engine_needs_nothing_but_the_standard_library(module: str) -> None:
    foreign = {name.partition(".")[0] for name, _ in imports(module)} - sys.stdlib_module_names - {"soluna_widget"}
    assert not foreign


@pytest.mark.parametrize("module", [module for module in PURE if module in modules()])
def test_the_engine_imports_without_jupyter(module: str) -> None:
    code = f"import sys, soluna_widget.{module}; print(*sorted({{name.partition('.')[0] for name in sys.modules}}))"
    told = subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.PIPE, text=True)
    assert not {"anywidget", "ipywidgets", "traitlets", "IPython", "numpy", "pandas"} & set(told.stdout.split())


@pytest.mark.parametrize(("module", "below"), [("theory", {"errors"}), ("strategies", {"theory", "errors"})])
def test_what_is_for_any_game_knows_no_soluna(module: str, below: set[str]) -> None:
    ours = {name.split(".")[1] for name, later in imports(module) if name.startswith("soluna_widget.") and not later}
    assert ours == {module} | below
