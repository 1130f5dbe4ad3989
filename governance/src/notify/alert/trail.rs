//! What happened to an alert: its webhook deliveries, and the changes by users and API keys.

use contract::{json::Limits, webhook::DeliveryStatus};
use sea_orm::prelude::Uuid;

use super::Change;
use crate::{access::permission, base::prelude::*};

/// What happened to an alert, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trail {
    /// Empty for callers without the permission to read deliveries.
    pub deliveries: Vec<AlertDelivery>,
    /// The last changes.
    pub changes: Vec<PastChange>,
}

/// A delivery of an alert to a webhook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlertDelivery {
    pub id: DeliveryId,
    /// The URL of the receiver; `None` after its subscription was deleted.
    pub url: Option<String>,
    pub status: DeliveryStatus,
}

/// A change that a user or an API key made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PastChange {
    pub change: Change,
    pub at: Timestamp,
    /// The user or API key.
    pub by: Option<String>,
}

const SELECT_TRAIL: &str = include_str!("trail.sql");

/// The maximum number of changes.
const CHANGES_MAX: i64 = 100;

/// Returns what happened to an alert.
///
/// # Errors
/// `INSUFFICIENT_SCOPE` for a key without `alerts:read`.
pub async fn trail(cx: &Cx, id: AlertId) -> Result<Trail> {
    let may_read_deliveries = cx.tenant(permission::READ_DELIVERIES).is_ok();
    let tx = cx.tenant(permission::READ_ALERTS)?.begin().await?;
    let values =
        [id.0.into(), id.to_string().into(), may_read_deliveries.into(), CHANGES_MAX.into()];
    let rows = tx.all(SELECT_TRAIL, values).await?;
    tx.finish_read().await?;
    let mut trail = Trail::default();
    for row in &rows {
        match row.try_get_by_index::<Option<Uuid>>(1)? {
            Some(id) => trail.deliveries.push(delivery(row, id.into())?),
            None => trail.changes.extend(past_change(row)?),
        }
    }
    Ok(trail)
}

fn delivery(row: &QueryResult, id: DeliveryId) -> Result<AlertDelivery> {
    let status = row.try_get_by_index::<String>(2)?.parse::<DeliveryStatus>();
    let status = status.map_err(|()| Error::bug("a delivery without a status"))?;
    Ok(AlertDelivery { id, url: row.try_get_by_index(3)?, status })
}

/// Returns the change of an event, or `None` for an unknown action.
fn past_change(row: &QueryResult) -> Result<Option<PastChange>> {
    let action: String = row.try_get_by_index(2)?;
    let event: String = row.try_get_by_index(5)?;
    let event = Value::parse(event.as_bytes(), &Limits::BUNDLE_FILE).unwrap_or_default();
    let change = recorded_change(&action, event.get("details"));
    let at = from_column(row.try_get_by_index::<DateTimeUtc>(4)?);
    let by = row.try_get_by_index(3)?;
    Ok(change.map(|change| PastChange { change, at, by }))
}

/// Returns the change that an event with these details records, as in [`Change::event`].
fn recorded_change(action: &str, details: Option<&Value>) -> Option<Change> {
    let detail = |name| details.and_then(|details| details.get(name)?.as_str());
    match action {
        "alert.acknowledge" => Some(Change::Acknowledge),
        "alert.assign" => Some(Change::Assign(detail("user_id").and_then(|id| id.parse().ok()))),
        "alert.snooze" => Some(Change::Snooze(detail("until").and_then(|at| at.parse().ok()))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_change_of_an_event_has_the_values_of_its_details() {
        let details = |text: &str| Value::parse(text.as_bytes(), &Limits::REQUEST).unwrap();
        let until = "2026-11-20T23:04:11.302Z";
        let snoozed = details(&format!("{{\"until\":\"{until}\"}}"));
        let expected = Change::Snooze(Some(until.parse().unwrap()));
        assert_eq!(recorded_change("alert.snooze", Some(&snoozed)), Some(expected));
        let none = details("{}");
        assert_eq!(recorded_change("alert.snooze", Some(&none)), Some(Change::Snooze(None)));
        assert_eq!(recorded_change("alert.assign", None), Some(Change::Assign(None)));
        assert_eq!(recorded_change("alert.acknowledge", None), Some(Change::Acknowledge));
        assert_eq!(recorded_change("decision.record", None), None);
    }
}
