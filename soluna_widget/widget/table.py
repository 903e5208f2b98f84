"""The table: a match that is played in the browser and from Python alike.

Python owns the game. Two traits are on the wire: the browser asks through `request`, which is answered in one place;
every `state` that is published is whole and new. All is published from the match's one listener, and the observable
traits follow.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from functools import cache, partial
from importlib.resources import files
from typing import Any, NoReturn

import anywidget
import traitlets

from soluna_widget.discs import DiscSet
from soluna_widget.drawing import describe_turn, match_svg
from soluna_widget.errors import IllegalMove, SolunaError, WrongPhase, shown
from soluna_widget.match import Match, Order, Rulebook
from soluna_widget.rules import Move, Position
from soluna_widget.strategies import Strategy, find
from soluna_widget.widget.advice import can_advise, give_hints, give_review
from soluna_widget.widget.opponent import Thinker, running_loop
from soluna_widget.widget.requests import Request, read_request, usable_id
from soluna_widget.widget.state import Around, to_message, to_state

LANGUAGES = ("en", "es")
"""The languages of the words on screen: the files in `js/src/words/`."""

MOST_DISCS = 100
"""More discs than this do not fit on a table that people can play at."""

_OBSERVABLE = ("position", "turn", "phase", "stars", "winner", "players")
_MOST_EARLIER = 50
_log = logging.getLogger(__name__)


@cache
def _built(name: str) -> str:
    try:
        return files("soluna_widget").joinpath("static", name).read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""


def _nothing(*_: object) -> None:
    """The thought of one who has nothing to decide, and what is told of a request."""


class _EveryTime(traitlets.Any):
    """A trait that tells of every value that is set, the same one again too: two equal requests are two requests."""

    def set(self, obj: Any, value: Any) -> None:
        old = obj._trait_values.get(self.name)
        obj._trait_values[self.name] = value
        obj._notify_trait(self.name, old, value)


class _Guarded:
    """A user's callback; what it raises is told to the widget, and the others are still called."""

    def __init__(self, callback: Callable[[Any], Any], failed: Callable[[Exception], None]) -> None:
        self.callback = callback
        self.failed = failed

    def __call__(self, change: Any) -> None:
        try:
            self.callback(change)
        except Exception as error:
            self.failed(error)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Guarded) and self.callback == other.callback

    def __hash__(self) -> int:
        return hash(self.callback)


