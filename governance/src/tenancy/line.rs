//! Lines of tenants: what those above hand down, and who must hear of a change of it.
//!
//! The wall between tenants stands: a transaction sees the rows of one tenant at a time. To learn what an
//! ancestor hands down it turns to that ancestor for one query, and back. Who the ancestors are is said
//! by the tenant's own head.

use contract::id::TenantId;
use sea_orm::{ConnectionTrait, DatabaseTransaction, QueryResult, Value};
use uuid::Uuid;

use super::{SET_TENANT, TenantTx, statement};
use crate::{
    Governance,
    error::{Error, Result},
};

/// A tenant above another one. Only the other one's head gives it out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ancestor {
    /// The tenant.
    pub(crate) id: TenantId,
    /// 1 for the parent, 2 for its parent, and so on.
    pub(crate) level: u32,
}

/// How far a change of what is active reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// No further than the tenant itself.
    Here,
    /// To the tenants below, too.
    Below,
}

impl Reach {
    /// The reach of a change of a policy, by whether it is inheritable, before or after.
    pub(crate) fn of(is_inheritable: bool) -> Self {
        if is_inheritable { Self::Below } else { Self::Here }
    }
}

const LINE: &str = "SELECT ancestors FROM tenant_heads WHERE tenant_id = $1";

// In the order of the ids, as everybody locks heads who locks several.
const HOLD_BELOW: &str = "SELECT 1 FROM tenant_heads \
     WHERE tenant_id = $1 OR ancestors @> ARRAY[$1]::uuid[] ORDER BY tenant_id FOR UPDATE";

// A statement of its own: it sees the tenants that were made until this one's head was held, and no
// further one is made below while it is (`hold_line`).
const CHANGE_BELOW: &str = "UPDATE tenant_heads SET activation_counter = activation_counter + 1 \
                            WHERE ancestors @> ARRAY[$1]::uuid[]";

impl TenantTx {
    /// The tenants above this one, nearest first.
    pub(crate) async fn ancestors(&self) -> Result<Vec<Ancestor>> {
        let row = self.one(LINE, []).await?;
        let row = row.ok_or_else(|| Error::bug("a tenant without its head row"))?;
        let line: Vec<Uuid> = row.try_get_by_index(0)?;
        let ancestors = line.into_iter().map(TenantId).zip(1..);
        Ok(ancestors.map(|(id, level)| Ancestor { id, level }).collect())
    }

    /// The rows of a hand-written query, whose `$1` is an ancestor. For what governs this tenant too,
    /// and nothing else of the ancestor's.
    pub(crate) async fn all_above(
        &self,
        ancestor: Ancestor,
        sql: &'static str,
        values: impl IntoIterator<Item = Value>,
    ) -> Result<Vec<QueryResult>> {
        self.turn_to(ancestor.id).await?;
        let values = std::iter::once(ancestor.id.0.into()).chain(values);
        let rows = self.connection().query_all_raw(statement(sql, values)).await?;
        self.turn_to(self.tenant_id).await?;
        Ok(rows)
    }

    /// The rows of a hand-written query on what governs this tenant, whose `$1` is `owner`, an ancestor
    /// that hands it down, or where there is none this tenant. Nothing when `owner` is no ancestor.
    pub(crate) async fn all_of(
        &self,
        owner: Option<TenantId>,
        sql: &'static str,
        values: impl IntoIterator<Item = Value>,
    ) -> Result<Vec<QueryResult>> {
        let Some(owner) = owner else { return self.all(sql, values).await };
        match self.ancestors().await?.into_iter().find(|above| above.id == owner) {
            Some(above) => self.all_above(above, sql, values).await,
            None => Ok(Vec::new()),
        }
    }

    async fn turn_to(&self, tenant: TenantId) -> Result<()> {
        let set = statement(SET_TENANT, [tenant.to_string().into()]);
        self.connection().query_one_raw(set).await?;
        Ok(())
    }

    /// Puts the snapshots of all tenants below out of date. Nothing is recorded there between this and
    /// the end of the transaction, so no decision mixes what was in force before with what is after.
    pub(super) async fn activations_changed_below(&self) -> Result<()> {
        debug_assert!(self.head.is_none(), "heads are locked together, in one order");
        self.all(HOLD_BELOW, []).await?;
        self.execute(CHANGE_BELOW, []).await?;
        Ok(())
    }
}

/// The line of a tenant below `parent`: the parent, and those above it. Nothing when there is no such
/// tenant.
pub(crate) async fn line_below(
    governance: &Governance,
    parent: TenantId,
) -> Result<Option<Vec<Uuid>>> {
    let row = governance.database().query_one_raw(statement(LINE, [parent.0.into()])).await?;
    let Some(row) = row else { return Ok(None) };
    let above: Vec<Uuid> = row.try_get_by_index(0)?;
    Ok(Some(std::iter::once(parent.0).chain(above).collect()))
}

const HOLD_LINE: &str = "SELECT 1 FROM tenant_heads WHERE tenant_id = ANY($1) \
                         ORDER BY tenant_id FOR SHARE";

/// Holds the heads of a line until the transaction ends, in which a tenant is made below it: a change of
/// what is handed down either ends before, or finds the new tenant.
pub(crate) async fn hold_line(tx: &DatabaseTransaction, line: &[Uuid]) -> Result<()> {
    tx.query_all_raw(statement(HOLD_LINE, [line.to_vec().into()])).await?;
    Ok(())
}
