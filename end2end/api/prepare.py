"""Prepares a server with a demo for the fuzzer, and prints the id of the policy that decides everything.

  prepare.py URL FIRST_RUN SESSION KEY

URL is the server's, FIRST_RUN the file of its first start. The configuration of the runs with a session
and with the API key is appended to the files SESSION and KEY.
"""

import json
import sys
import urllib.request

url, first_run, session_file, key_file = sys.argv[1:]
with open(first_run) as file:
    first = json.load(file)


def call(method, path, body=None, **headers):
    """Returns the answer's body and headers."""
    headers = {"content-type": "application/json", "x-service-tenant-id": first["tenant_id"], **headers}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url + path, data, headers, method=method)
    with urllib.request.urlopen(request) as answer:
        return json.loads(answer.read() or "null"), answer.headers


# Before the fuzzer's wrong passwords use up what its address may try.
signed_in, headers = call("POST", "/v1/session", {"email": first["email"], "password": first["password"]})
cookie = headers["set-cookie"].split(";")[0]


def act(method, path, body=None):
    return call(method, path, body, cookie=cookie)[0]


# A policy for all types of decision: a made-up type is decided, and not 404 `NO_ACTIVE_POLICIES`.
rule = {
    "code": "LIMIT",
    "name": "Amounts end at 10,000",
    "rule_type": "threshold",
    "condition": {"field": "amount", "max": 10000},
    "when": {"field": "amount", "exists": True},
    "severity": "high",
}
act("PATCH", "/v1/settings", {"maker_checker_enabled": False})
active = act("POST", "/v1/policies", {"code": "EVERYTHING", "name": "Everything", "rules": [rule]})["policy"]["id"]
act("POST", f"/v1/policies/{active}/versions/1/submit", {})
act("POST", f"/v1/policies/{active}/versions/1/ratify", {"expected_revision": 1})
act("POST", f"/v1/policies/{active}/versions/1/activate", {})
draft, other, third = (
    act("POST", "/v1/policies", {"code": code, "name": code, "rules": [rule]})["policy"]["id"]
    for code in ("DRAFT", "DELETED", "WITHOUT-VERSION")
)

context = {"decision_type": "fuzzed", "fields": {"amount": 1}}
decision = act("POST", "/v1/decisions/record", {"idempotency_key": "fuzzed", "context": context})["decision"]

# The values of parameters that name something, by the name of the operation. What a deletion names is not
# needed elsewhere: the fuzzer learns ids from answers, and would delete the rest.
NAMED = {
    r"^(GET|PATCH|POST) /v1/policies/": {"path.id": draft, "path.version": 1},
    r"^DELETE /v1/policies/\{id\}$": {"path.id": other},
    r"^DELETE /v1/policies/\{id\}/versions/": {"path.id": third, "path.version": 1},
    r"^(GET|POST) /v1/decisions/\{": {"path.id": decision["id"]},
    r"^GET /v1/receipts/": {"path.decision_id": decision["id"]},
    r"^GET /v1/snapshots/": {"path.id": decision["policy_snapshot_id"]},
    r"^GET /v1/admin/members/": {"path.user_id": signed_in["user"]["id"]},
}

with open(session_file, "a") as config:
    config.write(f'\n[auth.openapi.session]\napi_key = "{cookie.split("=", 1)[1]}"\n')
with open(key_file, "a") as config:
    config.write(f'\n[auth.openapi.api_key]\nbearer = "{first["api_key"]}"\n')
    for name, values in NAMED.items():
        pairs = ", ".join(f"{json.dumps(parameter)} = {json.dumps(value)}" for parameter, value in values.items())
        config.write("\n[[operations]]\n")
        config.write(f"include-name-regex = {json.dumps(name)}\n")
        config.write(f"parameters = {{ {pairs} }}\n")

print(active)
