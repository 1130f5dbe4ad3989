//! `/docs`: the `OpenAPI` document as a page for people, made once and served without any network.

mod operation;
mod schema;

use axum::{
    Router,
    response::{IntoResponse, Response},
    routing::get,
};
use http::header;
use serde_json::{Map, Value};

use crate::{
    edge::{
        error::{Reply, no_such_path},
        extract::{Path, json_text},
    },
    html::{escaped, prose},
    state::Service,
};

const STYLE: &str = include_str!("docs/docs.css");
const SCRIPT: &str = include_str!("docs/docs.js");

/// What the page may load: what comes from here, and nothing that is written into it.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
                      connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The document as it is, and as a page with its style and script.
pub(crate) fn routes(document: &Value) -> Router<Service> {
    let (json, page) = (document.to_string(), page(document));
    Router::new()
        .route("/openapi.json", get(async move || json_text(json)))
        .route("/docs", get(async move || served("text/html; charset=utf-8", page)))
        .route("/docs/{file}", get(file))
}

async fn file(Path((name,)): Path<(String,)>) -> Reply<Response> {
    match name.as_str() {
        "docs.css" => Ok(served("text/css; charset=utf-8", STYLE)),
        "docs.js" => Ok(served("text/javascript; charset=utf-8", SCRIPT)),
        _ => Err(no_such_path()),
    }
}

fn served(content_type: &'static str, text: impl IntoResponse) -> Response {
    let headers = [
        (header::CONTENT_TYPE, content_type),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::CACHE_CONTROL, "no-cache"),
        (header::REFERRER_POLICY, "same-origin"),
    ];
    (headers, text).into_response()
}

/// One operation of the document, and where it is.
pub(crate) struct Operation<'a> {
    method: &'a str,
    path: &'a str,
    says: &'a Value,
}

impl Operation<'_> {
    /// The name of its place on the page.
    fn id(&self) -> &str {
        text(&self.says["operationId"])
    }
}

/// The text of a member, empty where there is none.
fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// The operations of an area, in the order of their paths.
fn operations<'a>(document: &'a Value, tag: &str) -> Vec<Operation<'a>> {
    let paths = document["paths"].as_object().into_iter().flatten();
    let all = paths.flat_map(|(path, item)| {
        let methods = item.as_object().into_iter().flatten();
        methods.map(move |(method, says)| Operation { method, path, says })
    });
    all.filter(|operation| operation.says["tags"][0] == tag).collect()
}

fn page(document: &Value) -> String {
    let info = &document["info"];
    let (version, introduction) = (escaped(text(&info["version"])), text(&info["description"]));
    let tags: Vec<&Value> = document["tags"].as_array().into_iter().flatten().collect();
    let lists: String = tags.iter().map(|tag| list(document, text(&tag["name"]))).collect();
    let areas: String = tags.iter().map(|tag| area(document, tag)).collect();
    let schemas = document["components"]["schemas"].as_object();
    let schemas: String = schemas.into_iter().flatten().map(schema::section).collect();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"color-scheme\" content=\"light dark\"><title>Govern API</title>\
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
        prose(introduction),
    )
}

/// Where a key is typed for the requests that the page sends. It stays in the page, and is gone with it.
const CREDENTIALS: &str = "<form class=\"credentials\" hidden><h2>Try it</h2>\
    <p>What you type here goes with the requests that you send from this page. It is not kept.</p>\
    <label>Tenant id <input name=\"tenant\" autocomplete=\"off\" spellcheck=\"false\"></label>\
    <label>API key <input name=\"key\" type=\"password\" autocomplete=\"off\"></label></form>";

fn list(document: &Value, tag: &str) -> String {
    let items: Vec<String> = operations(document, tag)
        .iter()
        .map(|operation| {
            let (id, method, path) = (escaped(operation.id()), operation.method, operation.path);
            let path = escaped(path.trim_start_matches("/v1"));
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
    let articles: String = operations.iter().map(|one| operation::article(document, one)).collect();
    let words = prose(text(&tag["description"]));
    format!("<section id=\"{name}\"><h2>{}</h2>{words}{articles}</section>", title(name))
}

fn badge(method: &str) -> String {
    format!("<b class=\"method {method}\">{}</b>", method.to_uppercase())
}

/// A tag as a heading.
fn title(tag: &str) -> String {
    let words = tag.replace('-', " ");
    let (first, rest) = words.split_at(words.len().min(1));
    escaped(&(first.to_uppercase() + rest))
}

/// The members of a JSON object.
fn members(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flat_map(Map::iter)
}
