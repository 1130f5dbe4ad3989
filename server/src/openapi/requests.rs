//! Request bodies: schemas from their readers, with the descriptions of their types.

use std::collections::{BTreeMap, BTreeSet};

use contract::read::schema::RequestSchema;
use serde_json::{Map, Value, json};

use super::responses::{is_null, reachable_components, target};
use crate::endpoint::schema_path;

/// The suffix of a request schema whose name is already used by a response schema.
const SUFFIX: &str = "Draft";

/// Replaces the schemas of request bodies in the document by those of their readers, and removes components that only
/// the old ones used.
pub(super) fn apply(document: &mut Value, bodies: BTreeMap<String, RequestSchema>) {
    let response_components = reachable_components(document, "responses");
    let old = document["components"]["schemas"].as_object().cloned().unwrap_or_default();
    let mut requests =
        Requests { old: &old, response_components: &response_components, created: Map::new() };
    for (name, RequestSchema { schema, named }) in bodies {
        for (component, schema) in named {
            let schema = serde_json::to_value(schema).unwrap_or_default();
            let schema = requests
                .with_descriptions(schema, component.strip_suffix(SUFFIX).unwrap_or(component));
            requests.created.insert(component.to_owned(), schema);
        }
        let schema = serde_json::to_value(schema).unwrap_or_default();
        let schema = requests.with_descriptions(schema, &name);
        requests.created.insert(name, schema);
    }
    let created = requests.created;
    for (method, operation) in methods_mut(document) {
        let reference = &operation["requestBody"]["content"]["application/json"]["schema"]["$ref"];
        let name = reference.as_str().and_then(|path| path.rsplit('/').next());
        if let Some(schema) = name.and_then(|name| created.get(name)) {
            let has_required = |schema: &Value| schema["required"].is_array();
            let is_required = method != "post"
                || has_required(schema)
                || schema["oneOf"].as_array().into_iter().flatten().any(has_required);
            operation["requestBody"]["required"] = is_required.into();
        }
    }
    let mut components = old.clone();
    components.retain(|name, _| response_components.contains(name));
    components.extend(created);
    document["components"]["schemas"] = components.into();
}

/// Iterates over the operations of the document with their methods.
fn methods_mut(document: &mut Value) -> impl Iterator<Item = (&String, &mut Value)> {
    let items = document["paths"].as_object_mut().into_iter().flat_map(|paths| paths.values_mut());
    items.filter_map(Value::as_object_mut).flatten()
}

/// Builder for the components of requests.
struct Requests<'d> {
    /// The components that the types generate.
    old: &'d Map<String, Value>,
    /// The names of the components that responses use.
    response_components: &'d BTreeSet<String>,
    created: Map<String, Value>,
}

impl Requests<'_> {
    /// Returns the schema of an object with the descriptions of the type `name`.
    fn with_descriptions(&mut self, mut schema: Value, name: &str) -> Value {
        let described = self.old.get(name).cloned().unwrap_or_default();
        for keyword in ["oneOf", "anyOf"] {
            for shape in schema.get_mut(keyword).and_then(Value::as_array_mut).into_iter().flatten()
            {
                self.members(shape, &described["properties"]);
            }
        }
        self.members(&mut schema, &described["properties"]);
        if let Some(description) = described["description"].as_str() {
            schema["description"] = description.into();
        }
        schema
    }

    fn members(&mut self, schema: &mut Value, described: &Value) {
        let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
        for (name, member) in properties.into_iter().flatten() {
            let source = &described[name];
            *member = self.member(std::mem::take(member), source);
        }
    }

    /// Returns the schema of a member with the description of `source`, the same member in the generated
    /// type.
    fn member(&mut self, schema: Value, source: &Value) -> Value {
        let description = description_of(source);
        let (inner, is_nullable) = without_null(schema);
        let inner = match target(source) {
            Some(target) if inner["type"] == "array" => {
                let mut list = inner;
                list["items"] = self.component(list["items"].take(), &target);
                list
            }
            Some(target) => self.component(inner, &target),
            None => inner,
        };
        let mut schema = if is_nullable { with_null(inner) } else { inner };
        if let (Some(description), Some(members)) = (description, schema.as_object_mut()) {
            members.insert("description".to_owned(), description.into());
        }
        schema
    }

    /// Stores an object within a request as a component with the name of its type, and returns a reference.
    fn component(&mut self, schema: Value, target: &str) -> Value {
        let shapes = schema["oneOf"].as_array();
        let is_object = schema["properties"].is_object()
            || shapes
                .is_some_and(|shapes| shapes.iter().all(|shape| shape["properties"].is_object()));
        if !is_object {
            return schema;
        }
        let suffix = if self.response_components.contains(target) { SUFFIX } else { "" };
        let name = format!("{target}{suffix}");
        let schema = self.with_descriptions(schema, target);
        match self.created.get(&name) {
            Some(existing) if *existing != schema => schema,
            _ => {
                self.created.insert(name.clone(), schema);
                json!({"$ref": schema_path(&name)})
            }
        }
    }
}

/// Returns the description of a member, or else the first one of its alternatives.
fn description_of(source: &Value) -> Option<String> {
    let alternatives = source["oneOf"].as_array().into_iter().flatten();
    let mut candidates = std::iter::once(source).chain(alternatives);
    candidates.find_map(|candidate| candidate["description"].as_str().map(str::to_owned))
}

/// Returns a schema without `null`, and whether it accepted `null`.
fn without_null(mut schema: Value) -> (Value, bool) {
    if schema["type"].as_array().is_some_and(|kinds| kinds.iter().any(|kind| kind == "null")) {
        let kind = schema["type"].as_array().and_then(|kinds| kinds.first()).cloned();
        if let Some(kind) = kind.filter(|kind| kind == "array" || kind == "object") {
            schema["type"] = kind;
            return (schema, true);
        }
        return (schema, false);
    }
    let Some(alternatives) = schema["anyOf"].as_array() else { return (schema, false) };
    match alternatives.as_slice() {
        [inner, null] if is_null(null) => (inner.clone(), true),
        _ => (schema, false),
    }
}

/// Returns a schema that also accepts `null`.
fn with_null(mut schema: Value) -> Value {
    let Some(kind) = schema["type"].as_str() else {
        return json!({"anyOf": [schema, {"type": "null"}]});
    };
    schema["type"] = json!([kind, "null"]);
    schema
}
