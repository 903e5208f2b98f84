"""A match as text: what is written is read back, and a damaged text is refused with the place of the damage."""

from __future__ import annotations

import copy
import inspect
import json
import os
import re
import textwrap
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soluna_widget import InvalidNotation, Match, Rulebook, SolunaError, record

settings.register_profile("soluna", deadline=None, print_blob=True, max_examples=60)
settings.load_profile("soluna")


def played(turns: int, chance: int = 1, **arguments: object) -> Match:
    """A match after so many turns at random, or at its end."""
    match, random = Match(seed=8731, **arguments), Random(chance)  # type: ignore[arg-type]
    for _ in range(turns):
        if match.phase == "match_over":
            break
        if match.phase == "placing":
            match.place()
        elif match.phase == "choosing":
            match.choose(random.choice(["first", "second"]))
        elif match.phase == "playing":
            match.play(random.choice(match.moves()))
        else:
            match.next_round()
    return match


MATCHES = {
    "new": played(0),
    "after one move": played(1, opener=1),
    "in the second round": played(15),
    "a round is over": played(0, start="S1 M2"),
    "over": played(999),
    "choosing": played(0, rulebook="morapiaf", youngest=1),
    "chosen": played(1, rulebook="morapiaf"),
    "choosing again": played(13, rulebook="morapiaf", misere=True),
    "morapiaf, over": played(999, rulebook="morapiaf"),
    "no disc placed": played(0, placing=True),
    "five discs placed": played(5, placing=True),
    "all discs placed": played(12, placing=True),
    "placing in the second round": played(26, placing=True, opener=0),
    "placing, over": played(999, placing=True, rulebook=Rulebook("short", stars=2)),
    "babylon": played(30, discs="babylon"),
    "other discs": played(9, discs="SM^2 AB TC^3 Z"),
    "by hand": played(6, start="S1^3 M2,1 Z3"),
    "a rulebook of one's own": played(
        40, rulebook=Rulebook("house", "youngest_chooses", "new", "loser", 2), players=('"Sol"', "Lu\\na")
    ),
    "bga by name only": played(30, rulebook=Rulebook("bga", stars=2)),
    "a winner in braces": played(999, players=("{Sol}", "{Luna}"), rulebook=Rulebook("short", stars=2)),
    "one star": played(1, rulebook=Rulebook("short", stars=1), start="S1^2", players=("a", "a")),
}


def lines_of(match: Match) -> list[str]:
    return match.record().split("\n")


def refusal(text: str) -> InvalidNotation:
    with pytest.raises(InvalidNotation) as caught:
        Match.from_record(text)
    return caught.value


def line_in(error: InvalidNotation) -> int:
    found = re.match(r"line (\d+)", str(error))
    assert found, f"the sentence says no line: {error}"
    assert error.params.get("line") == int(found[1])
    return int(found[1])


# There and back ------------------------------------------------------------------------------------------------------


def test_the_phases_are_all_here() -> None:
    assert {match.phase for match in MATCHES.values()} == {"placing", "choosing", "playing", "round_over", "match_over"}


@pytest.mark.parametrize("name", MATCHES)
def test_a_record_gives_the_same_match_back(name: str) -> None:
    match = MATCHES[name]
    again = Match.from_record(match.record())
    assert again == match
    assert again.record() == match.record()
    for attribute in ("phase", "turn", "round", "stars", "winner", "opener", "players", "rulebook", "seed", "discs"):
        assert getattr(again, attribute) == getattr(match, attribute), attribute
    for attribute in ("start", "misere", "date", "position", "stacks", "last", "ply", "to_place"):
        assert getattr(again, attribute) == getattr(match, attribute), attribute


