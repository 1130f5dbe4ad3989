//! Renders an operation: its purpose, parameters, body, responses and an example call.

use serde_json::Value;

use super::{Operation, badge, members, schema, text};
use crate::{
    html::{escape, inline, paragraphs},
    openapi::TENANT,
};

pub(super) fn article(document: &Value, operation: &Operation<'_>) -> String {
    let spec = operation.spec;
    let (id, path, method) = (escape(operation.id()), escape(operation.path), operation.method);
    format!(
        "<article id=\"{id}\" class=\"operation\"><h3><a href=\"#{id}\">{}<code>{path}</code></a></h3>\
         <p class=\"summary\">{}</p>{}{}{}{}{}{}</article>",
        badge(method),
        inline(text(&spec["summary"])),
        paragraphs(text(&spec["description"])),
        parameters(spec),
        body(document, spec),
        responses(spec),
        curl(operation),
        try_form(operation),
    )
}

fn parameters(spec: &Value) -> String {
    let Some(parameters) = spec["parameters"].as_array() else { return String::new() };
    let rows: String = parameters
        .iter()
        .map(|parameter| {
            let mut value = parameter["schema"].clone();
            value["description"] = parameter["description"].clone();
            let location = format!("<em>{}</em>", escape(text(&parameter["in"])));
            schema::row(text(&parameter["name"]), &location, &value)
        })
        .collect();
    format!("<h4>Parameters</h4>{}", schema::rows_in("Parameter", &rows))
}

fn body(document: &Value, spec: &Value) -> String {
    let content = &spec["requestBody"]["content"]["application/json"];
    let Some(reference) = content["schema"]["$ref"].as_str() else { return String::new() };
    let component = document.pointer(reference.trim_start_matches('#')).unwrap_or(&Value::Null);
    let kind = schema::kind(&content["schema"]);
    format!("<h4>Body: {kind}</h4>{}", schema::tables(component))
}

fn responses(spec: &Value) -> String {
    let rows: Vec<String> = members(&spec["responses"])
        .map(|(status, response)| {
            let kinds = members(&response["content"]);
            let kinds = kinds.map(|(media, content)| match &content["schema"] {
                Value::Null => escape(media),
                schema => schema::kind(schema),
            });
            let kinds: Vec<String> = kinds.collect();
            let description = inline(text(&response["description"]));
            format!(
                "<tr><th scope=\"row\">{}</th><td>{}</td><td>{description}</td></tr>",
                escape(status),
                kinds.join(", ")
            )
        })
        .collect();
    format!("<h4>Responses</h4>{}", schema::rows_in("Status", &rows.concat()))
}

/// Returns the example body as text, if the operation has a body.
fn example(operation: &Operation<'_>) -> Option<String> {
    let content = &operation.spec["requestBody"]["content"]["application/json"];
    let example = content.get("example")?;
    serde_json::to_string_pretty(example).ok()
}

/// Returns the call as a shell command.
fn curl(operation: &Operation<'_>) -> String {
    let spec = operation.spec;
    let mut lines = vec![format!("curl \"$BASE{}\"", operation.path)];
    if operation.method != "get" && operation.method != "post" {
        lines.push(format!("-X {}", operation.method.to_uppercase()));
    }
    let security = &operation.spec["security"][0];
    if security.get("api_key").is_some() {
        lines.push("-H \"Authorization: Bearer $API_KEY\"".to_owned());
    } else if security.get("session").is_some() {
        lines.push("-b cookies".to_owned());
    }
    if has_tenant_header(spec) {
        lines.push("-H \"X-Service-Tenant-Id: $TENANT_ID\"".to_owned());
    }
    if let Some(example) = example(operation) {
        lines.push("-H 'Content-Type: application/json'".to_owned());
        lines.push(format!("-d '{example}'"));
    }
    let call = escape(&lines.join(" \\\n  "));
    format!(
        "<details><summary>curl</summary><pre tabindex=\"0\"><code>{call}</code></pre></details>"
    )
}

/// Returns whether the operation requires the tenant header.
fn has_tenant_header(spec: &Value) -> bool {
    let mut parameters = spec["parameters"].as_array().into_iter().flatten();
    parameters.any(|parameter| parameter["name"] == TENANT)
}

/// Renders a form that the script of the page sends. It is hidden without scripts.
fn try_form(operation: &Operation<'_>) -> String {
    let parameters = operation.spec["parameters"].as_array().into_iter().flatten();
    // The tenant is entered once for all operations.
    let parameters = parameters.filter(|parameter| parameter["name"] != TENANT);
    let inputs: Vec<String> = parameters
        .map(|parameter| {
            let [name, location] = ["name", "in"].map(|member| escape(text(&parameter[member])));
            format!(
                "<label>{name} <input name=\"{name}\" data-in=\"{location}\" autocomplete=\"off\"></label>"
            )
        })
        .collect();
    let body = example(operation).map_or_else(String::new, |example| {
        let (example, rows) = (escape(&example), example.lines().count());
        format!(
            "<label>Body <textarea name=\"body\" rows=\"{rows}\" spellcheck=\"false\">{example}\
             </textarea></label>"
        )
    });
    let inputs = inputs.concat();
    let (method, path) = (operation.method.to_uppercase(), escape(operation.path));
    format!(
        "<details class=\"try\" hidden><summary>Try it</summary>\
         <form data-method=\"{method}\" data-path=\"{path}\">{inputs}{body}\
         <button type=\"submit\">Send</button><output></output></form></details>"
    )
}
