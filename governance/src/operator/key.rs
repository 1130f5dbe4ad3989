//! Keys: the operator's own, which belong to no tenant, and those of tenants from the command line.

use contract::{
    api_key::{ApiKey, ApiKeyDraft},
    id::{ApiKeyId, TenantId},
    json::{Object, Value},
    page::Page,
    read,
    scope::Scope,
    time::Timestamp,
};
use entity::{
    column::{at, instant},
    operator_key::{self as table, Column},
};
use sea_orm::{ActiveValue::Set, ColumnTrait, EntityTrait, QueryFilter, QueryOrder};
use serde::{Deserialize, Serialize};

use crate::{
    Governance, PageRequest,
    api_key::{self, Maker, Token},
    caller::OperatorKey,
    database::{untenanted, update_untenanted},
    door::{KEY_PREFIX, key_digest},
    error::{Noun, Result, invalid, invalid_field, not_found},
    member,
    operator::{NewKey, tenant},
};

/// What an operator's key may do.
pub const SCOPES: [Scope; 1] = [Scope::TenantsProvision];

/// The record of an operator's key, without its secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OperatorKeyRecord {
    /// The key.
    pub id: ApiKeyId,
    /// What people call it.
    pub name: String,
    /// Its first and last characters.
    pub key_preview: String,
    /// What it may do.
    pub scopes: Vec<Scope>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
}

/// Makes a key that may make tenants, and nothing else. No tenant's audit log tells of it, for it
/// belongs to none; its row is kept for good.
///
/// # Errors
/// `VALIDATION_ERROR` for a name that is empty or too long.
pub async fn create_for_operator(governance: &Governance, name: &str) -> Result<NewKey> {
    let mut errors = read::Errors::default();
    if read::name(&name.into(), &read::At::ROOT.name("name"), &mut errors).is_none() {
        return Err(invalid(&errors.into_vec()).into());
    }
    let token = Token::new(governance.chance());
    let row = table::ActiveModel {
        digest: Set(key_digest(governance, &token.plaintext)),
        id: Set(token.id.0),
        name: Set(name.to_owned()),
        key_preview: Set(token.preview()),
        created_at: Set(at(governance.clock().now())),
        revoked_at: Set(None),
    };
    table::Entity::insert(row).exec_without_returning(governance.database()).await?;
    Ok(NewKey { id: token.id, plaintext_key: token.plaintext, scopes: SCOPES.to_vec() })
}

/// The operator's keys, revoked ones too, newest first.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` when the store is away.
pub async fn list_of_operator(governance: &Governance) -> Result<Vec<OperatorKeyRecord>> {
    let rows = untenanted::<table::Entity>()
        .order_by_desc(Column::CreatedAt)
        .order_by_asc(Column::Id)
        .all(governance.database())
        .await?;
    Ok(rows.into_iter().map(OperatorKeyRecord::from).collect())
}

/// Revokes an operator's key, for good. One that was revoked before stays as it is.
///
/// # Errors
/// `NOT_FOUND`.
pub async fn revoke_of_operator(
    governance: &Governance,
    id: ApiKeyId,
) -> Result<OperatorKeyRecord> {
    let revoked_at = Column::RevokedAt.if_null(at(governance.clock().now()));
    let revoke = update_untenanted::<table::Entity>()
        .col_expr(Column::RevokedAt, revoked_at)
        .filter(Column::Id.eq(id.0));
    let rows = revoke.exec_with_returning(governance.database()).await?;
    Ok(rows.into_iter().next().ok_or_else(|| not_found(Noun::ApiKey))?.into())
}

impl From<table::Model> for OperatorKeyRecord {
    fn from(row: table::Model) -> Self {
        Self {
            id: row.id.into(),
            name: row.name,
            key_preview: row.key_preview,
            scopes: SCOPES.to_vec(),
            created_at: instant(row.created_at),
            revoked_at: row.revoked_at.map(instant),
        }
    }
}

/// The operator's key behind `secret`, if it is one that is still good.
pub(crate) async fn look_up(governance: &Governance, secret: &str) -> Result<Option<OperatorKey>> {
    if !secret.starts_with(KEY_PREFIX) {
        return Ok(None);
    }
    let row = untenanted::<table::Entity>()
        .filter(Column::Digest.eq(key_digest(governance, secret)))
        .filter(Column::RevokedAt.is_null());
    let row = row.one(governance.database()).await?;
    Ok(row.map(|row| OperatorKey { id: row.id.into(), name: row.name }))
}

/// A key of a tenant that the command line asks for.
#[derive(Clone, Debug)]
pub struct KeyRequest<'a> {
    /// What people call it.
    pub name: &'a str,
    /// The e-mail address of the member for whom the key acts.
    pub owner: &'a str,
    /// What it may do.
    pub scopes: &'a [Scope],
    /// The time from which it is refused; absent when it does not expire.
    pub expires_at: Option<Timestamp>,
}

/// Makes a key of a tenant. It acts for one of the tenant's members, and is revoked with that membership.
///
/// # Errors
/// `NOT_FOUND` for the tenant; `VALIDATION_ERROR` for a scope that cannot be granted, an expiry that has
/// passed, or an owner who is not a member.
pub async fn create_key(
    governance: &Governance,
    tenant_id: TenantId,
    request: KeyRequest<'_>,
) -> Result<NewKey> {
    let cx = governance.operator();
    tenant::exists(&cx, tenant_id).await?;
    let scopes = request.scopes.to_vec();
    let draft = ApiKeyDraft { expires_at: request.expires_at, ..draft(request.name, &scopes)? };
    let tenant = cx.tenant_unchecked(tenant_id);
    let owner = member::by_email(tenant, request.owner).await?.ok_or_else(|| {
        let message = "must be the e-mail address of a member of this tenant";
        invalid_field("/owner", "unknown", message)
    })?;
    let id = governance.chance().id();
    let made = api_key::create_in(tenant, id, draft, Maker::from(owner)).await?;
    Ok(NewKey { id: made.key.id, plaintext_key: made.plaintext_key, scopes })
}

/// What the API would have read: so that the command line is as strict.
fn draft(name: &str, scopes: &[Scope]) -> Result<ApiKeyDraft> {
    let scopes: Vec<Value> = scopes.iter().map(|scope| scope.as_str().into()).collect();
    let body = Object::from([("name", name.into()), ("scopes", Value::from(scopes))]);
    read::body(&body.into()).map_err(|errors| invalid(&errors).into())
}

/// The keys of a tenant, newest first.
///
/// # Errors
/// `NOT_FOUND` for the tenant; `VALIDATION_ERROR` for a cursor of another list.
pub async fn list_keys(
    governance: &Governance,
    tenant_id: TenantId,
    page: &PageRequest,
) -> Result<Page<ApiKey>> {
    let cx = governance.operator();
    tenant::exists(&cx, tenant_id).await?;
    api_key::list_in(cx.tenant_unchecked(tenant_id), page).await
}

/// Revokes a key of a tenant.
///
/// # Errors
/// `NOT_FOUND` for the key or the tenant.
pub async fn revoke_key(
    governance: &Governance,
    tenant_id: TenantId,
    id: ApiKeyId,
) -> Result<ApiKey> {
    let cx = governance.operator();
    api_key::revoke_in(cx.tenant_unchecked(tenant_id), id).await
}
