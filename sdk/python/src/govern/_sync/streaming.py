# Generated from _async by scripts/generate.py. Do not edit.

"""The event stream and exports."""

from __future__ import annotations

import json
import random
from collections.abc import Generator, Iterator
from contextlib import closing
from typing import Any

import time
import httpx

from .. import types
from .._errors import ApiConnectionError, ApiTimeoutError, GovernError
from .._streaming import SILENCE_SECONDS, EventReader, LineReader, StreamedDecision
from .transport import Transport


def stream_decisions(
    transport: Transport, path: str, query: dict[str, Any], last_event_id: str | None, reconnect: bool
) -> Iterator[StreamedDecision]:
    """Iterates over the decisions of an event stream, across connections."""
    reader = EventReader(last_event_id)
    timeout = httpx.Timeout(transport.options.seconds, read=SILENCE_SECONDS)
    while True:
        delay = 0.0
        try:
            headers = {"Last-Event-ID": reader.last_event_id} if reader.last_event_id else {}
            response = transport.send("GET", path, query=query, headers=headers, stream=True, timeout=timeout)
            with closing(_lines(response)) as lines:
                for line in lines:
                    event = reader.feed(line)
                    if event is not None:
                        yield event
        except GovernError as error:
            # A connection is opened again after the errors after which a call is repeated.
            retry_delay = transport.options.reconnect_delay(error) if reconnect else None
            if retry_delay is None:
                raise
            delay = retry_delay
        if not reconnect:
            return
        reader.reset()
        time.sleep(max(delay, reader.retry_seconds) * random.uniform(1, 1.25))


def stream_json_lines(
    transport: Transport, path: str, query: dict[str, Any]
) -> Iterator[types.DecisionRecord]:
    """Iterates over the objects of a response in JSON Lines."""
    response = transport.send("GET", path, query=query, stream=True)
    with closing(_lines(response)) as lines:
        for line in lines:
            if line:
                try:
                    record = json.loads(line)
                except ValueError as error:  # a line that is cut off
                    raise ApiConnectionError("the response ended early") from error
                yield record


def _lines(response: httpx.Response) -> Generator[str, None, None]:
    """Iterates over the lines of a response. Raises an error if it ends early, or is silent for too long."""
    reader = LineReader()
    try:
        for chunk in response.iter_bytes():
            for line in reader.feed(chunk):
                yield line
    except httpx.TimeoutException as error:
        raise ApiTimeoutError("no data in time") from error
    except httpx.RequestError as error:
        raise ApiConnectionError("the response ended early") from error
    finally:
        response.close()
    for line in reader.end():
        yield line
