//! The list of decisions.

pub(crate) mod counts;
pub(crate) mod filters;
mod saved;

use contract::id::TenantId;
use leptos::prelude::*;

use self::{
    counts::{Facets, Histogram},
    filters::{Filters, Ranges},
    saved::{RemovedNotice, SavedFilters},
};
use super::{
    act::list_decisions,
    list_words,
    view::{DecisionRow, DecisionRows},
};
use crate::{
    text::{
        query::{DecisionQuery, ListQuery as _},
        time, url,
    },
    ui::{
        badge::{SeverityChip, VerdictBadge},
        empty::FirstDecision,
        heading::Heading,
        icon::{Icon, icon},
        list::Paged,
        live::{LiveSubject, NewItemsPill},
        load::load,
        params,
        time::Clock,
    },
};

/// `/t/{tenant}/decisions`
#[component]
pub(crate) fn DecisionsPage() -> impl IntoView {
    let tenant = params::tenant();
    let query = params::filters(|get| DecisionQuery::read(get).in_utc());
    load(
        move || (tenant(), query()),
        async |(tenant, query)| {
            let tenant = tenant?;
            Ok((tenant, list_decisions(tenant, query).await?))
        },
        |(tenant, rows)| view! { <DecisionsContent tenant rows /> }.into_any(),
    )
}

#[component]
fn DecisionsContent(tenant: TenantId, rows: DecisionRows) -> impl IntoView {
    let path = url::decisions(tenant);
    let DecisionRows {
        page,
        query,
        error,
        counts,
        suggestions,
        saved,
        removed,
        rejected,
        may_export,
        mark,
    } = rows;
    let removed_notice = removed.map(|filter| view! { <RemovedNotice tenant filter /> });
    let (first_page, is_part) = (query.address(&path, ""), query.has_filters());
    let count = list_words::shown_count(page.items.len(), page.older.is_some());
    let list_rows = |rows| view! { <List tenant rows /> }.into_any();
    let none = || view! { <FirstDecision tenant /> }.into_any();
    let list = Paged { page, error, query: &query, path: &path, count }.render(list_rows, none);
    let list = match counts.filter(|counts| is_part || !counts.is_empty()) {
        Some(counts) => view! {
            <div class="with-facets">
                <div class="stack">
                    <Histogram tenant query=query.clone() counts=counts.clone() />
                    {list}
                </div>
                <Facets path=path.clone() query=query.clone() counts />
            </div>
        }
        .into_any(),
        None => list,
    };
    let export = may_export.then(|| {
        let href = query.address(&url::export_page(tenant), "");
        view! {
            <a class="button" href=href>
                {icon(Icon::Download)}
                {list_words::EXPORT}
            </a>
        }
    });
    view! {
        <div class="page-head">
            <Heading title=list_words::TITLE />
            <NewItemsPill subject=LiveSubject::Decisions mark href=first_page is_part />
            <span class="grow"></span>
            {export}
        </div>
        <div class="log-head">
            <SavedFilters tenant query=query.saved_filter() saved rejected />
            <Ranges path=path.clone() query=query.clone() />
            <Filters path query suggestions />
        </div>
        {removed_notice}
        {list}
    }
}

/// The decisions, grouped by the day of recording.
#[component]
fn List(tenant: TenantId, rows: Vec<DecisionRow>) -> impl IntoView {
    use super::list_words as strings;
    let days = rows.chunk_by(|a, b| time::day(a.at) == time::day(b.at)).map(<[_]>::to_vec);
    let day = |rows: Vec<DecisionRow>| {
        let day = rows.first().map(|row| time::day(row.at));
        let row = |row| view! { <Row tenant row /> };
        view! {
            <tbody>
                <tr class="group">
                    <th colspan=strings::HEAD.len() scope="rowgroup">
                        {day}
                    </th>
                </tr>
                {rows.into_iter().map(row).collect_view()}
            </tbody>
        }
    };
    view! {
        <table class="list log">
            <caption class="sr-only">{strings::TITLE}</caption>
            <thead>
                <tr>
                    {strings::HEAD.map(|head| view! { <th scope="col">{time::head(head)}</th> })}
                </tr>
            </thead>
            {days.map(day).collect_view()}
        </table>
    }
}

#[component]
fn Row(tenant: TenantId, row: DecisionRow) -> impl IntoView {
    use super::list_words as strings;
    let head = strings::HEAD;
    let top = match row.top {
        Some((code, severity)) => {
            let more = (row.more > 0).then(|| strings::more(row.more));
            view! {
                <SeverityChip severity />
                <bdi class="font-mono">{code}</bdi>
                <span class="text-muted text-xs">{more}</span>
            }
            .into_any()
        }
        None => view! { <span class="text-muted">{strings::NO_VIOLATION}</span> }.into_any(),
    };
    view! {
        <tr>
            <th scope="row" data-label=time::head(head[0])>
                <a href=url::decision(tenant, row.id) data-row="">
                    <Clock at=row.at />
                </a>
            </th>
            <td data-label=head[1]>
                <VerdictBadge verdict=row.verdict />
            </td>
            <td data-label=head[2]>
                <bdi class="font-mono">{row.decision_type}</bdi>
            </td>
            <td data-label=head[3]>
                <bdi>{row.policy}</bdi>
                <span class="text-muted tabular-nums">" v" {row.version}</span>
            </td>
            <td data-label=head[4]>{top}</td>
            <td data-label=head[5]>{row.actor.map(|actor| view! { <bdi>{actor}</bdi> })}</td>
        </tr>
    }
}
