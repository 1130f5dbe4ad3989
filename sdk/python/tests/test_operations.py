"""Calls every operation of /openapi.json with both clients against a service."""

from __future__ import annotations

import base64
import copy
import hashlib
import hmac
import json
import re
import struct
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta, timezone
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import anyio.from_thread
import pytest
from service import PASSWORD, ROOT, Blocking, Service, draft

from govern import (
    AuthenticationError,
    ConflictError,
    InvalidRequestError,
    NotFoundError,
    PermissionDeniedError,
    WebhookSignatureError,
    trust_of,
    verify_receipt,
    verify_webhook,
)

EVER = {"recorded_from": "2000-01-01T00:00:00Z", "recorded_to": "2100-01-01T00:00:00Z"}


class Environment:
    """A service with a policy, and clients of one kind."""

    def __init__(self, service: Service, portal: anyio.from_thread.BlockingPortal | None) -> None:
        self.service = service
        self._portal = portal
        self.govern = self.client()
        self.admin = self.sign_in(**service.admin)
        self.policy_id = service.activate_policy("expense")
        service.requests.clear()

    def client(self, **options: Any) -> Any:
        if self._portal is None:
            return self.service.client(**options)
        create: Callable[[], Any] = lambda: self.service.async_client(**options)
        return Blocking(self._portal.call(create), self._portal)

    def sign_in(self, email: str, password: str = PASSWORD) -> Any:
        client = self.client(api_key=None)
        client.session.sign_in(email=email, password=password)
        return client

    def record(self, amount: int, **members: Any) -> Any:
        return self.govern.decisions.record(context=context(amount), **members)["decision"]


def context(amount: int) -> dict[str, Any]:
    return {"decision_type": "expense", "fields": {"amount": amount}}


@pytest.fixture(scope="module", params=["sync", "async"])
def environment(request: pytest.FixtureRequest) -> Iterator[Environment]:
    service = Service()
    try:
        if request.param == "sync":
            yield Environment(service, None)
        else:
            with anyio.from_thread.start_blocking_portal() as portal:
                yield Environment(service, portal)
    finally:
        service.stop()


def test_infrastructure_keys_and_the_log(environment: Environment) -> None:
    govern = environment.govern
    assert govern.service.health()["status"] == "healthy"
    assert govern.service.ready()
    assert govern.trust.signing_keys()["keys"][0]["kty"] == "OKP"
    assert govern.trust.registry()["payload"] == govern.trust.registry(version=1)["payload"]
    govern.receipts.get(environment.record(1)["id"], wait_for="anchor")
    size = int(govern.log.checkpoint().split("\n")[1])
    assert len(govern.log.tile(f"0/000.p/{size}")) == 32 * size
    with pytest.raises(NotFoundError):
        govern.log.rekor()


def test_decisions(environment: Environment) -> None:
    decisions = environment.govern.decisions
    assert decisions.evaluate(context=context(100))["result"]["decision"] == "ALLOW"
    for alias in ("dry-run", "dryRun"):
        response = environment.govern.request("POST", f"/v1/decisions/{alias}", body={"context": context(100)})
        assert response.json()["result"]["decision"] == "ALLOW"
    assert len(decisions.evaluate_batch(contexts=[context(1), context(501)])["items"]) == 2

    request = {"context": context(900), "idempotency_key": "expense-1"}
    first, second = decisions.record(**request), decisions.record(**request)
    assert (first["is_new"], second["is_new"]) == (True, False)
    assert first["decision"] == second["decision"]
    decision_id = first["decision"]["id"]
    assert decisions.get(decision_id)["result"]["violations"][0]["rule_code"] == "EXP-LIMIT"
    assert decisions.record_outcome(decision_id, status="accepted")["status"] == "accepted"
    with pytest.raises(ConflictError):
        decisions.record_outcome(decision_id, status="accepted")
    assert decisions.replay(decision_id)["matches"]

    for amount in range(1, 5):
        environment.record(amount)
    ids = [decision["id"] for decision in decisions.list(limit=2)]
    assert len(ids) == len(set(ids)) >= 5
    assert [decision["id"] for decision in decisions.list(limit=2).page()["items"]] == ids[:2]
    assert sorted(decision["id"] for decision in decisions.export(**EVER)) == sorted(ids)
    assert environment.govern.snapshots.get(first["decision"]["policy_snapshot_id"])


