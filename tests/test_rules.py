"""One round of Soluna: what is a move, what it does, when the round is over, and how all of it is written.

Examples state the rules; properties hold the engine against the naive implementation beside this file.
"""

from __future__ import annotations

import copy
import json
import pickle
import random
import tracemalloc
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from soluna_widget import IllegalMove, InvalidNotation, Move, Position, SolunaError, Stack, WrongPhase
from tests import naive

BABYLON = Position.start(S=3, M=3, T=3, C=3)
PERFT = sorted((Path(__file__).parent / "perft").glob("*.json"))

settings.register_profile("soluna", deadline=None, print_blob=True, max_examples=60)
settings.load_profile("soluna")


def read(text: str) -> Position:
    return Position.parse(text)


def shape(position: Position) -> naive.Shape:
    return tuple(sorted((stack.top, stack.height) for stack in position.stacks))


def position_of(table: naive.Table) -> Position:
    return Position(Stack(stack[-1], len(stack)) for stack in table)


@st.composite
def tables(draw: st.DrawFn, most_discs: int = 14, most_symbols: int = 6) -> naive.Table:
    """Physical tables of any symbols, with any discs hidden."""
    symbols = draw(st.lists(st.sampled_from("SMTCABXYZ"), min_size=1, max_size=most_symbols, unique=True))
    discs = draw(st.lists(st.sampled_from(symbols), min_size=1, max_size=most_discs))
    cuts = draw(st.sets(st.integers(1, len(discs) - 1))) if len(discs) > 1 else set()
    edges = [0, *sorted(cuts), len(discs)]
    return ["".join(discs[a:b]) for a, b in pairwise(edges)]


def illegal(position: str, move: str) -> str:
    """Why the move is forbidden."""
    before = read(position)
    with pytest.raises(IllegalMove) as caught:
        before.play(move)
    assert before == read(position)
    return str(caught.value)


# What a move is ------------------------------------------------------------------------------------------------------


def test_twelve_discs_start_as_twelve_stacks_of_height_one() -> None:
    assert len(BABYLON.stacks) == 12
    assert {stack.height for stack in BABYLON.stacks} == {1}
    assert BABYLON.discs == 12
    assert str(BABYLON) == "S1^3 M1^3 T1^3 C1^3"


def test_a_stack_may_go_on_one_of_the_same_height_whatever_the_tops() -> None:
    assert read("S2 M2").play("S2>M2") == read("S4")


def test_a_stack_may_go_on_one_of_the_same_top_whatever_the_heights() -> None:
    assert read("S1,5").play("S1>S5") == read("S6")
    assert read("S1,5").play("S5>S1") == read("S6")


def test_a_stack_may_go_on_one_with_both_the_same() -> None:
    assert read("T2^2").play("T2>T2") == read("T4")


def test_the_moved_stack_lands_on_top_so_its_top_shows() -> None:
    assert read("S1 M1").play("S1>M1") == read("S2")
    assert read("S1 M1").play("M1>S1") == read("M2")


def test_the_new_height_is_the_sum() -> None:
    assert read("S3,4 M1").play("S3>S4") == read("S7 M1")


def test_a_stack_cannot_go_where_neither_top_nor_height_agrees() -> None:
    reason = "moon, height 2 cannot go on sun, height 3: neither tops nor heights agree"
    assert illegal("M2 S3", "M2>S3") == reason
    assert illegal("C1 T4", "T4>C1") == "stars, height 4 cannot go on comet, height 1: neither tops nor heights agree"


def test_only_stacks_on_the_table_move_and_the_reason_names_the_one_that_is_not_there() -> None:
    assert "moon, height 2" in illegal("S1^3 M1", "M2>M1")
    assert "sun, height 9" in illegal("S1^3 M1", "S1>S9")
    assert "comet, height 1" in illegal("S1^3 M1", "C1>S1")


def test_stacks_are_never_divided() -> None:
    assert "sun, height 1" in illegal("S3 M1", "S1>M1")


