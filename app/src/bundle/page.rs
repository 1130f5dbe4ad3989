//! The verification bundle of a decision: the decision's provenance, the files, and how to verify them.

mod files;
mod provenance;

use leptos::prelude::*;

use self::{
    files::{FileContent, Files},
    provenance::ProvenanceDiagram,
};
use super::{
    act::read_bundle,
    view::{BundlePage as Bundle, FileLine, claims},
    words,
};
use crate::{
    decision,
    text::url,
    ui::{
        code::CodeBlock, heading::Heading, inline_code::quoted, load::load, panel::Crumb, params,
    },
    verify::words as verify_words,
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
                    {words::UNKNOWN_FILE}
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
            label=decision::TITLE
            inner=(url::decision(tenant, id), decision_type.clone())
        />
        <div class="page-head">
            <Heading title=words::title(
                &decision_type,
            )>{words::TITLE} " " <bdi>{decision_type}</bdi></Heading>
            <span class="grow"></span>
            <a
                class="button"
                href=url::with_query(&url::archive(id), &[("format", "json")])
                rel="external"
            >
                {words::AS_JSON}
            </a>
            <a
                class="button primary"
                href=url::archive(id)
                rel="external"
                download=format!("{id}.tar")
            >
                {words::DOWNLOAD}
            </a>
        </div>
        <p class="intro">{words::INTRO}</p>
        <div class="stack">
            <ProvenanceDiagram provenance=lineage tenant id />
            <section class="card stack" aria-labelledby="check">
                <h2 id="check">{words::CHECK}</h2>
                <p>{quoted(words::CHECK_HELP)}</p>
                <CodeBlock text=words::command(&archive, id) label=words::COMMAND />
                <p>
                    <a href=url::verify(id)>{words::IN_BROWSER}</a>
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
    let [name, what, number] = words::CLAIM_HEAD;
    let row = move |(claim, files): (&'static str, usize)| {
        view! {
            <tr>
                <th scope="row" data-label=name>
                    {verify_words::claim(claim)}
                </th>
                <td data-label=what>{words::claim(claim)}</td>
                <td class="tabular-nums" data-label=number>
                    {words::files(files)}
                </td>
            </tr>
        }
    };
    view! {
        <section class="card flush" aria-labelledby="claims">
            <div class="pad">
                <h2 id="claims">{words::CLAIMS}</h2>
                <p class="text-muted">{words::CLAIMS_NOTE}</p>
            </div>
            <table class="list">
                <caption class="sr-only">{words::CLAIMS}</caption>
                <thead>
                    <tr>{words::CLAIM_HEAD.map(|head| view! { <th scope="col">{head}</th> })}</tr>
                </thead>
                <tbody>{claims(&files).into_iter().map(row).collect_view()}</tbody>
            </table>
        </section>
    }
}
