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