def test_a_stack_goes_on_another_stack_never_on_itself() -> None:
    reason = illegal("S1 M1", "S1>S1")
    assert "sun, height 1" in reason and "itself" in reason
    assert read("S1^2 M1").play("S1>S1") == read("S2 M1")


def test_a_move_may_be_given_as_a_value_or_as_text() -> None:
    assert BABYLON.play(Move(Stack("S", 1), Stack("M", 1))) == BABYLON.play("S1>M1")


def test_playing_leaves_the_old_position_as_it_was() -> None:
    before = read("S1^3 M1")
    before.play("S1>M1")
    assert str(before) == "S1^3 M1"


def test_there_is_no_pass() -> None:
    for text in ("", "pass", "-", ">"):
        with pytest.raises(InvalidNotation):
            BABYLON.play(text)


# When a round is over ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["S12", "S1", "M7 S5", "S1 M2 T3 C6", "S1 M2 T4 C5", "C1 A2 B3"])
def test_a_round_is_over_when_all_tops_and_all_heights_differ(text: str) -> None:
    assert read(text).is_over
    assert read(text).moves() == ()
    assert read(text).options() == ()


@pytest.mark.parametrize("text", ["S1^2", "S6 M6", "S1,11", "S1 M2 T3 C3", "S1,2 M3 T6", "S1 M1"])
def test_a_round_goes_on_while_two_tops_or_two_heights_agree(text: str) -> None:
    assert not read(text).is_over
    assert read(text).moves()


def test_the_two_last_words_of_a_round() -> None:
    """Who can move must move, and the round ends at the first position without a move, not at one stack."""
    nearly = read("S1 M2 T3^2 C3")
    assert not nearly.is_over
    assert nearly.play("T3>C3") == read("S1 M2 T3,6")
    assert read("S1 M2 T3,6").play("T6>T3") == read("S1 M2 T9")
    assert read("S1 M2 T9").is_over


# Counting choices ----------------------------------------------------------------------------------------------------


def physical_pairs(position: Position) -> int:
    """Ordered pairs of stacks that can move, by asking the position about every two stacks on the table."""
    moves = set(position.moves())
    stacks = list(enumerate(position.stacks))
    return sum(Move(a, b) in moves for i, a in stacks for j, b in stacks if i != j)


def count_choices(position: Position) -> dict[str, int]:
    return {
        "physical pairs": physical_pairs(position),
        "moves": len(position.moves()),
        "options": len(position.options()),
        "options up to renaming": len({option.canonical() for option in position.options()}),
    }


def test_the_four_numbers_of_the_start_3_3_3_3_are_132_16_16_and_2() -> None:
    assert list(count_choices(BABYLON).values()) == [132, 16, 16, 2]


def test_two_moves_may_lead_to_one_position() -> None:
    assert {str(move) for move in read("S1,2").moves()} == {"S1>S2", "S2>S1"}
    assert read("S1,2").options() == (read("S3"),)


@given(tables())
def test_choices_are_counted_in_four_ways_as_the_naive_count_says(table: naive.Table) -> None:
    assert count_choices(position_of(table)) == naive.count_choices(table)


@given(tables())
def test_the_pairs_of_each_move_add_up_to_the_physical_pairs(table: naive.Table) -> None:
    position = position_of(table)
    assert sum(position.pairs(move) for move in position.moves()) == len(naive.physical_pairs(table))
    assert all(position.pairs(move) > 0 for move in position.moves())


def perft(position: Position, way: str, depth: int) -> list[int]:
    """Count courses of play through the engine, gathering equal positions."""
    level = {position: 1}
    counts = []
    while level:
        counts.append(sum(level.values()))
        if len(counts) > depth:
            break
        following: dict[Position, int] = {}
        for some, ways in level.items():
            if way == "options":
                reached = [(option, 1) for option in some.options()]
            elif way == "options up to renaming":
                reached = [(option, 1) for option in {option.canonical() for option in some.options()}]
            else:
                each = some.pairs if way == "physical pairs" else lambda move: 1
                reached = [(some.play(move), each(move)) for move in some.moves()]
            for option, times in reached:
                following[option] = following.get(option, 0) + ways * times
        level = following
    return counts


