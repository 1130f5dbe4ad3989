"""The event stream and exports."""

from __future__ import annotations

import json
import random
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Any

import anyio
import httpx

from .. import types
from .._errors import ApiConnectionError, ApiTimeoutError, GovernError
from .._streaming import SILENCE_SECONDS, EventReader, LineReader, StreamedDecision
from .transport import AsyncTransport


async def stream_decisions(
    transport: AsyncTransport, path: str, query: dict[str, Any], last_event_id: str | None, reconnect: bool
) -> AsyncIterator[StreamedDecision]:
    """Iterates over the decisions of an event stream, across connections."""
    reader = EventReader(last_event_id)
    timeout = httpx.Timeout(transport.options.seconds, read=SILENCE_SECONDS)
    while True:
        delay = 0.0
        try:
            headers = {"Last-Event-ID": reader.last_event_id} if reader.last_event_id else {}
            response = await transport.send("GET", path, query=query, headers=headers, stream=True, timeout=timeout)
            async with aclosing(_lines(response)) as lines:
                async for line in lines:
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
        await anyio.sleep(max(delay, reader.retry_seconds) * random.uniform(1, 1.25))


async def stream_json_lines(
    transport: AsyncTransport, path: str, query: dict[str, Any]
) -> AsyncIterator[types.DecisionRecord]:
    """Iterates over the objects of a response in JSON Lines."""
    response = await transport.send("GET", path, query=query, stream=True)
    async with aclosing(_lines(response)) as lines:
        async for line in lines:
            if line:
                try:
                    record = json.loads(line)
                except ValueError as error:  # a line that is cut off
                    raise ApiConnectionError("the response ended early") from error
                yield record


async def _lines(response: httpx.Response) -> AsyncGenerator[str, None]:
    """Iterates over the lines of a response. Raises an error if it ends early, or is silent for too long."""
    reader = LineReader()
    try:
        async for chunk in response.aiter_bytes():
            for line in reader.feed(chunk):
                yield line
    except httpx.TimeoutException as error:
        raise ApiTimeoutError("no data in time") from error
    except httpx.RequestError as error:
        raise ApiConnectionError("the response ended early") from error
    finally:
        await response.aclose()
    for line in reader.end():
        yield line
