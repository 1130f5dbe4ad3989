//! Responses and parameters that several operations have, as components of the document. Without them, two thirds of
//! the document would be repeated errors.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

/// Replaces the responses without success and the parameters that several operations have by references to components.
pub(super) fn apply(document: &mut Value) {
    share(document, "responses", |operation| {
        let responses = operation["responses"].as_object_mut().into_iter().flatten();
        let errors = responses.filter(|(status, _)| !status.starts_with('2'));
        errors.map(|(_, response)| (text(response, "description"), response)).collect()
    });
    share(document, "parameters", |operation| {
        let parameters = operation.get_mut("parameters").and_then(Value::as_array_mut);
        let parameters = parameters.into_iter().flatten();
        parameters.map(|parameter| (text(parameter, "name"), parameter)).collect()
    });
}

/// The parts of an operation, each with the text that names its component.
type Parts<'o> = Vec<(String, &'o mut Value)>;

fn share(document: &mut Value, kind: &str, parts: impl Fn(&mut Value) -> Parts<'_>) {
    let mut uses = BTreeMap::new();
    for operation in operations(document) {
        for (_, part) in parts(operation) {
            *uses.entry(part.to_string()).or_insert(0) += 1;
        }
    }
    let mut components = Map::new();
    for operation in operations(document) {
        for (text, part) in parts(operation) {
            if uses.get(&part.to_string()).is_some_and(|uses| *uses > 1) {
                let name = component(&mut components, &text, part);
                *part = json!({"$ref": format!("#/components/{kind}/{name}")});
            }
        }
    }
    document["components"][kind] = components.into();
}

fn operations(document: &mut Value) -> impl Iterator<Item = &mut Value> {
    let items = document["paths"].as_object_mut().into_iter().flat_map(Map::values_mut);
    items.filter_map(Value::as_object_mut).flat_map(Map::values_mut)
}

/// Adds a component unless it exists, and returns its name: the words of `text`, and of the description if a different
/// component already has this name.
fn component(components: &mut Map<String, Value>, text: &str, value: &Value) -> String {
    let short = words(text);
    let long = format!("{short}{}", words(&self::text(value, "description")));
    let is_free = |name: &&String| components.get(*name).is_none_or(|other| other == value);
    let name = [&short, &long].into_iter().find(is_free).unwrap_or(&long).clone();
    components.insert(name.clone(), value.clone());
    name
}

fn text(value: &Value, member: &str) -> String {
    value[member].as_str().unwrap_or_default().to_owned()
}

/// Joins the words of a text: `NotFoundThePolicy` for "`NOT_FOUND`: the policy".
fn words(text: &str) -> String {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let capitalized = words.map(|word| {
        let (first, rest) = word.split_at(1);
        format!("{}{}", first.to_uppercase(), rest.to_lowercase())
    });
    capitalized.collect()
}
