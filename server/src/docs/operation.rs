//! One operation: what it does, what it takes, what it answers, and how to call it.

use serde_json::Value;

use super::{Operation, badge, members, schema, text};
use crate::{
    html::{escaped, inline, prose},
    openapi::TENANT,
};

/// All of it.
pub(super) fn article(document: &Value, operation: &Operation<'_>) -> String {
    let says = operation.says;
    let (id, path, method) = (escaped(operation.id()), escaped(operation.path), operation.method);
    format!(
        "<article id=\"{id}\" class=\"operation\"><h3><a href=\"#{id}\">{}<code>{path}</code></a></h3>\
         <p class=\"summary\">{}</p>{}{}{}{}{}{}</article>",
        badge(method),
        inline(text(&says["summary"])),
        prose(text(&says["description"])),
        parameters(says),
        body(document, says),
        answers(says),
        curl(operation),
        attempt(operation),
    )
}

fn parameters(says: &Value) -> String {
    let Some(parameters) = says["parameters"].as_array() else { return String::new() };
    let rows: String = parameters
        .iter()
        .map(|parameter| {
            let mut value = parameter["schema"].clone();
            value["description"] = parameter["description"].clone();
            let place = format!("<em>{}</em>", escaped(text(&parameter["in"])));
            schema::row(text(&parameter["name"]), &place, &value)
        })
        .collect();
    format!("<h4>Parameters</h4>{}", schema::rows_in("Parameter", &rows))
}

fn body(document: &Value, says: &Value) -> String {
    let content = &says["requestBody"]["content"]["application/json"];
    let Some(reference) = content["schema"]["$ref"].as_str() else { return String::new() };
    let named = document.pointer(reference.trim_start_matches('#')).unwrap_or(&Value::Null);
    let kind = schema::kind(&content["schema"]);
    format!("<h4>Body: {kind}</h4>{}", schema::tables(named))
}

fn answers(says: &Value) -> String {
    let rows: Vec<String> = members(&says["responses"])
        .map(|(status, answer)| {
            let kinds = members(&answer["content"]);
            let kinds = kinds.map(|(media, content)| match &content["schema"] {
                Value::Null => escaped(media),
                schema => schema::kind(schema),
            });
            let kinds: Vec<String> = kinds.collect();
            let words = inline(text(&answer["description"]));
            format!(
                "<tr><th scope=\"row\">{}</th><td>{}</td><td>{words}</td></tr>",
                escaped(status),
                kinds.join(", ")
            )
        })
        .collect();
    format!("<h4>Answers</h4>{}", schema::rows_in("Status", &rows.concat()))
}

/// The example as text, if the operation takes a body.
fn example(operation: &Operation<'_>) -> Option<String> {
    let content = &operation.says["requestBody"]["content"]["application/json"];
    let example = content.get("example")?;
    serde_json::to_string_pretty(example).ok()
}

/// The call as a person types it in a shell.
fn curl(operation: &Operation<'_>) -> String {
    let says = operation.says;
    let mut lines = vec![format!("curl \"$BASE{}\"", operation.path)];
    if operation.method != "get" && operation.method != "post" {
        lines.push(format!("-X {}", operation.method.to_uppercase()));
    }
    let security = &operation.says["security"][0];
    if security.get("api_key").is_some() {
        lines.push("-H \"Authorization: Bearer $API_KEY\"".to_owned());
    } else if security.get("session").is_some() {
        lines.push("-b cookies".to_owned());
    }
    if names_tenant(says) {
        lines.push("-H \"X-Service-Tenant-Id: $TENANT_ID\"".to_owned());
    }
    if let Some(example) = example(operation) {
        lines.push("-H 'Content-Type: application/json'".to_owned());
        lines.push(format!("-d '{example}'"));
    }
    let call = escaped(&lines.join(" \\\n  "));
    format!(
        "<details><summary>curl</summary><pre tabindex=\"0\"><code>{call}</code></pre></details>"
    )
}

/// Whether the operation asks for the header that names the tenant.
fn names_tenant(says: &Value) -> bool {
    let mut parameters = says["parameters"].as_array().into_iter().flatten();
    parameters.any(|parameter| parameter["name"] == TENANT)
}

/// A form that the page's script sends; without scripts it is not shown.
fn attempt(operation: &Operation<'_>) -> String {
    let parameters = operation.says["parameters"].as_array().into_iter().flatten();
    // The tenant is typed once for all operations.
    let parameters = parameters.filter(|parameter| parameter["name"] != TENANT);
    let inputs: Vec<String> = parameters
        .map(|parameter| {
            let [name, place] = ["name", "in"].map(|member| escaped(text(&parameter[member])));
            format!(
                "<label>{name} <input name=\"{name}\" data-in=\"{place}\" autocomplete=\"off\"></label>"
            )
        })
        .collect();
    let body = example(operation).map_or_else(String::new, |example| {
        let (example, rows) = (escaped(&example), example.lines().count());
        format!(
            "<label>Body <textarea name=\"body\" rows=\"{rows}\" spellcheck=\"false\">{example}\
             </textarea></label>"
        )
    });
    let inputs = inputs.concat();
    let (method, path) = (operation.method.to_uppercase(), escaped(operation.path));
    format!(
        "<details class=\"try\" hidden><summary>Try it</summary>\
         <form data-method=\"{method}\" data-path=\"{path}\">{inputs}{body}\
         <button type=\"submit\">Send</button><output></output></form></details>"
    )
}