class SolunaWidget(anywidget.AnyWidget):
    """A table for a match of Soluna, for two people or against the computer.

    Args:
        rulebook: As for `Match`, like all that follow down to `misere`.
        players: The two names.
        seed: Makes the match, and the computer's chance, repeatable.
        discs: The discs of the box.
        opener: Who moves first in round one, where the players agree on it.
        youngest: Who chooses in round one, where the youngest chooses.
        placing: Whether the players put the discs down one by one.
        start: A start chosen by hand.
        misere: Whether who cannot move wins the round.
        opponent: Who sits at `seat`: a strategy, its name such as "random", "minimax 3", "fallible 0.2" or "perfect"
            (see `strategies.NAMED`), or a function of (position, rng) that gives a move; None for two people.
        seat: Where the opponent sits, 0 or 1.
        language: The language of the words on screen, "en" or "es"; None takes the notebook's or the browser's.

    Raises:
        SolunaError: If an argument is not as said; the sentence names it.
        TypeError: If there is no argument of that name.

    The traits `position`, `turn`, `phase`, `stars`, `winner` and `players` can be observed and linked. They change
    together, so a callback sees them all as they are after the turn. What a callback raises is shown at the table.
    """

    _esm = _built("widget.js")
    _css = _built("widget.css")

    state = traitlets.Dict(read_only=True).tag(sync=True)
    # Never sent, not even when the browser asks for everything: what came may be nothing that JSON can carry.
    request = _EveryTime(None, allow_none=True).tag(sync=True, echo_update=False, to_json=_nothing)

    position = traitlets.Unicode(read_only=True, help="The position on the table, as text.")
    turn = traitlets.Int(0, read_only=True, help="Who acts: 0 or 1; once a round is over, who cannot move.")
    phase = traitlets.Unicode(read_only=True, help="placing, choosing, playing, round_over or match_over.")
    stars = traitlets.Tuple(traitlets.Int(), traitlets.Int(), default_value=(0, 0), read_only=True, help="Rounds won.")
    winner = traitlets.Int(None, allow_none=True, read_only=True, help="Who won the match; None while nobody has.")
    players = traitlets.Tuple(
        traitlets.Unicode(), traitlets.Unicode(), default_value=("", ""), read_only=True, help="The two names."
    )

    def __init__(
        self,
        rulebook: str | Rulebook = "bga",
        players: Sequence[str] = ("Sol", "Luna"),
        seed: int | None = None,
        discs: DiscSet | str | None = None,
        opener: int | None = None,
        youngest: int = 0,
        placing: bool = False,
        start: Position | str | None = None,
        misere: bool = False,
        *,
        opponent: Strategy | str | Callable[..., Any] | None = None,
        seat: int = 1,
        language: str | None = None,
    ) -> None:
        if not self._esm:
            raise RuntimeError(
                "the table's front end is not built: in a checkout, 'python task.py build' makes it; "
                "an installed package always has it"
            )
        match = Match(rulebook, players, seed, discs, opener, youngest, placing, start, misere)
        _check_size(match)
        if isinstance(seat, bool) or seat not in (0, 1) or not isinstance(seat, int):
            raise SolunaError(f"seat: 0 or 1, not {shown(seat)}")
        self._seat = seat
        self._language = _check_language(language)
        self._opponent = None if opponent is None else find(opponent, misere=match.misere)
        # A kernel may answer clicks in another thread than the one that runs cells.
        self._lock = threading.RLock()
        self._thinker = Thinker(self._lock)
        self._serial = self._revision = 0
        self._failed_at: int | None = None
        self._answer: dict[str, Any] | None = None
        self._notice: dict[str, Any] | None = None
        self._record: str | None = None
        self._hints = False
        self._review: dict[str, Any] | None = None
        self._closed = False
        self._answering = self._telling = self._failing = False
        self._matches = [match]
        match.listener = self._table_changed
        # Before the comm opens, so that the first message already carries a whole state.
        self._publish_state(thinking=self._will_think())
        self._set_observables()
        super().__init__()
        self._ask_opponent()

    @classmethod
    def from_match(
        cls,
        match: Match,
        *,
        opponent: Strategy | str | Callable[..., Any] | None = None,
        seat: int = 1,
        language: str | None = None,
    ) -> SolunaWidget:
        """Put a match that is there already on a table, such as one that was loaded.

        Args:
            match: The match itself, not a copy: the table follows it.
            opponent: As for the table.
            seat: As for the table.
            language: As for the table.

        Raises:
            SolunaError: If an argument is not as said.
        """
        _check_match(match)
        strategy = None if opponent is None else find(opponent, misere=match.misere)
        table = cls(seat=seat, language=language)
        table._matches.clear()
        table._opponent = strategy
        table._sit_down(match)
        return table

    # What people use from Python: the same as the buttons

    @property
    def match(self) -> Match:
        """The match on the table; setting it puts another one there."""
        return self._matches[-1]

    @match.setter
    def match(self, match: Match) -> None:
        _check_match(match)
        with self._lock:
            self._sit_down(match)

    @property
    def opponent(self) -> Strategy | None:
        """Who sits at `seat`, None for two people; may be changed at any time."""
        return self._opponent

    @opponent.setter
    def opponent(self, opponent: Strategy | str | Callable[..., Any] | None) -> None:
        with self._lock:
            self._opponent = None if opponent is None else find(opponent, misere=self.match.misere)
            self._table_changed()

    @property
    def language(self) -> str | None:
        """The language of the words on screen; None leaves it to the page. May be changed at any time."""
        return self._language

    @language.setter
    def language(self, language: str | None) -> None:
        with self._lock:
            self._language = _check_language(language)
            self._publish_state(thinking=self._thinker.busy)

    @property
    def hints(self) -> bool:
        """Whether each legal target says if the move wins, how many moves are left and what value it leaves."""
        return self._hints

    @hints.setter
    def hints(self, hints: bool) -> None:
        if not isinstance(hints, bool):
            raise SolunaError(f"hints: True or False, not {shown(hints)}")
        with self._lock:
            if hints and not can_advise(self.match):
                raise SolunaError("hints: this table has too many positions to be solved at once", code="too_many")
            self._hints = hints
            self._publish_state(thinking=self._thinker.busy)

    @property
    def seat(self) -> int:
        """Where the opponent sits."""
        return self._seat

    def play(self, move: Move | str | tuple[int, int]) -> None:
        """Make a move, as `Match.play` does."""
        with self._lock:
            self.match.play(move)

    def choose(self, order: Order) -> None:
        """Choose to go "first" or "second", as `Match.choose` does."""
        with self._lock:
            self.match.choose(order)

    def place(self) -> None:
        """Place the next disc, as `Match.place` does."""
        with self._lock:
            self.match.place()

    def next_round(self) -> None:
        """Begin the next round, as `Match.next_round` does."""
        with self._lock:
            self.match.next_round()

    def new_match(self) -> None:
        """Begin a new match with the same settings; `undo` at its very start brings the one before back."""
        with self._lock:
            self._sit_down(self.match.again())

    def undo(self) -> None:
        """Take back the last turn; with an opponent, back to the person's turn.

        Raises:
            WrongPhase: If there is nothing left.
        """
        with self._lock:
            if self.match.can_undo(self._person) or len(self._matches) == 1:
                self.match.undo(self._person)
            else:
                self._matches.pop().listener = None
                self._sit_down(self._matches.pop())

    def redo(self) -> None:
        """Do again what was taken back; with an opponent, on to the person's next turn.

        Raises:
            WrongPhase: If there is nothing.
        """
        with self._lock:
            self.match.redo(self._person)

    def review(self) -> dict[str, Any]:
        """Show at the table which moves of the round that is over gave a won position away, and what refutes them.

        Returns:
            The same as plain values: `round`, its number; `winner`, who could win from the start; `mistakes`, each with
            `move` (from 1), `by`, `better` and `reply` (pairs of stack numbers).

        Raises:
            WrongPhase: While a round is going on.
            SolunaError: If its positions are too many to be solved at once.
        """
        with self._lock:
            if self.match.phase not in ("round_over", "match_over"):
                raise WrongPhase("a round is reviewed when it is over", code="wrong_phase")
            if not can_advise(self.match):
                raise SolunaError("review: this table has too many positions to be solved at once", code="too_many")
            self._review = give_review(self.match)
            self._publish_state(thinking=self._thinker.busy)
            return self._review

    async def settled(self) -> None:
        """Wait until the opponent has answered, never for a person: the way for notebooks that run unattended."""
        await self._thinker.settled()

    def close(self) -> None:
        """Close the table and all its views; the opponent's thought is dropped."""
        self._closed = True
        # __init__ may have refused its arguments before there was anything to let go of.
        if "_thinker" in self.__dict__:
            self._thinker.drop()
            for match in self._matches:
                match.listener = None
            del self._matches[:-1]
        super().close()

    # The wire

    def set_state(self, sync_data: Any) -> None:
        """Take what the browser sends: a request, and nothing else."""
        if isinstance(sync_data, dict) and "request" in sync_data:
            # The lock is taken before traitlets begins to hold notifications: two threads that hold at once lose some.
            with self._lock:
                super().set_state({"request": sync_data["request"]})

    def _handle_msg(self, msg: Any) -> None:
        content = msg.get("content") if isinstance(msg, dict) else None
        data = content.get("data") if isinstance(content, dict) else None
        if not isinstance(data, dict):
            return
        method = data.get("method")
        if method == "update":
            # Nothing here is binary, so buffers are not even looked at.
            self.set_state(data.get("state"))
        elif method == "request_state":
            self.send_state()
        elif method == "custom":
            super()._handle_msg(msg)

    def notify_change(self, change: Any) -> None:
        """Send what has changed; a request never goes back to where it came from."""
        if change["name"] == "request":
            traitlets.HasTraits.notify_change(self, change)
        else:
            super().notify_change(change)

    @traitlets.observe("request")
    def _on_request(self, change: Any) -> None:
        with self._lock:
            self._respond(change["new"])

    def _respond(self, raw: object) -> None:
        before = self._serial
        try:
            request = read_request(raw)
            self._answer = {"id": request.id, "error": None}
            self._carry_out(request)
        except SolunaError as error:
            self._refuse(raw, error)
        except Exception as error:
            _log.exception("a request failed")
            self._refuse(raw, SolunaError(f"this failed in Python: {_name_error(error)}", error=_name_error(error)))
        else:
            if self._serial == before:
                self._publish_state(thinking=self._thinker.busy)

    def _carry_out(self, request: Request) -> None:
        if request.kind == "hello":
            return
        if request.revision != self._revision:
            raise SolunaError("the table has changed since; look again", code="stale")
        if request.kind in ("move", "choose", "place") and self._thinker.busy:
            name = self.match.players[self._seat]
            raise SolunaError(f"it is the turn of {name}, who is thinking", code="computers_turn", name=name)
        match request.kind:
            case "move":
                self.match.play((request.body["mover"], request.body["target"]))
            case "choose":
                self.match.choose(request.body["order"])
            case "place":
                self.match.place()
            case "next_round":
                self.match.next_round()
            case "new_match":
                self.new_match()
            case "undo":
                self.undo()
            case "redo":
                self.redo()
            case "record":
                self._record = self.match.record()
            case "hints":
                self.hints = request.body["on"]
            case "review":
                self.review()
            case "open":
                match = Match.from_record(request.body["record"])
                _check_match(match)
                self._sit_down(match)

    def _refuse(self, raw: object, error: SolunaError) -> None:
        self._answer = {"id": usable_id(raw), "error": to_message(error)}
        self._publish_state(thinking=self._thinker.busy)

    def _sit_down(self, match: Match) -> None:
        if self._closed:
            return
        if self._matches:
            self._matches[-1].listener = None
        match.listener = self._table_changed
        self._matches.append(match)
        del self._matches[:-_MOST_EARLIER]
        self._table_changed()

    def _table_changed(self) -> None:
        with self._lock:
            if not self._closed:
                self._publish()

    def _publish(self) -> None:
        self._revision += 1
        self._review = None
        self._thinker.drop()
        if not self._answering:
            # The computer's quick answer must not hide what went wrong at the person's turn.
            self._notice = None
        revision = self._revision
        self._publish_state(thinking=self._will_think())
        self._set_observables()
        if self._revision == revision:
            self._ask_opponent()

    def _publish_state(self, thinking: bool) -> None:
        if self._closed:
            return
        self._serial += 1
        opponent = self._opponent
        advice = can_advise(self.match)
        around = Around(
            serial=self._serial,
            revision=self._revision,
            can_undo=self.match.can_undo(self._person) or len(self._matches) > 1,
            can_redo=self.match.can_redo(),
            opponent_seat=None if opponent is None else self._seat,
            opponent_name="" if opponent is None else str(opponent.name),
            thinking=thinking,
            language=self._language,
            answer=self._answer,
            notice=self._notice,
            record=self._record,
            advice=advice,
            hints=give_hints(self.match) if self._hints and advice else None,
            review=self._review,
        )
        # Asked for once, told once: it would make every later state longer.
        self._record = None
        self.set_trait("state", to_state(self.match, around))

    def _set_observables(self) -> None:
        """Set the observable traits together, so that a callback for one sees all the others new."""
        match = self.match
        values = ("" if match.position is None else str(match.position), match.turn, match.phase)
        now = dict(zip(_OBSERVABLE, (*values, match.stars, match.winner, match.players), strict=True))
        if self._telling:
            # A callback has made a turn of its own: the values are new at once, and all are told in the loop below,
            # however many turns follow from each other.
            self._trait_values.update(now)
            return
        self._telling = True
        try:
            with self.hold_trait_notifications():
                for name, value in now.items():
                    self.set_trait(name, value)
            told = now
            while (now := {name: getattr(self, name) for name in _OBSERVABLE}) != told:
                before, told = told, now
                for name in _OBSERVABLE:
                    if before[name] != told[name]:
                        change = {"name": name, "old": before[name], "new": told[name], "owner": self, "type": "change"}
                        self.notify_change(traitlets.Bunch(change))
        finally:
            self._telling = False

    # Callbacks that people register

    def observe(self, handler: Any, names: Any = traitlets.All, type: Any = "change") -> None:
        """Call `handler` when a trait changes; what it raises is shown at the table, and stops nobody else."""
        super().observe(self._guard(handler), names, type)

    def unobserve(self, handler: Any, names: Any = traitlets.All, type: Any = "change") -> None:
        """Stop calling `handler`."""
        super().unobserve(self._guard(handler), names, type)

    def _guard(self, handler: Any) -> Any:
        # The class's own handlers are registered by the same way; a fault in one is not a user's.
        own = isinstance(handler, traitlets.traitlets.EventHandler)
        return handler if own else _Guarded(handler, self._callback_failed)

    def _callback_failed(self, error: Exception) -> None:
        _log.error("a callback failed", exc_info=error)
        if self._failing:
            # It was called because of what is being told below.
            return
        text = f"a callback raised {_name_error(error)}"
        self._notice = {"code": "callback_failed", "params": {"error": _name_error(error)}, "text": text}
        self._failing = True
        try:
            self._publish_state(thinking=self._thinker.busy or self._will_think())
        finally:
            self._failing = False

    # The opponent

    @property
    def _person(self) -> int | None:
        """The seat whose turns undo goes back to; None where both are people's."""
        return None if self._opponent is None else 1 - self._seat

    def _is_due(self) -> bool:
        return (
            self._opponent is not None
            and not self._closed
            and self.match.turn == self._seat
            and self.match.phase in ("placing", "choosing", "playing")
            and self._failed_at != self._revision
        )

    def _will_think(self) -> bool:
        return self._is_due() and running_loop() is not None

    def _ask_opponent(self) -> None:
        if not self._is_due():
            return
        assert self._opponent is not None
        match, revision = self.match, self._revision
        rng = match.rng(f"opponent/{match.ply}")
        think: Callable[[], Any]
        if match.phase == "placing":
            think = _nothing
        elif match.phase == "choosing":
            opens = getattr(self._opponent, "opens", None)
            think = partial(rng.choice, ("first", "second")) if opens is None else partial(opens, match.position, rng)
        else:
            think = partial(self._opponent.choose, match.position, rng)
        self._thinker.start(think, partial(self._hand_over, match, revision))

    def _hand_over(self, match: Match, revision: int, answer: Any, error: BaseException | None) -> None:
        with self._lock:
            if not self._closed and self._revision == revision:
                self._apply(match, answer, error)

    def _apply(self, match: Match, answer: Any, error: BaseException | None) -> None:
        self._answering = True
        try:
            if error is not None:
                raise error
            if match.phase == "placing":
                match.place()
            elif match.phase == "choosing":
                match.choose(answer)
            elif isinstance(answer, Move | str):
                match.play(answer)
            else:
                raise IllegalMove(f"{shown(answer)} is not a move")
        except BaseException as failure:
            self._opponent_failed(failure)
        finally:
            self._answering = False

    def _opponent_failed(self, error: BaseException) -> None:
        assert self._opponent is not None
        _log.error("the opponent failed", exc_info=error)
        self._failed_at = self._revision
        name, what = str(self._opponent.name), _name_error(error)
        self._notice = {
            "code": "opponent_failed",
            "params": {"name": name, "error": what},
            "text": f"{name} failed: {what}. Move for it, undo, or go on with a new match.",
        }
        self._publish_state(thinking=False)

    # Without a browser

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle is None:
            return None
        data, metadata = bundle
        caption = f"The table when this cell ran. {describe_turn(self.match)}"
        return {**data, "image/svg+xml": match_svg(self.match, caption=caption)}, metadata

    def __repr__(self) -> str:
        return f"<SolunaWidget {self.match!r}>"

    def __copy__(self) -> NoReturn:
        raise TypeError("a table cannot be copied; SolunaWidget.from_match(copy.copy(w.match)) makes another one")

    def __deepcopy__(self, memo: Any) -> NoReturn:
        self.__copy__()


def _name_error(error: BaseException) -> str:
    try:
        words = str(error)
    except Exception:
        words = ""
    return f"{type(error).__name__}: {words}" if words else type(error).__name__


def _check_size(match: Match) -> None:
    count = match.discs.size if match.start is None else match.start.discs
    if count > MOST_DISCS:
        name = "discs" if match.start is None else "start"
        raise SolunaError(f"{name}: a table has room for {MOST_DISCS} discs, not {count}")


def _check_language(language: str | None) -> str | None:
    if language is not None and language not in LANGUAGES:
        raise SolunaError(f"language: {' or '.join(map(repr, LANGUAGES))}, or None, not {shown(language)}")
    return language


def _check_match(match: Match) -> None:
    if not isinstance(match, Match):
        raise SolunaError(f"match: a Match, not {shown(match)}")
    if match.listener is not None:
        raise SolunaError("match: it lies on another table already; copy.copy(match) gives one to put here")
    _check_size(match)
