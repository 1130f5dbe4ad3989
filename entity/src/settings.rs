//! A tenant's settings.

use contract::{receipt::Redaction, rule::Severity};
use sea_orm::entity::prelude::*;

use crate::column::Word;

/// What a tenant has chosen; one row for each.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "settings")]
#[expect(clippy::struct_excessive_bools, reason = "settings do not depend on each other")]
pub struct Model {
    /// The tenant.
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: Uuid,
    /// Whether nobody ratifies what they made themselves.
    pub maker_checker_enabled: bool,
    /// Whether only reviewed versions can be ratified.
    pub review_required: bool,
    /// What a public receipt leaves out.
    pub public_receipt_redaction: Word<Redaction>,
    /// Whether a bundle holds the decision's context.
    pub bundle_include_context: bool,
    /// The mildest violation that raises an alert.
    pub alert_min_severity: Word<Severity>,
    /// Whether changes of verdicts and safeguards need a signed-in person.
    pub human_changes_only: bool,
    /// When they last changed.
    pub updated_at: DateTimeUtc,
    /// By whom.
    pub updated_by: Option<String>,
}

table!(TenantOwned);
