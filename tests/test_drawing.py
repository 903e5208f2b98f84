"""Pictures without a browser: well-formed, described in words, safe with any name, and no two stacks on one place."""

from __future__ import annotations

import re
import sys
from random import Random
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soluna_widget import DiscSet, IllegalMove, InvalidNotation, Match, Position, Rulebook, SolunaError, Stack, drawing
from soluna_widget.drawing import (
    HEIGHT,
    WIDTH,
    describe_turn,
    match_svg,
    move_svg,
    places,
    position_svg,
    radius_for,
    scatter,
    symbol_colour,
)
from soluna_widget.theory import GameTree, Nim, Sum

TILT, THICK = 0.84, 0.21
SVG = "{http://www.w3.org/2000/svg}"
NAMES = ("<img src=x onerror=alert(1)>", "</text></svg><script>'\"&amp;")

stacks = st.builds(Stack, st.sampled_from("SMTCAZ"), st.integers(1, 15))
positions = st.builds(Position, st.lists(stacks, min_size=1, max_size=30))


def read(text: str) -> Element:
    """Read a picture, and check what holds of every one."""
    root = ElementTree.fromstring(text)
    assert root.tag == f"{SVG}svg"
    assert root.get("viewBox") == f"0 0 {root.get('width')} {root.get('height')}"
    title, described = list(root)[:2]
    assert (title.tag, described.tag) == (f"{SVG}title", f"{SVG}desc")
    assert title.text and described.text
    assert root.get("role") == "img" and root.get("aria-label") == described.text
    known = {"svg", "title", "desc", "g", "rect", "path", "ellipse", "circle", "text"}
    for part in root.iter():
        assert part.tag.removeprefix(SVG) in known
        assert not [name for name in part.attrib if name.lower().startswith("on") or name.endswith("href")]
    return root


def texts(root: Element) -> list[str]:
    return ["".join(part.itertext()) for part in root.iter(f"{SVG}text")]


def badges(root: Element) -> list[int]:
    """The heights that are written at the stacks."""
    return [int(text) for group in root.iter(f"{SVG}g") for text in texts(group) if text.isdecimal()]


def described(root: Element) -> str:
    return root.findtext(f"{SVG}desc") or ""


def bounds(root: Element) -> tuple[float, float, float, float]:
    """How far left, up, right and down its discs and numbers reach."""
    boxes = []
    for part in root.iter():
        if part.tag in (f"{SVG}ellipse", f"{SVG}circle"):
            x, y = float(part.get("cx", 0)), float(part.get("cy", 0))
            rx, ry = (float(part.get(name) or part.get("r") or 0) for name in ("rx", "ry"))
            boxes.append((x - rx, y - ry, x + rx, y + ry))
    left, up, right, down = zip(*boxes, strict=True)
    return min(left), min(up), max(right), max(down)


def fits(root: Element) -> bool:
    left, up, right, down = bounds(root)
    return left >= 0 and up >= 0 and right <= float(root.get("width", 0)) and down <= float(root.get("height", 0))


# Positions and moves -------------------------------------------------------------------------------------------------


@settings(deadline=None, max_examples=50)
@given(positions)
def test_a_position_shows_every_stack_with_its_height_and_says_what_it_is(position: Position) -> None:
    root = read(position_svg(position))
    assert len(root.findall(f"{SVG}g")) == len(position.stacks)
    assert badges(root) == [stack.height for stack in position.stacks]
    assert root.findtext(f"{SVG}title") == f"Soluna position {position}"
    assert described(root) == position.describe()
    assert fits(root)


def test_the_top_of_each_stack_is_drawn_in_its_colour() -> None:
    for letter in "SMTCA":
        text = position_svg(Position([Stack(letter, 3)]))
        others = [symbol_colour(other) for other in "SMTCA" if other != letter]
        assert symbol_colour(letter) in text and not any(colour in text for colour in others)


def test_a_letter_without_a_drawing_is_written() -> None:
    assert "Q" in texts(read(position_svg(Position.parse("S1 Q2"))))


def test_all_symbols_have_colours_of_their_own() -> None:
    colours = {symbol_colour(chr(code)) for code in range(ord("A"), ord("Z") + 1)}
    assert len(colours) == 26
    assert all(re.fullmatch("#[0-9a-f]{6}", colour) for colour in colours)


def test_a_caption_stands_below_as_it_was_given() -> None:
    plain = read(position_svg(Position.parse("S1^3")))
    captioned = read(position_svg(Position.parse("S1^3"), caption=NAMES[1]))
    assert texts(captioned)[:-1] == texts(plain) and texts(captioned)[-1] == NAMES[1]
    assert float(captioned.get("height", 0)) > float(plain.get("height", 0))


