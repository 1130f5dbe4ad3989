//! Webhook delivery attempts. Append-only.

use contract::webhook::DeliveryAttempt;
use sea_orm::entity::prelude::*;

use crate::column::{from_column, unsigned};

table! {
    "webhook_attempts" [
        tenant_id: Uuid,
        delivery_id: Uuid,
        /// The number among all attempts of the delivery.
        number: i32,
    ] TenantOwned {
        /// The number since the delivery was queued or last retried on request.
        pub attempt: i32,
        pub at: DateTimeUtc,
        pub duration_ms: i32,
        pub status_code: Option<i32>,
        pub failure_reason: Option<String>,
    }
}

impl From<Model> for DeliveryAttempt {
    fn from(row: Model) -> Self {
        Self {
            attempt: unsigned(row.attempt),
            at: from_column(row.at),
            status_code: row.status_code.and_then(|code| code.try_into().ok()),
            duration_ms: unsigned(row.duration_ms),
            failure_reason: row.failure_reason.and_then(|reason| reason.parse().ok()),
        }
    }
}
