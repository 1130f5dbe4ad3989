"""Requests: settings, URL, headers, delay of retries."""

from __future__ import annotations

import os
import random
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any
from urllib.parse import quote

from ._errors import ApiConnectionError, ApiError


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

    def url(self, path: str) -> str:
        base_url = self.base_url or os.environ.get("GOVERN_URL")
        if not base_url:
            raise TypeError("`base_url` is missing")
        return base_url.rstrip("/") + path

    @property
    def key(self) -> str | None:
        return os.environ.get("GOVERN_API_KEY") if isinstance(self.api_key, Omit) else self.api_key

    def all_headers(self, headers: Mapping[str, str] | None) -> dict[str, str]:
        tenant_id = self.tenant_id or os.environ.get("GOVERN_TENANT_ID")
        return {
            **({"X-Service-Tenant-Id": tenant_id} if tenant_id else {}),
            **({"Authorization": f"Bearer {self.key}"} if self.key else {}),
            **self.headers,
            **(headers or {}),
        }

    def retry_delay(self, error: Exception, attempt: int) -> float | None:
        """Returns the delay before the next attempt, or `None` if there is none."""
        backoff = min(8, 0.5 * 2**attempt) * random.uniform(0.5, 1)
        if attempt >= self.max_retries:
            return None
        if isinstance(error, ApiConnectionError):
            return backoff
        if not isinstance(error, ApiError) or error.status not in (429, 503):
            return None
        if error.code == "FORM_BUDGET_EXHAUSTED":  # refills later, or never
            return None
        delay = max(backoff, error.retry_after or 0)
        return delay if delay <= self.max_retry_delay else None


def present(members: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the members that are not omitted."""
    return {name: value for name, value in members.items() if value is not OMIT}


def with_idempotency_key(body: dict[str, Any]) -> dict[str, Any]:
    """Adds an idempotency key to a body without one. Retries of the call send the same key."""
    return {**body, "idempotency_key": body.get("idempotency_key") or str(uuid.uuid4())}


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
    return {name: value for name, value in (query or {}).items() if value is not None}
