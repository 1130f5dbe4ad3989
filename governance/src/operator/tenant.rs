//! Tenants, made and listed by whoever operates the service.

use contract::{
    id::TenantId,
    page::Page,
    tenant::{ANCESTORS_MAX, Tenant, TenantDraft},
};
use entity::tenant as table;
use sea_orm::{ConnectionTrait, DatabaseTransaction, FromQueryResult, TransactionTrait};

use crate::{
    Governance,
    audit::Event,
    cx::Cx,
    error::{Error, Noun, Result, invalid_field, not_found},
    page::{List, PageRequest},
    tenancy::{TenantTx, instant, statement},
};

/// Makes a tenant, below a parent if one is named. Nobody belongs to it yet.
///
/// # Errors
/// `INSUFFICIENT_SCOPE` and `FORBIDDEN` for callers of a tenant; `VALIDATION_ERROR` for a parent that
/// does not exist, or has too many ancestors.
pub async fn create(cx: &Cx, draft: TenantDraft) -> Result<Tenant> {
    cx.provision()?;
    if let Some(parent) = draft.parent_tenant_id {
        may_be_parent(&cx.governance, parent).await?;
    }
    let tenant_id: TenantId = cx.governance.chance().id();
    let tx = cx.tenant_unchecked(tenant_id).begin().await?;
    insert(&tx, cx, &draft).await?;
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

const OPERATED: &str = "SELECT set_config('app.operator', 'on', true)";

/// A transaction that sees the rows of `tenants`, and of no other table of theirs.
#[expect(clippy::disallowed_methods, reason = "the list of tenants lies across them")]
async fn across(governance: &Governance) -> Result<DatabaseTransaction> {
    let tx = governance.database().begin().await?;
    tx.query_one_raw(statement(OPERATED, [])).await?;
    Ok(tx)
}

/// How many tenants stand in a line upwards, the first one included. The bound ends a line that was
/// damaged into a ring.
const LINE: &str = "WITH RECURSIVE line AS ( \
     SELECT parent_tenant_id, 1 AS place FROM tenants WHERE tenant_id = $1 \
     UNION ALL SELECT above.parent_tenant_id, place + 1 FROM line \
     JOIN tenants above ON above.tenant_id = line.parent_tenant_id WHERE place <= $2) \
     SELECT count(*) FROM line";

/// Refuses a parent that does not exist, or stands so deep that no tenant fits below it. Parents
/// never change and are never deleted, so what holds here holds when the child is stored.
async fn may_be_parent(governance: &Governance, parent: TenantId) -> Result<()> {
    let bound = i32::try_from(ANCESTORS_MAX).unwrap_or(i32::MAX);
    let tx = across(governance).await?;
    let row = tx.query_one_raw(statement(LINE, [parent.0.into(), bound.into()])).await?;
    tx.rollback().await?;
    let row = row.ok_or_else(|| Error::bug("a count without a row"))?;
    let ancestors: i64 = row.try_get_by_index(0)?;
    if ancestors == 0 {
        let message = "there is no tenant with this id";
        return Err(invalid_field("/parent_tenant_id", "unknown", message).into());
    }
    if ancestors > i64::from(ANCESTORS_MAX) {
        let message = format!("has {ANCESTORS_MAX} ancestors already, and no more are allowed");
        return Err(invalid_field("/parent_tenant_id", "too_deep", &message).into());
    }
    Ok(())
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
const INSERT_HEAD: &str = "INSERT INTO tenant_heads (tenant_id, email_salt, audit_salt) \
                           VALUES ($1, $2, $3)";
const INSERT_SETTINGS: &str = "INSERT INTO settings (tenant_id, updated_at) VALUES ($1, $2)";

/// Stores a tenant with its head and its settings.
pub(super) async fn insert(tx: &TenantTx, cx: &Cx, draft: &TenantDraft) -> Result<()> {
    let name = &draft.name;
    if name.trim().is_empty() || name.chars().count() > 200 {
        return Err(invalid_field("/name", "length", "must have 1 to 200 characters").into());
    }
    let parent = draft.parent_tenant_id.map(|parent| parent.0);
    tx.execute(INSERT_TENANT, [name.as_str().into(), parent.into(), instant(cx.now)]).await?;
    let salt = || hex::encode(cx.governance.chance().bytes::<32>());
    tx.execute(INSERT_HEAD, [salt().into(), salt().into()]).await?;
    tx.execute(INSERT_SETTINGS, [instant(cx.now)]).await?;
    Ok(())
}
