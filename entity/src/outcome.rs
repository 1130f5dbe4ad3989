//! What happened after decisions. Append-only.

use contract::outcome::OutcomeStatus;
use sea_orm::entity::prelude::*;

use crate::column::Word;

/// The one outcome of a decision.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "outcomes")]
pub struct Model {
    /// Its tenant.
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: Uuid,
    /// The decision.
    #[sea_orm(primary_key, auto_increment = false)]
    pub decision_id: Uuid,
    /// What became of the verdict.
    pub status: Word<OutcomeStatus>,
    /// When we were told.
    pub recorded_at: DateTimeUtc,
    /// The answered outcome, byte for byte.
    pub record: String,
}

table!(TenantOwned);