@pytest.mark.parametrize("way", naive.WAYS)
@pytest.mark.parametrize("path", PERFT, ids=lambda path: path.stem)
def test_courses_of_play_by_length_are_as_many_as_written_down(path: Path, way: str) -> None:
    """The numbers in tests/perft were counted by tests/naive.py; to the end of the round where that is quick."""
    data = json.loads(path.read_text(encoding="utf-8"))
    start, numbers = read(data["start"]), data["counts"][way]
    quick = way == "options up to renaming" or len(start.stacks) < 10 or path.stem == "SSSSSSMMMMMM"
    depth = len(numbers) if quick else 3 if len(set(path.stem)) > 4 else 4
    assert perft(start, way, depth) == numbers[: depth + 1]


def test_the_numbers_written_down_are_what_the_naive_count_still_says() -> None:
    assert {path.stem for path in PERFT} == set(naive.PERFT_STARTS)
    for symbols in ("SMTCAB", "SSSSSS", "S"):
        counts = json.loads((naive.PERFT / f"{symbols}.json").read_text(encoding="utf-8"))["counts"]
        assert counts == {way: naive.perft(list(symbols), way) for way in naive.WAYS}


@pytest.mark.parametrize("symbols", ["S", "SM", "SSM", "SMTC", "SSMMT", "SMTCA"])
def test_gathering_equal_positions_counts_as_playing_each_course_with_real_discs_does(symbols: str) -> None:
    assert naive.perft_one_by_one(list(symbols)) == naive.perft(list(symbols), "physical pairs")


# The engine against the naive implementation -------------------------------------------------------------------------


@given(tables())
def test_moves_are_the_naive_ones(table: naive.Table) -> None:
    moves = position_of(table).moves()
    assert len(set(moves)) == len(moves)
    assert list(moves) == sorted(moves)
    assert {((m.mover.top, m.mover.height), (m.target.top, m.target.height)) for m in moves} == naive.moves(table)


@given(tables())
def test_options_are_the_naive_ones(table: naive.Table) -> None:
    options = position_of(table).options()
    assert len(set(options)) == len(options)
    assert {shape(option) for option in options} == naive.options(table)


@given(tables())
def test_a_round_is_over_when_the_naive_one_is(table: naive.Table) -> None:
    assert position_of(table).is_over == naive.is_over(table)
    assert position_of(table).is_over == (not position_of(table).moves())


@given(tables())
def test_every_pair_of_stacks_is_playable_or_refused_as_the_naive_rule_says(table: naive.Table) -> None:
    position = position_of(table)
    for i, mover in enumerate(table):
        for j, target in enumerate(table):
            if i == j:
                continue
            move = Move(Stack(mover[-1], len(mover)), Stack(target[-1], len(target)))
            if naive.agree(mover, target):
                assert shape(position.play(move)) == naive.shape(naive.put(table, i, j))
                assert position.play(str(move)) == position.play(move)
            else:
                with pytest.raises(IllegalMove, match="neither tops nor heights agree"):
                    position.play(move)


@given(tables(), st.sampled_from("SMTCABXYZ"), st.integers(1, 15), st.sampled_from("SMTCABXYZ"), st.integers(1, 15))
def test_a_move_is_accepted_exactly_when_it_is_among_the_moves(
    table: naive.Table, top: str, height: int, other_top: str, other_height: int
) -> None:
    position, move = position_of(table), Move(Stack(top, height), Stack(other_top, other_height))
    if move in position.moves():
        assert position.play(move) in position.options()
    else:
        with pytest.raises(IllegalMove):
            position.play(move)


