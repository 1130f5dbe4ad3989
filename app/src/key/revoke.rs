//! Page that revokes an API key.

use contract::id::TenantId;
use leptos::{prelude::*, server_fn::ServerFn};

use super::{
    act::{RevokeKey, read_key},
    markup::KeyBadge,
    page::{Attribution, last_used, scopes, time_or},
    view::{KeyRow, KeyState},
    words,
};
use crate::{
    flash::RejectedForm,
    text::url,
    ui::{
        facts::fact,
        load::load,
        panel::{Panel, submit},
        params,
    },
};

/// `/t/{tenant}/keys/{key}/revoke`
#[component]
pub(crate) fn RevokePage() -> impl IntoView {
    let (tenant, key) = (params::tenant(), params::key());
    load(
        move || (tenant(), key()),
        async |(tenant, key)| {
            let tenant = tenant?;
            let (row, rejected) = read_key(tenant, key?).await?;
            Ok((tenant, row, rejected))
        },
        |(tenant, row, rejected)| view! { <RevokeContent tenant row rejected /> }.into_any(),
    )
}

#[component]
fn RevokeContent(tenant: TenantId, row: KeyRow, rejected: Option<RejectedForm>) -> impl IntoView {
    let title = words::revoke(&row.name);
    let content = if row.state == KeyState::Revoked {
        view! { <p>{words::REVOKED_BEFORE}</p> }.into_any()
    } else {
        view! {
            <form method="post" action=RevokeKey::url() class="stack">
                <input type="hidden" name="tenant" value=tenant.to_string() />
                <input type="hidden" name="id" value=row.id.to_string() />
                <p>{words::REVOKE_FINAL}</p>
                {submit("danger", words::REVOKE)}
            </form>
        }
        .into_any()
    };
    view! {
        <Panel
            title
            problem=rejected.map(|rejected| rejected.problem)
            back=url::keys(tenant)
            back_label=words::BACK
        >
            <Facts row />
            {content}
        </Panel>
    }
}

#[component]
fn Facts(row: KeyRow) -> impl IntoView {
    use super::words::HEAD;
    let (by, at) = row.created;
    let revoked_row =
        row.revoked.map(|(by, at)| fact(words::REVOKED, view! { <Attribution by at /> }));
    view! {
        <dl class="facts">
            <dt>{HEAD[0]}</dt>
            <dd class="font-mono">{row.preview}</dd>
            {fact(HEAD[1], scopes(&row.scopes))}
            {fact(HEAD[2], view! { <KeyBadge state=row.state /> })}
            {fact(HEAD[3], time_or(row.expires_at, words::NEVER))}
            {fact(HEAD[4], last_used(row.last_used_at))}
            {fact(HEAD[5], view! { <Attribution by at /> })}
            {revoked_row}
        </dl>
    }
}
