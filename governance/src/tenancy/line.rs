//! Lines of tenants: what those above hand down, and who must hear of a change of it.
//!
//! The wall between tenants stands: a transaction sees the rows of one tenant at a time. To learn what an
//! ancestor hands down it turns to that ancestor for one query, and back. Who the ancestors are is said
//! by the tenant's own head.

use contract::id::TenantId;
use entity::tenant_head as table;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseTransaction, QueryFilter, QueryOrder, QueryResult,
    QuerySelect, Value,
    sea_query::{Expr, ExprTrait, extension::postgres::PgExpr},
};
use uuid::Uuid;

use super::{TenantTx, see_tenant, statement};
use crate::{
    Governance,
    database::{untenanted, update_untenanted},
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

/// The tenants above a tenant, nearest first; nothing when there is no such tenant.
async fn line_of(db: &impl ConnectionTrait, tenant: TenantId) -> Result<Option<Vec<Uuid>>> {
    let line = untenanted::<table::Entity>().filter(table::Column::TenantId.eq(tenant.0));
    let line = line.select_only().column(table::Column::Ancestors);
    Ok(line.into_tuple().one(db).await?)
}

impl TenantTx {
    /// The tenants above this one, nearest first.
    pub(crate) async fn ancestors(&self) -> Result<Vec<Ancestor>> {
        let line = line_of(self.connection(), self.tenant_id).await?;
        let line = line.ok_or_else(|| Error::bug("a tenant without its head row"))?;
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
        see_tenant(self.connection(), ancestor.id).await?;
        let values = std::iter::once(ancestor.id.0.into()).chain(values);
        let rows = self.connection().query_all_raw(statement(sql, values)).await?;
        see_tenant(self.connection(), self.tenant_id).await?;
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

    /// Puts the snapshots of all tenants below out of date. Nothing is recorded there between this and
    /// the end of the transaction, so no decision mixes what was in force before with what is after.
    pub(super) async fn activations_changed_below(&self) -> Result<()> {
        debug_assert!(self.head.is_none(), "heads are locked together, in one order");
        let id = self.tenant_id.0;
        let ancestors = Expr::col((table::Entity, table::Column::Ancestors));
        let is_below = ancestors.contains(vec![id]);
        // In the order of the ids, as everybody locks heads who locks several.
        let held = untenanted::<table::Entity>()
            .select_only()
            .column(table::Column::TenantId)
            .filter(table::Column::TenantId.eq(id).or(is_below.clone()))
            .order_by_asc(table::Column::TenantId)
            .lock_exclusive();
        held.into_tuple::<Uuid>().all(self.connection()).await?;
        // A statement of its own: it sees the tenants that were made until this one's head was held, and
        // no further one is made below while it is (`hold_line`).
        let counter = table::Column::ActivationCounter;
        update_untenanted::<table::Entity>()
            .col_expr(counter, Expr::col(counter).add(1_i64))
            .filter(is_below)
            .exec(self.connection())
            .await?;
        Ok(())
    }
}

/// The line of a tenant below `parent`: the parent, and those above it. Nothing when there is no such
/// tenant.
pub(crate) async fn line_below(
    governance: &Governance,
    parent: TenantId,
) -> Result<Option<Vec<Uuid>>> {
    let above = line_of(governance.database(), parent).await?;
    Ok(above.map(|above| std::iter::once(parent.0).chain(above).collect()))
}

/// Holds the heads of a line until the transaction ends, in which a tenant is made below it: a change of
/// what is handed down either ends before, or finds the new tenant.
pub(crate) async fn hold_line(tx: &DatabaseTransaction, line: &[Uuid]) -> Result<()> {
    let heads = untenanted::<table::Entity>()
        .select_only()
        .column(table::Column::TenantId)
        .filter(table::Column::TenantId.eq_any(line.iter().copied()))
        .order_by_asc(table::Column::TenantId)
        .lock_shared();
    heads.into_tuple::<Uuid>().all(tx).await?;
    Ok(())
}
