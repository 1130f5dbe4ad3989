//! Every attempt to deliver. Append-only.

use contract::webhook::DeliveryAttempt;
use sea_orm::entity::prelude::*;

use crate::column::{instant, number};

/// One attempt.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "webhook_attempts")]
pub struct Model {
    /// Its tenant.
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: Uuid,
    /// The delivery.
    #[sea_orm(primary_key, auto_increment = false)]
    pub delivery_id: Uuid,
    /// Its number among all attempts.
    #[sea_orm(primary_key, auto_increment = false)]
    pub number: i32,
    /// Its number since the delivery was queued, or last forced.
    pub attempt: i32,
    /// When it began.
    pub at: DateTimeUtc,
    /// How long it took.
    pub duration_ms: i32,
    /// What the receiver answered.
    pub status_code: Option<i32>,
    /// Why it failed.
    pub failure_reason: Option<String>,
}

table!(TenantOwned);

impl From<Model> for DeliveryAttempt {
    fn from(row: Model) -> Self {
        Self {
            attempt: number(row.attempt),
            at: instant(row.at),
            status_code: row.status_code.and_then(|code| code.try_into().ok()),
            duration_ms: number(row.duration_ms),
            failure_reason: row.failure_reason.and_then(|reason| reason.parse().ok()),
        }
    }
}
