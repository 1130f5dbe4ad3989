"""Canonical JSON (RFC 8785) and digests."""

from __future__ import annotations

import hashlib
import json
from decimal import Decimal
from typing import Any

_NUMBER_MAX = 2**53 - 1


def canonical_json(value: Any) -> str:
    """Returns the canonical text of a JSON value. Raises `ValueError` for numbers beyond ±(2^53 − 1)."""
    if isinstance(value, dict):
        # RFC 8785 sorts by UTF-16 code units.
        names = sorted(value, key=lambda name: name.encode("utf-16-be", "surrogatepass"))
        return "{" + ",".join(f"{_text(name)}:{canonical_json(value[name])}" for name in names) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(map(canonical_json, value)) + "]"
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        if not -_NUMBER_MAX <= value <= _NUMBER_MAX:
            raise ValueError(f"{value} is not a number of canonical JSON")
        return number_text(float(value))
    return _text(value)


def number_text(value: float) -> str:
    """Returns a number as ECMAScript prints it."""
    if value == 0:
        return "0"
    # `repr` returns the shortest digits that identify the number, as ECMAScript does.
    sign, digits, exponent = Decimal(repr(value)).normalize().as_tuple()
    text = "".join(map(str, digits))
    point = len(text) + int(exponent)  # the position of the decimal point
    if 0 < point <= 21:
        text = text.ljust(point, "0")
        text = text[:point] + ("." + text[point:] if text[point:] else "")
    elif -6 < point <= 0:
        text = "0." + "0" * -point + text
    else:
        fraction = "." + text[1:] if text[1:] else ""
        text = f"{text[0]}{fraction}e{point - 1:+d}"
    return "-" + text if sign else text


def digest(value: Any) -> str:
    """Returns the SHA-256 of the canonical text of a value, in hexadecimal."""
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()


def _text(value: str | bool | None) -> str:
    return json.dumps(value, ensure_ascii=False)
