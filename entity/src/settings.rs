//! Settings of a tenant, one row per tenant.

use contract::{receipt::Redaction, rule::Severity, settings::SignInPolicy};
use sea_orm::entity::prelude::*;

use crate::column::TextEnum;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "settings")]
#[expect(clippy::struct_excessive_bools, reason = "settings do not depend on each other")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: Uuid,
    /// Whether the authors of a version cannot ratify it.
    pub maker_checker_enabled: bool,
    /// Whether only reviewed versions can be ratified.
    pub review_required: bool,
    /// The data that public receipts omit.
    pub public_receipt_redaction: TextEnum<Redaction>,
    /// Whether bundles contain the decision context.
    pub bundle_include_context: bool,
    /// The minimum severity of a violation that creates an alert.
    pub alert_min_severity: TextEnum<Severity>,
    /// Whether only a signed-in user can change the settings that affect verdicts and safeguards.
    pub human_changes_only: bool,
    /// The sign-ins that give access to the tenant.
    pub sign_in: TextEnum<SignInPolicy>,
    /// Whether only sessions with a second factor have access.
    pub second_factor_required: bool,
    pub updated_at: DateTimeUtc,
    pub updated_by: Option<String>,
}

table!(TenantOwned);
