//! Keys that act for one user: list, and revoke or transfer them when the user is removed or loses
//! rights.

use contract::api_key::ApiKey;
use entity::{api_key as table, key_digest as digests};
use sea_orm::sea_query::ExprTrait;

use super::{capability_grant, update_digests, with_last_use};
use crate::{
    access::{mail::KeyChange, permission},
    base::prelude::*,
};

/// Returns the keys that are revoked when a user is removed or loses rights, newest first.
///
/// # Errors
/// `FORBIDDEN` for a role other than admin; `INSUFFICIENT_SCOPE`.
pub async fn of_person(cx: &Cx, user_id: UserId) -> Result<Vec<ApiKey>> {
    let tx = cx.tenant(permission::ADMINISTER_KEYS)?.begin().await?;
    let rows = active_keys(&tx, user_id).order_by_desc(table::Column::Sequence);
    let rows = rows.all(tx.connection()).await?;
    tx.finish_read().await?;
    Ok(rows.into_iter().map(|row| with_last_use(cx, row)).collect())
}

/// Returns the tenant's keys that can authenticate and have a scope, newest first.
pub(crate) async fn active_with(tx: &TenantTx, cx: &Cx, scope: Scope) -> Result<Vec<ApiKey>> {
    let is_unexpired =
        table::Column::ExpiresAt.is_null().or(table::Column::ExpiresAt.gt(to_column(cx.now)));
    let keys = tx
        .find::<table::Entity>()
        .filter(table::Column::RevokedAt.is_null())
        .filter(is_unexpired)
        .filter(Expr::cust_with_values("$1 = ANY (scopes)", [scope.as_str()]))
        .order_by_desc(table::Column::Sequence);
    Ok(keys.all(tx.connection()).await?.into_iter().map(ApiKey::from).collect())
}

pub(crate) async fn active_ids(tx: &TenantTx, user_id: UserId) -> Result<BTreeSet<ApiKeyId>> {
    let ids = active_keys(tx, user_id).select_only().column(table::Column::Id);
    let ids = ids.into_tuple::<Uuid>().all(tx.connection()).await?;
    Ok(ids.into_iter().map(ApiKeyId).collect())
}

/// Selects the user's keys that are not revoked.
///
/// INVARIANT: a key created by a key acts for the same user, and all keys of a user are transferred
/// together. So these are the keys that the user created, the keys created by those, and so on.
fn active_keys(tx: &TenantTx, user_id: UserId) -> Select<table::Entity> {
    tx.find::<table::Entity>()
        .filter(table::Column::Owner.eq(user_id.0))
        .filter(table::Column::RevokedAt.is_null())
}

/// The effect of a removal on a user's keys and grants.
#[derive(Debug, Default)]
pub(crate) struct ReleasedKeys {
    revoked: Vec<ApiKeyId>,
    transferred: Vec<ApiKeyId>,
    capabilities: Vec<CapabilityId>,
    new_owner: Option<UserId>,
}

impl ReleasedKeys {
    /// Adds the IDs of the keys and grants to the audit event of the removal.
    pub(crate) fn add_to(self, event: Event) -> Event {
        let event = with_ids(event, "revoked_keys", &self.revoked);
        let event = with_ids(event, "transferred_keys", &self.transferred);
        let event = with_ids(event, "revoked_capabilities", &self.capabilities);
        event.with_some("keys_to", self.new_owner)
    }
}

fn with_ids<T: ToString>(event: Event, name: &str, ids: &[T]) -> Event {
    if ids.is_empty() {
        return event;
    }
    let ids: Vec<Value> = ids.iter().map(|id| id.to_string().into()).collect();
    event.with(name, ids)
}

/// Revokes the keys of a user, or transfers them to another user. Keys of authoring capabilities are
/// always revoked, with their grants: a grant is a signed statement of the user who issued it.
///
/// The caller has locked the user's row in `members`, so no key of the user is created concurrently.
pub(crate) async fn release(
    tx: &TenantTx,
    cx: &Cx,
    user_id: UserId,
    new_owner: Option<UserId>,
) -> Result<ReleasedKeys> {
    let keys = active_keys(tx, user_id).order_by_asc(table::Column::Id).lock_exclusive();
    let keys = keys.all(tx.connection()).await?;
    let is_transferable = |key: &table::Model| new_owner.is_some() && !is_of_capability(key);
    let (transferred, revoked): (Vec<_>, Vec<_>) = keys.into_iter().partition(is_transferable);
    for key in &transferred {
        let key = table::Model { owner: new_owner.map(|owner| owner.0), ..key.clone() };
        super::notify_owner(tx, cx, KeyChange::Transferred, &key).await?;
    }
    for key in &revoked {
        super::notify_owner(tx, cx, KeyChange::Revoked, key).await?;
    }
    let revoked: Vec<ApiKeyId> = revoked.into_iter().map(|key| key.id.into()).collect();
    let transferred: Vec<ApiKeyId> = transferred.into_iter().map(|key| key.id.into()).collect();
    revoke_all(tx, cx, &revoked).await?;
    if let Some(owner) = new_owner {
        transfer_all(tx, &transferred, user_id, owner).await?;
    }
    let capabilities = capability_grant::revoke_of_person(tx, cx, user_id, &revoked).await?;
    let new_owner = new_owner.filter(|_| !transferred.is_empty());
    Ok(ReleasedKeys { revoked, transferred, capabilities, new_owner })
}

fn is_of_capability(key: &table::Model) -> bool {
    key.scopes.iter().all(|scope| scope == Scope::AuthoringCapability.as_str())
}

/// Revokes keys: in their records, and in the digest rows that authentication reads.
async fn revoke_all(tx: &TenantTx, cx: &Cx, keys: &[ApiKeyId]) -> Result<()> {
    let changes = table::ActiveModel {
        is_active: Set(false),
        revoked_at: Set(Some(to_column(cx.now))),
        revoked_by: Set(cx.caller.principal()),
        ..Default::default()
    };
    let records = tx.update::<table::Entity>().filter(table::Column::Id.eq_any(ids(keys)));
    records.set(changes).exec(tx.connection()).await?;
    let changes =
        digests::ActiveModel { revoked_at: Set(Some(to_column(cx.now))), ..Default::default() };
    update_digests(tx, keys.iter().copied()).set(changes).exec(tx.connection()).await?;
    Ok(())
}

// A key created by a key keeps that key's ID as its creator.
// SQL: the new creator depends on the current one.
const TRANSFER_RECORDS: &str = "UPDATE api_keys SET owner = $3, \
     created_by = CASE WHEN created_by = $4 THEN $3::text ELSE created_by END \
     WHERE tenant_id = $1 AND id = ANY($2)";

/// Makes keys act for another user, who becomes their creator. The audit event of a key's creation
/// still names the first creator.
async fn transfer_all(tx: &TenantTx, keys: &[ApiKeyId], from: UserId, to: UserId) -> Result<()> {
    let values = [ids(keys).into(), to.0.into(), from.to_string().into()];
    tx.execute(TRANSFER_RECORDS, values).await?;
    let changes = digests::ActiveModel { owner: Set(Some(to.0)), ..Default::default() };
    update_digests(tx, keys.iter().copied()).set(changes).exec(tx.connection()).await?;
    Ok(())
}

fn ids(keys: &[ApiKeyId]) -> Vec<Uuid> {
    keys.iter().map(|key| key.0).collect()
}
