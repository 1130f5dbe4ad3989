//! The audit log, with a check of its integrity.

mod check;
mod filters;

use contract::id::TenantId;
use leptos::prelude::*;

use self::{check::Check, filters::Filters};
use crate::{
    api::audit::list_events,
    markup::note::{Tone, note},
    text::{messages, number::whole, url},
    ui::{
        code::{CodeBlock, Digest, dotted},
        empty::{Empty, NothingMatches},
        heading::Heading,
        list::{older, table},
        load::load,
        params,
        time::Second,
    },
    view::audit::{AuditPage as AuditList, AuditQuery, AuditRow},
};

/// `/t/{tenant}/audit`
#[component]
pub(crate) fn AuditPage() -> impl IntoView {
    let tenant = params::tenant();
    let query = params::filters(AuditQuery::read);
    load(
        move || (tenant(), query()),
        async |(tenant, query)| {
            let tenant = tenant?;
            let page = list_events(tenant, query.clone()).await?;
            Ok((tenant, query, page))
        },
        |(tenant, query, page)| view! { <AuditContent tenant query page /> }.into_any(),
    )
}

#[component]
fn AuditContent(tenant: TenantId, query: AuditQuery, page: AuditList) -> impl IntoView {
    let path = url::audit(tenant);
    let older = older(page.rows.next_cursor.as_deref().map(|cursor| query.address(&path, cursor)));
    let list = if let Some(error) = page.fault {
        note(Tone::Deny, Some("alert"), error)
    } else if !page.rows.items.is_empty() {
        table(
            messages::audit::TITLE,
            messages::audit::HEAD,
            page.rows.items,
            |row| view! { <Row row /> },
        )
    } else if query.has_filters() {
        view! { <NothingMatches clear=path.clone() /> }.into_any()
    } else {
        view! { <Empty title=messages::audit::EMPTY text=messages::audit::EMPTY_NEXT /> }.into_any()
    };
    view! {
        <Heading title=messages::audit::TITLE />
        <Check
            path=path.clone()
            first=query.first.clone()
            last=query.last.clone()
            result=page.check
        />
        <Filters path query />
        {list}
        {older}
    }
}

#[component]
fn Row(row: AuditRow) -> impl IntoView {
    use messages::audit::HEAD;
    let kind = messages::audit::actor(&row.actor_kind).to_owned();
    view! {
        <tr>
            <th scope="row" data-label=HEAD[0] class="tabular-nums">
                {whole(row.seq)}
            </th>
            <td data-label=HEAD[1]>
                <Second at=row.at />
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
                    <summary>{messages::audit::SHOW}</summary>
                    <CodeBlock text=row.event label=messages::audit::EVENT />
                    <p>
                        {messages::audit::HASH} " "
                        <Digest digest=row.hash what=messages::audit::HASH />
                    </p>
                </details>
            </td>
        </tr>
    }
}
