# Generated from _async by scripts/generate.py. Do not edit.

"""Lists, which the service returns in pages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Generic, TypeVar, cast

from .._errors import GovernError
from .transport import Transport

Item = TypeVar("Item")
Page = TypeVar("Page")


class Pager(Generic[Item, Page]):
    """A list. Iteration requests each page when it is needed. `page()` returns the first page only."""

    def __init__(self, transport: Transport, path: str, query: dict[str, Any]) -> None:
        self._transport = transport
        self._path = path
        self._query = query

    def page(self) -> Page:
        """Returns the first page."""
        return cast(Page, self._load({}))

    def pages(self) -> Iterator[Page]:
        """Iterates over the pages."""
        seen: set[str] = set()
        position: dict[str, Any] | None = {}
        while position is not None:
            page = self._load(position)
            yield cast(Page, page)
            position = _next_position(page)
            if repr(position) in seen:  # otherwise the iteration would not end
                raise GovernError("the service repeats a page of the list")
            seen.add(repr(position))

    def __iter__(self) -> Iterator[Item]:
        for page in self.pages():
            for item in cast(Any, page)["items"]:
                yield item

    def _load(self, position: dict[str, Any]) -> Any:
        return self._transport.json("GET", self._path, query={**self._query, **position})


def _next_position(page: dict[str, Any]) -> dict[str, Any] | None:
    if "total" not in page:
        cursor = page.get("next_cursor")
        return None if cursor is None else {"cursor": cursor}
    offset = page["offset"] + len(page["items"])
    return {"offset": offset} if page["items"] and offset < page["total"] else None
