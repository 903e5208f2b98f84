"""The discs: two different faces, the boxed set, other sets, and how they fall."""

from __future__ import annotations

import copy
import pickle
import tracemalloc
from collections import Counter
from itertools import combinations, product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soluna_widget import Disc, DiscSet, InvalidNotation, Position, SolunaError, Stack
from soluna_widget.discs import DISC_SETS, layout_position

settings.register_profile("soluna", deadline=None, print_blob=True, max_examples=60)
settings.load_profile("soluna")

BOX = DISC_SETS["soluna"]
BABYLON = DISC_SETS["babylon"]

SYMBOLS = st.sampled_from("SMTCABZ")
DISCS = st.builds(lambda pair: Disc(*pair), st.lists(SYMBOLS, min_size=1, max_size=2, unique=True))
SETS = st.lists(DISCS, min_size=1, max_size=16)


def faces_of(disc: Disc) -> frozenset[str]:
    return frozenset({disc.up, disc.down} - {None})  # type: ignore[arg-type]


# One disc ------------------------------------------------------------------------------------------------------------


def test_a_disc_has_two_different_symbols_one_of_them_up() -> None:
    disc = Disc("S", "M")
    assert (disc.up, disc.down) == ("S", "M")
    assert disc.turned() == Disc("M", "S")
    assert disc.turned().turned() == disc
    with pytest.raises(SolunaError):
        Disc("S", "S")


def test_a_tablet_of_babylon_has_one_colour_and_stays_when_turned() -> None:
    assert Disc("S").turned() == Disc("S")
    assert Disc("S").faces == ("S",)


def test_a_disc_is_another_when_its_other_face_is_up_but_has_the_same_faces() -> None:
    assert Disc("S", "M") != Disc("M", "S")
    assert Disc("S", "M").faces == Disc("M", "S").faces == ("S", "M")


@pytest.mark.parametrize("faces", [("s", "M"), ("S", "m"), ("", "M"), ("SM", "T"), (1, "M"), ("S", 2), (None, "S")])
def test_a_face_is_one_capital_letter(faces: tuple[str, str]) -> None:
    with pytest.raises(SolunaError):
        Disc(*faces)


@given(DISCS)
def test_a_disc_is_read_back_from_how_it_is_written(disc: Disc) -> None:
    assert Disc.parse(str(disc)) == disc
    assert eval(repr(disc)) == disc
    assert pickle.loads(pickle.dumps(disc)) == copy.copy(disc) == disc


@pytest.mark.parametrize("text", ["", "SS", "sm", "S M", "SMT", "1", "ÅS", "S^2", " S", "S\n", None, 5, b"SM"])
def test_text_that_means_no_disc_is_refused(text: str) -> None:
    with pytest.raises(InvalidNotation):
        Disc.parse(text)


# The boxed set -------------------------------------------------------------------------------------------------------


def test_the_box_has_each_of_the_six_pairs_of_symbols_on_exactly_two_discs() -> None:
    assert BOX.size == 12
    assert Counter(faces_of(disc) for disc in BOX.discs) == {frozenset(pair): 2 for pair in combinations("SMTC", 2)}


def test_each_symbol_is_on_six_discs_of_the_box() -> None:
    assert Counter(face for disc in BOX.discs for face in disc.faces) == dict.fromkeys("SMTC", 6)


def test_over_all_4096_ways_the_box_can_fall_at_most_six_discs_show_one_symbol() -> None:
    most, layouts = Counter[str](), Counter[tuple[int, ...]]()
    for bits in range(2**12):
        up = Counter(disc.faces[bits >> place & 1] for place, disc in enumerate(BOX.discs))
        assert sum(up.values()) == 12
        for symbol, shown in up.items():
            most[symbol] = max(most[symbol], shown)
        layouts[tuple(sorted((up[symbol] for symbol in "SMTC"), reverse=True))] += 1
    assert most == dict.fromkeys("SMTC", 6)
    assert max(counts[0] + counts[1] for counts in layouts) == 10, "two symbols are on ten discs, not on more"
    assert sum(layouts.values()) == 4096
    assert min(layouts)[0] == 3, "3-3-3-3 is the evenest layout"


def test_babylon_has_three_tablets_of_each_of_four_colours_and_one_start() -> None:
    assert BABYLON.size == 12
    layouts = {layout_position(BABYLON.throw(Random(seed))) for seed in range(20)}
    assert {str(position) for position in layouts} == {"S1^3 M1^3 T1^3 C1^3"}


# How discs fall ------------------------------------------------------------------------------------------------------


@given(SETS, st.integers())
def test_whatever_falls_is_the_set_again_each_disc_once(discs: list[Disc], seed: int) -> None:
    box = DiscSet(discs)
    layout = box.throw(Random(seed))
    assert Counter(map(faces_of, layout)) == Counter(map(faces_of, discs))
    assert box.can_fall_as(layout)
    assert DiscSet(layout) == box
    assert layout == box.throw(Random(seed)), "the same chance gives the same layout"


@given(SETS, SETS)
def test_a_set_can_fall_only_as_its_own_discs(one: list[Disc], other: list[Disc]) -> None:
    same = Counter(map(faces_of, one)) == Counter(map(faces_of, other))
    assert DiscSet(one).can_fall_as(tuple(other)) == same
    assert (DiscSet(one) == DiscSet(other)) == same


def test_a_set_cannot_fall_as_nothing() -> None:
    assert not BOX.can_fall_as(())


