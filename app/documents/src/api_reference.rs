//! `/docs`: the `OpenAPI` document as a page. It is rendered once and loads nothing from other hosts.

mod operation;
mod prose;
mod schema;

use page_kit::prelude::*;
use serde_json::{Map, Value};

use self::{operation::Article, prose::paragraphs};

/// The description of the page for search engines and previews of links.
const DESCRIPTION: &str = "The HTTP API of Govern: policies, decisions, receipts and their verification, \
                           with an example of each request.";

/// Renders the page of an `OpenAPI` document. `tenant_header` is the header with the ID of the tenant.
pub fn render(document: &Value, tenant_header: &str) -> String {
    let info = &document["info"];
    let tags: Vec<&Value> = document["tags"].as_array().into_iter().flatten().collect();
    let lists = tags.iter().map(|tag| list(document, text(&tag["name"]))).collect_view();
    let areas = tags.iter().map(|tag| area(document, tag, tenant_header)).collect_view();
    let schemas = members(&document["components"]["schemas"]);
    let schemas = schemas.map(|(name, schema)| schema::section(name, schema)).collect_view();
    let version = format!("API {}", text(&info["version"]));
    let introduction = paragraphs(text(&info["description"]));
    let page = view! {
        <!DOCTYPE html>
        <html lang="en">
            <Head />
            <body>
                <a class="skip" href="#main">
                    "Skip to the reference"
                </a>
                <header>
                    <p class="name">
                        <a href="/">{messages::PRODUCT}</a>
                        " "
                        <span>{version}</span>
                    </p>
                    <p>
                        <a href=crate::documentation::START>"Documentation"</a>
                        " "
                        <a href="/openapi.json">"openapi.json"</a>
                    </p>
                </header>
                <div class="columns">
                    <nav aria-label="Operations">
                        <label class="filter" hidden>
                            "Filter "
                            <input type="search" autocomplete="off" />
                        </label>
                        {lists}
                        <h2>
                            <a href="#schemas">"Schemas"</a>
                        </h2>
                    </nav>
                    <main id="main">
                        <h1>"API reference"</h1>
                        {introduction}
                        {credentials()}
                        {areas}
                        <section id="schemas">
                            <h2>"Schemas"</h2>
                            {schemas}
                        </section>
                    </main>
                </div>
            </body>
        </html>
    };
    page.to_html()
}

#[component]
fn Head() -> impl IntoView {
    view! {
        <head>
            <meta charset="utf-8" />
            <meta name="viewport" content="width=device-width, initial-scale=1" />
            <meta name="color-scheme" content="light dark" />
            <meta name="description" content=DESCRIPTION />
            <title>"Govern API"</title>
            <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
            <link rel="stylesheet" href="/docs/docs.css" />
            <script defer src="/docs/docs.js"></script>
        </head>
    }
}

/// The form for the credentials of requests that the page sends. They are not stored.
fn credentials() -> AnyView {
    any_view! {
        <form class="credentials" hidden>
            <h2>"Try it"</h2>
            <p>
                "Requests that you send from this page use these credentials. They are not stored."
            </p>
            <label>
                "Tenant ID " <input name="tenant" autocomplete="off" spellcheck="false" />
            </label>
            <label>"API key " <input name="key" type="password" autocomplete="off" /></label>
        </form>
    }
}

struct Operation<'a> {
    method: &'a str,
    path: &'a str,
    spec: &'a Value,
}

impl Operation<'_> {
    /// Returns the anchor of the operation on the page.
    fn id(&self) -> &str {
        text(&self.spec["operationId"])
    }
}

/// Returns the operations with a tag, in the order of their paths.
fn operations<'a>(document: &'a Value, tag: &str) -> Vec<Operation<'a>> {
    let all = members(&document["paths"]).flat_map(|(path, item)| {
        members(item).map(move |(method, spec)| Operation { method, path, spec })
    });
    all.filter(|operation| operation.spec["tags"][0] == tag).collect()
}

/// Renders the links to the operations with a tag.
fn list(document: &Value, tag: &str) -> AnyView {
    let item = |operation: &Operation<'_>| {
        let path = operation.path.trim_start_matches("/v1").to_owned();
        view! {
            <li>
                <a href=format!(
                    "#{}",
                    operation.id(),
                )>{badge(operation.method)} <span>{path}</span></a>
            </li>
        }
    };
    let items = operations(document, tag).iter().map(item).collect_view();
    any_view! {
        <section>
            <h2>
                <a href=format!("#{tag}")>{heading(tag)}</a>
            </h2>
            <ul>{items}</ul>
        </section>
    }
}

/// Renders the operations with a tag.
fn area(document: &Value, tag: &Value, tenant_header: &str) -> AnyView {
    let name = text(&tag["name"]);
    let articles = operations(document, name);
    let articles = articles
        .iter()
        .map(|operation| Article { document, operation, tenant_header }.render())
        .collect_view();
    any_view! {
        <section id=name.to_owned()>
            <h2>{heading(name)}</h2>
            {paragraphs(text(&tag["description"]))}
            {articles}
        </section>
    }
}

fn badge(method: &str) -> AnyView {
    any_view! { <b class=format!("method {method}")>{method.to_uppercase()}</b> }
}

/// Returns a tag as a heading.
fn heading(tag: &str) -> String {
    let heading = tag.replace('-', " ");
    let (first, rest) = heading.split_at(heading.len().min(1));
    first.to_uppercase() + rest
}

/// Returns the text of a value, or an empty text.
fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// Returns what a reference within the document names, or the value itself.
fn resolve<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    let pointer = text(&value["$ref"]).strip_prefix('#');
    pointer.and_then(|pointer| document.pointer(pointer)).unwrap_or(value)
}

/// Iterates over the members of a JSON object.
fn members(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flat_map(Map::iter)
}
