//! API keys: the list, the form to create one, and the one-time display of its secret.

mod create;

use contract::{id::TenantId, time::Timestamp};
use leptos::prelude::*;

use self::create::CreateKeyForm;
pub(crate) use self::create::scope_groups;
use super::{
    act::list_keys,
    markup::KeyBadge,
    view::{KeyRow, KeyState, KeysPage as KeyList},
    words,
};
use crate::{
    text::{messages, number::count, time, url},
    ui::{
        code::dotted,
        heading::Heading,
        list::{older_than, table_or_empty},
        load::load,
        one_time_secret::OneTimeSecretBox,
        params,
        time::{Ago, Minute, Second},
    },
};

/// `/t/{tenant}/keys`
#[component]
pub(crate) fn KeysPage() -> impl IntoView {
    let (tenant, cursor) = (params::tenant(), params::query("cursor"));
    load(
        move || (tenant(), cursor()),
        async |(tenant, cursor)| {
            let tenant = tenant?;
            Ok((tenant, list_keys(tenant, cursor).await?))
        },
        |(tenant, page)| view! { <KeysContent tenant page /> }.into_any(),
    )
}

#[component]
fn KeysContent(tenant: TenantId, page: KeyList) -> impl IntoView {
    let path = url::keys(tenant);
    let older = older_than(&path, page.rows.next_cursor);
    let open = page.rows.items.is_empty();
    let row = move |row| view! { <Row tenant row /> };
    let empty = [words::EMPTY, words::EMPTY_NEXT];
    let list = table_or_empty(words::TITLE, words::HEAD, page.rows.items, row, empty);
    let secret = page.secret.map(|secret| {
        view! {
            <OneTimeSecretBox
                title=words::created(&secret.name)
                secret=secret.secret
                what=words::SECRET
                note=words::SECRET_HELP
                page=path
                done=words::SAVED
            />
        }
    });
    view! {
        <Heading title=words::TITLE />
        {secret}
        <CreateKeyForm tenant id=page.next rejected=page.refused open />
        {list}
        {older}
    }
}

#[component]
fn Row(tenant: TenantId, row: KeyRow) -> impl IntoView {
    use super::words::HEAD;
    let revoked_by = row.revoked.map(|(by, at)| view! { <Attribution by at /> });
    let revoke_link = (row.state != KeyState::Revoked).then(|| {
        let label = words::revoke(&row.name);
        view! {
            <a class="button" href=url::revoke_key(tenant, row.id) aria-label=label>
                {words::REVOKE}
            </a>
        }
    });
    let (by, at) = row.created;
    view! {
        <tr>
            <th scope="row" data-label=HEAD[0]>
                <bdi class="font-semibold">{row.name}</bdi>
                <span class="font-mono text-muted whitespace-nowrap">{row.preview}</span>
            </th>
            <td data-label=HEAD[1]>{scopes(&row.scopes)}</td>
            <td data-label=HEAD[2]>
                <KeyBadge state=row.state />
                {revoked_by}
            </td>
            <td data-label=time::head(HEAD[3])>{time_or(row.expires_at, words::NEVER)}</td>
            <td data-label=HEAD[4]>{last_used(row.last_used_at)}</td>
            <td data-label=time::head(HEAD[5])>
                <Attribution by at />
            </td>
            <td data-label=HEAD[6]>{revoke_link}</td>
        </tr>
    }
}

/// A time and who acted; `None` means the command line.
#[component]
pub(crate) fn Attribution(by: Option<String>, at: Timestamp) -> impl IntoView {
    let by = by.unwrap_or_else(|| words::COMMAND_LINE.to_owned());
    view! {
        <span>
            <Minute at />
            <span class="text-muted">" " {messages::BY} " " <bdi>{by}</bdi></span>
        </span>
    }
}

/// Renders up to two scopes as a list, and more scopes collapsed under their number.
pub(crate) fn scopes(scopes: &[String]) -> AnyView {
    let list = view! { <span class="font-mono text-xs">{dotted(&scopes.join(", "))}</span> };
    if scopes.len() <= 2 {
        return list.into_any();
    }
    view! {
        <details class="disclosure">
            <summary>{count(scopes.len(), "scope", "scopes")}</summary>
            {list}
        </details>
    }
    .into_any()
}

/// Renders how long ago a key was last used.
pub(crate) fn last_used(at: Option<Timestamp>) -> AnyView {
    match at {
        Some(at) => view! { <Ago at /> }.into_any(),
        None => view! { <span class="text-muted">{words::NEVER_USED}</span> }.into_any(),
    }
}

/// Renders a time, or `none` if there is no time.
pub(crate) fn time_or(at: Option<Timestamp>, none: &'static str) -> AnyView {
    match at {
        Some(at) => view! { <Second at /> }.into_any(),
        None => view! { <span class="text-muted">{none}</span> }.into_any(),
    }
}