@settings(deadline=None, max_examples=30)
@given(positions, st.randoms(use_true_random=False))
def test_a_move_shows_the_position_before_and_the_one_after(position: Position, chance: Random) -> None:
    if position.is_over:
        return
    move = chance.choice(position.moves())
    root = read(move_svg(position, move))
    after = position.play(move)
    assert badges(root) == [stack.height for stack in (*position.stacks, *after.stacks)]
    for words in (position.describe(), after.describe(), move.mover.describe(), move.target.describe()):
        assert words in described(root)
    assert read(move_svg(position, str(move))) is not None and move_svg(position, str(move)) == move_svg(position, move)
    assert fits(root)


def test_a_move_that_cannot_be_made_is_not_drawn() -> None:
    position = Position.parse("S1 M2")
    with pytest.raises(IllegalMove):
        move_svg(position, "S1>M2")
    with pytest.raises(InvalidNotation):
        move_svg(position, "sun on moon")


# Matches -------------------------------------------------------------------------------------------------------------

MATCHES = {
    "bga": Match(seed=1, players=NAMES),
    "morapiaf": Match("morapiaf", seed=2, players=NAMES),
    "placing": Match(seed=3, players=NAMES, placing=True),
    "misere": Match(seed=4, players=NAMES, misere=True),
    "28 discs": Match(seed=5, players=NAMES, discs=DiscSet.pairs("SMTCABDE", copies=1)),
    "by hand": Match(seed=6, players=NAMES, start="S1^2,3 M2 T7 Q1"),
    "twelve stars": Match(Rulebook("long", stars=12), seed=7, players=NAMES, start="S1^2"),
}


@pytest.mark.parametrize("name", MATCHES)
def test_a_match_is_drawn_at_every_turn_with_its_names_stars_and_stacks(name: str) -> None:
    match, chance = Match.from_record(MATCHES[name].record()), Random(1)
    for _ in range(45):
        root = read(match_svg(match))
        assert badges(root) == [
            stack.height for stack in sorted(match.stacks, key=lambda stack: places(match)[stack.id - 1].y)
        ]
        left, right = texts(root)[:2]
        assert left.startswith(NAMES[0]) and right.endswith(NAMES[1])
        for seat, line in enumerate((left, right)):
            stars = match.stars[seat]
            if match.rulebook.stars == 4:
                assert (line.count("★"), line.count("☆")) == (stars, 4 - stars)
            else:
                assert f"★ {stars} of 12" in line
        assert f"round {match.round}" in texts(root) and describe_turn(match) in texts(root)
        assert describe_turn(match) in described(root)
        assert match.position is None or match.position.describe() in described(root)
        assert not match.stacks or fits(root)
        if match.phase == "match_over":
            break
        go_on(match, chance)


def go_on(match: Match, chance: Random) -> None:
    match match.phase:
        case "placing":
            match.place()
        case "choosing":
            match.choose(chance.choice(("first", "second")))
        case "playing":
            match.play(chance.choice(match.moves()))
        case "round_over":
            match.next_round()


def test_a_caption_stands_instead_of_whose_turn_it_is() -> None:
    match = Match(seed=1)
    root = read(match_svg(match, caption="<i>later</i>"))
    assert "<i>later</i>" in texts(root) and describe_turn(match) not in texts(root)
    assert describe_turn(match) in described(root)


def test_positions_and_matches_draw_themselves_in_a_notebook() -> None:
    match = Match(seed=1)
    assert match.position is not None
    assert match._repr_svg_() == match_svg(match)
    assert match.position._repr_svg_() == position_svg(match.position)


@pytest.mark.parametrize(
    ("match", "words"),
    [
        (Match(seed=1, opener=1, placing=True), "Luna places a disc."),
        (Match("morapiaf", seed=1, youngest=1), "Luna chooses to go first or second."),
        (Match(seed=1, opener=0), "It is the turn of Sol."),
        (Match(seed=1, opener=0, start="S1"), "Sol cannot move. Luna takes a star."),
        (Match(seed=1, opener=0, start="S1", misere=True), "Sol cannot move. Sol takes a star."),
        (
            Match(Rulebook("one", stars=1), seed=1, opener=1, start="S1"),
            "Luna cannot move. Sol wins the match, 1 to 0.",
        ),
        (
            Match(Rulebook("one", stars=1), seed=1, opener=1, start="S1", misere=True),
            "Luna cannot move. Luna wins the match, 1 to 0.",
        ),
    ],
)
def test_what_a_match_waits_for_is_said_in_a_sentence(match: Match, words: str) -> None:
    assert describe_turn(match) == words


