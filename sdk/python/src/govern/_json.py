"""Request bodies in JSON. `json.dumps` changes some values in silence; they are refused here."""

from __future__ import annotations

import json
import math
from collections import UserString
from collections.abc import Mapping, Sequence
from typing import Any


# The service accepts 64 levels.
_DEPTH_MAX = 100
_NUMBER_MAX = 2**53 - 1


def encode(value: Any) -> bytes:
    """Returns the JSON of a request body.

    Raises `TypeError` for a type that JSON does not have, and `ValueError` for another value that it cannot express.
    Both name the JSON Pointer of the value.
    """
    return json.dumps(plain(value), ensure_ascii=False, allow_nan=False).encode()


def plain(value: Any, path: str = "", ancestors: tuple[int, ...] = ()) -> Any:
    """Returns a value of JSON as `dict`, `list`, `str`, `int`, `float`, `bool` or `None`. Raises the errors of `encode`."""
    at = path or "/"
    # The types of JSON themselves: `str` of a member of an `Enum` would be its name.
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, (int, float)):
        return _number(value, at)
    if isinstance(value, str):
        if any("\ud800" <= character <= "\udfff" for character in value):
            raise ValueError(f"`{at.encode(errors='backslashreplace').decode()}` contains half of a surrogate pair")
        return str.__str__(value)
    if id(value) in ancestors:
        raise ValueError(f"`{at}` contains itself")
    if len(ancestors) > _DEPTH_MAX:
        raise ValueError(f"`{at}` is nested more than {_DEPTH_MAX} times")
    within = (*ancestors, id(value))
    if isinstance(value, Mapping):
        members = {}
        for name, member in value.items():
            if not isinstance(name, str):
                raise TypeError(f"`{at}` has the name {name!r}, which is not a `str`")
            inner = f"{path}/{name.replace('~', '~0').replace('/', '~1')}"
            members[plain(name, inner)] = plain(member, inner, within)
        return members
    if isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray, memoryview, UserString)):
        return [plain(element, f"{path}/{index}", within) for index, element in enumerate(value)]
    raise TypeError(f"`{at}` is of the type `{type(value).__name__}`, which JSON does not have")


def _number(value: float, at: str) -> float:
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"`{at}` is {value}, which is not a number of JSON")
    if abs(value) > _NUMBER_MAX:  # other readers of JSON round it, and the service refuses it
        raise ValueError(f"`{at}` is not within ±(2^53 − 1)")
    return float.__float__(value) if isinstance(value, float) else int.__int__(value)
