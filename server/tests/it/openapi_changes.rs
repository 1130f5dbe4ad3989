//! The API changes only with a reviewed change of `openapi.json`, and never in a way that breaks clients.
//!
//! `GOVERN_WRITE_OPENAPI=1` updates the file after compatible changes, `GOVERN_WRITE_OPENAPI=breaking` also after
//! breaking ones.

use std::{collections::BTreeSet, fs, path::Path};

use serde_json::{Map, Value, json};
use server::router;

use crate::described::resolve;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../openapi.json");

#[test]
fn api_changes_only_with_its_committed_description() {
    let mut document = router::document();
    // A new release version is not an API change.
    document["info"]["version"] = json!("");
    let committed = fs::read_to_string(FILE).unwrap_or_else(|_| "{}".to_owned());
    let before: Value = serde_json::from_str(&committed).expect("`openapi.json` is JSON");
    if before == document {
        return;
    }
    let breaking = breaking_changes(&before, &document);
    let mode = std::env::var("GOVERN_WRITE_OPENAPI").unwrap_or_default();
    if mode == "breaking" || (mode == "1" && breaking.is_empty()) {
        let mut text = String::new();
        write_json(&document, 0, &mut text);
        return fs::write(Path::new(FILE), text + "\n").expect("`openapi.json` can be written");
    }
    assert!(breaking.is_empty(), "the API breaks its clients:\n{}", breaking.join("\n"));
    panic!("the API differs from `openapi.json`; update it with GOVERN_WRITE_OPENAPI=1");
}

/// The maximum length of a line with a whole object or list.
const LINE_MAX: usize = 120;

/// Writes JSON with each small object and list on one line, so that a reviewer sees a schema at a glance.
fn write_json(value: &Value, depth: usize, text: &mut String) {
    let line = value.to_string();
    let (brackets, parts): (_, Vec<(String, &Value)>) = match value {
        Value::Object(members) if line.len() + depth > LINE_MAX => {
            let names = members.iter().map(|(name, member)| (format!("{}: ", json!(name)), member));
            (['{', '}'], names.collect())
        }
        Value::Array(items) if line.len() + depth > LINE_MAX => {
            (['[', ']'], items.iter().map(|item| (String::new(), item)).collect())
        }
        _ => return text.push_str(&line),
    };
    text.push(brackets[0]);
    for (index, (name, part)) in parts.into_iter().enumerate() {
        text.push_str(if index == 0 { "\n" } else { ",\n" });
        text.extend(std::iter::repeat_n(' ', depth + 1));
        text.push_str(&name);
        write_json(part, depth + 1, text);
    }
    text.push('\n');
    text.extend(std::iter::repeat_n(' ', depth));
    text.push(brackets[1]);
}

