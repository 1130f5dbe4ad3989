//! Webhook deliveries: list, read and retry.

use contract::id::{DeliveryId, TenantId};
use leptos::prelude::server;

use super::view::{DeliveriesPage, DeliveryPage, DeliveryQuery};
use crate::{codec::JsonCodec, problem::Problem};

#[server(prefix = "/console", endpoint = "deliveries", output = JsonCodec)]
pub(crate) async fn list_deliveries(
    tenant: TenantId,
    query: DeliveryQuery,
) -> Result<DeliveriesPage, Problem> {
    use super::load as sources;
    use crate::request;
    let cx = request::human(tenant).await?;
    sources::list(&cx, tenant, query).await
}

#[server(prefix = "/console", endpoint = "delivery", output = JsonCodec)]
pub(crate) async fn read_delivery(
    tenant: TenantId,
    id: DeliveryId,
) -> Result<DeliveryPage, Problem> {
    use super::load as sources;
    use crate::request;
    let cx = request::human(tenant).await?;
    sources::page(&cx, tenant, id).await
}

/// Retries the selected deliveries and redirects to the page of the form, which shows the result.
#[server(prefix = "/console", endpoint = "retry-deliveries", output = JsonCodec)]
pub(crate) async fn retry_deliveries(
    tenant: TenantId,
    #[server(default)] ids: Vec<String>,
    #[server(default)] back: String,
) -> Result<(), Problem> {
    use super::load as sources;
    use crate::request;
    let cx = request::human(tenant).await?;
    match sources::retry(&cx, &ids).await {
        Ok(retried) => {
            request::set_result(&back, &retried).await?;
            request::redirect(&back);
        }
        Err(problem) => request::set_rejected(problem, back, String::new()).await?,
    }
    Ok(())
}

/// Retries dead deliveries of one webhook or of all, queued at or after `since` when it is set, and redirects
/// to the page of the form.
#[server(prefix = "/console", endpoint = "redrive-deliveries", output = JsonCodec)]
pub(crate) async fn redrive_deliveries(
    tenant: TenantId,
    #[server(default)] webhook: String,
    #[server(default)] since: String,
    #[server(default)] back: String,
) -> Result<(), Problem> {
    use super::load as sources;
    use crate::request;
    let cx = request::human(tenant).await?;
    match sources::redrive(&cx, &webhook, &since).await {
        Ok(retried) => {
            request::set_result(&back, &retried).await?;
            request::redirect(&back);
        }
        Err(problem) => request::set_rejected(problem, back, since).await?,
    }
    Ok(())
}
