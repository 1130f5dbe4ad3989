//! One alert, with a button to acknowledge it.

use contract::id::TenantId;
use leptos::{prelude::*, server_fn::ServerFn};

use crate::{
    api::alert::{AcknowledgeAlerts, read_alert},
    page::keys::Attribution,
    text::{messages, url},
    ui::{badge::SeverityChip, facts::fact, load::load, panel::Panel, params, time::Minute},
    view::alert::AlertRow,
};

/// `/t/{tenant}/alerts/{alert}`
#[component]
pub(crate) fn AlertPage() -> impl IntoView {
    let (tenant, alert) = (params::tenant(), params::alert());
    load(
        move || (tenant(), alert()),
        async |(tenant, alert)| {
            let tenant = tenant?;
            let (row, may_act) = read_alert(tenant, alert?).await?;
            Ok((tenant, row, may_act))
        },
        |(tenant, row, may_act)| view! { <AlertContent tenant row may_act /> }.into_any(),
    )
}

#[component]
fn AlertContent(tenant: TenantId, row: AlertRow, may_act: bool) -> impl IntoView {
    use messages::alerts as strings;
    let id = row.id.to_string();
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
    let rules = (!row.rules.is_empty()).then(|| {
        view! {
            <dt>{strings::RULES}</dt>
            <dd class="font-mono">{row.rules.join(", ")}</dd>
        }
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
    let is_open = row.acknowledged.is_none();
    let acknowledged = row
        .acknowledged
        .map(|(by, at)| fact(strings::ACKNOWLEDGED, view! { <Attribution by at /> }));
    let form = (is_open && may_act).then(|| {
        view! {
            <form method="post" action=AcknowledgeAlerts::url() class="stack">
                <input type="hidden" name="tenant" value=tenant.to_string() />
                <input type="hidden" name="only" value=id />
                <input type="hidden" name="back" value=url::alert(tenant, row.id) />
                <p>{strings::FINAL}</p>
                <div class="row">
                    <button data-key="e">{strings::ACKNOWLEDGE}</button>
                </div>
            </form>
        }
    });
    view! {
        <Panel
            title=messages::alerts::kind(row.kind)
            problem=None
            back=url::alerts(tenant)
            back_label=strings::BACK
        >
            <p>
                <bdi class="breaks">{row.message}</bdi>
            </p>
            <dl class="facts">
                {fact(strings::SEVERITY, view! { <SeverityChip severity=row.severity /> })}
                {fact(strings::CREATED, view! { <Minute at=row.at /> })} {decision} {rules} {reason}
                {delivery} {acknowledged}
            </dl>
            {form}
        </Panel>
    }
}
