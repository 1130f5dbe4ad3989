//! Tenants, made and listed by whoever operates the service.

use contract::{
    id::TenantId,
    page::Page,
    tenant::{ANCESTORS_MAX, Tenant, TenantDraft},
    time::Timestamp,
};
use entity::tenant as table;
use sea_orm::{
    ConnectionTrait, DatabaseTransaction, FromQueryResult, TransactionTrait, prelude::DateTimeUtc,
};
use uuid::Uuid;

use crate::{
    Governance,
    audit::Event,
    cx::Cx,
    error::{Error, Noun, Result, invalid_field, not_found},
    page::{List, PageRequest},
    tenancy::{TenantTx, hold_line, instant, line_below, statement},
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

const LIST: &str = "SELECT tenant_id, name, parent_tenant_id, created_at, sequence FROM tenants \
                    WHERE sequence < $1 ORDER BY sequence DESC LIMIT $2";

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
    let query = statement(LIST, [below.into(), (i64::from(page.limit) + 1).into()]);
    let rows = tx.query_all_raw(query).await?;
    tx.rollback().await?;
    let read = |row| table::Model::from_query_result(row, "");
    let rows = rows.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    Ok(list.page(rows, page.limit, |row| row.sequence).map(Tenant::from))
}

const FIRST_MADE: &str = "SELECT min(created_at) FROM tenants";

/// When the first of all tenants was made, if there is one.
pub(crate) async fn first_made(governance: &Governance) -> Result<Option<Timestamp>> {
    let tx = across(governance).await?;
    let row = tx.query_one_raw(statement(FIRST_MADE, [])).await?;
    tx.rollback().await?;
    let row = row.ok_or_else(|| Error::bug("a minimum without its row"))?;
    let first: Option<DateTimeUtc> = row.try_get_by_index(0)?;
    Ok(first.map(entity::column::instant))
}

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

const EXISTS: &str = "SELECT 1 FROM tenants WHERE tenant_id = $1";

/// Refuses a tenant that does not exist.
pub(super) async fn exists(cx: &Cx, tenant_id: TenantId) -> Result<()> {
    let tx = cx.tenant_unchecked(tenant_id).begin().await?;
    let row = tx.one(EXISTS, []).await?;
    tx.end().await?;
    row.map(|_| ()).ok_or_else(|| not_found(Noun::Tenant).into())
}

const INSERT_TENANT: &str = "INSERT INTO tenants (tenant_id, name, parent_tenant_id, created_at) \
                             VALUES ($1, $2, $3, $4)";
const INSERT_HEAD: &str = "INSERT INTO tenant_heads (tenant_id, email_salt, audit_salt, ancestors) \
                           VALUES ($1, $2, $3, $4)";
const INSERT_SETTINGS: &str = "INSERT INTO settings (tenant_id, updated_at) VALUES ($1, $2)";

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
    let parent = draft.parent_tenant_id.map(|parent| parent.0);
    tx.execute(INSERT_TENANT, [name.as_str().into(), parent.into(), instant(cx.now)]).await?;
    let salt = || hex::encode(cx.governance.chance().bytes::<32>());
    tx.execute(INSERT_HEAD, [salt().into(), salt().into(), line.into()]).await?;
    tx.execute(INSERT_SETTINGS, [instant(cx.now)]).await?;
    Ok(())
}
