//! Tenant hierarchy: reads inherited policies of ancestors and propagates changes to descendants.
//!
//! Row-level security stays active: a transaction sees the rows of one tenant at a time. To read what a
//! tenant inherits, the transaction switches to the ancestor for one query and then back. The head row
//! of each tenant lists its ancestors.

use contract::id::TenantId;
use entity::tenant_head as table;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseTransaction, QueryFilter, QueryOrder, QueryResult,
    QuerySelect, TryGetableMany, Value,
    sea_query::{Expr, ExprTrait, extension::postgres::PgExpr},
};
use uuid::Uuid;

use super::{TenantTx, see_tenant};
use crate::{
    Governance,
    base::{
        database::{untenanted, update_untenanted},
        error::{OrBug, Result},
        sql::statement,
    },
};

/// An ancestor of a tenant. Only [`TenantTx::ancestors`] creates one, from the tenant's head row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ancestor {
    pub(crate) id: TenantId,
    /// The distance: 1 for the parent, 2 for its parent, and so on.
    pub(crate) level: u32,
}

/// The tenants that a change of the active policies affects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChangeScope {
    Tenant,
    /// The tenant and its descendants.
    Descendants,
}

impl ChangeScope {
    /// Returns the scope of a policy change. `is_inheritable` is true if the policy is inheritable
    /// before or after the change.
    pub(crate) fn for_policy(is_inheritable: bool) -> Self {
        if is_inheritable { Self::Descendants } else { Self::Tenant }
    }
}

/// Returns the ancestor IDs of a tenant, nearest first; `None` when the tenant does not exist.
async fn ancestor_ids(db: &impl ConnectionTrait, tenant: TenantId) -> Result<Option<Vec<Uuid>>> {
    let ancestors = untenanted::<table::Entity>().filter(table::Column::TenantId.eq(tenant.0));
    let ancestors = ancestors.select_only().column(table::Column::Ancestors);
    Ok(ancestors.into_tuple().one(db).await?)
}

impl TenantTx {
    /// Returns the ancestors of this tenant, nearest first.
    pub(crate) async fn ancestors(&self) -> Result<Vec<Ancestor>> {
        let ids = ancestor_ids(self.connection(), self.tenant_id).await?;
        let ids = ids.or_bug("a tenant without its head row")?;
        let ancestors = ids.into_iter().map(TenantId).zip(1..);
        Ok(ancestors.map(|(id, level)| Ancestor { id, level }).collect())
    }

    /// Returns the rows of a handwritten query on an ancestor's rows. `$1` is the ancestor. Only for
    /// rows that also govern this tenant.
    pub(crate) async fn ancestor_rows(
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

    /// Returns the rows of a handwritten query on policies that govern this tenant. `$1` is `owner`,
    /// the ancestor that a policy is inherited from, or this tenant if `owner` is absent. Returns no
    /// rows when `owner` is not an ancestor.
    pub(crate) async fn owner_tuples<T: TryGetableMany>(
        &self,
        owner: Option<TenantId>,
        sql: &'static str,
        values: impl IntoIterator<Item = Value>,
    ) -> Result<Vec<T>> {
        let Some(owner) = owner else { return self.tuples(sql, values).await };
        match self.ancestors().await?.into_iter().find(|ancestor| ancestor.id == owner) {
            Some(ancestor) => {
                let rows = self.ancestor_rows(ancestor, sql, values).await?;
                Ok(rows.iter().map(QueryResult::try_get_many_by_index).collect::<Result<_, _>>()?)
            }
            None => Ok(Vec::new()),
        }
    }

    /// Invalidates the snapshots of all descendants. No descendant records a decision between this call
    /// and the end of the transaction, so no decision mixes policies from before and after the change.
    pub(super) async fn bump_descendants(&self) -> Result<()> {
        debug_assert!(self.head.is_none(), "heads are locked together, in one order");
        let id = self.tenant_id.0;
        let ancestors = Expr::col((table::Entity, table::Column::Ancestors));
        let is_descendant = ancestors.contains(vec![id]);
        // Ordered by ID, like every transaction that locks several heads.
        let heads = untenanted::<table::Entity>()
            .select_only()
            .column(table::Column::TenantId)
            .filter(table::Column::TenantId.eq(id).or(is_descendant.clone()))
            .order_by_asc(table::Column::TenantId)
            .lock_exclusive();
        heads.into_tuple::<Uuid>().all(self.connection()).await?;
        // A separate statement: it sees all tenants created before this head was locked. No descendant
        // is created while the lock is held (`lock_ancestors`).
        let counter = table::Column::ActivationCounter;
        update_untenanted::<table::Entity>()
            .col_expr(counter, Expr::col(counter).add(1_i64))
            .filter(is_descendant)
            .exec(self.connection())
            .await?;
        Ok(())
    }
}

/// Returns the ancestors of a new child of `parent`: the parent and its own ancestors. `None` when
/// `parent` does not exist.
pub(crate) async fn ancestors_for_child(
    governance: &Governance,
    parent: TenantId,
) -> Result<Option<Vec<Uuid>>> {
    let ancestors = ancestor_ids(governance.database(), parent).await?;
    Ok(ancestors.map(|ancestors| std::iter::once(parent.0).chain(ancestors).collect()))
}

/// Locks the heads of all ancestors of a new tenant until the transaction ends. A change of inheritable
/// policies either commits before or includes the new tenant.
pub(crate) async fn lock_ancestors(tx: &DatabaseTransaction, ancestors: &[Uuid]) -> Result<()> {
    let heads = untenanted::<table::Entity>()
        .select_only()
        .column(table::Column::TenantId)
        .filter(table::Column::TenantId.eq_any(ancestors.iter().copied()))
        .order_by_asc(table::Column::TenantId)
        .lock_shared();
    heads.into_tuple::<Uuid>().all(tx).await?;
    Ok(())
}
