"""Game trees: every option once, merged as asked, counted as by walking every play, laid out without overlaps."""

from __future__ import annotations

import json
import pickle
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soluna_widget import Position, SolunaError, theory
from soluna_widget.theory import GameTree, Kayles, Nim, Sum, layout
from tests import naive
from tests.theory import brute
from tests.theory.games import Countdown, Place, Step, places, tree_of

MERGES: list[Any] = ["equal", "canonical", "none"]


def lengths(tree: brute.Tree) -> Counter[int]:
    """How many plays of each length there are, by playing all of them."""
    if not tree:
        return Counter([0])
    return sum((Counter({1 + moves: ways for moves, ways in lengths(option).items()}) for option in tree), Counter())


@settings(deadline=None)
@given(places(most=7), st.sampled_from(MERGES))
def test_every_node_has_its_options_and_every_edge_leads_down(game: Place, merge: Any) -> None:
    tree = GameTree(game, merge=merge)
    assert tree.root.game == game and tree.root.level == 0
    assert [node.id for node in tree.nodes] == list(range(len(tree)))
    for node in tree.nodes:
        assert {tree.nodes[id].game for id in node.options} == set(node.game.options())
        assert all(tree.nodes[id].level > node.level and id > node.id for id in node.options)
        assert not node.cut
    assert sum(tree.levels) == len(tree) and min(tree.levels) > 0
    if merge == "equal":
        assert len({node.game for node in tree.nodes}) == len(tree)
    # Some longest way leads to each level.
    above = {id: node.level for node in tree.nodes for id in node.options if node.level == tree.nodes[id].level - 1}
    assert set(above) == {node.id for node in tree.nodes} - {0}


@settings(deadline=None)
@given(places(most=7), st.sampled_from(MERGES))
def test_plays_are_counted_as_by_playing_all_of_them(game: Place, merge: Any) -> None:
    once = Place(tuple(tuple(dict.fromkeys(options)) for options in game.map), game.at)
    tree, by_hand = GameTree(game, merge=merge), lengths(tree_of(once))
    assert tree.plays == tuple(by_hand[moves] for moves in range(max(by_hand) + 1))


@settings(deadline=None)
@given(places(most=6))
def test_without_merging_the_nodes_are_those_of_the_whole_tree(game: Place) -> None:
    def count(tree: brute.Tree) -> int:
        return 1 + sum(count(option) for option in tree)

    once = Place(tuple(tuple(dict.fromkeys(options)) for options in game.map), game.at)
    tree = GameTree(game, merge="none")
    assert len(tree) == count(tree_of(once)) == len(tree.edges) + 1


@pytest.mark.parametrize("symbols", ["SSMM", "SSMT", "SSSMM", "SMTC"])
def test_plays_of_soluna_are_the_naive_engines(symbols: str) -> None:
    position, table = Position.parse(naive.text(naive.shape(symbols))), list(symbols)
    for way, merge in (("options", "equal"), ("options up to renaming", "canonical")):
        every = naive.perft(table, way)
        plays = GameTree(position, merge=merge).plays
        ended = [0] * len(every)
        waiting = [(naive.shape(symbols), 0)]
        while waiting:
            some, moves = waiting.pop()
            choices = naive.choices(naive.table_of(some), way)
            ended[moves] += not choices
            waiting += [(choice, moves + 1) for choice in choices]
        assert list(plays) == ended
    assert all(GameTree(position, depth).plays[-1] >= every[depth] for depth in range(2))


def test_a_depth_cuts_and_says_where() -> None:
    tree = GameTree(Nim(3), 1)
    assert [(str(node.game), node.level, node.cut) for node in tree.nodes] == [
        ("Nim 3", 0, False), ("Nim 0", 1, False), ("Nim 1", 1, True), ("Nim 2", 1, True),
    ]  # fmt: skip
    assert len(GameTree(Nim(3), 0)) == 1 and GameTree(Nim(3), 0).root.cut
    assert GameTree(Nim(3), 99).edges == GameTree(Nim(3)).edges
    huge = Position.start(S=10, M=10, T=10, C=10)
    assert GameTree(huge, 2, merge="canonical").levels[:2] == (1, 2)
    assert "left out" in GameTree(huge, 1).to_text(values=False)


