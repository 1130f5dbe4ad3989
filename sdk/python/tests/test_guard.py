"""The guard, its middleware and the examples, against a service."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from agent_tool import ToolCall, execute
from fastapi_app import create_app
from service import Service

from govern import DecisionRefusedError, Govern, GuardRequest, UnrecordedActionError


@pytest.fixture(scope="module")
def govern(service: Service) -> Iterator[Govern]:
    for decision_type in ("expense", "tool_call", "refund"):
        service.activate_policy(decision_type)
    yield service.client()


def request(amount: int, key: str | None = None) -> GuardRequest:
    context: Any = {"decision_type": "expense", "fields": {"amount": amount}}
    return {"context": context, "idempotency_key": key or str(uuid.uuid4())}


def recorded(govern: Govern, key: str) -> Any:
    items = govern.decisions.list(idempotency_key=key).page()["items"]
    return govern.decisions.get(items[0]["id"]) if items else None


def outcome(govern: Govern, key: str) -> Any:
    return recorded(govern, key)["outcome"]["status"]


def test_a_permitted_action_is_executed_then_recorded_with_its_outcome(govern: Govern) -> None:
    key = str(uuid.uuid4())

    def act(result: Any) -> str:
        assert result["decision"] == "ALLOW"
        assert recorded(govern, key) is None
        return "paid"

    result = govern.guard(request(100, key), act)
    assert (result.value, result.decision["decision"], outcome(govern, key)) == ("paid", "ALLOW", "accepted")


def test_with_record_first_the_decision_is_recorded_before_the_action(govern: Govern) -> None:
    key = str(uuid.uuid4())
    result = govern.guard(request(100, key), lambda _: recorded(govern, key), record_first=True)
    assert result.value["id"] == result.decision["id"]


@pytest.mark.parametrize("options", [{}, {"record_first": True}, {"permit": ["ALLOW", "ALERT", "REVIEW"]}])
def test_a_refused_action_is_recorded_and_not_executed(govern: Govern, options: Any) -> None:
    with pytest.raises(DecisionRefusedError, match="^the verdict is [A-Z]+: EXP-LIMIT$") as raised:
        govern.guard(request(900), lambda _: pytest.fail("the action was executed"), **options)
    assert raised.value.decision is not None
    assert raised.value.decision["decision"] == raised.value.verdict


def test_a_failed_action_is_abandoned_and_its_error_is_raised(govern: Govern) -> None:
    key = str(uuid.uuid4())

    def act(_: Any) -> None:
        raise RuntimeError("the bank is closed")

    with pytest.raises(RuntimeError, match="the bank is closed"):
        govern.guard(request(100, key), act)
    assert outcome(govern, key) == "abandoned"


def test_a_repeated_action_has_one_decision_and_one_outcome(govern: Govern) -> None:
    key = str(uuid.uuid4())
    ids = {govern.guard(request(100, key), lambda _: 1).decision["id"] for _ in range(2)}
    assert len(ids) == 1


def test_an_action_whose_decision_cannot_be_recorded_is_reported_with_its_result(
    service: Service, govern: Govern
) -> None:
    def refuse(request: httpx.Request) -> None:
        if request.url.path.endswith("/record"):
            raise httpx.ConnectError("refused")

    http_client = httpx.Client(event_hooks={"request": [refuse]})
    offline = service.client(http_client=http_client, max_retries=0)
    with pytest.raises(UnrecordedActionError) as raised:
        offline.guard(request(100), lambda _: "paid")
    assert (raised.value.value, raised.value.action_error) == ("paid", None)
    assert govern.decisions.record(**raised.value.request)["is_new"]
    with pytest.raises(DecisionRefusedError) as refused:
        offline.guard(request(900), lambda _: "paid")
    assert refused.value.decision is None


def test_an_action_under_a_verdict_that_changed_meanwhile_is_overridden(service: Service, govern: Govern) -> None:
    class Change(httpx.HTTPTransport):
        def handle_request(self, request: httpx.Request) -> httpx.Response:
            if request.url.path.endswith("/record"):
                content = request.content.replace(b": 100", b": 900")
                request = httpx.Request(request.method, request.url, headers=request.headers, content=content)
            return super().handle_request(request)

    key = str(uuid.uuid4())
    changed = service.client(http_client=httpx.Client(transport=Change()))
    assert changed.guard(request(100, key), lambda _: "paid").decision["decision"] != "ALLOW"
    assert outcome(govern, key) == "overridden"


def test_example_tool_calls_of_an_agent(govern: Govern) -> None:
    assert execute(govern, ToolCall("1", "pay", {"amount": 100, "payee": "ACME"})) == "paid 100 to ACME"
    refused = execute(govern, ToolCall("2", "pay", {"amount": 900, "payee": "ACME"}))
    assert refused.startswith("The call was not executed (")


@pytest.mark.anyio
async def test_example_a_fastapi_application(service: Service, govern: Govern) -> None:
    async with service.async_client() as async_govern:
        transport = httpx.ASGITransport(create_app(async_govern))
        async with httpx.AsyncClient(transport=transport, base_url="http://app") as caller:
            headers = {"idempotency-key": "refund-1"}
            response = await caller.post("/refunds", json={"amount": 100}, headers=headers)
            assert (response.status_code, response.json()) == (201, {"refunded": 100})
            assert outcome(govern, "refund-1") == "accepted"

            refused = await caller.post("/refunds", json={"amount": 900}, headers={"idempotency-key": "refund-2"})
            assert refused.status_code == 403
            assert refused.json()["violations"][0]["rule_code"] == "EXP-LIMIT"
            assert refused.json()["decision_id"] == recorded(govern, "refund-2")["id"]

            failed = await caller.post("/refunds", json={"amount": 0}, headers={"idempotency-key": "refund-3"})
            assert failed.status_code == 422
            assert outcome(govern, "refund-3") == "abandoned"
            assert (await caller.get("/health")).json() == {"status": "ok"}
