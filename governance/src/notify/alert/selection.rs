//! Changes of the alerts that a person selected on a page, and their undo.

use contract::alert::{ACKNOWLEDGE_MAX, Alert, AlertFilter};
use entity::alert as table;
use sea_orm::PaginatorTrait;

use super::{Change, ChangedAlerts, apply, has_status, with_any_status};
use crate::{access::permission, base::prelude::*};

/// The maximum number of alerts that one selection changes.
pub const SELECTION_MAX: usize = ACKNOWLEDGE_MAX;

/// The alerts that a person selected, and the time of the page on which they were selected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    /// Which alerts are selected.
    pub alerts: SelectedAlerts,
    /// The time of the page.
    pub at: Timestamp,
}

/// Which alerts are selected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SelectedAlerts {
    /// These alerts.
    Ids(Vec<AlertId>),
    /// The newest alerts that matched the filter at the time of the page, up to [`SELECTION_MAX`].
    Matching(AlertFilter),
}

/// The alerts of a selection.
#[derive(Clone, Debug, PartialEq)]
pub struct SelectionList {
    /// The alerts that have not changed since the time of the page, newest first.
    pub unchanged: Vec<Alert>,
    /// The alerts that have changed since or that are acknowledged. A change leaves them as they are.
    pub changed: Vec<Alert>,
    /// The number of further alerts that match the filter.
    pub more: u64,
}

/// Returns the alerts of a selection. Omits unknown IDs.
///
/// # Errors
/// `FORBIDDEN` for a role that cannot acknowledge alerts.
pub async fn list(cx: &Cx, selection: &Selection) -> Result<SelectionList> {
    let tx = cx.tenant(permission::ACKNOWLEDGE_ALERTS)?.begin_snapshot().await?;
    let rows = selection.rows(&tx);
    let total = rows.clone().count(tx.connection()).await?;
    let rows = newest(rows).all(tx.connection()).await?;
    tx.finish_read().await?;
    let more = total.saturating_sub(rows.len() as u64);
    let is_unchanged = |row: &table::Model| {
        row.acknowledged_at.is_none()
            && row.changed_at.is_none_or(|changed| from_column(changed) <= selection.at)
    };
    let (unchanged, changed): (Vec<_>, Vec<_>) = rows.into_iter().partition(is_unchanged);
    let alerts = |rows: Vec<table::Model>| rows.into_iter().map(Alert::from).collect();
    Ok(SelectionList { unchanged: alerts(unchanged), changed: alerts(changed), more })
}

/// Changes the alerts of a selection in one transaction. An alert that has changed since the time of the page
/// stays unchanged.
///
/// # Errors
/// `FORBIDDEN` for a role that cannot acknowledge alerts; `VALIDATION_ERROR` at `/user_id` or `/until`.
pub async fn change(cx: &Cx, selection: &Selection, change: Change) -> Result<ChangedAlerts> {
    let tx = cx.tenant(permission::ACKNOWLEDGE_ALERTS)?.begin().await?;
    let ids = match &selection.alerts {
        SelectedAlerts::Ids(ids) => ids.clone(),
        SelectedAlerts::Matching(_) => {
            let rows = newest(selection.rows(&tx)).all(tx.connection()).await?;
            rows.into_iter().map(|row| row.id.into()).collect()
        }
    };
    let changes: Vec<_> = ids.into_iter().map(|id| (id, change)).collect();
    apply(cx, tx, &changes, Some(selection.at)).await
}

/// What undoes a change: the previous assignee or snooze time of each alert that changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Undo {
    /// The time of the change.
    pub at: Timestamp,
    /// The inverse change of each alert.
    pub changes: Vec<(AlertId, Change)>,
}

/// Undoes a change in one transaction. An alert that has changed since stays unchanged.
///
/// # Errors
/// `FORBIDDEN` for a role that cannot acknowledge alerts; `VALIDATION_ERROR` at `/user_id` if a previous
/// assignee is no longer a member.
pub async fn undo(cx: &Cx, undo: &Undo) -> Result<ChangedAlerts> {
    let tx = cx.tenant(permission::ACKNOWLEDGE_ALERTS)?.begin().await?;
    let current = |change| match change {
        // A snooze time that has passed in the meantime has no effect.
        Change::Snooze(until) => Change::Snooze(until.filter(|until| *until > cx.now)),
        change => change,
    };
    let changes: Vec<_> = undo.changes.iter().map(|(id, change)| (*id, current(*change))).collect();
    apply(cx, tx, &changes, Some(undo.at)).await
}

impl Selection {
    /// Selects the rows. Alerts that have changed since the time of the page are included with any status, so
    /// that the change of each is reported.
    fn rows(&self, tx: &TenantTx) -> Select<table::Entity> {
        match &self.alerts {
            SelectedAlerts::Ids(ids) => {
                let ids = ids.iter().map(|id| id.0);
                tx.find::<table::Entity>().filter(table::Column::Id.is_in(ids))
            }
            SelectedAlerts::Matching(filter) => {
                let at = to_column(self.at);
                let rows = with_any_status(tx, filter).filter(table::Column::CreatedAt.lte(at));
                let Some(status) = filter.status else { return rows };
                let status = Condition::any()
                    .add(has_status(status, self.at))
                    .add(table::Column::ChangedAt.gt(at));
                rows.filter(status)
            }
        }
    }
}

fn newest(rows: Select<table::Entity>) -> Select<table::Entity> {
    rows.order_by_desc(table::Column::Sequence).limit(SELECTION_MAX as u64)
}
