//! Webhooks: the list with its delivery status, and the one-time display of a new secret.

mod new;

use contract::{
    id::{SubscriptionId, TenantId},
    webhook::WebhookEnvelope,
};
use leptos::{prelude::*, server_fn::ServerFn};

pub(crate) use self::new::NewWebhookPage;
use super::{
    act::{DeleteWebhook, TestWebhook, list_webhooks},
    view::{WebhookRow, WebhooksPage as WebhookList},
};
use crate::{
    delivery::words as delivery_words,
    text::{number::counted, url},
    ui::{
        badge::SeverityChip, empty::Empty, heading::Heading, list::table, load::load,
        one_time_secret::OneTimeSecretBox, params, problem::ProblemNote, time::Minute,
    },
};

/// `/t/{tenant}/webhooks`
#[component]
pub(crate) fn WebhooksPage() -> impl IntoView {
    let tenant = params::tenant();
    load(
        tenant,
        async |tenant| list_webhooks(tenant?).await,
        |page| view! { <WebhooksContent page /> }.into_any(),
    )
}

#[component]
fn WebhooksContent(page: WebhookList) -> impl IntoView {
    use super::words as strings;
    let tenant = page.tenant;
    let list = if page.rows.is_empty() {
        view! { <Empty title=strings::EMPTY text=strings::EMPTY_NEXT /> }.into_any()
    } else {
        view! {
            {table(
                strings::TITLE,
                strings::HEAD,
                page.rows,
                move |row| view! { <Row tenant row /> },
            )}
            <p class="text-muted">{strings::REPLACE_HELP}</p>
        }
        .into_any()
    };
    let secret = page.secret.map(|secret| {
        view! {
            <OneTimeSecretBox
                title=strings::created(&secret.name)
                secret=secret.secret
                what=strings::SECRET
                note=strings::SECRET_HELP
                page=url::webhooks(tenant)
                done=strings::SAVED
            />
        }
    });
    view! {
        <div class="page-head">
            <Heading title=strings::TITLE />
            <a class="button push" href=url::deliveries(tenant)>
                {delivery_words::TITLE}
            </a>
            <a class="button primary" href=url::new_webhook(tenant) data-key="n">
                {strings::NEW}
            </a>
        </div>
        {page.refused.map(|problem| view! { <ProblemNote problem /> })}
        {secret}
        {list}
    }
}

#[component]
fn Row(tenant: TenantId, row: WebhookRow) -> impl IntoView {
    use super::words::{ALL_TYPES, CLOUD_EVENTS, HEAD, INACTIVE, health};
    let all_deliveries = url::deliveries_to(tenant, row.id, "");
    let types = if row.types.is_empty() {
        view! { <span class="text-muted">{ALL_TYPES}</span> }.into_any()
    } else {
        view! { <bdi class="font-mono text-xs breaks">{row.types.join(", ")}</bdi> }.into_any()
    };
    let dead = if row.dead == 0 {
        view! { <span class="text-muted">"0"</span> }.into_any()
    } else {
        let dead = url::deliveries_to(tenant, row.id, "dead");
        view! { <a href=dead>{counted(row.dead)}</a> }.into_any()
    };
    view! {
        <tr>
            <th scope="row" data-label=HEAD[0]>
                <a href=all_deliveries data-row="">
                    <bdi class="breaks">{row.url.clone()}</bdi>
                </a>
                <span class="text-muted text-xs">
                    <Minute at=row.made_at />
                    {(row.envelope == WebhookEnvelope::CloudEvents)
                        .then(|| format!(" · {CLOUD_EVENTS}"))}
                    {(!row.is_active)
                        .then(|| view! { <span id=why_inactive(row.id)>" · " {INACTIVE}</span> })}
                </span>
            </th>
            <td data-label=HEAD[1]>{types}</td>
            <td data-label=HEAD[2]>
                <SeverityChip severity=row.severity />
            </td>
            <td data-label=HEAD[3] class="tabular-nums">
                {health(row.day)}
            </td>
            <td data-label=HEAD[4] class="tabular-nums">
                {dead}
            </td>
            <td data-label=HEAD[5]>
                <RowActions tenant id=row.id url=row.url is_active=row.is_active />
            </td>
        </tr>
    }
}

/// Returns the element ID of the reason why a webhook is inactive.
fn why_inactive(id: SubscriptionId) -> String {
    format!("inactive-{id}")
}

/// The actions for a webhook. Deletion needs a confirmation.
#[component]
fn RowActions(tenant: TenantId, id: SubscriptionId, url: String, is_active: bool) -> impl IntoView {
    use super::words as strings;
    let hidden_fields = move || {
        view! {
            <input type="hidden" name="tenant" value=tenant.to_string() />
            <input type="hidden" name="id" value=id.to_string() />
        }
    };
    let label = strings::act(strings::TEST, &url);
    let test = if is_active {
        view! {
            <form method="post" action=TestWebhook::url()>
                {hidden_fields()}
                <button aria-label=label>{strings::TEST}</button>
            </form>
        }
        .into_any()
    } else {
        view! {
            <button
                type="button"
                aria-disabled="true"
                aria-label=label
                aria-describedby=why_inactive(id)
            >
                {strings::TEST}
            </button>
        }
        .into_any()
    };
    view! {
        <div class="row">
            {test}
            <a
                class="button"
                href=url::replace_webhook(tenant, id)
                aria-label=strings::act(strings::REPLACE, &url)
            >
                {strings::REPLACE}
            </a> <details class="disclosure">
                <summary aria-label=strings::act(strings::DELETE, &url)>{strings::DELETE}</summary>
                <form method="post" action=DeleteWebhook::url() class="stack">
                    {hidden_fields()}
                    <p>{strings::DELETE_HELP}</p>
                    <div class="row">
                        <button class="danger" aria-label=strings::act(strings::DELETE, &url)>
                            {strings::DELETE}
                        </button>
                    </div>
                </form>
            </details>
        </div>
    }
}
