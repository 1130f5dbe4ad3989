//! What identifies the rules of a version, and what approved them.

use leptos::prelude::*;

use super::{
    action_words,
    markup::Bytes,
    view::{Approval, Deciding, VersionPage},
    words,
};
use crate::{
    text::url,
    ui::{
        code::{Digest, ShortDigest},
        facts::{fact, short_id_fact},
        stamp::digest_seal,
        time::Minute,
    },
};

/// Renders the active version that an activation replaces.
pub(crate) fn replaced(active: Option<&Deciding>) -> AnyView {
    let Some(&Deciding { version, since, .. }) = active else {
        return action_words::REPLACES_NOTHING.into_any();
    };
    let since = since.map(|since| {
        view! {
            ", "
            {action_words::SINCE}
            " "
            <Minute at=since />
        }
    });
    view! {
        <span class="tabular-nums">"v" {version}</span>
        {since}
    }
    .into_any()
}

/// The digest of the rules with its seal, and what the version would replace. With `has_bytes`, also the exact bytes.
#[component]
pub(crate) fn RulesDigest(
    version: VersionPage,
    #[prop(optional)] has_bytes: bool,
) -> impl IntoView {
    let digest = version.rules_digest.clone();
    let is_pending = !version.is_active && !version.is_history();
    let replaces = is_pending.then(|| {
        let active = replaced(version.deciding.as_ref());
        view! { <dl class="viewed">{fact(action_words::REPLACES, active)}</dl> }
    });
    let bytes = has_bytes.then(|| view! { <Bytes version /> });
    view! {
        <section class="card stack" aria-labelledby="digest">
            <h2 id="digest">{words::DIGEST}</h2>
            <p class="text-xs text-muted">{words::DIGEST_HELP}</p>
            {digest_seal(&digest)}
            <Digest digest what=words::DIGEST />
            {replaces}
            {bytes}
        </section>
    }
}

/// The signed approval of a ratified version.
#[component]
pub(crate) fn ApprovalCard(approval: Option<Approval>) -> impl IntoView {
    let Approval { digest, key, at, is_anchored } = approval?;
    let key = match key {
        Some(key) => short_id_fact(action_words::SIGNED_WITH, key).into_any(),
        None => fact(action_words::SIGNED_WITH, words::NOT_SIGNED).into_any(),
    };
    let entry = if is_anchored {
        let href = url::log_entry(&digest);
        view! { <a href=href>{words::ANCHORED}</a> }.into_any()
    } else {
        words::NOT_ANCHORED.into_any()
    };
    Some(view! {
        <section class="card" aria-labelledby="approval">
            <h2 id="approval">{words::APPROVAL}</h2>
            <p class="text-xs text-muted">{words::APPROVAL_HELP}</p>
            <dl class="viewed">
                {fact(words::RATIFIED, view! { <Minute at /> })}
                {fact(
                    words::APPROVAL_DIGEST,
                    view! { <ShortDigest digest what=words::APPROVAL_DIGEST /> },
                )} {key} {fact(words::LOG, entry)}
            </dl>
        </section>
    })
}
