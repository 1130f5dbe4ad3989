//! The keys that act for one person: listed, and revoked or transferred when that person is removed or
//! loses rights.

use contract::{
    api_key::ApiKey,
    id::{ApiKeyId, CapabilityId, UserId},
    json::Value,
    scope::Scope,
};
use entity::{api_key as table, column::at, key_digest as digests};
use sea_orm::{ActiveValue::Set, ColumnTrait, QueryFilter, QueryOrder, QuerySelect, Select};
use uuid::Uuid;

use super::update_digests;
use crate::{
    audit::Event, capability, cx::Cx, error::Result, mail::KeyChange, permission, tenancy::TenantTx,
};

/// Returns the keys that are revoked when a person is removed or loses rights, newest first.
///
/// # Errors
/// `FORBIDDEN` for a role other than admin; `INSUFFICIENT_SCOPE`.
pub async fn of_person(cx: &Cx, person: UserId) -> Result<Vec<ApiKey>> {
    let tx = cx.tenant(permission::ADMINISTER_KEYS)?.begin().await?;
    let rows = live(&tx, person).order_by_desc(table::Column::Sequence);
    let rows = rows.all(tx.connection()).await?;
    tx.end().await?;
    Ok(rows.into_iter().map(ApiKey::from).collect())
}

/// Selects the person's keys that are not revoked.
///
/// INVARIANT: a key that was made by a key acts for the same person, and keys change their person all
/// together. So these are the keys that the person made, the keys made by those, and so on.
fn live(tx: &TenantTx, person: UserId) -> Select<table::Entity> {
    tx.find::<table::Entity>()
        .filter(table::Column::Owner.eq(person.0))
        .filter(table::Column::RevokedAt.is_null())
}

/// What happened to a person's keys and grants.
#[derive(Debug, Default)]
pub(crate) struct ReleasedKeys {
    revoked: Vec<ApiKeyId>,
    transferred: Vec<ApiKeyId>,
    capabilities: Vec<CapabilityId>,
    new_owner: Option<UserId>,
}

impl ReleasedKeys {
    /// Adds the ids of the keys and grants to the event of the act.
    pub(crate) fn listed_in(self, event: Event) -> Event {
        let event = with_ids(event, "revoked_keys", &self.revoked);
        let event = with_ids(event, "transferred_keys", &self.transferred);
        let event = with_ids(event, "revoked_capabilities", &self.capabilities);
        match self.new_owner {
            Some(owner) => event.with("keys_to", owner.to_string()),
            None => event,
        }
    }
}

fn with_ids<T: ToString>(event: Event, name: &str, ids: &[T]) -> Event {
    if ids.is_empty() {
        return event;
    }
    let ids: Vec<Value> = ids.iter().map(|id| id.to_string().into()).collect();
    event.with(name, ids)
}

/// Revokes the keys of a person, or transfers them to another one. Keys of authoring capabilities are
/// revoked in either case, with their grants: a grant is a signed statement of the person who issued it.
///
/// The caller holds the person's row in `members`, so that no key of the person is made meanwhile.
pub(crate) async fn release(
    tx: &TenantTx,
    cx: &Cx,
    person: UserId,
    new_owner: Option<UserId>,
) -> Result<ReleasedKeys> {
    let keys = live(tx, person).order_by_asc(table::Column::Id).lock_exclusive();
    let keys = keys.all(tx.connection()).await?;
    let stays = |key: &table::Model| new_owner.is_some() && !is_of_capability(key);
    let (transferred, revoked): (Vec<_>, Vec<_>) = keys.into_iter().partition(stays);
    for key in &transferred {
        let key = table::Model { owner: new_owner.map(|owner| owner.0), ..key.clone() };
        super::notify_owner(tx, cx, KeyChange::HandedOver, &key).await?;
    }
    for key in &revoked {
        super::notify_owner(tx, cx, KeyChange::Revoked, key).await?;
    }
    let revoked: Vec<ApiKeyId> = revoked.into_iter().map(|key| key.id.into()).collect();
    let transferred: Vec<ApiKeyId> = transferred.into_iter().map(|key| key.id.into()).collect();
    revoke_all(tx, cx, &revoked).await?;
    if let Some(owner) = new_owner {
        transfer_all(tx, &transferred, person, owner).await?;
    }
    let capabilities = capability::revoke_of_person(tx, cx, person, &revoked).await?;
    let new_owner = new_owner.filter(|_| !transferred.is_empty());
    Ok(ReleasedKeys { revoked, transferred, capabilities, new_owner })
}

fn is_of_capability(key: &table::Model) -> bool {
    key.scopes.iter().all(|scope| scope == Scope::AuthoringCapability.as_str())
}

/// Revokes keys: in their records, and where authentication looks them up.
async fn revoke_all(tx: &TenantTx, cx: &Cx, keys: &[ApiKeyId]) -> Result<()> {
    let revoked = table::ActiveModel {
        is_active: Set(false),
        revoked_at: Set(Some(at(cx.now))),
        revoked_by: Set(cx.caller.principal()),
        ..Default::default()
    };
    let records = tx.update::<table::Entity>().filter(table::Column::Id.eq_any(ids(keys)));
    records.set(revoked).exec(tx.connection()).await?;
    let revoked = digests::ActiveModel { revoked_at: Set(Some(at(cx.now))), ..Default::default() };
    update_digests(tx, keys.iter().copied()).set(revoked).exec(tx.connection()).await?;
    Ok(())
}

// A key that was made by a key keeps the id of that key as its maker.
// SQL: the new maker depends on the one before.
const TRANSFER_RECORDS: &str = "UPDATE api_keys SET owner = $3, \
     created_by = CASE WHEN created_by = $4 THEN $3::text ELSE created_by END \
     WHERE tenant_id = $1 AND id = ANY($2)";

/// Lets keys act for another person, who is named as their maker from here on. The event of a key's
/// creation still names the first one.
async fn transfer_all(tx: &TenantTx, keys: &[ApiKeyId], from: UserId, to: UserId) -> Result<()> {
    let records = [ids(keys).into(), to.0.into(), from.to_string().into()];
    tx.execute(TRANSFER_RECORDS, records).await?;
    let transferred = digests::ActiveModel { owner: Set(Some(to.0)), ..Default::default() };
    update_digests(tx, keys.iter().copied()).set(transferred).exec(tx.connection()).await?;
    Ok(())
}

fn ids(keys: &[ApiKeyId]) -> Vec<Uuid> {
    keys.iter().map(|key| key.0).collect()
}
