//! The limits of the rules that are active at the same time.

use crate::base::{error::too_many_active_rules, prelude::*};

/// The maximum size of the rules of all active versions of a tenant, in bytes. An evaluation loads all of them.
const TENANT_BYTES_MAX: i64 = 16 << 20;

/// The maximum size of the rules that govern a decision type, in bytes. With inherited policies an evaluation has room
/// for more.
const DECISION_TYPE_BYTES_MAX: i64 = 8 << 20;

const SELECT_SIZES: &str = include_str!("active_size.sql");

/// Checks the rules of the active versions, and of `activated` as if it were active. The tenant head is locked.
///
/// # Errors
/// `CONFLICT` if an evaluation would have to load too many rules.
pub(super) async fn check(tx: &TenantTx, activated: Option<PolicyVersionId>) -> Result<()> {
    let (of_tenant, of_decision_type): (i64, i64) =
        tx.only(SELECT_SIZES, [activated.map(|version| version.0).into()]).await?;
    if of_tenant > TENANT_BYTES_MAX {
        return Err(too_many_active_rules("of the tenant", TENANT_BYTES_MAX >> 20).into());
    }
    if of_decision_type > DECISION_TYPE_BYTES_MAX {
        let scope = "that govern a decision type";
        return Err(too_many_active_rules(scope, DECISION_TYPE_BYTES_MAX >> 20).into());
    }
    Ok(())
}