@given(tables())
def test_a_may_go_on_b_exactly_when_b_may_go_on_a(table: naive.Table) -> None:
    moves = set(position_of(table).moves())
    assert {Move(move.target, move.mover) for move in moves} == moves


@given(tables())
def test_the_two_orders_differ_only_when_the_tops_do(table: naive.Table) -> None:
    position = position_of(table)
    for move in position.moves():
        there, back = position.play(move), position.play(Move(move.target, move.mover))
        assert (there == back) == (move.mover.top == move.target.top)


@given(tables())
def test_each_move_keeps_the_discs_and_takes_exactly_one_stack_away(table: naive.Table) -> None:
    position = position_of(table)
    for option in position.options():
        assert option.discs == position.discs == sum(len(stack) for stack in table)
        assert len(option.stacks) == len(position.stacks) - 1


@given(tables(), st.randoms(use_true_random=False))
def test_what_lies_below_and_where_a_stack_lies_never_matters(table: naive.Table, rng: random.Random) -> None:
    other = [rng.choice("SM") * (len(stack) - 1) + stack[-1] for stack in table]
    rng.shuffle(other)
    assert naive.options(other) == naive.options(table)
    assert position_of(other) == position_of(table)
    assert hash(position_of(other)) == hash(position_of(table))


@given(st.lists(st.sampled_from("SMTC"), min_size=12, max_size=12), st.randoms(use_true_random=False))
def test_a_round_of_twelve_discs_and_four_symbols_has_eight_to_eleven_moves(
    symbols: list[str], rng: random.Random
) -> None:
    position, plies = Position(Stack(symbol, 1) for symbol in symbols), 0
    while not position.is_over:
        position = position.play(rng.choice(position.moves()))
        plies += 1
    assert 8 <= plies <= 11
    assert plies == 12 - len(position.stacks)
    assert 1 <= len(position.stacks) <= 4


def test_rounds_of_every_length_from_eight_to_eleven_exist() -> None:
    lengths, level = set(), {BABYLON.canonical()}
    for plies in range(12):
        lengths |= {plies for position in level if position.is_over}
        level = {option.canonical() for position in level for option in position.options()}
    assert lengths == {8, 9, 10, 11}
    assert not level


# Up to renaming ------------------------------------------------------------------------------------------------------


def test_canonical_forgets_the_names_of_the_symbols_and_nothing_else() -> None:
    assert read("S1^2 M3").canonical() == read("M1^2 S3").canonical() == read("Z1^2 Q3").canonical()
    assert read("S1^2 M3").canonical() != read("S1^3 M2").canonical()
    assert read("S1,3").canonical() != read("S1 M3").canonical()


@given(tables(most_discs=8), tables(most_discs=8))
def test_two_positions_have_one_canonical_form_exactly_when_renaming_makes_them_equal(
    one: naive.Table, other: naive.Table
) -> None:
    same = naive.kind(naive.shape(one)) == naive.kind(naive.shape(other))
    assert (position_of(one).canonical() == position_of(other).canonical()) == same


@given(tables(), st.permutations("SMTCABDEFXYZ"))
def test_renaming_never_changes_the_canonical_form(table: naive.Table, names: list[str]) -> None:
    new_name = dict(zip("SMTCABDEFXYZ", names, strict=True))
    renamed = ["".join(new_name[symbol] for symbol in stack) for stack in table]
    assert position_of(renamed).canonical() == position_of(table).canonical()


@given(tables())
def test_canonical_is_a_renaming_itself_and_its_own_canonical_form(table: naive.Table) -> None:
    canonical = position_of(table).canonical()
    assert naive.kind(shape(canonical)) == naive.kind(naive.shape(table))
    assert canonical.canonical() == canonical


def test_canonical_forms_of_all_small_positions_are_as_many_as_naive_kinds() -> None:
    """Every position of up to seven discs and four symbols, and no two kinds confused."""
    found: dict[Position, naive.Shape] = {}
    kinds = set()
    for discs in range(1, 8):
        for some in all_shapes(discs, "SMTC"):
            canonical = Position(Stack(top, height) for top, height in some).canonical()
            assert found.setdefault(canonical, naive.kind(some)) == naive.kind(some)
            kinds.add(naive.kind(some))
    assert len(found) == len(kinds)


