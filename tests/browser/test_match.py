"""Whole matches, played by clicks."""

from __future__ import annotations

from pathlib import Path

from tests.browser.harness import OpenNotebook, Table, table_cell


def tops(table: Table) -> list[str]:
    return sorted(top for top, _ in table.stacks().values())


def test_a_match_to_four_stars_under_bga(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook(table_cell(rulebook="bga", seed=7, opener=0))
    table = notebook.table()
    stars, opener = [0, 0], 0
    for number in range(1, 8):
        assert (table.phase, table.turn) == ("playing", opener)
        assert [height for _, height in table.stacks().values()] == [1] * 12
        moves = table.play_round()
        # The stacks that are left tell the moves, and the moves tell who cannot make another.
        assert moves == 12 - len(table.stacks())
        blocked = (opener + moves) % 2
        stars[1 - blocked] += 1
        assert table.turn == blocked
        assert notebook.kernel.eval("(w.match.round, list(w.stars))") == (number, stars)
        table.agrees_with(notebook.kernel)
        if 4 in stars:
            break
        assert table.phase == "round_over"
        table.press("Next round")
        opener = blocked
    assert table.phase == "match_over"
    winner = stars.index(4)
    assert notebook.kernel.eval("(w.phase, w.winner)") == ("match_over", winner)
    assert f"{('Sol', 'Luna')[winner]} wins the match" in table.status()
    table.press("New match")
    assert (table.phase, len(table.stacks())) == ("playing", 12)
    assert notebook.kernel.eval("w.stars") == (0, 0)


def test_a_match_to_four_stars_under_morapiaf(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook(table_cell(rulebook="morapiaf", seed=3, youngest=1))
    # The other whole match glides; this one is for people who have asked for less motion.
    notebook.page.emulate_media(reduced_motion="reduce")
    notebook.spoiled = True
    table = notebook.table()
    faces = tops(table)
    stars, chooser = [0, 0], 1
    for order in ("first", "second") * 4:
        assert (table.phase, table.turn) == ("choosing", chooser)
        # The stacks were taken apart without turning a disc.
        assert tops(table) == faces
        assert len(faces) == 12
        table.press(f"Play {order}")
        opener = chooser if order == "first" else 1 - chooser
        assert (table.phase, table.turn) == ("playing", opener)
        blocked = (opener + table.play_round()) % 2
        stars[1 - blocked] += 1
        assert notebook.kernel.eval("list(w.stars)") == stars
        table.agrees_with(notebook.kernel)
        if 4 in stars:
            break
        table.press("Next round")
        chooser = blocked
    assert table.phase == "match_over"
    assert notebook.kernel.eval("w.winner") == stars.index(4)


def test_discs_can_be_put_down_one_by_one(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook(table_cell(placing=True, seed=1, opener=0))
    table = notebook.table()
    for number in range(12):
        assert (table.phase, table.turn, len(table.stacks())) == ("placing", number % 2, number)
        table.press("Place a disc")
    assert table.phase == "playing"
    table.agrees_with(notebook.kernel)


def test_a_game_against_the_computer(open_notebook: OpenNotebook) -> None:
    """Case 16, jonthysell/Mzinga#30: undo after the computer's reply goes back to the person's turn."""
    notebook = open_notebook(table_cell(opponent="random", seed=5, opener=0))
    table, page = notebook.table(), notebook.page
    before = table.stacks()
    move = table.legal_move()
    assert move is not None
    table.click_stack(move[0])
    table.click_stack(move[1])
    page.wait_for_function(
        "() => { const { turn, revision } = document.querySelector('.soluna').dataset;"
        " return turn === '0' && Number(revision) > 1; }"
    )
    assert len(table.stacks()) == 10
    table.press("Undo")
    assert (table.turn, table.stacks()) == (0, before)
    table.agrees_with(notebook.kernel)


def test_python_moves_and_the_table_follows(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook(table_cell(seed=1, opener=0))
    table = notebook.table()
    for code in (
        "w.play(w.match.moves()[0])",
        "w.match.play(w.match.moves()[0])",
        "w.undo()",
        "w.redo()",
        "w.new_match()",
    ):
        with table.answered():
            notebook.kernel.run(code)
        table.agrees_with(notebook.kernel)


def test_case_6_undo_and_new_match_in_the_middle_of_a_move(open_notebook: OpenNotebook) -> None:
    """shaack/cm-chessboard#62: what is drawn equals the state, however often a glide was cut short."""
    notebook = open_notebook(table_cell(seed=2, opener=0))
    table = notebook.table()
    for button in ("Undo", "New match") * 10:
        move = table.legal_move()
        assert move is not None
        # Python answers in the first half of the glide, and the button is pressed at once.
        table.move(*move)
        table.press(button)
        assert len(table.stacks()) == 12
    table.agrees_with(notebook.kernel)
    notebook.page.wait_for_function("() => document.querySelector('.soluna-flights').childElementCount === 0")
    places = "(root, kind) => [...root.querySelectorAll(kind)].map((pile) => pile.getAttribute('transform')).sort()"
    assert table.root.evaluate(places, ".soluna-piles > *") == table.root.evaluate(places, "[data-stack]")


def test_a_record_is_saved_from_the_table_and_opened_at_another(open_notebook: OpenNotebook, tmp_path: Path) -> None:
    notebook = open_notebook(
        table_cell(seed=7, opener=0), table_cell(seed=8, opener=1).replace("w = ", "v = ").removesuffix("w") + "v"
    )
    page, table, other = notebook.page, notebook.table(), notebook.table(1)
    table.play_round()
    table.press("Next round")
    move = table.legal_move()
    assert move is not None
    table.move(*move)
    with page.expect_download() as download, table.answered():
        table.button("Save the record").click()
    saved = tmp_path / download.value.suggested_filename
    download.value.save_as(saved)
    assert saved.name == "match.soluna"
    assert saved.read_text(encoding="utf-8") == notebook.kernel.eval("w.match.record()")

    def open_at(where: Table, file: Path) -> None:
        with page.expect_file_chooser() as chooser:
            where.button("Open a record").click()
        with where.answered():
            chooser.value.set_files(file)

    open_at(other, saved)
    assert notebook.kernel.eval("v.match == w.match and v.match is not w.match")
    assert other.position() == table.position()
    # The whole match came with it, to be stepped through.
    other.button("Replay").click()
    other.button("First move").click()
    assert other.data("replay") == "1.0"
    other.button("Back to the table").click()

    broken = tmp_path / "broken.soluna"
    broken.write_text(saved.read_text(encoding="utf-8").replace("2. ", "3. ", 1), encoding="utf-8")
    before = other.position()
    open_at(other, broken)
    assert "Line 9, round 1, ply 2" in other.status()
    assert other.position() == before


def test_hints_and_a_review_from_the_solver(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook(table_cell(start="S1^3 M1^2 T1^2", seed=7, opener=0))
    table = notebook.table()
    assert table.root.locator(".soluna-hint").count() == 0
    table.press("Hints")
    assert notebook.kernel.eval("w.hints") is True
    while table.phase == "playing":
        # A player who always takes the worst that the table shows.
        hints = notebook.kernel.eval("[(h['mover'], h['target'], h['won']) for h in w.state['hints']]")
        mover, target, _ = min(hints, key=lambda hint: hint[2])
        table.click_stack(mover)
        shown = table.root.locator(".soluna-hint")
        assert shown.count() == sum(hint[0] == mover for hint in hints)
        words = sorted(text.split()[0] for text in shown.all_text_contents())
        assert words == sorted("wins" if won else "loses" for one, _, won in hints if one == mover)
        with table.answered():
            table.click_stack(target)
    table.press("Review")
    mistakes = notebook.kernel.eval("[mistake['move'] for mistake in w.state['review']['mistakes']]")
    assert mistakes, "who always loses on purpose gives wins away"
    items = table.root.get_by_role("region", name="Review").get_by_role("listitem")
    assert items.count() == len(mistakes)
    items.first.get_by_role("button").click()
    assert table.data("replay") == f"1.{mistakes[0]}"