def test_the_stream_of_decisions_continues_after_its_last_event(environment: Environment) -> None:
    stop = threading.Event()
    other = environment.service.client()

    def record() -> None:
        while not stop.wait(0.05):
            other.decisions.record(context=context(901))

    recorder = threading.Thread(target=record)
    recorder.start()
    first = next(iter(environment.govern.decisions.stream(decision_type="expense")))
    stop.set()
    recorder.join()
    assert first.data["violations"] == ["EXP-LIMIT"]
    missed = environment.record(902)["id"]
    later = []
    for event in environment.govern.decisions.stream(last_event_id=first.id):
        later.append(event.data["id"])
        if event.data["id"] == missed:
            break
    assert first.data["id"] not in later


def test_receipts_of_the_service_are_verified_offline_and_tampered_ones_are_not(environment: Environment) -> None:
    govern, service = environment.govern, environment.service
    request = {
        "context": {**context(720), "metadata": {"actor_id": "agent-7", "ip_address": "192.0.2.1"}},
        "action": {"type": "payment", "reference_id": "P-1"},
        "idempotency_key": str(uuid.uuid4()),
    }
    decision_id = govern.decisions.record(**request)["decision"]["id"]
    receipt = govern.receipts.get(decision_id, wait_for="anchor")
    trust = replace(trust_of(service.command("trust", "show")), request=request)
    assert verify_receipt(receipt, trust).status == "verified"

    changed = copy.deepcopy(receipt)
    changed["result"]["violations"][0]["severity"] = "low"
    assert verify_receipt(changed, trust).checks["result"].status == "failed"
    moved = copy.deepcopy(receipt)
    moved["decision_id"] = moved["statement"]["decision_id"] = str(uuid.uuid4())
    checks = verify_receipt(moved, trust).checks
    assert (checks["signature"].status, checks["inclusion"].status) == ("failed", "failed")

    assert govern.receipts.bundle(decision_id)[257:262] == b"ustar"
    bundle = json.loads(govern.receipts.bundle(decision_id, format="json"))
    assert bundle["manifest"]["subject"]["decision_id"] == decision_id
    # The public operations need no credentials.
    assert environment.client(api_key=None, tenant_id=None).receipts.get(decision_id) == receipt


def test_chains(environment: Environment) -> None:
    chains, chain_id = environment.govern.chains, str(uuid.uuid4())
    for step in (1, 2):
        environment.record(1, chain={"chain_id": chain_id, "chain_step": step})
    assert len(chains.list(chain_id=chain_id).page()["items"]) == 1
    assert chains.verify(chain_id)["valid"]
    assert chains.seal(chain_id)["chain_id"] == chain_id
    assert chains.get_seal(chain_id, wait_for="anchor")["chain_id"] == chain_id
    assert len(chains.bundle(chain_id)) > 1024


def test_policies_versions_reviews_and_comments(environment: Environment) -> None:
    govern, admin = environment.govern, environment.admin
    reviewer = environment.sign_in(environment.service.create_user("reviewer", "ratifier")["email"])
    policies, versions = govern.policies, govern.policies.versions
    policy_id = policies.create(**draft("DRAFTED", "drafted"))["policy"]["id"]
    assert policies.get(policy_id)["code"] == "DRAFTED"
    assert policies.update(policy_id, name="Renamed")["name"] == "Renamed"
    assert len(list(policies.list(limit=1))) >= 2
    assert policies.analytics(environment.policy_id, bucket="day", from_="2026-01-01T00:00:00Z")
    assert policies.decisions(environment.policy_id).page()["items"]
    assert not policies.deactivate(environment.policy_id, reason="a test")["is_active"]
    reviewer.policies.versions.activate(environment.policy_id, 1)
    assert versions.approval(environment.policy_id, 1)

    rules = draft("DRAFTED", "drafted")["rules"]
    patched = versions.update(policy_id, 1, expected_revision=1, rules=[*rules, {**rules[0], "code": "MORE"}])
    assert len(patched["rules"]) == 2
    submission = versions.seal(policy_id, 1)["id"]
    versions.submit(policy_id, 1)
    assert versions.submissions.list(policy_id, 1).page()["items"][0]["id"] == submission
    reviewer.policies.versions.submissions.review(policy_id, 1, submission, verdict="RETURN", note="No.", comments=[])
    comments = reviewer.policies.versions.comments
    comment = comments.create(policy_id, 1, text="Why 500?", rule_code="EXP-LIMIT")["id"]
    assert comments.list(policy_id, 1).page()["items"][0]["id"] == comment
    comments.resolve(policy_id, 1, comment)
    comments.reopen(policy_id, 1, comment)
    assert versions.recall(policy_id, 1)["status"] == "draft"

    admin_versions = admin.policies.versions
    superseded = admin_versions.supersede(policy_id, 1, expected_revision=2, rules=rules, change_reason="simpler")
    assert superseded["draft"]["version"] == 2
    assert versions.diff(policy_id, 2, against=1)
    admin_versions.set_aside(policy_id, 2, reason="start again")
    versions.create(policy_id, rules=rules)
    assert versions.get(policy_id, 3)["version"] == 3
    assert len(list(versions.list(policy_id))) == 3

    other = policies.create(**draft("OTHER", "other"))["policy"]["id"]
    versions.submit(other, 1)
    reviewer.policies.versions.ratify(other, 1, expected_revision=1)
    third = policies.create(**draft("THIRD", "third"))["policy"]["id"]
    versions.submit(third, 1)
    assert reviewer.policies.versions.reject(third, 1, reason="no")["status"] == "draft"
    versions.delete(third, 1)
    policies.delete(third)
    with pytest.raises(NotFoundError):
        policies.get(third)