def all_shapes(discs: int, symbols: str) -> set[naive.Shape]:
    if discs == 0:
        return {()}
    return {
        tuple(sorted([*rest, (top, height)]))
        for height in range(1, discs + 1)
        for rest in all_shapes(discs - height, symbols)
        for top in symbols
    }


# Who can win, by the naive recursion ---------------------------------------------------------------------------------


def test_the_naive_recursion_gives_the_published_results() -> None:
    """Who wins with one colour and with two: Goadrich and Schlatter, Integers 11 (2011) G01."""
    for discs in range(1, 9):
        assert naive.mover_wins(["S"] * discs) == (discs % 2 == 0)
    for suns in range(1, 7):
        for moons in range(1, 7):
            expected = (suns + moons) % 2 == 1 or min(suns, moons) <= 2
            assert naive.mover_wins(["S"] * suns + ["M"] * moons) == expected
    assert not naive.mover_wins(list("SSSMMMTTTCCC"))


# Notation ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "stacks"),
    [
        ("S1", [("S", 1)]),
        ("S1^3 M1,2 T4", [("S", 1), ("S", 1), ("S", 1), ("M", 1), ("M", 2), ("T", 4)]),
        ("C12", [("C", 12)]),
        ("A1,2^2,3 Z10^2", [("A", 1), ("A", 2), ("A", 2), ("A", 3), ("Z", 10), ("Z", 10)]),
    ],
)
def test_a_position_is_written_per_top_with_heights_ascending(text: str, stacks: list[tuple[str, int]]) -> None:
    assert read(text) == Position(Stack(top, height) for top, height in stacks)
    assert str(read(text)) == text


def test_tops_are_written_in_the_order_sun_moon_stars_comet_then_a_to_z() -> None:
    assert str(read("Z1 A1 C1 T1 M1 S1 D1 B1")) == "S1 M1 T1 C1 A1 B1 D1 Z1"
    assert [stack.top for stack in read("A1 C1 T1 M1 S1").stacks] == ["S", "M", "T", "C", "A"]


def test_other_spellings_of_a_position_are_read_but_not_written() -> None:
    for text in ("T4 M2,1 S1^3", "S1,1,1 M1 M2 T4", "  S1^2   M1,2 T4\tS1^1\n"):
        assert str(read(text)) == "S1^3 M1,2 T4"


@given(tables())
def test_positions_are_written_as_the_naive_printer_writes_them(table: naive.Table) -> None:
    position = position_of(table)
    assert str(position) == naive.text(naive.shape(table))
    assert read(str(position)) == position
    assert eval(repr(position)) == position


@given(tables(), st.randoms(use_true_random=False))
def test_equal_positions_print_equally_and_share_a_hash(table: naive.Table, rng: random.Random) -> None:
    shuffled = list(table)
    rng.shuffle(shuffled)
    one, other = position_of(table), position_of(shuffled)
    assert one == other and hash(one) == hash(other)
    assert str(one) == str(other) and repr(one) == repr(other)
    assert one.stacks == other.stacks == tuple(sorted(one.stacks))


@given(tables(most_discs=6), tables(most_discs=6))
def test_different_positions_print_differently(one: naive.Table, other: naive.Table) -> None:
    assume(naive.shape(one) != naive.shape(other))
    assert position_of(one) != position_of(other)
    assert str(position_of(one)) != str(position_of(other))


@given(tables())
def test_moves_and_stacks_are_read_back_from_how_they_are_written(table: naive.Table) -> None:
    for move in position_of(table).moves():
        assert Move.parse(str(move)) == move
        assert eval(repr(move)) == move
        assert eval(repr(move.mover)) == move.mover


