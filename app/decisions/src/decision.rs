//! Decisions: the list; `detail` is the page of one decision.

pub mod counts;
mod detail;
pub(crate) mod filters;
mod saved;

use std::mem;

use governance::{
    deciding::decision::{self as service, worst_violation},
    insight::rollup,
};
use page_kit::{
    prelude::*,
    text::query::range_in_utc,
    ui::{empty::first_decision, live::NewItemsPill, time::clock},
};

pub use self::detail::decision;
use self::{
    counts::{facets, has_counts, list_histogram},
    filters::{DecisionQuery, Suggestions},
    saved::{removed_notice, saved_filters},
};

pub(crate) const TITLE: &str = "Decisions";

/// `/t/{tenant}/decisions`. An ID in the parameter `open` redirects to that decision.
pub async fn decisions() -> PageResult {
    let (tenant, cx) = page::member().await?;
    let path = url::decisions(tenant);
    let (from, to) = range_in_utc(&page::query("from"), &page::query("to"));
    let value = |name: &str| match name {
        "from" => from.clone(),
        "to" => to.clone(),
        _ => page::query(name),
    };
    let query = DecisionQuery::read(path.clone(), Suggestions::default(), value);
    if let Some(id) = query.opened() {
        request::redirect(&url::decision(tenant, id));
    }
    let own = query.list.address(&[]);
    let rejected = take_rejected(&own).await;
    let removed = take_result(&own).await;
    let filter = query.starting_from(cx.now).filter();
    // The mark is read before the rows, so that everything recorded in between counts as new.
    let mut parts = rollup::decision_list(&cx, &filter.clone().unwrap_or_default()).await?;
    let window = match filter {
        Ok(filter) => Ok(service::window(&cx, filter, &page_at(page::query("cursor"))).await?),
        Err(message) => Err(message),
    };
    let mut suggestions = Suggestions::new(mem::take(&mut parts.policies));
    if let Ok(window) = &window {
        suggestions.add(&window.items);
    }
    let query = DecisionQuery::read(path, suggestions, value).starting_from(cx.now);
    let is_part = query.list.is_filtered();
    let has_counts =
        window.is_ok() && has_counts(&query) && (is_part || !parts.verdicts.is_empty());
    let list = match window {
        Ok(window) => list(tenant, &query, window),
        Err(message) => note(Tone::Warn, Some("alert"), message),
    };
    let list = if has_counts {
        any_view! {
            <div class="with-facets">
                <div class="stack">{list_histogram(tenant, &query, &parts)} {list}</div>
                {facets(&query, &parts)}
            </div>
        }
    } else {
        list
    };
    let export = cx.tenant(permission::EXPORT_DECISIONS).is_ok().then(|| {
        let href = url::export_page(tenant) + &query.list.query_string();
        view! {
            <a class="button" href=href>
                {icon(Icon::Download)}
                "Export"
            </a>
        }
    });
    let mark = parts.mark.to_string();
    Ok(any_view! {
        <div class="page-head">
            <Heading title=TITLE />
            <NewItemsPill subject=LiveSubject::Decisions mark href=own is_part />
            <span class="grow"></span>
            {export}
        </div>
        <div class="log-head">
            {saved_filters(tenant, &query.saved_filter(), parts.saved_filters, rejected)}
            {query.range_bar()} {query.list.bar(())}
        </div>
        {removed.map(|removed| removed_notice(tenant, removed))}
        {list}
    })
}

/// Renders a page of the list, or an empty state.
fn list(tenant: TenantId, query: &DecisionQuery, window: Window<DecisionRecord>) -> AnyView {
    let Window { items, next, previous } = window;
    if items.is_empty() {
        return if query.list.is_filtered() {
            nothing_matches(&query.list)
        } else {
            first_decision(tenant)
        };
    }
    // The total is not counted.
    let more = if next.is_some() { ". More available." } else { "" };
    let count = count(items.len(), "decision shown", "decisions shown") + more;
    let address = |cursor: Option<String>| cursor.map(|cursor| query.at(&cursor));
    let day = |record: &DecisionRecord| time::day(record.recorded_at);
    let days = items.chunk_by(|a, b| day(a) == day(b));
    let days = days.map(|items| (items.first().map(|first| day(first).into_any()), items));
    any_view! {
        {table(tenant).grouped(days.collect())}
        {pager(address(previous), address(next), count)}
    }
}

fn table(tenant: TenantId) -> Table<'static, DecisionRecord> {
    Table::new(TITLE)
        .class("list log")
        .column("Time (UTC)", move |record: &DecisionRecord| {
            view! {
                <a href=url::decision(tenant, record.id) data-row="">
                    {clock(record.recorded_at)}
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
        return any_view! { <span class="text-muted">"None"</span> };
    };
    let more = violations.len().checked_sub(2).map(|more| format!("and {} more", more + 1));
    any_view! {
        {severity_chip(top.severity)}
        <bdi class="font-mono">{top.rule_code.clone()}</bdi>
        <span class="text-muted text-xs">{more}</span>
    }
}

/// Returns the name of the actor of a decision.
pub(crate) fn actor(record: &DecisionRecord) -> Option<String> {
    let named = record.actor.as_ref().and_then(actor_name);
    named.or_else(|| record.context.get("metadata")?.get("actor_id")?.as_str().map(str::to_owned))
}
