//! Due webhook deliveries. The table is read across tenants, so it contains only IDs and times.

use sea_orm::entity::prelude::*;

table! {
    "outbox" [tenant_id: Uuid, id: Uuid] TenantOwned, HasId {
        /// The subscription, which limits concurrent attempts.
        pub subscription_id: Uuid,
        /// The time of the next attempt.
        pub due_at: DateTimeUtc,
        /// The time until which a worker has claimed the delivery.
        pub claimed_until: Option<DateTimeUtc>,
        /// The number of the last claim.
        pub claim: i32,
    }
}
