//! Revoking an API key: what it is, what follows, and one press.

use contract::id::TenantId;
use leptos::{prelude::*, server_fn::ServerFn};

use super::{
    keys::{Who, instant, scopes},
    params,
};
use crate::{
    api::key::{RevokeKey, read_key},
    text::{url, words},
    ui::{badge::KeyBadge, heading::Heading, load::load, problem::ProblemNote},
    view::{
        kept::Kept,
        key::{KeyRow, KeyState},
    },
};

/// `/t/{tenant}/keys/{key}/revoke`
#[component]
pub(crate) fn RevokePage() -> impl IntoView {
    let (tenant, key) = (params::tenant(), params::key());
    let row = Resource::new(
        move || (tenant(), key()),
        async |(tenant, key)| {
            let tenant = tenant?;
            let (row, kept) = read_key(tenant, key?).await?;
            Ok((tenant, row, kept))
        },
    );
    view! { {load(row, |(tenant, row, kept)| view! { <Sheet tenant row kept/> }.into_any())} }
}

#[component]
fn Sheet(tenant: TenantId, row: KeyRow, kept: Option<Kept>) -> impl IntoView {
    let id = row.id;
    let title = words::keys::revoke(&row.name);
    let act = if row.state == KeyState::Revoked {
        view! { <p>{words::keys::REVOKED_BEFORE}</p> }.into_any()
    } else {
        view! {
            <form method="post" action=RevokeKey::url() class="stack">
                <input type="hidden" name="tenant" value=tenant.to_string()/>
                <input type="hidden" name="id" value=id.to_string()/>
                <p>{words::keys::REVOKE_FINAL}</p>
                <div class="row">
                    <button class="danger">{words::keys::REVOKE}</button>
                </div>
            </form>
        }
        .into_any()
    };
    view! {
        <div class="card sheet roomy stack">
            <Heading title/>
            {kept.map(|kept| view! { <ProblemNote problem=kept.problem/> })}
            <Facts row/>
            {act}
            <p>
                <a href=url::keys(tenant)>{words::keys::BACK}</a>
            </p>
        </div>
    }
}

#[component]
fn Facts(row: KeyRow) -> impl IntoView {
    use words::keys::HEAD;
    let (by, at) = row.created;
    let revoked = row.revoked.map(|(by, at)| {
        view! {
            <dt>{words::keys::REVOKED}</dt>
            <dd>
                <Who by at/>
            </dd>
        }
    });
    view! {
        <dl class="facts">
            <dt>{HEAD[0]}</dt>
            <dd class="font-mono">{row.preview}</dd>
            <dt>{HEAD[1]}</dt>
            <dd>{scopes(&row.scopes)}</dd>
            <dt>{HEAD[2]}</dt>
            <dd>
                <KeyBadge state=row.state/>
            </dd>
            <dt>{HEAD[3]}</dt>
            <dd>{instant(row.expires_at, words::keys::NEVER)}</dd>
            <dt>{HEAD[4]}</dt>
            <dd>{instant(row.last_used_at, words::keys::UNUSED)}</dd>
            <dt>{HEAD[5]}</dt>
            <dd>
                <Who by at/>
            </dd>
            {revoked}
        </dl>
    }
}
