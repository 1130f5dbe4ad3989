//! Parts of the pages of a policy version.

use leptos::prelude::*;

use super::code::CodeBlock;
use crate::{
    text::{messages, url},
    ui::panel::Crumb,
    view::version::VersionPage as Version,
};

#[component]
pub(crate) fn Crumbs(version: Version) -> impl IntoView {
    view! {
        <Crumb
            href=url::policies(version.tenant)
            label=messages::policies::TITLE
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
                <p class="text-xs text-muted">{messages::review::REASON}</p>
            </div>
        }
    })
}

/// The canonical rules, which are the exact bytes behind the digest. With many rules, a link opens the page that
/// contains them.
#[component]
pub(crate) fn Bytes(version: Version, #[prop(optional)] id: Option<&'static str>) -> impl IntoView {
    let summary = messages::version::bytes(version.canonical_bytes);
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
            <CodeBlock text=version.canonical label=messages::version::CANONICAL />
        </details>
    }
    .into_any()
}
