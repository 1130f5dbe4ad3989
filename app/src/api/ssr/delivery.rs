//! What the pages of deliveries are made of.

use contract::{
    id::{DeliveryId, SubscriptionId, TenantId},
    json::{Limits, Value},
    page::{LIMIT_DEFAULT, Page},
    webhook::{Redrive, WebhookDelivery},
};
use governance::{Cx, permission, webhook};

use super::{answer, kept, page as own_page, page_at, refuse, told, webhook::all};
use crate::{
    problem::Problem,
    text::{url, words},
    view::{
        delivery::{DeliveriesPage, DeliveryPage, DeliveryQuery, DeliveryRow, Retried},
        query::{instant, parsed},
    },
};

/// One page of the deliveries. Filters that cannot be read show no rows, and say so.
pub(in crate::api) async fn list(
    cx: &Cx,
    tenant: TenantId,
    query: DeliveryQuery,
) -> Result<DeliveriesPage, Problem> {
    let webhooks = all(cx).await?.into_iter().map(|own| (own.id, own.webhook_url)).collect();
    let own = own_page();
    let mut page = DeliveriesPage {
        tenant,
        rows: Page { items: Vec::new(), next_cursor: None },
        webhooks,
        fault: None,
        refused: kept(&own).await,
        retried: told(&own).await,
    };
    match query.filter() {
        Ok(filter) => {
            let found = webhook::list_deliveries(cx, filter, &page_at(query.cursor)).await;
            page.rows = answer(found)?.map(|delivery| row(delivery, &page.webhooks));
        }
        Err(fault) => page.fault = Some(fault.to_owned()),
    }
    Ok(page)
}

fn row(delivery: WebhookDelivery, webhooks: &[(SubscriptionId, String)]) -> DeliveryRow {
    let own = webhooks.iter().find(|(id, _)| *id == delivery.subscription_id);
    DeliveryRow { url: own.map(|(_, url)| url.clone()), delivery }
}

/// One delivery, with what it sends.
pub(in crate::api) async fn page(
    cx: &Cx,
    tenant: TenantId,
    id: DeliveryId,
) -> Result<DeliveryPage, Problem> {
    let found = answer(webhook::inspect(cx, id).await)?;
    let headers = found.last.into_iter().flat_map(|call| call.headers);
    let own = url::delivery(tenant, id);
    Ok(DeliveryPage {
        tenant,
        row: DeliveryRow { delivery: found.delivery, url: found.url },
        is_sample: is_sample(&found.body),
        headers: headers.map(|(name, value)| (name.to_owned(), value)).collect(),
        body: found.body,
        refused: kept(&own).await.map(|kept| kept.problem),
        retried: told(&own).await,
    })
}

/// Whether a body tells of a test, which no alert is behind.
fn is_sample(body: &str) -> bool {
    let body = Value::parse(body.as_bytes(), &Limits::REQUEST).ok();
    let kind = body.as_ref().and_then(|body| body.get("alert")?.get("alert_type")?.as_str());
    kind == Some("test")
}

/// Tries the deliveries of these ids again, each by itself: one that is refused holds up no other.
pub(in crate::api) async fn retry(cx: &Cx, ids: &[String]) -> Result<Retried, Problem> {
    answer(cx.tenant(permission::KEEP_WEBHOOKS).map(drop))?;
    let mut ids: Vec<DeliveryId> = ids.iter().filter_map(|id| id.parse().ok()).collect();
    ids.sort();
    ids.dedup();
    let most = usize::try_from(LIMIT_DEFAULT).unwrap_or(usize::MAX);
    if !(1..=most).contains(&ids.len()) {
        return Err(Problem::of_form(words::deliveries::NOT_SELECTED));
    }
    let mut retried = Retried::default();
    for id in ids {
        match webhook::retry(cx, id).await {
            Ok(_) => retried.again += 1,
            Err(error) => retried.refused.push((id, refuse(&error))),
        }
    }
    Ok(retried)
}

/// Tries dead deliveries again, to one webhook or to all, that were queued since a moment or ever.
pub(in crate::api) async fn redrive(cx: &Cx, to: &str, since: &str) -> Result<Retried, Problem> {
    let since =
        instant(since.trim()).map_err(|()| Problem::of_form(words::deliveries::BAD_SINCE))?;
    let subscription_id = parsed(to).map_err(Problem::of_form)?;
    let redriven = answer(webhook::redrive(cx, Redrive { subscription_id, since }).await)?;
    Ok(Retried { again: redriven.redriven, refused: Vec::new() })
}
