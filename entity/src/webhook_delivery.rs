//! Webhook deliveries.

use contract::webhook::{DeliveryStatus, WebhookDelivery};
use sea_orm::entity::prelude::*;

use crate::column::{TextEnum, from_column, unsigned};

table! {
    /// A database trigger queues a delivery when its alert is created.
    "webhook_deliveries" [tenant_id: Uuid, id: Uuid] TenantOwned, HasId, HasSequence {
        /// The position in the tenant's list, allocated by the database.
        pub sequence: i64,
        pub subscription_id: Uuid,
        pub alert_id: Uuid,
        pub event: String,
        /// The request body, byte for byte.
        pub body: String,
        /// Whether no alert is created when the delivery is dead.
        pub is_quiet: bool,
        pub status: TextEnum<DeliveryStatus>,
        /// The number of attempts since the delivery was queued or last retried on request.
        pub attempt_count: i32,
        pub attempts_total: i32,
        pub next_attempt_at: Option<DateTimeUtc>,
        pub last_attempt_at: Option<DateTimeUtc>,
        pub last_status_code: Option<i32>,
        pub failure_reason: Option<String>,
        pub delivered_at: Option<DateTimeUtc>,
        pub created_at: DateTimeUtc,
    }
}

impl Model {
    /// Returns the wire form. `attempts_max` is the configured maximum number of attempts.
    pub fn to_wire(self, attempts_max: u32) -> WebhookDelivery {
        let attempt_count = unsigned(self.attempt_count);
        WebhookDelivery {
            id: self.id.into(),
            subscription_id: self.subscription_id.into(),
            alert_id: self.alert_id.into(),
            event: self.event,
            status: self.status.0,
            attempt_count,
            max_attempts: attempts_max.max(attempt_count),
            next_attempt_at: self.next_attempt_at.map(from_column),
            last_attempt_at: self.last_attempt_at.map(from_column),
            last_status_code: self.last_status_code.and_then(|code| code.try_into().ok()),
            failure_reason: self.failure_reason.and_then(|reason| reason.parse().ok()),
            delivered_at: self.delivered_at.map(from_column),
            created_at: from_column(self.created_at),
            attempts: None,
        }
    }
}
