//! Alerts on their way to subscriptions.

use contract::webhook::{DeliveryStatus, WebhookDelivery};
use sea_orm::entity::prelude::*;

use crate::column::{Word, instant, number};

/// A delivery. The store itself queues it with its alert.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "webhook_deliveries")]
pub struct Model {
    /// Its tenant.
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: Uuid,
    /// The id.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// Its place in the tenant's list; the database gives it out.
    pub sequence: i64,
    /// Where it goes.
    pub subscription_id: Uuid,
    /// What it tells of.
    pub alert_id: Uuid,
    /// The kind of event.
    pub event: String,
    /// What is sent, byte for byte.
    pub body: String,
    /// Whether nobody is told when it is given up.
    pub is_quiet: bool,
    /// What became of it so far.
    pub status: Word<DeliveryStatus>,
    /// How often it was tried since it was queued, or last forced.
    pub attempt_count: i32,
    /// How often it was tried in all.
    pub attempts_ever: i32,
    /// When it is tried next.
    pub next_attempt_at: Option<DateTimeUtc>,
    /// When it was tried last.
    pub last_attempt_at: Option<DateTimeUtc>,
    /// What the receiver last answered.
    pub last_status_code: Option<i32>,
    /// Why the last attempt failed.
    pub failure_reason: Option<String>,
    /// When the receiver took it.
    pub delivered_at: Option<DateTimeUtc>,
    /// When it was queued.
    pub created_at: DateTimeUtc,
}

table!(TenantOwned, Identified, Sequenced);

impl Model {
    /// The delivery of the wire, which is tried `attempts_max` times at the most.
    pub fn wire(self, attempts_max: u32) -> WebhookDelivery {
        let attempt_count = number(self.attempt_count);
        WebhookDelivery {
            id: self.id.into(),
            subscription_id: self.subscription_id.into(),
            alert_id: self.alert_id.into(),
            event: self.event,
            status: self.status.0,
            attempt_count,
            max_attempts: attempts_max.max(attempt_count),
            next_attempt_at: self.next_attempt_at.map(instant),
            last_attempt_at: self.last_attempt_at.map(instant),
            last_status_code: self.last_status_code.and_then(|code| code.try_into().ok()),
            failure_reason: self.failure_reason.and_then(|reason| reason.parse().ok()),
            delivered_at: self.delivered_at.map(instant),
            created_at: instant(self.created_at),
            attempts: None,
        }
    }
}
