"""The table for those who do not see it: axe-core's rules in every scene, and what Chromium tells a screen reader."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

from playwright.sync_api import CDPSession, expect

from tests.browser.harness import OpenNotebook, Table, table_cell
from tests.conftest import ROOT

AXE = ROOT / "js" / "node_modules" / "axe-core" / "axe.min.js"
# All rules that axe-core runs by itself, best practice included; none is switched off. `incomplete` is what it cannot
# decide alone, and counts as found, but for two things: whether a text without a word, such as "?" or "←", is one (a
# height on its badge is measured by `test_look.py`, and the button "?" is called "Help"); and the colours of a hint,
# over which lies what can be pressed (`contrast.test.ts` has them).
FOUND_BY_AXE = """
async (scenes) => {
  const tables = [...document.querySelectorAll('.soluna')];
  const { violations, incomplete, passes } = await axe.run(
    { include: [['.soluna']] }, { elementRef: true, resultTypes: ['violations', 'incomplete', 'passes'] });
  const scene = ({ element }) => scenes[tables.indexOf(element.closest('.soluna'))];
  const known = ({ element }) => !/\\p{Letter}{2}/u.test(element.textContent) || element.closest('.soluna-hint');
  const told = [violations, incomplete].flatMap((results, unsure) => results.flatMap(({ id, nodes }) =>
    nodes.filter((node) => !(unsure && known(node))).map((node) =>
      `${scene(node)}: ${id}: ${node.html}: ${node.failureSummary}`)));
  const seen = passes.flatMap(({ id, nodes }) => nodes.map((node) => `${id} ${scene(node)}`));
  return [told, [...new Set(seen)]];
}
"""
ALL_IN_SIGHT = """
() => {
  const { top, bottom } = document.querySelector('.jp-WindowedPanel-outer').getBoundingClientRect();
  return [...document.querySelectorAll('.soluna')].map((root) => root.getBoundingClientRect()).every((box) =>
    box.top >= top && box.bottom <= bottom);
}
"""
SCENES = """
import threading
from ipywidgets import VBox
from soluna_widget import Rulebook, SolunaWidget

hold = threading.Event()

def waits(position, rng):
    hold.wait()
    return position.moves()[0]

tables = {
    "playing": SolunaWidget(seed=7, opener=0, players=("Zoë", "עדה")),
    "taken": SolunaWidget(start="S1 S2 M4", opener=0),
    "refused": SolunaWidget(start="S1 S2 M4", opener=0),
    "round over": SolunaWidget(start="S1 S2 M4", opener=0),
    "match over": SolunaWidget(Rulebook("short", stars=1), start="S1 S2 M4", opener=0),
    "choosing": SolunaWidget("morapiaf", seed=3),
    "placing": SolunaWidget(seed=7, placing=True, opener=0),
    "thinking": SolunaWidget(start="S1 S2 M4", opener=0, opponent=waits, seat=0),
    "help": SolunaWidget(start="S1 S2 M4", opener=0, language="es"),
    "replay": SolunaWidget(start="S1 S2 M4", opener=0),
    "hints": SolunaWidget(start="S1^2 M1^2 T1", opener=0),
    "review": SolunaWidget(start="S1^2 M1^2 T1", opener=0),
}
tables["hints"].hints = True
while tables["review"].phase == "playing":
    tables["review"].play(tables["review"].match.moves()[0])
tables["review"].review()
for scene in ("round over", "match over", "replay"):
    tables[scene].play(tables[scene].match.moves()[0])
