//! One alert, with a button to acknowledge it.

use contract::id::TenantId;
use leptos::{prelude::*, server_fn::ServerFn};

use super::{
    assign::assign_form,
    result::ResultNotice,
    snooze::snooze_form,
    violation::{group_name, policy_name},
};
use crate::{
    alert::{
        act::{AcknowledgeAlerts, read_alert},
        view::{
            AlertPage as AlertDetails, query::Selection, row::AlertRow, violation::AlertViolation,
        },
    },
    key::page::Attribution,
    text::url,
    ui::{
        badge::SeverityChip,
        facts::fact,
        filter_menu::hidden,
        icon::{Icon, icon},
        load::load,
        panel::Panel,
        params,
        time::Minute,
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

/// Renders the rule, the value, the required value, the policy and the actor of a violation.
fn violation_facts(violation: &AlertViolation) -> impl IntoView + use<> {
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
    view! {
        {fact(strings::RULE, group_name(violation.group()))}
        {value}
        {expected}
        {fact(strings::POLICY, policy_name(violation))}
        {actor}
    }
}

#[component]
fn AlertContent(tenant: TenantId, page: AlertDetails) -> impl IntoView {
    use crate::alert::words as strings;
    let own = url::alert(tenant, page.row.id);
    let actions = actions(tenant, &page, &own);
    let AlertDetails { row, may_act, rejected, result, .. } = page;
    let result = result.map(|summary| view! { <ResultNotice tenant page=own summary /> });
    let title = row.title().to_owned();
    view! {
        <Panel
            title=strings::kind(row.kind)
            problem=rejected.map(|(problem, _)| problem)
            back=url::alerts(tenant)
            back_label=strings::BACK
        >
            {result}
            <p>
                <bdi class="breaks">{title}</bdi>
            </p>
            {facts(tenant, row, may_act)}
            {actions}
        </Panel>
    }
}

/// Renders the alert next to the list. A page without room for both shows it instead of the list. `own` is the
/// address of the list with this alert, to which an action returns, `close` the one without it. `before` and
/// `after` are those with the adjacent alerts.
pub(super) fn alert_pane(
    tenant: TenantId,
    page: AlertDetails,
    own: &str,
    close: String,
    [before, after]: [Option<String>; 2],
) -> impl IntoView + use<> {
    use crate::alert::words as strings;
    let actions = actions(tenant, &page, own);
    let AlertDetails { row, may_act, .. } = page;
    let adjacent = |href: Option<String>, label: &'static str, drawing: Icon| {
        href.map(|href| {
            view! {
                <a class="button" href=href aria-label=label data-noscroll="">
                    {icon(drawing)}
                </a>
            }
        })
    };
    let title = row.title().to_owned();
    let own_page = url::alert(tenant, row.id);
    view! {
        <aside class="card alert-pane stack" aria-labelledby="shown-alert">
            <div class="row">
                <span class="grow text-muted">{strings::kind(row.kind)}</span>
                {adjacent(before, strings::PREVIOUS, Icon::Up)}
                {adjacent(after, strings::NEXT, Icon::Down)}
            </div>
            <h2 id="shown-alert">
                <bdi class="breaks">{title}</bdi>
            </h2>
            {facts(tenant, row, may_act)}
            {actions}
            <p class="row">
                <a href=close data-noscroll="">
                    {strings::BACK}
                </a>
                <a href=own_page>{strings::OPEN_PAGE}</a>
            </p>
        </aside>
    }
}

/// Renders the facts about an alert.
fn facts(tenant: TenantId, row: AlertRow, may_act: bool) -> impl IntoView {
    use crate::alert::words as strings;
    let decision = row.decision.map(|id| {
        view! {
            <dt>{strings::DECISION}</dt>
            <dd>
                <a class="font-mono" href=url::decision(tenant, id)>
                    {id.to_string()}
                </a>
            </dd>
        }
    });
    let violation = row.violation.as_ref().map(violation_facts);
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
            {fact(strings::SEVERITY, view! { <SeverityChip severity=row.severity /> })} {violation}
            {rules} {decision} {fact(strings::CREATED, view! { <Minute at=row.at /> })} {reason}
            {delivery} {assignee} {snoozed} {acknowledged}
        </dl>
    }
}

/// Renders the forms that acknowledge, assign and snooze the alert, if the user can do so. `own` is the address
/// of the page.
fn actions(tenant: TenantId, page: &AlertDetails, own: &str) -> Option<AnyView> {
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
    let date = page.rejected.as_ref().map(|(_, form)| form.date.clone());
    let assign =
        assign_form(target(), &page.people, row.assigned_to, strings::ASSIGN.to_owned(), false);
    let snooze = snooze_form(target(), date.unwrap_or_default(), strings::SNOOZE.to_owned(), false);
    let actions = view! {
        {assign}
        {snooze}
        <form method="post" action=AcknowledgeAlerts::url() class="stack">
            {target()}
            <p>{strings::FINAL}</p>
            <div class="row">
                <button data-key="e">{strings::ACKNOWLEDGE}</button>
            </div>
        </form>
    };
    Some(actions.into_any())
}
