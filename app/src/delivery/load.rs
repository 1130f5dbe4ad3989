//! Data of the delivery pages.

use contract::{
    id::{DeliveryId, SubscriptionId, TenantId},
    json::{Limits, Value},
    pagination::LIMIT_DEFAULT,
    time::DAY_MS,
    webhook::{RedriveRequest, WebhookDelivery},
};
use governance::{Cx, access::permission, notify::webhook};

use super::{
    view::{DeliveriesPage, DeliveryPage, DeliveryQuery, DeliveryRow, Retried},
    words,
};
use crate::{
    problem::Problem,
    request::{
        counts, current_page as own_page, into_problem, list_page, page_at, take_rejected,
        take_result, to_problem,
    },
    text::{
        query::{instant, parsed},
        url,
    },
    ui::list_page::ListPage,
    webhook::{load::all, view::WebhookRow},
};

/// Returns one page of the deliveries. With invalid filters, it returns no rows and an error message.
pub(crate) async fn list(
    cx: &Cx,
    tenant: TenantId,
    query: DeliveryQuery,
) -> Result<DeliveriesPage, Problem> {
    let all = all(cx).await?;
    let inactive: Vec<_> =
        all.iter().filter(|webhook| !webhook.is_active).map(|it| it.id).collect();
    let webhooks = all.into_iter().map(|webhook| (webhook.id, webhook.webhook_url)).collect();
    let page_url = own_page();
    let mut page = DeliveriesPage {
        tenant,
        rows: ListPage::default(),
        webhooks,
        error: None,
        refused: take_rejected(&page_url).await,
        retried: take_result(&page_url).await,
        // The counts are read before the rows, so that everything queued in between counts as new.
        mark: counts(cx).await?.mark.to_string(),
    };
    match query.filter() {
        Ok(filter) => {
            let window = webhook::deliveries_window(cx, filter, &page_at(query.cursor)).await;
            let deliveries = list_page(into_problem(window)?);
            page.rows = deliveries.map(|delivery| row(delivery, &page.webhooks, &inactive));
        }
        Err(error) => page.error = Some(error.to_owned()),
    }
    Ok(page)
}

fn row(
    delivery: WebhookDelivery,
    webhooks: &[(SubscriptionId, String)],
    inactive: &[SubscriptionId],
) -> DeliveryRow {
    let webhook = webhooks.iter().find(|(id, _)| *id == delivery.subscription_id);
    let is_inactive = inactive.contains(&delivery.subscription_id);
    DeliveryRow { url: webhook.map(|(_, url)| url.clone()), is_inactive, delivery }
}

pub(crate) async fn page(
    cx: &Cx,
    tenant: TenantId,
    id: DeliveryId,
) -> Result<DeliveryPage, Problem> {
    let delivery = into_problem(webhook::inspect(cx, id).await)?;
    let webhook = match &delivery.url {
        Some(_) => webhook_row(cx, delivery.delivery.subscription_id).await?,
        None => None,
    };
    let headers = delivery.last.into_iter().flat_map(|call| call.headers);
    let own = url::delivery(tenant, id);
    Ok(DeliveryPage {
        tenant,
        row: DeliveryRow {
            is_inactive: webhook.as_ref().is_some_and(|webhook| !webhook.is_active),
            delivery: delivery.delivery,
            url: delivery.url,
        },
        webhook,
        is_sample: is_sample(&delivery.body),
        headers: headers.map(|(name, value)| (name.to_owned(), value)).collect(),
        body: delivery.body,
        refused: take_rejected(&own).await.map(|rejected| rejected.problem),
        retried: take_result(&own).await,
    })
}

/// Returns a webhook with the counts of the last 24 hours, or `None` if it was deleted meanwhile.
async fn webhook_row(cx: &Cx, id: SubscriptionId) -> Result<Option<WebhookRow>, Problem> {
    let Ok(webhook) = webhook::read(cx, id).await else { return Ok(None) };
    let day = into_problem(webhook::counts_since(cx, cx.now.plus_millis(-DAY_MS)).await)?;
    let day = day.iter().find(|stats| stats.subscription_id == id);
    let dead = into_problem(webhook::dead_counts(cx).await)?.get(&id).copied();
    let counts = day.map(|stats| stats.counts).unwrap_or_default();
    Ok(Some(WebhookRow::new(webhook, counts, dead.unwrap_or_default())))
}

/// Returns whether a body belongs to a test, which has no alert.
fn is_sample(body: &str) -> bool {
    let body = Value::parse(body.as_bytes(), &Limits::REQUEST).ok();
    let kind = body.as_ref().and_then(|body| body.get("alert")?.get("alert_type")?.as_str());
    kind == Some("test")
}

/// Retries each of these deliveries separately: a rejected one does not block the others.
pub(crate) async fn retry(cx: &Cx, ids: &[String]) -> Result<Retried, Problem> {
    into_problem(cx.tenant(permission::MANAGE_WEBHOOKS).map(drop))?;
    let mut ids: Vec<DeliveryId> = ids.iter().filter_map(|id| id.parse().ok()).collect();
    ids.sort();
    ids.dedup();
    let max = usize::try_from(LIMIT_DEFAULT).unwrap_or(usize::MAX);
    if !(1..=max).contains(&ids.len()) {
        return Err(Problem::of_form(words::NOT_SELECTED));
    }
    let mut retried = Retried::default();
    for id in ids {
        match webhook::retry(cx, id).await {
            Ok(_) => retried.count += 1,
            Err(error) => retried.refused.push((id, to_problem(&error))),
        }
    }
    Ok(retried)
}

/// Retries dead deliveries of one webhook or of all, queued at or after `since` when it is set.
pub(crate) async fn redrive(cx: &Cx, to: &str, since: &str) -> Result<Retried, Problem> {
    let since = instant(since.trim()).map_err(|()| Problem::of_form(words::BAD_SINCE))?;
    let subscription_id = parsed(to).map_err(Problem::of_form)?;
    let redriven =
        into_problem(webhook::redrive(cx, RedriveRequest { subscription_id, since }).await)?;
    Ok(Retried { count: redriven.redriven, refused: Vec::new() })
}
