"""The time limit of an attempt as a whole. Those of httpx apply to each wait for data."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

import anyio


def AsyncLimit(seconds: float | None) -> AbstractContextManager[object]:
    """Cancels what takes longer, also a response whose headers arrive slowly."""
    return anyio.fail_after(seconds)


def Limit(_: float | None) -> AbstractContextManager[object]:
    """A blocking wait cannot be cancelled: the body of a response is limited at each of its parts."""
    return nullcontext()
