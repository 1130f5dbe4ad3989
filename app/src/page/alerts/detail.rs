//! One alert, with a button to acknowledge it.

use contract::id::TenantId;
use leptos::{prelude::*, server_fn::ServerFn};

use crate::{
    api::alert::{AcknowledgeAlerts, read_alert},
    page::keys::Attribution,
    text::{messages, url},
    ui::{badge::SeverityChip, heading::Heading, load::load, params, time::Minute},
    view::alert::AlertRow,
};

/// `/t/{tenant}/alerts/{alert}`
#[component]
pub(crate) fn AlertPage() -> impl IntoView {
    let (tenant, alert) = (params::tenant(), params::alert());
    let row = Resource::new(
        move || (tenant(), alert()),
        async |(tenant, alert)| {
            let tenant = tenant?;
            let (row, may_act) = read_alert(tenant, alert?).await?;
            Ok((tenant, row, may_act))
        },
    );
    view! {
        {load(
            row,
            |(tenant, row, may_act)| view! { <AlertContent tenant row may_act /> }.into_any(),
        )}
    }
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
    let reason = row.reason.map(|reason| {
        view! {
            <dt>{strings::REASON}</dt>
            <dd>{reason}</dd>
        }
    });
    // Users who may acknowledge alerts may also manage webhooks.
    let delivery = row.delivery.filter(|_| may_act).map(|id| {
        view! {
            <dt>{strings::DELIVERY}</dt>
            <dd>
                <a href=url::delivery(tenant, id)>{strings::SHOW_DELIVERY}</a>
            </dd>
            <dt>{strings::WEBHOOKS}</dt>
            <dd>
                <a href=url::webhooks(tenant)>{strings::SHOW_WEBHOOKS}</a>
            </dd>
        }
    });
    let is_open = row.acknowledged.is_none();
    let acknowledged = row.acknowledged.map(|(by, at)| {
        view! {
            <dt>{strings::ACKNOWLEDGED}</dt>
            <dd>
                <Attribution by at />
            </dd>
        }
    });
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
        <div class="card panel roomy stack">
            <Heading title=messages::alerts::kind(row.kind) />
            <p>
                <bdi class="breaks">{row.message}</bdi>
            </p>
            <dl class="facts">
                <dt>{strings::SEVERITY}</dt>
                <dd>
                    <SeverityChip severity=row.severity />
                </dd>
                <dt>{strings::CREATED}</dt>
                <dd>
                    <Minute at=row.at />
                </dd>
                {decision}
                {rules}
                {reason}
                {delivery}
                {acknowledged}
            </dl>
            {form}
            <p>
                <a href=url::alerts(tenant)>{strings::BACK}</a>
            </p>
        </div>
    }
}
