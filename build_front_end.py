"""Build the table's JavaScript and style whenever a wheel or an sdist is built from a checkout.

hatch-jupyter-builder calls `build` (see `pyproject.toml`). An sdist carries the built files, so a wheel built from an
unpacked sdist needs neither npm nor a network.
"""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parent
BUILT = (ROOT / "soluna_widget/static/widget.js", ROOT / "soluna_widget/static/widget.css")


def build(target_name: str, version: str) -> None:
    """Run `npm install` and `npm run build` in `js/`, except in an unpacked sdist.

    Args:
        target_name: What is being built: "wheel" or "sdist".
        version: "standard" or "editable".
    """
    # Only an unpacked sdist has this file, and its build files were made together with its sources.
    if (ROOT / "PKG-INFO").is_file():
        return

    from hatch_jupyter_builder import npm_builder

    # What an earlier build left must never be shipped, whatever goes wrong in this one.
    for file in BUILT:
        file.unlink(missing_ok=True)
    npm_builder(target_name, version, path=str(ROOT / "js"), npm="npm")
