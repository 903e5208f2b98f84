#!/usr/bin/env python3
"""Everything a checkout can do, with nothing but Python 3.11 or newer.

Each command makes the environment in `.venv` if it is missing or out of date, and does no work that is already done.
"""

# Older Pythons must get as far as the sentence that says they are too old: no newer syntax or module before `main`.
from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
DIST = ROOT / "dist"
JS = ROOT / "js"
DONE = VENV / "soluna.json"
PACKAGE = "soluna-widget"
OLDEST = (3, 11)


class Stop(Exception):
    """A sentence for the person at the keyboard; the command ends with it."""


def say(text: str) -> None:
    print(f"task: {text}", flush=True)


def is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


# ---- running programs ---------------------------------------------------------------------------------------------


def venv_python() -> Path:
    return VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def environment(**more: str) -> dict[str, str]:
    """This process's environment for a program of `.venv`: its programs first, and no strangers' modules."""
    env = dict(os.environ)
    for name in ("PYTHONHOME", "PYTHONPATH", "PIP_TARGET", "PIP_PREFIX", "PIP_USER", "__PYVENV_LAUNCHER__"):
        env.pop(name, None)
    env["VIRTUAL_ENV"] = str(VENV)
    env["PATH"] = str(venv_python().parent) + os.pathsep + env.get("PATH", "")
    env["PIP_DISABLE_PIP_VERSION_CHECK"] = "1"
    env.update(more)
    return env


def run(*command: str | Path, cwd: Path = ROOT, quiet: bool = False, **env: str) -> int:
    """Run a program of `.venv` or of the system, and return its exit code."""
    words = [str(word) for word in command]
    variables = environment(**env)
    # Windows finds `npm` only by its full name.
    words[0] = shutil.which(words[0], path=variables["PATH"]) or words[0]
    nowhere = subprocess.DEVNULL if quiet else None
    process = subprocess.Popen(words, cwd=str(cwd), env=variables, stdout=nowhere, stderr=nowhere)
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:
            # The program was interrupted too, and may have something to ask or to put away.
            continue