def test_policy_groups(environment: Environment) -> None:
    groups = environment.govern.policy_groups
    group = groups.create(code="TRAVEL", name="Travel")["id"]
    assert groups.update(group, description="Trips")["description"] == "Trips"
    assert "description" not in groups.update(group, description=None)
    assert groups.get(group)["code"] == "TRAVEL"
    assert groups.policies(group).page()["items"] == []
    assert len(list(groups.list())) == 1
    groups.delete(group)


def test_authoring_capabilities(environment: Environment) -> None:
    govern, admin = environment.govern, environment.admin
    policy_id = govern.policies.create(**draft("GRANTED", "granted"))["policy"]["id"]
    actions = ["policy.read", "review.retrieve"]
    created = admin.capabilities.create(policy_id=policy_id, version=1, actions=actions, name="assistant")
    capability = created["capability"]["id"]
    program = environment.client(api_key=created["plaintext_key"])
    assert program.capabilities.current()["id"] == capability
    assert program.capabilities.pending_work()["capability_id"] == capability
    assert govern.capabilities.get(capability)["id"] == capability
    assert len(govern.capabilities.list().page()["items"]) == 1
    rules = draft("GRANTED", "granted")["rules"]
    admin.policies.versions.supersede(policy_id, 1, expected_revision=1, rules=rules, change_reason="again")
    admin.capabilities.revoke(admin.capabilities.carry(capability, version=2)["id"])


