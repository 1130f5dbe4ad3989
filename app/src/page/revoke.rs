//! Page that revokes an API key.

use contract::id::TenantId;
use leptos::{prelude::*, server_fn::ServerFn};

use super::keys::{Attribution, scopes, time_or};
use crate::{
    api::key::{RevokeKey, read_key},
    text::{messages, url},
    ui::{badge::KeyBadge, heading::Heading, load::load, params, problem::ProblemNote},
    view::{
        flash::RejectedForm,
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
            let (row, rejected) = read_key(tenant, key?).await?;
            Ok((tenant, row, rejected))
        },
    );
    view! {
        {load(
            row,
            |(tenant, row, rejected)| view! { <RevokeContent tenant row rejected /> }.into_any(),
        )}
    }
}

#[component]
fn RevokeContent(tenant: TenantId, row: KeyRow, rejected: Option<RejectedForm>) -> impl IntoView {
    let id = row.id;
    let title = messages::keys::revoke(&row.name);
    let content = if row.state == KeyState::Revoked {
        view! { <p>{messages::keys::REVOKED_BEFORE}</p> }.into_any()
    } else {
        view! {
            <form method="post" action=RevokeKey::url() class="stack">
                <input type="hidden" name="tenant" value=tenant.to_string() />
                <input type="hidden" name="id" value=id.to_string() />
                <p>{messages::keys::REVOKE_FINAL}</p>
                <div class="row">
                    <button class="danger">{messages::keys::REVOKE}</button>
                </div>
            </form>
        }
        .into_any()
    };
    view! {
        <div class="card panel roomy stack">
            <Heading title />
            {rejected.map(|rejected| view! { <ProblemNote problem=rejected.problem /> })}
            <Facts row />
            {content}
            <p>
                <a href=url::keys(tenant)>{messages::keys::BACK}</a>
            </p>
        </div>
    }
}

#[component]
fn Facts(row: KeyRow) -> impl IntoView {
    use messages::keys::HEAD;
    let (by, at) = row.created;
    let revoked_row = row.revoked.map(|(by, at)| {
        view! {
            <dt>{messages::keys::REVOKED}</dt>
            <dd>
                <Attribution by at />
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
                <KeyBadge state=row.state />
            </dd>
            <dt>{HEAD[3]}</dt>
            <dd>{time_or(row.expires_at, messages::keys::NEVER)}</dd>
            <dt>{HEAD[4]}</dt>
            <dd>{time_or(row.last_used_at, messages::keys::NEVER_USED)}</dd>
            <dt>{HEAD[5]}</dt>
            <dd>
                <Attribution by at />
            </dd>
            {revoked_row}
        </dl>
    }
}
