"""The table without a mouse: by keys, by finger, by ear, and in Spanish; and what a hand can do wrong with a mouse."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from playwright.sync_api import BrowserContext, CDPSession, Page, expect

from tests.browser.harness import Lab, Notebook, OpenNotebook, Table, listening, table_cell
from tests.browser.server import PATIENCE

CELLS = "() => jupyterapp.shell.currentWidget.content.model.toJSON().cells.map((cell) => [cell.cell_type, cell.source])"
FOCUSED = "() => document.activeElement?.dataset?.stack ?? null"
SCROLLED = "() => document.querySelector('.jp-WindowedPanel-outer').scrollTop"
HEARD = "(root) => [...root.querySelectorAll('[aria-live] p')].map((line) => line.textContent)"


def focus_on(table: Table, number: int) -> None:
    """Go to a stack by arrows alone: towards it, and where one has been before by an arrow not yet tried there."""
    tried: Counter[tuple[str, str]] = Counter()
    for _ in range(300):
        here = table.page.evaluate(FOCUSED)
        if here == str(number):
            return
        (x, y), (to_x, to_y) = middle(table, int(here)), middle(table, number)
        gain = {"ArrowRight": to_x - x, "ArrowLeft": x - to_x, "ArrowDown": to_y - y, "ArrowUp": y - to_y}
        way = min(gain, key=lambda arrow: (tried[here, arrow], -gain[arrow]))
        tried[here, way] += 1
        table.page.keyboard.press(way)
    raise AssertionError(f"the arrows do not lead to stack {number}")


def press_by_keys(table: Table, name: str) -> None:
    """Reach a button with Tab and press it with Enter."""
    for _ in range(40):
        if table.page.evaluate("() => document.activeElement?.textContent") == name:
            with table.answered():
                table.page.keyboard.press("Enter")
            return
        table.page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not lead to {name!r}")


def test_a_match_to_four_stars_by_keys_alone(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook(table_cell(rulebook="bga", seed=7, opener=0))
    table, page = notebook.table(), notebook.page
    table.stack(1).focus()
    rounds = 0
    while table.phase != "match_over":
        if table.phase == "round_over":
            rounds += 1
            press_by_keys(table, "Next round")
            page.keyboard.press("Shift+Tab")
            table.stack(min(table.stacks())).focus()
            continue
        move = table.legal_move()
        assert move is not None
        mover, target = move
        focus_on(table, mover)
        page.keyboard.press("Enter")
        if rounds % 2:
            for _ in range(12):
                page.keyboard.press("t")
                if page.evaluate(FOCUSED) == str(target):
                    break
        else:
            focus_on(table, target)
        with table.answered():
            page.keyboard.press(" ")
        # The focus stays where the eye is: on what the stack has become.
        assert page.evaluate(FOCUSED) == str(target)
    assert notebook.kernel.eval("max(w.stars)") == 4
    table.agrees_with(notebook.kernel)


def test_case_4_no_key_pressed_in_the_table_changes_the_notebook(open_notebook: OpenNotebook) -> None:
    """jupyter-widgets/ipywidgets#835."""
    notebook = open_notebook(table_cell(seed=7, opener=0), "1 + 1")
    table, page = notebook.table(), notebook.page
    before = page.evaluate(CELLS)
    for press in ("click", "focus"):
        table.click_stack(2) if press == "click" else table.stack(3).focus()
        for key in (
            "ArrowDown",
            "ArrowUp",
            "Enter",
            "a",
            "b",
            "x",
            "d",
            "d",
            "c",
            "v",
            "z",
            "m",
            "y",
            "Escape",
            "Escape",
        ):
            page.keyboard.press(key)
        assert page.evaluate(FOCUSED) is not None, "and the focus is still in the table"
    table.button("Undo").focus()
    page.keyboard.press("a")
    assert page.evaluate(CELLS) == before
    assert notebook.kernel.eval("w.match.ply") == 0


