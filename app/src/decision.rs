//! Decisions: the list; `detail` is the page of one decision.

pub(crate) mod counts;
mod detail;
pub(crate) mod filters;
mod saved;
pub(crate) mod words;

use std::mem;

use contract::{
    decision::DecisionRecord,
    id::{DecisionId, TenantId},
};
use governance::{
    Window,
    access::permission,
    deciding::decision::{self as service, worst_violation},
    insight::rollup,
};
use leptos::prelude::*;

pub(crate) use self::detail::decision;
use self::{
    counts::{facets, has_counts, list_histogram},
    filters::{Suggestions, filter_bar, range_bar},
    saved::{removed_notice, saved_filters},
};
use crate::{
    list::{Table, pager},
    member::names::actor_name,
    page::{self, PageResult},
    request::{self, page_at, take_rejected, take_result},
    text::{
        number::count,
        query::{DecisionQuery, ListQuery as _},
        time, url,
    },
    ui::{
        badge::{SeverityChip, VerdictBadge},
        empty::{FirstDecision, NothingMatches},
        heading::Heading,
        icon::{Icon, icon},
        live::{LiveSubject, NewItemsPill},
        note::{Tone, note},
        time::Clock,
    },
};

pub(crate) const TITLE: &str = "Decisions";

/// `/t/{tenant}/decisions`. An ID in the parameter `open` redirects to that decision.
pub(crate) async fn decisions() -> PageResult {
    let (tenant, cx) = page::member().await?;
    let query = DecisionQuery::read(&|name| Some(page::query(name))).in_utc();
    if let Ok(id) = query.open.parse::<DecisionId>() {
        request::redirect(&url::decision(tenant, id));
    }
    let path = url::decisions(tenant);
    let own = query.address(&path, "");
    let rejected = take_rejected(&own).await;
    let removed = take_result(&own).await;
    let query = query.starting_from(cx.now);
    let filter = query.filter();
    // The mark is read before the rows, so that everything recorded in between counts as new.
    let mut parts = rollup::decision_list(&cx, &filter.clone().unwrap_or_default()).await?;
    let window = match filter {
        Ok(filter) => Ok(service::window(&cx, filter, &page_at(query.cursor.clone())).await?),
        Err(message) => Err(message),
    };
    let mut suggestions = Suggestions::new(mem::take(&mut parts.policies));
    if let Ok(window) = &window {
        suggestions.add(&window.items);
    }
    let is_part = query.has_filters();
    let has_counts =
        window.is_ok() && has_counts(&query) && (is_part || !parts.verdicts.is_empty());
    let list = match window {
        Ok(window) => list(tenant, &query, window),
        Err(message) => note(Tone::Warn, Some("alert"), message),
    };
    let list = if has_counts {
        view! {
            <div class="with-facets">
                <div class="stack">{list_histogram(tenant, &query, &parts)} {list}</div>
                {facets(&path, &query, &parts)}
            </div>
        }
        .into_any()
    } else {
        list
    };
    let export = cx.tenant(permission::EXPORT_DECISIONS).is_ok().then(|| {
        let href = query.address(&url::export_page(tenant), "");
        view! {
            <a class="button" href=href>
                {icon(Icon::Download)}
                "Export"
            </a>
        }
    });
    let (mark, href) = (parts.mark.to_string(), query.address(&path, ""));
    let page = view! {
        <div class="page-head">
            <Heading title=TITLE />
            <NewItemsPill subject=LiveSubject::Decisions mark href is_part />
            <span class="grow"></span>
            {export}
        </div>
        <div class="log-head">
            {saved_filters(tenant, &query.saved_filter(), parts.saved_filters, rejected)}
            {range_bar(&path, &query)} {filter_bar(&path, &query, suggestions)}
        </div>
        {removed.map(|removed| removed_notice(tenant, removed))}
        {list}
    };
    Ok(page.into_any())
}

/// Renders a page of the list, or an empty state.
fn list(tenant: TenantId, query: &DecisionQuery, window: Window<DecisionRecord>) -> AnyView {
    let path = url::decisions(tenant);
    let Window { items, next, previous } = window;
    if items.is_empty() {
        return if query.has_filters() {
            view! { <NothingMatches clear=path /> }.into_any()
        } else {
            view! { <FirstDecision tenant /> }.into_any()
        };
    }
    // The total is not counted.
    let more = if next.is_some() { ". More available." } else { "" };
    let count = count(items.len(), "decision shown", "decisions shown") + more;
    let address = |cursor: Option<String>| cursor.map(|cursor| query.address(&path, &cursor));
    let day = |record: &DecisionRecord| time::day(record.recorded_at);
    let days = items.chunk_by(|a, b| day(a) == day(b));
    let days = days.map(|items| (items.first().map(|first| day(first).into_any()), items));
    view! {
        {table(tenant).grouped(days.collect())}
        {pager(address(previous), address(next), count)}
    }
    .into_any()
}

fn table(tenant: TenantId) -> Table<'static, DecisionRecord> {
    Table::new(TITLE)
        .class("list log")
        .column("Time (UTC)", move |record: &DecisionRecord| {
            view! {
                <a href=url::decision(tenant, record.id) data-row="">
                    <Clock at=record.recorded_at />
                </a>
            }
        })
        .column("Verdict", |record| view! { <VerdictBadge verdict=record.decision /> })
        .column("Type", |record| {
            view! { <bdi class="font-mono">{record.decision_type.clone()}</bdi> }
        })
        .column("Policy", |record| {
            view! {
                <bdi>{record.policy.name.clone()}</bdi>
                <span class="text-muted tabular-nums">" v" {record.policy.version}</span>
            }
        })
        .column("Top violation", top_violation)
        .column("Actor", |record| actor(record).map(|actor| view! { <bdi>{actor}</bdi> }))
}

fn top_violation(record: &DecisionRecord) -> AnyView {
    let violations = &record.result.violations;
    let Some(top) = worst_violation(violations) else {
        return view! { <span class="text-muted">"None"</span> }.into_any();
    };
    let more = violations.len().checked_sub(2).map(|more| format!("and {} more", more + 1));
    view! {
        <SeverityChip severity=top.severity />
        <bdi class="font-mono">{top.rule_code.clone()}</bdi>
        <span class="text-muted text-xs">{more}</span>
    }
    .into_any()
}

/// Returns the name of the actor of a decision.
pub(crate) fn actor(record: &DecisionRecord) -> Option<String> {
    let named = record.actor.as_ref().and_then(actor_name);
    named.or_else(|| record.context.get("metadata")?.get("actor_id")?.as_str().map(str::to_owned))
}
