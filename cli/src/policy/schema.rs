//! JSON Schemas of policy files and case files, for editors.
//!
//! They are parts of the `OpenAPI` document of the service, whose schemas the readers of requests describe.

use std::collections::BTreeSet;

use contract::evaluation::{ReasonCode, Verdict};
use serde_json::{Map, Value, json};

use super::cases::CASES_MAX;

/// The path of the schema of policy files.
pub const POLICY_PATH: &str = "/schemas/policy.json";

/// The path of the schema of case files.
pub const CASES_PATH: &str = "/schemas/cases.json";

const DRAFT: &str = "https://json-schema.org/draft/2020-12/schema";

/// Returns the schema of policy files, from the document of the service.
pub fn policy(document: &Value) -> Value {
    let mut schema = component(document, "PolicyDraft");
    schema["title"] = "Govern policy".into();
    schema["description"] = "A policy with its rules: the body of `POST /v1/policies`.".into();
    schema["properties"]["$schema"] = json!({"type": "string"});
    if let Some(required) = schema["required"].as_array_mut() {
        required.push("rules".into());
    }
    if let Some(rules) = schema.pointer_mut("/properties/rules").and_then(Value::as_object_mut) {
        rules.insert("type".to_owned(), "array".into());
    }
    standalone(document, schema)
}

/// Returns the schema of case files, from the document of the service.
pub fn cases(document: &Value) -> Value {
    let verdict = json!({"type": "string", "enum": Verdict::NAMES, "description": "The verdict."});
    let code = component(document, "PolicyDraft")["properties"]["code"].clone();
    let rule_code = |description: &str| {
        let mut code = code.clone();
        code["description"] = description.into();
        code
    };
    let violation = json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["rule_code"],
        "properties": {
            "rule_code": rule_code("The code of the rule."),
            "reason_code": {"type": "string", "enum": ReasonCode::NAMES},
            "field": {"type": "string", "description": "The field that fails the check."},
        },
    });
    let expectation = json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["decision"],
        "properties": {
            "decision": verdict,
            "violations": {
                "type": "array",
                "description": "All violations, in any order.",
                "items": {"anyOf": [rule_code("The code of a violated rule."), violation]},
            },
        },
    });
    let request = component(document, "EvaluateRequest");
    let case = json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["name", "context", "expect"],
        "properties": {
            "name": {"type": "string", "minLength": 1, "maxLength": 500, "description": "The name, unique in the file."},
            "context": request["properties"]["context"],
            "actor": request["properties"]["actor"],
            "expect": {"anyOf": [verdict, expectation], "description": "The expected result."},
        },
    });
    let schema = json!({
        "title": "Govern test cases",
        "description": "Cases of `govern policy test`.",
        "type": "array",
        "maxItems": CASES_MAX,
        "items": case,
    });
    standalone(document, schema)
}

fn component(document: &Value, name: &str) -> Value {
    document["components"]["schemas"][name].clone()
}

/// Adds the schemas that `schema` references, and makes the references relative to it.
fn standalone(document: &Value, mut schema: Value) -> Value {
    let mut waiting = BTreeSet::new();
    let mut definitions = Map::new();
    move_references(&mut schema, &mut waiting);
    while let Some(name) = waiting.pop_first() {
        if definitions.contains_key(&name) {
            continue;
        }
        let mut definition = component(document, &name);
        move_references(&mut definition, &mut waiting);
        definitions.insert(name, definition);
    }
    schema["$schema"] = DRAFT.into();
    schema["$defs"] = definitions.into();
    schema
}

/// Replaces references to components, and adds their names to `names`.
fn move_references(schema: &mut Value, names: &mut BTreeSet<String>) {
    match schema {
        Value::Object(members) => {
            if let Some(Value::String(reference)) = members.get_mut("$ref")
                && let Some(name) = reference.strip_prefix("#/components/schemas/")
            {
                names.insert(name.to_owned());
                *reference = format!("#/$defs/{name}");
            }
            members.values_mut().for_each(|member| move_references(member, names));
        }
        Value::Array(elements) => {
            for element in elements {
                move_references(element, names);
            }
        }
        _ => {}
    }
}
