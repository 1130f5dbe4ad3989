//! One alert, and the press that acknowledges it.

use contract::id::TenantId;
use leptos::{prelude::*, server_fn::ServerFn};

use crate::{
    api::alert::{AcknowledgeAlerts, read_alert},
    page::{keys::Who, params},
    text::{url, words},
    ui::{badge::SeverityChip, heading::Heading, load::load, time::Minute},
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
    view! { {load(row, |(tenant, row, may_act)| view! { <Sheet tenant row may_act/> }.into_any())} }
}

#[component]
fn Sheet(tenant: TenantId, row: AlertRow, may_act: bool) -> impl IntoView {
    use words::alerts as say;
    let id = row.id.to_string();
    let decision = row.decision.map(|id| {
        view! {
            <dt>{say::DECISION}</dt>
            <dd>
                <a class="font-mono" href=url::decision(tenant, id)>
                    {id.to_string()}
                </a>
            </dd>
        }
    });
    let rules = (!row.rules.is_empty()).then(|| {
        view! {
            <dt>{say::RULES}</dt>
            <dd class="font-mono">{row.rules.join(", ")}</dd>
        }
    });
    let reason = row.reason.map(|reason| {
        view! {
            <dt>{say::REASON}</dt>
            <dd>{reason}</dd>
        }
    });
    // Who may acknowledge may look after webhooks.
    let delivery = row.delivery.filter(|_| may_act).map(|id| {
        view! {
            <dt>{say::DELIVERY}</dt>
            <dd>
                <a href=url::delivery(tenant, id)>{say::SHOW_DELIVERY}</a>
            </dd>
            <dt>{say::WEBHOOKS}</dt>
            <dd>
                <a href=url::webhooks(tenant)>{say::SHOW_WEBHOOKS}</a>
            </dd>
        }
    });
    let is_open = row.acknowledged.is_none();
    let acknowledged = row.acknowledged.map(|(by, at)| {
        view! {
            <dt>{say::ACKNOWLEDGED}</dt>
            <dd>
                <Who by at/>
            </dd>
        }
    });
    let act = (is_open && may_act).then(|| {
        view! {
            <form method="post" action=AcknowledgeAlerts::url() class="stack">
                <input type="hidden" name="tenant" value=tenant.to_string()/>
                <input type="hidden" name="only" value=id/>
                <input type="hidden" name="back" value=url::alert(tenant, row.id)/>
                <p>{say::FINAL}</p>
                <div class="row">
                    <button data-key="e">{say::ACKNOWLEDGE}</button>
                </div>
            </form>
        }
    });
    view! {
        <div class="card sheet roomy stack">
            <Heading title=words::alerts::kind(row.kind)/>
            <p>
                <bdi class="breaks">{row.message}</bdi>
            </p>
            <dl class="facts">
                <dt>{say::SEVERITY}</dt>
                <dd>
                    <SeverityChip severity=row.severity/>
                </dd>
                <dt>{say::RAISED}</dt>
                <dd>
                    <Minute at=row.at/>
                </dd>
                {decision}
                {rules}
                {reason}
                {delivery}
                {acknowledged}
            </dl>
            {act}
            <p>
                <a href=url::alerts(tenant)>{say::BACK}</a>
            </p>
        </div>
    }
}
