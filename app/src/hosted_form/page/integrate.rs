//! The integration guide of a form: how programs submit to it.

use contract::form::FormContract;
use leptos::prelude::*;

use crate::{hosted_form::words as strings, text::json, ui::code::CodeBlock};

#[component]
pub(super) fn IntegrationGuide(contract: FormContract) -> impl IntoView {
    let parts = [
        (strings::CURL, contract.curl_example),
        (strings::JAVASCRIPT, contract.sdk_examples.javascript),
        (strings::PYTHON, contract.sdk_examples.python),
        (strings::SCHEMA, json::indented(&contract.json_schema)),
        (strings::OPENAPI, json::indented(&contract.openapi_snippet)),
    ];
    let part = |(label, text): (&'static str, String)| {
        view! {
            <section class="stack">
                <h2>{label}</h2>
                <CodeBlock text label />
            </section>
        }
    };
    view! { <div class="stack">{parts.map(part)}</div> }
}
