//! Policies: what stays the same from version to version.

use contract::policy::Policy;
use sea_orm::entity::prelude::*;

use crate::column::{instant, number};

/// A policy.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "policies")]
pub struct Model {
    /// Its tenant.
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: Uuid,
    /// The id.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// Its place in the tenant's sequence: the number of its audit event.
    pub sequence: i64,
    /// Unique in the tenant, whatever the case of its letters.
    pub code: String,
    /// `code` in lower case: what is unique.
    pub code_key: String,
    /// What people call it.
    pub name: String,
    /// Longer words about it.
    pub description: Option<String>,
    /// The decision types that it governs; empty means every type.
    pub decision_types: Vec<String>,
    /// Its group.
    pub policy_group_id: Option<Uuid>,
    /// In shadow mode it contributes at most `ALERT`.
    pub shadow_mode: bool,
    /// Whether it also governs child tenants.
    pub inheritable: bool,
    /// The laws and standards that it serves.
    pub regulatory_refs: Vec<String>,
    /// The version that decides.
    pub active_version: Option<i32>,
    /// The open draft or submitted version.
    pub draft_version: Option<i32>,
    /// The highest version number that was given out; 0 while there is none.
    pub latest_version: i32,
    /// Whether a version was ever ratified: then it cannot be deleted.
    pub ratified_ever: bool,
    /// When it was made.
    pub created_at: DateTimeUtc,
    /// By whom.
    pub created_by: Option<String>,
    /// When it last changed.
    pub updated_at: DateTimeUtc,
}

table!(TenantOwned, Identified);

impl From<Model> for Policy {
    /// Without a version: that is another row.
    fn from(row: Model) -> Self {
        Self {
            id: row.id.into(),
            tenant_id: row.tenant_id.into(),
            code: row.code,
            name: row.name,
            description: row.description,
            decision_types: row.decision_types,
            policy_group_id: row.policy_group_id.map(Into::into),
            shadow_mode: row.shadow_mode,
            inheritable: row.inheritable,
            regulatory_refs: row.regulatory_refs,
            is_active: row.active_version.is_some(),
            active_version: row.active_version.map(number),
            draft_version: row.draft_version.map(number),
            latest_version: number(row.latest_version),
            created_at: instant(row.created_at),
            created_by: row.created_by,
            updated_at: instant(row.updated_at),
            version: None,
        }
    }
}
