//! Parameters of paths and headers, with their limits. Queries describe themselves (`edge::query`).

use contract::form::ACCESS_CHARS_MAX;
use governance::access::permission::PROVISION;
use serde_json::{Value, json};

use crate::api::{Access, Route};

/// The tenant header.
pub(crate) const TENANT: &str = "X-Service-Tenant-Id";

/// Completes the parameters of an operation: describes those of the path that the handler does not describe,
/// sets the schemas of paths and headers, and adds the tenant header.
pub(super) fn apply(operation: &mut Value, route: &Route) {
    let described = match operation.get_mut("parameters") {
        Some(Value::Array(parameters)) => std::mem::take(parameters),
        _ => Vec::new(),
    };
    let mut parameters = path_parameters(&route.path);
    parameters.retain(|parameter| described.iter().all(|other| other["name"] != parameter["name"]));
    parameters.extend(described);
    for parameter in &mut parameters {
        let location = parameter["in"].as_str().unwrap_or_default();
        let name = parameter["name"].as_str().unwrap_or_default();
        if let Some(schema) = schema(location, name) {
            parameter["schema"] = schema;
        }
    }
    if matches!(route.access, Access::Guarded(permission) if permission != PROVISION) {
        parameters.push(json!({
            "name": TENANT, "in": "header", "required": true,
            "description": "The ID of the tenant", "schema": uuid(),
        }));
    }
    if !parameters.is_empty() {
        operation["parameters"] = parameters.into();
    }
}

/// Describes the parameters in a path: `{version}` is the number of a version, `{form_id}` the ID of a form, and
/// `{id}` the ID of an item of the list that the segment before it names.
fn path_parameters(path: &str) -> Vec<Value> {
    let segments: Vec<&str> = path.split('/').collect();
    let parameter = |pair: &[&str]| {
        let name = pair[1].strip_prefix('{')?.strip_suffix('}')?;
        if name == "version" {
            return Some(path_parameter(name, "The number of the version"));
        }
        let resource = name.strip_suffix("_id").unwrap_or(match pair[0] {
            "alerts" => "alert",
            "api-keys" => "key",
            "authoring-capabilities" => "capability",
            "decisions" => "decision",
            "deliveries" => "delivery",
            "identity-providers" => "identity provider",
            "policies" => "policy",
            "policy-groups" => "group",
            "subscriptions" => "subscription",
            list => list,
        });
        Some(path_parameter(name, &format!("The ID of the {resource}")))
    };
    segments.windows(2).filter_map(parameter).collect()
}

fn path_parameter(name: &str, description: &str) -> Value {
    json!({"name": name, "in": "path", "required": true, "description": description})
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
