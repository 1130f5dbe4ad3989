//! Integration examples of a form: JSON schema, `OpenAPI` and runnable calls.

use std::fmt::Write as _;

use contract::form::{ACCESS_CHARS_MAX, AccessMode, Form, FormContract, SdkExamples, json_schema};

use engine::form::{example, published};

use crate::base::prelude::*;

/// Returns the integration contract of a form.
pub(super) fn contract(form: &Form, governance: &Governance) -> FormContract {
    let path = format!("/v1/forms/{}/submit", form.id);
    let url = governance.link(&path);
    let schema = json_schema(&form.title, &published(&form.fields));
    let body = body(form);
    FormContract {
        openapi_snippet: openapi(form, &path, &governance.link(""), &schema),
        json_schema: schema,
        curl_example: curl(&url, &body),
        sdk_examples: SdkExamples {
            javascript: javascript(&url, &body),
            python: python(&url, &body),
        },
    }
}

/// Returns an example body, with placeholders for credentials.
fn body(form: &Form) -> Object {
    let mut body = Object::from([("values", example(&form.fields).into())]);
    match form.access_mode {
        AccessMode::Token => drop(body.insert("access_token", "YOUR_ACCESS_TOKEN")),
        AccessMode::Password => drop(body.insert("password", "YOUR_PASSWORD")),
        AccessMode::Open | AccessMode::Console => {}
    }
    body
}

fn curl(url: &str, body: &Object) -> String {
    // In single quotes, a shell interprets nothing except the quote itself.
    let body = Value::from(body.clone()).to_canonical().replace('\'', r"'\''");
    format!(
        "curl -sS -X POST '{url}' \\\n  -H 'Content-Type: application/json' \\\n  -d '{body}'\n"
    )
}

fn javascript(url: &str, body: &Object) -> String {
    let url = Value::from(url).to_canonical();
    let members: String = body.iter().fold(String::new(), |mut text, (name, value)| {
        // A literal with this name would set the prototype. In canonical JSON, the text can only be a name.
        let value = value.to_canonical().replace("\"__proto__\":", "[\"__proto__\"]:");
        let _ = writeln!(text, "    {name}: {value},");
        text
    });
    format!(
        "const response = await fetch({url}, {{\n  \
           method: \"POST\",\n  \
           redirect: \"error\",\n  \
           headers: {{ \"Content-Type\": \"application/json\" }},\n  \
           body: JSON.stringify({{\n{members}    \
             // An interrupted call can be repeated with the same key.\n    \
             idempotency_key: crypto.randomUUID(),\n  }}),\n}});\n\
         const result = await response.json();\n\
         if (!response.ok) throw new Error(`${{result.error.code}}: ${{result.error.message}}`);\n\
         console.log(result.decision, result.receipt_url);\n"
    )
}

fn python(url: &str, body: &Object) -> String {
    let url = Value::from(url).to_canonical();
    let members: String = body.iter().fold(String::new(), |mut text, (name, value)| {
        let _ = writeln!(text, "    \"{name}\": {},", literal(value));
        text
    });
    format!(
        "import json\nimport urllib.request\nimport uuid\n\n\
         body = {{\n{members}    \
           # An interrupted call can be repeated with the same key.\n    \
           \"idempotency_key\": str(uuid.uuid4()),\n}}\n\
         request = urllib.request.Request(\n    {url},\n    \
           data=json.dumps(body).encode(),\n    \
           headers={{\"Content-Type\": \"application/json\"}},\n    method=\"POST\",\n)\n\
         with urllib.request.urlopen(request) as response:\n    result = json.load(response)\n\
         print(result[\"decision\"], result[\"receipt_url\"])\n"
    )
}

