//! Due webhook deliveries. The table is read across tenants, so it contains only IDs and times.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "outbox")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// The subscription, which limits concurrent attempts.
    pub subscription_id: Uuid,
    /// The time of the next attempt.
    pub due_at: DateTimeUtc,
    /// The time until which a worker has claimed the delivery.
    pub claimed_until: Option<DateTimeUtc>,
    /// The number of the last claim.
    pub claim: i32,
}

table!(TenantOwned, HasId);
