//! Parameters of paths, queries and headers, with their limits.

use contract::{
    alert::{self, AlertType},
    evaluation::Verdict,
    form::ACCESS_CHARS_MAX,
    pagination,
    rule::Severity,
    webhook::DeliveryStatus,
};
use serde_json::{Value, json};

/// The tenant header.
pub(crate) const TENANT: &str = "X-Service-Tenant-Id";

/// Sets the schema of each parameter of an operation.
pub(super) fn apply(path: &str, operation: &mut Value) {
    let parameters = operation.get_mut("parameters").and_then(Value::as_array_mut);
    for parameter in parameters.into_iter().flatten() {
        let name = parameter["name"].as_str().unwrap_or_default().to_owned();
        let location = parameter["in"].as_str().unwrap_or_default().to_owned();
        if let Some(schema) = schema(path, &location, &name) {
            parameter["schema"] = schema;
        }
    }
}

/// Returns the tenant header as a parameter.
pub(super) fn tenant() -> Value {
    json!({
        "name": TENANT, "in": "header", "required": true,
        "description": "The ID of the tenant", "schema": uuid(),
    })
}

fn schema(path: &str, location: &str, name: &str) -> Option<Value> {
    Some(match (location, name) {
        ("path", "version") => integer(1, i32::MAX.unsigned_abs()),
        ("path", "path") => json!({"type": "string", "minLength": 1}),
        ("path", _)
        | (
            "query",
            "chain_id" | "policy_id" | "policy_group_id" | "subscription_id" | "keys_to"
            | "assigned_to",
        ) => uuid(),
        ("query", "limit") if path == "/v1/alerts" => {
            with_default(integer(1, alert::PAGE_MAX), pagination::LIMIT_DEFAULT)
        }
        ("query", "limit") => {
            with_default(integer(1, pagination::LIMIT_MAX), pagination::LIMIT_DEFAULT)
        }
        ("query", "offset") => with_default(integer(0, u32::MAX), 0),
        ("query", "cursor") => text(500),
        ("query", "wait_for") => string_enum(["anchor"]),
        ("query", "format") if path.ends_with("/bundle") => string_enum(["tar", "json"]),
        ("query", "format") => string_enum(["ndjson", "csv"]),
        ("query", "bucket") => string_enum(["hour", "day"]),
        ("query", "from" | "to" | "recorded_from" | "recorded_to") => {
            json!({"type": "string", "format": "date-time"})
        }
        ("query", "decision") => string_enum(Verdict::NAMES),
        ("query", "severity") => string_enum(Severity::NAMES),
        ("query", "alert_type") => string_enum(AlertType::NAMES),
        ("query", "status") if path == "/v1/alerts" => string_enum(["open", "acknowledged"]),
        ("query", "status") => string_enum(DeliveryStatus::NAMES),
        ("query", "is_active" | "shadow_mode") => json!({"type": "boolean"}),
        ("query", "version") if path == "/v1/policies/{id}" => {
            json!({"type": "string", "pattern": "^(active|draft|[1-9][0-9]{0,8})$"})
        }
        ("query", "version" | "against") => integer(1, u32::MAX),
        ("query", "decision_type" | "rule_code" | "action" | "object_type") => text(100),
        ("query", "correlation_id" | "idempotency_key" | "actor_id" | "object_id") => text(255),
        ("query", "actor_email") => text(320),
        ("query", "q") => text(200),
        ("query", "access_token") => {
            json!({"type": "string", "maxLength": ACCESS_CHARS_MAX, "pattern": NO_NUL})
        }
        ("header", "X-Form-Password") => {
            json!({"type": "string", "maxLength": ACCESS_CHARS_MAX, "pattern": "^[ -~]*$"})
        }
        ("header", "Last-Event-ID") => json!({"type": "string", "pattern": "^[ -~]*$"}),
        _ => return None,
    })
}

/// The pattern of a text without U+0000, which parameters must not contain.
const NO_NUL: &str = r"^[^\u0000]*$";

fn text(max: u32) -> Value {
    json!({"type": "string", "minLength": 1, "maxLength": max, "pattern": NO_NUL})
}

fn integer(min: u32, max: u32) -> Value {
    json!({"type": "integer", "minimum": min, "maximum": max})
}

fn with_default(mut schema: Value, default: u32) -> Value {
    schema["default"] = default.into();
    schema
}

fn string_enum<const N: usize>(values: [&str; N]) -> Value {
    json!({"type": "string", "enum": values.as_slice()})
}

fn uuid() -> Value {
    json!({"type": "string", "format": "uuid"})
}