@given(tables())
def test_positions_and_moves_can_be_pickled_and_copied(table: naive.Table) -> None:
    position = position_of(table)
    for value in (position, *position.moves()):
        for again in (pickle.loads(pickle.dumps(value)), copy.copy(value), copy.deepcopy(value)):
            assert again == value and hash(again) == hash(value) and str(again) == str(value)


def test_a_move_is_written_mover_first() -> None:
    assert str(Move(Stack("S", 1), Stack("M", 1))) == "S1>M1"
    assert Move.parse("S1>M12") == Move(Stack("S", 1), Stack("M", 12))


def test_values_are_frozen() -> None:
    for value, name in ((Stack("S", 1), "height"), (Move.parse("S1>M1"), "mover"), (read("S1"), "stacks")):
        with pytest.raises(AttributeError):
            setattr(value, name, 7)


BAD_POSITIONS = {
    "nothing": "",
    "only spaces": "  \t",
    "a lower-case top": "s1",
    "a second group in lower case": "S1 m1",
    "an unknown character": "S1 ?2",
    "a letter outside A to Z": "Å1",
    "a symbol that looks like S": "Ѕ1",
    "no height": "S",
    "height 0": "S0",
    "height with a leading 0": "S01",
    "a negative height": "S-1",
    "a fraction": "S1.5",
    "a digit that is none of 0 to 9": "S٣",
    "a height in superscript": "S²",
    "no count after the caret": "S1^",
    "count 0": "S1^0",
    "a negative count": "S1^-2",
    "two carets": "S1^2^3",
    "a caret without a height": "S^3",
    "an empty height between commas": "S1,,2",
    "a comma at the end": "S1,",
    "a comma at the start": "S,1",
    "a space after the comma": "S1, 2",
    "a space before the height": "S 1",
    "two tops in one word": "S1M1",
    "a move": "S1>M1",
    "a semicolon": "S1;M1",
    "a minus between groups": "S1 - M1",
    "a height of a hundred digits": "S" + "9" * 100,
    "a count of a hundred digits": "S1^" + "9" * 100,
    "a height of ten thousand digits": "S" + "9" * 10_000,
    "more discs than anybody has": "S99999^99999",
    "a zero byte": "S1\0",
    "repr, not str": "Position.parse('S1')",
}


@pytest.mark.parametrize("text", BAD_POSITIONS.values(), ids=BAD_POSITIONS.keys())
def test_text_that_means_no_position_is_refused(text: str) -> None:
    with pytest.raises(InvalidNotation) as caught:
        read(text)
    assert str(caught.value)


def test_a_short_text_cannot_fill_the_memory() -> None:
    tracemalloc.start()
    try:
        with pytest.raises(InvalidNotation):
            read("S" + ",".join(["1^99999"] * 300))
        assert tracemalloc.get_traced_memory()[1] < 32e6, "bytes at the peak, for two kilobytes of text"
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        ("S1^3 m1", 6, "m"),
        ("S1^3 M1,0", 9, "0"),
        ("S1 M1 T", 8, "height"),
        ("S1,2,x", 6, "x"),
        ("?", 1, "?"),
        ("S1 M2^", 5, "2^"),
    ],
)
def test_the_refusal_says_where(text: str, where: int, what: str) -> None:
    with pytest.raises(InvalidNotation) as caught:
        read(text)
    assert f"character {where}" in str(caught.value)
    assert what in str(caught.value)


@pytest.mark.parametrize("value", [None, 5, b"S1", ["S1"], 1.5])
def test_what_is_no_text_is_no_position_and_no_move(value: object) -> None:
    for reader in (Position.parse, Move.parse, Stack.parse, BABYLON.play):
        with pytest.raises(InvalidNotation):
            reader(value)  # type: ignore[operator]


