"""A comm without a kernel: every message that Python sends is kept, and the browser's side of it can be played.

In the spirit of ipywidgets' own test helper (`ipywidgets/widgets/tests/utils.py`), but strict: what is sent passes
through the same JSON as in a kernel, at the moment it is sent, so that nothing can be changed afterwards or fail only
there.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from typing import Any

import comm
from ipywidgets import Widget

_numbers = count(1)


def through_json(data: Any) -> Any:
    """Take data over the wire as a kernel does: strict JSON in UTF-8; what that cannot carry raises."""
    return json.loads(json.dumps(data, allow_nan=False, ensure_ascii=False).encode("utf-8"))


@dataclass(frozen=True)
class Message:
    """Something that Python sent: "open", "update", "echo_update", "custom" or "close"."""

    kind: str
    data: Any

    @property
    def traits(self) -> dict[str, Any]:
        """The traits that the message carries."""
        return self.data["state"]


class FakeComm:
    """Stands where a kernel's comm stands."""

    def __init__(
        self,
        *,
        target_name: str,
        data: Any = None,
        metadata: Any = None,
        buffers: Sequence[Any] = (),
        comm_id: str | None = None,
    ) -> None:
        assert target_name == "jupyter.widget"
        assert not buffers, "nothing on this wire is binary"
        self.comm_id = comm_id or f"comm-{next(_numbers)}"
        self.metadata = metadata
        self.messages: list[Message] = []
        self.closed = False
        self._callback: Callable[[Any], None] | None = None
        self._keep("open", data)

    # What a widget uses

    def on_msg(self, callback: Callable[[Any], None] | None) -> None:
        self._callback = callback

    def send(self, data: Any = None, metadata: Any = None, buffers: Sequence[Any] = ()) -> None:
        assert not self.closed, "nothing is sent on a closed comm"
        assert not buffers, "nothing on this wire is binary"
        self._keep(data["method"], data)

    def close(self, *args: Any, **kwargs: Any) -> None:
        self._keep("close", {})
        self.closed = True
        # A kernel forgets a closed comm, and with it the widget.
        self._callback = None

    def _keep(self, kind: str, data: Any) -> None:
        self.messages.append(Message(kind, through_json(data)))

    # What a browser does

    def deliver(self, data: Any, buffers: Sequence[bytes] = (), **content: Any) -> None:
        """Let any message come from the browser, as it is."""
        self.deliver_raw({"content": {"comm_id": self.comm_id, "data": data, **content}, "buffers": list(buffers)})

    def deliver_raw(self, message: Any) -> None:
        assert self._callback is not None, "nobody listens"
        self._callback(message)

    def update(self, traits: Any, buffers: Sequence[bytes] = (), **more: Any) -> list[Message]:
        """Let the browser set traits; give what Python sends meanwhile."""
        before = len(self.messages)
        self.deliver({"method": "update", "state": traits, "buffer_paths": [], **more}, buffers)
        return self.messages[before:]

    def ask(self, request: Any) -> list[dict[str, Any]]:
        """Send a request; give the states that Python publishes meanwhile, and see that it sends nothing else."""
        return only_states(self.update({"request": request}))

    def press(self, kind: str, **body: Any) -> dict[str, Any]:
        """Ask for something as the front end does; give the newest state after it.

        One publication answers it, and with a computer that answers at once perhaps more: each names the request.
        """
        request_id = f"page-{next(_numbers)}"
        states = self.ask({"id": request_id, "revision": self.state["revision"], "kind": kind, **body})
        assert states, "every request is answered"
        assert {state["answer"]["id"] for state in states} == {request_id}
        return states[-1]

    def code(self, kind: str, **body: Any) -> str | None:
        """Ask for something; give the code of the refusal, None where it was carried out."""
        error = self.press(kind, **body)["answer"]["error"]
        return None if error is None else error["code"]

    # What was sent

    @property
    def opened(self) -> dict[str, Any]:
        """The traits of the first message."""
        assert self.messages[0].kind == "open"
        return self.messages[0].traits

    @property
    def states(self) -> list[dict[str, Any]]:
        """Every state that was sent, the first message's included."""
        return [self.opened["state"], *only_states(m for m in self.messages[1:] if m.kind != "close")]

    @property
    def state(self) -> dict[str, Any]:
        """The newest state: what every view shows."""
        return next(m.traits["state"] for m in reversed(self.messages) if "state" in m.data and "state" in m.traits)


def only_states(messages: Any) -> list[dict[str, Any]]:
    """Give the states of messages each of which is an update of `state` and of nothing else."""
    states = []
    for message in messages:
        assert message.kind == "update", message
        assert message.data == {"method": "update", "state": {"state": message.traits["state"]}, "buffer_paths": []}
        states.append(message.traits["state"])
    return states


class Comms(list[FakeComm]):
    """The comms that were opened, in order."""

    def of(self, widget: Widget) -> FakeComm:
        return next(fake for fake in self if fake is widget.comm)


@contextmanager
def fake_comms() -> Iterator[Comms]:
    """Open fake comms instead of a kernel's; at the end every widget is closed."""
    opened = Comms()

    def create_comm(**arguments: Any) -> FakeComm:
        opened.append(FakeComm(**arguments))
        return opened[-1]

    real, comm.create_comm = comm.create_comm, create_comm  # type: ignore[assignment]
    try:
        yield opened
    finally:
        Widget.close_all()
        comm.create_comm = real


def failures(records: Sequence[logging.LogRecord]) -> list[str]:
    """Give what was logged as going wrong: nothing that a browser sends may be in it."""
    return [record.getMessage() for record in records if record.levelno >= logging.WARNING]