@pytest.mark.parametrize("name", MATCHES)
def test_a_loaded_match_goes_on_identically(name: str) -> None:
    match = MATCHES[name]
    ends = []
    for again in (copy.copy(match), Match.from_record(match.record())):
        chance = Random(5)
        while again.phase != "match_over":
            if again.phase == "playing":
                again.play(chance.choice(again.moves()))
            elif again.phase == "choosing":
                again.choose("second")
            elif again.phase == "placing":
                again.place()
            else:
                again.next_round()
        ends.append(again)
    assert ends[0] == ends[1]


@pytest.mark.parametrize("name", sorted(set(MATCHES) - {"over", "a winner in braces", "morapiaf, over"}))
def test_undo_in_a_loaded_match_goes_back_to_the_start_and_each_step_can_be_recorded(name: str) -> None:
    again = Match.from_record(MATCHES[name].record())
    depth = 0
    while again.can_undo():
        again.undo()
        depth += 1
        if depth < 30 or again.phase != "playing":
            assert Match.from_record(again.record()) == again


def test_a_placed_round_that_was_edited_by_hand_is_refused_or_can_be_recorded_at_every_step_back() -> None:
    """Discs in another order than the seed's: what is accepted once all lie must be accepted while fewer lie, too."""
    text = played(12, placing=True, opener=0).record()
    edited = re.sub(r"^Round 1: (\S+) (\S+)", r"Round 1: \2 \1", text, flags=re.MULTILINE)
    assert edited != text
    try:
        again = Match.from_record(edited)
    except InvalidNotation as error:
        assert line_in(error) == edited.split("\n").index("") + 2
    else:
        assert again.record() == edited
        while again.can_undo():
            again.undo()
            assert Match.from_record(again.record()) == again


@pytest.mark.parametrize("name", MATCHES)
def test_any_line_ends_and_a_byte_order_mark_are_accepted(name: str) -> None:
    """CASES row 24: reported at niklasf/python-chess#264."""
    text = MATCHES[name].record()
    for end in ("\n", "\r\n", "\r"):
        for mark in ("", "\ufeff"):
            assert Match.from_record(mark + text.replace("\n", end)) == MATCHES[name]


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_a_file_with_any_line_ends_and_a_byte_order_mark_is_accepted(tmp_path: Path, end: bytes, mark: bytes) -> None:
    """CASES row 24: reported at niklasf/python-chess#264."""
    match = played(15, players=("Zoë", "日の出"))
    path = tmp_path / "match.txt"
    path.write_bytes(mark + match.record().encode().replace(b"\n", end))
    assert Match.load(path) == match


def test_spaces_empty_lines_and_comments_do_not_matter() -> None:
    match = played(15)
    text = match.record()
    loose = "\n\n" + "\n".join(f"  {line}\t\n" for line in text.split("\n"))
    assert Match.from_record(loose) == match
    remarked = text.replace("1. ", "{a good\u2028one} 1. ", 1).replace("Result:", "{[Seed] 2. S1>M1 #}\nResult:")
    assert remarked.count("{") == 2
    assert Match.from_record(remarked) == match
    assert Match.from_record(text.rstrip("\n")) == match


def test_the_format_is_as_its_documentation_shows() -> None:
    (example,) = re.findall(r"(?:^    .*\n|^\n)+", inspect.getdoc(record) or "", re.MULTILINE)[:1]
    text = textwrap.dedent(example).strip() + "\n"
    assert text.startswith("[Soluna") and "Result:" in text
    match = Match.from_record(text)
    assert match.seed == 8731
    assert re.sub(r"\s+", " ", match.record()) == re.sub(r"\s+", " ", text)


