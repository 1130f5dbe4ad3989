//! The verification bundle of a decision: the decision's provenance, the files, and how to verify them.

mod files;
mod provenance;

use leptos::prelude::*;

use self::{
    files::{FileContent, Files},
    provenance::ProvenanceDiagram,
};
use crate::{
    api::bundle::read_bundle,
    markup::inline_code::quoted,
    text::{messages, url},
    ui::{code::CodeBlock, heading::Heading, load::load, panel::Crumb, params},
    view::bundle::{BundlePage as Bundle, FileLine, claims},
};

/// `/t/{tenant}/decisions/{decision}/bundle`
#[component]
pub(crate) fn BundlePage() -> impl IntoView {
    let (tenant, id) = (params::tenant(), params::decision());
    let open = params::query("file");
    load(
        move || (tenant(), id(), open()),
        async |(tenant, id, open)| read_bundle(tenant?, id?, open).await,
        |bundle| view! { <BundleContent bundle /> }.into_any(),
    )
}

#[component]
fn BundleContent(bundle: Bundle) -> impl IntoView {
    let Bundle { tenant, id, decision_type, lineage, files, open, archive } = bundle;
    let path = url::bundle(tenant, id);
    let file_name = params::query("file");
    let missing = move || {
        (!file_name().is_empty()).then(|| {
            view! {
                <p class="note warn" role="status">
                    {messages::bundle::UNKNOWN_FILE}
                </p>
            }
        })
    };
    let open = match open {
        Some(file) => view! { <FileContent file path=path.clone() /> }.into_any(),
        None => missing.into_any(),
    };
    view! {
        <Crumb
            href=url::decisions(tenant)
            label=messages::decisions::TITLE
            inner=(url::decision(tenant, id), decision_type.clone())
        />
        <div class="page-head">
            <Heading title=messages::bundle::title(
                &decision_type,
            )>{messages::bundle::TITLE} " " <bdi>{decision_type}</bdi></Heading>
            <span class="grow"></span>
            <a
                class="button"
                href=url::with_query(&url::archive(id), &[("format", "json")])
                rel="external"
            >
                {messages::bundle::AS_JSON}
            </a>
            <a
                class="button primary"
                href=url::archive(id)
                rel="external"
                download=format!("{id}.tar")
            >
                {messages::bundle::DOWNLOAD}
            </a>
        </div>
        <p class="intro">{messages::bundle::INTRO}</p>
        <div class="stack">
            <ProvenanceDiagram provenance=lineage tenant id />
            <section class="card stack" aria-labelledby="check">
                <h2 id="check">{messages::bundle::CHECK}</h2>
                <p>{quoted(messages::bundle::CHECK_HELP)}</p>
                <CodeBlock
                    text=messages::bundle::command(&archive, id)
                    label=messages::bundle::COMMAND
                />
                <p>
                    <a href=url::verify(id)>{messages::bundle::IN_BROWSER}</a>
                </p>
            </section>
            <Claims files=files.clone() />
            {open}
            <Files files path />
        </div>
    }
}

/// The ten claims, what each one checks, and the number of its files. This page checks none of them.
#[component]
fn Claims(files: Vec<FileLine>) -> impl IntoView {
    let [name, what, number] = messages::bundle::CLAIM_HEAD;
    let row = move |(claim, files): (&'static str, usize)| {
        view! {
            <tr>
                <th scope="row" data-label=name>
                    {messages::verify::claim(claim)}
                </th>
                <td data-label=what>{messages::bundle::claim(claim)}</td>
                <td class="tabular-nums" data-label=number>
                    {messages::bundle::files(files)}
                </td>
            </tr>
        }
    };
    view! {
        <section class="card flush" aria-labelledby="claims">
            <div class="pad">
                <h2 id="claims">{messages::bundle::CLAIMS}</h2>
                <p class="text-muted">{messages::bundle::CLAIMS_NOTE}</p>
            </div>
            <table class="list">
                <caption class="sr-only">{messages::bundle::CLAIMS}</caption>
                <thead>
                    <tr>
                        {messages::bundle::CLAIM_HEAD
                            .map(|head| view! { <th scope="col">{head}</th> })}
                    </tr>
                </thead>
                <tbody>{claims(&files).into_iter().map(row).collect_view()}</tbody>
            </table>
        </section>
    }
}
