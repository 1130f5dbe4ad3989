//! The audit log: who did what, and whether the log is whole.

mod check;
mod filters;

use contract::id::TenantId;
use leptos::prelude::*;
use leptos_router::hooks::use_query_map;

use self::{check::Check, filters::Filters};
use super::params;
use crate::{
    api::audit::list_events,
    text::{number::whole, url, words},
    ui::{
        code::{CodeBlock, Digest, dotted},
        empty::{Empty, NothingMatches},
        heading::Heading,
        icon::{Icon, icon},
        load::load,
        time::Second,
    },
    view::audit::{AuditPage as Shown, AuditQuery, AuditRow},
};

/// `/t/{tenant}/audit`
#[component]
pub(crate) fn AuditPage() -> impl IntoView {
    let tenant = params::tenant();
    let query = use_query_map();
    let query = move || AuditQuery::read(|name| query.with(|query| query.get(name)));
    let page = Resource::new(
        move || (tenant(), query()),
        async |(tenant, query)| {
            let tenant = tenant?;
            let page = list_events(tenant, query.clone()).await?;
            Ok((tenant, query, page))
        },
    );
    view! { {load(page, |(tenant, query, page)| view! { <Log tenant query page/> }.into_any())} }
}

#[component]
fn Log(tenant: TenantId, query: AuditQuery, page: Shown) -> impl IntoView {
    let path = url::audit(tenant);
    let older = page.rows.next_cursor.as_deref().map(|cursor| {
        let href = query.address(&path, cursor);
        view! { <a class="button" href=href>{words::OLDER}</a> }
    });
    let list = if let Some(fault) = page.fault {
        view! {
            <div class="note deny" role="alert">
                {icon(Icon::Deny)}
                <p>{fault}</p>
            </div>
        }
        .into_any()
    } else if !page.rows.items.is_empty() {
        view! { <Rows rows=page.rows.items/> }.into_any()
    } else if query.filters() {
        view! { <NothingMatches clear=path.clone()/> }.into_any()
    } else {
        view! { <Empty title=words::audit::EMPTY text=words::audit::EMPTY_NEXT/> }.into_any()
    };
    view! {
        <Heading title=words::audit::TITLE/>
        <Check path=path.clone() first=query.first.clone() last=query.last.clone() found=page.check/>
        <Filters path query/>
        {list}
        {older}
    }
}

#[component]
fn Rows(rows: Vec<AuditRow>) -> impl IntoView {
    view! {
        <table class="list">
            <caption class="sr-only">{words::audit::TITLE}</caption>
            <thead>
                <tr>{words::audit::HEAD.map(|head| view! { <th scope="col">{head}</th> })}</tr>
            </thead>
            <tbody>{rows.into_iter().map(|row| view! { <Row row/> }).collect_view()}</tbody>
        </table>
    }
}

#[component]
fn Row(row: AuditRow) -> impl IntoView {
    use words::audit::HEAD;
    let kind = words::audit::actor(&row.actor_kind).to_owned();
    view! {
        <tr>
            <th scope="row" data-label=HEAD[0] class="tabular-nums">
                {whole(row.seq)}
            </th>
            <td data-label=HEAD[1]>
                <Second at=row.at/>
            </td>
            <td data-label=HEAD[2]>
                <span>
                    <span class="text-muted">{kind}</span>
                    " "
                    <bdi class="breaks">{row.actor}</bdi>
                </span>
            </td>
            <td data-label=HEAD[3]>
                <span class="font-mono">{dotted(&row.action)}</span>
            </td>
            <td data-label=HEAD[4]>
                <span>
                    <span class="text-muted">{dotted(&row.object_kind)}</span>
                    " "
                    <bdi class="font-mono text-xs breaks">{row.object}</bdi>
                </span>
            </td>
            <td data-label=HEAD[5]>
                <details class="disclosure">
                    <summary>{words::audit::SHOW}</summary>
                    <CodeBlock text=row.event label=words::audit::EVENT/>
                    <p>
                        {words::audit::HASH} " "
                        <Digest digest=row.hash what=words::audit::HASH/>
                    </p>
                </details>
            </td>
        </tr>
    }
}
