//! One alert, on its page and next to the list: its facts, what happened to it, and its actions.

use contract::id::TenantId;
use leptos::{prelude::*, server_fn::ServerFn};

use super::{
    assign::assign_form,
    confirm::FormStyle,
    result::ResultNotice,
    snooze::snooze_form,
    trail::history,
    violation::{group_name, policy_name},
};
use crate::{
    alert::{
        act::{AcknowledgeAlerts, read_alert},
        view::{
            AlertPage as AlertDetails, query::Selection, row::AlertRow, violation::AlertViolation,
        },
    },
    key::Attribution,
    text::url,
    ui::{
        badge::{SeverityChip, VerdictBadge},
        facts::fact,
        filter_menu::hidden,
        icon::{Icon, icon},
        load::load,
        panel::Panel,
        params,
        time::{Age, Minute},
    },
};

/// `/t/{tenant}/alerts/{alert}`
#[component]
pub(crate) fn AlertPage() -> impl IntoView {
    let (tenant, alert) = (params::tenant(), params::alert());
    load(
        move || (tenant(), alert()),
        async |(tenant, alert)| {
            let tenant = tenant?;
            Ok((tenant, read_alert(tenant, alert?).await?))
        },
        |(tenant, page)| view! { <AlertContent tenant page /> }.into_any(),
    )
}

/// Renders the value, the required value, the policy and the actor of a violation.
fn violation_facts(tenant: TenantId, violation: &AlertViolation) -> impl IntoView + use<> {
    use crate::alert::words as strings;
    let value = violation.value.clone().map(|value| {
        let field = violation.field.clone().map(|field| {
            view! {
                <bdi>{field}</bdi>
                ": "
            }
        });
        fact(strings::VALUE, view! { <code class="breaks">{field} <bdi>{value}</bdi></code> })
    });
    let actor = violation.actor.clone();
    let actor = actor.map(|actor| fact(strings::ACTOR, view! { <bdi>{actor}</bdi> }));
    let expected = violation.expected.clone();
    let expected = expected.map(|value| {
        fact(
            strings::EXPECTED,
            view! {
                <code class="breaks">
                    <bdi>{value}</bdi>
                </code>
            },
        )
    });
    let name = policy_name(violation);
    let policy = match violation.version {
        Some(version) => {
            let href = url::version(tenant, violation.policy, version);
            view! { <a href=href>{name}</a> }.into_any()
        }
        None => name.into_any(),
    };
    view! {
        {value}
        {expected}
        {fact(strings::POLICY, policy)}
        {actor}
    }
}

#[component]
fn AlertContent(tenant: TenantId, page: AlertDetails) -> impl IntoView {
    use crate::alert::words as strings;
    let own = url::alert(tenant, page.row.id);
    let result = page.result.clone();
    let result = result.map(|summary| view! { <ResultNotice tenant page=own.clone() summary /> });
    let problem = page.rejected.as_ref().map(|(problem, _)| problem.clone());
    let title = page.row.title().to_owned();
    view! {
        <Panel
            title=strings::kind(page.row.kind)
            problem
            back=url::alerts(tenant)
            back_label=strings::BACK
        >
            {result}
            <div class="row">{age(&page)}</div>
            <p class="font-semibold">
                <bdi class="breaks">{title}</bdi>
            </p>
            {details(tenant, page, &own, true)}
        </Panel>
    }
}

/// The alert next to the list. A page without room for both shows a chosen alert instead of the list, and the list
/// instead of the first alert, which no one chose.
pub(super) struct AlertPane<'a> {
    /// Whether the user has chosen the alert. Single keys act only on a chosen alert.
    pub(super) is_chosen: bool,
    /// The address of the list with this alert, to which an action returns.
    pub(super) own: &'a str,
    /// The address of the list without the alert.
    pub(super) close: String,
    /// The addresses of the list with the alerts before and after.
    pub(super) adjacent: [Option<String>; 2],
}

impl AlertPane<'_> {
    pub(super) fn view(self, tenant: TenantId, page: AlertDetails) -> impl IntoView + use<> {
        use crate::alert::words as strings;
        let Self { is_chosen, own, close, adjacent: [before, after] } = self;
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
                <a href=close data-noscroll="">
                    {strings::BACK}
                </a>
            }
        });
        let title = page.row.title().to_owned();
        let kind = strings::kind(page.row.kind);
        let own_page = url::alert(tenant, page.row.id);
        let class =
            if is_chosen { "card alert-pane stack" } else { "card alert-pane by-default stack" };
        view! {
            <aside class=class aria-labelledby="shown-alert">
                <div class="row">
                    {age(&page)} <span class="grow"></span>
                    {adjacent(before, strings::PREVIOUS, Icon::Up)}
                    {adjacent(after, strings::NEXT, Icon::Down)}
                </div>
                <div>
                    <p class="text-xs text-muted">{kind}</p>
                    <h2 id="shown-alert">
                        <bdi class="breaks">{title}</bdi>
                    </h2>
                </div>
                {details(tenant, page, own, is_chosen)}
                <p class="row">{close} <a href=own_page>{strings::OPEN_PAGE}</a></p>
            </aside>
        }
    }
}