def test_the_parts_of_a_record() -> None:
    match = Match("morapiaf", players=("Ada", "Bo"), seed=12, youngest=1, misere=True, discs="babylon")
    match.choose("second")
    match.play("S1>M1")
    match.play("T1>C1")
    lines = lines_of(match)
    headers = {line[1:].split(" ", 1)[0]: line[1:-1].split(" ", 1)[1] for line in lines if line.startswith("[")}
    assert headers.pop("Date") == f'"{match.date.isoformat()}"'
    assert headers == {
        "Soluna": '"1"',
        "Players": '"Ada" "Bo"',
        "Rulebook": '"morapiaf"',
        "Seed": '"12"',
        "Youngest": '"1"',
        "Discs": '"S^3 M^3 T^3 C^3"',
        "Misere": '"yes"',
    }
    block = lines[lines.index("") + 1 :]
    assert re.fullmatch(r"Round 1:( [SMTC]){12}", block[0])
    assert block[1:] == ["choose second", "1. S1>M1  2. T1>C1", "Result: 0-0, unfinished", ""]


WRITTEN_EARLIER = """\
[Soluna "1"]
[Players "Sol" "Luna"]
[Rulebook "bga"]
[Seed "8731"]
[Date "2026-11-29"]
[Opener "0"]

Round 1: CS CT ST ST MC SM TC SM CM MT MT SC
1. S1#6>T1  2. M1>C1  3. S1>S1#8  4. S1#12>M1  5. S2#10>S1  6. M1>M2
7. S3>M3  8. S6>S2#8  9. C1>C1  10. S2>S8

Round 2: CT CS CS CM TC MC SM ST TS SM TM TM
1. S1#10>C1#4  2. T1#9>T1
Result: 0-1, unfinished
"""


def test_a_record_that_was_written_earlier_reads_as_it_did() -> None:
    """Format 1 is kept in people's files: neither what it means nor what a seed throws may change."""
    match = Match.from_record(WRITTEN_EARLIER)
    assert match.record() == WRITTEN_EARLIER
    assert (match.round, match.stars, match.turn, match.date.isoformat()) == (2, (0, 1), 0, "2026-11-29")
    assert str(match.position) == "S1^2,2 M1 T1^2,2 C1^3"
    assert {stack.id: "".join(disc.up for disc in stack.discs) for stack in match.stacks} == {
        1: "C", 2: "C", 3: "C", 4: "CS", 5: "TT", 6: "M", 7: "S", 8: "S", 11: "T", 12: "T",
    }  # fmt: skip
    fallen = Match("bga", seed=8731)
    assert (fallen.opener, " ".join(str(stack.discs[0]) for stack in fallen.stacks)) == (
        0,
        "CS CT ST ST MC SM TC SM CM MT MT SC",
    )
    play_to_the_end(fallen)
    fallen.next_round()
    assert " ".join(str(stack.discs[0]) for stack in fallen.stacks) == "CT CS CS CM TC MC SM ST TS SM TM TM"


def play_to_the_end(match: Match) -> None:
    while match.phase == "playing":
        match.play(match.moves()[0])


# Names ---------------------------------------------------------------------------------------------------------------

ODD_NAMES = [
    '"', "\\", '\\"', '""', "]", '"]', '[Seed "1"]', "{", "}", "{}", "{a} won", "# > 1. S1>M1",
    "Result: 4-0, unfinished", "Round 2:", "<script>alert(1)</script>", "&amp;", "O'Brien",
    "Zoë", "日の出", "☀️", "مها", "\u0301a", "%s %d {0}",
    "\\u0041", "\\n", " Sol ", "a" * 80, "0", "null", "unfinished", "won",
]  # fmt: skip


@pytest.mark.parametrize("name", ODD_NAMES)
def test_players_may_be_called_anything_printable(name: str, tmp_path: Path) -> None:
    for players in ((name, "Luna"), ("Sol", name), (name, name)):
        match = played(999, players=players, rulebook=Rulebook("short", stars=1))
        assert match.players == players
        again = Match.from_record(match.record())
        assert again == match and again.players == players and again.winner == match.winner
    match.save(tmp_path / "match")
    assert Match.load(tmp_path / "match") == match


