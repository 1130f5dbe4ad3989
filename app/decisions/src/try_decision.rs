//! Trying a decision: a dry run of a context, without a record.

pub(crate) use islands::try_decision::words;
use islands::try_decision::{TryPanel, load as source, view::TryPage as Start};
use page_kit::prelude::*;

/// `/t/{tenant}/try`
pub async fn try_page() -> PageResult {
    let (tenant, cx) = page::member().await?;
    let Start { from, text, evaluation } = source::page(&cx, tenant, &page::query("from")).await?;
    let id = from.map(|id| id.to_string()).unwrap_or_default();
    let from = from.map(|id| {
        view! {
            <p class="text-muted">
                {words::LOADED_FROM} " " <a class="font-mono" href=url::decision(tenant, id)>
                    {id.to_string()}
                </a>
            </p>
        }
    });
    Ok(any_view! {
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
    })
}