#[test]
fn incompatible_changes_are_breaking_and_additions_are_not() {
    let document = |request: Value, response: Value| {
        json!({
            "paths": {"/v1/things": {"post": {
                "parameters": [{"name": "limit", "in": "query"}],
                "requestBody": {"content": {"application/json": {"schema": request}}},
                "responses": {"201": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Thing"}}}}},
            }}},
            "components": {"schemas": {"Thing": response}},
        })
    };
    let object = |properties: Value, required: Value| json!({"type": "object", "properties": properties, "required": required});
    let string = json!({"type": "string"});
    let before = document(
        object(json!({"name": string, "kind": {"enum": ["a", "b"]}}), json!(["name"])),
        object(json!({"id": string}), json!(["id"])),
    );
    let changes =
        |request, response| breaking_changes(&before, &document(request, response)).join("\n");

    let compatible = changes(
        object(
            json!({"name": {"type": ["string", "null"]}, "kind": {"enum": ["a", "b", "c"]}, "note": string}),
            json!(["name"]),
        ),
        object(json!({"id": string, "created_at": string}), json!(["id", "created_at"])),
    );
    assert_eq!(compatible, "");

    let breaking = changes(
        object(
            json!({"name": {"type": "integer"}, "kind": {"enum": ["a"]}}),
            json!(["name", "kind"]),
        ),
        object(json!({"key": string}), json!([])),
    );
    insta::assert_snapshot!(breaking, @r#"
    POST /v1/things request/kind: "b" is no longer accepted
    POST /v1/things request/kind: is required now
    POST /v1/things request/name: the type was "string" and is "integer"
    POST /v1/things response 201/id: is no longer sent
    "#);

    let mut without = before.clone();
    without["paths"]["/v1/things"] = json!({});
    assert_eq!(breaking_changes(&before, &without), ["POST /v1/things: the operation was removed"]);
}

/// Returns the differences between two `OpenAPI` documents that break clients of the first, sorted.
fn breaking_changes(before: &Value, after: &Value) -> Vec<String> {
    let mut comparison =
        Comparison { before, after, compared: BTreeSet::new(), changes: Vec::new() };
    for (path, methods) in members(&before["paths"]) {
        for (method, operation) in members(methods) {
            let name = format!("{} {path}", method.to_uppercase());
            let now = &after["paths"][path][method];
            if now.is_null() {
                comparison.changes.push(format!("{name}: the operation was removed"));
            } else {
                comparison.operation(&name, operation, now);
            }
        }
    }
    comparison.changes.sort();
    comparison.changes
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Direction {
    Request,
    Response,
}

struct Comparison<'a> {
    before: &'a Value,
    after: &'a Value,
    /// Pairs of references that were compared, which ends recursion.
    compared: BTreeSet<(String, String, Direction)>,
    changes: Vec<String>,
}

impl<'a> Comparison<'a> {
    fn operation(&mut self, name: &str, before: &'a Value, after: &'a Value) {
        let parameters = |document: &'a Value, operation: &'a Value| -> Vec<&'a Value> {
            let parameters = operation["parameters"].as_array().into_iter().flatten();
            parameters.map(|parameter| resolve(document, parameter)).collect()
        };
        let (were, are) = (parameters(self.before, before), parameters(self.after, after));
        let same =
            |one: &Value, other: &Value| one["name"] == other["name"] && one["in"] == other["in"];
        for parameter in &were {
            if !are.iter().any(|now| same(parameter, now)) {
                self.change(name, &format!("the parameter {} was removed", parameter["name"]));
            }
        }
        for parameter in are.iter().filter(|parameter| parameter["required"] == true) {
            let was_required =
                were.iter().any(|old| same(old, parameter) && old["required"] == true);
            if !was_required {
                self.change(name, &format!("the parameter {} is required now", parameter["name"]));
            }
        }
        self.contents(
            &format!("{name} request"),
            &before["requestBody"],
            &after["requestBody"],
            Direction::Request,
        );
        for (status, response) in members(&before["responses"]) {
            let response = resolve(self.before, response);
            let now = resolve(self.after, &after["responses"][status]);
            self.contents(&format!("{name} response {status}"), response, now, Direction::Response);
        }
    }

    fn contents(&mut self, name: &str, before: &'a Value, after: &'a Value, direction: Direction) {
        for (kind, content) in members(&before["content"]) {
            let now = &after["content"][kind];
            if now.is_null() {
                self.change(name, &format!("{kind} was removed"));
            } else {
                self.schema(name, &content["schema"], &now["schema"], direction);
            }
        }
    }

    fn schema(&mut self, name: &str, before: &'a Value, after: &'a Value, direction: Direction) {
        let references = (reference(before), reference(after), direction);
        let has_references = !references.0.is_empty() || !references.1.is_empty();
        if has_references && !self.compared.insert(references) {
            return;
        }
        let (before, after) = (resolve(self.before, before), resolve(self.after, after));
        let (were, are) = (types(before), types(after));
        // A request may also accept more types.
        let is_wider = direction == Direction::Request && !were.is_empty() && were.is_subset(&are);
        if were != are && !is_wider {
            self.change(name, &format!("the type was {} and is {}", before["type"], after["type"]));
        }
        for value in before["enum"].as_array().into_iter().flatten() {
            let is_accepted = after["enum"].as_array().is_none_or(|values| values.contains(value));
            if direction == Direction::Request && !is_accepted {
                self.change(name, &format!("{value} is no longer accepted"));
            }
        }
        for (member, schema) in members(&before["properties"]) {
            let name = format!("{name}/{member}");
            match (&after["properties"][member], direction) {
                (Value::Null, Direction::Request) => self.change(&name, "is no longer accepted"),
                (Value::Null, Direction::Response) => self.change(&name, "is no longer sent"),
                (now, _) => self.schema(&name, schema, now, direction),
            }
        }
        let required = |schema: &'a Value| {
            schema["required"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .collect::<BTreeSet<_>>()
        };
        let (were_required, are_required) = (required(before), required(after));
        match direction {
            Direction::Request => {
                for member in are_required.difference(&were_required) {
                    self.change(&format!("{name}/{member}"), "is required now");
                }
            }
            Direction::Response => {
                for member in were_required.difference(&are_required) {
                    if !after["properties"][*member].is_null() {
                        self.change(&format!("{name}/{member}"), "may be absent now");
                    }
                }
            }
        }
        self.schema_if_both(&format!("{name}[]"), &before["items"], &after["items"], direction);
        for keyword in ["oneOf", "anyOf", "allOf"] {
            let variants =
                |schema: &'a Value| schema[keyword].as_array().map_or(&[][..], Vec::as_slice);
            for (index, (one, other)) in variants(before).iter().zip(variants(after)).enumerate() {
                self.schema(&format!("{name}({index})"), one, other, direction);
            }
        }
    }

    fn schema_if_both(
        &mut self,
        name: &str,
        before: &'a Value,
        after: &'a Value,
        direction: Direction,
    ) {
        if !before.is_null() && !after.is_null() {
            self.schema(name, before, after, direction);
        }
    }

    fn change(&mut self, name: &str, change: &str) {
        self.changes.push(format!("{name}: {change}"));
    }
}

fn members(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flat_map(Map::iter)
}

fn reference(schema: &Value) -> String {
    schema["$ref"].as_str().unwrap_or_default().to_owned()
}

/// Returns the types of a schema; empty for a schema without types.
fn types(schema: &Value) -> BTreeSet<&str> {
    match &schema["type"] {
        Value::Array(types) => types.iter().filter_map(Value::as_str).collect(),
        one => one.as_str().into_iter().collect(),
    }
}
