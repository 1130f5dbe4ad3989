//! Policies: the properties that all versions share.

use contract::policy::Policy;
use sea_orm::entity::prelude::*;

use crate::column::{from_column, unsigned};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "policies")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// The sequence number in the tenant; equal to that of its audit event.
    pub sequence: i64,
    /// The code, unique in the tenant regardless of case.
    pub code: String,
    /// `code` in lower case, which has the unique constraint.
    pub code_key: String,
    pub name: String,
    pub description: Option<String>,
    /// The decision types that the policy governs; empty means all types.
    pub decision_types: Vec<String>,
    pub policy_group_id: Option<Uuid>,
    /// In shadow mode, the policy contributes at most `ALERT`.
    pub shadow_mode: bool,
    /// Whether the policy also applies to descendant tenants.
    pub inheritable: bool,
    /// The laws and standards that the policy implements.
    pub regulatory_refs: Vec<String>,
    pub active_version: Option<i32>,
    /// The open draft or submitted version.
    pub draft_version: Option<i32>,
    /// The highest version number allocated so far; 0 if there is none.
    pub latest_version: i32,
    /// Whether a version was ever ratified; such a policy cannot be deleted.
    pub was_ratified: bool,
    pub created_at: DateTimeUtc,
    pub created_by: Option<String>,
    pub updated_at: DateTimeUtc,
}

table!(TenantOwned, HasId);

impl From<Model> for Policy {
    /// The version is not in the row and stays empty.
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
            active_version: row.active_version.map(unsigned),
            draft_version: row.draft_version.map(unsigned),
            latest_version: unsigned(row.latest_version),
            created_at: from_column(row.created_at),
            created_by: row.created_by,
            updated_at: from_column(row.updated_at),
            version: None,
        }
    }
}
