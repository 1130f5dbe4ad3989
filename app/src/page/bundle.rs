//! The bundle of a decision: where the decision comes from, what the bundle holds, and how to check it.

mod files;
mod lineage;

use leptos::prelude::*;

use self::{
    files::{Files, Open},
    lineage::Picture,
};
use super::params;
use crate::{
    api::bundle::read_bundle,
    text::{url, words},
    ui::{
        code::CodeBlock,
        heading::Heading,
        icon::{Icon, icon},
        load::load,
        quoted::quoted,
    },
    view::bundle::{BundlePage as Bundle, FileLine, claims},
};

/// `/t/{tenant}/decisions/{decision}/bundle`
#[component]
pub(crate) fn BundlePage() -> impl IntoView {
    let (tenant, id) = (params::tenant(), params::decision());
    let open = params::query("file");
    let bundle = Resource::new(
        move || (tenant(), id(), open()),
        async |(tenant, id, open)| read_bundle(tenant?, id?, open).await,
    );
    view! { {load(bundle, |bundle| view! { <Whole bundle/> }.into_any())} }
}

#[component]
fn Whole(bundle: Bundle) -> impl IntoView {
    let Bundle { tenant, id, decision_type, lineage, files, open, archive } = bundle;
    let path = url::bundle(tenant, id);
    let named = params::query("file");
    let missing = move || {
        (!named().is_empty()).then(|| {
            view! {
                <p class="note warn" role="status">
                    {words::bundle::NO_SUCH}
                </p>
            }
        })
    };
    let open = match open {
        Some(open) => view! { <Open open path=path.clone()/> }.into_any(),
        None => missing.into_any(),
    };
    view! {
        <nav class="crumbs" aria-label=words::menu::CRUMBS>
            <a href=url::decisions(tenant)>{words::decisions::TITLE}</a>
            {icon(Icon::Next)}
            <a href=url::decision(tenant, id)>
                <bdi>{decision_type.clone()}</bdi>
            </a>
        </nav>
        <div class="page-head">
            <Heading title=words::bundle::title(&decision_type)>
                {words::bundle::TITLE} " " <bdi>{decision_type}</bdi>
            </Heading>
            <span class="grow"></span>
            <a class="button" href=url::with_query(&url::archive(id), &[("format", "json")]) rel="external">
                {words::bundle::AS_JSON}
            </a>
            <a class="button primary" href=url::archive(id) rel="external" download=format!("{id}.tar")>
                {words::bundle::DOWNLOAD}
            </a>
        </div>
        <p class="lead">{words::bundle::LEAD}</p>
        <div class="stack">
            <Picture lineage tenant id/>
            <section class="card stack" aria-labelledby="check">
                <h2 id="check">{words::bundle::CHECK}</h2>
                <p>{quoted(words::bundle::CHECK_SAYS)}</p>
                <CodeBlock text=words::bundle::command(&archive, id) label=words::bundle::COMMAND/>
                <p>
                    <a href=url::verify(id)>{words::bundle::IN_BROWSER}</a>
                </p>
            </section>
            <Claims files=files.clone()/>
            {open}
            <Files files path/>
        </div>
    }
}

/// The ten claims, and what is looked at for each. None was looked at here.
#[component]
fn Claims(files: Vec<FileLine>) -> impl IntoView {
    let [name, what, number] = words::bundle::CLAIM_HEAD;
    let row = move |(claim, files): (&'static str, usize)| {
        view! {
            <tr>
                <th scope="row" data-label=name>
                    {words::verify::claim(claim)}
                </th>
                <td data-label=what>{words::bundle::claim(claim)}</td>
                <td class="tabular-nums" data-label=number>
                    {words::bundle::files(files)}
                </td>
            </tr>
        }
    };
    view! {
        <section class="card flush" aria-labelledby="claims">
            <div class="pad">
                <h2 id="claims">{words::bundle::CLAIMS}</h2>
                <p class="text-muted">{words::bundle::CLAIMS_SAY}</p>
            </div>
            <table class="list">
                <caption class="sr-only">{words::bundle::CLAIMS}</caption>
                <thead>
                    <tr>
                        {words::bundle::CLAIM_HEAD.map(|head| view! { <th scope="col">{head}</th> })}
                    </tr>
                </thead>
                <tbody>{claims(&files).into_iter().map(row).collect_view()}</tbody>
            </table>
        </section>
    }
}
