//! API keys of a tenant: create, list and revoke.

mod capability_grant;
mod creator;
mod of_person;

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use contract::api_key::{ApiKey, ApiKeyCreated, ApiKeyDraft};
use entity::{api_key as table, key_digest as digests};
use sea_orm::UpdateMany;

pub use self::of_person::of_person;
pub(crate) use self::{
    creator::KeyCreator,
    of_person::{active_ids, active_with, release},
};
use crate::{
    access::{
        auth::{KEY_PREFIX, key_digest, lock_authority},
        mail::{self, KeyChange, Notice},
        permission,
    },
    base::{pagination::newest, prelude::*},
};

/// Creates a key in the caller's tenant.
///
/// The key acts for the caller, or for the user behind the calling key. A key can only create keys with
/// a subset of its scopes that expire no later than itself.
///
/// # Errors
/// `INSUFFICIENT_SCOPE` when the calling key lacks a requested scope; `VALIDATION_ERROR` at
/// `/expires_at` for a time in the past, or later than the expiry of the calling key.
pub async fn create(cx: &Cx, draft: ApiKeyDraft) -> Result<ApiKeyCreated> {
    create_as(cx, cx.governance.entropy().id(), draft).await
}

/// Creates a key with an ID that was allocated before, so that a form that is submitted twice creates
/// one key.
///
/// # Errors
/// As [`create`]; `CONFLICT` when a key with this ID exists.
pub async fn create_as(cx: &Cx, id: ApiKeyId, draft: ApiKeyDraft) -> Result<ApiKeyCreated> {
    let tenant = cx.tenant(permission::ADMINISTER_KEYS)?;
    cx.check_freshness()?;
    creator::check_within(&cx.caller, &draft)?;
    create_in(tenant, id, draft, KeyCreator::from(&cx.caller)).await
}

/// Creates a key of a tenant on behalf of `creator`.
pub(crate) async fn create_in(
    tenant: Tenant<'_>,
    id: ApiKeyId,
    draft: ApiKeyDraft,
    creator: KeyCreator,
) -> Result<ApiKeyCreated> {
    let cx = tenant.cx();
    check_expiry(cx, &draft)?;
    let new_key = NewApiKey::with_id(id, cx.governance.entropy());
    let mut tx = tenant.begin().await?;
    lock_authority(&tx, cx, permission::ADMINISTER_KEYS).await?;
    creator.lock_person(&tx).await?;
    // A concurrent call with the same ID waits here, and then finds the key.
    tx.lock_head().await?;
    if tx.find_by_id::<table::Entity>(id).one(tx.connection()).await?.is_some() {
        return Err(conflict("an API key with this id already exists").into());
    }
    let key = insert(&mut tx, cx, &new_key, draft, creator).await?;
    tx.commit(cx, created_event(&key)).await?;
    Ok(ApiKeyCreated { key, plaintext_key: new_key.plaintext })
}

/// Checks that a requested key expires in the future.
pub(crate) fn check_expiry(cx: &Cx, draft: &ApiKeyDraft) -> Result<(), Refusal> {
    if draft.expires_at.is_some_and(|expires_at| expires_at <= cx.now) {
        return Err(invalid_field("/expires_at", "range", "must be in the future"));
    }
    Ok(())
}

/// Returns the tenant's keys, including revoked ones, newest first.
///
/// # Errors
/// `VALIDATION_ERROR` for a cursor of another list.
pub async fn list(cx: &Cx, page: &PageRequest) -> Result<Page<ApiKey>> {
    list_in(cx.tenant(permission::ADMINISTER_KEYS)?, page).await
}

pub(crate) async fn list_in(tenant: Tenant<'_>, page: &PageRequest) -> Result<Page<ApiKey>> {
    let rows = newest::<table::Entity>(&tenant, "api-keys", page).await?;
    Ok(rows.map(|row| with_last_use(tenant.cx(), row)))
}

/// Converts a row to a key. Uses are stored with a delay, so its last use may be known only to this process.
fn with_last_use(cx: &Cx, row: table::Model) -> ApiKey {
    let key = ApiKey::from(row);
    let last_use = cx.governance.access().authenticator.last_use(key.id);
    ApiKey { last_used_at: key.last_used_at.max(last_use), ..key }
}

/// Returns one of the tenant's keys.
///
/// # Errors
/// `NOT_FOUND`.
pub async fn read(cx: &Cx, id: ApiKeyId) -> Result<ApiKey> {
    let row = cx
        .tenant(permission::ADMINISTER_KEYS)?
        .get::<table::Entity>(id, ResourceKind::ApiKey)
        .await?;
    Ok(with_last_use(cx, row))
}

/// Revokes a key permanently. Every process refuses requests with the key that start after this call
/// returns. A key that is already revoked does not change.
///
/// # Errors
/// `NOT_FOUND`.
pub async fn revoke(cx: &Cx, id: ApiKeyId) -> Result<ApiKey> {
    revoke_in(cx.tenant(permission::ADMINISTER_KEYS)?, id).await
}

/// Revokes the key with this secret. A key that is unknown, revoked or expired changes nothing, so the result does not
/// show whether a key exists (RFC 7009, section 2.2).
///
/// # Errors
/// `SERVICE_UNAVAILABLE` when the database is unavailable.
pub async fn revoke_own(cx: &Cx, secret: &str) -> Result<()> {
    let correlation_id = cx.correlation_id.clone();
    let cx = match cx.governance.key_in_own_tenant(secret, correlation_id).await {
        Ok(cx) => cx,
        Err(Error::Refused(_)) => return Ok(()),
        Err(error) => return Err(error),
    };
    let Caller::Key(key) = &cx.caller else { return Ok(()) };
    revoke_in(cx.tenant_unchecked(key.tenant_id), key.id).await.map(drop)
}