BAD_MOVES = {
    "nothing": "",
    "one stack": "S1",
    "only an arrow": ">",
    "no target": "S1>",
    "no mover": ">S1",
    "three stacks": "S1>M1>T1",
    "lower case": "s1>m1",
    "height 0": "S0>M1",
    "no height": "S>M",
    "another arrow": "S1->M1",
    "a longer arrow": "S1>>M1",
    "a count": "S1^2>M1",
    "two heights": "S1,2>M1",
    "too much": "S1>M1 T1",
    "a hundred digits": "S1>M" + "1" * 100,
    "backwards": "M1<S1",
}


@pytest.mark.parametrize("text", BAD_MOVES.values(), ids=BAD_MOVES.keys())
def test_text_that_means_no_move_is_refused_before_any_rule(text: str) -> None:
    with pytest.raises(InvalidNotation) as caught:
        Move.parse(text)
    assert repr(text)[1:-1][:20] in str(caught.value)
    with pytest.raises(InvalidNotation):
        BABYLON.play(text)


@given(st.text(max_size=30) | st.text(alphabet="SMTCsm019^,> ", max_size=12))
def test_any_text_is_a_position_that_reads_back_or_is_refused(text: str) -> None:
    try:
        position = read(text)
    except InvalidNotation as error:
        assert str(error)
    else:
        assert read(str(position)) == position
        assert str(position) == naive.text(shape(position))


@given(st.text(max_size=20) | st.text(alphabet="SMTCsm019^,> ", max_size=9))
def test_any_text_is_a_move_that_reads_back_or_is_refused(text: str) -> None:
    try:
        move = Move.parse(text)
    except InvalidNotation as error:
        assert str(error)
    else:
        assert Move.parse(str(move)) == move


@pytest.mark.parametrize(
    ("top", "height"),
    [
        *(("s", 1), ("", 1), ("SM", 1), ("1", 1), ("Å", 1), (None, 1), (7, 1)),
        *(("S", 0), ("S", -1), ("S", 1.5), ("S", "1"), ("S", None), ("S", True)),
    ],
)
def test_a_stack_has_one_capital_letter_and_one_disc_or_more(top: object, height: object) -> None:
    with pytest.raises(SolunaError):
        Stack(top, height)  # type: ignore[arg-type]


def test_a_position_is_made_of_stacks_and_of_one_at_least() -> None:
    for stacks in ([], ["S1"], [Stack("S", 1), None], [("S", 1)], "S1"):
        with pytest.raises(SolunaError):
            Position(stacks)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "discs", [{}, {"S": 0}, {"S": -1}, {"s": 1}, {"S": 1.5}, {"S": "3"}, {"S": None}, {"sun": 1}, {"S": 10**12}]
)
def test_a_start_has_a_whole_number_of_discs_per_symbol(discs: dict[str, int]) -> None:
    with pytest.raises(SolunaError):
        Position.start(**discs)


def test_a_start_ignores_the_symbols_that_no_disc_shows() -> None:
    assert Position.start(S=2, M=0) == read("S1^2")


# Errors --------------------------------------------------------------------------------------------------------------


def test_every_error_is_a_soluna_error_and_a_value_error() -> None:
    for kind in (InvalidNotation, IllegalMove, WrongPhase):
        assert issubclass(kind, SolunaError)
    assert issubclass(SolunaError, ValueError)


@pytest.mark.parametrize("move", ["S2>M3", "S1>S1", "T1>S1", "what"])
def test_errors_carry_json_for_the_browser_and_can_be_pickled(move: str) -> None:
    with pytest.raises(SolunaError) as caught:
        read("S1,2 M3").play(move)
    error = caught.value
    assert json.loads(json.dumps(error.params)) == error.params
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), again.code, again.params) == (type(error), str(error), error.code, error.params)


def test_every_reason_a_move_is_forbidden_has_its_own_code() -> None:
    codes = set()
    for move in ("S2>M3", "S1>S1", "T1>S1"):
        with pytest.raises(IllegalMove) as caught:
            read("S1,2 M3").play(move)
        codes.add(caught.value.code)
    assert len(codes) == 3