/// Returns a value as a Python literal. Strings have the same form in JSON and Python.
fn literal(value: &Value) -> String {
    match value {
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Array(elements) => {
            format!("[{}]", elements.iter().map(literal).collect::<Vec<_>>().join(", "))
        }
        Value::Object(members) => {
            let member = |(name, value): (&str, &Value)| {
                format!("{}: {}", Value::from(name), literal(value))
            };
            format!("{{{}}}", members.iter().map(member).collect::<Vec<_>>().join(", "))
        }
        Value::Number(_) | Value::String(_) => value.to_canonical(),
    }
}

/// Returns an object with these members.
fn object<const N: usize>(members: [(&str, Value); N]) -> Value {
    Object::from(members).into()
}

fn text(max: usize) -> Value {
    let max = u32::try_from(max).unwrap_or(u32::MAX);
    object([("type", "string".into()), ("maxLength", max.into())])
}

fn openapi(form: &Form, path: &str, server: &str, schema: &Value) -> Value {
    let server = if server.is_empty() { "/" } else { server };
    let post = object([
        ("operationId", "submitForm".into()),
        ("summary", form.title.as_str().into()),
        (
            "requestBody",
            object([("required", true.into()), ("content", request_content(form, schema))]),
        ),
        ("responses", responses()),
    ]);
    object([
        ("openapi", "3.1.0".into()),
        ("info", object([("title", form.title.as_str().into()), ("version", "v1".into())])),
        ("servers", Value::from_iter([object([("url", server.into())])])),
        ("paths", object([(path, object([("post", post)]))])),
    ])
}

/// Returns the content of the request body.
fn request_content(form: &Form, schema: &Value) -> Value {
    let mut values = schema.as_object().cloned().unwrap_or_default();
    // The enclosing document has the same JSON schema dialect.
    values.remove("$schema");
    let mut required = vec!["values"];
    let mut members = Object::from([
        ("values", values.into()),
        (
            "respondent",
            object([
                ("type", "object".into()),
                ("properties", object([("id", text(255)), ("display_name", text(200))])),
            ]),
        ),
        ("idempotency_key", text(255)),
    ]);
    let credential = match form.access_mode {
        AccessMode::Token => Some("access_token"),
        AccessMode::Password => Some("password"),
        AccessMode::Open | AccessMode::Console => None,
    };
    if let Some(name) = credential {
        members.insert(name, text(ACCESS_CHARS_MAX));
        required.push(name);
    }
    let body = object([
        ("type", "object".into()),
        ("properties", members.into()),
        ("required", required.into_iter().collect()),
        ("additionalProperties", false.into()),
    ]);
    let example = Value::from(self::body(form));
    object([("application/json", object([("schema", body), ("example", example)]))])
}

fn responses() -> Value {
    let response = |description: &str| object([("description", description.into())]);
    let verdict = object([
        ("type", "string".into()),
        ("enum", Value::from_iter(["ALLOW", "ALERT", "REVIEW", "DENY"])),
    ]);
    let violation = object([
        ("type", "object".into()),
        (
            "properties",
            object([("rule_code", text(100)), ("reason", text(65_536)), ("field", text(200))]),
        ),
    ]);
    let result = object([
        ("type", "object".into()),
        (
            "properties",
            object([
                ("decision_id", object([("type", "string".into()), ("format", "uuid".into())])),
                ("decision", verdict),
                ("violations", object([("type", "array".into()), ("items", violation)])),
                ("receipt_url", text(2_048)),
                ("message", text(2_000)),
            ]),
        ),
    ]);
    let content = object([("application/json", object([("schema", result)]))]);
    object([
        ("201", object([("description", "Decided and recorded".into()), ("content", content)])),
        ("200", response("Already recorded under the same idempotency key")),
        ("403", response("Missing or invalid credentials")),
        ("404", response("Form not found")),
        ("422", response("Invalid values: `details.errors` has one error for each field")),
        (
            "429",
            response(
                "Too many submissions; `Retry-After` contains the delay, unless the budget \
                 never refills",
            ),
        ),
    ])
}