pub(crate) async fn revoke_in(tenant: Tenant<'_>, id: ApiKeyId) -> Result<ApiKey> {
    let cx = tenant.cx();
    let tx = tenant.begin().await?;
    let row = tx.lock::<table::Entity>(id, ResourceKind::ApiKey).await?;
    if row.revoked_at.is_some() {
        tx.finish_read().await?;
        return Ok(row.into());
    }
    let mut row = row.into_active_model();
    row.is_active = Set(false);
    row.revoked_at = Set(Some(to_column(cx.now)));
    row.revoked_by = Set(cx.caller.principal());
    let row = row.update(tx.connection()).await?;
    let changes =
        digests::ActiveModel { revoked_at: Set(Some(to_column(cx.now))), ..Default::default() };
    update_digests(&tx, [id]).set(changes).exec(tx.connection()).await?;
    notify_owner(&tx, cx, KeyChange::Revoked, &row).await?;
    tx.commit(cx, Event::new("api_key.revoke", "api_key", id)).await?;
    Ok(row.into())
}

/// Starts an update of the digest rows that authentication reads, for keys of the tenant.
fn update_digests(
    tx: &TenantTx,
    keys: impl IntoIterator<Item = ApiKeyId>,
) -> UpdateMany<digests::Entity> {
    let keys = keys.into_iter().map(|key| key.0);
    update_untenanted::<digests::Entity>()
        .filter(digests::Column::TenantId.eq(tx.tenant_id().0))
        .filter(digests::Column::ApiKeyId.eq_any(keys))
}

#[derive(Debug)]
pub(crate) struct NewApiKey {
    pub(crate) id: ApiKeyId,
    pub(crate) plaintext: String,
}

impl NewApiKey {
    pub(crate) fn new(entropy: &Entropy) -> Self {
        Self::with_id(entropy.id(), entropy)
    }

    /// Generates a key with this ID from 32 random bytes.
    fn with_id(id: ApiKeyId, entropy: &Entropy) -> Self {
        let token = URL_SAFE_NO_PAD.encode(entropy.bytes::<32>());
        Self { id, plaintext: format!("{KEY_PREFIX}{token}") }
    }

    /// Returns the prefix, an ellipsis and the last four characters. They distinguish keys and do not
    /// help to guess one.
    pub(crate) fn preview(&self) -> String {
        let end = self.plaintext.len().saturating_sub(4);
        format!("{KEY_PREFIX}…{}", self.plaintext.get(end..).unwrap_or_default())
    }
}

/// Stores a key: its record, and the digest row that authentication reads.
pub(crate) async fn insert(
    tx: &mut TenantTx,
    cx: &Cx,
    new_key: &NewApiKey,
    draft: ApiKeyDraft,
    creator: KeyCreator,
) -> Result<ApiKey> {
    let scopes: Vec<String> = draft.scopes.iter().map(Scope::to_string).collect();
    let expires_at = draft.expires_at.map(to_column);
    let owner = creator.person.map(|person| person.0);
    let digest = digests::ActiveModel {
        digest: Set(key_digest(&cx.governance, &new_key.plaintext)),
        tenant_id: Set(tx.tenant_id().0),
        api_key_id: Set(new_key.id.0),
        key_name: Set(draft.name.clone()),
        scopes: Set(scopes.clone()),
        owner: Set(owner),
        expires_at: Set(expires_at),
        revoked_at: Set(None),
    };
    let row = table::ActiveModel {
        tenant_id: Set(tx.tenant_id().0),
        id: Set(new_key.id.0),
        name: Set(draft.name),
        key_preview: Set(new_key.preview()),
        scopes: Set(scopes),
        expires_at: Set(expires_at),
        last_used_at: Set(None),
        is_active: Set(true),
        created_at: Set(to_column(cx.now)),
        created_by: Set(creator.created_by),
        revoked_at: Set(None),
        revoked_by: Set(None),
        sequence: Set(tx.next_sequence().await?),
        owner: Set(owner),
        parent_key_id: Set(creator.parent.map(|parent| parent.0)),
    };
    let row = row.insert(tx.connection()).await?;
    digests::Entity::insert(digest).exec_without_returning(tx.connection()).await?;
    notify_owner(tx, cx, KeyChange::Created, &row).await?;
    Ok(row.into())
}

/// Queues a security notice to the user for whom a key acts.
async fn notify_owner(tx: &TenantTx, cx: &Cx, change: KeyChange, key: &table::Model) -> Result<()> {
    let Some(owner) = key.owner.map(UserId) else { return Ok(()) };
    let (name, tenant_id) = (key.name.clone(), tx.tenant_id());
    let notice = Notice::Key { at: cx.now, change, name, tenant_id };
    mail::notify(tx, cx, owner, notice).await
}

/// Returns the audit event of a created key, with its scopes and expiry.
pub(crate) fn created_event(key: &ApiKey) -> Event {
    let scopes: Vec<Value> = key.scopes.iter().map(|scope| scope.as_str().into()).collect();
    Event::new("api_key.create", "api_key", key.id)
        .with("scopes", scopes)
        .with_some("expires_at", key.expires_at)
}
