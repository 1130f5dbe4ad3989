"""Requests: settings, URL, headers, delay of retries."""

from __future__ import annotations

import math
import os
import random
import re
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any
from urllib.parse import quote

from ._errors import ApiConnectionError, ApiError
from ._json import plain


class Omit(Enum):
    """The type of `OMIT`, the value of arguments that are not in the request. `None` is `null` in the request."""

    OMIT = "OMIT"


OMIT = Omit.OMIT


@dataclass(frozen=True)
class Options:
    """The settings of a client. Durations are in seconds."""

    base_url: str | None = None
    api_key: str | Omit | None = OMIT
    tenant_id: str | None = None
    timeout: float = 60
    max_retries: int = 2
    max_retry_delay: float = 60
    headers: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        # Without it, another key or tenant of the environment would be used.
        for name in ("api_key", "tenant_id"):
            if getattr(self, name) == "":
                raise ValueError(f"`{name}` is empty")
        if not self.timeout > 0:
            raise ValueError(f"`timeout` is {self.timeout}, which is not a limit")
        if not self.max_retries >= 0:
            raise ValueError(f"`max_retries` is {self.max_retries}, which is not a limit")
        if not 0 <= self.max_retry_delay < math.inf:
            raise ValueError(f"`max_retry_delay` is {self.max_retry_delay}, which is not a limit")

    @property
    def seconds(self) -> float | None:
        """The time limit as httpx needs it."""
        return None if self.timeout == math.inf else self.timeout

    def url(self, path: str) -> str:
        base_url = _variable("GOVERN_URL") if self.base_url is None else self.base_url
        if not base_url:
            raise TypeError("`base_url` is missing")
        return base_url.rstrip("/") + path

    @property
    def key(self) -> str | None:
        return _variable("GOVERN_API_KEY") if isinstance(self.api_key, Omit) else self.api_key

    def all_headers(self, headers: Mapping[str, str]) -> dict[bytes, bytes]:
        """Returns the headers of a request, in UTF-8."""
        tenant_id = _variable("GOVERN_TENANT_ID") if self.tenant_id is None else self.tenant_id
        texts = {
            **({} if tenant_id is None else {"X-Service-Tenant-Id": tenant_id}),
            **({} if self.key is None else {"Authorization": f"Bearer {self.key}"}),
            **self.headers,
            **headers,
        }
        return {name.encode(): value.encode() for name, value in texts.items()}

    def retry_delay(self, error: Exception, attempt: int) -> float | None:
        """Returns the delay before the next attempt, or `None` if there is none."""
        if attempt >= self.max_retries:
            return None
        return self.reconnect_delay(error, attempt)

    def reconnect_delay(self, error: Exception, attempt: int = 0) -> float | None:
        """Returns the delay before a repetition after this error, or `None` if it would not help."""
        backoff = 0.5 * 2 ** min(attempt, 4) * random.uniform(0.5, 1)
        if isinstance(error, ApiConnectionError):
            return backoff
        if not isinstance(error, ApiError) or error.status not in (429, 502, 503, 504):
            return None
        if error.code == "FORM_BUDGET_EXHAUSTED":  # refills later, or never
            return None
        delay = max(backoff, error.retry_after or 0)
        return delay if delay <= self.max_retry_delay else None


def _variable(name: str) -> str | None:
    """Returns a variable of the environment. An empty one counts as absent."""
    return os.environ.get(name) or None


def present(members: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the members that are not omitted."""
    return {name: value for name, value in members.items() if value is not OMIT}


def with_idempotency_key(body: dict[str, Any]) -> dict[str, Any]:
    """Adds an idempotency key to a body without one. Retries of the call send the same key."""
    return body if body.get("idempotency_key") is not None else {**body, "idempotency_key": str(uuid.uuid4())}


def header_password(password: str | Omit) -> dict[str, str]:
    """Returns the header with the password of a form."""
    if isinstance(password, Omit):
        return {}
    # A header has no control characters, and loses white space at its ends.
    if re.search(r"[\0-\x1f\x7f]|^ | \Z", plain(password, "password")):
        raise ValueError("`password` cannot be sent in a header")
    return {"X-Form-Password": password}


def path(template: str, /, **values: str | int) -> str:
    """Builds a path. Each value is one segment of it."""
    return template.format(**{name: _segment(str(value)) for name, value in values.items()})


def tile_path(tile: str) -> str:
    """Builds the path of a tile, which has several segments."""
    return "/v1/log/tile/" + "/".join(map(_segment, tile.split("/")))


def _segment(value: str) -> str:
    # A URL resolves these segments, so that the request would be for another path.
    if value in ("", ".", ".."):
        raise ValueError(f"`{value}` is not an ID")
    return quote(value, safe="")


def query_values(query: Mapping[str, Any] | None) -> dict[str, Any]:
    """Returns the parameters of a query as httpx needs them."""
    values = {name: value for name, value in (query or {}).items() if value is not None}
    for name, value in values.items():
        if not isinstance(plain(value, name), (str, int, float)):
            raise TypeError(f"`{name}` is not a `str`, a number or a `bool`")
    return values
