"""Schemathesis hooks: the caller of each operation, and the errors that JSON Schema cannot express."""

import os
import re

import schemathesis

# Error codes for requests that match the schema.
EXPECTED_CODES = {
    "ALREADY_DELIVERED",
    "BUNDLE_TOO_LARGE",
    "CODIFICATION_REFUSED",
    "IDEMPOTENCY_KEY_REUSED",
    "RESUBMISSION_ANSWERS_RECORD_REQUIRED",
    "STILL_PENDING",
}

# Errors of fields that match the schema: JSON pointer and code.
EXPECTED_FIELD_ERRORS = [
    # A cursor is valid for one list, one filter and one tenant.
    r"/(cursor|Last-Event-ID) cursor",
    # An ID or code of a resource that does not exist.
    r"/(based_on_version|policy_group_id|policy_group_code|policy_ids/\d+|rule_code|keys_to|user_id) unknown",
    r"/(parent_tenant_id|in_reply_to) unknown",
    r"/comments/\d+/(rule_code|unit_id) unknown",
    # Two values that must be in order, or in a limited range.
    r".*/(min|min_length|expires_at|from_seq) order",
    r"/(from|recorded_from|from_seq|to_seq) range",
    r"/(expires_at|until) range",
    # A parent decision that is not in the same chain.
    r"(/chain)?/parent_decision_id not_in_chain",
    r"/version range",
    # Names that must be unique among the objects of a list.
    r".*/(code|name|value) duplicate",
    # A regular expression that is invalid or whose automaton has too many states.
    r".*/(matches|forbids|pattern) (format|value)",
    # Brackets in the path of a field that contain no JSON string.
    r".*/(field|left|right|fields/\d+|required_fields/\d+|forbidden_fields/\d+|min_length/[^/]*) format",
    # The fuzzer ignores `minProperties` next to a reference, here to the lengths of a presence condition.
    r".*/condition/(required_fields|forbidden_fields|min_length) too_few",
    # A form that does not match its policy.
    r"/(fields|decision_type) (required|unknown)",
    # Values that do not match the fields of the form.
    r"/values/.*",
    # A form with password access needs a password, in this request or already stored.
    r"/password required",
    # A code of another time, and a passkey whose bytes or challenge are wrong.
    r"/code incorrect",
    r"/credential \w+",
    # An address that looks like another one, or with a part that is too long.
    r"/email format",
    # A common password.
    r"/(password|new_password) common",
    # A URL that the outbound policy rejects.
    r"/(url|issuer) .*",
]


# Larger bounds are not fuzzed: schemathesis builds each boundary value in memory, and nested lists of thousands of
# objects take gigabytes. The crate tests cover them (server/tests/it/bad_inputs).
ITEMS_MAX = 50
CHARACTERS_MAX = 1000


def caller(path, operation):
    """Returns the caller of an operation: the one whose credentials pass the most checks."""
    if path.startswith("/v1/admin/tenants"):
        return "operator"
    return "session" if operation.get("security") == [{"session": []}] else "key"


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """Marks each operation with its caller, uses an existing policy for new forms, and removes the bounds of lists
    and texts that are too large to fuzz."""
    for form in raw_schema["components"]["schemas"]["FormDraft"]["oneOf"]:
        form["properties"]["policy_id"] = {"enum": [os.environ["GOVERN_API_POLICY"]]}
    for path, operations in raw_schema["paths"].items():
        for operation in operations.values():
            if isinstance(operation, dict):
                operation["x-caller"] = caller(path, operation)
    pending = [raw_schema]
    while pending:
        value = pending.pop()
        if isinstance(value, dict):
            for name, maximum in (("maxItems", ITEMS_MAX), ("maxLength", CHARACTERS_MAX)):
                if isinstance(value.get(name), int) and value[name] > maximum:
                    del value[name]
            pending.extend(value.values())
        elif isinstance(value, list):
            pending.extend(value)


@schemathesis.check
def schema_conforming_requests_pass_validation(ctx, response, case):
    """A request that matches the schema is rejected only for reasons that JSON Schema cannot express."""
    meta = case.meta
    if meta is None or not meta.generation.mode.is_positive:
        return
    if response.status_code not in (400, 413, 415, 422):
        return
    error = response.json()["error"]
    if error["code"] in EXPECTED_CODES:
        return
    field_errors = (error.get("details") or {}).get("errors") or []
    unexpected = [
        f"{item['path']} {item['code']}: {item['message']}"
        for item in field_errors
        if not any(re.fullmatch(pattern, f"{item['path']} {item['code']}") for pattern in EXPECTED_FIELD_ERRORS)
    ]
    if unexpected or not field_errors:
        raise AssertionError(
            f"{response.status_code} {error['code']} to a request that matches the schema: "
            + ("; ".join(unexpected) or str(error.get("details") or error["message"]))
        )
