//! Deactivating a policy: the active version, the consequences, and the reason.

use leptos::{prelude::*, server_fn::ServerFn};

use crate::{
    api::policy::{DeactivatePolicy, read_deactivation},
    text::{messages, url},
    ui::{
        facts::fact,
        field::TextArea,
        load::load,
        panel::{Panel, submit},
        params,
        time::Minute,
    },
    view::{
        flash::RejectedForm,
        policy::{PolicyPage as Policy, VersionRow},
    },
};

/// `/t/{tenant}/policies/{policy}/deactivate`
#[component]
pub(crate) fn DeactivatePage() -> impl IntoView {
    let (tenant, id) = (params::tenant(), params::policy());
    load(
        move || (tenant(), id()),
        async |(tenant, id)| read_deactivation(tenant?, id?).await,
        |(policy, rejected)| view! { <DeactivateContent policy rejected /> }.into_any(),
    )
}

#[component]
fn DeactivateContent(policy: Policy, rejected: Option<RejectedForm>) -> impl IntoView {
    let (tenant, id) = (policy.tenant, policy.row.id);
    let (problem, reason) = rejected.map(|rejected| (rejected.problem, rejected.text)).unzip();
    let form = match policy.active().cloned() {
        None => view! { <p>{messages::policy::NO_ACTIVE}</p> }.into_any(),
        Some(version) => view! {
            <Facts policy=policy.clone() version=version.clone() />
            <form method="post" action=DeactivatePolicy::url() class="stack" data-once="">
                <input type="hidden" name="tenant" value=tenant.to_string() />
                <input type="hidden" name="policy" value=id.to_string() />
                <input type="hidden" name="version" value=version.version />
                <p>{messages::policy::DEACTIVATE_HELP}</p>
                <TextArea
                    label=messages::act::REASON
                    hint=messages::act::REASON_HINT
                    name="reason"
                    id="deactivate-reason".to_owned()
                    value=reason.unwrap_or_default()
                    maxlength=500
                    required=true
                />
                {submit("danger", messages::policy::deactivate_version(version.version))}
            </form>
        }
        .into_any(),
    };
    view! {
        <Panel
            title=messages::policy::deactivate(&policy.row.name)
            problem
            back=url::policy(tenant, id)
            back_label=messages::policy::BACK
        >
            {form}
        </Panel>
    }
}

#[component]
fn Facts(policy: Policy, version: VersionRow) -> impl IntoView {
    let types = policy.row.governed_types();
    let href = url::version(policy.tenant, policy.row.id, version.version);
    view! {
        <dl class="facts">
            {fact(messages::act::POLICY, view! { <bdi class="font-mono">{policy.row.code}</bdi> })}
            <dt>{messages::policy::ACTIVE}</dt> <dd>
                <p>
                    <a href=href>"v" {version.version}</a>
                    ", "
                    {messages::policy::SINCE}
                    " "
                    <Minute at=version.last.at />
                </p>
            </dd> {fact(messages::policy::GOVERNS, view! { <bdi>{types}</bdi> })}
        </dl>
    }
}