def must(*command: str | Path, cwd: Path = ROOT) -> None:
    """Run a program whose words matter only if it fails."""
    words = [str(word) for word in command]
    env = environment()
    words[0] = shutil.which(words[0], path=env["PATH"]) or words[0]
    told = subprocess.run(words, cwd=str(cwd), env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if told.returncode:
        print(told.stdout.decode(errors="replace"), file=sys.stderr)
        raise Stop(f"this failed with exit code {told.returncode}: {' '.join(words)}")


def module(name: str, *arguments: str | Path) -> list[str | Path]:
    """Words that run a module with `.venv`'s Python; -P keeps the checkout's own folder out of what it imports from."""
    return [venv_python(), "-P", "-m", name, *arguments]


# ---- the environment ----------------------------------------------------------------------------------------------


def make_venv() -> None:
    if venv_python().exists():
        check = f"import pip, sys; sys.exit(sys.version_info < {OLDEST})"
        if run(venv_python(), "-c", check, quiet=True) == 0:
            return
        say("the environment in .venv is broken or too old: making it anew")
    else:
        say("making an environment in .venv")
    try:
        import ensurepip  # noqa: F401
        import venv
    except ImportError:
        version = f"{sys.version_info[0]}.{sys.version_info[1]}"
        raise Stop(
            "this Python cannot make environments, for its modules venv and ensurepip are missing. On Debian and "
            f"Ubuntu the package python{version}-venv brings them: 'sudo apt install python{version}-venv', then start "
            "this command again."
        ) from None
    venv.EnvBuilder(with_pip=True, clear=True, symlinks=os.name != "nt").create(VENV)


def done() -> dict[str, Any]:
    """What this environment has already: see `note`."""
    try:
        known = json.loads(DONE.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return known if isinstance(known, dict) else {}


def note(**what: Any) -> None:
    DONE.write_text(json.dumps({**done(), **what}, indent=1), encoding="utf-8")


def fingerprint(*paths: Path) -> str:
    """Of all that is in these files and folders, except what builds and tests leave there."""
    leavings = {"node_modules", "static", "__pycache__", "coverage", "dist"}
    files = []
    for path in paths:
        if path.is_dir():
            for folder, folders, names in os.walk(path):
                folders[:] = [name for name in folders if name not in leavings]
                files += [Path(folder, name) for name in names]
        elif path.exists():
            files.append(path)
    digest = hashlib.sha256()
    for file in sorted(files):
        digest.update(file.relative_to(ROOT).as_posix().encode() + b"\0" + hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def requirements(extras: set[str]) -> list[str]:
    """What pyproject.toml asks for at run time and for these extras, which may name each other."""
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = set(project["dependencies"])
    waiting = sorted(extras)
    for extra in waiting:
        for requirement in project["optional-dependencies"][extra]:
            if requirement.startswith(f"{PACKAGE}["):
                waiting += requirement[len(PACKAGE) + 1 : -1].split(",")
            else:
                wanted.add(requirement)
    return sorted(wanted)


def install_requirements(*extras: str) -> None:
    make_venv()
    wanted = requirements(set(extras))
    had = set(done().get("requirements", []))
    if had.issuperset(wanted):
        return
    say(f"installing what is needed to {'play' if extras == ('lab',) else 'test'}: this may take some minutes")
    must(*module("pip", "install", "--quiet", *wanted))
    note(requirements=sorted(had.union(wanted)))


def install_package(with_dist: bool) -> None:
    """Install this checkout, front end included; `with_dist` leaves wheel and sdist in `dist/` for the tests."""
    inputs = ("pyproject.toml", "build_front_end.py", "README.md", "LICENSE", "js", "soluna_widget")
    now = fingerprint(*(ROOT / name for name in inputs))
    if done().get("package") == now and (not with_dist or (done().get("dist") == now and DIST.is_dir())):
        return
    note(package=None, dist=None)
    say("building the package and its front end")
    if with_dist:
        shutil.rmtree(DIST, ignore_errors=True)
        # The wheel is built from the sdist, which so shows each time that it is whole.
        must(*module("build", "--outdir", DIST, ROOT))
        (what,) = DIST.glob("*.whl")
    else:
        what = ROOT
    must(*module("pip", "install", "--quiet", "--no-deps", "--force-reinstall", what))
    note(package=now, dist=now if with_dist else None)


def install_node_modules() -> None:
    now = fingerprint(JS / "package.json", JS / "package-lock.json")
    if (JS / "node_modules").is_dir() and done().get("node_modules") == now:
        return
    say("installing the front end's tools")
    must("npm", "install", "--no-audit", "--no-fund", "--loglevel=error", cwd=JS)
    note(node_modules=now)


# ---- Chromium -----------------------------------------------------------------------------------------------------


def find_chromium() -> str | None:
    """The browser for the tests: SOLUNA_CHROMIUM, else one on the PATH, else one in its usual place, else None."""
    named = os.environ.get("SOLUNA_CHROMIUM")
    if named:
        found = shutil.which(named)
        if not found:
            raise Stop(f"SOLUNA_CHROMIUM is '{named}', and no program is there")
        return found
    for name in ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge"):
        found = shutil.which(name)
        if found:
            return found
    places: list[Path] = []
    if sys.platform == "darwin":
        for folder in (Path("/Applications"), Path.home() / "Applications"):
            for name in ("Chromium", "Google Chrome", "Microsoft Edge"):
                places.append(folder / f"{name}.app/Contents/MacOS/{name}")
    elif sys.platform == "win32":
        for root in ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"):
            for name in (
                "Chromium/Application/chrome",
                "Google/Chrome/Application/chrome",
                "Microsoft/Edge/Application/msedge",
            ):
                if root in os.environ:
                    places.append(Path(os.environ[root], f"{name}.exe"))
    return next((str(place) for place in places if place.exists()), None)


def playwrights_chromium() -> str | None:
    """The browser tool's own Chromium, if it is there."""
    code = (
        "from playwright.sync_api import sync_playwright as start\nwith start() as p: print(p.chromium.executable_path)"
    )
    words = [str(venv_python()), "-P", "-c", code]
    told = subprocess.run(words, env=environment(), stdout=subprocess.PIPE, text=True).stdout.strip()
    return told if told and Path(told).exists() else None


def get_chromium() -> str:
    found = find_chromium() or playwrights_chromium()
    if found:
        return found
    say("no Chromium here: trying the browser tool's own download")
    run(*module("playwright", "install", "chromium"), quiet=True)
    found = playwrights_chromium()
    if found:
        return found
    become = [] if is_root() else ["sudo", "-n"]
    if shutil.which("apt-get") and (is_root() or (shutil.which("sudo") and run("sudo", "-n", "true", quiet=True) == 0)):
        say("that was refused: installing the system's package chromium")
        run(*become, "apt-get", "update", quiet=True)
        install = ["apt-get", "install", "-y", "--no-install-recommends", "chromium"]
        run(*become, *install, quiet=True, DEBIAN_FRONTEND="noninteractive")
        found = find_chromium()
        if found:
            return found
    raise Stop(
        "the browser tests need Chromium, Chrome or Edge: none was found, and none could be fetched. "
        "Install one, or name one in the environment variable SOLUNA_CHROMIUM."
    )


# ---- the commands -------------------------------------------------------------------------------------------------


def play(arguments: list[str]) -> int:
    install_requirements("lab")
    install_package(with_dist=False)
    say("opening JupyterLab; Ctrl+C here ends it")
    # JupyterLab refuses to run as root, in a container say, unless told that this is meant.
    root = ["--allow-root"] if is_root() else []
    # Not as a file to open, which only a browser that JupyterLab itself can start would go to.
    where = [f"--ServerApp.root_dir={ROOT / 'notebooks'}", "--LabApp.default_url=/lab/tree/00_play.ipynb"]
    return run(*module("jupyterlab", *root, *where, *arguments))


def test(arguments: list[str]) -> int:
    install_requirements("test")
    install_package(with_dist=True)
    # Some of the browser tests read axe-core from there.
    install_node_modules()
    chromium = get_chromium()
    if any((ROOT / word.split("::")[0]).exists() for word in arguments):
        return pytest(*arguments, chromium=chromium)
    say("testing the front end")
    front_end = run("npm", "test", "--silent", cwd=JS)
    say(f"testing all the rest, in {chromium} where it needs a browser")
    rest = pytest("tests", "notebooks", "--ignore=tests/benchmarks", *arguments, chromium=chromium)
    if front_end:
        say("the front end's tests failed: see above")
    return rest or front_end


def bench(arguments: list[str]) -> int:
    install_requirements("test")
    install_package(with_dist=True)
    return pytest("tests/benchmarks", "-s", *arguments, chromium=get_chromium())


def pytest(*words: str, chromium: str) -> int:
    return run(*module("pytest", "--nbmake", *words), SOLUNA_CHROMIUM=chromium, SOLUNA_DIST=str(DIST))


def lint(arguments: list[str]) -> int:
    install_requirements("lint", "test")
    install_node_modules()
    checks: list[tuple[str, list[str | Path], Path]] = [
        ("ruff check", module("ruff", "check", *arguments), ROOT),
        ("ruff format", module("ruff", "format", "--check"), ROOT),
        ("mypy", module("mypy"), ROOT),
        ("biome", ["npm", "run", "--silent", "lint"], JS),
        ("tsc", ["npm", "run", "--silent", "check"], JS),
    ]
    failed = []
    for name, words, folder in checks:
        say(name)
        if run(*words, cwd=folder):
            failed.append(name)
    if failed:
        say(f"not clean: {', '.join(failed)}")
    return 1 if failed else 0


def build(arguments: list[str]) -> int:
    install_requirements("lint")
    install_node_modules()
    return run("npm", "run", "--silent", "build", *arguments, cwd=JS)


COMMANDS = {
    "play": (play, "open JupyterLab on a table, ready to play; more words go to jupyterlab, e.g. --no-browser"),
    "test": (test, "pass all tests, or those that more words name to pytest, e.g. tests/test_rules.py"),
    "lint": (lint, "check style and types, of Python and of TypeScript"),
    "build": (build, "build the front end alone into soluna_widget/static, for developers"),
    "bench": (bench, "run the benchmarks; more words go to pytest"),
}


def main(words: list[str]) -> int:
    if sys.version_info < OLDEST:
        old, needed = (".".join(str(number) for number in version[:2]) for version in (sys.version_info, OLDEST))
        print(
            f"task: Soluna needs Python {needed} or newer, and this is {old}: start it with a newer one",
            file=sys.stderr,
        )
        return 1
    parser = argparse.ArgumentParser(
        prog="python task.py",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="commands:\n" + "\n".join(f"  {name:7}{text}" for name, (_, text) in COMMANDS.items()),
    )
    parser.add_argument("command", choices=COMMANDS, metavar="command", help=f"one of: {', '.join(COMMANDS)}")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="handed on to the program that the command runs")
    told = parser.parse_args(words)
    command, _ = COMMANDS[told.command]
    began = time.monotonic()
    try:
        code = command(told.arguments)
    except Stop as sentence:
        print(f"task: {sentence}", file=sys.stderr)
        return 1
    say(f"{told.command} {'failed' if code else 'done'} after {time.monotonic() - began:.0f} s")
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
