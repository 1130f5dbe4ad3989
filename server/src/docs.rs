//! `/docs`: the `OpenAPI` document as an HTML page. It is rendered once and loads nothing from other hosts.

mod operation;
mod schema;

use axum::{
    Router, middleware,
    response::{IntoResponse, Response},
    routing::get,
};
use http::header;
use serde_json::{Map, Value};

use crate::{
    edge::{
        compression,
        error::{ApiResult, no_such_path},
        extract::{Path, json_text},
    },
    html::{escape, paragraphs},
    state::Service,
};

const STYLE: &str = include_str!("docs/docs.css");
const SCRIPT: &str = include_str!("docs/docs.js");

/// The description of the page for search engines and previews of links.
const DESCRIPTION: &str = "The HTTP API of Govern: policies, decisions, receipts and their verification, \
                           with an example of each request.";

/// The content security policy of the page: only files of this service, and no inline scripts or styles.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
                      connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Returns the routes of the document, its page, and the style and script of the page.
pub(crate) fn routes(document: &Value) -> Router<Service> {
    let (json, page) = (document.to_string(), page(document));
    Router::new()
        .route("/openapi.json", get(async move || json_text(json)))
        .route("/docs", get(async move || respond("text/html; charset=utf-8", page)))
        .route("/docs/{file}", get(file))
        .route_layer(middleware::from_fn(compression::compress))
}

async fn file(Path((name,)): Path<(String,)>) -> ApiResult<Response> {
    match name.as_str() {
        "docs.css" => Ok(respond("text/css; charset=utf-8", STYLE)),
        "docs.js" => Ok(respond("text/javascript; charset=utf-8", SCRIPT)),
        _ => Err(no_such_path()),
    }
}

fn respond(content_type: &'static str, text: impl IntoResponse) -> Response {
    let headers = [
        (header::CONTENT_TYPE, content_type),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::CACHE_CONTROL, "no-cache"),
        (header::REFERRER_POLICY, "same-origin"),
    ];
    (headers, text).into_response()
}

pub(crate) struct Operation<'a> {
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

/// Returns the text of a value, or an empty text.
fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// Returns the operations with a tag, in the order of their paths.
fn operations<'a>(document: &'a Value, tag: &str) -> Vec<Operation<'a>> {
    let paths = document["paths"].as_object().into_iter().flatten();
    let all = paths.flat_map(|(path, item)| {
        let methods = item.as_object().into_iter().flatten();
        methods.map(move |(method, spec)| Operation { method, path, spec })
    });
    all.filter(|operation| operation.spec["tags"][0] == tag).collect()
}

fn page(document: &Value) -> String {
    let info = &document["info"];
    let (version, introduction) = (escape(text(&info["version"])), text(&info["description"]));
    let tags: Vec<&Value> = document["tags"].as_array().into_iter().flatten().collect();
    let lists: String = tags.iter().map(|tag| list(document, text(&tag["name"]))).collect();
    let areas: String = tags.iter().map(|tag| area(document, tag)).collect();
    let schemas = document["components"]["schemas"].as_object();
    let schemas: String = schemas.into_iter().flatten().map(schema::section).collect();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"color-scheme\" content=\"light dark\">\
         <meta name=\"description\" content=\"{DESCRIPTION}\"><title>Govern API</title>\
         <link rel=\"icon\" href=\"/favicon.svg\" type=\"image/svg+xml\">\
         <link rel=\"stylesheet\" href=\"/docs/docs.css\">\
         <script defer src=\"/docs/docs.js\"></script></head><body>\
         <a class=\"skip\" href=\"#main\">Skip to the reference</a>\
         <header><p class=\"name\"><a href=\"/\">Govern</a> <span>API {version}</span></p>\
         <p><a href=\"/openapi.json\">openapi.json</a></p></header>\
         <div class=\"columns\"><nav aria-label=\"Operations\">\
         <label class=\"filter\" hidden>Filter <input type=\"search\" autocomplete=\"off\"></label>\
         {lists}<h2><a href=\"#schemas\">Schemas</a></h2></nav>\
         <main id=\"main\"><h1>API reference</h1>{}{CREDENTIALS}{areas}\
         <section id=\"schemas\"><h2>Schemas</h2>{schemas}</section></main></div></body></html>\n",
        paragraphs(introduction),
    )
}

/// The form for the credentials of requests that the page sends. They are not stored.
const CREDENTIALS: &str = "<form class=\"credentials\" hidden><h2>Try it</h2>\
    <p>Requests that you send from this page use these credentials. They are not stored.</p>\
    <label>Tenant ID <input name=\"tenant\" autocomplete=\"off\" spellcheck=\"false\"></label>\
    <label>API key <input name=\"key\" type=\"password\" autocomplete=\"off\"></label></form>";

fn list(document: &Value, tag: &str) -> String {
    let items: Vec<String> = operations(document, tag)
        .iter()
        .map(|operation| {
            let (id, method, path) = (escape(operation.id()), operation.method, operation.path);
            let path = escape(path.trim_start_matches("/v1"));
            format!("<li><a href=\"#{id}\">{}<span>{path}</span></a></li>", badge(method))
        })
        .collect();
    format!(
        "<section><h2><a href=\"#{tag}\">{}</a></h2><ul>{}</ul></section>",
        title(tag),
        items.concat()
    )
}

fn area(document: &Value, tag: &Value) -> String {
    let name = text(&tag["name"]);
    let operations = operations(document, name);
    let articles: String =
        operations.iter().map(|item| operation::article(document, item)).collect();
    let description = paragraphs(text(&tag["description"]));
    format!("<section id=\"{name}\"><h2>{}</h2>{description}{articles}</section>", title(name))
}

fn badge(method: &str) -> String {
    format!("<b class=\"method {method}\">{}</b>", method.to_uppercase())
}

/// Returns a tag as a heading.
fn title(tag: &str) -> String {
    let heading = tag.replace('-', " ");
    let (first, rest) = heading.split_at(heading.len().min(1));
    escape(&(first.to_uppercase() + rest))
}

/// Iterates over the members of a JSON object.
fn members(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flat_map(Map::iter)
}
