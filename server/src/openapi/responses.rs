//! Answers: `null` only where the contract has it, and types for what is stored as JSON.

use std::collections::BTreeSet;

use contract::read::schema::{describe, number};
use governance::policy::authored::NewPolicy;
use serde_json::{Map, Value, json};

/// Members that may be `null` (contract, section 1); `*` stands for every page.
const NULLABLE: &[(&str, &str)] = &[
    ("ApiKey", "expires_at"),
    ("ApiKey", "last_used_at"),
    ("ApiKey", "created_by"),
    ("ApiKey", "revoked_at"),
    ("ApiKey", "revoked_by"),
    ("Receipt", "transparency_anchor"),
    ("PolicyApproval", "transparency_anchor"),
    ("SealedChain", "transparency_anchor"),
    ("ChainVerification", "seal"),
    ("*", "next_cursor"),
];

/// The named schemas of rules whose names end with this belong to requests.
const SUFFIX: &str = "Draft";

/// Makes the components that answers use say what answers hold.
pub(super) fn apply(document: &mut Value) {
    if let Some(schemas) = document["components"]["schemas"].as_object_mut() {
        items_of_pages(schemas);
        optional_parts(schemas);
    }
    let answered = reachable(document, "responses");
    let Some(schemas) = document["components"]["schemas"].as_object_mut() else { return };
    for (name, schema) in schemas.iter_mut().filter(|(name, _)| answered.contains(*name)) {
        strip(schema, name);
    }
    conditions(schemas);
    for (component, member, schema) in stored() {
        set(schemas, component, member, schema);
    }
    if let Some(work) = schemas.get_mut("PendingWork") {
        // The specification closes this one answer.
        work["additionalProperties"] = false.into();
    }
}

/// Makes the items of a page refer to their component, where the derive repeats its schema.
fn items_of_pages(schemas: &mut Map<String, Value>) {
    let pages: Vec<String> =
        schemas.keys().filter(|name| name.starts_with("Page_")).cloned().collect();
    for page in pages {
        let item = page.trim_start_matches("Page_");
        let Some(items) = schemas[&page].pointer_mut("/properties/items/items") else { continue };
        let inline = std::mem::replace(items, json!({"$ref": reference(item)}));
        schemas.entry(item).or_insert(inline);
    }
}

/// Makes the members of a part that may be absent optional members of the whole.
fn optional_parts(schemas: &mut Map<String, Value>) {
    let old = schemas.clone();
    for schema in schemas.values_mut() {
        let Some(parts) = schema.get_mut("allOf").and_then(Value::as_array_mut) else { continue };
        for part in parts {
            let alternatives = part["oneOf"].as_array();
            if !alternatives.is_some_and(|all| all.iter().any(is_null)) {
                continue;
            }
            let Some(target) = target(part) else { continue };
            let properties = old.get(&target).map(|one| one["properties"].clone());
            *part = json!({"type": "object", "properties": properties.unwrap_or_default()});
        }
    }
}