@given(SETS)
def test_the_position_of_a_layout_is_one_stack_of_height_one_per_disc(discs: list[Disc]) -> None:
    position = layout_position(tuple(discs))
    assert Counter(stack.top for stack in position.stacks) == Counter(disc.up for disc in discs)
    assert all(stack.height == 1 for stack in position.stacks)


def test_each_face_and_each_place_is_equally_likely() -> None:
    """Chance with a fixed seed, five standard deviations either side: it fails only if the throw is unfair."""
    throws, rng = 4_000, Random(2023)
    up, first = Counter[str](), Counter[frozenset[str]]()
    same_as_neighbour = 0
    for _ in range(throws):
        layout = BOX.throw(rng)
        up.update(disc.up for disc in layout)
        first[faces_of(layout[0])] += 1
        same_as_neighbour += faces_of(layout[0]) == faces_of(layout[1])
    for symbol in "SMTC":
        assert abs(up[symbol] - throws * 3) < 5 * (throws * 6 / 4) ** 0.5
    for pair in combinations("SMTC", 2):
        assert abs(first[frozenset(pair)] - throws / 6) < 5 * (throws * 5 / 36) ** 0.5
    assert abs(same_as_neighbour - throws / 11) < 5 * (throws * 10 / 121) ** 0.5


def test_the_two_faces_of_different_discs_fall_independently() -> None:
    throws, rng = 4_000, Random(2024)
    pair = DiscSet.parse("SM TC")
    seen = Counter("".join(sorted(disc.up for disc in pair.throw(rng))) for _ in range(throws))
    assert set(seen) == {"ST", "CS", "MT", "CM"}
    assert all(abs(times - throws / 4) < 5 * (throws * 3 / 16) ** 0.5 for times in seen.values())


# Sets as text --------------------------------------------------------------------------------------------------------


def test_sets_have_names_and_a_text() -> None:
    assert DiscSet.parse("soluna") == BOX == DiscSet.pairs("SMTC", copies=2)
    assert DiscSet.parse("babylon") == BABYLON == DiscSet.tablets("SMTC", copies=3)
    assert str(BOX) == "SM^2 ST^2 SC^2 MT^2 MC^2 TC^2"
    assert DiscSet.parse("MS SM ST^2 TS SC SC MT TM MC CM TC CT") != BOX, "three suns with stars are one too many"
    assert DiscSet.parse("MS SM ST TS SC SC MT TM MC CM TC CT") == BOX, "neither order nor face matters"


@given(SETS)
def test_a_set_is_read_back_from_how_it_is_written_and_equal_sets_print_equally(discs: list[Disc]) -> None:
    box = DiscSet(discs)
    assert DiscSet.parse(str(box)) == box
    assert eval(repr(box)) == box
    assert pickle.loads(pickle.dumps(box)) == copy.deepcopy(box) == box
    turned = DiscSet(disc.turned() for disc in reversed(discs))
    assert (turned, str(turned), hash(turned)) == (box, str(box), hash(box))
    assert box.size == len(discs)


@pytest.mark.parametrize(
    "text",
    [
        *("", "  ", "SS", "SM^0", "SM^", "SM^-1", "SM^2^3", "^2", "SM,ST", "sm", "Soluna", "SM^9999", "SM^" + "9" * 20),
        *("SM " * 1001, None, 5, ["SM"], b"SM"),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_text_that_means_no_set_is_refused(text: str) -> None:
    with pytest.raises(InvalidNotation):
        DiscSet.parse(text)


def test_a_short_text_cannot_fill_the_memory() -> None:
    tracemalloc.start()
    try:
        with pytest.raises(InvalidNotation):
            DiscSet.parse("SM^9999 " * 2_500)
        assert tracemalloc.get_traced_memory()[1] < 32e6, "bytes at the peak, for twenty kilobytes of text"
    finally:
        tracemalloc.stop()


@given(st.text(max_size=20) | st.text(alphabet="SMTC^0123 ", max_size=14))
def test_any_text_is_a_set_that_reads_back_or_is_refused(text: str) -> None:
    try:
        box = DiscSet.parse(text)
    except InvalidNotation as error:
        assert str(error)
    else:
        assert DiscSet.parse(str(box)) == box


@pytest.mark.parametrize("discs", [[], ["SM"], [Disc("S"), None], "SM", [Disc("S")] * 1001])
def test_a_set_is_made_of_discs_of_one_at_least(discs: list[Disc]) -> None:
    with pytest.raises(SolunaError):
        DiscSet(discs)


@pytest.mark.parametrize(
    "arguments", [("S",), ("SS",), ("sm",), ("",), ("SM", 0), ("SM", -1), ("SM", 1.5), ("SM", True)]
)
def test_pairs_need_two_different_symbols_and_a_copy(arguments: tuple[str, int]) -> None:
    with pytest.raises(SolunaError):
        DiscSet.pairs(*arguments)


@pytest.mark.parametrize("arguments", [("",), ("SS",), ("s",), ("S", 0), ("S", 10**9)])
def test_tablets_need_a_symbol_and_a_copy(arguments: tuple[str, int]) -> None:
    with pytest.raises(SolunaError):
        DiscSet.tablets(*arguments)


@pytest.mark.parametrize("text", ["soluna", "babylon", "SM ST^2 MC", "S^2 SM", "SM^3"])
def test_the_ways_to_fall_are_all_ways_counted(text: str) -> None:
    discs = DiscSet.parse(text)
    counted = Counter(
        Position(Stack(face) for face in faces) for faces in product(*(disc.faces for disc in discs.discs))
    )
    assert discs.falls() == counted
    assert sum(discs.falls().values()) == 2 ** sum(disc.down is not None for disc in discs.discs)
