//! One alert, on its page and next to the list: its facts, what happened to it, and its actions.

use contract::alert::{Alert, AlertFilter};
use governance::{
    access::member::Directory,
    notify::alert::{self as service, AlertDelivery, Change, PastChange, Trail},
};
use page_kit::prelude::*;

use super::{
    action::{
        AcknowledgeAlerts, AlertAction, FINAL, FormStyle, assign_form, last_result, snooze_form,
    },
    kind,
    list::decision_link,
    may_act, own_address,
    row::{AlertRow, AlertViolation, records},
    selection::{Selection, SelectionForm},
};
use crate::delivery;

pub(super) const BACK: &str = "Back to the alerts";

/// An alert with its history, and who can act on it.
pub(super) struct Details {
    pub(super) row: AlertRow,
    trail: Trail,
    /// The names of users and keys, and the members to whom it can be assigned.
    directory: std::sync::Arc<Directory>,
    may_act: bool,
    /// The time of the page.
    now: Timestamp,
    /// Why the last action was rejected, with its input.
    rejected: Option<(Problem, SelectionForm)>,
}

impl Details {
    pub(super) async fn read(
        cx: &Cx,
        row: AlertRow,
        directory: &std::sync::Arc<Directory>,
        rejected: Option<(Problem, SelectionForm)>,
    ) -> Result<Self, Problem> {
        let trail = service::trail(cx, row.alert.id).await?;
        let (directory, may_act) = (directory.clone(), may_act(cx));
        Ok(Self { row, trail, directory, may_act, now: cx.now, rejected })
    }
}

/// `/t/{tenant}/alerts/{alert}`
pub async fn alert() -> PageResult {
    let (tenant, cx) = page::member().await?;
    let id = page::param("alert")?;
    let directory = directory(&cx).await?;
    let names = &directory.names;
    let address = request::current_page();
    let alert = service::read(&cx, id).await?;
    let records = records(&cx, [&alert]).await?;
    let row = AlertRow::new(alert, &records, &AlertFilter::default(), names, cx.now);
    let rejected = take_input(&address).await;
    let own = url::alert(tenant, id);
    let result = last_result(&cx, tenant, &address, &own, names).await?;
    let alert = Details::read(&cx, row, &directory, rejected).await?;
    let problem = alert.rejected.as_ref().map(|(problem, _)| problem.clone());
    let title = kind(alert.row.alert.alert_type);
    let (age, text) = (severity_and_age(&alert), alert.row.title());
    let details = details(tenant, alert, &own, true);
    Ok(any_view! {
        <Panel title problem back=url::alerts(tenant) back_label=BACK>
            {result}
            <div class="row">{age}</div>
            <p class="font-semibold">
                <bdi class="breaks">{text}</bdi>
            </p>
            {details}
        </Panel>
    })
}

/// Renders the alert next to the list, with the links to the alerts before and after it. A page without room for both
/// shows a chosen alert instead of the list, and the list instead of the first alert, which no one chose. Single keys
/// act only on a chosen alert.
pub(super) fn pane(
    tenant: TenantId,
    shown: Details,
    query: &ListQuery,
    [before, after]: [Option<String>; 2],
) -> AnyView {
    let id = shown.row.alert.id;
    let is_chosen = page::query("alert") == id.to_string();
    let adjacent = |href: Option<String>, label: &'static str, drawing: Icon| {
        href.map(|href| {
            view! {
                <a class="button" href=href aria-label=label data-noscroll="">
                    {icon(drawing)}
                </a>
            }
        })
    };
    let close = is_chosen.then(|| {
        view! {
            <a href=query.address(&[("page", &page::query("page"))]) data-noscroll="">
                {BACK}
            </a>
        }
    });
    let class =
        if is_chosen { "card alert-pane stack" } else { "card alert-pane by-default stack" };
    let title = shown.row.title();
    any_view! {
        <aside class=class aria-labelledby="shown-alert">
            <div class="row">
                {severity_and_age(&shown)} <span class="grow"></span>
                {adjacent(before, "Previous alert", Icon::Up)}
                {adjacent(after, "Next alert", Icon::Down)}
            </div>
            <div>
                <p class="text-xs text-muted">{kind(shown.row.alert.alert_type)}</p>
                <h2 id="shown-alert">
                    <bdi class="breaks">{title}</bdi>
                </h2>
            </div>
            {details(tenant, shown, &own_address(query), is_chosen)}
            <p class="row">{close} <a href=url::alert(tenant, id)>"Open as a page"</a></p>
        </aside>
    }
}

