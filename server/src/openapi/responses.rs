//! Responses: `null` only where the contract allows it, and schemas for values that are stored as JSON.

use std::collections::BTreeSet;

use contract::read::schema::{describe, number};
use governance::authoring::policy::rule_input::NewPolicy;
use serde_json::{Map, Value, json};

use crate::endpoint::schema_path;

/// Members that may be `null` (contract, section 1). `*` matches every page.
const NULLABLE: &[(&str, &str)] = &[
    ("ApiKey", "expires_at"),
    ("ApiKey", "last_used_at"),
    ("ApiKey", "created_by"),
    ("ApiKey", "revoked_at"),
    ("ApiKey", "revoked_by"),
    ("Receipt", "transparency_anchor"),
    ("PolicyApproval", "transparency_anchor"),
    ("ChainSeal", "transparency_anchor"),
    ("ChainVerification", "seal"),
    ("*", "next_cursor"),
];

/// The suffix of rule schemas that belong to requests.
const SUFFIX: &str = "Draft";

/// Corrects the components that responses use.
pub(super) fn apply(document: &mut Value) {
    if let Some(schemas) = document["components"]["schemas"].as_object_mut() {
        flatten_optional_parts(schemas);
    }
    let response_components = reachable_components(document, "responses");
    let Some(schemas) = document["components"]["schemas"].as_object_mut() else { return };
    for (name, schema) in schemas.iter_mut().filter(|(name, _)| response_components.contains(*name))
    {
        remove_null(schema, name);
    }
    add_stored_conditions(schemas);
    for (component, member, schema) in json_members() {
        replace_member_schema(schemas, component, member, schema);
    }
    if let Some(pending_work) = schemas.get_mut("PendingWork") {
        // The specification allows no further members in this response only.
        pending_work["additionalProperties"] = false.into();
    }
}

/// Makes the members of an optional flattened part optional members of the object.
fn flatten_optional_parts(schemas: &mut Map<String, Value>) {
    let old = schemas.clone();
    for schema in schemas.values_mut() {
        let Some(parts) = schema.get_mut("allOf").and_then(Value::as_array_mut) else { continue };
        for part in parts {
            let alternatives = part["oneOf"].as_array();
            if !alternatives.is_some_and(|list| list.iter().any(is_null)) {
                continue;
            }
            let Some(target) = target(part) else { continue };
            let properties = old.get(&target).map(|component| component["properties"].clone());
            *part = json!({"type": "object", "properties": properties.unwrap_or_default()});
        }
    }
}

/// Returns the schemas of members whose value is JSON of a specific type or of any type.
fn json_members() -> Vec<(&'static str, &'static str, Value)> {
    let gate = || json!({"$ref": schema_path("Gate")});
    let scalar = json!({"anyOf": [{"type": "string"}, number_schema(), {"type": "boolean"}]});
    let conditions: Vec<Value> =
        CONDITIONS.iter().map(|name| json!({"$ref": schema_path(name)})).collect();
    vec![
        ("Rule", "condition", json!({"anyOf": conditions})),
        ("Rule", "when", gate()),
        ("NaRule", "when", gate()),
        ("EvaluatedRule", "when", gate()),
        ("FieldOption", "value", scalar),
        ("Violation", "actual_value", json!({})),
        ("Violation", "expected_value", json!({})),
        ("Violation", "details", json!({})),
        ("Difference", "original", json!({})),
        ("Difference", "replay", json!({})),
        ("Problem", "details", json!({})),
        // Stored bytes that are not valid JSON are returned as text.
        ("AuditItem", "event", json!({"type": ["object", "string"]})),
        ("ChainItem", "link", json!({"type": ["object", "string"]})),
    ]
}

fn number_schema() -> Value {
    serde_json::to_value(number()).unwrap_or_default()
}

const CONDITIONS: [&str; 8] = [
    "PresenceCondition",
    "ThresholdCondition",
    "ListCondition",
    "TemporalCondition",
    "PatternCondition",
    "ComparisonCondition",
    "EvidenceCondition",
    "DistinctCondition",
];

/// Adds the conditions and gates as they are stored: the schemas of requests, without `null`.
fn add_stored_conditions(schemas: &mut Map<String, Value>) {
    for (name, schema) in describe::<NewPolicy>().named {
        let Some(stored) = name.strip_suffix(SUFFIX) else { continue };
        if stored.ends_with("Gate") || CONDITIONS.contains(&stored) {
            let mut schema = serde_json::to_value(schema).unwrap_or_default();
            to_stored_schema(&mut schema);
            schemas.insert(stored.to_owned(), schema);
        }
    }
}

