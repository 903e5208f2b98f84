"""Why a position is won or lost, in words: the move that wins, and what every other move runs into."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from soluna_widget.theory.game import Game, Key, check_game, has_moves, key_of, moves_of, words_for
from soluna_widget.theory.sums import Sum
from soluna_widget.theory.values import Analysis, Outcome, shared


@dataclass(frozen=True, slots=True)
class Line:
    """Moves to one position, and the answer that they run into.

    Args:
        moves: The moves; for a game without moves of its own, the option.
        option: Where they lead.
        alike: Further moves, to positions that play alike up to `canonical()`: there the answers have other names.
        answers: All moves of the other player that then win, the quickest first; none where there is none.
        after: Where the first of the answers leads; None where there is none.
    """

    moves: tuple[Any, ...]
    option: Any
    alike: tuple[Any, ...] = ()
    answers: tuple[Any, ...] = ()
    after: Any = None


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a position is won or lost; `str` of it says so in sentences.

    Args:
        game: The position.
        misere: Whether who cannot move wins.
        outcome: "P" if the player to move loses, "N" if that player wins.
        remoteness: How many moves it takes.
        winning: For a won position the winning moves, the quickest first; else none.
        refutations: What loses: each move from a lost position, or each answer to the quickest winning move.
    """

    game: Any
    misere: bool
    outcome: Outcome
    remoteness: int
    winning: tuple[Line, ...]
    refutations: tuple[Line, ...]

    def __str__(self) -> str:
        return "\n".join(_sentences(self))

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        # IPython shows the sentences where an explanation is a cell's last line.
        printer.text("..." if cycle else str(self))


def explain(game: Game, misere: bool = False, *, analysis: Analysis | None = None) -> Explanation:
    """Explain why a position is won or lost.

    Args:
        game: A position of any game; moves are told by their text, and by `describe()` where they have it.
        misere: Whether who cannot move wins.
        analysis: Who is asked; None is the memory that the functions of this package share.

    Returns:
        An Explanation, to be printed or to be asked for its parts.

    Raises:
        SolunaError: If `game` is no game, or has too many positions below it.
        CyclicGame: If play can come back to a position.

    >>> from soluna_widget.theory import Nim
    >>> print(explain(Nim(1, 2)))
    Nim 1 2: N, the player to move wins, with best play in 3 moves.
    The move 2>1 (take 1 from 2, leaving 1) wins: it leads to Nim 1 1, which is lost for the player who must move there.
    From there 1>0 runs into 1>0, which leads to Nim 0, where nobody can move.
    >>> print(explain(Nim(1, 1)))
    Nim 1 1: P, the player to move loses, with best play in 2 moves.
    1>0 runs into 1>0, which leads to Nim 0, where nobody can move.
    """
    check_game(game)
    judge = shared() if analysis is None else analysis
    speed = judge.remoteness(game, misere)
    lost = (speed % 2 == 0) != misere
    lines = _lines(judge, game, misere)
    if lost:
        return Explanation(game, misere, "P", speed, (), tuple(lines))
    winning = sorted(
        (line for line in lines if judge.outcome(line.option, misere) == "P"),
        key=lambda line: judge.remoteness(line.option, misere),
    )
    refutations = _lines(judge, winning[0].option, misere) if winning else []
    return Explanation(game, misere, "N", speed, tuple(winning), tuple(refutations))


def _lines(judge: Analysis, game: Any, misere: bool) -> list[Line]:
    """Give the moves of a position, those together that come to the same, with the answers that win."""
    groups: dict[Key, list[tuple[Any, Any]]] = {}
    for move, option in moves_of(game):
        groups.setdefault(key_of(option), []).append((move, option))
    lines = []
    for group in groups.values():
        option = group[0][1]
        answers = [(move, after) for move, after in moves_of(option) if judge.outcome(after, misere) == "P"]
        answers.sort(key=lambda pair: judge.remoteness(pair[1], misere))
        lines.append(
            Line(
                tuple(move for move, other in group if _exact(other) == _exact(option)),
                option,
                tuple(move for move, other in group if _exact(other) != _exact(option)),
                tuple(move for move, _ in answers),
                answers[0][1] if answers else None,
            )
        )
    return lines


def _exact(game: Any) -> Any:
    """Give what tells positions apart in which the same moves have the same names: equal sums may differ in order."""
    return tuple(_exact(part) for part in game.parts) if isinstance(game, Sum) else (type(game), game)


def _sentences(told: Explanation) -> list[str]:
    last = "and who cannot move wins" if told.misere else "and who cannot move loses"
    wins = "the player to move wins" if told.outcome == "N" else "the player to move loses"
    if told.remoteness == 0:
        return [f"{told.game}: {told.outcome}, {wins}: nobody can move, {last}."]
    moves = "1 move" if told.remoteness == 1 else f"{told.remoteness} moves"
    said = [f"{told.game}: {told.outcome}, {wins}, with best play in {moves}{' (misère)' if told.misere else ''}."]
    own = has_moves(told.game)
    if told.winning:
        best, *others = told.winning
        if told.refutations:
            why = f"leads to {best.option}, which is" if own else "is"
            why += " lost for the player who must move there"
        else:
            why = f"leads to {best.option}, where nobody can move, {last}" if own else f"is the end, {last}"
        said.append(f"{'The move ' if own else ''}{_said(best.moves[0])} wins: it {why}.")
        alike = [*best.moves[1:], *best.alike, *(move for line in others for move in (*line.moves, *line.alike))]
        if alike:
            said.append(f"So {'does' if len(alike) == 1 else 'do'} {_listed(alike)}.")
    for number, line in enumerate(told.refutations):
        begun = "From there " if told.winning and not number else ""
        said.append(f"{begun}{_run(line, own)}.")
    return said


def _run(line: Line, own: bool) -> str:
    several = len(line.moves) > 1
    if line.answers:
        said = f"{_listed(line.moves)} {'run' if several else 'runs'} into {line.answers[0]}"
        if own:
            said += f", which leads to {line.after}"
        if not list(line.after.options()):
            said += ", where nobody can move"
        if also := line.answers[1:]:
            others = _listed(also) if len(also) <= 3 else f"{len(also)} other answers"
            said += f" ({others} would do as well)"
    else:  # only under misère
        said = f"{_listed(line.moves)} {'leave' if several else 'leaves'} the other player without a move, who so wins"
    return f"{said}; {_listed(line.alike)} {'plays' if len(line.alike) == 1 else 'play'} alike" if line.alike else said


def _said(move: Any) -> str:
    words, text = words_for(move), str(move)
    return text if words == text else f"{text} ({words})"


def _listed(moves: Any) -> str:
    texts = list(dict.fromkeys(str(move) for move in moves))
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} and {texts[-1]}"