@given(st.tuples(st.text(max_size=20), st.text(max_size=20)), st.sampled_from([0, 999]))
@settings(max_examples=60)
def test_a_name_is_refused_or_comes_back_from_the_record(players: tuple[str, str], turns: int) -> None:
    try:
        match = played(turns, players=players, rulebook=Rulebook("short", stars=1), discs="SM ST")
    except SolunaError as error:
        assert str(error).startswith("players:")
    else:
        assert Match.from_record(match.record()).players == players
        match.record().encode()


# Damage --------------------------------------------------------------------------------------------------------------


def broken_moves(match: Match) -> list[tuple[int, int, int, str]]:
    """Every move of a record: its line, round and ply, and the text with a bad move in its place."""
    found, number, ply = [], 0, 0
    lines = lines_of(match)
    for at, line in enumerate(lines):
        if line.startswith("Round"):
            number, ply = number + 1, 0
        if not re.match(r"\d+\. ", line):
            continue
        for move in re.finditer(r"(?<=\. )\S+", line):
            ply += 1
            for bad in ("S1>S99", "S1>", "S1#99>M1", "what", "S0>M1", "s1>m1", "S99>S1#1"):
                damaged = [*lines[:at], line[: move.start()] + bad + line[move.end() :], *lines[at + 1 :]]
                found.append((at + 1, number, ply, "\n".join(damaged)))
    return found


@pytest.mark.parametrize("name", ["in the second round", "choosing again", "placing in the second round", "by hand"])
def test_one_broken_move_is_refused_with_its_line_round_and_ply(name: str) -> None:
    """CASES row 24: reported at niklasf/python-chess#264."""
    cases = broken_moves(MATCHES[name])
    assert len(cases) > 20
    for line, number, ply, text in cases:
        error = refusal(text)
        assert line_in(error) == line
        assert f"ply {ply}" in str(error) and f"round {number}" in str(error)
        assert (error.params["round"], error.params["ply"]) == (number, ply)


def test_a_broken_move_is_told_in_the_words_of_the_rules() -> None:
    match = played(0, start="M2 S3 S1", opener=0)
    text = match.record().replace("Result", "1. M2>S3\nResult")
    assert "moon, height 2 cannot go on sun, height 3: neither tops nor heights agree" in str(refusal(text))


@pytest.mark.parametrize("name", ["in the second round", "a rulebook of one's own"])
def test_a_record_truncated_anywhere_is_refused(name: str) -> None:
    """CASES row 24: reported at niklasf/python-chess#264."""
    text = MATCHES[name].record()
    for length in range(len(text.rstrip("\n"))):
        line_in(refusal(text[:length]))


def test_a_byte_that_is_no_text_is_refused_also_where_any_letter_would_do(tmp_path: Path) -> None:
    path = tmp_path / "match"
    path.write_bytes(played(15, players=("Zoe", "Luna")).record().encode().replace(b"Zoe", b"Zo\xeb"))
    with pytest.raises(InvalidNotation):
        Match.load(path)


def test_a_file_truncated_in_the_middle_of_a_character_is_refused(tmp_path: Path) -> None:
    data = played(15, players=("Zoë", "日の出")).record().encode()
    path = tmp_path / "match"
    inside = [length for length in range(1, len(data)) if data[length] & 0b1100_0000 == 0b1000_0000]
    assert len(inside) > 5
    for length in inside:
        path.write_bytes(data[:length])
        with pytest.raises(InvalidNotation):
            Match.load(path)


@pytest.mark.parametrize("name", sorted(set(MATCHES) - {"over", "a winner in braces", "placing, over"}))
def test_two_lines_swapped_are_headers_in_another_order_or_refused(name: str) -> None:
    match = MATCHES[name]
    lines = lines_of(match)
    for at in range(len(lines) - 1):
        swapped = [*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :]]
        text = "\n".join(swapped)
        if lines[at].startswith("[") and lines[at + 1].startswith("["):
            assert Match.from_record(text) == match
        elif "" in (lines[at], lines[at + 1]):
            assert Match.from_record(text) == match, "an empty line means nothing"
        else:
            line_in(refusal(text))