/// Renders the severity and the age.
fn severity_and_age(details: &Details) -> AnyView {
    let alert = &details.row.alert;
    any_view! {
        {severity_chip(alert.severity)}
        <span class="age">{age(alert.created_at, details.now)}</span>
    }
}

/// Renders the rule, the facts, the deliveries, the history and the actions. Single keys perform the actions if
/// `has_keys`. `own` is the address of the page.
fn details(tenant: TenantId, details: Details, own: &str, has_keys: bool) -> AnyView {
    let actions = actions(tenant, &details, own, has_keys);
    let Details { row, trail: Trail { deliveries, changes }, directory, may_act, .. } = details;
    let rule = row.violation.as_ref().map(|violation| violation.group().view());
    let rule = rule.map(|rule| view! { <p class="text-muted">{rule}</p> });
    let history = history(row.alert.created_at, changes, &directory.names);
    any_view! {
        {rule}
        {facts(tenant, row, may_act)}
        {delivery_list(tenant, deliveries)}
        {actions}
        {history}
    }
}

/// Returns why the delivery that an alert reports is dead, as a sentence.
fn reason(alert: &Alert) -> Option<String> {
    let reason = alert.data.get("failure_reason")?.as_str()?.parse().ok()?;
    Some(delivery::reason(reason, None))
}

/// Renders the facts about an alert.
fn facts(tenant: TenantId, row: AlertRow, may_act: bool) -> AnyView {
    let alert = &row.alert;
    let decision = alert.decision_id.map(|id| {
        let verdict = row.verdict.map(|verdict| view! { <VerdictBadge verdict /> });
        fact("Decision", view! { <span class="row">{verdict} {decision_link(tenant, id)}</span> })
    });
    let violation = row.violation.as_ref().map(|violation| violation_facts(tenant, violation));
    let rules = alert.data.as_object().and_then(|data| data.get("rule_codes")?.as_array());
    let rules: Vec<_> = rules.into_iter().flatten().filter_map(Value::as_str).collect();
    let rules = (rules.len() > 1)
        .then(|| fact("Violated rules", view! { <bdi class="font-mono">{rules.join(", ")}</bdi> }));
    let delivery = alert.data.get("delivery_id").and_then(Value::as_str);
    let delivery = delivery.and_then(|id| id.parse().ok());
    // Users who may acknowledge alerts may also manage webhooks.
    let delivery = delivery.filter(|_| may_act).map(|id| {
        let link = |href: String, label: &'static str| view! { <a href=href>{label}</a> };
        view! {
            {fact("Delivery", link(url::delivery(tenant, id), "Show the delivery"))}
            {fact("Webhooks", link(url::webhooks(tenant), "Show all webhooks"))}
        }
    });
    let reason = reason(alert).map(|reason| fact("Reason", reason));
    let created = fact("Created", minute(alert.created_at));
    let assignee = row.assignee.map(|name| fact("Assigned to", view! { <bdi>{name}</bdi> }));
    let snoozed = row.snoozed_until.map(|until| fact("Snoozed until", minute(until)));
    let acknowledged = row.acknowledged.map(|(by, at)| fact("Acknowledged", attribution(by, at)));
    any_view! {
        <dl class="facts">
            {decision} {violation} {rules} {created} {reason} {delivery} {assignee} {snoozed}
            {acknowledged}
        </dl>
    }
}

