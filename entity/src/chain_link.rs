//! Links of decision chains. Append-only.

use sea_orm::entity::prelude::*;

/// A link of a chain: its canonical bytes, hash and signature.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "chain_links")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub chain_id: Uuid,
    /// The position in recording order, from 1.
    #[sea_orm(primary_key, auto_increment = false)]
    pub position: i32,
    /// The step named in the statement.
    pub step: i32,
    pub decision_id: Uuid,
    /// The sequence number of the decision.
    pub sequence: i64,
    /// The signed link as canonical JSON.
    pub link: String,
    /// The hash of `link`.
    pub hash: String,
    /// The hash of the previous link; empty at position 1.
    pub prev: String,
    /// Absent if the service does not sign.
    pub signature: Option<String>,
    pub kid: Option<String>,
}

table!(TenantOwned);
