//! An operation: its purpose, parameters, body, responses and an example call.

use page_kit::prelude::*;
use serde_json::Value;

use super::{
    Operation, badge, members,
    prose::{inline, paragraphs},
    resolve,
    schema::{self, Rows, joined, kind, row},
    text,
};

/// The description of an operation.
pub(super) struct Article<'a> {
    /// The `OpenAPI` document.
    pub(super) document: &'a Value,
    pub(super) operation: &'a Operation<'a>,
    /// The name of the header with the ID of the tenant.
    pub(super) tenant_header: &'a str,
}

impl Article<'_> {
    pub(super) fn render(&self) -> AnyView {
        let Operation { method, path, spec } = self.operation;
        let id = self.operation.id().to_owned();
        let link = format!("#{id}");
        let path = (*path).to_owned();
        any_view! {
            <article id=id class="operation">
                <h3>
                    <a href=link>{badge(method)} <code>{path}</code></a>
                </h3>
                <p class="summary">{inline(text(&spec["summary"]))}</p>
                {paragraphs(text(&spec["description"]))}
                {self.parameters()}
                {self.body()}
                {self.responses()}
                {self.curl()}
                {self.try_form()}
            </article>
        }
    }

    fn described_parameters(&self) -> impl Iterator<Item = &Value> {
        let parameters = self.operation.spec["parameters"].as_array().into_iter().flatten();
        parameters.map(|parameter| resolve(self.document, parameter))
    }

    fn parameters(&self) -> Option<AnyView> {
        self.operation.spec["parameters"].as_array()?;
        let rows = self.described_parameters().map(|parameter| {
            let mut value = parameter["schema"].clone();
            value["description"] = parameter["description"].clone();
            let location = text(&parameter["in"]).to_owned();
            row(text(&parameter["name"]), Some(location), &value)
        });
        let rows = rows.collect_view();
        Some(any_view! {
            <h4>"Parameters"</h4>
            <Rows heading="Parameter">{rows}</Rows>
        })
    }

    fn body(&self) -> Option<AnyView> {
        let content = &self.operation.spec["requestBody"]["content"]["application/json"];
        content["schema"].get("$ref")?;
        Some(any_view! {
            <h4>"Body: " {kind(&content["schema"])}</h4>
            {schema::tables(resolve(self.document, &content["schema"]))}
        })
    }

    /// Returns the example body as text, if the operation has a body.
    fn example(&self) -> Option<String> {
        let content = &self.operation.spec["requestBody"]["content"]["application/json"];
        let example = content.get("example")?;
        serde_json::to_string_pretty(example).ok()
    }

    /// Renders the call as a shell command.
    fn curl(&self) -> AnyView {
        let Operation { method, path, spec } = self.operation;
        let mut lines = vec![format!("curl \"$BASE{path}\"")];
        if *method != "get" && *method != "post" {
            lines.push(format!("-X {}", method.to_uppercase()));
        }
        let security = &spec["security"][0];
        if security.get("api_key").is_some() {
            lines.push("-H \"Authorization: Bearer $API_KEY\"".to_owned());
        } else if security.get("session").is_some() {
            lines.push("-b cookies".to_owned());
        }
        if self.described_parameters().any(|parameter| parameter["name"] == self.tenant_header) {
            lines.push(format!("-H \"{}: $TENANT_ID\"", self.tenant_header));
        }
        if let Some(example) = self.example() {
            lines.push("-H 'Content-Type: application/json'".to_owned());
            lines.push(format!("-d '{example}'"));
        }
        any_view! {
            <details>
                <summary>"curl"</summary>
                <pre tabindex="0">
                    <code>{lines.join(" \\\n  ")}</code>
                </pre>
            </details>
        }
    }

    /// Renders a form that the script of the page sends. It is hidden without scripts.
    fn try_form(&self) -> AnyView {
        let Operation { method, path, .. } = self.operation;
        // The tenant is entered once for all operations.
        let parameters =
            self.described_parameters().filter(|parameter| parameter["name"] != self.tenant_header);
        let inputs = parameters.map(|parameter| {
            let [name, location] = ["name", "in"].map(|member| text(&parameter[member]).to_owned());
            view! {
                <label>
                    {format!("{name} ")}
                    <input name=name.clone() data-in=location autocomplete="off" />
                </label>
            }
        });
        let inputs = inputs.collect_view();
        let body = self.example().map(|example| {
            let rows = example.lines().count().to_string();
            view! {
                <label>
                    "Body " <textarea name="body" rows=rows spellcheck="false">
                        {between_tags(example)}
                    </textarea>
                </label>
            }
        });
        let path = (*path).to_owned();
        any_view! {
            <details class="try" hidden>
                <summary>"Try it"</summary>
                <form data-method=method.to_uppercase() data-path=path>
                    {inputs}
                    {body}
                    <button type="submit">"Send"</button>
                    <output></output>
                </form>
            </details>
        }
    }

    fn responses(&self) -> AnyView {
        let rows = members(&self.operation.spec["responses"]).map(|(status, response)| {
            let response = resolve(self.document, response);
            let kinds =
                members(&response["content"]).map(|(media, content)| match &content["schema"] {
                    Value::Null => media.clone().into_any(),
                    schema => kind(schema),
                });
            view! {
                <tr>
                    <th scope="row">{status.clone()}</th>
                    <td>{joined(kinds, ", ")}</td>
                    <td>{inline(text(&response["description"]))}</td>
                </tr>
            }
        });
        let rows = rows.collect_view();
        any_view! {
            <h4>"Responses"</h4>
            <Rows heading="Status">{rows}</Rows>
        }
    }
}
