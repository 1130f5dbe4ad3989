//! Webhooks: where alerts go, how that is going, and the only sight of a new one's secret.

mod new;

use contract::id::{SubscriptionId, TenantId};
use leptos::{prelude::*, server_fn::ServerFn};

pub(crate) use self::new::NewWebhookPage;
use super::params;
use crate::{
    api::webhook::{DeleteWebhook, TestWebhook, list_webhooks},
    text::{url, words},
    ui::{
        badge::SeverityChip, empty::Empty, heading::Heading, load::load, problem::ProblemNote,
        shown_once::ShownOnce, time::Minute,
    },
    view::{
        kept::Made,
        webhook::{WebhookRow, WebhooksPage as Shown},
    },
};

/// `/t/{tenant}/webhooks`
#[component]
pub(crate) fn WebhooksPage() -> impl IntoView {
    let tenant = params::tenant();
    let page = Resource::new(tenant, async |tenant| list_webhooks(tenant?).await);
    view! { {load(page, |page| view! { <List page/> }.into_any())} }
}

#[component]
fn List(page: Shown) -> impl IntoView {
    use words::webhooks as say;
    let tenant = page.tenant;
    let list = if page.rows.is_empty() {
        view! { <Empty title=say::EMPTY text=say::EMPTY_NEXT/> }.into_any()
    } else {
        view! {
            <Rows tenant rows=page.rows/>
            <p class="text-muted">{say::REPLACE_SAYS}</p>
        }
        .into_any()
    };
    view! {
        <div class="page-head">
            <Heading title=say::TITLE/>
            <a class="button push" href=url::deliveries(tenant)>
                {words::deliveries::TITLE}
            </a>
            <a class="button primary" href=url::new_webhook(tenant) data-key="n">
                {say::NEW}
            </a>
        </div>
        {page.refused.map(|problem| view! { <ProblemNote problem/> })}
        {page.made.map(|made| view! { <Secret tenant made/> })}
        {list}
    }
}

/// The secret, this once.
#[component]
fn Secret(tenant: TenantId, made: Made) -> impl IntoView {
    view! {
        <ShownOnce
            says=words::webhooks::made(&made.name)
            secret=made.secret
            what=words::webhooks::SECRET
            note=words::webhooks::SECRET_SAYS
            page=url::webhooks(tenant)
            done=words::webhooks::SAVED
        />
    }
}

#[component]
fn Rows(tenant: TenantId, rows: Vec<WebhookRow>) -> impl IntoView {
    let row = move |row| view! { <Row tenant row/> };
    view! {
        <table class="list">
            <caption class="sr-only">{words::webhooks::TITLE}</caption>
            <thead>
                <tr>{words::webhooks::HEAD.map(|head| view! { <th scope="col">{head}</th> })}</tr>
            </thead>
            <tbody>{rows.into_iter().map(row).collect_view()}</tbody>
        </table>
    }
}

#[component]
fn Row(tenant: TenantId, row: WebhookRow) -> impl IntoView {
    use words::webhooks::{ALL_TYPES, HEAD, health};
    let all = url::deliveries_to(tenant, row.id, "");
    let types = if row.types.is_empty() {
        view! { <span class="text-muted">{ALL_TYPES}</span> }.into_any()
    } else {
        view! { <bdi class="font-mono text-xs breaks">{row.types.join(", ")}</bdi> }.into_any()
    };
    let dead = if row.dead == 0 {
        view! { <span class="text-muted">"0"</span> }.into_any()
    } else {
        let dead = url::deliveries_to(tenant, row.id, "dead");
        view! { <a href=dead>{crate::text::number::counted(row.dead)}</a> }.into_any()
    };
    view! {
        <tr>
            <th scope="row" data-label=HEAD[0]>
                <a href=all data-row="">
                    <bdi class="breaks">{row.url.clone()}</bdi>
                </a>
                <span class="text-muted text-xs">
                    <Minute at=row.made_at/>
                </span>
            </th>
            <td data-label=HEAD[1]>{types}</td>
            <td data-label=HEAD[2]>
                <SeverityChip severity=row.severity/>
            </td>
            <td data-label=HEAD[3] class="tabular-nums">
                {health(row.day)}
            </td>
            <td data-label=HEAD[4] class="tabular-nums">
                {dead}
            </td>
            <td data-label=HEAD[5]>
                <Acts tenant id=row.id url=row.url/>
            </td>
        </tr>
    }
}

/// What can be done with a webhook. Deleting asks once more, in place.
#[component]
fn Acts(tenant: TenantId, id: SubscriptionId, url: String) -> impl IntoView {
    use words::webhooks as say;
    let which = move || {
        view! {
            <input type="hidden" name="tenant" value=tenant.to_string()/>
            <input type="hidden" name="id" value=id.to_string()/>
        }
    };
    view! {
        <div class="row">
            <form method="post" action=TestWebhook::url()>
                {which()}
                <button aria-label=say::act(say::TEST, &url)>{say::TEST}</button>
            </form>
            <a
                class="button"
                href=url::replace_webhook(tenant, id)
                aria-label=say::act(say::REPLACE, &url)
            >
                {say::REPLACE}
            </a>
            <details class="disclosure">
                <summary aria-label=say::act(say::DELETE, &url)>{say::DELETE}</summary>
                <form method="post" action=DeleteWebhook::url() class="stack">
                    {which()}
                    <p>{say::DELETE_SAYS}</p>
                    <div class="row">
                        <button class="danger" aria-label=say::act(say::DELETE, &url)>
                            {say::DELETE}
                        </button>
                    </div>
                </form>
            </details>
        </div>
    }
}
