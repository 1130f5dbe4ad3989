"""The Authorization API of OpenID AuthZEN, called with two independent clients."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from apparitor.client import AuthZENClient
from apparitor.config import ScannerConfig
from apparitor.errors import AuthZENClientError
from apparitor.models import (
    Action,
    BatchEvaluationRequest,
    EvaluationItem,
    EvaluationRequest,
    EvaluationSemantic,
    EvaluationsOptions,
    Resource,
    Subject,
)
from decern import Client, DecernError
from service import Service

ALICE = Subject(type="user", id="alice")


@pytest.fixture(scope="module", autouse=True)
def policy(service: Service) -> None:
    service.activate_policy("expense")


@pytest.fixture
async def apparitor(service: Service) -> AsyncIterator[AuthZENClient]:
    headers = {"Authorization": f"Bearer {service.api_key}"}
    config = ScannerConfig(pdp_url=service.url, allow_insecure_pdp=True, default_headers=headers)
    async with AuthZENClient(config) as client:
        yield client


def expense(amount: int) -> Resource:
    return Resource(type="expense", id=f"expense-{amount}", properties={"amount": amount})


def test_decern_evaluates_single_requests(service: Service) -> None:
    client = Client(service.url, token=service.api_key)
    subject = {"type": "user", "id": "alice"}

    def evaluate(amount: int, **context: Any) -> Any:
        resource = {"type": "expense", "id": "7", "properties": {"amount": amount}}
        return client.evaluate(subject, "expense", resource, context or None)

    assert evaluate(100).allowed
    denied = evaluate(900)
    assert not denied.allowed
    assert denied.context["reason"] == "amount is 900, above the maximum of 500"

    recorded = evaluate(900, govern={"idempotency_key": "decern-1"}).context["decision_id"]
    decision = service.client().decisions.get(recorded)
    assert (decision["decision"], decision["actor"]["id"]) == ("DENY", "alice")
    assert evaluate(900, govern={"idempotency_key": "decern-1"}).context["decision_id"] == recorded

    for token, status in (("svc_unknown", 401), (None, 401)):
        with pytest.raises(DecernError) as error:
            Client(service.url, token=token).evaluate(subject, "expense", {"type": "expense", "id": "7"})
        assert error.value.status_code == status
    with pytest.raises(DecernError) as error:
        client.evaluate({"type": "user"}, "expense", {"type": "expense", "id": "7"})
    assert (error.value.status_code, error.value.body) == (400, "/subject/id: `id` is required")


@pytest.mark.anyio
async def test_apparitor_evaluates_single_requests_and_lists(apparitor: AuthZENClient) -> None:
    def request(amount: int) -> EvaluationRequest:
        return EvaluationRequest(subject=ALICE, action=Action(name="expense"), resource=expense(amount))

    assert (await apparitor.evaluate(request(100))).decision
    denied = await apparitor.evaluate(request(900))
    assert denied.context is not None
    assert (denied.decision, denied.context["verdict"]) == (False, "DENY")
    with pytest.raises(AuthZENClientError):
        await apparitor.evaluate(EvaluationRequest(subject=ALICE, action=Action(name=" "), resource=expense(100)))

    amounts = (100, 900, 200)
    for semantic, expected in (
        (EvaluationSemantic.EXECUTE_ALL, [True, False, True]),
        (EvaluationSemantic.DENY_ON_FIRST_DENY, [True, False]),
        (EvaluationSemantic.PERMIT_ON_FIRST_PERMIT, [True]),
    ):
        response = await apparitor.evaluate_batch(
            BatchEvaluationRequest(
                subject=ALICE,
                action=Action(name="expense"),
                evaluations=[EvaluationItem(resource=expense(amount)) for amount in amounts],
                options=EvaluationsOptions(evaluations_semantic=semantic),
            )
        )
        assert [evaluation.decision for evaluation in response.evaluations] == expected