def test_undo_and_redo_by_keys(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook(table_cell(seed=7, opener=0))
    table, page = notebook.table(), notebook.page
    move = table.legal_move()
    assert move is not None
    table.move(*move)
    for key, ply in (("u", 0), ("r", 1)):
        with table.answered():
            page.keyboard.press(key)
        assert notebook.kernel.eval("w.match.ply") == ply


def test_case_7_the_focus_stays_on_its_stack_or_goes_where_it_was_merged(open_notebook: OpenNotebook) -> None:
    """GlomarGadaffi/pocket-dial#268, with the computer's move."""
    cell = (
        "from soluna_widget import SolunaWidget\n"
        "def onto_two(position, rng):\n    return 'S2>T2' if 'T2' in str(position) else position.moves()[0]\n"
        "w = SolunaWidget(start='S2 M1^2 T2 C3', opener=0, opponent=onto_two)\nw"
    )
    notebook = open_notebook(cell)
    table = notebook.table()
    numbers = {f"{top}{height}": number for number, (top, height) in table.stacks().items()}
    first, second = (number for number, stack in table.stacks().items() if stack == ("M", 1))
    table.stack(numbers["S2"]).focus()
    notebook.kernel.run(f"w.play(({first}, {second}))")
    expect(table.stack(numbers["S2"])).to_have_count(0)
    expect(table.stack(numbers["T2"])).to_be_focused()


def test_one_can_play_by_ear(open_notebook: OpenNotebook) -> None:
    """A whole round, reading nothing but what the live region says."""
    notebook = open_notebook(table_cell(start="S1^2 M2 T4", opener=0))
    table, page = notebook.table(), notebook.page
    table.stack(1).focus()
    page.keyboard.press("l")
    heard = table.root.evaluate(HEARD)
    assert "4 stacks on the table" in heard[-1]
    for keys, words in (
        (["Enter"], "sun, height 1"),
        (["t", "Enter"], "Sol puts sun, height 1 on sun, height 1: now sun, height 2."),
        (["Enter"], "sun, height 2"),
        (["t", "Enter"], "Luna puts sun, height 2 on moon, height 2: now sun, height 4."),
        (["Enter", "t", "Enter"], "Sol puts sun, height 4 on stars, height 4: now sun, height 8."),
    ):
        for key in keys:
            page.keyboard.press(key)
        expect(table.root.locator("[aria-live] p").filter(has_text=words).last).to_be_attached()
        expect(table.root).to_have_attribute("data-busy", "false")
    assert any("Luna cannot move" in line for line in table.root.evaluate(HEARD))


def test_spanish_words_and_a_change_of_language(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook(table_cell(seed=7, opener=0, language="es"))
    table = notebook.table()
    expect(table.root).to_have_attribute("lang", "es")
    expect(table.button("Deshacer")).to_be_visible()
    label = table.stack(1).get_attribute("aria-label")
    assert label is not None
    assert label.startswith(("sol", "luna", "estrella", "estrellas"))
    notebook.kernel.run("w.language = 'en'")
    expect(table.button("Undo")).to_be_visible()


def middle(table: Table, number: int) -> tuple[float, float]:
    box = table.stack(number).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def a_move(table: Table) -> tuple[int, int]:
    move = table.legal_move()
    assert move is not None
    return move


def test_a_stack_is_dragged_with_the_mouse(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook(table_cell(seed=7, opener=0))
    table, mouse = notebook.table(), notebook.page.mouse
    mover, target = a_move(table)
    mouse.move(*middle(table, mover))
    mouse.down()
    with table.answered():
        mouse.move(*middle(table, target), steps=8)
        mouse.up()
    assert notebook.kernel.eval("(w.match.last.mover.id, w.match.last.target.id)") == (mover, target)


@pytest.mark.parametrize("how", ["python merges it", "right button", "released outside", "Escape"])
def test_case_15_a_drag_ends_without_a_ghost_or_a_move(open_notebook: OpenNotebook, how: str) -> None:
    """oakmac/chessboardjs#86."""
    notebook = open_notebook(table_cell(seed=7, opener=0))
    table, page = notebook.table(), notebook.page
    mover, target = a_move(table)
    x, y = middle(table, mover)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 40, y + 20, steps=4)
    expect(table.root.locator(".soluna-carried, .soluna-hand")).not_to_have_count(0)
    ply = 0
    if how == "python merges it":
        ply = 1
        with table.answered():
            notebook.kernel.run(f"w.play(({mover}, {target}))")
    elif how == "right button":
        page.mouse.down(button="right")
        page.mouse.up(button="right")
    elif how == "released outside":
        page.mouse.move(-50, -50)
        page.mouse.up()
    else:
        page.keyboard.press("Escape")
    page.mouse.move(*middle(table, target))
    page.mouse.up()
    expect(table.root.locator(".soluna-carried, .soluna-hand")).to_have_count(0)
    assert notebook.kernel.eval("w.match.ply") == ply
    table.agrees_with(notebook.kernel)
    table.move(*a_move(table))
    assert notebook.kernel.eval("w.match.ply") == ply + 1


@pytest.fixture
def finger_page(context: BrowserContext, complaints: list[str]) -> Iterator[Page]:
    """A page on a device that is touched."""
    browser = context.browser
    assert browser is not None
    touched = browser.new_context(has_touch=True, viewport={"width": 900, "height": 800})
    touched.set_default_timeout(PATIENCE * 1000)
    page = touched.new_page()
    with listening(page, complaints):
        yield page
    touched.close()


def swipe(finger: CDPSession, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Put a finger down, draw it over the screen, and lift it."""
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": start[0], "y": start[1]}]})
    for step in range(1, 11):
        x, y = (a + (b - a) * step / 10 for a, b in zip(start, end, strict=True))
        finger.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x, "y": y}]})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_by_finger_case_18_and_a_match_to_four_stars(finger_page: Page, lab: Lab) -> None:
    """mganjoo/gchessboard#51: a swipe on the empty table scrolls the page, one on a stack drags it."""
    lab.write("finger.ipynb", [table_cell(seed=7, opener=0), *["'\\n'.join('more below')"] * 12])
    notebook = Notebook(finger_page, lab, "finger.ipynb", fresh=True)
    try:
        notebook.run_all()
        table, page = notebook.table(), notebook.page
        page.evaluate("() => document.querySelector('.jp-WindowedPanel-outer').scrollTo(0, 0)")
        finger = page.context.new_cdp_session(page)
        mover, target = a_move(table)
        before = page.evaluate(SCROLLED)
        with table.answered():
            swipe(finger, middle(table, mover), middle(table, target))
        assert notebook.kernel.eval("w.match.ply") == 1
        assert page.evaluate(SCROLLED) == before
        while table.phase != "match_over":
            if table.phase == "round_over":
                with table.answered():
                    table.button("Next round").tap()
                continue
            mover, target = a_move(table)
            with table.answered():
                table.stack(mover).tap()
                table.stack(target).tap()
        assert notebook.kernel.eval("max(w.stars)") == 4
        box = table.root.locator(".soluna-table").bounding_box()
        assert box is not None
        x, y = emptiest(table, box["x"], box["y"], box["width"], box["height"])
        swipe(finger, (x, y), (x, y - 200))
        page.wait_for_function(f"() => ({SCROLLED})() > {before}")
    finally:
        notebook.close()


def emptiest(table: Table, x: float, y: float, width: float, height: float) -> tuple[float, float]:
    """The point of the table that is farthest from all stacks."""
    stacks = [middle(table, number) for number in table.stacks()]
    points = [(x + width * i / 10, y + height * j / 10) for i in range(1, 10) for j in range(1, 10)]
    return max(points, key=lambda p: min((p[0] - sx) ** 2 + (p[1] - sy) ** 2 for sx, sy in stacks))
