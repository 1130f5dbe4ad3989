//! The parts of the list of alerts other than its rows: the policies to filter by, and the mark of the page.

use contract::id::PolicyId;

use super::rollup::json;
use crate::{
    access::permission,
    base::{
        cx::Cx,
        error::{Error, Result},
    },
    deciding::decision::ActivityMark,
};

/// The maximum number of policies to choose from.
const POLICIES_MAX: i64 = 200;

/// The parts of the list of alerts other than its rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlertListParts {
    /// The newest policies to choose from, by name.
    pub policies: Vec<(PolicyId, String)>,
    /// The mark of the page. The rows must be read after it, so that everything recorded in between counts as new.
    pub mark: ActivityMark,
}

// SQL: both parts in one round trip. The policies are JSON.
const SELECT_PARTS: &str = "SELECT concat_ws('.', t.audit_seq, \
       coalesce((SELECT max(sequence) FROM alerts WHERE tenant_id = $1), 0)), \
     (SELECT coalesce(json_agg(json_build_array(id, name) ORDER BY name, id), '[]')::text FROM ( \
       SELECT id, name FROM policies WHERE tenant_id = $1 ORDER BY sequence DESC LIMIT $2) p) \
     FROM tenant_heads t WHERE t.tenant_id = $1";

/// Returns the parts of the list of alerts other than its rows. It runs one query.
///
/// # Errors
/// `INSUFFICIENT_SCOPE` for a key that lacks the scope to read policies, decisions or alerts.
pub async fn alert_list(cx: &Cx) -> Result<AlertListParts> {
    cx.tenant(permission::READ_POLICIES)?;
    cx.tenant(permission::READ_DECISIONS)?;
    let tx = cx.tenant(permission::READ_ALERTS)?.begin().await?;
    let row = tx.one(SELECT_PARTS, [POLICIES_MAX.into()]).await?;
    tx.finish_read().await?;
    let row = row.ok_or_else(|| Error::bug("a tenant without its head row"))?;
    let mark: String = row.try_get_by_index(0)?;
    let mark = mark.parse().map_err(|()| Error::bug("a mark that cannot be parsed"))?;
    Ok(AlertListParts { policies: json(&row, 1)?, mark })
}