VBox(list(tables.values()))
"""


def test_axe_finds_nothing_in_any_scene_in_either_theme(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook(SCENES)
    page = notebook.page
    # To axe, what is scrolled out of sight has no colours, and neither has what overflows a body that hides what does:
    # JupyterLab's is such, and of no height.
    page.set_viewport_size({"width": 1280, "height": 8600})
    page.add_style_tag(content="body { height: 100vh; }")
    scenes = notebook.kernel.eval("list(tables)")
    tables = {scene: notebook.table(number) for number, scene in enumerate(scenes)}
    for scene in ("taken", "hints"):
        tables[scene].click_stack(1)
    with tables["refused"].answered():
        tables["refused"].click_stack(1)
        tables["refused"].click_stack(3)
    tables["help"].button("Ayuda").click()
    tables["replay"].button("Replay").click()
    expect(tables["hints"].root.locator(".soluna-hint").first).to_be_visible()
    expect(tables["review"].root.get_by_role("region", name="Review")).to_be_visible()
    shown = {"taken": "holds", "hints": "holds", "refused": "cannot go", "thinking": "is thinking"}
    shown["replay"] = "looking at"
    for scene, words in shown.items():
        assert words in tables[scene].status()
    expect(tables["help"].root.get_by_role("region", name="Ayuda")).to_be_visible()
    page.wait_for_function(ALL_IN_SIGHT)
    page.add_script_tag(path=AXE)
    themes: tuple[Literal["light", "dark"], ...] = ("light", "dark")
    for theme in themes:
        notebook.theme(theme)
        found, seen = page.evaluate(FOUND_BY_AXE, scenes)
        assert found == [], theme
        # It has looked, at colours too and everywhere.
        assert {f"{rule} {scene}" for scene in scenes for rule in ("color-contrast", "button-name")} <= set(seen)
    notebook.kernel.run("hold.set()")


# ---- what a screen reader is given --------------------------------------------------------------------------------

SYMBOLS = {"S": "sun", "M": "moon", "T": "stars", "C": "comet"}
STATES = ("disabled", "pressed", "expanded", "live")


@dataclass(frozen=True)
class Node:
    """One node of the accessibility tree."""

    depth: int
    role: str
    name: str
    states: tuple[str, ...]
    above: tuple[str, ...]
    """The names of the nodes around it, from the outermost in."""

    def __str__(self) -> str:
        return " ".join(["  " * self.depth + self.role, *([repr(self.name)] if self.name else []), *self.states])


def tree(table: Table, line: CDPSession) -> list[Node]:
    """What Chromium hands to a screen reader for the table, in reading order, without what it leaves out itself."""
    expression = f"document.querySelectorAll('.soluna')[{table.number}]"
    root = line.send("Runtime.evaluate", {"expression": expression})["result"]["objectId"]
    found: list[dict[str, Any]] = line.send("Accessibility.queryAXTree", {"objectId": root})["nodes"]
    nodes: dict[str, Node] = {}
    told: list[Node] = []
    for each in found:
        role, name = each.get("role", {}).get("value", ""), each.get("name", {}).get("value", "")
        values = {one["name"]: one["value"].get("value") for one in each.get("properties", [])}
        states = tuple(
            state if values[state] is True else f"{state}={values[state]}" for state in STATES if state in values
        )
        parent = nodes.get(each.get("parentId", ""))
        depth, above = (parent.depth, parent.above) if parent else (0, ())
        node = Node(depth, role, name, states, above)
        # A box without a word of its own says nothing; a button's text is its name already.
        silent = each["ignored"] or role == "InlineTextBox" or (role == "generic" and not states)
        if not silent and not (role == "StaticText" and parent and name in ("?", parent.name)):
            told.append(node)
            node = replace(node, depth=depth + 1, above=(*above, name or ("live" if "live=polite" in states else role)))
        nodes[each["nodeId"]] = node
    return told


def checked_tree(table: Table, line: CDPSession, python: dict[str, Any], taken: int | None) -> list[Node]:
    """The tree, which says what Python says: every stack and what it can do, every button and whether it is on."""
    nodes = tree(table, line)
    assert [str(node) for node in nodes if node.role == "list"] == ["    list 'Stacks'"]
    playing = python["phase"] == "playing"
    targets: dict[int, list[int]] = {number: [] for number, _, _ in python["stacks"]}
    for mover, target in python["moves"]:
        targets[mover].append(target)

    def stack(number: int, top: str, height: int) -> str:
        count = len(targets[number])
        if not playing:
            can = ""
        elif taken is None:
            can = ", no legal target" if not count else f", {count} legal target{'s' if count > 1 else ''}"
        else:
            can = ", taken" if number == taken else ", legal target" if number in targets[taken] else ", not a target"
        states = f"{'' if playing else ' disabled'} pressed={str(number == taken).lower()}"
        return f"button '{SYMBOLS[top]}, height {height}{can}'{states}"

    told = [str(node).strip() for node in nodes if "Stacks" in node.above]
    assert told[::2] == ["listitem"] * len(python["stacks"])
    assert sorted(told[1::2]) == sorted(stack(*each) for each in python["stacks"])

    can = {"Undo": "undo", "Redo": "redo", "New match": "new_match", "Hints": "hints"}
    if python["phase"] == "round_over":
        can |= {"Review": "review", "Next round": "next_round"}
    buttons = {node.name: "disabled" not in node.states for node in nodes if "Actions" in node.above}
    always = {"Open a record": True, "Save the record": True, "Help": True, "Replay": python["ply"] > 0}
    assert buttons == {name: python["can"][key] for name, key in can.items()} | always
    stars = [node.name for node in nodes if node.role == "image"]
    names = ("Sol", "Luna")
    assert stars == [f"{name} has {won} of 4 stars" for name, won in zip(names, python["stars"], strict=True)]
    return nodes


PYTHON = (
    "{'phase': w.phase, 'ply': w.match.ply, 'stars': list(w.stars), 'can': w.state['can'],"
    " 'stacks': [(stack.id, stack.top, stack.height) for stack in w.match.stacks], 'moves': list(w.match.moves())}"
)


def test_the_accessibility_tree_of_a_whole_round_says_what_python_says(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook(table_cell(seed=7, opener=0))
    table = notebook.table()
    line = notebook.page.context.new_cdp_session(notebook.page)
    # Otherwise Chromium builds the whole tree anew for each question.
    line.send("Accessibility.enable")
    names = ("Sol", "Luna")
    said = ""
    while True:
        python = notebook.kernel.eval(PYTHON)
        nodes = checked_tree(table, line, python, None)
        assert said in [node.name for node in nodes if "live" in node.above] or python["ply"] == 0
        move = table.legal_move()
        if move is None:
            break
        mover, target = move
        labels = {number: f"{SYMBOLS[top]}, height {height}" for number, (top, height) in table.stacks().items()}
        by = names[table.turn]
        table.click_stack(mover)
        nodes = checked_tree(table, line, python, mover)
        assert any(node.name.startswith(f"{by} holds {labels[mover]}.") for node in nodes if "paragraph" in node.above)
        with table.answered():
            table.click_stack(target)
        top, height = table.stacks()[target]
        said = f"{by} puts {labels[mover]} on {labels[target]}: now {SYMBOLS[top]}, height {height}."
    assert notebook.kernel.eval("w.phase") == "round_over"


END = """
group 'Soluna'
  StaticText 'Sol'
  image 'Sol has 1 of 4 stars'
  StaticText 'Round 1'
  StaticText 'Luna'
  image 'Luna has 0 of 4 stars'
  group 'Table'
    list 'Stacks'
      listitem
        button 'moon, height 4' disabled pressed=false
      listitem
        button 'sun, height 3' disabled pressed=false
  paragraph
    StaticText 'Luna cannot move: all tops and all heights differ. Sol takes a star.'
  group 'Actions'
    button 'Undo'
    button 'Redo' disabled
    button 'New match'
    button 'Replay' pressed=false
    button 'Hints' pressed=false
    button 'Open a record'
    button 'Save the record'
    button 'Help' expanded=False
    button 'Review'
    button 'Next round'
  generic live=polite
    paragraph
      StaticText 'sun, height 1 taken. 1 legal target.'
    paragraph
      StaticText 'Sol puts sun, height 1 on sun, height 2: now sun, height 3.'
    paragraph
      StaticText 'Luna cannot move: all tops and all heights differ. Sol takes a star.'
"""


def test_the_accessibility_tree_at_the_end_of_a_round_line_by_line(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook(table_cell(start="S1 S2 M4", opener=0, seed=1))
    table = notebook.table()
    table.move(1, 2)
    line = notebook.page.context.new_cdp_session(notebook.page)
    assert "\n".join(map(str, tree(table, line))) == END.strip()
