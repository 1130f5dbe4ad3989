//! The audit log, with a check of its integrity.

mod check;
mod filters;

use contract::id::TenantId;
use leptos::prelude::*;

use self::{check::Check, filters::filters};
use super::{
    act::list_events,
    view::{AuditPage as AuditList, AuditQuery, AuditRow, Part},
    words,
};
use crate::{
    text::{number::whole, query::ListQuery as _, time, url},
    ui::{
        code::{CodeBlock, Id, dotted},
        empty::{Empty, NothingMatches},
        facts::{digest_fact, fact},
        heading::Heading,
        list::{older, table},
        load::load,
        note::{Tone, note},
        params,
        time::Second,
    },
};

/// `/t/{tenant}/audit`
#[component]
pub(crate) fn AuditPage() -> impl IntoView {
    let tenant = params::tenant();
    let query = params::filters(|get| AuditQuery::read(get).in_utc());
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
    let list = if let Some(error) = page.error {
        note(Tone::Deny, Some("alert"), error)
    } else if !page.rows.items.is_empty() {
        table(words::TITLE, words::HEAD, page.rows.items, |row| view! { <Row row /> })
    } else if query.has_filters() {
        view! { <NothingMatches clear=path.clone() /> }.into_any()
    } else {
        view! { <Empty title=words::EMPTY text=words::EMPTY_NEXT /> }.into_any()
    };
    view! {
        <Heading title=words::TITLE />
        <Check
            path=path.clone()
            first=query.first.clone()
            last=query.last.clone()
            result=page.check
        />
        {filters(path, &query)}
        {list}
        {older}
    }
}

/// An event: its sentence, which opens the details.
#[component]
fn Row(row: AuditRow) -> impl IntoView {
    use super::words as strings;
    let part = |part: Part| match part {
        Part::Words(words) => words.into_any(),
        Part::Name(name) => view! { <bdi class="breaks font-semibold">{name}</bdi> }.into_any(),
    };
    let sentence = row.sentence.iter().cloned().map(part).collect_view();
    view! {
        <tr>
            <th scope="row" data-label=strings::HEAD[0] class="tabular-nums">
                {whole(row.seq)}
            </th>
            <td data-label=time::head(strings::HEAD[1])>
                <Second at=row.at />
            </td>
            <td data-label=strings::HEAD[2]>
                <details class="disclosure event">
                    <summary>{sentence}</summary>
                    <EventDetails row />
                </details>
            </td>
        </tr>
    }
}

#[component]
fn EventDetails(row: AuditRow) -> impl IntoView {
    use super::words as strings;
    let kind = strings::actor(&row.actor_kind).to_owned();
    let correlation_id = match row.correlation_id {
        Some(id) => view! { <Id id what=strings::CORRELATION_ID /> }.into_any(),
        None => view! { <span class="text-muted">{strings::NO_CORRELATION_ID}</span> }.into_any(),
    };
    let change = (!row.facts.is_empty()).then(|| {
        let line = |(name, value): (String, String)| {
            view! {
                <li>
                    <span class="text-muted">{name}</span>
                    " "
                    <bdi class="breaks">{value}</bdi>
                </li>
            }
        };
        let lines = row.facts.into_iter().map(line).collect_view();
        fact(strings::CHANGE, view! { <ul class="plain-list">{lines}</ul> })
    });
    view! {
        <dl class="facts">
            <dt>{strings::ACTION_NAME}</dt>
            <dd>
                <span class="font-mono">{dotted(&row.action)}</span>
            </dd>
            <dt>{strings::ACTOR_NAME}</dt>
            <dd>
                <span class="text-muted">{kind}</span>
                " "
                <bdi class="breaks">{row.actor}</bdi>
            </dd>
            <dt>{strings::OBJECT_NAME}</dt>
            <dd>
                <span class="text-muted">{dotted(&row.object_kind)}</span>
                " "
                <Id id=row.object what=strings::OBJECT />
            </dd>
            {fact(strings::CORRELATION_ID, correlation_id)}
            {change}
            {digest_fact(strings::HASH, row.hash)}
            {row.prev_hash.map(|hash| digest_fact(strings::PREVIOUS, hash))}
        </dl>
        <CodeBlock text=row.event label=strings::EVENT />
    }
}
