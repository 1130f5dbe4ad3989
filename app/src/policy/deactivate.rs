//! Deactivating a policy: the active version, the consequences, and the reason.

use leptos::{prelude::*, server_fn::ServerFn};

use super::{
    act::{DeactivatePolicy, read_deactivation},
    view::{PolicyPage as Policy, VersionRow},
    words,
};
use crate::{
    flash::RejectedForm,
    text::url,
    ui::{
        facts::fact,
        field::TextArea,
        load::load,
        panel::{Panel, submit},
        params,
        time::Minute,
    },
    version::action_words as version_action_words,
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
        None => view! { <p>{words::NO_ACTIVE}</p> }.into_any(),
        Some(version) => view! {
            <Facts policy=policy.clone() version=version.clone() />
            <form method="post" action=DeactivatePolicy::url() class="stack" data-once="">
                <input type="hidden" name="tenant" value=tenant.to_string() />
                <input type="hidden" name="policy" value=id.to_string() />
                <input type="hidden" name="version" value=version.version />
                <p>{words::DEACTIVATE_HELP}</p>
                <TextArea
                    label=version_action_words::REASON
                    hint=version_action_words::REASON_HINT
                    name="reason"
                    id="deactivate-reason".to_owned()
                    value=reason.unwrap_or_default()
                    maxlength=500
                    required=true
                />
                {submit("danger", words::deactivate_version(version.version))}
            </form>
        }
        .into_any(),
    };
    view! {
        <Panel
            title=words::deactivate(&policy.row.name)
            problem
            back=url::policy(tenant, id)
            back_label=words::BACK
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
            {fact(
                version_action_words::POLICY,
                view! { <bdi class="font-mono">{policy.row.code}</bdi> },
            )} <dt>{words::ACTIVE}</dt> <dd>
                <p>
                    <a href=href>"v" {version.version}</a>
                    ", "
                    {words::SINCE}
                    " "
                    <Minute at=version.last.at />
                </p>
            </dd> {fact(words::GOVERNS, view! { <bdi>{types}</bdi> })}
        </dl>
    }
}