/// Renders the severity and the age.
fn age(page: &AlertDetails) -> impl IntoView + use<> {
    let (severity, at, now) = (page.row.severity, page.row.at, page.now);
    view! {
        <SeverityChip severity />
        <span class="age">
            <Age at now />
        </span>
    }
}

/// Renders the rule, the facts, the deliveries, the history and the actions. Single keys perform the actions if
/// `has_keys`.
fn details(tenant: TenantId, page: AlertDetails, own: &str, has_keys: bool) -> AnyView {
    let actions = actions(tenant, &page, own, has_keys);
    let AlertDetails { row, deliveries, changes, may_act, .. } = page;
    let rule = row.violation.as_ref().map(|violation| group_name(violation.group()));
    let rule = rule.map(|rule| view! { <p class="text-muted">{rule}</p> });
    let created_at = row.at;
    view! {
        {rule}
        {facts(tenant, row, may_act)}
        {super::trail::deliveries(tenant, deliveries)}
        {actions}
        {history(created_at, changes)}
    }
    .into_any()
}

/// Renders the facts about an alert.
fn facts(tenant: TenantId, row: AlertRow, may_act: bool) -> impl IntoView {
    use crate::alert::words as strings;
    let decision = row.decision.map(|id| {
        let verdict = row.verdict.map(|verdict| view! { <VerdictBadge verdict /> });
        let short: String = id.to_string().chars().take(8).collect();
        let link = view! {
            <a class="font-mono" href=url::decision(tenant, id)>
                {short}
            </a>
        };
        fact(strings::DECISION, view! { <span class="row">{verdict} {link}</span> })
    });
    let violation = row.violation.as_ref().map(|violation| violation_facts(tenant, violation));
    let rules = (row.rules.len() > 1).then(|| {
        fact(strings::RULES, view! { <bdi class="font-mono">{row.rules.join(", ")}</bdi> })
    });
    let reason = row.reason.map(|reason| fact(strings::REASON, reason));
    // Users who may acknowledge alerts may also manage webhooks.
    let delivery = row.delivery.filter(|_| may_act).map(|id| {
        view! {
            {fact(
                strings::DELIVERY,
                view! { <a href=url::delivery(tenant, id)>{strings::SHOW_DELIVERY}</a> },
            )}
            {fact(
                strings::WEBHOOKS,
                view! { <a href=url::webhooks(tenant)>{strings::SHOW_WEBHOOKS}</a> },
            )}
        }
    });
    let assignee =
        row.assignee.clone().map(|name| fact(strings::ASSIGNEE, view! { <bdi>{name}</bdi> }));
    let snoozed =
        row.snoozed_until.map(|until| fact(strings::SNOOZED_UNTIL, view! { <Minute at=until /> }));
    let acknowledged = row
        .acknowledged
        .map(|(by, at)| fact(strings::ACKNOWLEDGED, view! { <Attribution by at /> }));
    view! {
        <dl class="facts">
            {decision} {violation} {rules} {fact(strings::CREATED, view! { <Minute at=row.at /> })}
            {reason} {delivery} {assignee} {snoozed} {acknowledged}
        </dl>
    }
}

/// Renders the forms that acknowledge, assign and snooze the alert, if the user can do so. `own` is the address
/// of the page.
fn actions(tenant: TenantId, page: &AlertDetails, own: &str, has_keys: bool) -> Option<AnyView> {
    use crate::alert::words as strings;
    let row = &page.row;
    if !page.may_act || row.acknowledged.is_some() {
        return None;
    }
    let selection =
        Selection { only: row.id.to_string(), at: page.now.to_string(), ..Selection::default() };
    let target = || {
        let mut fields = selection.fields();
        fields.extend([("page", own.to_owned()), ("back", own.to_owned())]);
        fields.push(("tenant", tenant.to_string()));
        hidden(fields)
    };
    let date = page.rejected.as_ref().map(|(_, form)| form.date.clone()).unwrap_or_default();
    let style = FormStyle { is_main: false, has_keys };
    let assign =
        assign_form(target(), &page.people, row.assigned_to, strings::ASSIGN.to_owned(), style);
    let snooze = snooze_form(target(), date, strings::SNOOZE.to_owned(), style);
    let actions = view! {
        <div class="stack" role="group" aria-label=strings::ACTIONS>
            {assign}
            {snooze}
            <form method="post" action=AcknowledgeAlerts::url() class="stack">
                {target()}
                <button class="primary" data-key=has_keys.then_some("e")>
                    {strings::ACKNOWLEDGE}
                </button>
                <p class="text-xs text-muted">{strings::FINAL}</p>
            </form>
        </div>
    };
    Some(actions.into_any())
}
