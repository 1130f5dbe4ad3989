//! Accounts confirmed by the operator: proves their addresses and adds them to tenants.

use contract::member::MemberStatus;
use entity::{member as memberships, user as table};
use sea_orm::sea_query::ExprTrait;

use super::{NewUser, find_proven_user, read_email, tenant};
use crate::{
    access::{account, membership, second_factor},
    base::{
        error::{
            address_proven, address_proven_elsewhere, already_member, no_password_yet,
            no_proven_account,
        },
        prelude::*,
    },
};

/// An account with a proven address.
#[derive(Clone, Debug, Serialize)]
pub struct VerifiedUser {
    pub user_id: UserId,
    pub email: String,
    /// The tenant that created the account, or of which the user is a member.
    pub tenant_id: TenantId,
}

/// Proves the address of an account that a tenant created, so that other tenants can invite it. A proven account of a member,
/// such as one that the operator has created, does not change.
///
/// The operator confirms that the person who knows the account's password owns the address. Existing
/// links become void, and second factors are removed. A proven account does not change.
///
/// # Errors
/// `NOT_FOUND` for the tenant, and for an address that has neither an account of the tenant nor a proven account of a
/// member; `CONFLICT` when the address has another proven account, or the account has no password yet.
pub async fn verify_user(
    governance: &Governance,
    tenant_id: TenantId,
    email: &str,
) -> Result<VerifiedUser> {
    let cx = governance.operator();
    let email = read_email(email)?;
    tenant::exists(&cx, tenant_id).await?;
    let mut tx = cx.tenant_unchecked(tenant_id).begin().await?;
    let row = account_to_verify(&tx, &email).await?.or_not_found(ResourceKind::User)?;
    let user_id = UserId(row.user_id);
    let verified = VerifiedUser { user_id, email, tenant_id };
    if row.confined_tenant_id.is_none() {
        tx.finish_read().await?;
        return Ok(verified);
    }
    if row.password_hash.is_none() {
        return Err(no_password_yet().into());
    }
    let had_second_factor = account::prove(&tx, user_id).await.map_err(|error| match error {
        Error::Refused(refusal) if *refusal == address_proven() => {
            address_proven_elsewhere().into()
        }
        error => error,
    })?;
    if had_second_factor {
        tx.add_event(Event::new("second_factor.reset", "user", user_id));
    }
    tx.commit(&cx, Event::new("user.verify", "user", user_id)).await?;
    Ok(verified)
}

/// Locks and returns the account that the tenant created for an address, or the proven account of a member: that of a user
/// whom the operator has created or added.
async fn account_to_verify(tx: &TenantTx, email: &str) -> Result<Option<table::Model>> {
    let members = tx.find::<memberships::Entity>().select_only();
    let members = members.column(memberships::Column::UserId).into_query();
    let is_of_tenant = table::Column::SetupTenantId.eq(tx.tenant_id().0);
    let is_proven = table::Column::ConfinedTenantId.is_null();
    let account = untenanted::<table::Entity>()
        .filter(table::Column::Email.eq(email))
        .filter(is_of_tenant.or(is_proven.and(table::Column::UserId.in_subquery(members))))
        .order_by_asc(table::Column::ConfinedTenantId.is_not_null())
        .lock_exclusive();
    Ok(account.one(tx.connection()).await?)
}

/// Makes the user with a proven account a member of a tenant without an invitation. An invited user
/// becomes an active member with this role.
///
/// # Errors
/// `NOT_FOUND` for the tenant, and for an address without a proven account; `CONFLICT` for an active
/// member.
pub async fn add_user(
    governance: &Governance,
    tenant_id: TenantId,
    email: &str,
    role: Role,
) -> Result<NewUser> {
    let cx = governance.operator();
    let email = read_email(email)?;
    tenant::exists(&cx, tenant_id).await?;
    let user_id = find_proven_user(governance, &email).await?.ok_or_else(no_proven_account)?;
    let mut tx = cx.tenant_unchecked(tenant_id).begin().await?;
    match status(&tx, &email).await? {
        Some(MemberStatus::Active) => return Err(already_member().into()),
        Some(MemberStatus::Invited) => accept(&tx, &email, user_id, role).await?,
        None => membership::insert(&mut tx, &cx, user_id, role, MemberStatus::Active).await?,
    }
    let event = Event::new("member.add", "member", user_id).with("role", role.as_str());
    tx.commit(&cx, event).await?;
    Ok(NewUser { user_id, email, role, tenant_id })
}

/// An account whose second factors were reset.
#[derive(Clone, Debug, Serialize)]
pub struct ResetUser {
    pub user_id: UserId,
    pub email: String,
    /// Whether the account had a second factor.
    pub had_second_factor: bool,
}

/// Removes all second factors of a user who has lost them, and ends the sessions of the account. With `tenant`, it is the
/// account that is confined to the tenant, otherwise the proven account of the address.
///
/// # Errors
/// `VALIDATION_ERROR` for a malformed address; `NOT_FOUND` for an address without such an account.
pub async fn reset_second_factors(
    governance: &Governance,
    tenant: Option<TenantId>,
    email: &str,
) -> Result<ResetUser> {
    let email = read_email(email)?;
    let cx = governance.operator();
    let (user_id, had_second_factor) =
        second_factor::reset_by_operator(&cx, tenant, &email).await?;
    Ok(ResetUser { user_id, email, had_second_factor })
}

async fn status(tx: &TenantTx, email: &str) -> Result<Option<MemberStatus>> {
    let status = membership::of_tenant(tx)
        .select_only()
        .column(memberships::Column::Status)
        .filter(table::Column::Email.eq(email))
        .order_by_asc(memberships::Column::Status);
    let status = membership::locked(status).into_tuple::<TextEnum<MemberStatus>>();
    Ok(status.one(tx.connection()).await?.map(|status| status.0))
}

// SQL: the memberships are selected by a column of another table.
const ACCEPT_INVITATION: &str = "UPDATE members m SET user_id = $3, role = $4, status = 'active' FROM users u \
     WHERE u.user_id = m.user_id AND m.tenant_id = $1 AND u.email = $2 AND m.status = 'invited'";

/// Activates an invited membership for the proven account. The invitation may be for an account that
/// the tenant created for it.
async fn accept(tx: &TenantTx, email: &str, user_id: UserId, role: Role) -> Result<()> {
    let values = [email.into(), user_id.0.into(), role.as_str().into()];
    tx.execute(ACCEPT_INVITATION, values).await.map_err(membership::map_insert_error)?;
    Ok(())
}
