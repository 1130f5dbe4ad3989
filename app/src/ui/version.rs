//! Parts of the pages of a policy version.

use leptos::prelude::*;

use super::code::CodeBlock;
use crate::{
    markup::icon::{Icon, icon},
    text::{messages, url},
    view::version::VersionPage as Version,
};

/// The links back to the policies and the policy.
#[component]
pub(crate) fn Crumbs(version: Version) -> impl IntoView {
    view! {
        <nav class="crumbs" aria-label=messages::menu::CRUMBS>
            <a href=url::policies(version.tenant)>{messages::policies::TITLE}</a>
            {icon(Icon::Next)}
            <a href=url::policy(version.tenant, version.policy)>
                <bdi>{version.policy_name}</bdi>
            </a>
        </nav>
    }
}

/// The canonical rules, which are the exact bytes behind the digest.
#[component]
pub(crate) fn Bytes(canonical: String) -> impl IntoView {
    let summary = messages::version::bytes(canonical.len());
    view! {
        <details class="disclosure">
            <summary>{summary}</summary>
            <CodeBlock text=canonical label=messages::version::CANONICAL />
        </details>
    }
}
