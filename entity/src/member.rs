//! Who belongs to a tenant, and as what.

use contract::{member::MemberStatus, scope::Role};
use sea_orm::entity::prelude::*;

use crate::column::Word;

/// A person's place in a tenant.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "members")]
pub struct Model {
    /// Its tenant.
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: Uuid,
    /// The person.
    #[sea_orm(primary_key, auto_increment = false)]
    pub user_id: Uuid,
    /// What the person may do.
    pub role: Word<Role>,
    /// Whether the person has accepted the place. An invited one carries no rights.
    pub status: Word<MemberStatus>,
    /// Since when.
    pub created_at: DateTimeUtc,
    /// The place in the list of members.
    pub sequence: i64,
}

table!(TenantOwned);
