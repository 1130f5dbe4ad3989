//! API keys of the operator, which belong to no tenant, and tenant keys created from the command line.

use contract::{
    api_key::{ApiKey, ApiKeyDraft},
    read,
};
use entity::operator_key::{self as table, Column};

use crate::{
    access::{
        api_key::{self, KeyCreator, NewApiKey},
        auth::{KEY_PREFIX, key_digest},
        member,
        operator::{NewKey, tenant},
    },
    base::{caller::OperatorKey, prelude::*},
};

/// The scopes of an operator key.
pub const SCOPES: [Scope; 1] = [Scope::TenantsProvision];

/// The record of an operator key, without its secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OperatorKeyRecord {
    pub id: ApiKeyId,
    pub name: String,
    pub key_preview: String,
    pub scopes: Vec<Scope>,
    pub created_at: Timestamp,
    pub revoked_at: Option<Timestamp>,
}

/// Creates a key that can only create tenants. It belongs to no tenant, so no audit log records it. Its
/// row is never deleted.
///
/// # Errors
/// `VALIDATION_ERROR` for a name that is empty or too long.
pub async fn create_for_operator(governance: &Governance, name: &str) -> Result<NewKey> {
    let mut errors = read::FieldErrors::default();
    if read::name(&name.into(), &read::JsonPath::ROOT.name("name"), &mut errors).is_none() {
        return Err(invalid(&errors.into_vec()).into());
    }
    let new_key = NewApiKey::new(governance.entropy());
    let row = table::ActiveModel {
        digest: Set(key_digest(governance, &new_key.plaintext)),
        id: Set(new_key.id.0),
        name: Set(name.to_owned()),
        key_preview: Set(new_key.preview()),
        created_at: Set(to_column(governance.clock().now())),
        revoked_at: Set(None),
    };
    table::Entity::insert(row).exec_without_returning(governance.database()).await?;
    Ok(NewKey { id: new_key.id, plaintext_key: new_key.plaintext, scopes: SCOPES.to_vec() })
}

/// Returns the operator's keys, including revoked ones, newest first.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` when the database is unavailable.
pub async fn list_of_operator(governance: &Governance) -> Result<Vec<OperatorKeyRecord>> {
    let rows = untenanted::<table::Entity>()
        .order_by_desc(Column::CreatedAt)
        .order_by_asc(Column::Id)
        .all(governance.database())
        .await?;
    Ok(rows.into_iter().map(OperatorKeyRecord::from).collect())
}

/// Revokes an operator key permanently. A key that is already revoked does not change.
///
/// # Errors
/// `NOT_FOUND`.
pub async fn revoke_of_operator(
    governance: &Governance,
    id: ApiKeyId,
) -> Result<OperatorKeyRecord> {
    let revoked_at = Column::RevokedAt.if_null(to_column(governance.clock().now()));
    let revoke = update_untenanted::<table::Entity>()
        .col_expr(Column::RevokedAt, revoked_at)
        .filter(Column::Id.eq(id.0));
    let rows = revoke.exec_with_returning(governance.database()).await?;
    Ok(rows.into_iter().next().or_not_found(ResourceKind::ApiKey)?.into())
}

impl From<table::Model> for OperatorKeyRecord {
    fn from(row: table::Model) -> Self {
        Self {
            id: row.id.into(),
            name: row.name,
            key_preview: row.key_preview,
            scopes: SCOPES.to_vec(),
            created_at: from_column(row.created_at),
            revoked_at: row.revoked_at.map(from_column),
        }
    }
}

/// Returns the operator key with this secret, unless it is unknown or revoked.
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

/// The parameters of a tenant key created from the command line.
#[derive(Clone, Debug)]
pub struct KeyRequest<'a> {
    pub name: &'a str,
    /// The email address of the member for whom the key acts.
    pub owner: &'a str,
    pub scopes: &'a [Scope],
    /// The time from which the key is refused; absent when it does not expire.
    pub expires_at: Option<Timestamp>,
}

/// Creates a key of a tenant. It acts for a member of the tenant and is revoked with that membership.
///
/// # Errors
/// `NOT_FOUND` for the tenant; `VALIDATION_ERROR` for a scope that cannot be granted, an expiry in the
/// past, or an owner who is not a member.
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
        let message = "must be the email address of a member of this tenant";
        invalid_field("/owner", "unknown", message)
    })?;
    let id = governance.entropy().id();
    let created = api_key::create_in(tenant, id, draft, KeyCreator::from(owner)).await?;
    Ok(NewKey { id: created.key.id, plaintext_key: created.plaintext_key, scopes })
}

/// Parses the request like the API does, so that the command line applies the same rules.
fn draft(name: &str, scopes: &[Scope]) -> Result<ApiKeyDraft> {
    let scopes: Vec<Value> = scopes.iter().map(|scope| scope.as_str().into()).collect();
    let body = Object::from([("name", name.into()), ("scopes", Value::from(scopes))]);
    read::body(&body.into()).map_err(|errors| invalid(&errors).into())
}

/// Returns the keys of a tenant, newest first.
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
