//! Alerts: events that need attention until a user acknowledges them. This file has the page with the list; `detail` is
//! the page of one alert, `action` what users do with alerts, and `confirm` the pages that confirm it.

mod action;
mod confirm;
mod detail;
mod list;
mod row;
mod selection;

use contract::alert::{Alert, AlertFilter, AlertStatus, AlertType};
use governance::notify::alert as service;
use page_kit::{prelude::*, request::counts, text::verdict::SEVERITIES, ui::live::NewItemsPill};

use self::{
    action::last_result,
    detail::{Details, pane},
    list::AlertList,
    row::{AlertRow, records},
    selection::{Filters, SelectionForm},
};
pub use self::{
    confirm::{acknowledge, assign, snooze},
    detail::alert,
};
use crate::decision::filters::Suggestions;

const TITLE: &str = "Alerts";

/// The number of alerts per page.
const PAGE: u32 = 50;

/// `/t/{tenant}/alerts`
pub async fn alerts() -> PageResult {
    let (tenant, cx) = page::member().await?;
    let own = request::current_page();
    let rejected: Option<(Problem, SelectionForm)> = take_input(&own).await;
    let directory = directory(&cx).await?;
    let counts = counts(&cx).await?;
    let policies = Suggestions::read(&cx).await?.policies;
    let query = list_query(
        tenant,
        policies.into_iter().map(|(id, name)| (id.to_string(), name)),
        directory.people.iter().map(|(id, name)| (id.to_string(), name.clone())),
    );
    let own = own_address(&query);
    let result = last_result(&cx, tenant, &request::current_page(), &own, &directory.names).await?;
    let problem = rejected.as_ref().map(|(problem, _)| problem.clone());
    let tab = tab(&query);
    let (list, shown) = match Filters::of(&query).filter(number()) {
        Ok(filter) => {
            let alerts = service::list(&cx, &filter).await?;
            let shown = shown(&cx, &alerts.items).await?;
            let records = records(&cx, alerts.items.iter().chain(&shown)).await?;
            let row = |alert| AlertRow::new(alert, &records, &filter, &directory.names, cx.now);
            let shown = match shown.map(row) {
                Some(row) => Some(Details::read(&cx, row, &directory, rejected).await?),
                None => None,
            };
            let rows: Vec<_> = alerts.items.into_iter().map(row).collect();
            let list = AlertList {
                tenant,
                query: &query,
                now: cx.now,
                total: alerts.total,
                may_act: may_act(&cx) && tab != AlertStatus::Acknowledged,
                shown: shown.as_ref().map(|shown| shown.row.alert.id),
            };
            let last = if rows.is_empty() { last(&cx).await? } else { None };
            let is_empty = rows.is_empty();
            let groups = list.grouped(rows);
            let pane = shown.map(|shown| {
                let adjacent = list.adjacent(&groups, shown.row.alert.id);
                pane(tenant, shown, &query, adjacent)
            });
            let list = match is_empty {
                false => list.view(groups),
                true if query.is_filtered() => nothing_matches(&query),
                true => empty(tab, last),
            };
            (list, pane)
        }
        Err(message) => (note(Tone::Warn, Some("alert"), message), None),
    };
    let content = view! {
        {filter_bar(&query)}
        {list}
    };
    let content = match shown {
        Some(pane) => any_view! {
            <div class="alert-split">
                <div class="stack">{content}</div>
                {pane}
            </div>
        },
        None => content.into_any(),
    };
    let pill = (tab == AlertStatus::Open).then(|| {
        let (href, mark, is_part) =
            (query.address(&[]), counts.mark.to_string(), query.is_filtered());
        view! { <NewItemsPill subject=LiveSubject::Alerts mark href is_part /> }
    });
    Ok(any_view! {
        <div class="page-head">
            <Heading title=TITLE />
            {pill}
        </div>
        {tabs(&query, [counts.open_alerts, counts.snoozed_alerts])}
        {problem.map(problem_note)}
        {result}
        {content}
    })
}

/// Reads the filters from the address. `policies` and `people` are the IDs and the names to select from.
fn list_query(
    tenant: TenantId,
    policies: impl Iterator<Item = (String, String)>,
    people: impl Iterator<Item = (String, String)>,
) -> ListQuery {
    let kinds = [
        ("policy_violation", "Violations"),
        ("shadow_violation", "Violations in shadow mode"),
        ("governance_change", "Governance changes"),
        ("webhook_dead", "Dead webhooks"),
    ];
    let filters = vec![
        // `snoozed` or `acknowledged`; otherwise the open alerts are listed.
        Filter::parameter(AlertFilter::STATUS),
        Filter::choice(AlertFilter::SEVERITY, "Severity", SEVERITIES),
        Filter::choice(AlertFilter::ALERT_TYPE, "Type", kinds),
        Filter::text(AlertFilter::RULE_CODE, "Rule"),
        Filter::select(AlertFilter::POLICY_ID, "Policy", policies),
        Filter::select(AlertFilter::ASSIGNED_TO, "Assigned to", people),
        // `time` for one list, newest first; otherwise the alerts are grouped by rule.
        Filter::parameter("order"),
    ];
    ListQuery::read(url::alerts(tenant), filters)
}

