//! API keys: the list, the form of a new one, and the only sight of its secret.

mod create;

use contract::{id::TenantId, time::Timestamp};
use leptos::prelude::*;

use self::create::CreateForm;
use super::params;
use crate::{
    api::key::list_keys,
    text::{number::count, url, words},
    ui::{
        badge::KeyBadge,
        code::dotted,
        empty::Empty,
        heading::Heading,
        load::load,
        shown_once::ShownOnce,
        time::{Minute, Second},
    },
    view::{
        kept::Made,
        key::{KeyRow, KeyState, KeysPage as Shown},
    },
};

/// `/t/{tenant}/keys`
#[component]
pub(crate) fn KeysPage() -> impl IntoView {
    let (tenant, cursor) = (params::tenant(), params::query("cursor"));
    let page = Resource::new(
        move || (tenant(), cursor()),
        async |(tenant, cursor)| {
            let tenant = tenant?;
            Ok((tenant, list_keys(tenant, cursor).await?))
        },
    );
    view! { {load(page, |(tenant, page)| view! { <List tenant page/> }.into_any())} }
}

#[component]
fn List(tenant: TenantId, page: Shown) -> impl IntoView {
    let path = url::keys(tenant);
    let older = page.rows.next_cursor.map(|cursor| {
        let href = url::with_query(&path, &[("cursor", &cursor)]);
        view! { <a class="button" href=href>{words::OLDER}</a> }
    });
    let open = page.rows.items.is_empty();
    let list = if open {
        view! { <Empty title=words::keys::EMPTY text=words::keys::EMPTY_NEXT/> }.into_any()
    } else {
        view! { <Rows tenant rows=page.rows.items/> }.into_any()
    };
    view! {
        <Heading title=words::keys::TITLE/>
        {page.made.map(|made| view! { <Made tenant made/> })}
        <CreateForm tenant id=page.next refused=page.refused open/>
        {list}
        {older}
    }
}

/// The secret, this once.
#[component]
fn Made(tenant: TenantId, made: Made) -> impl IntoView {
    view! {
        <ShownOnce
            says=words::keys::made(&made.name)
            secret=made.secret
            what=words::keys::SECRET
            note=words::keys::SECRET_SAYS
            page=url::keys(tenant)
            done=words::keys::SAVED
        />
    }
}

#[component]
fn Rows(tenant: TenantId, rows: Vec<KeyRow>) -> impl IntoView {
    let row = move |row| view! { <Row tenant row/> };
    view! {
        <table class="list">
            <caption class="sr-only">{words::keys::TITLE}</caption>
            <thead>
                <tr>{words::keys::HEAD.map(|head| view! { <th scope="col">{head}</th> })}</tr>
            </thead>
            <tbody>{rows.into_iter().map(row).collect_view()}</tbody>
        </table>
    }
}

#[component]
fn Row(tenant: TenantId, row: KeyRow) -> impl IntoView {
    use words::keys::HEAD;
    let revoked = row.revoked.map(|(by, at)| view! { <Who by at/> });
    let revoke = (row.state != KeyState::Revoked).then(|| {
        let label = words::keys::revoke(&row.name);
        view! {
            <a class="button" href=url::revoke_key(tenant, row.id) aria-label=label>
                {words::keys::REVOKE}
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
                <KeyBadge state=row.state/>
                {revoked}
            </td>
            <td data-label=HEAD[3]>{instant(row.expires_at, words::keys::NEVER)}</td>
            <td data-label=HEAD[4]>{instant(row.last_used_at, words::keys::UNUSED)}</td>
            <td data-label=HEAD[5]>
                <Who by at/>
            </td>
            <td data-label=HEAD[6]>{revoke}</td>
        </tr>
    }
}

/// When, and by whom.
#[component]
pub(super) fn Who(by: Option<String>, at: Timestamp) -> impl IntoView {
    let by = by.unwrap_or_else(|| words::keys::COMMAND_LINE.to_owned());
    view! {
        <span>
            <Minute at/>
            <span class="text-muted">
                " " {words::BY} " " <bdi>{by}</bdi>
            </span>
        </span>
    }
}

/// Up to two scopes as they are; more behind their number.
pub(super) fn scopes(scopes: &[String]) -> AnyView {
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

/// An instant, or the word for there being none.
pub(super) fn instant(at: Option<Timestamp>, none: &'static str) -> AnyView {
    match at {
        Some(at) => view! { <Second at/> }.into_any(),
        None => view! { <span class="text-muted">{none}</span> }.into_any(),
    }
}
