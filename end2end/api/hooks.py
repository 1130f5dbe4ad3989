"""What schemathesis does not know of the service: who calls what, and which refusals JSON Schema cannot express."""

import os
import re

import schemathesis

# Codes of refusals of a request whose parts are all as the schema has them.
CODES = {
    "ALREADY_DELIVERED",
    "BUNDLE_TOO_LARGE",
    "CODIFICATION_REFUSED",
    "IDEMPOTENCY_KEY_REUSED",
    "RESUBMISSION_ANSWERS_RECORD_REQUIRED",
    "STILL_PENDING",
}

# Faults by pointer and code.
FAULTS = [
    # A cursor is of one list, one filter and one tenant.
    r"/(cursor|Last-Event-ID) cursor",
    # An id or a code that names nothing.
    r"/(policy_group_id|policy_group_code|parent_tenant_id|policy_ids/\d+|rule_code|keys_to|user_id) unknown",
    r"/comments/\d+/(rule_code|unit_id) unknown",
    # Two values that must be in order, or apart.
    r".*/(min|min_length|expires_at|from_seq) order",
    r"/(from|recorded_from|from_seq|to_seq) range",
    r"/expires_at range",
    # A step of the same chain that is recorded already.
    r"/chain/parent_decision_id not_in_chain",
    r"/version range",
    # Names that must be unlike, within objects of a list.
    r".*/(code|name|value) duplicate",
    # A regular expression, and what it takes to match it.
    r".*/(matches|forbids|pattern) (format|too_big)",
    # A form that does not fit its policy.
    r"/(fields|decision_type) (required|unknown)",
    # A form takes the answers to its own questions.
    r"/values/.*",
    # A form that asks for a password has one, from this request or from before.
    r"/password required",
    # A password that anybody would try.
    r"/(password|new_password) common",
    # An address that is not called, or not called like this.
    r"/url .*",
]


# Bounds beyond these are not tried: the tool builds each boundary value whole, and lists of thousands of
# objects within objects take gigabytes. Tests of the crates try them (server/tests/it/bad_inputs).
ITEMS_TRIED = 50
CHARACTERS_TRIED = 1000


def caller(path, operation):
    """Returns who calls the operation: each is called with the credentials that get furthest."""
    if path.startswith("/v1/admin/tenants"):
        return "operator"
    return "session" if operation.get("security") == [{"session": []}] else "key"


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """Marks the operations with their callers, names a policy that exists where a form is made, and leaves out
    the bounds of lists and texts that are too long to be tried."""
    for form in raw_schema["components"]["schemas"]["FormDraft"]["oneOf"]:
        form["properties"]["policy_id"] = {"enum": [os.environ["GOVERN_API_POLICY"]]}
    for path, operations in raw_schema["paths"].items():
        for operation in operations.values():
            if isinstance(operation, dict):
                operation["x-caller"] = caller(path, operation)
    waiting = [raw_schema]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            for name, most in (("maxItems", ITEMS_TRIED), ("maxLength", CHARACTERS_TRIED)):
                if isinstance(value.get(name), int) and value[name] > most:
                    del value[name]
            waiting.extend(value.values())
        elif isinstance(value, list):
            waiting.extend(value)


@schemathesis.check
def refusals_are_not_of_the_schema(ctx, response, case):
    """A request that fits the schema is refused only for what JSON Schema cannot express."""
    meta = case.meta
    if meta is None or not meta.generation.mode.is_positive:
        return
    if response.status_code not in (400, 413, 415, 422):
        return
    error = response.json()["error"]
    if error["code"] in CODES:
        return
    faults = (error.get("details") or {}).get("errors") or []
    unexpected = [
        f"{fault['path']} {fault['code']}: {fault['message']}"
        for fault in faults
        if not any(re.fullmatch(known, f"{fault['path']} {fault['code']}") for known in FAULTS)
    ]
    if unexpected or not faults:
        raise AssertionError(
            f"{response.status_code} {error['code']} to a request that fits the schema: "
            + ("; ".join(unexpected) or str(error.get("details") or error["message"]))
        )
