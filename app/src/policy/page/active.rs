//! The rules of the active version.

use leptos::prelude::*;

use crate::{
    policy::{
        view::{PolicyPage as Policy, VersionRow},
        words::{self, page as strings},
    },
    rule::markup::{RuleList, RulePages},
    text::url,
    ui::time::Minute,
};

/// Returns the number of rules of the active version.
pub(super) fn rule_count(policy: &Policy) -> usize {
    usize::try_from(policy.active_rules.total).unwrap_or(usize::MAX)
}

/// The heading of the active version, with a link to it.
fn active_heading(policy: &Policy, version: &VersionRow) -> AnyView {
    let href = url::version(policy.tenant, policy.row.id, version.version);
    let rules = policy.active_rules.count();
    view! {
        <div class="card-head">
            <h2>{words::ACTIVE} " " <a href=href>"v" {version.version}</a></h2>
            <p class="text-muted text-xs">
                {rules} ", " {words::SINCE} " " <Minute at=version.last.at />
            </p>
        </div>
    }
    .into_any()
}

#[component]
fn NoActiveVersion() -> impl IntoView {
    view! {
        <section class="card">
            <h2>{words::ACTIVE}</h2>
            <p class="text-muted">{words::NO_ACTIVE}</p>
        </section>
    }
}

/// The active version with its first rules as sentences.
#[component]
pub(super) fn ActiveVersion(policy: Policy) -> impl IntoView {
    let Some(version) = policy.active() else {
        return view! { <NoActiveVersion /> }.into_any();
    };
    let heading = active_heading(&policy, version);
    let (tenant, id) = (policy.tenant, policy.row.id);
    let more = rule_count(&policy).saturating_sub(policy.active_rules.rules.len());
    let more = (more > 0).then(|| {
        view! {
            <p>
                <a class="button" href=url::policy_tab(tenant, id, "rules")>
                    {strings::more_rules(more)}
                </a>
            </p>
        }
    });
    let rules = policy.active_rules.rules;
    view! { <section class="card">{heading} <RuleList rules /> {more}</section> }.into_any()
}

/// All rules of the active version.
#[component]
pub(super) fn Rules(policy: Policy) -> impl IntoView {
    let Some(version) = policy.active() else {
        return view! { <NoActiveVersion /> }.into_any();
    };
    let heading = active_heading(&policy, version);
    let path = url::policy_tab(policy.tenant, policy.row.id, "rules");
    view! { <section class="card">{heading} <RulePages path page=policy.active_rules /></section> }
        .into_any()
}
