//! The list of decisions.

mod export;
mod filters;
mod saved;

use contract::id::TenantId;
use leptos::prelude::*;

use self::{export::Export, filters::Filters, saved::SavedFilters};
use crate::{
    api::decision::list_decisions,
    markup::note::{Tone, note},
    text::{messages, url},
    ui::{
        badge::{SeverityChip, VerdictBadge},
        empty::{FirstDecision, NothingMatches},
        heading::Heading,
        list::table,
        live::{LiveSubject, NewItemsPill},
        load::load,
        params,
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
    let query = params::filters(DecisionQuery::read);
    load(
        move || (tenant(), query()),
        async |(tenant, query)| {
            let tenant = tenant?;
            let rows = list_decisions(tenant, query.clone()).await?;
            Ok((tenant, query, rows))
        },
        |(tenant, query, rows)| view! { <DecisionsContent tenant query rows /> }.into_any(),
    )
}

#[component]
fn DecisionsContent(tenant: TenantId, query: DecisionQuery, rows: DecisionRows) -> impl IntoView {
    let path = url::decisions(tenant);
    let (current_query, has_range) = (query.saved_filter(), query.has_range());
    let DecisionRows { page, fault: error, policies, saved, rejected, may_export, mark } = rows;
    let (first_page, is_part) = (query.address(&path, ""), query.has_filters());
    let older = page.next_cursor.as_deref().map(|cursor| query.address(&path, cursor));
    let count = messages::decisions::shown_count(page.items.len(), older.is_some());
    let list = if let Some(error) = error {
        note(Tone::Warn, Some("alert"), error)
    } else if page.items.is_empty() && query.has_filters() {
        view! { <NothingMatches clear=path.clone() /> }.into_any()
    } else if page.items.is_empty() {
        view! { <FirstDecision tenant /> }.into_any()
    } else {
        view! {
            {table(
                messages::decisions::TITLE,
                messages::decisions::HEAD,
                page.items,
                move |row| view! { <Row tenant row /> },
            )}
            <p class="row">
                {older
                    .map(|href| {
                        view! {
                            <a class="button" href=href>
                                {messages::OLDER}
                            </a>
                        }
                    })} <span class="text-xs text-muted">{count}</span>
            </p>
        }
        .into_any()
    };
    view! {
        <div class="page-head">
            <Heading title=messages::decisions::TITLE />
            <NewItemsPill subject=LiveSubject::Decisions mark href=first_page is_part />
        </div>
        <Filters path query policies />
        <SavedFilters tenant query=current_query.clone() saved rejected />
        {may_export.then(|| view! { <Export tenant query=current_query has_range /> })}
        {list}
    }
}

#[component]
fn Row(tenant: TenantId, row: DecisionRow) -> impl IntoView {
    use messages::decisions::HEAD;
    let top = row.top.map(|(code, severity)| {
        let more = (row.more > 0).then(|| messages::decisions::more(row.more));
        view! {
            <SeverityChip severity />
            <bdi class="font-mono">{code}</bdi>
            <span class="text-muted text-xs">{more}</span>
        }
    });
    view! {
        <tr>
            <th scope="row" data-label=HEAD[0]>
                <a href=url::decision(tenant, row.id) data-row="">
                    <Second at=row.at />
                </a>
            </th>
            <td data-label=HEAD[1]>
                <VerdictBadge verdict=row.verdict />
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