/// Members that hold JSON of a type of its own, or of any.
fn stored() -> Vec<(&'static str, &'static str, Value)> {
    let gate = || json!({"$ref": reference("Gate")});
    let scalar = json!({"anyOf": [{"type": "string"}, number_schema(), {"type": "boolean"}]});
    let conditions: Vec<Value> =
        CONDITIONS.iter().map(|name| json!({"$ref": reference(name)})).collect();
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
        // Bytes that no longer are JSON are shown as text.
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

/// Adds the conditions and gates as they are stored: those of requests, without any `null`.
fn conditions(schemas: &mut Map<String, Value>) {
    for (name, schema) in describe::<NewPolicy>().named {
        let Some(stored) = name.strip_suffix(SUFFIX) else { continue };
        if stored == "Gate" || CONDITIONS.contains(&stored) {
            let mut schema = serde_json::to_value(schema).unwrap_or_default();
            settle(&mut schema);
            schemas.insert(stored.to_owned(), schema);
        }
    }
}

/// Turns the schema of a request into that of what is stored of it.
fn settle(schema: &mut Value) {
    strip(schema, "");
    match schema {
        Value::Object(members) => {
            if let Some(Value::Object(properties)) = members.get_mut("properties") {
                properties.retain(|_, member| !is_null(member));
            }
            if let Some(Value::String(path)) = members.get_mut("$ref") {
                *path = path.strip_suffix(SUFFIX).unwrap_or(path).to_owned();
            }
            members.values_mut().for_each(settle);
        }
        Value::Array(elements) => elements.iter_mut().for_each(settle),
        _ => {}
    }
}

/// Gives a member another schema, and leaves its description.
fn set(schemas: &mut Map<String, Value>, component: &str, member: &str, mut schema: Value) {
    let Some(component) = schemas.get_mut(component) else { return };
    let old = &mut component["properties"][member];
    if let Some(words) = old["description"].as_str() {
        schema["description"] = words.into();
    }
    *old = schema;
}

/// Takes `null` out of a schema, but where the contract has it.
fn strip(schema: &mut Value, component: &str) {
    let is_page = component.starts_with("Page");
    match schema {
        Value::Object(members) => {
            no_null(members);
            for (word, value) in members.iter_mut() {
                if word != "properties" {
                    strip(value, component);
                    continue;
                }
                for (name, member) in value.as_object_mut().into_iter().flatten() {
                    let is_listed = NULLABLE.iter().any(|(of, listed)| {
                        listed == name && (*of == component || (is_page && *of == "*"))
                    });
                    if !is_listed {
                        strip(member, component);
                    }
                }
            }
        }
        Value::Array(elements) => elements.iter_mut().for_each(|one| strip(one, component)),
        _ => {}
    }
}

fn no_null(members: &mut Map<String, Value>) {
    if let Some(Value::Array(kinds)) = members.get_mut("type") {
        kinds.retain(|kind| kind != "null");
        if let [only] = kinds.as_slice() {
            let only = only.clone();
            members.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(words)) = members.get_mut("enum") {
        words.retain(|word| !word.is_null());
    }
    for word in ["oneOf", "anyOf"] {
        let Some(Value::Array(alternatives)) = members.get_mut(word) else { continue };
        alternatives.retain(|one| !is_null(one));
        if let [Value::Object(only)] = alternatives.as_slice() {
            let only = only.clone();
            members.remove(word);
            for (name, value) in only {
                members.entry(name).or_insert(value);
            }
        }
    }
}

/// Whether a schema takes `null` alone.
pub(super) fn is_null(schema: &Value) -> bool {
    schema["type"] == "null"
}

/// The path of a component.
pub(super) fn reference(name: &str) -> String {
    format!("#/components/schemas/{name}")
}

/// The component that a member refers to, be it as a list or as something that may be absent.
pub(super) fn target(member: &Value) -> Option<String> {
    if let Some(path) = member["$ref"].as_str() {
        return path.rsplit('/').next().map(str::to_owned);
    }
    let alternatives = ["oneOf", "anyOf", "allOf"].into_iter();
    let mut alternatives = alternatives.filter_map(|word| member[word].as_array()).flatten();
    alternatives.find_map(target).or_else(|| member.get("items").and_then(target))
}

/// The names of the components that this part of the operations leads to.
pub(super) fn reachable(document: &Value, part: &str) -> BTreeSet<String> {
    let items = document["paths"].as_object().into_iter().flat_map(Map::values);
    let operations = items.filter_map(Value::as_object).flat_map(Map::values);
    let mut waiting: Vec<&Value> = operations.map(|operation| &operation[part]).collect();
    let mut found = BTreeSet::new();
    while let Some(value) = waiting.pop() {
        match value {
            Value::Object(members) => {
                let name = members.get("$ref").and_then(Value::as_str);
                let name = name.and_then(|path| path.strip_prefix("#/components/schemas/"));
                if let Some(name) = name
                    && found.insert(name.to_owned())
                {
                    waiting.push(&document["components"]["schemas"][name]);
                }
                waiting.extend(members.values());
            }
            Value::Array(elements) => waiting.extend(elements),
            _ => {}
        }
    }
    found
}
