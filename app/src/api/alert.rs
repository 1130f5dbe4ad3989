//! Alerts: list, read and acknowledge.

use contract::id::{AlertId, TenantId};
use leptos::prelude::server;

#[cfg(feature = "ssr")]
use crate::view::alert::{AcknowledgePreview, Selection};
use crate::{
    codec::JsonCodec,
    problem::Problem,
    view::alert::{AlertQuery, AlertRow, AlertsPage},
};

#[server(prefix = "/console", endpoint = "alerts", output = JsonCodec)]
pub(crate) async fn list_alerts(
    tenant: TenantId,
    query: AlertQuery,
) -> Result<AlertsPage, Problem> {
    use super::request::{self, alert as sources};
    let cx = request::human(tenant).await?;
    sources::page(&cx, query).await
}

/// Returns one alert, and whether the user can acknowledge it.
#[server(prefix = "/console", endpoint = "alert", output = JsonCodec)]
pub(crate) async fn read_alert(tenant: TenantId, id: AlertId) -> Result<(AlertRow, bool), Problem> {
    use super::request::{self, alert as sources};
    let cx = request::human(tenant).await?;
    sources::read(&cx, id).await
}

/// Returns a preview of acknowledging the selected alerts.
#[cfg(feature = "ssr")]
#[server(prefix = "/console", endpoint = "chosen-alerts", output = JsonCodec)]
pub(crate) async fn preview_acknowledgement(
    tenant: TenantId,
    chosen: Selection,
) -> Result<AcknowledgePreview, Problem> {
    use super::request::{self, alert as sources};
    let cx = request::human(tenant).await?;
    sources::preview(&cx, chosen).await
}

/// Acknowledges exactly the alerts in `ids`, or the single alert `only`, and redirects to the page `back`.
/// The list shows the result for several alerts. An element of `ids` may contain several ids separated by
/// commas.
#[server(prefix = "/console", endpoint = "acknowledge-alerts", output = JsonCodec)]
pub(crate) async fn acknowledge_alerts(
    tenant: TenantId,
    #[server(default)] ids: Vec<String>,
    #[server(default)] only: String,
    #[server(default)] back: String,
) -> Result<(), Problem> {
    use super::request::{self, alert as sources};
    let cx = request::human(tenant).await?;
    let is_one = !only.is_empty();
    let ids = if is_one { vec![only] } else { ids };
    match sources::acknowledge(&cx, &ids).await {
        Ok(summary) => {
            if !is_one {
                request::set_result(&back, &summary).await?;
            }
            request::redirect(&back);
        }
        Err(problem) => request::set_rejected(problem, back, String::new()).await?,
    }
    Ok(())
}
