//! Decision outcomes. Append-only.

use contract::outcome::OutcomeStatus;
use sea_orm::entity::prelude::*;

use crate::column::TextEnum;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "outcomes")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub decision_id: Uuid,
    /// The sequence number of the decision.
    pub sequence: i64,
    pub status: TextEnum<OutcomeStatus>,
    pub recorded_at: DateTimeUtc,
    /// The response, byte for byte.
    pub record: String,
}

table!(TenantOwned);