def test_merging_up_to_renaming_keeps_the_position_that_was_met() -> None:
    start = Position.start(S=3, M=3, T=3, C=3)
    assert GameTree(start, 1).levels == (1, 16)
    tree = GameTree(start, 1, merge="canonical")
    assert tree.levels == (1, 2)
    assert all(node.game in start.options() for node in tree.nodes[1:])
    assert sum(len(tree.moves(0, option)) for option in tree.root.options) == len(start.moves())
    assert len(GameTree(start, merge="canonical")) == 688


def test_moves_are_those_that_lead_to_the_option() -> None:
    tree = GameTree(Position.parse("S1^2 M1"))
    for source, target in tree.edges:
        moves = tree.moves(source, target)
        game = tree.nodes[source].game
        assert moves == tuple(move for move in game.moves() if game.play(move) == tree.nodes[target].game) != ()


@pytest.mark.parametrize("misere", [False, True])
def test_values_are_those_of_the_whole_game_below(misere: bool) -> None:
    tree = GameTree(Nim(2, 2), 1, misere=misere)
    for node in tree.nodes:
        assert tree.outcome(node) == theory.outcome(node.game, misere)
        assert tree.remoteness(node.id) == theory.remoteness(node.game, misere)
        assert tree.grundy(node) == (theory.misere_grundy(node.game) if misere else theory.grundy(node.game))


def test_a_tree_travels_without_the_memory_that_all_share() -> None:
    tree = GameTree(Nim(2, 2))
    size = len(pickle.dumps(tree))
    theory.outcome(Position.start(S=3, M=3, T=2))
    assert len(pickle.dumps(tree)) == size
    assert pickle.loads(pickle.dumps(tree)).to_text() == tree.to_text()


# Refusals ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ({"game": 3}, "^game: "),
        ({"depth": -1}, "^depth: "),
        ({"depth": "all"}, "^depth: "),
        ({"merge": "some"}, "^merge: "),
        ({"limit": 0}, "^limit: "),
        ({"limit": 5}, "more than 5 nodes"),
    ],
)
def test_arguments_that_make_no_sense_are_refused(arguments: Any, why: str) -> None:
    with pytest.raises(SolunaError, match=why):
        GameTree(**{"game": Nim(3, 3), **arguments})


def test_a_tree_whose_play_comes_back_is_refused() -> None:
    for map in (((0,),), ((1,), (0,))):
        with pytest.raises(theory.CyclicGame, match="come back"):
            GameTree(Place(map, 0))
    with pytest.raises(SolunaError, match="nodes"):
        GameTree(Place(((0,),), 0), merge="none", limit=50)


def test_a_node_that_is_not_there_is_refused() -> None:
    for node in (-1, 2, "root"):
        with pytest.raises(SolunaError, match=r"^node: "):
            GameTree(Nim(1)).outcome(node)  # type: ignore[arg-type]  # that is the point


def test_a_chain_of_ten_thousand_is_a_tree() -> None:
    tree = GameTree(Step(10_000))
    assert len(tree.levels) == 10_001 and tree.plays[-1] == 1
    assert len(tree.to_text("indented", values=False).splitlines()) == 10_002


# For other tools ------------------------------------------------------------------------------------------------------


def test_nodes_and_edges_are_plain_data() -> None:
    tree = GameTree(Nim(1, 2))
    told = json.loads(json.dumps(tree.to_dict()))
    assert told == tree.to_dict()
    assert told["nodes"][0] == {
        "id": 0, "label": "Nim 1 2", "level": 0, "cut": False, "outcome": "N", "remoteness": 3, "grundy": 3,
    }  # fmt: skip
    assert told["edges"][0] == {"source": 0, "target": 1, "moves": ["1>0"]}
    assert [(row["source"], row["target"]) for row in told["edges"]] == list(tree.edges)
    assert set(tree.to_nodes(values=False)[0]) == {"id", "label", "level", "cut"}
    assert set(tree.to_edges(moves=False)[0]) == {"source", "target"}


def test_networkx_takes_them() -> None:
    tree = GameTree(Nim(1, 2))
    networkx = pytest.importorskip("networkx")
    graph = networkx.node_link_graph(tree.to_dict(), edges="edges")
    assert set(graph.edges) == set(tree.edges) and graph.nodes[2]["outcome"] == "P"
    assert networkx.is_directed_acyclic_graph(graph)


def test_pandas_takes_them() -> None:
    tree = GameTree(Nim(1, 2))
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(tree.to_nodes()).set_index("id")
    assert list(frame.outcome) == ["N", "N", "P", "N", "P"] and len(pandas.DataFrame(tree.to_edges())) == 7


