#!/usr/bin/env bash
# Evaluates a tool call, records the decision and reads its receipt. Needs bash, curl and python3 (to read JSON).
#
#   GOVERN_URL=http://127.0.0.1:3000 GOVERN_TENANT_ID=… GOVERN_API_KEY=svc_… ./govern_client.sh
set -euo pipefail
: "${GOVERN_URL:?is not set}" "${GOVERN_API_KEY:?is not set}" "${GOVERN_TENANT_ID:?is not set}"
url=${GOVERN_URL%/}

# Prints a member of the JSON on standard input, such as `value decision id`. Strings are printed as they are.
value() {
  python3 -c '
import json, sys
value = json.load(sys.stdin)
for name in sys.argv[1:]:
    value = value[name]
print(value if isinstance(value, str) else json.dumps(value))' "$@"
}

body=$(mktemp)
trap 'rm -f "$body"' EXIT

# Sends a request and prints the body of the response. curl retries time-outs and statuses such as 429 and 503, and
# respects `Retry-After`. The headers come from standard input, because other users can see the arguments of a process.
call() {
  local method=$1 path=$2 status
  shift 2
  status=$(
    curl --silent --show-error --fail-with-body --max-time 10 --retry 2 --retry-connrefused --write-out '%{http_code}' \
      --request "$method" --header @- --output "$body" "$@" "$url$path" <<HEADERS
Authorization: Bearer $GOVERN_API_KEY
X-Service-Tenant-Id: $GOVERN_TENANT_ID
Content-Type: application/json
HEADERS
  ) || status="error $status"
  # For curl, a redirect is no error.
  if [[ $status != 2* ]]; then
    cat "$body" >&2 # the error code and the correlation ID
    echo "$method $path: $status" >&2
    exit 1
  fi
  cat "$body"
}

# The ID of the operation in the calling system. An agent runtime uses the ID of the tool call.
call_id=$(python3 -c 'import uuid; print(uuid.uuid4())')
context='{
  "decision_type": "ai_tool_call",
  "fields": {
    "tool": {"name": "crm.lookup", "effect": "read"},
    "reason": "Find the renewal date of the customer.",
    "environment": "production",
    "agent": {"id": "agent-7", "operator_id": "k.tanaka", "autonomy_level": 2},
    "target": {"url": "https://api.example.com/customers/42", "external": false}
  },
  "metadata": {"actor_id": "agent-7"}
}'

# A dry run. Nothing is stored.
evaluated=$(call POST /v1/decisions/evaluate --data "{\"context\": $context}")

# The key depends on the operation only. A retry sends the same key and receives the same decision.
# Execute the tool call only if the verdict is `ALLOW` or `ALERT`.
recorded=$(call POST /v1/decisions/record \
  --data "{\"context\": $context, \"idempotency_key\": \"tool-call-$call_id\"}")
decision_id=$(value decision id <<<"$recorded")

# The receipt is public and also readable without an API key. Append `?wait_for=anchor` to wait up to 5 s for its
# entry in the transparency log.
receipt_path=/v1/receipts/$decision_id
receipt=$(call GET "$receipt_path")

verdict=$(value decision decision <<<"$recorded")
[ "$(value result decision <<<"$receipt")" = "$verdict" ] || { echo "the receipt has a different verdict" >&2; exit 1; }
printf '{"evaluated": "%s", "decision": "%s", "decision_id": "%s", "is_new": %s, "receipt": "%s"}\n' \
  "$(value result decision <<<"$evaluated")" "$verdict" "$decision_id" "$(value is_new <<<"$recorded")" \
  "$url$receipt_path"
