//! A tenant's governance switches.

use contract::settings::Settings;

use crate::{
    cx::Cx,
    error::{Error, Result},
    permission,
    tenancy::TenantTx,
};

/// The settings of the caller's tenant.
///
/// # Errors
/// `INSUFFICIENT_SCOPE` for a key without `policies:read`.
pub async fn read(cx: &Cx) -> Result<Settings> {
    let tx = cx.tenant(permission::READ_SETTINGS)?.begin().await?;
    let settings = of(&tx).await?;
    tx.end().await?;
    Ok(settings)
}

/// The settings, within a transaction that rests on them.
pub(crate) async fn of(tx: &TenantTx) -> Result<Settings> {
    let row = tx.find::<entity::settings::Entity>().one(tx.connection()).await?;
    let row = row.ok_or_else(|| Error::bug("a tenant without settings"))?;
    Ok(Settings {
        maker_checker_enabled: row.maker_checker_enabled,
        review_required: row.review_required,
        public_receipt_redaction: row.public_receipt_redaction.0,
        bundle_include_context: row.bundle_include_context,
        alert_min_severity: row.alert_min_severity.0,
        updated_at: Some(entity::column::instant(row.updated_at)),
        updated_by: row.updated_by,
    })
}
