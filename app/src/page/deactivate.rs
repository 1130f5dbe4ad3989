//! Taking a policy out of force: what decides now, what follows, and why.

use leptos::{prelude::*, server_fn::ServerFn};

use super::params;
use crate::{
    api::policy::{DeactivatePolicy, read_deactivation},
    text::{url, words},
    ui::{field::TextArea, heading::Heading, load::load, problem::ProblemNote, time::Minute},
    view::{
        kept::Kept,
        policy::{PolicyPage as Policy, VersionRow},
    },
};

/// `/t/{tenant}/policies/{policy}/deactivate`
#[component]
pub(crate) fn DeactivatePage() -> impl IntoView {
    let (tenant, id) = (params::tenant(), params::policy());
    let page = Resource::new(
        move || (tenant(), id()),
        async |(tenant, id)| read_deactivation(tenant?, id?).await,
    );
    view! { {load(page, |(policy, kept)| view! { <Sheet policy kept/> }.into_any())} }
}

#[component]
fn Sheet(policy: Policy, kept: Option<Kept>) -> impl IntoView {
    let (tenant, id) = (policy.tenant, policy.row.id);
    let (problem, reason) = kept.map(|kept| (kept.problem, kept.text)).unzip();
    let active = policy.active().cloned();
    let form = match active {
        None => view! { <p>{words::policy::NO_ACTIVE}</p> }.into_any(),
        Some(version) => view! {
            <Facts policy=policy.clone() version=version.clone()/>
            <form method="post" action=DeactivatePolicy::url() class="stack" data-once="">
                <input type="hidden" name="tenant" value=tenant.to_string()/>
                <input type="hidden" name="policy" value=id.to_string()/>
                <input type="hidden" name="version" value=version.version/>
                <p>{words::policy::DEACTIVATE_SAYS}</p>
                <TextArea
                    label=words::act::REASON
                    hint=words::act::REASON_HINT
                    name="reason"
                    id="deactivate-reason".to_owned()
                    value=reason.unwrap_or_default()
                    maxlength=500
                    required=true
                />
                <div class="row">
                    <button class="danger">
                        {words::policy::deactivate_version(version.version)}
                    </button>
                </div>
            </form>
        }
        .into_any(),
    };
    view! {
        <div class="card sheet roomy stack">
            <Heading title=words::policy::deactivate(&policy.row.name)/>
            {problem.map(|problem| view! { <ProblemNote problem/> })}
            {form}
            <p>
                <a href=url::policy(tenant, id)>{words::policy::BACK}</a>
            </p>
        </div>
    }
}

/// What decides now.
#[component]
fn Facts(policy: Policy, version: VersionRow) -> impl IntoView {
    let types = match policy.row.decision_types.as_slice() {
        [] => words::policies::EVERY_TYPE.to_owned(),
        types => types.join(", "),
    };
    let href = url::version(policy.tenant, policy.row.id, version.version);
    view! {
        <dl class="facts">
            <dt>{words::act::POLICY}</dt>
            <dd>
                <bdi class="font-mono">{policy.row.code}</bdi>
            </dd>
            <dt>{words::policy::ACTIVE}</dt>
            <dd>
                <p>
                    <a href=href>"v" {version.version}</a>
                    ", "
                    {words::policy::SINCE}
                    " "
                    <Minute at=version.last.at/>
                </p>
            </dd>
            <dt>{words::policy::GOVERNS}</dt>
            <dd>
                <bdi>{types}</bdi>
            </dd>
        </dl>
    }
}
