"""Values that JSON, a URL or a header cannot express are refused before a request."""

from __future__ import annotations

import hashlib
import hmac
import json
import math
import time
from collections import UserDict, UserString, deque
from collections.abc import Callable
from datetime import date, datetime, timezone
from decimal import Decimal
from enum import Enum, IntEnum
from fractions import Fraction
from typing import Any
from uuid import UUID

import httpx
import pytest

from govern import OMIT, Govern, WebhookSignatureError, verify_webhook


class Colour(IntEnum):
    RED = 1


class Verdict(str, Enum):
    DENY = "DENY"


def client() -> tuple[Govern, list[httpx.Request]]:
    requests: list[httpx.Request] = []

    def handle(request: httpx.Request) -> httpx.Response:
        requests.append(request)
        return httpx.Response(200, json={"items": [], "next_cursor": None})

    http_client = httpx.Client(transport=httpx.MockTransport(handle))
    return Govern(base_url="https://govern.example", api_key="svc_x", tenant_id="t", http_client=http_client), requests


def cyclic() -> dict[str, Any]:
    value: dict[str, Any] = {"a": {}}
    value["a"]["b"] = value
    return value


def nested(depth: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(depth):
        value = {"a": value}
    return value


@pytest.mark.parametrize(
    ("value", "at", "error"),
    [
        (math.nan, "", ValueError),
        (math.inf, "", ValueError),
        (-math.inf, "", ValueError),
        ("\ud83d", "", ValueError),
        ({"\ud83d": 1}, "/\\ud83d", ValueError),
        (cyclic(), "/a/b", ValueError),
        ({1: "a", "1": "b"}, "", TypeError),
        ({True: "a"}, "", TypeError),
        ({None: "a"}, "", TypeError),
        (Decimal("1.10"), "", TypeError),
        (Fraction(1, 3), "", TypeError),
        (datetime(2026, 1, 1, tzinfo=timezone.utc), "", TypeError),
        (date(2026, 1, 1), "", TypeError),
        (UUID(int=1), "", TypeError),
        ({1, 2}, "", TypeError),
        (frozenset(), "", TypeError),
        (b"a", "", TypeError),
        (1j, "", TypeError),
        (object(), "", TypeError),
        (OMIT, "", TypeError),
        ((element for element in ()), "", TypeError),
        ({"a/b~": [{"c": math.nan}]}, "/a~1b~0/0/c", ValueError),
        (UserString("a"), "", TypeError),
        (2**53, "", ValueError),
        pytest.param(-(10**5000), "", ValueError, id="5000 digits"),
        (1e300, "", ValueError),
        (nested(2000), "/a" * 98, ValueError),
    ],
)
def test_a_body_that_json_would_change_is_refused(value: Any, at: str, error: type[Exception]) -> None:
    govern, requests = client()
    context: Any = {"decision_type": "expense", "fields": {"value": value}}
    action: Any = {"type": "payment", "metadata": {"value": value}}
    good: Any = {"decision_type": "expense", "fields": {}}

    def act(_: Any) -> None:
        pytest.fail("a guarded action was executed")

    calls: list[tuple[str, Callable[[], Any]]] = [
        ("/context/fields/value", lambda: govern.decisions.evaluate(context=context)),
        ("/context/fields/value", lambda: govern.decisions.record(context=context)),
        ("/context/fields/value", lambda: govern.request("POST", "/v1/decisions/evaluate", body={"context": context})),
        ("/context/fields/value", lambda: govern.guard({"context": context}, act)),
        ("/action/metadata/value", lambda: govern.guard({"context": good, "action": action}, act)),
    ]
    for place, call in calls:
        with pytest.raises(error) as raised:
            call()
        assert str(raised.value).startswith(f"`{place}{at}` ")
    assert not requests


def test_all_values_of_json_are_sent_unchanged() -> None:
    govern, requests = client()
    shared = [1]
    fields = {
        "null": None,
        "bool": False,
        "zero": 0,
        "big": 2**53 - 1,
        "small": 5e-324,
        "empty": "",
        "emoji": "🗝",
        "list": [],
        "map": {},
        "twice": [shared, shared],
    }
    others: dict[str, Any] = {"tuple": (1, 2), "deque": deque([3]), "mapping": UserDict(a=1), "enum": Colour.RED}
    govern.decisions.evaluate(context={"decision_type": "expense", "fields": {**fields, **others}})
    sent = json.loads(requests[0].content)["context"]["fields"]
    assert sent == {**fields, "tuple": [1, 2], "deque": [3], "mapping": {"a": 1}, "enum": 1}


def test_a_query_has_texts_finite_numbers_and_booleans() -> None:
    govern, requests = client()
    for value in (math.nan, math.inf, [1, 2], {}, date(2026, 1, 1), Decimal(1), b"a", "\ud83d"):
        with pytest.raises((TypeError, ValueError), match="`q"):
            govern.policies.list(q=value).page()  # type: ignore[arg-type]
    assert not requests
    govern.policies.list(limit=0, q="", is_active=False).page()
    assert requests[0].url.query == b"q=&is_active=false&limit=0"


@pytest.mark.parametrize("key", ["", "a" * 256])
def test_a_guarded_action_is_not_executed_with_a_key_that_the_record_would_refuse(key: str) -> None:
    govern, requests = client()
    request: Any = {"context": {"decision_type": "expense", "fields": {}}, "idempotency_key": key}
    with pytest.raises(ValueError, match="does not have 1 to 255 characters"):
        govern.guard(request, lambda _: pytest.fail("a guarded action was executed"))
    assert not requests


def test_members_of_an_enum_and_uuids_are_sent_as_their_values() -> None:
    govern, requests = client()
    govern.decisions.list(decision=Verdict.DENY, limit=Colour.RED).page()  # type: ignore[arg-type]
    govern.decisions.get(Verdict.DENY)
    govern.decisions.get(UUID(int=1))  # type: ignore[arg-type]
    assert [request.url.raw_path for request in requests] == [
        b"/v1/decisions?decision=DENY&limit=1",
        b"/v1/decisions/DENY",
        b"/v1/decisions/00000000-0000-0000-0000-000000000001",
    ]


@pytest.mark.parametrize("value", [None, True, 1.5, {}, "", ".", "..", "\ud83d"])
def test_another_value_is_no_id(value: Any) -> None:
    govern, requests = client()
    with pytest.raises((TypeError, ValueError)):
        govern.decisions.get(value)
    assert not requests


def test_an_empty_idempotency_key_and_an_empty_cursor_are_sent_not_replaced() -> None:
    govern, requests = client()
    context: Any = {"decision_type": "expense", "fields": {}}
    govern.decisions.record(context=context, idempotency_key="")
    govern.forms.submit("f", values={}, idempotency_key="")
    govern.policies.list(cursor="").page()
    assert [json.loads(request.content)["idempotency_key"] for request in requests[:2]] == ["", ""]
    assert requests[2].url.query == b"cursor="


# --- Webhooks -----------------------------------------------------------------------------------------------------

SECRET = "whsec_test"
BODY = b'{"event":"alert.created"}'


def signed(offset: float = 0, secret: str = SECRET) -> dict[str, str]:
    """Returns the headers of a request that was sent `offset` seconds from now."""
    timestamp = str(int((time.time() + offset) * 1000))
    signature = hmac.new(secret.encode(), timestamp.encode() + b"." + BODY, hashlib.sha256).hexdigest()
    return {"X-Service-Timestamp": timestamp, "X-SERVICE-SIGNATURE": f"sha256={signature}"}


@pytest.mark.parametrize("body", [BODY, BODY.decode(), bytearray(BODY), memoryview(BODY)])
def test_a_signed_request_is_accepted_as_text_and_as_bytes(body: Any) -> None:
    assert verify_webhook(body, signed(), SECRET)["event"] == "alert.created"


@pytest.mark.parametrize("tolerance", [300, math.nan, -1])
def test_other_signatures_and_other_times_are_refused(tolerance: float) -> None:
    headers = signed()
    signature = headers["X-SERVICE-SIGNATURE"]
    refused = [
        {},
        *({**headers, "X-SERVICE-SIGNATURE": value} for value in ("", signature[7:], f"sha512={signature[7:]}")),
        {**headers, "X-SERVICE-SIGNATURE": f"{signature},{signature}"},
        {**headers, "X-Service-Timestamp": "1" * 5000},
        signed(secret="whsec_other"),
        signed(-301),
        signed(301),
    ]
    for case in refused if tolerance == 300 else [headers]:
        with pytest.raises(WebhookSignatureError):
            verify_webhook(BODY, case, SECRET, tolerance)


def test_an_empty_secret_and_a_parsed_body_are_mistakes_of_the_caller() -> None:
    with pytest.raises(ValueError, match="`secret` is empty"):
        verify_webhook(BODY, signed(secret=""), "")
    with pytest.raises(TypeError, match="`body` is neither"):
        verify_webhook(json.loads(BODY), signed(), SECRET)
