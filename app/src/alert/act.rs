//! Alerts: list, read, acknowledge, assign and snooze.

use contract::id::{AlertId, TenantId};
use leptos::prelude::server;

use super::view::{
    AlertPage, AlertsPage, SelectionPreview,
    query::{AlertQuery, Selection, SelectionForm},
};
use crate::{codec::JsonCodec, problem::Problem};

#[server(prefix = "/console", endpoint = "alerts", output = JsonCodec)]
pub(crate) async fn list_alerts(
    tenant: TenantId,
    query: AlertQuery,
) -> Result<AlertsPage, Problem> {
    use super::load as sources;
    use crate::request;
    let cx = request::human(tenant).await?;
    sources::page(&cx, query).await
}

#[server(prefix = "/console", endpoint = "alert", output = JsonCodec)]
pub(crate) async fn read_alert(tenant: TenantId, id: AlertId) -> Result<AlertPage, Problem> {
    use super::load as sources;
    use crate::request;
    let cx = request::human(tenant).await?;
    sources::read(&cx, id).await
}

/// Returns a preview of an action on the alerts that were posted to the page.
#[server(prefix = "/console", endpoint = "chosen-alerts", output = JsonCodec)]
pub(crate) async fn preview_selection(tenant: TenantId) -> Result<SelectionPreview, Problem> {
    use super::load as sources;
    use crate::request;
    let cx = request::human(tenant).await?;
    sources::preview(&cx).await
}

/// Acknowledges the selected alerts, and redirects to the page `back`, which shows the result. An error is
/// shown on `page`.
#[server(prefix = "/console", endpoint = "acknowledge-alerts", output = JsonCodec)]
pub(crate) async fn acknowledge_alerts(
    tenant: TenantId,
    #[server(default)] selection: Selection,
    #[server(default)] page: String,
    #[server(default)] back: String,
) -> Result<(), Problem> {
    use super::load as sources;
    use crate::request;
    let cx = request::human(tenant).await?;
    let result = sources::acknowledge(&cx, &selection).await;
    let form = SelectionForm { selection, back, ..SelectionForm::default() };
    sources::respond(result, &form, &page).await
}

/// Assigns the selected alerts to a member, or to no one, and redirects as [`acknowledge_alerts`] does.
#[server(prefix = "/console", endpoint = "assign-alerts", output = JsonCodec)]
pub(crate) async fn assign_alerts(
    tenant: TenantId,
    #[server(default)] selection: Selection,
    #[server(default)] assignee: String,
    #[server(default)] page: String,
    #[server(default)] back: String,
) -> Result<(), Problem> {
    use super::load as sources;
    use crate::request;
    let cx = request::human(tenant).await?;
    let result = sources::assign(&cx, &selection, &assignee).await;
    let form = SelectionForm { selection, back, ..SelectionForm::default() };
    sources::respond(result, &form, &page).await
}

/// Snoozes the selected alerts for a choice of the form, or until `date`, and redirects as
/// [`acknowledge_alerts`] does.
#[server(prefix = "/console", endpoint = "snooze-alerts", output = JsonCodec)]
pub(crate) async fn snooze_alerts(
    tenant: TenantId,
    #[server(default)] selection: Selection,
    #[server(default)] until: String,
    #[server(default)] date: String,
    #[server(default)] page: String,
    #[server(default)] back: String,
) -> Result<(), Problem> {
    use super::load as sources;
    use crate::request;
    let cx = request::human(tenant).await?;
    let result = sources::snooze(&cx, &selection, &until, &date).await;
    sources::respond(result, &SelectionForm { selection, back, date }, &page).await
}

/// Undoes the assignment or snooze time that was set at the time `at`, and redirects to `back`, which shows the
/// result or the error.
#[server(prefix = "/console", endpoint = "undo-alerts", output = JsonCodec)]
pub(crate) async fn undo_alerts(
    tenant: TenantId,
    #[server(default)] at: String,
    #[server(default)] back: String,
) -> Result<(), Problem> {
    use super::load as sources;
    use crate::request;
    let cx = request::human(tenant).await?;
    let result = sources::undo(&cx, &at).await;
    let form = SelectionForm { back: back.clone(), ..SelectionForm::default() };
    sources::respond(result, &form, &back).await
}
