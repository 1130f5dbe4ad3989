//! Tenants, made and listed by whoever operates the service.

use contract::{
    id::TenantId,
    page::Page,
    tenant::{ANCESTORS_MAX, Tenant, TenantDraft},
    time::Timestamp,
};
use entity::{
    column::{at, instant},
    settings,
    tenant::{self as table, Column},
    tenant_head,
};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, DatabaseTransaction, EntityTrait, QueryFilter,
    QueryOrder, QuerySelect, Select, SelectExt, TransactionTrait, prelude::DateTimeUtc,
};
use uuid::Uuid;

use crate::{
    Governance,
    audit::Event,
    cx::Cx,
    error::{Noun, Result, invalid_field, not_found},
    page::{List, PageRequest},
    tenancy::{TenantTx, hold_line, line_below, statement},
};

/// Makes a tenant, below a parent if one is named. Nobody belongs to it yet.
///
/// # Errors
/// `INSUFFICIENT_SCOPE` and `FORBIDDEN` for callers of a tenant; `VALIDATION_ERROR` for a parent that
/// does not exist, or has too many ancestors.
pub async fn create(cx: &Cx, draft: TenantDraft) -> Result<Tenant> {
    cx.provision()?;
    let line = match draft.parent_tenant_id {
        Some(parent) => line(&cx.governance, parent).await?,
        None => Vec::new(),
    };
    let tenant_id: TenantId = cx.governance.chance().id();
    let tx = cx.tenant_unchecked(tenant_id).begin().await?;
    hold_line(tx.connection(), &line).await?;
    insert(&tx, cx, &draft, line).await?;
    let event = Event::new("tenant.create", "tenant", tenant_id);
    let event = match draft.parent_tenant_id {
        Some(parent) => event.with("parent_tenant_id", parent.to_string()),
        None => event,
    };
    tx.commit(cx, event).await?;
    let TenantDraft { name, parent_tenant_id } = draft;
    Ok(Tenant { tenant_id, name, parent_tenant_id, created_at: cx.now })
}

/// All tenants, newest first.
///
/// # Errors
/// `INSUFFICIENT_SCOPE` and `FORBIDDEN` for callers of a tenant; `VALIDATION_ERROR` for a cursor of
/// another list.
pub async fn list(cx: &Cx, page: &PageRequest) -> Result<Page<Tenant>> {
    cx.provision()?;
    let nobody = TenantId(uuid::Uuid::nil());
    let governance = &cx.governance;
    let list = List { governance, name: "tenants", tenant: nobody, filter: String::new() };
    let below = list.below(page)?;
    let tx = across(governance).await?;
    let rows = all()
        .filter(Column::Sequence.lt(below))
        .order_by_desc(Column::Sequence)
        .limit(u64::from(page.limit) + 1);
    let rows = rows.all(&tx).await?;
    tx.rollback().await?;
    Ok(list.page(rows, page.limit, |row| row.sequence).map(Tenant::from))
}

/// When the first of all tenants was made, if there is one.
pub(crate) async fn first_made(governance: &Governance) -> Result<Option<Timestamp>> {
    let tx = across(governance).await?;
    let first = all().order_by_asc(Column::CreatedAt).select_only().column(Column::CreatedAt);
    let first = first.into_tuple::<DateTimeUtc>().one(&tx).await?;
    tx.rollback().await?;
    Ok(first.map(instant))
}

/// The tenants, for a transaction that sees all of them.
#[expect(clippy::disallowed_methods, reason = "the list of tenants lies across them")]
fn all() -> Select<table::Entity> {
    table::Entity::find()
}

// SQL: only a function sets what row-level security reads.
const OPERATED: &str = "SELECT set_config('app.operator', 'on', true)";

/// A transaction that sees the rows of `tenants`, and of no other table of theirs.
#[expect(clippy::disallowed_methods, reason = "the list of tenants lies across them")]
async fn across(governance: &Governance) -> Result<DatabaseTransaction> {
    let tx = governance.database().begin().await?;
    tx.query_one_raw(statement(OPERATED, [])).await?;
    Ok(tx)
}

/// The line of a tenant below `parent`.
///
/// # Errors
/// `VALIDATION_ERROR` for a parent that does not exist, or stands so deep that no tenant fits below it.
async fn line(governance: &Governance, parent: TenantId) -> Result<Vec<Uuid>> {
    let Some(line) = line_below(governance, parent).await? else {
        let message = "there is no tenant with this id";
        return Err(invalid_field("/parent_tenant_id", "unknown", message).into());
    };
    if u32::try_from(line.len()).is_ok_and(|length| length <= ANCESTORS_MAX) {
        return Ok(line);
    }
    let message = format!("has {ANCESTORS_MAX} ancestors already, and no more are allowed");
    Err(invalid_field("/parent_tenant_id", "too_deep", &message).into())
}

/// Refuses a tenant that does not exist.
pub(super) async fn exists(cx: &Cx, tenant_id: TenantId) -> Result<()> {
    let tx = cx.tenant_unchecked(tenant_id).begin().await?;
    let exists = tx.find::<table::Entity>().exists(tx.connection()).await?;
    tx.end().await?;
    if exists { Ok(()) } else { Err(not_found(Noun::Tenant).into()) }
}

/// Stores a tenant with its head, which knows the line above it, and its settings.
pub(super) async fn insert(
    tx: &TenantTx,
    cx: &Cx,
    draft: &TenantDraft,
    line: Vec<Uuid>,
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
        created_at: Set(at(cx.now)),
        ..Default::default()
    };
    table::Entity::insert(tenant).exec_without_returning(tx.connection()).await?;
    let salt = || hex::encode(cx.governance.chance().bytes::<32>());
    let head = tenant_head::ActiveModel {
        tenant_id: tenant_id.clone(),
        email_salt: Set(salt()),
        audit_salt: Set(salt()),
        ancestors: Set(line),
        ..Default::default()
    };
    tenant_head::Entity::insert(head).exec_without_returning(tx.connection()).await?;
    let settings =
        settings::ActiveModel { tenant_id, updated_at: Set(at(cx.now)), ..Default::default() };
    settings::Entity::insert(settings).exec_without_returning(tx.connection()).await?;
    Ok(())
}
