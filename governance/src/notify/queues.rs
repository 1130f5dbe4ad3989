//! The queues of webhook deliveries and mails, for metrics.

use crate::base::prelude::*;

/// The maximum number of rows that are counted, so that a long queue does not slow down the metrics.
pub const COUNTED_MAX: i64 = 100_000;

/// The deliveries and mails of all tenants that wait for an attempt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Queues {
    pub webhooks: Queue,
    pub mails: Queue,
}

/// A queue.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Queue {
    /// The number of rows, at most [`COUNTED_MAX`].
    pub waiting: i64,
    /// How long the oldest row has been due in seconds; 0 if none is due.
    pub overdue_seconds: f64,
}

// SQL: both queues in one statement. A claimed row is due when its lease ends.
const SELECT_QUEUES: &str = "SELECT webhooks.waiting, webhooks.overdue, mails.waiting, mails.overdue FROM \
     (SELECT count(*) AS waiting, \
         greatest(coalesce(extract(epoch FROM $1 - min(due_at)), 0), 0)::float8 AS overdue \
         FROM (SELECT due_at FROM outbox LIMIT $2) AS counted) AS webhooks, \
     (SELECT count(*) AS waiting, \
         greatest(coalesce(extract(epoch FROM $1 - min(due_at)), 0), 0)::float8 AS overdue \
         FROM (SELECT due_at FROM mail_outbox LIMIT $2) AS counted) AS mails";

/// Returns the queues of all tenants.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` if the database is unavailable.
pub async fn queues(governance: &Governance) -> Result<Queues> {
    let values = [timestamp_value(governance.clock().now()), COUNTED_MAX.into()];
    let (webhooks, webhooks_overdue, mails, mails_overdue) =
        sql::only(governance.database(), SELECT_QUEUES, values).await?;
    Ok(Queues {
        webhooks: Queue { waiting: webhooks, overdue_seconds: webhooks_overdue },
        mails: Queue { waiting: mails, overdue_seconds: mails_overdue },
    })
}