def test_alerts_and_webhooks(environment: Environment) -> None:
    received: list[tuple[dict[str, str], bytes]] = []

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            received.append((dict(self.headers), self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(204 if len(received) == 1 else 500)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    receiver = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=receiver.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{receiver.server_port}/"
    alerts = environment.govern.alerts
    created = alerts.subscriptions.create(url=url, severity_min="low")
    subscription, secret = created["subscription"]["id"], created["secret"]
    assert alerts.subscriptions.get(subscription)["webhook_url"] == url
    assert len(list(alerts.subscriptions.list())) == 1
    delivery = alerts.subscriptions.test(subscription)["id"]
    until(lambda: alerts.deliveries.get(delivery)["status"] == "delivered")
    headers, body = received[0]

    assert verify_webhook(body, headers, secret)["alert"]["alert_type"] == "test"
    assert verify_webhook(body.decode(), headers, secret)["event"] == "alert.created"
    changed = body.replace(b"alert", b"alarm")
    for content, key, tolerance in ((changed, secret, 300), (body, "whsec_other", 300), (body, secret, -1)):
        with pytest.raises(WebhookSignatureError):
            verify_webhook(content, headers, key, tolerance)
    with pytest.raises(WebhookSignatureError):
        verify_webhook(body, {}, secret)
    with pytest.raises(InvalidRequestError):
        alerts.deliveries.retry(delivery)

    environment.record(5000)
    until(lambda: alerts.deliveries.stats()["by_status"]["dead"] > 0)
    assert list(alerts.deliveries.list(status="dead"))
    assert alerts.deliveries.redrive(subscription_id=subscription)
    ids = [alert["id"] for alert in alerts.list(limit=2)]
    assert len(ids) == len(set(ids)) > 2
    alert = alerts.list(status="open").page()["items"][0]["id"]
    assert alerts.get(alert)["id"] == alert
    user_id = environment.admin.session.get()["user"]["id"]
    assert alerts.assign(alert, user_id=user_id)["assigned_to"] == user_id
    assert alerts.snooze(alert, until=(datetime.now(timezone.utc) + timedelta(minutes=1)).isoformat())
    assert alerts.acknowledge(alert)["acknowledged_at"]
    assert alerts.acknowledge_many(ids=[alert])
    alerts.subscriptions.delete(subscription)
    receiver.shutdown()


def test_forms(environment: Environment) -> None:
    forms = environment.govern.forms
    fields = [{"name": "amount", "label": "Amount", "type": "number", "required": True}]
    form = forms.create(
        policy_id=environment.policy_id, title="Expense", access_mode="token", is_published=True, fields=fields
    )["id"]
    assert forms.get(form)["title"] == "Expense"
    assert len(list(forms.list())) == 1
    token = forms.tokens.create(form)
    visitor = environment.client(api_key=None, tenant_id=None).forms
    assert visitor.schema(form, access_token=token["token"])
    assert visitor.api_contract(form, access_token=token["token"])
    submitted = visitor.submit(form, values={"amount": 800}, access_token=token["token"])
    assert visitor.receipt(form, submitted["decision_id"])["decision_id"] == submitted["decision_id"]
    forms.tokens.revoke(form, token["id"])
    forms.update(form, access_mode="password", password="open sesame now")
    with pytest.raises(PermissionDeniedError):
        visitor.schema(form)
    assert visitor.schema(form, password="open sesame now")
    forms.delete(form)


def test_api_keys_settings_and_the_audit_log(environment: Environment) -> None:
    govern = environment.govern
    created = govern.api_keys.create(name="reader", scopes=["policies:read"])
    reader = environment.client(api_key=created["plaintext_key"])
    with pytest.raises(PermissionDeniedError) as raised:
        reader.decisions.evaluate(context=context(1))
    assert raised.value.code == "INSUFFICIENT_SCOPE"
    assert raised.value.correlation_id
    assert len(list(govern.api_keys.list())) >= 2
    assert govern.api_keys.get(created["key"]["id"])["name"] == "reader"
    govern.api_keys.revoke(created["key"]["id"])
    with pytest.raises(AuthenticationError):
        reader.policies.list().page()
    short = govern.api_keys.create(name="short", scopes=["policies:read"])["plaintext_key"]
    anonymous = environment.client(api_key=None, tenant_id=None)
    anonymous.api_keys.revoke_secret(api_key=short)
    with pytest.raises(AuthenticationError):
        environment.client(api_key=short).policies.list().page()
    with pytest.raises(NotFoundError):
        anonymous.api_keys.exchange_code(code="unknown", code_verifier="v" * 43)
    govern.settings.update(alert_min_severity="medium")
    assert govern.settings.get()["alert_min_severity"] == "medium"
    assert govern.audit_log.list(limit=5, from_="2000-01-01T00:00:00Z").page()["items"]
    assert govern.audit_log.verify()["status"] == "intact"


def test_identity_providers(environment: Environment) -> None:
    providers = environment.admin.identity_providers
    issuer = "https://127.0.0.1:9"
    created = providers.create(name="Acme", issuer=issuer, client_id="govern", is_enabled=False)
    assert created["id"] in [provider["id"] for provider in providers.list()]
    assert providers.update(created["id"], name="Acme SSO")["name"] == "Acme SSO"
    assert providers.get(created["id"])["name"] == "Acme SSO"
    assert providers.test(created["id"])["is_usable"] is False
    providers.delete(created["id"])


def test_members_users_invitations_and_sessions(environment: Environment) -> None:
    admin, service = environment.admin, environment.service
    unused = admin.users.create(email="unused@acme.example", display_name="Unused")["user"]
    assert admin.users.get(unused["id"]) == unused
    user_id = admin.members.invite(email="new@acme.example", role="viewer")["user_id"]
    anonymous = environment.client(api_key=None)
    anonymous.session.set_up(token=service.mailed_token("new@acme.example"), password=PASSWORD)
    session = environment.sign_in("new@acme.example").session
    assert session.get()["memberships"][0]["role"] == "viewer"
    assert admin.members.get(user_id)["status"] == "active"
    assert admin.members.update(user_id, role="author")["role"] == "author"
    assert len(list(admin.members.list())) >= 2

    session.confirm(password=PASSWORD)
    password = "feeds-the-cat-at-ten-past-six"
    session.change_password(password=PASSWORD, new_password=password)
    second = environment.sign_in("new@acme.example", password).session
    second.revoke(next(item["id"] for item in second.list()["items"] if not item["is_current"]))
    with pytest.raises(AuthenticationError):
        session.get()
    anonymous.session.request_reset(email="new@acme.example")

    operator_key = service.command("key", "create-operator", "--name", "test")["plaintext_key"]
    operator = environment.client(api_key=operator_key)
    invitations = []
    for name in ("Accepted", "Declined"):
        tenant_id = operator.tenants.create(name=name)["tenant_id"]
        host = environment.sign_in(service.create_user(f"admin-{name.lower()}", "admin", tenant_id)["email"])
        host.with_options(tenant_id=tenant_id).members.invite(user_id=user_id, role="viewer")
        invitations.append(tenant_id)
    assert len(list(operator.tenants.list())) == 3
    assert len(second.invitations.list()["items"]) == 2
    assert second.invitations.accept(invitations[0])["tenant_id"] == invitations[0]
    second.invitations.decline(invitations[1])
    admin.members.remove(user_id)
    second.sign_out()
    with pytest.raises(AuthenticationError):
        second.get()


def totp(secret: str, steps: int = 0) -> str:
    """Returns the code of an authenticator app, some steps from now (RFC 6238)."""
    counter = struct.pack(">Q", int(time.time() // 30) + steps)
    tag = hmac.new(base64.b32decode(secret), counter, hashlib.sha1).digest()
    start = tag[19] & 15
    return f"{(struct.unpack('>I', tag[start : start + 4])[0] & 0x7FFFFFFF) % 1_000_000:06}"


def test_second_factors(environment: Environment) -> None:
    email = environment.service.create_user("factors", "viewer")["email"]
    session = environment.sign_in(email).session
    secret = session.totp.set_up()["secret"]
    assert len(session.totp.confirm(code=totp(secret))["recovery_codes"]) == 10
    assert session.second_factors()["recovery_codes_left"] == 10
    assert len(session.replace_recovery_codes()["recovery_codes"]) == 10

    # The test has no authenticator, so each passkey is refused.
    assert session.passkeys.options()["public_key"]["attestation"] == "none"
    credential = {"id": "AAAA", "type": "public-key", "response": {}}
    with pytest.raises(InvalidRequestError):
        session.passkeys.create(name="Laptop", credential=credential)
    with pytest.raises(NotFoundError):
        session.passkeys.update(str(uuid.uuid4()), name="Laptop")
    with pytest.raises(NotFoundError):
        session.passkeys.delete(str(uuid.uuid4()))

    other = environment.client(api_key=None).session
    with pytest.raises(AuthenticationError) as missing:
        other.sign_in(email=email, password=PASSWORD)
    assert missing.value.code == "SECOND_FACTOR_MISSING"
    assert other.passkey_options(purpose="second_factor")["public_key"]["challenge"]
    with pytest.raises(AuthenticationError):
        other.sign_in_with_passkey(credential=credential)
    signed_in = other.finish_sign_in(code=totp(secret, 1))
    assert signed_in["auth_method"] == "password+totp"
    other.totp.delete()
    # An account that other tenants can invite is not reset by the admin of one.
    with pytest.raises(PermissionDeniedError):
        environment.admin.members.reset_second_factors(signed_in["user"]["id"])


def test_errors_name_the_code_the_correlation_id_and_the_invalid_fields(environment: Environment) -> None:
    body = draft("WRONG", "wrong")
    body["rules"][0]["severity"] = "huge"
    govern = environment.govern.with_options(headers={"X-Correlation-Id": "sdk-test"})
    with pytest.raises(InvalidRequestError, match=r"^422 VALIDATION_ERROR: .*\(correlation ID sdk-test\)$") as raised:
        govern.policies.create(**body)
    error = raised.value
    assert (error.status, error.code, error.correlation_id) == (422, "VALIDATION_ERROR", "sdk-test")
    assert [(field["path"], field["code"]) for field in error.fields] == [("/rules/0/severity", "enum")]


def test_every_operation_was_called(environment: Environment) -> None:
    paths = json.loads((ROOT / "openapi.json").read_text())["paths"]
    operations = [(method.upper(), path) for path, item in paths.items() for method in item]
    requests = set(environment.service.requests)

    def is_called(method: str, path: str) -> bool:
        pattern = re.sub(r"\{\w+\}", "[^/]+", path.replace("/{path}", "/.+"))
        matches = (other for verb, other in requests if verb == method and re.fullmatch(pattern, other))
        return any(other == path or other not in paths for other in matches)

    assert [operation for operation in operations if not is_called(*operation)] == []
    print(f"{len(operations)} operations called")


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < deadline, "the condition was not met"
        time.sleep(0.05)
