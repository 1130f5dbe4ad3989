"""Retries, pages and streams, with a replacement of the network."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable
from contextlib import suppress
from email.utils import formatdate
from typing import Any

import anyio
import anyio.abc
import httpx
import pytest

from govern import (
    ApiConnectionError,
    ApiError,
    ApiTimeoutError,
    AsyncGovern,
    AuthenticationError,
    Govern,
    GovernError,
    RateLimitError,
    ServiceUnavailableError,
    StreamedDecision,
)
from govern._streaming import EventReader, LineReader

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


@pytest.mark.parametrize("status", [502, 504])
def test_the_errors_of_a_proxy_are_repeated_like_503(status: int) -> None:
    govern, requests = client(error(status, retry_after="1"), ok({"is_new": True}))
    start = time.monotonic()
    govern.decisions.record(context=CONTEXT)
    assert requests[0].content == requests[1].content, "the idempotency key is the same"
    assert time.monotonic() - start >= 1

    govern, requests = client(error(status), ok({}))
    with pytest.raises(ServiceUnavailableError):
        govern.policies.create(code="A", name="A")
    assert len(requests) == 1

    govern, requests = client(error(status, retry_after="61"), ok({}))
    with pytest.raises(ServiceUnavailableError):
        govern.service.health()
    assert len(requests) == 1


@pytest.mark.parametrize(
    "value", ["-5", "1.5", "soon", "Sun, 99 Nov 2026 08:49:37 GMT", "Sun, 06 Nov 99999 08:49:37 GMT"]
)
def test_a_retry_after_that_is_neither_seconds_nor_a_date_is_ignored(value: str) -> None:
    govern, _ = client(error(503, retry_after=value), max_retries=0)
    with pytest.raises(ServiceUnavailableError) as raised:
        govern.service.health()
    assert raised.value.retry_after is None


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_an_error_and_is_not_followed(status: int) -> None:
    requests: list[httpx.Request] = []

    def handle(request: httpx.Request) -> httpx.Response:
        requests.append(request)
        return httpx.Response(status, headers={"location": "https://other.example/"}, json={"decision": {}})

    # Also if the client that the caller passes follows redirects.
    http_client = httpx.Client(transport=httpx.MockTransport(handle), follow_redirects=True)
    govern = Govern(base_url="https://govern.example", http_client=http_client)
    for call in (
        lambda: govern.decisions.record(context=CONTEXT),
        lambda: govern.forms.schema("f", password="secret"),
        lambda: list(govern.decisions.stream()),
        lambda: list(govern.decisions.export(recorded_from="2000-01-01T00:00:00Z", recorded_to="2100-01-01T00:00:00Z")),
    ):
        with pytest.raises(ApiError, match="the redirect to https://other.example/ is not followed") as raised:
            call()
        assert raised.value.status == status
    assert [request.url.host for request in requests] == ["govern.example"] * 4


@pytest.mark.parametrize("password", ["open sesame", "öffne dich", "開けゴマ 🗝"])
def test_a_password_of_a_form_is_sent_as_utf_8(password: str) -> None:
    govern, requests = client(ok({}), ok({}))
    govern.forms.schema("f", password=password)
    govern.forms.api_contract("f", password=password)
    for request in requests:
        assert dict(request.headers.raw)[b"X-Form-Password"] == password.encode()


@pytest.mark.parametrize("password", [" open", "open ", "a\nb", "\ud83d"])
def test_a_password_that_a_header_would_change_is_refused(password: str) -> None:
    govern, requests = client()
    with pytest.raises(ValueError, match="password"):
        govern.forms.schema("f", password=password)
    assert not requests


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


@pytest.mark.parametrize("content", [b'"' + b"a" * 20 + b'"', b""])
def test_a_time_limit_includes_the_body(content: bytes) -> None:
    class Slow(httpx.SyncByteStream):
        is_closed = False

        def __iter__(self) -> Any:
            for _ in range(20):
                time.sleep(0.02)
                yield b" "
            yield content

        def close(self) -> None:
            self.is_closed = True

    slow = Slow()
    govern, _ = client(lambda: httpx.Response(200 if content else 503, stream=slow), max_retries=0, timeout=0.05)
    with pytest.raises(ApiTimeoutError):
        govern.service.health()
    assert slow.is_closed


@pytest.mark.parametrize(
    "options",
    [
        *({"timeout": value} for value in (0, -1, math.nan, None, "5", True)),
        *({"max_retries": value} for value in (-1, math.nan)),
        *({"max_retry_delay": value} for value in (-1, math.nan, math.inf)),
    ],
)
def test_limits_that_are_none_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="is not a limit"):
        client(**options)


def test_no_time_limit_is_possible() -> None:
    govern, requests = client(ok({}), timeout=math.inf)
    govern.service.health()
    assert requests[0].extensions["timeout"] == {"connect": None, "read": None, "write": None, "pool": None}


def test_the_response_of_a_proxy_is_an_error_without_a_code() -> None:
    govern, _ = client(lambda: httpx.Response(502, html="<h1>Bad gateway</h1>"), max_retries=0)
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
    first = (
        'retry: 10\nid: 0\n\n: comment\n\nid: 1\nevent: decision\ndata: {"id":\ndata: "a\u2028"}\n\nid: 2\nevent: deci'
    )
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


def test_a_stream_follows_the_rules_of_retries_and_ignores_what_is_no_event() -> None:
    text = 'retry: soon\nid: 1\nevent: decision\n\nretry: 10\nid: 1\nevent: decision\ndata: {"id":"a"}\n\n'
    times: list[float] = []

    def timed(answer: Answer) -> Answer:
        def respond() -> httpx.Response:
            times.append(time.monotonic())
            return answer()

        return respond

    answers = (
        lambda: httpx.Response(200, text=text),
        error(504),
        error(502, retry_after="1"),
        lambda: httpx.Response(200, text='id: 2\nevent: decision\ndata: {"id":"b"}\n\n'),
        error(503, retry_after="61"),
    )
    govern, requests = client(*map(timed, answers), max_retries=0)
    seen = []
    with pytest.raises(ServiceUnavailableError):
        for event in govern.decisions.stream():
            seen.append(event.data["id"])
    assert seen == ["a", "b"]
    assert [request.headers.get("last-event-id") for request in requests] == [None, "1", "1", "1", "2"]
    assert times[3] - times[2] >= 1
    assert times[4] - times[3] < 1, "only the delay that the service asked for is long"


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


def test_a_cut_line_of_an_export_is_an_error() -> None:
    govern, _ = client(lambda: httpx.Response(200, text='{"id":1}\n{"id":'))
    with pytest.raises(ApiConnectionError):
        list(govern.decisions.export(recorded_from="2000-01-01T00:00:00Z", recorded_to="2100-01-01T00:00:00Z"))


def test_an_empty_key_or_tenant_is_not_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOVERN_API_KEY", "svc_env")
    monkeypatch.setenv("GOVERN_TENANT_ID", "env")
    for name in ("api_key", "tenant_id"):
        with pytest.raises(ValueError, match=f"`{name}` is empty"):
            client(**{name: ""})
        with pytest.raises(ValueError, match=f"`{name}` is empty"):
            client()[0].with_options(**{name: ""})


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


@pytest.mark.parametrize(
    "url",
    [
        "govern.example",
        "localhost:3000",
        "ftp://a",
        "https://",
        "https://a/?b=secret",
        "https://a/#b",
        "https://u:secret@a",
    ],
)
def test_a_url_whose_paths_would_be_others_is_refused_and_not_shown(url: str) -> None:
    with pytest.raises(ValueError, match="`base_url`") as raised:
        client(base_url=url)
    assert "secret" not in str(raised.value)


def test_a_path_of_a_request_continues_the_url_not_its_host_name() -> None:
    govern, requests = client(ok({}), ok({}), base_url="https://govern.example/base//")
    for path in ("v1/health", ".evil.example/", "@evil.example/", ":1/", "", "/v1/health#a"):
        with pytest.raises(ValueError, match="the path"):
            govern.request("GET", path)
    govern.request("GET", "/v1/policies?limit=1", query={"q": "a"})
    govern.request("GET", "/v1/policies?limit=1")
    base = "https://govern.example/base/v1/policies"
    assert [str(request.url) for request in requests] == [f"{base}?limit=1&q=a", f"{base}?limit=1"]


@pytest.mark.parametrize("value", ["secret\n", "secret\r\nX: y", "sec ret", "secrét", 5])
@pytest.mark.parametrize("name", ["api_key", "tenant_id"])
def test_a_key_that_cannot_be_in_a_header_is_refused_and_not_shown(name: str, value: Any) -> None:
    with pytest.raises(ValueError, match=f"`{name}`") as raised:
        client(**{name: value})
    assert "sec" not in str(raised.value)


def test_settings_show_no_key() -> None:
    govern, _ = client(api_key="svc_secret", headers={"X-Proxy": "secret"})
    assert "secret" not in repr(vars(govern._transport))


def test_a_header_replaces_one_of_the_client_in_any_case_and_is_otherwise_refused() -> None:
    govern, requests = client(ok({}), headers={"authorization": "Basic a"})
    govern.service.health()
    assert requests[0].headers.get_list("authorization") == ["Basic a"]
    for headers in ({"x-a": 5}, {"x-a": "secret\n"}, {"x a": "secret"}, {"x-a": " secret"}):
        with pytest.raises(ValueError, match="the header") as raised:
            client(headers=headers)
        assert "secret" not in str(raised.value)


@pytest.mark.parametrize("cursors", ["aa", "aba"])
def test_a_list_whose_pages_repeat_is_an_error_not_endless(cursors: str) -> None:
    govern, _ = client(*(ok({"items": [], "next_cursor": cursor}) for cursor in cursors))
    with pytest.raises(GovernError, match="repeats a page"):
        list(govern.policies.list())


def test_a_body_that_cannot_be_decoded_is_an_error_of_the_connection() -> None:
    def garbage() -> httpx.Response:
        return httpx.Response(200, headers={"content-encoding": "gzip"}, stream=httpx.ByteStream(b"no gzip"))

    govern, _ = client(garbage, max_retries=0)
    with pytest.raises(ApiConnectionError):
        govern.service.health()


def test_a_stream_may_begin_with_a_byte_order_mark_and_does_not_wait_for_days() -> None:
    lines, events = LineReader(), EventReader(None)
    chunks = (
        b"\xef\xbb",
        b"\xbfid: 1\r",
        b'\nevent: decision\ndata: {"id":"\xc3',
        b'\xa4"}\n\nretry: 99999999999999\n',
    )
    seen = [events.feed(line) for chunk in chunks for line in lines.feed(chunk)]
    assert [event for event in seen if event] == [StreamedDecision("1", {"id": "ä"})]  # type: ignore[typeddict-item]
    assert events.retry_seconds == 60


@pytest.mark.anyio
async def test_the_time_limit_of_the_asynchronous_client_includes_slow_headers() -> None:
    async def drip(stream: anyio.abc.SocketStream) -> None:
        with suppress(anyio.BrokenResourceError):
            async with stream:
                for byte in b"HTTP/1.1 200 OK\r\nX-A: " + b"a" * 500:
                    await stream.send(bytes([byte]))
                    await anyio.sleep(0.01)

    async with await anyio.create_tcp_listener(local_host="127.0.0.1") as listener, anyio.create_task_group() as tasks:
        tasks.start_soon(listener.serve, drip)
        base_url = f"http://127.0.0.1:{listener.extra(anyio.abc.SocketAttribute.local_port)}"
        async with AsyncGovern(base_url=base_url, timeout=0.1, max_retries=0) as govern:
            with pytest.raises(ApiTimeoutError):
                await govern.service.health()
        tasks.cancel_scope.cancel()


@pytest.mark.anyio
async def test_the_asynchronous_client_retries_and_iterates() -> None:
    answers = [error(503), ok({"items": [1], "next_cursor": "x"}), ok({"items": [2], "next_cursor": None})]
    http_client = httpx.AsyncClient(transport=httpx.MockTransport(lambda _: answers.pop(0)()))
    async with AsyncGovern(base_url="https://govern.example", http_client=http_client) as govern:
        assert [item async for item in govern.policies.list()] == [1, 2]


@pytest.mark.anyio
async def test_the_asynchronous_client_follows_no_redirects_and_limits_the_body() -> None:
    async def slow() -> Any:
        for _ in range(20):
            await anyio.sleep(0.02)
            yield b" "

    answers = {
        "/v1/decisions/record": httpx.Response(307, headers={"location": "https://other.example/"}),
        "/v1/health": httpx.Response(200, content=slow()),
    }
    http_client = httpx.AsyncClient(
        transport=httpx.MockTransport(lambda request: answers[request.url.path]), follow_redirects=True
    )
    settings: dict[str, Any] = {"timeout": 0.05, "max_retries": 0, "http_client": http_client}
    async with AsyncGovern(base_url="https://govern.example", **settings) as govern:
        with pytest.raises(ApiError, match="is not followed"):
            await govern.decisions.record(context=CONTEXT)
        with pytest.raises(ApiTimeoutError):
            await govern.service.health()
