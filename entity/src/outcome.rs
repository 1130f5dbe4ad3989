//! Decision outcomes. Append-only.

use contract::outcome::OutcomeStatus;
use sea_orm::entity::prelude::*;

use crate::column::TextEnum;

table! {
    "outcomes" [tenant_id: Uuid, decision_id: Uuid] TenantOwned {
        /// The sequence number of the decision.
        pub sequence: i64,
        pub status: TextEnum<OutcomeStatus>,
        pub recorded_at: DateTimeUtc,
        /// The response, byte for byte.
        pub record: String,
    }
}
