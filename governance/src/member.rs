//! Who belongs to a tenant.

use std::collections::BTreeMap;

use crate::{cx::Cx, error::Result, permission, tenancy::statement};
use sea_orm::ConnectionTrait;

const NAMES: &str = "SELECT u.user_id::text, u.display_name FROM members m \
                     JOIN users u ON u.user_id = m.user_id WHERE m.tenant_id = $1 \
                     UNION ALL SELECT id::text, name FROM api_keys WHERE tenant_id = $1";

/// The names of the tenant's people and keys by their id, as records name them.
///
/// # Errors
/// `FORBIDDEN` for a stranger.
pub async fn names(cx: &Cx) -> Result<BTreeMap<String, String>> {
    let tx = cx.tenant(permission::READ_MEMBERS)?.begin().await?;
    let rows = tx.connection().query_all_raw(statement(NAMES, [tx.tenant_value()])).await?;
    tx.end().await?;
    rows.iter().map(|row| Ok((row.try_get_by_index(0)?, row.try_get_by_index(1)?))).collect()
}
