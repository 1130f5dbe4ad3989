//! Capability grants, under which an API key works on one policy version.

use contract::capability::Capability;
use sea_orm::entity::prelude::*;

use crate::column::{from_column, unsigned};

table! {
    /// A grant: its signed statement and its mutable state.
    "capability_grants" [tenant_id: Uuid, id: Uuid] TenantOwned, HasId, HasSequence {
        pub sequence: i64,
        /// The first grant of the lineage.
        pub root_id: Uuid,
        /// The grant that was carried over to this one.
        pub parent_id: Option<Uuid>,
        /// The position in the lineage, from 1.
        pub depth: i32,
        pub api_key_id: Uuid,
        pub policy_id: Uuid,
        pub policy_version_id: Uuid,
        pub version: i32,
        /// The permitted actions, sorted.
        pub actions: Vec<String>,
        pub not_before: Option<DateTimeUtc>,
        pub expires_at: Option<DateTimeUtc>,
        /// The maximum number of writes.
        pub max_uses: Option<i32>,
        pub issued_by: Uuid,
        pub issued_at: DateTimeUtc,
        /// The canonical statement (receipts, section 9.2).
        pub statement: String,
        /// The digest of `statement`.
        pub digest: String,
        /// The signature over `statement`; absent if the service has no signing key.
        pub signature: Option<String>,
        pub signature_kid: Option<String>,
        /// The number of writes under the grant.
        pub uses: i32,
        pub revoked_at: Option<DateTimeUtc>,
        pub revoked_by: Option<String>,
        /// The grant that it was carried over to.
        pub carried_to: Option<Uuid>,
        pub carried_at: Option<DateTimeUtc>,
    }
}

impl From<Model> for Capability {
    /// The envelope and the lineage are not in the row and stay empty.
    fn from(row: Model) -> Self {
        Self {
            id: row.id.into(),
            root_capability_id: row.root_id.into(),
            parent_capability_id: row.parent_id.map(Into::into),
            tenant_id: row.tenant_id.into(),
            policy_id: row.policy_id.into(),
            policy_version_id: row.policy_version_id.into(),
            version: unsigned(row.version),
            actions: row.actions.iter().filter_map(|action| action.parse().ok()).collect(),
            not_before: row.not_before.map(from_column),
            expires_at: row.expires_at.map(from_column),
            max_uses: row.max_uses.map(unsigned),
            uses: unsigned(row.uses),
            api_key_id: row.api_key_id.into(),
            issued_by: row.issued_by.into(),
            issued_at: from_column(row.issued_at),
            revoked_at: row.revoked_at.map(from_column),
            revoked_by: row.revoked_by,
            carried_to: row.carried_to.map(Into::into),
            grant_digest: row.digest,
            envelope: None,
            chain: None,
        }
    }
}
