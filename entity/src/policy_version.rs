//! The versions of a policy.

use contract::policy::{PolicyVersion, VersionStatus};
use sea_orm::entity::prelude::*;

use crate::column::{Word, instant, number};

/// A version of a policy.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "policy_versions")]
pub struct Model {
    /// Its tenant.
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: Uuid,
    /// Its policy.
    #[sea_orm(primary_key, auto_increment = false)]
    pub policy_id: Uuid,
    /// Its number, from 1.
    #[sea_orm(primary_key, auto_increment = false)]
    pub version: i32,
    /// The id.
    pub id: Uuid,
    /// The revision of the draft, from 1.
    pub draft_revision: i32,
    /// The canonical array of its rules, in authored order.
    pub rules: String,
    /// Digest of the rules as authored (receipts, section 3).
    pub rules_digest: String,
    /// Whether it decides.
    pub is_active: bool,
    /// Where it stands.
    pub status: Word<VersionStatus>,
    /// When it was made.
    pub created_at: DateTimeUtc,
    /// By whom.
    pub created_by: Option<String>,
    /// Why it was made.
    pub change_reason: Option<String>,
    /// The version it was written from.
    pub based_on_version: Option<i32>,
    /// When it was submitted.
    pub submitted_at: Option<DateTimeUtc>,
    /// By whom.
    pub submitted_by: Option<String>,
    /// When it was last rejected.
    pub rejected_at: Option<DateTimeUtc>,
    /// By whom.
    pub rejected_by: Option<String>,
    /// Why.
    pub rejection_reason: Option<String>,
    /// When it was ratified.
    pub ratified_at: Option<DateTimeUtc>,
    /// By whom.
    pub ratified_by: Option<String>,
    /// A note for the record.
    pub ratification_note: Option<String>,
    /// When it last became the deciding version.
    pub activated_at: Option<DateTimeUtc>,
    /// By whom.
    pub activated_by: Option<String>,
    /// When it was replaced or set aside.
    pub closed_at: Option<DateTimeUtc>,
    /// By whom.
    pub closed_by: Option<String>,
    /// Why.
    pub closed_reason: Option<String>,
    /// The people who created, edited, submitted or sealed it.
    pub makers: Vec<Uuid>,
    /// Whether a caller behind whom no person is known did one of these too.
    pub has_unknown_maker: bool,
    /// The draft before it in its lineage.
    pub lineage_previous: Option<i32>,
    /// Whether that draft was set aside, and not replaced by this one.
    pub lineage_set_aside: bool,
}

table!(TenantOwned, Identified);

impl TryFrom<Model> for PolicyVersion {
    type Error = serde_json::Error;

    /// With its rules. Which draft corrects it, and what is kept of its codification, is in other rows.
    ///
    /// # Errors
    /// When the stored rules are no rules: somebody has written past the service.
    fn try_from(row: Model) -> Result<Self, Self::Error> {
        Ok(Self {
            id: row.id.into(),
            policy_id: row.policy_id.into(),
            version: number(row.version),
            draft_revision: number(row.draft_revision),
            rules: Some(serde_json::from_str(&row.rules)?),
            rules_digest: row.rules_digest,
            is_active: row.is_active,
            status: row.status.0,
            created_at: instant(row.created_at),
            created_by: row.created_by,
            change_reason: row.change_reason,
            submitted_at: row.submitted_at.map(instant),
            submitted_by: row.submitted_by,
            rejected_at: row.rejected_at.map(instant),
            rejected_by: row.rejected_by,
            rejection_reason: row.rejection_reason,
            ratified_at: row.ratified_at.map(instant),
            ratified_by: row.ratified_by,
            activated_at: row.activated_at.map(instant),
            activated_by: row.activated_by,
            closed_at: row.closed_at.map(instant),
            closed_by: row.closed_by,
            closed_reason: row.closed_reason,
            supersedes_version: row.lineage_previous.filter(|_| !row.lineage_set_aside).map(number),
            superseded_by_version: None,
            codification_record: None,
        })
    }
}
