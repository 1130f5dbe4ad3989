//! Tenants, created and listed by the operator.

use contract::tenant::{ANCESTORS_MAX, Tenant, TenantDraft};
use entity::{
    settings,
    tenant::{self as table, Column},
    tenant_head,
};
use sea_orm::SelectExt;

use crate::base::{
    database,
    prelude::*,
    tenancy::{ancestors_for_child, lock_ancestors},
};

/// Creates a tenant without members, as a child of a parent if one is named.
///
/// # Errors
/// `INSUFFICIENT_SCOPE` and `FORBIDDEN` for callers of a tenant; `VALIDATION_ERROR` for a parent that
/// does not exist or has too many ancestors.
pub async fn create(cx: &Cx, draft: TenantDraft) -> Result<Tenant> {
    cx.require_operator()?;
    let ancestors = match draft.parent_tenant_id {
        Some(parent) => ancestor_ids(&cx.governance, parent).await?,
        None => Vec::new(),
    };
    let tenant_id: TenantId = cx.governance.entropy().id();
    let tx = cx.tenant_unchecked(tenant_id).begin().await?;
    lock_ancestors(tx.connection(), &ancestors).await?;
    insert(&tx, cx, &draft, ancestors).await?;
    let event = Event::new("tenant.create", "tenant", tenant_id);
    tx.commit(cx, event.with_some("parent_tenant_id", draft.parent_tenant_id)).await?;
    let TenantDraft { name, parent_tenant_id } = draft;
    Ok(Tenant { tenant_id, name, parent_tenant_id, created_at: cx.now })
}

/// Returns all tenants, newest first.
///
/// # Errors
/// `INSUFFICIENT_SCOPE` and `FORBIDDEN` for callers of a tenant; `VALIDATION_ERROR` for a cursor of
/// another list.
pub async fn list(cx: &Cx, page: &PageRequest) -> Result<Page<Tenant>> {
    cx.require_operator()?;
    let no_tenant = TenantId(Uuid::nil());
    let governance = &cx.governance;
    let list = Cursor { governance, name: "tenants", tenant: no_tenant, filter: String::new() };
    let tx = operator_tx(governance).await?;
    let rows = list.newest(all(), Column::Sequence, page)?.all(&tx).await?;
    tx.rollback().await?;
    Ok(list.page(rows, page.limit, |row| row.sequence).map(Tenant::from))
}

/// Returns the creation time of the first tenant, if there is one.
pub(crate) async fn first_tenant(governance: &Governance) -> Result<Option<Timestamp>> {
    let tx = operator_tx(governance).await?;
    let first = all().order_by_asc(Column::CreatedAt).select_only().column(Column::CreatedAt);
    let first = first.into_tuple::<DateTimeUtc>().one(&tx).await?;
    tx.rollback().await?;
    Ok(first.map(from_column))
}

/// Selects all tenants, for a transaction with operator access.
#[expect(clippy::disallowed_methods, reason = "the operator lists all tenants")]
fn all() -> Select<table::Entity> {
    table::Entity::find()
}

// SQL: only a function sets what row-level security reads.
const SET_OPERATOR: &str = "SELECT set_config('app.operator', 'on', true)";

/// Begins a transaction that can see the rows of all tenants in the table `tenants`, and in no other
/// table.
async fn operator_tx(governance: &Governance) -> Result<DatabaseTransaction> {
    let tx = database::begin(governance.database()).await?;
    tx.query_one_raw(statement(SET_OPERATOR, [])).await?;
    Ok(tx)
}

/// Returns the ancestors of a new child of `parent`.
///
/// # Errors
/// `VALIDATION_ERROR` for a parent that does not exist or has the maximum number of ancestors.
async fn ancestor_ids(governance: &Governance, parent: TenantId) -> Result<Vec<Uuid>> {
    let Some(ancestors) = ancestors_for_child(governance, parent).await? else {
        let message = "there is no tenant with this id";
        return Err(invalid_field("/parent_tenant_id", "unknown", message).into());
    };
    if u32::try_from(ancestors.len()).is_ok_and(|length| length <= ANCESTORS_MAX) {
        return Ok(ancestors);
    }
    let message = format!("already has the maximum of {ANCESTORS_MAX} ancestors");
    Err(invalid_field("/parent_tenant_id", "too_deep", &message).into())
}

/// Checks that a tenant exists.
pub(super) async fn exists(cx: &Cx, tenant_id: TenantId) -> Result<()> {
    let tx = cx.tenant_unchecked(tenant_id).begin().await?;
    let exists = tx.find::<table::Entity>().exists(tx.connection()).await?;
    tx.finish_read().await?;
    if exists { Ok(()) } else { Err(not_found(ResourceKind::Tenant).into()) }
}

/// Stores a tenant with its settings and its head, which contains the ancestors.
pub(super) async fn insert(
    tx: &TenantTx,
    cx: &Cx,
    draft: &TenantDraft,
    ancestors: Vec<Uuid>,
) -> Result<()> {
    let name = &draft.name;
    if name.trim().is_empty() || name.chars().count() > 200 {
        return Err(invalid_field("/name", "length", "must have 1 to 200 characters").into());
    }
    let tenant_id = Set(tx.tenant_id().0);
    let tenant = table::ActiveModel {
        tenant_id: tenant_id.clone(),
        name: Set(name.clone()),
        parent_tenant_id: Set(draft.parent_tenant_id.map(|parent| parent.0)),
        created_at: Set(to_column(cx.now)),
        ..Default::default()
    };
    table::Entity::insert(tenant).exec_without_returning(tx.connection()).await?;
    let salt = || hex::encode(cx.governance.entropy().bytes::<32>());
    let head = tenant_head::ActiveModel {
        tenant_id: tenant_id.clone(),
        email_salt: Set(salt()),
        audit_salt: Set(salt()),
        ancestors: Set(ancestors),
        ..Default::default()
    };
    tenant_head::Entity::insert(head).exec_without_returning(tx.connection()).await?;
    let settings = settings::ActiveModel {
        tenant_id,
        updated_at: Set(to_column(cx.now)),
        ..Default::default()
    };
    settings::Entity::insert(settings).exec_without_returning(tx.connection()).await?;
    Ok(())
}
