"""Prepares a demo server for the fuzzer and prints the ID of a policy for all decision types.

  prepare.py URL FIRST_RUN SESSION KEY

URL is the address of the server, and FIRST_RUN is the file that the server wrote at its first start. The
configuration for the session is appended to the file SESSION, and the one for the API key to the file KEY.
"""

import json
import sys
import urllib.request

url, first_run_file, session_file, key_file = sys.argv[1:]
with open(first_run_file) as file:
    first_run = json.load(file)


def call(method, path, body=None, **headers):
    """Calls the API and returns the body and the headers of the response."""
    headers = {"content-type": "application/json", "x-service-tenant-id": first_run["tenant_id"], **headers}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url + path, data, headers, method=method)
    with urllib.request.urlopen(request) as response:
        return json.loads(response.read() or "null"), response.headers


# Sign in before the fuzzer's wrong passwords exceed the rate limit of its address.
credentials = {"email": first_run["email"], "password": first_run["password"]}
session, headers = call("POST", "/v1/session", credentials)
cookie = headers["set-cookie"].split(";")[0]


def call_as_admin(method, path, body=None):
    """Calls the API with the session of the admin and returns the body of the response."""
    return call(method, path, body, cookie=cookie)[0]


# A policy for all decision types. Without it, invented types return 404 `NO_ACTIVE_POLICIES`.
rule = {
    "code": "LIMIT",
    "name": "Amounts end at 10,000",
    "rule_type": "threshold",
    "condition": {"field": "amount", "max": 10000},
    "when": {"field": "amount", "exists": True},
    "severity": "high",
}
call_as_admin("PATCH", "/v1/settings", {"maker_checker_enabled": False})
active_draft = {"code": "EVERYTHING", "name": "Everything", "rules": [rule]}
active = call_as_admin("POST", "/v1/policies", active_draft)["policy"]["id"]
call_as_admin("POST", f"/v1/policies/{active}/versions/1/submit", {})
call_as_admin("POST", f"/v1/policies/{active}/versions/1/ratify", {"expected_revision": 1})
call_as_admin("POST", f"/v1/policies/{active}/versions/1/activate", {})
draft, deleted, without_version = (
    call_as_admin("POST", "/v1/policies", {"code": code, "name": code, "rules": [rule]})["policy"]["id"]
    for code in ("DRAFT", "DELETED", "WITHOUT-VERSION")
)

context = {"decision_type": "fuzzed", "fields": {"amount": 1}}
decision = call_as_admin("POST", "/v1/decisions/record", {"idempotency_key": "fuzzed", "context": context})["decision"]

# Values of ID parameters by operation. Deletions get resources that no other operation needs, because the fuzzer
# takes IDs from responses and could delete resources that are still needed.
OPERATION_PARAMETERS = {
    r"^(GET|PATCH|POST) /v1/policies/": {"path.id": draft, "path.version": 1},
    r"^DELETE /v1/policies/\{id\}$": {"path.id": deleted},
    r"^DELETE /v1/policies/\{id\}/versions/": {"path.id": without_version, "path.version": 1},
    r"^(GET|POST) /v1/decisions/\{": {"path.id": decision["id"]},
    r"^GET /v1/receipts/": {"path.decision_id": decision["id"]},
    r"^GET /v1/snapshots/": {"path.id": decision["policy_snapshot_id"]},
    r"^GET /v1/admin/members/": {"path.user_id": session["user"]["id"]},
}

with open(session_file, "a") as config:
    config.write(f'\n[auth.openapi.session]\napi_key = "{cookie.split("=", 1)[1]}"\n')
with open(key_file, "a") as config:
    config.write(f'\n[auth.openapi.api_key]\nbearer = "{first_run["api_key"]}"\n')
    for name, values in OPERATION_PARAMETERS.items():
        pairs = ", ".join(f"{json.dumps(parameter)} = {json.dumps(value)}" for parameter, value in values.items())
        config.write("\n[[operations]]\n")
        config.write(f"include-name-regex = {json.dumps(name)}\n")
        config.write(f"parameters = {{ {pairs} }}\n")

print(active)
