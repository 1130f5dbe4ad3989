//! What happened to an alert: its deliveries to webhooks, and its history.

use contract::{id::TenantId, time::Timestamp};
use leptos::prelude::*;

use crate::{
    alert::{
        view::trail::{AlertDelivery, PastChange},
        words,
    },
    delivery::{markup::DeliveryBadge, words as delivery_words},
    text::url,
    ui::{
        icon::{Icon, icon},
        time::{Minute, MinuteBy},
    },
};

/// Renders the deliveries, each with a link to its page and its status.
pub(super) fn deliveries(tenant: TenantId, deliveries: Vec<AlertDelivery>) -> Option<AnyView> {
    let delivery = move |AlertDelivery { id, url, status }: AlertDelivery| {
        let receiver = match url.as_deref().and_then(|url| url.split_once("://")) {
            Some((_, receiver)) => receiver.to_owned(),
            None => delivery_words::DELETED_WEBHOOK.to_owned(),
        };
        view! {
            <li class="row">
                {icon(Icon::Webhook)} <a class="grow breaks" href=url::delivery(tenant, id)>
                    <bdi>{receiver}</bdi>
                </a> <DeliveryBadge status />
            </li>
        }
    };
    (!deliveries.is_empty()).then(|| {
        view! {
            <section aria-labelledby="alert-deliveries">
                <p id="alert-deliveries" class="font-semibold">
                    {words::DELIVERIES}
                </p>
                <ul class="divided">{deliveries.into_iter().map(delivery).collect_view()}</ul>
            </section>
        }
        .into_any()
    })
}

/// Renders the creation and the changes, oldest first.
pub(super) fn history(created_at: Timestamp, changes: Vec<PastChange>) -> impl IntoView {
    let change = |PastChange { action, at, by }: PastChange| {
        view! {
            <li>
                <p>{action.event()}</p>
                <p class="text-xs text-muted">
                    <MinuteBy at by />
                </p>
            </li>
        }
    };
    view! {
        <section aria-labelledby="alert-history">
            <p id="alert-history" class="font-semibold">
                {words::HISTORY}
            </p>
            <ol class="timeline">
                <li>
                    <p>{words::CREATED}</p>
                    <p class="text-xs text-muted">
                        <Minute at=created_at />
                    </p>
                </li>
                {changes.into_iter().map(change).collect_view()}
            </ol>
        </section>
    }
}
