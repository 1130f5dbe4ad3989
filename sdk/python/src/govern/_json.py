"""Request bodies in JSON. `json.dumps` changes some values in silence; they are refused here."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any


def encode(value: Any) -> bytes:
    """Returns the JSON of a request body.

    Raises `TypeError` for a type that JSON does not have, and `ValueError` for another value that it cannot express.
    Both name the JSON Pointer of the value.
    """
    return json.dumps(plain(value), ensure_ascii=False, allow_nan=False).encode()


def plain(value: Any, path: str = "", ancestors: tuple[int, ...] = ()) -> Any:
    """Returns a value of JSON as `dict`, `list`, `str`, `int`, `float`, `bool` or `None`. Raises the errors of `encode`."""
    at = path or "/"
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, str):
        if any("\ud800" <= character <= "\udfff" for character in value):
            raise ValueError(f"`{at.encode(errors='backslashreplace').decode()}` contains half of a surrogate pair")
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"`{at}` is {value}, which is not a number of JSON")
        return value
    if id(value) in ancestors:
        raise ValueError(f"`{at}` contains itself")
    within = (*ancestors, id(value))
    if isinstance(value, Mapping):
        members = {}
        for name, member in value.items():
            if not isinstance(name, str):
                raise TypeError(f"`{at}` has the name {name!r}, which is not a `str`")
            inner = f"{path}/{name.replace('~', '~0').replace('/', '~1')}"
            members[plain(name, inner)] = plain(member, inner, within)
        return members
    if isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray, memoryview)):
        return [plain(element, f"{path}/{index}", within) for index, element in enumerate(value)]
    raise TypeError(f"`{at}` is of the type `{type(value).__name__}`, which JSON does not have")