@pytest.mark.parametrize("name", ["in the second round", "choosing again", "placing, over"])
def test_a_disc_that_is_not_of_the_box_is_refused_with_its_line(name: str) -> None:
    lines = lines_of(MATCHES[name])
    for at, line in enumerate(lines):
        if not line.startswith("Round"):
            continue
        first = line.split(" ")[2]
        for bad in ("SS", "S", "Sm", "AB", "SMT", "", "S1", "--"):
            damaged = "\n".join([*lines[:at], line.replace(first, bad, 1), *lines[at + 1 :]])
            assert line_in(refusal(damaged)) == at + 1
        for damaged_line in (line + " SM", line.rsplit(" ", 1)[0] + " " + other_pair(line.rsplit(" ", 1)[1])):
            damaged = "\n".join([*lines[:at], damaged_line, *lines[at + 1 :]])
            assert line_in(refusal(damaged)) == at + 1


def test_the_discs_placed_so_far_are_of_the_box() -> None:
    text = re.sub(r"^Round 1: .*", "Round 1: @", played(3, placing=True).record(), flags=re.MULTILINE)
    assert len(Match.from_record(text.replace("@", "SM MS TC")).stacks) == 3
    for discs in ("SM MS SM", "SM AB", "S", "SM SS"):
        assert line_in(refusal(text.replace("@", discs))) == text[: text.index("@")].count("\n") + 1


def other_pair(disc: str) -> str:
    return next(a + b for a in "SMTC" for b in "SMTC" if a != b and {a, b} != set(disc))


