//! Checks each `/v1` response against `/openapi.json`: the status is listed and a JSON body fits its schema.

use std::{
    collections::HashMap,
    sync::{LazyLock, Mutex},
};

use jsonschema::Validator;
use serde_json::{Value, json};
use server::router::{self, Endpoint};

use crate::client::TestResponse;

static DOCUMENT: LazyLock<Value> = LazyLock::new(router::document);

/// The compiled validators, by schema.
static VALIDATORS: Mutex<Option<HashMap<String, Validator>>> = Mutex::new(None);

/// The description of an endpoint.
pub(crate) fn operation(endpoint: &Endpoint) -> &'static Value {
    &DOCUMENT["paths"][endpoint.path][endpoint.method.to_lowercase()]
}

/// Returns what a reference within the document names, or the value itself.
pub(crate) fn resolve<'d>(document: &'d Value, value: &'d Value) -> &'d Value {
    let pointer = value["$ref"].as_str().and_then(|path| path.strip_prefix('#'));
    pointer.and_then(|pointer| document.pointer(pointer)).unwrap_or(value)
}

/// Panics if the document describes the operation but not this response.
pub(crate) fn check(method: &str, path: &str, response: &TestResponse) {
    let path = path.split('?').next().unwrap_or_default();
    let Some(template) = template(path) else { return };
    let method = method.to_lowercase();
    // Internal errors are defects, or a test causes them; they are not part of the interface.
    let operation = &DOCUMENT["paths"][template][&method];
    if operation.is_null() || response.status == 500 {
        return;
    }
    let name = format!("{method} {template} {}", response.status);
    let description = &operation["responses"][response.status.to_string()];
    assert!(!description.is_null(), "{name} is not documented: {}", response.text);
    let schema = &resolve(&DOCUMENT, description)["content"]["application/json"]["schema"];
    let is_json = response.header("content-type") == Some("application/json");
    if !is_json || method == "head" || schema.is_null() {
        return;
    }
    let mut guard = VALIDATORS.lock().expect("no check panics while it holds the lock");
    let validator = guard.get_or_insert_default().entry(schema.to_string()).or_insert_with(|| {
        let schema = json!({"allOf": [schema], "components": DOCUMENT["components"]});
        jsonschema::draft202012::new(&schema).expect("a schema")
    });
    let body = response.json();
    let errors: Vec<String> = validator
        .iter_errors(&body)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    drop(guard);
    assert!(errors.is_empty(), "{name} does not fit its schema: {errors:#?}\n{}", response.text);
}

/// Returns the documented path that matches `path`. A path without parameters takes precedence.
fn template(path: &str) -> Option<&'static str> {
    let paths = DOCUMENT["paths"].as_object()?;
    if let Some((exact, _)) = paths.get_key_value(path) {
        return Some(exact);
    }
    let matches = |template: &&String| {
        let mut pairs = template.split('/').zip(path.split('/'));
        template.split('/').count() == path.split('/').count()
            && pairs.all(|(expected, segment)| expected == segment || expected.starts_with('{'))
    };
    paths.keys().find(matches).map(String::as_str)
}
