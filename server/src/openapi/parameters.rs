//! Parameters of paths and headers, with their limits. Queries describe themselves (`edge::query`).

use governance::access::permission::PROVISION;
use serde_json::{Value, json};

use crate::endpoint::Endpoint;

/// The tenant header.
pub(crate) const TENANT: &str = "X-Service-Tenant-Id";

/// Returns the parameters of an operation: those of its path, those that its extractors describe, and the tenant
/// header.
pub(super) fn of(endpoint: &Endpoint, described: Vec<Value>) -> Vec<Value> {
    let mut parameters = path_parameters(endpoint.path);
    parameters.extend(described);
    if endpoint.permission().is_some_and(|permission| permission != PROVISION) {
        parameters.push(json!({
            "name": TENANT, "in": "header", "required": true,
            "description": "The ID of the tenant", "schema": uuid(),
        }));
    }
    parameters
}

/// Describes the parameters in a path: `{version}` is the number of a version, `{form_id}` the ID of a form, and
/// `{id}` the ID of an item of the list that the segment before it names.
fn path_parameters(path: &str) -> Vec<Value> {
    let segments: Vec<&str> = path.split('/').collect();
    let parameter = |pair: &[&str]| {
        let name = pair[1].strip_prefix('{')?.strip_suffix('}')?;
        let (description, schema) = match name {
            "version" => (
                "The number of the version".to_owned(),
                json!({"type": "integer", "minimum": 1, "maximum": i32::MAX}),
            ),
            "path" => (
                "`<L>/<N>[.p/<W>]` or `entries/<N>[.p/<W>]`".to_owned(),
                json!({"type": "string", "minLength": 1}),
            ),
            _ => (format!("The ID of the {}", resource(name, pair[0])), uuid()),
        };
        Some(json!({
            "name": name, "in": "path", "required": true,
            "description": description, "schema": schema,
        }))
    };
    segments.windows(2).filter_map(parameter).collect()
}

/// Returns the resource whose ID a parameter is. `list` is the segment before it.
fn resource<'p>(name: &'p str, list: &'p str) -> &'p str {
    name.strip_suffix("_id").unwrap_or(match list {
        "alerts" => "alert",
        "api-keys" => "key",
        "authoring-capabilities" => "capability",
        "decisions" => "decision",
        "deliveries" => "delivery",
        "identity-providers" => "identity provider",
        "policies" => "policy",
        "policy-groups" => "group",
        "snapshots" => "snapshot, `policy_snapshot_id` of a decision",
        "subscriptions" => "subscription",
        list => list,
    })
}

fn uuid() -> Value {
    json!({"type": "string", "format": "uuid"})
}