def test_under_morapiaf_a_disc_that_was_turned_between_rounds_is_refused() -> None:
    lines = lines_of(MATCHES["morapiaf, over"])
    at = next(at for at, line in enumerate(lines) if line.startswith("Round 2"))
    turned = re.sub(r"^(Round 2: )(.)(.)", r"\1\3\2", lines[at])
    assert turned != lines[at]
    assert line_in(refusal("\n".join([*lines[:at], turned, *lines[at + 1 :]]))) == at + 1


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (r"^\[Soluna .*", '[Soluna "2"]'),
        (r"^\[Soluna .*", '[Chess "1"]'),
        (r"^\[Soluna .*", "[Soluna 1]"),
        (r"^\[Players .*", '[Players "Sol"]'),
        (r"^\[Players .*", '[Players "Sol" "Luna" "Stella"]'),
        (r"^\[Players .*", '[Players "Sol" ""]'),
        (r"^\[Players .*", '[Players "Sol" "Lu\\nna"]'),
        (r"^\[Players .*", '[Players "Sol" "\\ud800"]'),
        (r"^\[Players .*", '[Players "Sol" "\\q"]'),
        (r"^\[Players .*", '[Players "Sol" "\\u12"]'),
        (r"^\[Players .*", '[Players "Sol" "Luna]'),
        (r"^\[Players .*", "[Players Sol Luna]"),
        (r"^\[Rulebook .*", '[Rulebook "chess"]'),
        (r"^\[Rulebook .*", '[Rulebook "house" "stars=4"]'),
        (r"^\[Rulebook .*", '[Rulebook "house" "first_opener=x next_layout=new next_opener=loser stars=2"]'),
        (r"^\[Rulebook .*", '[Rulebook "house" "first_opener=agreed next_layout=new next_opener=loser stars=x"]'),
        (r"^\[Rulebook .*", '[Rulebook "house" "first_opener=agreed next_layout=new next_opener=loser stars=0"]'),
        (r"^\[Rulebook .*", '[Rulebook "a" "b" "c"]'),
        (r"^\[Seed .*", '[Seed "x"]'),
        (r"^\[Seed .*", '[Seed ""]'),
        (r"^\[Seed .*", '[Seed "1.5"]'),
        (r"^\[Seed .*", '[Seed "' + "9" * 5000 + '"]'),
        (r"^\[Seed .*", '[Seed "٣"]'),
        (r"^\[Date .*", '[Date "yesterday"]'),
        (r"^\[Date .*", '[Date "2026-02-30"]'),
        (r"^\[Date .*", '[Date ""]'),
        (r"^\[Opener .*", '[Opener "2"]'),
        (r"^\[Opener .*", '[Opener ""]'),
        (r"^\[Opener .*", '[Opener "0"]\n[Opener "0"]'),
        (r"^\[Opener .*", '[Opener "0"]\n[Start "S1^3"]'),
        (r"^\[Opener .*", '[Opener "0"]\n[Start ""]'),
        (r"^\[Opener .*", '[Opener "0"]\n[Start "x"]'),
        (r"^\[Opener .*", '[Opener "0"]\n[Discs "babylon"]'),
        (r"^\[Opener .*", '[Opener "0"]\n[Discs ""]'),
        (r"^\[Opener .*", '[Opener "0"]\n[Discs "x"]'),
        (r"^\[Opener .*", '[Opener "0"]\n[Placing "no"]'),
        (r"^\[Opener .*", '[Opener "0"]\n[Misere "no"]'),
        (r"^\[Opener .*", '[Opener "0"]\n[Elo "1600"]'),
        (r"^\[Opener .*", '[Opener "0"'),
        (r"^\[Opener .*", "[]"),
        (r"^Round 1:", "Round 2:"),
        (r"^Round 1:", "Round 1"),
        (r"^Round 1:", "round 1:"),
        (r"^Round 1:", "choose first\nRound 1:"),
        (r"^Result: ", "choose first\nResult: "),
        (r"^1\. ", "2. "),
        (r"^1\. ", "1 "),
        (r"^1\. ", ""),
        (r"^1\. ", "choose first\n1. "),
        (r"^1\. ", "choose last\n1. "),
        (r"^1\. ", "{ 1. "),
        (r"^1\. ", "} 1. "),
        (r"^1\. ", "{{}} 1. "),
        (r"^Result: .*", ""),
        (r"^Result: .*", "Result: 3-0, unfinished"),
        (r"^Result: .*", "Result: 0-0, unfinished"),
        (r"^Result: .*", 'Result: 1-0, "Sol" won'),
        (r"^Result: .*", 'Result: 0-1, "Luna" won'),
        (r"^Result: .*", "Result: -1-0, unfinished"),
        (r"^Result: .*", "Result: 1-0"),
        (r"^Result: .*", "Result: " + "9" * 5000 + "-0, unfinished"),
        (r"^Result: .*", "Result: 1-0, unfinished\nResult: 1-0, unfinished"),
        (r"^Result: .*", "Result: 1-0, unfinished\n1. S1>M1"),
        (r"^Result: .*", "Result: 0-1, unfinished\nthe end"),
        (r"^Round 2:", "Result: 1-0, unfinished\nRound 2:"),
    ],
    ids=lambda text: text[:60],
)
def test_a_damaged_line_is_refused_with_a_line(old: str, new: str) -> None:
    match = played(15, opener=0)
    text, times = re.subn(old, lambda found: new, match.record(), count=1, flags=re.MULTILINE)
    assert times == 1 and text != match.record()
    assert 1 <= line_in(refusal(text)) <= text.count("\n") + 1


def test_one_chooses_once_and_where_there_is_something_to_choose() -> None:
    chosen = MATCHES["chosen"].record()
    error = refusal(re.sub(r"^(choose .*)$", r"\1\n\1", chosen, flags=re.MULTILINE))
    assert line_in(error) == chosen[: chosen.index("choose")].count("\n") + 2
    refusal(re.sub(r"^choose .*\n", "1. S1>M1\n", chosen, flags=re.MULTILINE))


