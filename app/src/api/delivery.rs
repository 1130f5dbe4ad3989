//! Deliveries to webhooks: the list, one of them, and trying them again.

use contract::id::{DeliveryId, TenantId};
use leptos::prelude::server;

use super::codec::Answer;
use crate::{
    problem::Problem,
    view::delivery::{DeliveriesPage, DeliveryPage, DeliveryQuery},
};

/// One page of the deliveries under `query`.
#[server(prefix = "/console", endpoint = "deliveries", output = Answer)]
pub(crate) async fn list_deliveries(
    tenant: TenantId,
    query: DeliveryQuery,
) -> Result<DeliveriesPage, Problem> {
    use super::ssr::{self, delivery as sources};
    let cx = ssr::human(tenant).await?;
    sources::list(&cx, tenant, query).await
}

/// One delivery, with what it sends.
#[server(prefix = "/console", endpoint = "delivery", output = Answer)]
pub(crate) async fn read_delivery(
    tenant: TenantId,
    id: DeliveryId,
) -> Result<DeliveryPage, Problem> {
    use super::ssr::{self, delivery as sources};
    let cx = ssr::human(tenant).await?;
    sources::page(&cx, tenant, id).await
}

/// Tries the deliveries again that were ticked, and leads back to the page of the form, which tells what
/// came of it.
#[server(prefix = "/console", endpoint = "retry-deliveries", output = Answer)]
pub(crate) async fn retry_deliveries(
    tenant: TenantId,
    #[server(default)] ids: Vec<String>,
    #[server(default)] back: String,
) -> Result<(), Problem> {
    use super::ssr::{self, delivery as sources};
    let cx = ssr::human(tenant).await?;
    match sources::retry(&cx, &ids).await {
        Ok(retried) => {
            ssr::tell(&back, &retried).await?;
            ssr::go(&back);
        }
        Err(problem) => ssr::keep(problem, back, String::new()).await?,
    }
    Ok(())
}

/// Tries dead deliveries again, to one webhook or to all, that were queued since a moment or ever, and
/// leads back to the page of the form.
#[server(prefix = "/console", endpoint = "redrive-deliveries", output = Answer)]
pub(crate) async fn redrive_deliveries(
    tenant: TenantId,
    #[server(default)] webhook: String,
    #[server(default)] since: String,
    #[server(default)] back: String,
) -> Result<(), Problem> {
    use super::ssr::{self, delivery as sources};
    let cx = ssr::human(tenant).await?;
    match sources::redrive(&cx, &webhook, &since).await {
        Ok(retried) => {
            ssr::tell(&back, &retried).await?;
            ssr::go(&back);
        }
        Err(problem) => ssr::keep(problem, back, since).await?,
    }
    Ok(())
}
