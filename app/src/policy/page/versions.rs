//! The timeline of all versions.

use leptos::prelude::*;

use crate::{
    policy::{
        view::{PolicyPage as Policy, Step, VersionRow},
        words::{self, page as strings},
    },
    text::url,
    ui::{badge::StageBadge, time::MinuteBy},
};

/// All versions with their events and reviews, newest first.
#[component]
pub(super) fn Versions(policy: Policy) -> impl IntoView {
    let (tenant, id) = (policy.tenant, policy.row.id);
    let version = move |version: VersionRow| {
        let href = url::version(tenant, id, version.version);
        view! {
            <li>
                <div class="row">
                    <a class="font-semibold tabular-nums" href=href data-row="">
                        "v"
                        {version.version}
                    </a>
                    <StageBadge stage=version.stage />
                </div>
                {version
                    .change_reason
                    .map(|text| {
                        view! {
                            <p class="text-muted">
                                <bdi>{text}</bdi>
                            </p>
                        }
                    })}
                <ul class="plain-list text-muted text-xs">
                    {version.steps.into_iter().map(step).collect_view()}
                </ul>
            </li>
        }
    };
    let compare = match policy.versions.as_slice() {
        [newest, _, ..] => Some(url::compare(tenant, id, newest.version)),
        _ => None,
    };
    let compare = compare.map(|href| view! { <a href=href>{words::COMPARE}</a> });
    let content = if policy.versions.is_empty() {
        view! { <p class="text-muted">{strings::NO_VERSIONS}</p> }.into_any()
    } else {
        let versions = policy.versions.into_iter().map(version).collect_view();
        view! { <ol class="timeline">{versions}</ol> }.into_any()
    };
    view! {
        <section class="card">
            <div class="card-head">
                <h2>{strings::VERSIONS}</h2>
                {compare}
            </div>
            {content}
        </section>
    }
}

fn step(step: Step) -> impl IntoView {
    let revision = step.revision.map(|revision| {
        view! {
            " r"
            {revision}
        }
    });
    view! { <li>{step.what.label()} {revision} " " <MinuteBy at=step.at by=step.by /></li> }
}
