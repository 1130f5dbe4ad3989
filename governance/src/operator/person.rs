//! What the operator vouches for: that an address is proven, and that its holder belongs to a tenant.

use contract::{
    id::{TenantId, UserId},
    member::{MemberStatus, address},
    scope::Role,
};
use entity::{column::Word, member as places, user as table};
use sea_orm::{ColumnTrait, QueryFilter, QueryOrder, QuerySelect};
use serde::Serialize;

use super::{NewUser, proven, tenant};
use crate::{
    Governance, account,
    audit::Event,
    database::untenanted,
    error::{
        Error, Noun, Result, address_proven, address_proven_elsewhere, invalid_field,
        member_already, no_password_yet, no_proven_account, not_found,
    },
    member,
    tenancy::TenantTx,
};

/// An account whose address was proven.
#[derive(Clone, Debug, Serialize)]
pub struct Verified {
    /// The account.
    pub user_id: UserId,
    /// Its address.
    pub email: String,
    /// The tenant that made it.
    pub tenant_id: TenantId,
}

/// Proves the address of an account that a tenant made: from here on other tenants can invite it. The operator
/// vouches that the person who knows the account's password owns the address. Links that were made before
/// are void. An account that is proven already stays as it is.
///
/// # Errors
/// `NOT_FOUND` for the tenant, and for an address without an account of the tenant; `CONFLICT` when the address
/// has a proven account, or the account has no password yet.
pub async fn verify_user(
    governance: &Governance,
    tenant_id: TenantId,
    email: &str,
) -> Result<Verified> {
    let cx = governance.operator();
    let email = parsed(email)?;
    tenant::exists(&cx, tenant_id).await?;
    let tx = cx.tenant_unchecked(tenant_id).begin().await?;
    let own = untenanted::<table::Entity>()
        .filter(table::Column::SetupTenantId.eq(tenant_id.0))
        .filter(table::Column::Email.eq(email.as_str()))
        .lock_exclusive();
    let row = own.one(tx.connection()).await?.ok_or_else(|| not_found(Noun::User))?;
    let user_id = UserId(row.user_id);
    let verified = Verified { user_id, email, tenant_id };
    if row.confined_tenant_id.is_none() {
        tx.end().await?;
        return Ok(verified);
    }
    if row.password_hash.is_none() {
        return Err(no_password_yet().into());
    }
    account::prove(&tx, user_id).await.map_err(|error| match error {
        Error::Refused(refusal) if *refusal == address_proven() => {
            address_proven_elsewhere().into()
        }
        error => error,
    })?;
    tx.commit(&cx, Event::new("user.verify", "user", user_id)).await?;
    Ok(verified)
}

/// Makes the holder of a proven account a member of a tenant, without an invitation. A person who was invited
/// becomes an active member with this role.
///
/// # Errors
/// `NOT_FOUND` for the tenant, and for an address without a proven account; `CONFLICT` for an active member.
pub async fn add_user(
    governance: &Governance,
    tenant_id: TenantId,
    email: &str,
    role: Role,
) -> Result<NewUser> {
    let cx = governance.operator();
    let email = parsed(email)?;
    tenant::exists(&cx, tenant_id).await?;
    let user_id = proven(governance, &email).await?.ok_or_else(no_proven_account)?;
    let mut tx = cx.tenant_unchecked(tenant_id).begin().await?;
    match status(&tx, &email).await? {
        Some(MemberStatus::Active) => return Err(member_already().into()),
        Some(MemberStatus::Invited) => accept(&tx, &email, user_id, role).await?,
        None => member::insert(&mut tx, &cx, user_id, role, MemberStatus::Active).await?,
    }
    let event = Event::new("member.add", "member", user_id).with("role", role.as_str());
    tx.commit(&cx, event).await?;
    Ok(NewUser { user_id, email, role, tenant_id })
}

fn parsed(email: &str) -> Result<String> {
    let email = address(email);
    Ok(email.ok_or_else(|| invalid_field("/email", "format", "must be an e-mail address"))?)
}

/// Returns the status of the tenant's member with an address.
async fn status(tx: &TenantTx, email: &str) -> Result<Option<MemberStatus>> {
    let status = member::places(tx)
        .select_only()
        .column(places::Column::Status)
        .filter(table::Column::Email.eq(email))
        .order_by_asc(places::Column::Status);
    let status = member::locked(status).into_tuple::<Word<MemberStatus>>();
    Ok(status.one(tx.connection()).await?.map(|status| status.0))
}

// SQL: the places are found by a column of another table.
const ACCEPT: &str = "UPDATE members m SET user_id = $3, role = $4, status = 'active' FROM users u \
     WHERE u.user_id = m.user_id AND m.tenant_id = $1 AND u.email = $2 AND m.status = 'invited'";

/// Gives an invited place, which may be that of an account made for the invitation, to the proven account.
async fn accept(tx: &TenantTx, email: &str, person: UserId, role: Role) -> Result<()> {
    let values = [email.into(), person.0.into(), role.as_str().into()];
    tx.execute(ACCEPT, values).await.map_err(member::is_member)?;
    Ok(())
}
