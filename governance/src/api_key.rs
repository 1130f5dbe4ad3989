//! The API keys of a tenant: made, listed and revoked.

mod maker;
mod of_person;

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use contract::{
    api_key::{ApiKey, ApiKeyCreated, ApiKeyDraft},
    id::{ApiKeyId, UserId},
    json::Value,
    page::Page,
    scope::Scope,
};
use entity::{api_key as table, column::at, key_digest as digests};
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, EntityTrait, IntoActiveModel, QueryFilter,
    QuerySelect, Select, UpdateMany,
};

pub use self::of_person::of_person;
pub(crate) use self::{maker::Maker, of_person::release};
use crate::{
    audit::Event,
    clock::Chance,
    cx::Cx,
    database::update_untenanted,
    door::{KEY_PREFIX, key_digest, lock_authority},
    error::{Noun, Result, conflict, invalid_field, not_found},
    mail::{self, KeyChange, Notice},
    page::{PageRequest, newest},
    permission,
    tenancy::{Tenant, TenantTx},
};

/// Makes a key of the caller's tenant. It acts for the caller, or for the person behind the calling
/// key. A key makes keys of a subset of its scopes, which expire no later than itself.
///
/// # Errors
/// `INSUFFICIENT_SCOPE` when a key asks for a scope that it lacks itself; `VALIDATION_ERROR` at
/// `/expires_at` for an expiry that has passed, or that is later than the calling key's.
pub async fn create(cx: &Cx, draft: ApiKeyDraft) -> Result<ApiKeyCreated> {
    create_as(cx, cx.governance.chance().id(), draft).await
}

/// Makes a key under an id that was given out before, so that a form that is sent twice makes one
/// key.
///
/// # Errors
/// As [`create`]; `CONFLICT` when there is a key with this id.
pub async fn create_as(cx: &Cx, id: ApiKeyId, draft: ApiKeyDraft) -> Result<ApiKeyCreated> {
    let tenant = cx.tenant(permission::ADMINISTER_KEYS)?;
    cx.check_freshness()?;
    maker::check_within(&cx.caller, &draft)?;
    create_in(tenant, id, draft, Maker::from(&cx.caller)).await
}

/// Makes a key of a tenant, in the name of `maker`.
pub(crate) async fn create_in(
    tenant: Tenant<'_>,
    id: ApiKeyId,
    draft: ApiKeyDraft,
    maker: Maker,
) -> Result<ApiKeyCreated> {
    let cx = tenant.cx();
    if draft.expires_at.is_some_and(|at| at <= cx.now) {
        return Err(invalid_field("/expires_at", "range", "must lie in the future").into());
    }
    let token = Token::of(id, cx.governance.chance());
    let mut tx = tenant.begin().await?;
    lock_authority(&tx, cx, permission::ADMINISTER_KEYS).await?;
    maker.lock_person(&tx).await?;
    // Whoever comes second waits here until the first is done, and then sees its key.
    tx.head().await?;
    if find(&tx, id).one(tx.connection()).await?.is_some() {
        return Err(conflict("a key with this id was made before").into());
    }
    let key = insert(&mut tx, cx, &token, draft, maker).await?;
    tx.commit(cx, created(&key)).await?;
    Ok(ApiKeyCreated { key, plaintext_key: token.plaintext })
}

/// The tenant's keys, revoked ones too, newest first.
///
/// # Errors
/// `VALIDATION_ERROR` for a cursor of another list.
pub async fn list(cx: &Cx, page: &PageRequest) -> Result<Page<ApiKey>> {
    list_in(cx.tenant(permission::ADMINISTER_KEYS)?, page).await
}

/// The keys of a tenant, newest first.
pub(crate) async fn list_in(tenant: Tenant<'_>, page: &PageRequest) -> Result<Page<ApiKey>> {
    Ok(newest::<table::Entity>(&tenant, "api-keys", page).await?.map(ApiKey::from))
}

/// One of the tenant's keys.
///
/// # Errors
/// `NOT_FOUND`.
pub async fn read(cx: &Cx, id: ApiKeyId) -> Result<ApiKey> {
    let tx = cx.tenant(permission::ADMINISTER_KEYS)?.begin().await?;
    let row = find(&tx, id).one(tx.connection()).await?;
    tx.end().await?;
    Ok(row.ok_or_else(|| not_found(Noun::ApiKey))?.into())
}

/// Revokes a key, for good: no request that begins after this has returned gets in with it, in any
/// process. A key that was revoked before stays as it is.
///
/// # Errors
/// `NOT_FOUND`.
pub async fn revoke(cx: &Cx, id: ApiKeyId) -> Result<ApiKey> {
    revoke_in(cx.tenant(permission::ADMINISTER_KEYS)?, id).await
}

