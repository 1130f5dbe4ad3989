//! Parameters of paths and headers, with their limits. Queries describe themselves (`edge::query`).

use contract::form::ACCESS_CHARS_MAX;
use serde_json::{Value, json};

/// The tenant header.
pub(crate) const TENANT: &str = "X-Service-Tenant-Id";

/// Sets the schema of each path and header parameter of an operation.
pub(super) fn apply(operation: &mut Value) {
    let parameters = operation.get_mut("parameters").and_then(Value::as_array_mut);
    for parameter in parameters.into_iter().flatten() {
        let location = parameter["in"].as_str().unwrap_or_default();
        let name = parameter["name"].as_str().unwrap_or_default();
        if let Some(schema) = schema(location, name) {
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

fn schema(location: &str, name: &str) -> Option<Value> {
    Some(match (location, name) {
        ("path", "version") => json!({"type": "integer", "minimum": 1, "maximum": i32::MAX}),
        ("path", "path") => json!({"type": "string", "minLength": 1}),
        ("path", _) => uuid(),
        ("header", "X-Form-Password") => {
            json!({"type": "string", "maxLength": ACCESS_CHARS_MAX, "pattern": "^[ -~]*$"})
        }
        ("header", "Last-Event-ID") => json!({"type": "string", "pattern": "^[ -~]*$"}),
        _ => return None,
    })
}

fn uuid() -> Value {
    json!({"type": "string", "format": "uuid"})
}
