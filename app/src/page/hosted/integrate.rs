//! How programs submit to a form.

use contract::form::FormContract;
use leptos::prelude::*;

use crate::{
    text::{json, words::hosted as say},
    ui::code::CodeBlock,
};

#[component]
pub(super) fn Integrate(contract: FormContract) -> impl IntoView {
    let parts = [
        (say::CURL, contract.curl_example),
        (say::JAVASCRIPT, contract.sdk_examples.javascript),
        (say::PYTHON, contract.sdk_examples.python),
        (say::SCHEMA, json::indented(&contract.json_schema)),
        (say::OPENAPI, json::indented(&contract.openapi_snippet)),
    ];
    let part = |(label, text): (&'static str, String)| {
        view! {
            <section class="stack">
                <h2>{label}</h2>
                <CodeBlock text label/>
            </section>
        }
    };
    view! { <div class="stack">{parts.map(part)}</div> }
}
