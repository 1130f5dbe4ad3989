"""Retries, pages and streams, with a replacement of the network."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from email.utils import formatdate
from typing import Any

import httpx
import pytest

from govern import (
    ApiConnectionError,
    ApiError,
    ApiTimeoutError,
    AsyncGovern,
    AuthenticationError,
    Govern,
    RateLimitError,
    ServiceUnavailableError,
)

CONTEXT: Any = {"decision_type": "expense", "fields": {}}
Answer = Callable[[], httpx.Response]


def client(*answers: Answer, **options: Any) -> tuple[Govern, list[httpx.Request]]:
    """Returns a client whose service sends these responses, and the requests that it received."""
    requests: list[httpx.Request] = []

    def handle(request: httpx.Request) -> httpx.Response:
        requests.append(request)
        return answers[len(requests) - 1]()

    http_client = httpx.Client(transport=httpx.MockTransport(handle))
    defaults = {"base_url": "https://govern.example/", "api_key": "svc_x", "tenant_id": "t"}
    return Govern(**{**defaults, **options}, http_client=http_client), requests


def ok(body: Any) -> Answer:
    return lambda: httpx.Response(200, json=body)


def error(status: int, code: str = "SERVICE_UNAVAILABLE", **headers: str) -> Answer:
    body = {"error": {"code": code, "message": "later"}, "correlation_id": "c"}
    return lambda: httpx.Response(status, json=body, headers={k.replace("_", "-"): v for k, v in headers.items()})


def broken() -> httpx.Response:
    raise httpx.ConnectError("refused")


def test_a_retry_sends_the_same_idempotency_key() -> None:
    govern, requests = client(broken, error(503), ok({"is_new": True}))
    assert govern.decisions.record(context=CONTEXT) == {"is_new": True}
    keys = {json.loads(request.content)["idempotency_key"] for request in requests}
    assert len(requests) == 3
    assert len(keys) == 1


def test_a_retry_waits_for_retry_after() -> None:
    govern, requests = client(error(429, retry_after="1"), ok({}))
    start = time.monotonic()
    govern.service.health()
    assert len(requests) == 2
    assert time.monotonic() - start >= 1


def test_retry_after_may_be_a_date_and_a_long_wait_is_left_to_the_caller() -> None:
    govern, requests = client(error(503, retry_after=formatdate(time.time() + 120, usegmt=True)))
    with pytest.raises(ServiceUnavailableError) as raised:
        govern.service.health()
    assert raised.value.retry_after == pytest.approx(120, abs=2)
    assert len(requests) == 1


@pytest.mark.parametrize("answer", [broken, error(503, retry_after="0"), error(429)])
def test_a_write_without_an_idempotency_key_is_sent_once(answer: Answer) -> None:
    govern, requests = client(answer, ok({}))
    with pytest.raises((ApiConnectionError, ApiError)):
        govern.policies.create(code="A", name="A")
    assert len(requests) == 1


def test_evaluations_are_repeated() -> None:
    govern, requests = client(error(503), ok({"result": 1}))
    govern.decisions.evaluate(context=CONTEXT)
    assert len(requests) == 2


@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 422, 500])
def test_other_errors_are_not_repeated(status: int) -> None:
    govern, requests = client(error(status), ok({}))
    with pytest.raises(ApiError) as raised:
        govern.service.health()
    assert (raised.value.status, len(requests)) == (status, 1)


def test_retries_are_limited() -> None:
    govern, requests = client(*[error(503)] * 4, max_retries=1)
    with pytest.raises(ServiceUnavailableError):
        govern.service.health()
    assert len(requests) == 2
    with pytest.raises(ServiceUnavailableError):
        govern.with_options(max_retries=0).service.health()
    assert len(requests) == 3
    budget, _ = client(error(429, code="FORM_BUDGET_EXHAUSTED"))
    with pytest.raises(RateLimitError):
        budget.forms.submit("f", values={})


def test_a_time_limit_ends_a_call() -> None:
    def late() -> httpx.Response:
        raise httpx.ReadTimeout("late")

    govern, _ = client(late, max_retries=0)
    with pytest.raises(ApiTimeoutError):
        govern.service.health()


def test_the_response_of_a_proxy_is_an_error_without_a_code() -> None:
    govern, _ = client(lambda: httpx.Response(502, html="<h1>Bad gateway</h1>"))
    with pytest.raises(ApiError, match="^502 Bad Gateway$") as raised:
        govern.service.health()
    assert raised.value.code is None
    other, _ = client(lambda: httpx.Response(200, html="<h1>Welcome</h1>"))
    with pytest.raises(ApiConnectionError):
        other.service.health()


def test_requests_contain_the_credentials_the_tenant_and_the_encoded_path_and_query() -> None:
    govern, requests = client(ok({}), ok({"items": []}))
    govern.policies.get("a/b?c")
    govern.policies.list(q="a b", is_active=True).page()
    assert [request.url.raw_path.decode() for request in requests] == [
        "/v1/policies/a%2Fb%3Fc",
        "/v1/policies?q=a+b&is_active=true",
    ]
    assert requests[0].headers["authorization"] == "Bearer svc_x"
    assert requests[0].headers["x-service-tenant-id"] == "t"
    with pytest.raises(ValueError, match="is not an ID"):
        govern.policies.get("..")


def test_null_differs_from_an_omitted_member() -> None:
    govern, requests = client(ok({}), ok({}))
    govern.policy_groups.update("g", description=None)
    govern.policy_groups.update("g", name="Travel")
    assert [json.loads(request.content) for request in requests] == [{"description": None}, {"name": "Travel"}]


def test_a_list_requests_its_pages_when_they_are_needed() -> None:
    govern, requests = client(ok({"items": [1, 2], "next_cursor": "x"}), ok({"items": [3], "next_cursor": None}))
    seen = [(item, len(requests)) for item in govern.policies.list(limit=2)]
    assert seen == [(1, 1), (2, 1), (3, 2)]
    assert requests[1].url.query == b"limit=2&cursor=x"


def test_a_stream_continues_after_the_last_complete_event() -> None:
    first = 'retry: 10\nid: 0\n\n: comment\n\nid: 1\nevent: decision\ndata: {"id":\ndata: "a\u2028"}\n\nid: 2\nevent: deci'
    govern, requests = client(
        lambda: httpx.Response(200, text=first),
        error(503),
        lambda: httpx.Response(200, text='id: 2\r\nevent: decision\r\ndata: {"id":"b"}\r\n\r\n'),
        error(401),
        max_retries=0,
    )
    seen = []
    with pytest.raises(AuthenticationError):
        for event in govern.decisions.stream():
            seen.append((event.id, event.data["id"]))
    assert seen == [("1", "a\u2028"), ("2", "b")]
    assert [request.headers.get("last-event-id") for request in requests] == [None, "1", "1", "2"]


def test_an_export_that_ends_early_is_an_error() -> None:
    class Cut(httpx.SyncByteStream):
        def __iter__(self) -> Any:
            yield b'{"id":1}\n{"id":'
            raise httpx.RemoteProtocolError("peer closed connection")

    govern, _ = client(lambda: httpx.Response(200, stream=Cut()))
    seen: list[Any] = []
    with pytest.raises(ApiConnectionError):
        for record in govern.decisions.export(recorded_from="2000-01-01T00:00:00Z", recorded_to="2100-01-01T00:00:00Z"):
            seen.append(record)
    assert seen == [{"id": 1}]


def test_settings_can_be_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GOVERN_URL", raising=False)
    with pytest.raises(TypeError, match="`base_url` is missing"):
        Govern()
    monkeypatch.setenv("GOVERN_URL", "https://env.example")
    monkeypatch.setenv("GOVERN_API_KEY", "svc_env")
    govern, requests = client(ok({}), ok({}), base_url=None)
    govern.service.health()
    assert str(requests[0].url) == "https://env.example/v1/health"
    govern.with_options(api_key=None).service.health()
    assert "authorization" not in requests[1].headers


@pytest.mark.anyio
async def test_the_asynchronous_client_retries_and_iterates() -> None:
    answers = [error(503), ok({"items": [1], "next_cursor": "x"}), ok({"items": [2], "next_cursor": None})]
    http_client = httpx.AsyncClient(transport=httpx.MockTransport(lambda _: answers.pop(0)()))
    async with AsyncGovern(base_url="https://govern.example", http_client=http_client) as govern:
        assert [item async for item in govern.policies.list()] == [1, 2]