/// Returns the number of the page, from 1.
fn number() -> u32 {
    page::query("page").parse().unwrap_or(1).max(1)
}

/// Returns the status of the listed alerts.
fn tab(query: &ListQuery) -> AlertStatus {
    query.value("status").parse().unwrap_or(AlertStatus::Open)
}

/// Returns the address of the page with these filters, to which an action returns.
fn own_address(query: &ListQuery) -> String {
    query.address(&[("page", &number().to_string()), ("alert", &page::query("alert"))])
}

/// Returns whether the user can acknowledge, assign and snooze alerts.
fn may_act(cx: &Cx) -> bool {
    cx.role().is_some_and(|role| role.has(Right::Operate))
}

/// Returns the alert that is shown next to the list: the chosen one, or else the first of the list.
async fn shown(cx: &Cx, listed: &[Alert]) -> Result<Option<Alert>, Problem> {
    let Ok(id) = page::query("alert").parse::<AlertId>() else {
        return Ok(listed.first().cloned());
    };
    match listed.iter().find(|alert| alert.id == id) {
        Some(alert) => Ok(Some(alert.clone())),
        None => Ok(Some(service::read(cx, id).await?)),
    }
}

/// Returns when the newest alert was created.
async fn last(cx: &Cx) -> Result<Option<Timestamp>, Problem> {
    let newest = AlertFilter { limit: 1, ..AlertFilter::default() };
    Ok(service::list(cx, &newest).await?.items.first().map(|alert| alert.created_at))
}

/// Renders the filters, and the links that change the order.
fn filter_bar(query: &ListQuery) -> AnyView {
    let order = |(order, label): (&'static str, &'static str)| {
        view! {
            <a
                href=query.address(&[("order", order)])
                aria-current=(query.value("order") == order).then_some("true")
                data-noscroll=""
            >
                {label}
            </a>
        }
    };
    let orders = view! {
        <nav class="segmented" aria-label="Order">
            {[("", "By rule"), ("time", "By time")].map(order)}
        </nav>
    };
    query.bar_before((), orders)
}

/// Renders the tabs with the numbers of all open and all snoozed alerts.
fn tabs(query: &ListQuery, counts: [u64; 2]) -> AnyView {
    let [open, snoozed] = counts.map(|count| Some(limited(count)));
    let current = tab(query);
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
                href=query.address(&[("status", value)])
                aria-current=(current == status).then_some("true")
                data-noscroll=""
            >
                {label}
                {count}
            </a>
        }
    };
    any_view! {
        <nav class="tabs" aria-label=TITLE>
            {tab(AlertStatus::Open, "Open", open)}
            {tab(AlertStatus::Snoozed, "Snoozed", snoozed)}
            {tab(AlertStatus::Acknowledged, "Acknowledged", None)}
        </nav>
    }
}

/// Renders the empty state of a tab. `last` is the creation time of the newest alert.
fn empty(tab: AlertStatus, last: Option<Timestamp>) -> AnyView {
    let [title, text] = match tab {
        AlertStatus::Open => [
            "No open alerts",
            "Denied decisions and decisions that need review create alerts. Set the minimum severity in settings.",
        ],
        AlertStatus::Snoozed => [
            "No snoozed alerts",
            "Snoozed alerts are listed here until their time has passed. Then they are open again.",
        ],
        AlertStatus::Acknowledged => [
            "No acknowledged alerts",
            "Acknowledged alerts are listed here with the person and time.",
        ],
    };
    let last = last.map(|at| view! { <p>"Last alert:" " " {minute(at)} "."</p> });
    any_view! {
        <div class="empty">
            <p class="font-semibold">{title}</p>
            {last}
            <p class="text-muted">{text}</p>
        </div>
    }
}

fn kind(kind: AlertType) -> &'static str {
    match kind {
        AlertType::PolicyViolation => "Violation",
        AlertType::ShadowViolation => "Violation in shadow mode",
        AlertType::GovernanceChange => "Governance change",
        AlertType::WebhookDead => "Dead webhook",
    }
}
