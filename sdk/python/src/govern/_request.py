"""Requests: settings, URL, headers, delay of retries."""

from __future__ import annotations

import math
import os
import random
import re
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any
from urllib.parse import quote

import httpx

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
    # A log of the settings shows no key.
    api_key: str | Omit | None = field(default=OMIT, repr=False)
    tenant_id: str | None = None
    timeout: float = 60
    max_retries: int = 2
    max_retry_delay: float = 60
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        # Without it, another key or tenant of the environment would be used.
        for name in ("api_key", "tenant_id"):
            if getattr(self, name) == "":
                raise ValueError(f"`{name}` is empty")
        for name, is_valid in _LIMITS.items():
            value = getattr(self, name)
            if not isinstance(value, (int, float)) or isinstance(value, bool) or not is_valid(value):
                raise ValueError(f"`{name}` is {value!r}, which is not a limit")
        self.url("/")
        self.all_headers({})

    @property
    def seconds(self) -> float | None:
        """The time limit as httpx needs it."""
        return None if self.timeout == math.inf else self.timeout

    def url(self, path: str) -> str:
        base_url = _variable("GOVERN_URL") if self.base_url is None else self.base_url
        if not base_url:
            raise TypeError("`base_url` is missing")
        # Another path would continue the host name, so that the key reaches another host.
        if not re.fullmatch(r"/[^#]*", path):
            raise ValueError("the path does not begin with `/`, or contains `#`")
        return _service_url(base_url) + path

    @property
    def key(self) -> str | None:
        return _variable("GOVERN_API_KEY") if isinstance(self.api_key, Omit) else self.api_key

    def all_headers(self, headers: Mapping[str, str]) -> dict[bytes, bytes]:
        """Returns the headers of a request, in UTF-8."""
        tenant_id = _variable("GOVERN_TENANT_ID") if self.tenant_id is None else self.tenant_id
        own: dict[str, str] = {}
        if tenant_id is not None:
            own["X-Service-Tenant-Id"] = _credential("tenant_id", tenant_id)
        if self.key is not None:
            own["Authorization"] = "Bearer " + _credential("api_key", self.key)
        # Later ones replace earlier ones, also if their names differ in case.
        given = [_header(*item) for part in (own, self.headers, headers) for item in part.items()]
        return dict({name.lower(): (name, value) for name, value in given}.values())

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


_LIMITS: dict[str, Callable[[float], bool]] = {
    "timeout": lambda value: value > 0,
    "max_retries": lambda value: value >= 0,
    "max_retry_delay": lambda value: 0 <= value < math.inf,
}


def _service_url(text: str) -> str:
    """Returns the URL of the service without a slash at its end. The errors do not show it: it may have a password."""
    try:
        url = httpx.URL(text)
    except (httpx.InvalidURL, TypeError):
        raise ValueError("`base_url` is not a URL") from None
    if url.scheme not in ("http", "https") or not url.host:
        raise ValueError("`base_url` does not begin with `https://` or `http://`, and a host")
    if url.userinfo:
        raise ValueError("`base_url` contains credentials, which are not sent")
    if "?" in text or "#" in text:  # the paths of the operations are appended
        raise ValueError("`base_url` contains a query or a fragment")
    return text.rstrip("/")


def _credential(name: str, value: str) -> str:
    """Returns a value for a header. The error does not show it."""
    if not isinstance(value, str) or not re.fullmatch("[!-~]+", value):
        raise ValueError(f"`{name}` contains a space, a line break or another character that it cannot have")
    return value


def _header(name: str, value: str) -> tuple[bytes, bytes]:
    """Returns a header as httpx needs it. The error does not show its value."""
    is_text = isinstance(name, str) and isinstance(value, str)
    is_name = is_text and re.fullmatch(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+", name)
    if not is_name or re.search(r"[\0-\x08\x0a-\x1f\x7f\ud800-\udfff]|^[ \t]|[ \t]\Z", value):
        raise ValueError(f"the header `{name}` has a name or a value that no request can have")
    return name.encode(), value.encode()


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


def path(template: str, /, **values: str | int | uuid.UUID) -> str:
    """Builds a path. Each value is one segment of it."""
    return template.format(**{name: _segment(value) for name, value in values.items()})


def tile_path(tile: str) -> str:
    """Builds the path of a tile, which has several segments."""
    return "/v1/log/tile/" + "/".join(map(_segment, tile.split("/")))


def _segment(value: str | int | uuid.UUID) -> str:
    if not isinstance(value, (str, int, uuid.UUID)) or isinstance(value, bool):
        raise TypeError(f"the ID {value!r} is neither a `str`, an `int` nor a `UUID`")
    text = str(value) if isinstance(value, uuid.UUID) else str(plain(value, "ID"))
    # A URL resolves these segments, so that the request would be for another path.
    if text in ("", ".", ".."):
        raise ValueError(f"`{text}` is not an ID")
    return quote(text, safe="")


def query_values(query: Mapping[str, Any] | None) -> dict[str, Any]:
    """Returns the parameters of a query as httpx needs them."""
    values = {name: plain(value, name) for name, value in (query or {}).items() if value is not None}
    for name, value in values.items():
        if not isinstance(value, (str, int, float)):
            raise TypeError(f"`{name}` is not a `str`, a number or a `bool`")
    return values
