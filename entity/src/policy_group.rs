//! Policy groups.

use contract::group::PolicyGroup;
use sea_orm::entity::prelude::*;

use crate::column::from_column;

table! {
    "policy_groups" [tenant_id: Uuid, id: Uuid] TenantOwned, HasId, HasSequence {
        /// The sequence number in the tenant; equal to that of its audit event.
        pub sequence: i64,
        /// The code, unique among the tenant's groups regardless of case.
        pub code: String,
        /// `code` in lower case, which has the unique constraint.
        pub code_key: String,
        pub name: String,
        pub description: Option<String>,
        pub created_at: DateTimeUtc,
        pub updated_at: DateTimeUtc,
    }
}

impl From<Model> for PolicyGroup {
    fn from(row: Model) -> Self {
        Self {
            id: row.id.into(),
            tenant_id: row.tenant_id.into(),
            code: row.code,
            name: row.name,
            description: row.description,
            created_at: from_column(row.created_at),
            updated_at: from_column(row.updated_at),
        }
    }
}
