//! Alerts: the list, one of them, and acknowledging.

use contract::id::{AlertId, TenantId};
use leptos::prelude::server;

use super::codec::Answer;
#[cfg(feature = "ssr")]
use crate::view::alert::{Asked, Chosen};
use crate::{
    problem::Problem,
    view::alert::{AlertQuery, AlertRow, AlertsPage},
};

/// One page of the alerts under `query`.
#[server(prefix = "/console", endpoint = "alerts", output = Answer)]
pub(crate) async fn list_alerts(
    tenant: TenantId,
    query: AlertQuery,
) -> Result<AlertsPage, Problem> {
    use super::ssr::{self, alert as sources};
    let cx = ssr::human(tenant).await?;
    sources::page(&cx, query).await
}

/// One alert, and whether the person may acknowledge it.
#[server(prefix = "/console", endpoint = "alert", output = Answer)]
pub(crate) async fn read_alert(tenant: TenantId, id: AlertId) -> Result<(AlertRow, bool), Problem> {
    use super::ssr::{self, alert as sources};
    let cx = ssr::human(tenant).await?;
    sources::read(&cx, id).await
}

/// What acknowledging the chosen alerts comes to.
#[cfg(feature = "ssr")]
#[server(prefix = "/console", endpoint = "chosen-alerts", output = Answer)]
pub(crate) async fn ask_alerts(tenant: TenantId, chosen: Chosen) -> Result<Asked, Problem> {
    use super::ssr::{self, alert as sources};
    let cx = ssr::human(tenant).await?;
    sources::ask(&cx, chosen).await
}

/// Acknowledges exactly these alerts, or the `only` one, and leads to the page `back`; the list tells what
/// became of several. An element of `ids` may name several, with commas between them.
#[server(prefix = "/console", endpoint = "acknowledge-alerts", output = Answer)]
pub(crate) async fn acknowledge_alerts(
    tenant: TenantId,
    #[server(default)] ids: Vec<String>,
    #[server(default)] only: String,
    #[server(default)] back: String,
) -> Result<(), Problem> {
    use super::ssr::{self, alert as sources};
    let cx = ssr::human(tenant).await?;
    let is_one = !only.is_empty();
    let ids = if is_one { vec![only] } else { ids };
    match sources::acknowledge(&cx, &ids).await {
        Ok(told) => {
            if !is_one {
                ssr::tell(&back, &told).await?;
            }
            ssr::go(&back);
        }
        Err(problem) => ssr::keep(problem, back, String::new()).await?,
    }
    Ok(())
}
