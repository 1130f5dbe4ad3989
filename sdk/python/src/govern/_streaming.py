"""Responses that are read while they arrive: server-sent events and JSON Lines."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from typing_extensions import NotRequired, TypedDict

from . import types

# The service sends a comment every 15 seconds.
SILENCE_SECONDS = 45
# The service or a proxy may ask for a longer delay of reconnections.
_RETRY_SECONDS_MAX = 60.0


class DecisionEvent(TypedDict):
    """A decision in the event stream. `violations` has the codes of the violated rules, each once."""

    id: types.DecisionId
    decision_type: str
    decision: types.Verdict
    policy: NotRequired[types.DecidingPolicy]
    correlation_id: NotRequired[str]
    chain_id: NotRequired[types.ChainId]
    recorded_at: types.Timestamp
    violations: list[str]


@dataclass(frozen=True)
class StreamedDecision:
    """An event of the stream. `id` is for `last_event_id` of a later stream."""

    id: str
    data: DecisionEvent


class LineReader:
    """Splits the bytes of a response into lines. JSON may contain other line separators of Unicode."""

    def __init__(self) -> None:
        self._rest = b""
        self._is_first = True

    def feed(self, chunk: bytes) -> Iterator[str]:
        *complete, self._rest = (self._rest + chunk).split(b"\n")
        for line in complete:
            yield self._decode(line.removesuffix(b"\r"))

    def end(self) -> Iterator[str]:
        if self._rest:
            yield self._decode(self._rest)

    def _decode(self, line: bytes) -> str:
        # A text may begin with a byte order mark.
        text = line.decode("utf-8-sig" if self._is_first else "utf-8", errors="replace")
        self._is_first = False
        return text


class EventReader:
    """Reads server-sent events line by line."""

    def __init__(self, last_event_id: str | None) -> None:
        self.last_event_id = last_event_id
        self.retry_seconds = 3.0
        self._event: dict[str, Any] = {}

    def feed(self, line: str) -> StreamedDecision | None:
        """Returns the event that ends with this line."""
        if line:
            name, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if name == "retry":
                if value.isascii() and value.isdigit():
                    self.retry_seconds = min(float(value) / 1000, _RETRY_SECONDS_MAX)
            elif name == "id" and "\0" in value:
                pass  # is ignored, as by browsers
            elif name == "data" and "data" in self._event:
                self._event["data"] += "\n" + value
            elif name:
                self._event[name] = value
            return None
        # An event is complete at its empty line. Only then may a new connection continue after it.
        event, self._event = self._event, {}
        self.last_event_id = event.get("id", self.last_event_id)
        if event.get("event") != "decision" or not event.get("data"):
            return None
        return StreamedDecision(self.last_event_id or "", json.loads(event["data"]))

    def reset(self) -> None:
        """Forgets an incomplete event, before a new connection."""
        self._event = {}
