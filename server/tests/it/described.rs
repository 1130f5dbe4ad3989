//! Checks every answer of `/v1` against `/openapi.json`: the status is listed, and a JSON body fits its schema.

use std::{
    collections::HashMap,
    sync::{LazyLock, Mutex},
};

use jsonschema::Validator;
use serde_json::{Value, json};
use server::router;

use crate::client::TestResponse;

static DOCUMENT: LazyLock<Value> = LazyLock::new(router::document);

/// The validators built so far, by the pointer to the schema.
static VALIDATORS: Mutex<Option<HashMap<String, Validator>>> = Mutex::new(None);

/// Panics when the document describes the operation, but not this answer.
pub(crate) fn check(method: &str, path: &str, answer: &TestResponse) {
    let path = path.split('?').next().unwrap_or_default();
    let Some(template) = template(path) else { return };
    let method = method.to_lowercase();
    // An internal error is a defect, or one that a test makes; it is not part of the interface.
    if DOCUMENT["paths"][template][&method].is_null() || answer.status == 500 {
        return;
    }
    let name = format!("{method} {template} {}", answer.status);
    let pointer = format!("/paths/{}/{method}/responses/{}", escaped(template), answer.status);
    let described = DOCUMENT.pointer(&pointer);
    assert!(described.is_some(), "{name} is not described: {}", answer.text);
    let pointer = format!("{pointer}/content/application~1json/schema");
    let is_json = answer.header("content-type") == Some("application/json");
    if !is_json || method == "head" || DOCUMENT.pointer(&pointer).is_none() {
        return;
    }
    let mut guard = VALIDATORS.lock().expect("no check panics while it holds the lock");
    let validator = guard.get_or_insert_default().entry(pointer.clone()).or_insert_with(|| {
        let schema = DOCUMENT.pointer(&pointer);
        let schema = json!({"allOf": [schema], "components": DOCUMENT["components"]});
        jsonschema::draft202012::new(&schema).expect("a schema")
    });
    let body = answer.json();
    let faults: Vec<String> = validator
        .iter_errors(&body)
        .map(|fault| format!("{}: {fault}", fault.instance_path()))
        .collect();
    drop(guard);
    assert!(faults.is_empty(), "{name} is not as described: {faults:#?}\n{}", answer.text);
}

/// The path of the document that a path is an instance of; one without parameters comes first.
fn template(path: &str) -> Option<&'static str> {
    let paths = DOCUMENT["paths"].as_object()?;
    if let Some((exact, _)) = paths.get_key_value(path) {
        return Some(exact);
    }
    let fits = |template: &&String| {
        let mut pairs = template.split('/').zip(path.split('/'));
        template.split('/').count() == path.split('/').count()
            && pairs.all(|(own, given)| own == given || own.starts_with('{'))
    };
    paths.keys().find(fits).map(String::as_str)
}

/// A segment of a JSON Pointer.
fn escaped(text: &str) -> String {
    text.replace('~', "~0").replace('/', "~1")
}
