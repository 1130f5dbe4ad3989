//! The lifecycle of the version on its way to activation, as steps.

use leptos::prelude::*;

use crate::{
    policy::{view::PolicyPage as Policy, words::page as strings},
    text::{url, verdict::stage_meaning},
    ui::{badge::StageBadge, quote::quote},
    version::lifecycle::phase_list,
};

/// The version on its way to activation with its phases, or a note that no draft is open.
#[component]
#[expect(clippy::needless_pass_by_value, reason = "a component owns its properties")]
pub(super) fn Lifecycle(policy: Policy) -> impl IntoView {
    let Some(version) = policy.upcoming().cloned() else {
        return view! {
            <section class="card">
                <h2>{strings::OPEN_DRAFT}</h2>
                <p class="text-muted">{strings::NO_DRAFT}</p>
            </section>
        }
        .into_any();
    };
    let href = url::version(policy.tenant, policy.row.id, version.version);
    let replaced = policy.active().map(|active| active.version);
    let phases = phase_list(version.stage, &version.steps, replaced);
    view! {
        <section class="card flush lifecycle" aria-labelledby="open-version">
            <div class="compare-head">
                <h2 id="open-version">
                    <a href=href>{strings::version(version.version)}</a>
                </h2>
                <span class="tag">"r" {version.revision}</span>
                <StageBadge stage=version.stage />
                <span class="text-muted text-xs">{stage_meaning(version.stage)}</span>
            </div>
            {version
                .change_reason
                .clone()
                .map(|reason| view! { <div class="pad">{quote(reason)}</div> })}
            {phases}
        </section>
    }
    .into_any()
}
