"""Sends requests and repeats them if that is safe."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Mapping
from typing import Any

import anyio
import httpx

from .._errors import ApiConnectionError, ApiTimeoutError, error_of
from .._json import encode
from .._limit import AsyncLimit
from .._request import Options, query_values


class AsyncTransport:
    def __init__(self, options: Options, client: httpx.AsyncClient) -> None:
        self.options = options
        self.client = client

    async def json(self, method: str, path: str, **call: Any) -> Any:
        response = await self.send(method, path, **call)
        try:
            return response.json()
        except ValueError as error:
            raise ApiConnectionError(f"{method} {path}: the response is not JSON") from error

    async def text(self, method: str, path: str, **call: Any) -> str:
        return (await self.send(method, path, **call)).text

    async def bytes(self, method: str, path: str, **call: Any) -> bytes:
        return (await self.send(method, path, **call)).content

    async def send(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
        is_repeatable: bool | None = None,
        stream: bool = False,
        timeout: httpx.Timeout | None = None,
    ) -> httpx.Response:
        """Sends a request and returns its response. With `stream`, the body is unread.

        `is_repeatable` states whether a repetition changes nothing, so that the request may be sent again. The default
        is true for `GET` only.
        """
        url, parameters = httpx.URL(self.options.url(path)), query_values(query)
        request = self.client.build_request(
            method,
            url.copy_merge_params(parameters) if parameters else url,
            content=None if body is None else encode(body),
            headers=self.options.all_headers(
                {**({} if body is None else {"Content-Type": "application/json"}), **(headers or {})}
            ),
            timeout=httpx.Timeout(self.options.seconds) if timeout is None else timeout,
        )
        if self.options.key is not None:
            request.headers.pop("cookie", None)
        attempt = 0
        while True:
            try:
                return await self._attempt(request, stream)
            except Exception as error:
                is_safe = method == "GET" if is_repeatable is None else is_repeatable
                delay = self.options.retry_delay(error, attempt) if is_safe else None
                if delay is None:
                    raise
            await anyio.sleep(delay)
            attempt += 1

    async def _attempt(self, request: httpx.Request, stream: bool) -> httpx.Response:
        deadline = time.monotonic() + self.options.timeout
        try:
            # A redirected `POST` would become a `GET` without its body, and its headers would reach another host.
            with AsyncLimit(self.options.seconds):
                response = await self.client.send(request, stream=True, follow_redirects=False)
                if not stream or not response.is_success:
                    response.stream = _LimitedStream(response.stream, deadline)
                    try:
                        await response.aread()
                    finally:
                        await response.aclose()
            if not response.is_success:
                raise error_of(response)
            return response
        except (httpx.TimeoutException, TimeoutError) as error:
            raise ApiTimeoutError(f"{request.method} {request.url.path}: no response in time") from error
        except httpx.RequestError as error:
            raise ApiConnectionError(f"{request.method} {request.url.path}: {error}") from error


class _LimitedStream(httpx.AsyncByteStream):
    """A body that has to be complete at a point in time. The limits of httpx apply to each wait for data."""

    def __init__(self, stream: Any, deadline: float) -> None:
        self._stream = stream
        self._deadline = deadline

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for chunk in self._stream:
            if time.monotonic() > self._deadline:
                raise httpx.ReadTimeout("the response is not complete in time")
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()
