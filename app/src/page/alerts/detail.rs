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
    api::alert::{AcknowledgeAlerts, read_alert},
    page::keys::Attribution,
    text::{messages, url},
    ui::{
        badge::SeverityChip, facts::fact, filter_menu::hidden, load::load, panel::Panel, params,
        time::Minute,
    },
    view::alert::{AlertPage as AlertDetails, query::Selection, violation::AlertViolation},
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

/// Renders the rule, the value, the policy and the actor of a violation.
fn facts(violation: &AlertViolation) -> impl IntoView + use<> {
    use messages::alerts as strings;
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
    view! {
        {fact(strings::RULE, group_name(violation.group()))}
        {value}
        {fact(strings::POLICY, policy_name(violation))}
        {actor}
    }
}

#[component]
fn AlertContent(tenant: TenantId, page: AlertDetails) -> impl IntoView {
    use messages::alerts as strings;
    let may_change = page.may_act && page.row.acknowledged.is_none();
    let actions = may_change.then(|| actions(tenant, &page));
    let AlertDetails { row, may_act, rejected, result, .. } = page;
    let result = result.map(|summary| {
        view! { <ResultNotice tenant page=url::alert(tenant, row.id) summary /> }
    });
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
    let violation = row.violation.as_ref().map(facts);
    let rules = (row.rules.len() > 1).then(|| {
        fact(strings::RULES, view! { <bdi class="font-mono">{row.rules.join(", ")}</bdi> })
    });
    let title = row.title().to_owned();
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
        <Panel
            title=messages::alerts::kind(row.kind)
            problem=rejected.map(|(problem, _)| problem)
            back=url::alerts(tenant)
            back_label=strings::BACK
        >
            {result}
            <p>
                <bdi class="breaks">{title}</bdi>
            </p>
            <dl class="facts">
                {fact(strings::SEVERITY, view! { <SeverityChip severity=row.severity /> })}
                {violation} {rules} {decision}
                {fact(strings::CREATED, view! { <Minute at=row.at /> })} {reason} {delivery}
                {assignee} {snoozed} {acknowledged}
            </dl>
            {actions}
        </Panel>
    }
}

/// Renders the forms that acknowledge, assign and snooze the alert.
fn actions(tenant: TenantId, page: &AlertDetails) -> impl IntoView + use<> {
    use messages::alerts as strings;
    let row = &page.row;
    let own = url::alert(tenant, row.id);
    let selection =
        Selection { only: row.id.to_string(), at: page.now.to_string(), ..Selection::default() };
    let target = || {
        let mut fields = selection.fields();
        fields.extend([("page", own.clone()), ("back", own.clone())]);
        fields.push(("tenant", tenant.to_string()));
        hidden(fields)
    };
    let date = page.rejected.as_ref().map(|(_, form)| form.date.clone());
    let assign =
        assign_form(target(), &page.people, row.assigned_to, strings::ASSIGN.to_owned(), false);
    let snooze = snooze_form(target(), date.unwrap_or_default(), strings::SNOOZE.to_owned(), false);
    view! {
        {assign}
        {snooze}
        <form method="post" action=AcknowledgeAlerts::url() class="stack">
            {target()}
            <p>{strings::FINAL}</p>
            <div class="row">
                <button data-key="e">{strings::ACKNOWLEDGE}</button>
            </div>
        </form>
    }
}
