//! Trying a decision: a dry run of a context, without a record.

pub(crate) use islands::try_decision::words;
use islands::try_decision::{TryPanel, load as source, view::TryPage as Start};
use leptos::prelude::*;

use crate::{
    request,
    text::url,
    ui::{
        field::TextField,
        heading::Heading,
        icon::{Icon, icon},
        load::load,
        params,
    },
};

/// `/t/{tenant}/try`
#[component]
pub(crate) fn TryPage() -> impl IntoView {
    let (tenant, from) = (params::tenant()(), params::query("from"));
    load(
        || (tenant.clone(), from()),
        async |(tenant, from)| {
            let tenant = tenant?;
            let cx = request::human(tenant).await?;
            Ok((tenant, source::page(&cx, tenant, &from).await?))
        },
        |(tenant, start)| {
            let Start { from, text, evaluation } = start;
            let id = from.map(|id| id.to_string()).unwrap_or_default();
            let from = from.map(|id| {
                view! {
                    <p class="text-muted">
                        {words::LOADED_FROM} " "
                        <a class="font-mono" href=url::decision(tenant, id)>
                            {id.to_string()}
                        </a>
                    </p>
                }
            });
            view! {
                <div class="page-head">
                    <Heading title=words::TITLE />
                    <span class="status shadow">{icon(Icon::Shadow)} {words::DRY_RUN}</span>
                </div>
                <form method="get" action=url::try_page(tenant) class="filters try-source">
                    <TextField label=words::FROM name="from" value=id />
                    <button>{words::LOAD}</button>
                </form>
                {from}
                <TryPanel tenant text evaluation />
            }
            .into_any()
        },
    )
}