def test_the_line_of_a_bad_header_is_its_own() -> None:
    lines = lines_of(MATCHES["new"])
    for at, line in enumerate(lines):
        if line.startswith("["):
            name = line[1:].split(" ")[0]
            damaged = "\n".join([*lines[:at], f'[{name} "?"]', *lines[at + 1 :]])
            error = refusal(damaged)
            assert line_in(error) == at + 1
            assert name in str(error)


@pytest.mark.parametrize("name", ["Soluna", "Players", "Rulebook", "Seed"])
def test_a_header_that_is_needed_is_missed_by_name(name: str) -> None:
    lines = [line for line in lines_of(MATCHES["new"]) if not line.startswith(f"[{name}")]
    error = refusal("\n".join(lines))
    assert name in str(error)
    line_in(error)


def test_moves_after_the_end_of_a_round_or_of_the_match_are_refused_with_their_ply() -> None:
    over = played(1, start="S1^2", opener=0)
    error = refusal(over.record().replace("Result", "2. S2>S2\nResult"))
    assert error.params["ply"] == 2
    over = MATCHES["over"]
    error = refusal(over.record().replace("Result", f"\nRound {over.round + 1}: SM\nResult"))
    assert line_in(error)


@pytest.mark.parametrize("value", [None, 5, b"[Soluna]", ["[Soluna]"], Path("x")])
def test_what_is_no_text_is_no_record(value: object) -> None:
    with pytest.raises(InvalidNotation):
        Match.from_record(value)  # type: ignore[arg-type]


@given(st.text(max_size=200) | st.text(alphabet='[]"Soluna 1{}\n\r#>:.,^', max_size=80))
def test_no_text_is_a_record_by_chance(text: str) -> None:
    refusal(text)


ALPHABET = 'SMTCAB0123456789 .>#^,:"[]{}\\\n\r\t-=abcdefsolunaRPDO\ufeff\u2028\x00é\ud800'


WAYS_TO_DAMAGE = ["replace", "insert", "delete", "line", "swap", "twice", "splice", "digit", "move"]


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """A record that somebody edited, or a disk did."""
    records = sorted(MATCHES)
    text = MATCHES[draw(st.sampled_from(records))].record()
    for _ in range(draw(st.integers(1, 3))):
        kind = draw(st.sampled_from(WAYS_TO_DAMAGE))
        at = draw(st.integers(0, max(len(text) - 1, 0)))
        lines = text.split("\n")
        line = draw(st.integers(0, len(lines) - 1))
        other = draw(st.integers(0, len(lines) - 1))
        if kind == "replace":
            text = text[:at] + draw(st.sampled_from(ALPHABET)) + text[at + 1 :]
        elif kind == "insert":
            text = text[:at] + draw(st.text(alphabet=ALPHABET, max_size=4)) + text[at:]
        elif kind == "delete":
            text = text[:at] + text[at + draw(st.integers(1, 20)) :]
        elif kind == "digit":
            text = re.sub(r"\d", draw(st.sampled_from("0123456789")), text[:at], count=1) + text[at:]
        elif kind == "move":
            moves = list(re.finditer(r"[A-Z]\d+(#\d+)?>[A-Z]\d+(#\d+)?", text))
            if len(moves) > 1:
                one, two = draw(st.sampled_from(moves)), draw(st.sampled_from(moves))
                text = text[: one.start()] + two[0] + text[one.end() :]
        else:
            if kind == "line":
                del lines[line]
            elif kind == "swap":
                lines[line], lines[other] = lines[other], lines[line]
            elif kind == "twice":
                lines.insert(other, lines[line])
            else:
                theirs = MATCHES[draw(st.sampled_from(records))].record().split("\n")
                lines[line] = draw(st.sampled_from(theirs))
            text = "\n".join(lines)
    return text


