"""The array solver against the plain one, and the index it rests on."""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Any

import pytest

from soluna_widget.solver import solve
from soluna_widget.solver.arrays import ArrayStore, Space
from soluna_widget.solver.counts import count_multisets, count_partitions, count_positions
from soluna_widget.solver.marks import mark_of, outcome_of, remoteness_of
from soluna_widget.solver.partitions import Multisets, Partitions, expand, list_partitions
from soluna_widget.solver.plain import PlainStore

np = pytest.importorskip("numpy")


@pytest.mark.parametrize("misere", [False, True], ids=["normal", "misere"])
@pytest.mark.parametrize("symbols", range(1, 7))
def test_both_solvers_agree_on_every_position_up_to_fourteen_discs(symbols: int, misere: bool) -> None:
    for discs in range(1, 15):
        told: list[int] = []
        arguments: Any = (discs, min(symbols, discs), misere, not misere, told.append)
        arrays, plain = ArrayStore.solve(*arguments), PlainStore.solve(*arguments)
        assert arrays.texts() == plain.texts()
        marks, values = arrays.stored()
        assert (marks, values if not misere else bytes(len(marks))) == plain.stored()
        assert arrays.levels() == plain.levels()
        assert len(arrays) == len(plain) == len(marks) == sum(told) // 2 == count_positions(discs, symbols)


def test_work_in_small_pieces_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = solve(11, 4).to_frame()
    monkeypatch.setattr("soluna_widget.solver.arrays._CHUNK", 64)
    monkeypatch.setattr("soluna_widget.solver.arrays._STATES", 5)
    assert solve(11, 4).to_frame().equals(whole)


def test_more_than_thirty_two_discs_need_wider_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = solve(11, 4).to_frame()
    assert 2 ** whole["grundy"].max() > 2**5
    monkeypatch.setattr("soluna_widget.solver.arrays._NARROW", 10)
    assert solve(11, 4).to_frame().equals(whole)


# Marks ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("misere", [False, True])
def test_the_largest_mark_of_the_options_tells_outcome_and_remoteness(misere: bool) -> None:
    lost = {remoteness: 255 - remoteness for remoteness in range(64)}
    won = {remoteness: remoteness + 1 for remoteness in range(64)}
    for mark, remoteness in [*((mark, r) for r, mark in lost.items()), *((mark, r) for r, mark in won.items())]:
        assert remoteness_of(mark) == remoteness
        assert outcome_of(mark) == ("P" if mark in lost.values() else "N")
    assert max(won.values()) < min(lost.values())
    assert mark_of(0, misere) == (won[0] if misere else lost[0])
    for remoteness in range(63):
        assert mark_of(lost[remoteness], misere) == won[remoteness + 1]
        assert mark_of(won[remoteness], misere) == lost[remoteness + 1]


# The index -----------------------------------------------------------------------------------------------------------


def test_partitions_are_all_there_in_order_and_know_what_moves_do() -> None:
    partitions = Partitions(9)
    assert [len(list(list_partitions(size))) for size in range(10)] == [1, 1, 2, 3, 5, 7, 11, 15, 22, 30]
    assert len(partitions) == len(set(partitions.parts)) == sum(map(count_partitions, range(10)))
    assert partitions.parts == sorted(partitions.parts, key=lambda parts: (sum(parts), len(parts), parts))
    for number, parts in enumerate(partitions.parts):
        assert partitions.code[number] == 10 * sum(parts) + len(parts)
        for part in range(1, 10):
            without, doubled = partitions.without[number, part], partitions.doubled[number, part]
            if part not in parts:
                assert without == doubled == -1
                continue
            rest = list(parts)
            rest.remove(part)
            assert partitions.parts[without] == tuple(rest)
            grown = tuple(sorted([*rest, 2 * part], reverse=True))
            assert doubled == partitions.number.get(grown, -1)
        merged = {
            tuple(sorted([*rest, parts[i] + parts[j]], reverse=True))
            for i in range(len(parts))
            for j in range(i)
            for rest in [[part for k, part in enumerate(parts) if k not in (i, j)]]
        }
        targets = partitions.merged[partitions.merges[number] : partitions.merges[number + 1]]
        assert sorted(partitions.parts[target] for target in targets) == sorted(merged)


@pytest.mark.parametrize("length", [1, 2, 3, 4])
def test_every_multiset_has_one_number_among_those_of_its_code(length: int) -> None:
    partitions = Partitions(7)
    multisets = Multisets(partitions, length)
    members, start = multisets.members(length)
    listed = list(zip(*(array.tolist() for array in members), strict=True))
    every = [
        tuple(sorted(some, reverse=True))
        for some in combinations_with_replacement(range(len(partitions)), length)
        if sum(sum(partitions.parts[number]) for number in some) <= 7
    ]
    assert sorted(listed) == sorted(every)
    for place, some in enumerate(listed):
        code = sum(int(partitions.code[number]) for number in some)
        assert start[code] + multisets.rank_one(some) == place
        codes = [np.array([sum(int(partitions.code[number]) for number in some[i:])]) for i in range(length)]
        assert int(multisets.rank([np.array([number]) for number in some], codes)[0]) == multisets.rank_one(some)
    assert multisets.count(length)[: partitions.codes].sum() >= len(every)


@pytest.mark.parametrize("symbols", [1, 2, 3, 4, 5])
def test_the_tables_have_as_many_places_for_a_position_as_it_has_pairs(symbols: int) -> None:
    space = Space(7, symbols)
    seen = set()
    for stacks in range(1, 8):
        level = space.level(stacks)
        taken = np.zeros(level.places, int)
        for members, places in space.states(level):
            for i in range(len(places[0])):
                numbers = [int(member[i]) for member in members]
                assert numbers == sorted(numbers, reverse=True) and tuple(numbers) not in seen
                seen.add(tuple(numbers))
                assert space.place(level, numbers) == places[0][i]
                taken[[place[i] for place in places]] += 1
        # Each place belongs to one position, and none is left over; where there is one symbol, some are never used.
        assert taken.max(initial=0) <= 1 and (symbols == 1 or taken.min(initial=1) == 1)
    assert len(seen) == count_positions(7, symbols)


def test_counting_beforehand_counts_what_is_there() -> None:
    assert [count_positions(discs, 4) for discs in (12, 20, 24, 28)] == [2_133, 133_734, 847_299, 4_788_549]
    assert count_multisets(0, 3) == (1, 0, 0, 0)
    assert count_multisets(1, 6) == (1, 1, 2, 3, 5, 7, 11)


def test_expand_repeats_and_counts() -> None:
    place, within = expand(np.array([2, 0, 3]))
    assert place.tolist() == [0, 0, 2, 2, 2] and within.tolist() == [0, 1, 0, 1, 2]
