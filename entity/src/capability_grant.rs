//! Grants under which a key works on one version.

use contract::capability::Capability;
use sea_orm::entity::prelude::*;

use crate::column::{instant, number};

/// A grant: a signed statement, and the state beside it.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "capability_grants")]
pub struct Model {
    /// Its tenant.
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: Uuid,
    /// The id.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// Its place in the list of grants.
    pub sequence: i64,
    /// Where its chain starts.
    pub root_id: Uuid,
    /// The grant that was carried to this one.
    pub parent_id: Option<Uuid>,
    /// Its place in the chain, from 1.
    pub depth: i32,
    /// The key that it governs.
    pub api_key_id: Uuid,
    /// The policy.
    pub policy_id: Uuid,
    /// The version, by id.
    pub policy_version_id: Uuid,
    /// The version, by number.
    pub version: i32,
    /// What it allows, sorted.
    pub actions: Vec<String>,
    /// From when.
    pub not_before: Option<DateTimeUtc>,
    /// Until when.
    pub expires_at: Option<DateTimeUtc>,
    /// How many writes it allows.
    pub max_uses: Option<i32>,
    /// The person who issued it.
    pub issued_by: Uuid,
    /// When.
    pub issued_at: DateTimeUtc,
    /// The canonical statement (receipts, section 9.2).
    pub statement: String,
    /// Its digest.
    pub digest: String,
    /// Over the statement; absent when the service has no key.
    pub signature: Option<String>,
    /// The key that signed.
    pub signature_kid: Option<String>,
    /// How many writes were made with it.
    pub uses: i32,
    /// When it was revoked.
    pub revoked_at: Option<DateTimeUtc>,
    /// By whom.
    pub revoked_by: Option<String>,
    /// The grant that it was carried to.
    pub carried_to: Option<Uuid>,
    /// When.
    pub carried_at: Option<DateTimeUtc>,
}

table!(TenantOwned, Identified, Sequenced);

impl From<Model> for Capability {
    /// Without its envelope and its chain: those are more than the row.
    fn from(row: Model) -> Self {
        Self {
            id: row.id.into(),
            root_capability_id: row.root_id.into(),
            parent_capability_id: row.parent_id.map(Into::into),
            tenant_id: row.tenant_id.into(),
            policy_id: row.policy_id.into(),
            policy_version_id: row.policy_version_id.into(),
            version: number(row.version),
            actions: row.actions.iter().filter_map(|action| action.parse().ok()).collect(),
            not_before: row.not_before.map(instant),
            expires_at: row.expires_at.map(instant),
            max_uses: row.max_uses.map(number),
            uses: number(row.uses),
            api_key_id: row.api_key_id.into(),
            issued_by: row.issued_by.into(),
            issued_at: instant(row.issued_at),
            revoked_at: row.revoked_at.map(instant),
            revoked_by: row.revoked_by,
            carried_to: row.carried_to.map(Into::into),
            grant_digest: row.digest,
            envelope: None,
            chain: None,
        }
    }
}