# Places on the table -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", range(1, 61))
def test_thrown_stacks_lie_on_the_table_and_never_on_each_other(count: int) -> None:
    radius = radius_for(count)
    for seed in range(100 if count <= 14 else 8):
        thrown = scatter(count, f"{count}/{seed}")
        assert len(thrown) == count
        for number, (x, y) in enumerate(thrown):
            assert radius <= x <= WIDTH - radius
            assert radius * TILT <= y <= HEIGHT - radius * (TILT + THICK)
            for a, b in thrown[:number]:
                assert (x - a) ** 2 + ((y - b) / TILT) ** 2 > (2 * radius) ** 2


@settings(deadline=None, max_examples=50)
@given(st.integers(1, 20), st.text(max_size=20))
def test_the_same_seed_throws_the_same_places(count: int, seed: str) -> None:
    first = scatter(count, seed)
    scatter.cache_clear()
    assert scatter(count, seed) == first


def test_other_seeds_throw_other_places_and_none_of_them_in_rows() -> None:
    throws = [scatter(12, str(seed)) for seed in range(200)]
    assert len(set(throws)) == 200
    assert all(len({place.y for place in thrown}) > 6 for thrown in throws)


def test_discs_are_smaller_where_there_are_more_but_never_larger_than_twelve_allow() -> None:
    radii = [radius_for(count) for count in range(101)]
    assert radii == sorted(radii, reverse=True)
    assert radii[0] == radii[1] == 46 and radii[12] > 40 and radii[100] >= 15


def test_a_throw_that_found_no_room_lies_in_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    thrown = {count: scatter(count, "rows") for count in range(1, 101)}
    scatter.cache_clear()
    monkeypatch.setattr(drawing, "_lie_freely", lambda spots, radius: False)
    for count, usual in thrown.items():
        radius, laid = radius_for(count), scatter(count, "rows")
        assert len(set(laid)) == count and laid != usual
        for number, (x, y) in enumerate(laid):
            assert radius <= x <= WIDTH - radius
            assert radius * TILT <= y <= HEIGHT - radius * (TILT + THICK)
            assert all((x - a) ** 2 + ((y - b) / TILT) ** 2 > (2 * radius) ** 2 for a, b in laid[:number])
    scatter.cache_clear()


@pytest.mark.parametrize("count", [61, 80, 100])
def test_a_full_table_still_has_room(count: int) -> None:
    radius = radius_for(count)
    thrown = scatter(count, "full")
    assert all(
        (x - a) ** 2 + ((y - b) / TILT) ** 2 > (2 * radius) ** 2
        for number, (x, y) in enumerate(thrown)
        for a, b in thrown[:number]
    )


# Game trees ----------------------------------------------------------------------------------------------------------


def cards(root: Element) -> dict[int, Element]:
    return {int(part.attrib["data-node"]): part for part in root.iter(f"{SVG}g") if "data-node" in part.attrib}


def edges(root: Element) -> dict[tuple[int, int], float]:
    """The edges, and how heavy each is drawn."""
    return {
        tuple(map(int, part.attrib["data-edge"].split())): float(part.attrib["stroke-width"])  # type: ignore[misc]
        for part in root.iter(f"{SVG}path")
        if "data-edge" in part.attrib
    }


TREES = [
    GameTree(Position.parse("S1^2 M1^2")),
    GameTree(Position.parse("S1^3 M1^2"), misere=True, merge="canonical"),
    GameTree(Position.start(S=3, M=3, T=3, C=3), 1),
    GameTree(Nim(1, 2)),
    GameTree(Nim(2, 2), merge="none"),
    GameTree(Sum(Position.parse("S1^2"), Nim(1))),
    GameTree(Nim()),
]


