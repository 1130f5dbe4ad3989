//! Parts of the pages of a policy version.

use leptos::prelude::*;

use super::{view::VersionPage as Version, words};
use crate::{
    policy::list_words as policy_list_words,
    text::url,
    ui::{code::CodeBlock, panel::Crumb},
};
#[cfg(feature = "ssr")]
use crate::{
    policy::view::Step,
    review::words as review_words,
    ui::{quote::quote, time::MinuteBy},
};

#[component]
pub(crate) fn Crumbs(version: Version) -> impl IntoView {
    view! {
        <Crumb
            href=url::policies(version.tenant)
            label=policy_list_words::TITLE
            inner=(url::policy(version.tenant, version.policy), version.policy_name)
        />
    }
}

/// The author's reason for a version, above its changes.
#[cfg(feature = "ssr")]
#[component]
pub(crate) fn ChangeReason(reason: Option<String>) -> impl IntoView {
    reason.map(|reason| {
        view! {
            <div class="why-change">
                <p>
                    <bdi>{reason}</bdi>
                </p>
                <p class="text-xs text-muted">{review_words::REASON}</p>
            </div>
        }
    })
}

/// The events of a version, newest first, and the reason for it.
#[cfg(feature = "ssr")]
#[component]
pub(crate) fn Timeline(steps: Vec<Step>, reason: Option<String>) -> impl IntoView {
    let item = |step: Step| {
        view! {
            <li>
                <p class="font-semibold tabular-nums">
                    {step.what.label()} {step.revision.map(|revision| format!(" r{revision}"))}
                </p>
                <p class="text-xs text-muted">
                    <MinuteBy at=step.at by=step.by />
                </p>
            </li>
        }
    };
    view! {
        <section class="card">
            <h2>{words::TIMELINE}</h2>
            {reason.map(quote)}
            <ol class="timeline">{steps.into_iter().map(item).collect_view()}</ol>
        </section>
    }
}

/// The canonical rules, which are the exact bytes behind the digest. With many rules, a link opens the page that
/// contains them.
#[component]
pub(crate) fn Bytes(version: Version, #[prop(optional)] id: Option<&'static str>) -> impl IntoView {
    let summary = words::bytes(version.canonical_bytes);
    if version.canonical.is_empty() {
        let page = url::version(version.tenant, version.policy, version.version);
        let href = format!("{}#bytes", url::with_query(&page, &[("bytes", "1")]));
        return view! {
            <p>
                <a href=href>{summary}</a>
            </p>
        }
        .into_any();
    }
    view! {
        <details class="disclosure" id=id open=version.rules.is_paged()>
            <summary>{summary}</summary>
            <CodeBlock text=version.canonical label=words::CANONICAL />
        </details>
    }
    .into_any()
}
