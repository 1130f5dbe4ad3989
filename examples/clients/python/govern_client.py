"""Evaluates a tool call, records the decision and reads its receipt. Needs Python 3.9 and nothing else.

    GOVERN_URL=http://127.0.0.1:3000 GOVERN_TENANT_ID=… GOVERN_API_KEY=svc_… python3 govern_client.py
"""
import json
import os
import sys
import time
import urllib.error
import urllib.request
import uuid

SETTINGS = ("GOVERN_URL", "GOVERN_API_KEY", "GOVERN_TENANT_ID")
URL, API_KEY, TENANT_ID = (os.environ.get(name) or sys.exit(f"{name} is not set") for name in SETTINGS)
ATTEMPTS = 3


class NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirected `POST` would become a `GET` without its body, and the key would reach another host."""

    def redirect_request(self, *_):
        return None


opener = urllib.request.build_opener(NoRedirects)


def reason(error):
    """Returns the reason of an error response. That of a proxy is not one of Govern."""
    try:
        problem = json.load(error)
        return f"{problem['error']['code']} (correlation ID {problem['correlation_id']})"
    except (ValueError, LookupError, TypeError):
        return error.reason


def call(method, path, body=None):
    """Sends a request and returns the JSON of the response. Retries when the service asks for it."""
    request = urllib.request.Request(URL.rstrip("/") + path, method=method)
    request.add_header("Authorization", "Bearer " + API_KEY)
    request.add_header("X-Service-Tenant-Id", TENANT_ID)
    if body is not None:
        request.add_header("Content-Type", "application/json")
        request.data = json.dumps(body, allow_nan=False).encode()
    for attempt in range(1, ATTEMPTS + 1):
        try:
            with opener.open(request, timeout=10) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            # These can succeed later. All other errors need a different request.
            if error.code not in (429, 502, 503, 504) or attempt == ATTEMPTS:
                raise SystemExit(f"{error.code} {reason(error)}") from None
            time.sleep(int(error.headers.get("Retry-After", "1")))
        except OSError as error:
            if attempt == ATTEMPTS:
                raise SystemExit(f"the service cannot be reached: {error}") from None
            time.sleep(attempt)


# The ID of the operation in the calling system. An agent runtime uses the ID of the tool call.
call_id = str(uuid.uuid4())
context = {
    "decision_type": "ai_tool_call",
    "fields": {
        "tool": {"name": "crm.lookup", "effect": "read"},
        "reason": "Find the renewal date of the customer.",
        "environment": "production",
        "agent": {"id": "agent-7", "operator_id": "k.tanaka", "autonomy_level": 2},
        "target": {"url": "https://api.example.com/customers/42", "external": False},
    },
    "metadata": {"actor_id": "agent-7"},
}

# A dry run. Nothing is stored.
evaluated = call("POST", "/v1/decisions/evaluate", {"context": context})

# The key depends on the operation only. A retry sends the same key and receives the same decision.
# Execute the tool call only if the verdict is `ALLOW` or `ALERT`.
request = {"context": context, "idempotency_key": f"tool-call-{call_id}"}
recorded = call("POST", "/v1/decisions/record", request)
decision = recorded["decision"]

# The receipt is public and also readable without an API key. Append `?wait_for=anchor` to wait up to 5 s for
# its entry in the transparency log.
receipt_path = f"/v1/receipts/{decision['id']}"
receipt = call("GET", receipt_path)
if receipt["result"]["decision"] != decision["decision"]:
    sys.exit("the receipt has a different verdict")

summary = {
    "evaluated": evaluated["result"]["decision"],
    "decision": decision["decision"],
    "decision_id": decision["id"],
    "is_new": recorded["is_new"],
    "receipt": URL.rstrip("/") + receipt_path,
}
print(json.dumps(summary))