def test_every_node_is_in_the_text_once_by_levels_and_its_options_once_indented() -> None:
    tree = GameTree(Nim(2, 2))
    assert tree.to_text() == str(tree)
    for node in tree.nodes:
        (line,) = [line for line in tree.to_text().splitlines() if line.startswith(f"  {node.id}. ")]
        assert tree.line(node) in line
        if node.options:
            assert line.endswith(f"Options {', '.join(map(str, node.options))}.")
    lines = tree.to_text("indented", values=False).splitlines()
    assert len(lines) == 2 + len(tree.edges)
    assert lines[1:3] == ["  Nim 2 2", "    Nim 1 2"]
    with pytest.raises(SolunaError, match=r"^style: "):
        tree.to_text("round")  # type: ignore[arg-type]  # that is the point


# Layout --------------------------------------------------------------------------------------------------------------


def check_layout(tree: GameTree) -> None:
    sizes = [(40.0 + 7 * (node.id % 5), 20.0 + 9 * (node.id % 3)) for node in tree.nodes]
    laid = tree.layout(sizes, (10, 30))
    boxes = [(x - w / 2, y - h / 2, x + w / 2, y + h / 2) for (x, y), (w, h) in zip(laid.centres, sizes, strict=True)]
    for number, (left, top, right, bottom) in enumerate(boxes):
        assert left >= -0.5 and top >= -0.5 and right <= laid.width + 0.5 and bottom <= laid.height + 0.5
        for other in boxes[:number]:
            assert right <= other[0] or other[2] <= left or bottom <= other[1] or other[3] <= top
    heights = {node.level: laid.centres[node.id][1] for node in tree.nodes}
    assert all(abs(laid.centres[node.id][1] - heights[node.level]) < 0.5 for node in tree.nodes)
    assert [heights[level] for level in range(len(heights))] == sorted(heights.values())
    assert set(laid.paths) == set(tree.edges)
    for (source, target), path in laid.paths.items():
        assert len(path) % 3 == 1
        for (x, y), node, side in ((path[0], source, 1), (path[-1], target, -1)):
            assert abs(x - laid.centres[node][0]) < 2
            assert abs(y - (laid.centres[node][1] + side * sizes[node][1] / 2)) < 2


@settings(deadline=None, max_examples=60)
@given(places(most=9), st.sampled_from(MERGES))
def test_our_layout_keeps_levels_and_lets_nothing_overlap(game: Place, merge: Any) -> None:
    check_layout(GameTree(game, merge=merge))


@pytest.mark.parametrize("game", [Nim(1, 2, 2), Kayles(7), Sum(Nim(2), Position.parse("S1^2 M1")), Nim()], ids=str)
def test_games_are_laid_out_so_too(game: Any) -> None:
    check_layout(GameTree(game))


def test_edges_over_several_levels_pass_beside_the_nodes_between() -> None:
    tree = GameTree(Countdown(8))
    sizes = (40.0, 20.0)
    laid = tree.layout(sizes, (10, 30))
    for (source, target), path in laid.paths.items():
        for x, y in path:
            for node in tree.nodes:
                if node.id not in (source, target):
                    cx, cy = laid.centres[node.id]
                    assert abs(x - cx) >= 20 or abs(y - cy) >= 10


def test_crossings_are_counted_and_avoided() -> None:
    down = {0: [3], 1: [2], 2: [], 3: []}
    assert layout.crossings([0, 1], [2, 3], down) == 1
    assert layout.crossings([1, 0], [2, 3], down) == 0
    assert layout.crossings([0, 1], [2, 3], {0: [2, 3], 1: [2, 3]}) == 1
    # A crossing that a swap undoes.
    laid = layout.layered([0, 1, 1, 2, 2], [(0, 1), (0, 2), (1, 4), (2, 3)], [(1.0, 1.0)] * 5, (1, 1))
    x = [place[0] for place in laid.centres]
    assert (x[1] < x[2]) == (x[4] < x[3])


def test_a_tree_in_the_strict_sense_is_drawn_without_crossings() -> None:
    tree = GameTree(Nim(2, 2), merge="none")
    laid = tree.layout()
    for level in range(1, len(tree.levels)):
        parents = {option: node.id for node in tree.nodes for option in node.options}
        row = sorted((node.id for node in tree.nodes if node.level == level), key=lambda id: laid.centres[id][0])
        above = [laid.centres[parents[id]][0] for id in row]
        assert all(one <= other for one, other in pairwise(above))