/// Converts the schema of a request to the schema of the stored value.
fn to_stored_schema(schema: &mut Value) {
    remove_null(schema, "");
    match schema {
        Value::Object(members) => {
            if let Some(Value::Object(properties)) = members.get_mut("properties") {
                properties.retain(|_, member| !is_null(member));
            }
            if let Some(Value::String(path)) = members.get_mut("$ref") {
                *path = path.strip_suffix(SUFFIX).unwrap_or(path).to_owned();
            }
            members.values_mut().for_each(to_stored_schema);
        }
        Value::Array(elements) => elements.iter_mut().for_each(to_stored_schema),
        _ => {}
    }
}

/// Replaces the schema of a member but not its description.
fn replace_member_schema(
    schemas: &mut Map<String, Value>,
    component: &str,
    member: &str,
    mut schema: Value,
) {
    let Some(component) = schemas.get_mut(component) else { return };
    let old = &mut component["properties"][member];
    if let Some(description) = old["description"].as_str() {
        schema["description"] = description.into();
    }
    *old = schema;
}

/// Removes `null` from a schema, except where the contract allows it.
fn remove_null(schema: &mut Value, component: &str) {
    let is_page = component.starts_with("Page");
    match schema {
        Value::Object(members) => {
            remove_null_here(members);
            for (keyword, value) in members.iter_mut() {
                if keyword != "properties" {
                    remove_null(value, component);
                    continue;
                }
                for (name, member) in value.as_object_mut().into_iter().flatten() {
                    let is_nullable = NULLABLE.iter().any(|(owner, nullable)| {
                        nullable == name && (*owner == component || (is_page && *owner == "*"))
                    });
                    if !is_nullable {
                        remove_null(member, component);
                    }
                }
            }
        }
        Value::Array(elements) => elements.iter_mut().for_each(|item| remove_null(item, component)),
        _ => {}
    }
}

fn remove_null_here(members: &mut Map<String, Value>) {
    if let Some(Value::Array(kinds)) = members.get_mut("type") {
        kinds.retain(|kind| kind != "null");
        if let [only] = kinds.as_slice() {
            let only = only.clone();
            members.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(values)) = members.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    for keyword in ["oneOf", "anyOf"] {
        let Some(Value::Array(alternatives)) = members.get_mut(keyword) else { continue };
        alternatives.retain(|schema| !is_null(schema));
        if let [Value::Object(only)] = alternatives.as_slice() {
            let only = only.clone();
            members.remove(keyword);
            for (name, value) in only {
                members.entry(name).or_insert(value);
            }
        }
    }
}

/// Returns whether a schema accepts only `null`.
pub(super) fn is_null(schema: &Value) -> bool {
    schema["type"] == "null"
}

/// Returns the component that a member references, directly, as a list or as an optional value.
pub(super) fn target(member: &Value) -> Option<String> {
    if let Some(path) = member["$ref"].as_str() {
        return path.rsplit('/').next().map(str::to_owned);
    }
    let alternatives = ["oneOf", "anyOf", "allOf"].into_iter();
    let mut alternatives = alternatives.filter_map(|keyword| member[keyword].as_array()).flatten();
    alternatives.find_map(target).or_else(|| member.get("items").and_then(target))
}

/// Returns the names of the components that `part` of the operations references, directly or indirectly.
pub(super) fn reachable_components(document: &Value, part: &str) -> BTreeSet<String> {
    let items = document["paths"].as_object().into_iter().flat_map(Map::values);
    let operations = items.filter_map(Value::as_object).flat_map(Map::values);
    let mut pending: Vec<&Value> = operations.map(|operation| &operation[part]).collect();
    let mut names = BTreeSet::new();
    while let Some(value) = pending.pop() {
        match value {
            Value::Object(members) => {
                let name = members.get("$ref").and_then(Value::as_str);
                let name = name.and_then(|path| path.strip_prefix("#/components/schemas/"));
                if let Some(name) = name
                    && names.insert(name.to_owned())
                {
                    pending.push(&document["components"]["schemas"][name]);
                }
                pending.extend(members.values());
            }
            Value::Array(elements) => pending.extend(elements),
            _ => {}
        }
    }
    names
}