/// Renders the value, the required value, the policy and the actor of a violation.
fn violation_facts(tenant: TenantId, violation: &AlertViolation) -> AnyView {
    let value = violation.value().map(|value| fact("Value", value));
    let expected = violation.expected.clone().map(|value| {
        let value = view! {
            <code class="breaks">
                <bdi>{value}</bdi>
            </code>
        };
        fact("Expected", value)
    });
    let name = violation.policy_name();
    let policy = match violation.version {
        Some(version) => {
            let href = url::version(tenant, violation.policy, version);
            any_view! { <a href=href>{name}</a> }
        }
        None => name,
    };
    let actor = violation.actor.clone();
    let actor = actor.map(|actor| fact("Actor", view! { <bdi>{actor}</bdi> }));
    any_view! {
        {value}
        {expected}
        {fact("Policy", policy)}
        {actor}
    }
}

/// Renders the deliveries, each with a link to its page and its status.
fn delivery_list(tenant: TenantId, deliveries: Vec<AlertDelivery>) -> Option<AnyView> {
    let delivery = move |AlertDelivery { id, url, status }: AlertDelivery| {
        let receiver = match url.as_deref().and_then(|url| url.split_once("://")) {
            Some((_, receiver)) => receiver.to_owned(),
            None => delivery::DELETED_WEBHOOK.to_owned(),
        };
        view! {
            <li class="row">
                {icon(Icon::Webhook)} <a class="grow breaks" href=url::delivery(tenant, id)>
                    <bdi>{receiver}</bdi>
                </a> {delivery::status_badge(status)}
            </li>
        }
    };
    (!deliveries.is_empty()).then(|| {
        any_view! {
            <section aria-labelledby="alert-deliveries">
                <p id="alert-deliveries" class="font-semibold">
                    "Deliveries"
                </p>
                <ul class="divided">{deliveries.into_iter().map(delivery).collect_view()}</ul>
            </section>
        }
    })
}

/// Renders the creation and the changes by users and API keys, oldest first.
fn history(created_at: Timestamp, changes: Vec<PastChange>, names: &Names) -> AnyView {
    let change = |PastChange { change, at, by }: PastChange| {
        let action = match change {
            Change::Acknowledge => AlertAction::Acknowledged,
            Change::Assign(user_id) => {
                AlertAction::Assigned(known(user_id.map(|id| id.to_string()), names))
            }
            Change::Snooze(until) => AlertAction::Snoozed(until),
        };
        view! {
            <li>
                <p>{action.event()}</p>
                <p class="text-xs text-muted">{minute_by(at, known(by, names))}</p>
            </li>
        }
    };
    any_view! {
        <section aria-labelledby="alert-history">
            <p id="alert-history" class="font-semibold">
                "History"
            </p>
            <ol class="timeline">
                <li>
                    <p>"Created"</p>
                    <p class="text-xs text-muted">{minute(created_at)}</p>
                </li>
                {changes.into_iter().map(change).collect_view()}
            </ol>
        </section>
    }
}

/// Renders the forms that acknowledge, assign and snooze the alert, if the user can do so.
fn actions(tenant: TenantId, details: &Details, own: &str, has_keys: bool) -> Option<AnyView> {
    let row = &details.row;
    if !details.may_act || row.acknowledged.is_some() {
        return None;
    }
    let selection = Selection {
        only: row.alert.id.to_string(),
        at: details.now.to_string(),
        ..Selection::default()
    };
    let target = || {
        let fields =
            [("page", own.to_owned()), ("back", own.to_owned()), ("tenant", tenant.to_string())];
        hidden(selection.fields(fields))
    };
    let date = details.rejected.as_ref().map(|(_, form)| form.date.clone()).unwrap_or_default();
    let style = FormStyle { is_main: false, has_keys };
    let people = &details.directory.people;
    let assign = assign_form(target(), people, row.alert.assigned_to, "Assign".to_owned(), style);
    let snooze = snooze_form(target(), date, "Snooze".to_owned(), style);
    Some(any_view! {
        <div class="stack" role="group" aria-label="Actions">
            {assign}
            {snooze}
            <form method="post" action=AcknowledgeAlerts::url() class="stack">
                {target()}
                <button class="primary" data-key=has_keys.then_some("e")>
                    "Acknowledge"
                </button>
                <p class="text-xs text-muted">{FINAL}</p>
            </form>
        </div>
    })
}
