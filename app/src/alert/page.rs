//! Alerts: events that need attention until a user acknowledges them.

pub(crate) mod acknowledge;
pub(crate) mod assign;
mod confirm;
pub(crate) mod detail;
mod filters;
mod list;
mod result;
pub(crate) mod snooze;
mod trail;
mod violation;

use contract::{alert::AlertStatus, id::TenantId, time::Timestamp};
use leptos::prelude::*;

use self::{
    detail::AlertPane,
    filters::filters,
    list::{List, adjacent, own_address},
    result::ResultNotice,
};
use super::{
    act::list_alerts,
    view::{AlertsPage as AlertList, query::AlertQuery},
    words,
};
use crate::{
    text::{number::limited, url},
    ui::{
        empty::NothingMatches,
        heading::Heading,
        live::{LiveSubject, NewItemsPill},
        load::load,
        note::{Tone, note},
        params,
        problem::ProblemNote,
        time::Minute,
    },
};

/// `/t/{tenant}/alerts`
#[component]
pub(crate) fn AlertsPage() -> impl IntoView {
    let tenant = params::tenant();
    let query = params::filters(AlertQuery::read);
    load(
        move || (tenant(), query()),
        async |(tenant, query)| {
            let tenant = tenant?;
            let page = list_alerts(tenant, query.clone()).await?;
            Ok((tenant, query, page))
        },
        |(tenant, query, page)| view! { <AlertsContent tenant query page /> }.into_any(),
    )
}

#[component]
fn AlertsContent(tenant: TenantId, query: AlertQuery, page: AlertList) -> impl IntoView {
    let path = url::alerts(tenant);
    let tab = query.tab();
    let pill = (tab == AlertStatus::Open).then(|| {
        let (href, mark, is_part) =
            (query.address(&path, &[]), page.mark.clone(), query.has_filters());
        view! { <NewItemsPill subject=LiveSubject::Alerts mark href is_part /> }
    });
    let own = own_address(&path, &query);
    let result_notice =
        page.result.clone().map(|summary| view! { <ResultNotice tenant page=own summary /> });
    let problem_note = page.refused.clone().map(|problem| view! { <ProblemNote problem /> });
    let list = if let Some(error) = page.error.clone() {
        note(Tone::Warn, Some("alert"), error)
    } else if !page.rows.is_empty() {
        view! { <List tenant query=query.clone() page=page.clone() /> }.into_any()
    } else if query.has_filters() {
        view! { <NothingMatches clear=path.clone() /> }.into_any()
    } else {
        empty(tab, page.last)
    };
    let filters = filters(&path, &query, &page);
    let content = view! {
        {filters}
        {list}
    };
    let content = match page.shown.clone() {
        Some(shown) => {
            let adjacent = adjacent(&path, &query, &page, shown.row.id);
            let is_chosen = query.alert == shown.row.id.to_string();
            let own = &own_address(&path, &query);
            let close = query.address(&path, &[("page", &query.page)]);
            let pane = AlertPane { is_chosen, own, close, adjacent }.view(tenant, shown);
            view! {
                <div class="alert-split">
                    <div class="stack">{content}</div>
                    {pane}
                </div>
            }
            .into_any()
        }
        None => content.into_any(),
    };
    view! {
        <div class="page-head">
            <Heading title=words::TITLE />
            {pill}
        </div>
        <Tabs path query counts=[page.open, page.snoozed] />
        {problem_note}
        {result_notice}
        {content}
    }
}

#[component]
fn Tabs(path: String, query: AlertQuery, counts: [u64; 2]) -> impl IntoView {
    let [open, snoozed] = counts.map(|count| Some(limited(count)));
    let tab = |status: AlertStatus, label: &'static str, count: Option<String>| {
        let value = if status == AlertStatus::Open { "" } else { status.as_str() };
        let count = count.map(|count| {
            view! {
                " "
                <span class="tabular-nums text-muted">{count}</span>
            }
        });
        view! {
            <a
                href=query.address(&path, &[("status", value)])
                aria-current=(query.tab() == status).then_some("true")
                data-noscroll=""
            >
                {label}
                {count}
            </a>
        }
    };
    view! {
        <nav class="tabs" aria-label=words::TITLE>
            {tab(AlertStatus::Open, words::OPEN, open)}
            {tab(AlertStatus::Snoozed, words::SNOOZED, snoozed)}
            {tab(AlertStatus::Acknowledged, words::ACKNOWLEDGED, None)}
        </nav>
    }
}

/// Renders the empty state of a tab. `last` is the creation time of the newest alert.
fn empty(tab: AlertStatus, last: Option<Timestamp>) -> AnyView {
    use super::words as strings;
    let (title, text) = match tab {
        AlertStatus::Open => (strings::EMPTY, strings::EMPTY_NEXT),
        AlertStatus::Snoozed => (strings::NONE_SNOOZED, strings::NONE_SNOOZED_NEXT),
        AlertStatus::Acknowledged => (strings::NONE_ACKNOWLEDGED, strings::NONE_ACKNOWLEDGED_NEXT),
    };
    let last = last.map(|at| view! { <p>{strings::LAST_ALERT} " " <Minute at /> "."</p> });
    view! {
        <div class="empty">
            <p class="font-semibold">{title}</p>
            {last}
            <p class="text-muted">{text}</p>
        </div>
    }
    .into_any()
}
