//! The log of decisions.

mod export;
mod filters;
mod saved;

use contract::id::TenantId;
use leptos::prelude::*;
use leptos_router::hooks::use_query_map;

use self::{export::Export, filters::Filters, saved::Saved};
use super::params;
use crate::{
    api::decision::list_decisions,
    text::{url, words},
    ui::{
        badge::{SeverityChip, VerdictBadge},
        empty::{FirstDecision, NothingMatches},
        heading::Heading,
        icon::{Icon, icon},
        live::{LivePill, News},
        load::load,
        time::Second,
    },
    view::{
        decision::{DecisionRow, DecisionRows},
        query::DecisionQuery,
    },
};

/// `/t/{tenant}/decisions`
#[component]
pub(crate) fn DecisionsPage() -> impl IntoView {
    let tenant = params::tenant();
    let query = use_query_map();
    let query = move || DecisionQuery::read(|name| query.with(|query| query.get(name)));
    let rows = Resource::new(
        move || (tenant(), query()),
        async |(tenant, query)| {
            let tenant = tenant?;
            let rows = list_decisions(tenant, query.clone()).await?;
            Ok((tenant, query, rows))
        },
    );
    view! { {load(rows, |(tenant, query, rows)| view! { <Log tenant query rows/> }.into_any())} }
}

#[component]
fn Log(tenant: TenantId, query: DecisionQuery, rows: DecisionRows) -> impl IntoView {
    let path = url::decisions(tenant);
    let (now, has_range) = (query.kept(), query.has_range());
    let DecisionRows { page, fault, policies, saved, kept, may_export, mark } = rows;
    let (fresh, is_part) = (query.address(&path, ""), query.filters());
    let older = page.next_cursor.as_deref().map(|cursor| query.address(&path, cursor));
    let shown = words::decisions::shown(page.items.len(), older.is_some());
    let list = if let Some(fault) = fault {
        view! {
            <div class="note warn" role="alert">
                {icon(Icon::Warn)}
                <p>{fault}</p>
            </div>
        }
        .into_any()
    } else if page.items.is_empty() && query.filters() {
        view! { <NothingMatches clear=path.clone()/> }.into_any()
    } else if page.items.is_empty() {
        view! { <FirstDecision tenant/> }.into_any()
    } else {
        view! {
            <Rows tenant rows=page.items/>
            <p class="row">
                {older.map(|href| view! { <a class="button" href=href>{words::OLDER}</a> })}
                <span class="text-xs text-muted">{shown}</span>
            </p>
        }
        .into_any()
    };
    view! {
        <div class="page-head">
            <Heading title=words::decisions::TITLE/>
            <LivePill news=News::Decisions mark href=fresh is_part/>
        </div>
        <Filters path query policies/>
        <Saved tenant now=now.clone() saved kept/>
        {may_export.then(|| view! { <Export tenant query=now has_range/> })}
        {list}
    }
}

#[component]
fn Rows(tenant: TenantId, rows: Vec<DecisionRow>) -> impl IntoView {
    let row = move |row| view! { <Row tenant row/> };
    view! {
        <table class="list">
            <caption class="sr-only">{words::decisions::TITLE}</caption>
            <thead>
                <tr>
                    {words::decisions::HEAD.map(|head| view! { <th scope="col">{head}</th> })}
                </tr>
            </thead>
            <tbody>{rows.into_iter().map(row).collect_view()}</tbody>
        </table>
    }
}

#[component]
fn Row(tenant: TenantId, row: DecisionRow) -> impl IntoView {
    use words::decisions::HEAD;
    let top = row.top.map(|(code, severity)| {
        let more = (row.more > 0).then(|| words::decisions::more(row.more));
        view! {
            <SeverityChip severity/>
            <bdi class="font-mono">{code}</bdi>
            <span class="text-muted text-xs">{more}</span>
        }
    });
    view! {
        <tr>
            <th scope="row" data-label=HEAD[0]>
                <a href=url::decision(tenant, row.id) data-row="">
                    <Second at=row.at/>
                </a>
            </th>
            <td data-label=HEAD[1]>
                <VerdictBadge verdict=row.verdict/>
            </td>
            <td data-label=HEAD[2]>
                <bdi>{row.decision_type}</bdi>
            </td>
            <td data-label=HEAD[3]>
                <bdi>{row.policy}</bdi>
                <span class="text-muted tabular-nums">" v" {row.version}</span>
            </td>
            <td data-label=HEAD[4]>{top}</td>
            <td data-label=HEAD[5]>{row.actor.map(|actor| view! { <bdi>{actor}</bdi> })}</td>
        </tr>
    }
}
