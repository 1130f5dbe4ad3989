//! Versions of policies.

use contract::policy::{PolicyVersion, VersionStatus};
use sea_orm::entity::prelude::*;

use crate::column::{TextEnum, from_column, unsigned};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "policy_versions")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub policy_id: Uuid,
    /// From 1.
    #[sea_orm(primary_key, auto_increment = false)]
    pub version: i32,
    pub id: Uuid,
    /// From 1.
    pub draft_revision: i32,
    /// The canonical array of the rules, in authored order.
    pub rules: String,
    /// Digest of the rules as authored (receipts, section 3).
    pub rules_digest: String,
    /// Whether the rules of this version are evaluated.
    pub is_active: bool,
    pub status: TextEnum<VersionStatus>,
    pub created_at: DateTimeUtc,
    pub created_by: Option<String>,
    pub change_reason: Option<String>,
    /// The version that this version was created from.
    pub based_on_version: Option<i32>,
    pub submitted_at: Option<DateTimeUtc>,
    pub submitted_by: Option<String>,
    pub rejected_at: Option<DateTimeUtc>,
    pub rejected_by: Option<String>,
    pub rejection_reason: Option<String>,
    pub ratified_at: Option<DateTimeUtc>,
    pub ratified_by: Option<String>,
    pub ratification_note: Option<String>,
    /// The time of the last activation.
    pub activated_at: Option<DateTimeUtc>,
    pub activated_by: Option<String>,
    /// The time at which the version was replaced or set aside.
    pub closed_at: Option<DateTimeUtc>,
    pub closed_by: Option<String>,
    pub closed_reason: Option<String>,
    /// The users who created, edited, submitted or sealed the version.
    pub makers: Vec<Uuid>,
    /// Whether a caller without a known user did one of these.
    pub has_unknown_maker: bool,
    /// The previous draft of the lineage.
    pub lineage_previous: Option<i32>,
    /// Whether the previous draft was set aside instead of replaced by this one.
    pub lineage_set_aside: bool,
}

table!(TenantOwned, HasId);

impl TryFrom<Model> for PolicyVersion {
    type Error = serde_json::Error;

    /// The row has the rules. The superseding version and the codification record are in other rows
    /// and stay empty.
    ///
    /// # Errors
    /// The stored rules are malformed, because they were not written by the service.
    fn try_from(row: Model) -> Result<Self, Self::Error> {
        Ok(Self {
            id: row.id.into(),
            policy_id: row.policy_id.into(),
            version: unsigned(row.version),
            draft_revision: unsigned(row.draft_revision),
            rules: Some(serde_json::from_str(&row.rules)?),
            rules_digest: row.rules_digest,
            is_active: row.is_active,
            status: row.status.0,
            created_at: from_column(row.created_at),
            created_by: row.created_by,
            change_reason: row.change_reason,
            submitted_at: row.submitted_at.map(from_column),
            submitted_by: row.submitted_by,
            rejected_at: row.rejected_at.map(from_column),
            rejected_by: row.rejected_by,
            rejection_reason: row.rejection_reason,
            ratified_at: row.ratified_at.map(from_column),
            ratified_by: row.ratified_by,
            activated_at: row.activated_at.map(from_column),
            activated_by: row.activated_by,
            closed_at: row.closed_at.map(from_column),
            closed_by: row.closed_by,
            closed_reason: row.closed_reason,
            supersedes_version: row
                .lineage_previous
                .filter(|_| !row.lineage_set_aside)
                .map(unsigned),
            superseded_by_version: None,
            codification_record: None,
        })
    }
}