@given(damaged())
@settings(max_examples=250)
def test_an_edited_record_is_a_match_whose_own_record_reads_back_or_is_refused(text: str) -> None:
    try:
        match = Match.from_record(text)
    except InvalidNotation as error:
        assert line_in(error) >= 1
    else:
        assert Match.from_record(match.record()) == match
        while match.can_undo():
            match.undo()
        assert Match.from_record(match.record()) == match


# Files ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MATCHES)
def test_a_saved_match_is_loaded(name: str, tmp_path: Path) -> None:
    path = tmp_path / "a match.txt"
    MATCHES[name].save(path)
    assert path.read_bytes() == MATCHES[name].record().encode()
    assert Match.load(path) == MATCHES[name]
    assert Match.load(str(path)) == MATCHES[name]
    assert names_in(tmp_path) == ["a match.txt"]


def test_saving_again_replaces_the_file(tmp_path: Path) -> None:
    path = tmp_path / "match"
    MATCHES["over"].save(path)
    MATCHES["new"].save(path)
    assert Match.load(path) == MATCHES["new"]
    assert names_in(tmp_path) == ["match"]


def names_in(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


class Crash(BaseException):
    """The power is gone."""


@pytest.mark.parametrize("error", [Crash, OSError, KeyboardInterrupt])
@pytest.mark.parametrize("step", ["replace", "fsync", "fdopen"])
def test_a_crash_while_saving_leaves_the_old_file_whole_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, error: type[BaseException]
) -> None:
    path = tmp_path / "match"
    MATCHES["new"].save(path)
    before = path.read_bytes()

    def crash(*arguments: object, **options: object) -> None:
        raise error

    with monkeypatch.context() as patched:
        patched.setattr(os, step, crash)
        with pytest.raises(error):
            MATCHES["over"].save(path)
    assert path.read_bytes() == before
    assert names_in(tmp_path) == ["match"]
    assert Match.load(path) == MATCHES["new"]


def test_the_old_file_is_whole_at_every_moment_of_saving(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a crash that runs no code at all would leave: looked at before each step that touches the disk."""
    path, steps = tmp_path / "match", []
    MATCHES["new"].save(path)
    before = path.read_bytes()
    for step in ("fsync", "replace"):
        real = getattr(os, step)

        def look(*arguments: object, real=real, step=step, **options: object) -> object:
            assert path.read_bytes() == before
            steps.append(step)
            return real(*arguments, **options)

        monkeypatch.setattr(os, step, look)
    MATCHES["over"].save(path)
    assert steps[:2] == ["fsync", "replace"], "what is renamed is on the disk"
    assert path.read_bytes() != before


def test_where_nothing_can_be_written_the_error_is_the_systems(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        MATCHES["new"].save(tmp_path / "no such folder" / "match")
    with pytest.raises(OSError, match=r"."):  # a folder is in the way; which error that is depends on the system
        MATCHES["new"].save(tmp_path)
    assert names_in(tmp_path) == []


def test_a_file_that_is_not_there_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Match.load(tmp_path / "match")


@pytest.mark.parametrize("data", [b"", b"\xff\xfe[\x00S\x00", b"\x00" * 100, b"\x89PNG\r\n\x1a\n", bytes(range(256))])
def test_a_file_that_is_no_record_is_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "match"
    path.write_bytes(data)
    with pytest.raises(InvalidNotation):
        Match.load(path)


@pytest.mark.skipif(os.name != "posix", reason="permissions are POSIX's")
def test_a_saved_match_can_be_read_by_whom_any_new_file_can_be_read(tmp_path: Path) -> None:
    (tmp_path / "other").write_text("")
    MATCHES["new"].save(tmp_path / "match")
    assert (tmp_path / "match").stat().st_mode == (tmp_path / "other").stat().st_mode


def test_refusals_can_be_told_to_the_browser() -> None:
    error = refusal("nonsense")
    assert json.loads(json.dumps(error.params)) == error.params
