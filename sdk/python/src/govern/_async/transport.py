"""Sends requests and repeats them if that is safe."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import anyio
import httpx

from .._errors import ApiConnectionError, ApiTimeoutError, error_of
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
        request = self.client.build_request(
            method,
            self.options.url(path),
            params=query_values(query),
            content=None if body is None else json.dumps(body, ensure_ascii=False).encode(),
            headers={
                **({} if body is None else {"Content-Type": "application/json"}),
                **self.options.all_headers(headers),
            },
            timeout=timeout or httpx.Timeout(self.options.timeout),
        )
        if self.options.key:
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
        try:
            response = await self.client.send(request, stream=stream)
            if not response.is_success:
                await response.aread()
                raise error_of(response)
            return response
        except httpx.TimeoutException as error:
            raise ApiTimeoutError(f"{request.method} {request.url.path}: no response in time") from error
        except httpx.TransportError as error:
            raise ApiConnectionError(f"{request.method} {request.url.path}: {error}") from error