/// Revokes a key of a tenant.
pub(crate) async fn revoke_in(tenant: Tenant<'_>, id: ApiKeyId) -> Result<ApiKey> {
    let cx = tenant.cx();
    let tx = tenant.begin().await?;
    let row = find(&tx, id).lock_exclusive().one(tx.connection()).await?;
    let row = row.ok_or_else(|| not_found(Noun::ApiKey))?;
    if row.revoked_at.is_some() {
        tx.end().await?;
        return Ok(row.into());
    }
    let mut row = row.into_active_model();
    row.is_active = Set(false);
    row.revoked_at = Set(Some(at(cx.now)));
    row.revoked_by = Set(cx.caller.principal());
    let row = row.update(tx.connection()).await?;
    let closed = digests::ActiveModel { revoked_at: Set(Some(at(cx.now))), ..Default::default() };
    update_digests(&tx, [id]).set(closed).exec(tx.connection()).await?;
    notify_owner(&tx, cx, KeyChange::Revoked, &row).await?;
    tx.commit(cx, Event::new("api_key.revoke", "api_key", id)).await?;
    Ok(row.into())
}

fn find(tx: &TenantTx, id: ApiKeyId) -> Select<table::Entity> {
    tx.find::<table::Entity>().filter(table::Column::Id.eq(id.0))
}

/// An update of what the door knows of the tenant's keys.
fn update_digests(
    tx: &TenantTx,
    keys: impl IntoIterator<Item = ApiKeyId>,
) -> UpdateMany<digests::Entity> {
    let keys = keys.into_iter().map(|key| key.0);
    update_untenanted::<digests::Entity>()
        .filter(digests::Column::TenantId.eq(tx.tenant_id().0))
        .filter(digests::Column::ApiKeyId.eq_any(keys))
}

/// A key before it is stored.
#[derive(Debug)]
pub(crate) struct Token {
    pub(crate) id: ApiKeyId,
    pub(crate) plaintext: String,
}

impl Token {
    /// A new key.
    pub(crate) fn new(chance: &Chance) -> Self {
        Self::of(chance.id(), chance)
    }

    /// A new key of this id: 32 random bytes.
    fn of(id: ApiKeyId, chance: &Chance) -> Self {
        let token = URL_SAFE_NO_PAD.encode(chance.bytes::<32>());
        Self { id, plaintext: format!("{KEY_PREFIX}{token}") }
    }

    /// Enough to tell keys apart, and nothing to guess from: prefix, ellipsis, four characters.
    pub(crate) fn preview(&self) -> String {
        let end = self.plaintext.len().saturating_sub(4);
        format!("{KEY_PREFIX}…{}", self.plaintext.get(end..).unwrap_or_default())
    }
}

/// Stores a key: its record, and what the door must know of it.
pub(crate) async fn insert(
    tx: &mut TenantTx,
    cx: &Cx,
    token: &Token,
    draft: ApiKeyDraft,
    maker: Maker,
) -> Result<ApiKey> {
    let scopes: Vec<String> = draft.scopes.iter().map(Scope::to_string).collect();
    let expires_at = draft.expires_at.map(at);
    let owner = maker.person.map(|person| person.0);
    let digest = digests::ActiveModel {
        digest: Set(key_digest(&cx.governance, &token.plaintext)),
        tenant_id: Set(tx.tenant_id().0),
        api_key_id: Set(token.id.0),
        key_name: Set(draft.name.clone()),
        scopes: Set(scopes.clone()),
        owner: Set(owner),
        expires_at: Set(expires_at),
        revoked_at: Set(None),
    };
    let row = table::ActiveModel {
        tenant_id: Set(tx.tenant_id().0),
        id: Set(token.id.0),
        name: Set(draft.name),
        key_preview: Set(token.preview()),
        scopes: Set(scopes),
        expires_at: Set(expires_at),
        last_used_at: Set(None),
        is_active: Set(true),
        created_at: Set(at(cx.now)),
        created_by: Set(maker.created_by),
        revoked_at: Set(None),
        revoked_by: Set(None),
        sequence: Set(tx.next_sequence().await?),
        owner: Set(owner),
        parent_key_id: Set(maker.parent.map(|parent| parent.0)),
    };
    let row = row.insert(tx.connection()).await?;
    digests::Entity::insert(digest).exec_without_returning(tx.connection()).await?;
    notify_owner(tx, cx, KeyChange::Created, &row).await?;
    Ok(row.into())
}

/// Queues a security notice to the person for whom a key acts.
async fn notify_owner(tx: &TenantTx, cx: &Cx, change: KeyChange, key: &table::Model) -> Result<()> {
    let Some(owner) = key.owner.map(UserId) else { return Ok(()) };
    let (name, tenant_id) = (key.name.clone(), tx.tenant_id());
    let notice = Notice::Key { at: cx.now, change, name, tenant_id };
    mail::notify(&cx.governance, tx.connection(), cx.now, owner, notice).await
}

/// The event of a key that was made: what it may do, and until when.
pub(crate) fn created(key: &ApiKey) -> Event {
    let scopes: Vec<Value> = key.scopes.iter().map(|scope| scope.as_str().into()).collect();
    let event = Event::new("api_key.create", "api_key", key.id).with("scopes", scopes);
    match key.expires_at {
        Some(at) => event.with("expires_at", at.to_string()),
        None => event,
    }
}