@pytest.mark.parametrize("shape", TREES, ids=repr)
def test_a_tree_shows_every_position_who_wins_and_its_value(shape: GameTree) -> None:
    root = read(drawing.tree(shape))
    assert set(cards(root)) == {node.id for node in shape.nodes}
    for id, card in cards(root).items():
        assert card.findtext(f"{SVG}title") == shape.line(id)
        letter, value = texts(card)[:2]
        assert letter == shape.outcome(id)
        assert value.split()[-2:] == ["value", str(shape.grundy(id))] and value.startswith("misère") == shape.misere
        assert str(shape.nodes[id].game) in " ".join(texts(card))
        assert shape.line(id) in described(root)
        if isinstance(shape.nodes[id].game, Position):
            assert [int(text) for g in card.iter(f"{SVG}svg") for text in texts(g)] == [
                stack.height for stack in shape.nodes[id].game.stacks
            ]
        # The letter and the rim tell P from N where colours do not.
        rim = card.find(f"{SVG}rect")
        assert rim is not None and (float(rim.attrib["stroke-width"]) > 3) == (letter == "P")
        widest = max(len(part.text or "") * float(part.attrib["font-size"]) for part in card.findall(f"{SVG}text"))
        assert float(rim.attrib["width"]) > 0.6 * widest + 12
        assert ("⋯" in texts(card)) == shape.nodes[id].cut
    assert set(edges(root)) == set(shape.edges)
    for (_, target), weight in edges(root).items():
        assert (weight > 2) == (shape.outcome(target) == "P")


def test_a_tree_without_values_asks_for_none() -> None:
    huge = GameTree(Position.start(S=12, M=12, T=12), 1, merge="canonical")
    root = read(drawing.tree(huge, values=False, caption=NAMES[0]))
    assert not {"P", "N"} & set(texts(root)) and texts(root)[-1] == NAMES[0]
    assert set(edges(root).values()) == {1.4}


def test_any_game_is_drawn_and_a_picture_may_be_given() -> None:
    box = '<svg xmlns="http://www.w3.org/2000/svg" width="40px" height="30" style="width: 100%"><circle r="7"/></svg>'
    root = read(drawing.tree(Nim(2), picture=lambda game: box if game.heaps else ""))
    assert [len(card.findall(f".//{SVG}circle")) for card in cards(root).values()] == [1, 1, 0]
    assert all(inner.get("style") is None for inner in root.iter(f"{SVG}svg") if inner is not root)
    wide = box.replace('"40px"', '"4000"')
    assert float(read(drawing.tree(Nim(1), picture=lambda _: wide)).get("width", 0)) < 500
    assert read(drawing.tree(Position.parse("S1^2"), picture=position_svg)) is not None


@pytest.mark.parametrize("text", ["<svg", "a heap", "<p/>", "<svg/>", '<svg width="100%" height="3"/>', 7])
def test_a_picture_that_is_none_is_refused(text: object) -> None:
    with pytest.raises(SolunaError, match=r"^picture: "):
        drawing.tree(Nim(1), picture=lambda _: text)  # type: ignore[arg-type,return-value]  # that is the point


def test_names_in_a_tree_are_text() -> None:
    class Named(str):
        def options(self) -> list[str]:
            return []

    root = read(drawing.tree(Named(NAMES[1])))
    assert "".join(texts(root)[2:4]) == NAMES[1]  # in two lines


def overlaps(root: Element) -> bool:
    boxes = []
    for card in cards(root).values():
        x, y = map(float, card.attrib["transform"].removeprefix("translate(").rstrip(")").split())
        rim = card.find(f"{SVG}rect")
        assert rim is not None
        boxes.append((x, y, x + float(rim.attrib["width"]), y + float(rim.attrib["height"])))
    width, height = float(root.get("width", 0)), float(root.get("height", 0))
    assert all(a >= 0 and b >= 0 and c <= width and d <= height for a, b, c, d in boxes)
    return any(
        a < g and e < c and b < h and f < d
        for number, (a, b, c, d) in enumerate(boxes)
        for e, f, g, h in boxes[:number]
    )


@pytest.mark.parametrize("engine", ["simple", "graphviz"])
def test_cards_do_not_overlap(engine: str) -> None:
    if engine == "graphviz":
        pytest.importorskip("pygraphviz")
    for shape in (*TREES, GameTree(Nim(3, 4, 5))):
        root = read(drawing.tree(shape, engine=engine))  # type: ignore[arg-type]  # one of the two
        assert not overlaps(root)
        assert set(edges(root)) == set(shape.edges)


def test_a_large_tree_without_graphviz_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pygraphviz", None)
    large = GameTree(Nim(3, 4, 5))
    with pytest.raises(SolunaError, match=r"pip install 'soluna-widget\[trees\]'"):
        drawing.tree(large)
    assert large._repr_svg_() is None
    assert read(drawing.tree(large, engine="simple")) is not None
    assert GameTree(Nim(1, 2))._repr_svg_() == drawing.tree(Nim(1, 2))


def test_an_engine_that_is_none_is_refused() -> None:
    with pytest.raises(SolunaError, match=r"^engine: "):
        drawing.tree(Nim(1), engine="best")  # type: ignore[arg-type]  # that is the point
