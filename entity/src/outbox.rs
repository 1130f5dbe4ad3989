//! Webhook deliveries that are due. The table is read across tenants, so it holds ids and times only.

use sea_orm::entity::prelude::*;

/// A delivery that waits for an attempt.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "outbox")]
pub struct Model {
    /// Its tenant.
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: Uuid,
    /// The delivery.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// The subscription, which limits concurrent attempts.
    pub lane: Uuid,
    /// When the next attempt is due.
    pub due_at: DateTimeUtc,
    /// Until when a worker has claimed it.
    pub held_till: Option<DateTimeUtc>,
    /// The number of the last claim.
    pub claim: i32,
}

table!(TenantOwned, Identified);
