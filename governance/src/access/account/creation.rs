//! Accounts created by a tenant. They are confined to it until their address is proven.

use contract::{
    member::{UserCreated, UserDraft},
    session::User,
};
use entity::user as table;

use crate::{
    access::{
        account_link::{self, NewLink, Purpose},
        auth::lock_inviter,
        mail::{self, Mail, MailContent},
        permission, second_factor, session,
    },
    base::{
        error::{address_proven, email_taken},
        prelude::*,
    },
};

/// Creates an account without a password, confined to this tenant and not yet a member, and a link to
/// choose a password.
///
/// - With mail, the link is mailed; without, it is in the response.
/// - An account without a password that this tenant created earlier gets a new link. The previous link
///   becomes void.
/// - The result does not depend on accounts with the same address outside this tenant.
///
/// # Errors
/// `HUMAN_REQUIRED` for a key; `FORBIDDEN`; `CONFIRMATION_REQUIRED` for a new link and a sign-in that is
/// too old; `CONFLICT` when the address belongs to a member, or to an account of this tenant that has a
/// password.
pub async fn create(cx: &Cx, draft: UserDraft) -> Result<UserCreated> {
    let tenant = cx.tenant(permission::CREATE_ACCOUNTS)?;
    let tx = tenant.begin().await?;
    let (user, event) = create_or_renew(&tx, cx, draft).await?;
    lock_inviter(&tx, cx, permission::CREATE_ACCOUNTS, &user.email).await?;
    let content = MailContent::SetUp { tenant_id: tenant.id() };
    mail::queue(&tx, cx, user.id, &content).await?;
    let setup_url = visible_link(&tx, cx, &user).await?;
    tx.commit(cx, event).await?;
    Ok(UserCreated { user, setup_url })
}

/// Returns an account that this tenant created.
///
/// # Errors
/// `HUMAN_REQUIRED` for a key; `FORBIDDEN`; `NOT_FOUND`.
pub async fn read(cx: &Cx, id: UserId) -> Result<User> {
    let tenant = cx.tenant(permission::CREATE_ACCOUNTS)?;
    let account = untenanted::<table::Entity>()
        .filter(table::Column::UserId.eq(id.0))
        .filter(table::Column::SetupTenantId.eq(tenant.id().0));
    let account = account.one(cx.governance.database()).await?;
    Ok(account.or_not_found(ResourceKind::User)?.into())
}

/// Creates a setup link for the response, unless links are only mailed. It does not prove the address.
pub(crate) async fn visible_link(tx: &TenantTx, cx: &Cx, user: &User) -> Result<Option<String>> {
    if !cx.governance.mail().is_none_or(Mail::shows_links) {
        return Ok(None);
    }
    let link = NewLink { person: user.id, purpose: Purpose::SetUp, is_mailed: false };
    account_link::insert(&cx.governance, tx.connection(), cx.now, link).await.map(Some)
}

/// Creates an account, or voids the links of an existing account without a password. Returns the
/// account and its audit event.
pub(crate) async fn create_or_renew(
    tx: &TenantTx,
    cx: &Cx,
    draft: UserDraft,
) -> Result<(User, Event)> {
    if let Some(user) = renew(tx, &draft).await? {
        // The account may be a member already, and the link gives access to it.
        cx.check_freshness()?;
        account_link::revoke_all(tx.connection(), user.id).await?;
        let event = Event::new("user.renew_link", "user", user.id);
        return Ok((user, event));
    }
    if is_known(tx, &draft.email).await? {
        return Err(email_taken().into());
    }
    let user = insert(tx, cx, draft).await?;
    let event = Event::new("user.create", "user", user.id);
    Ok((user, event))
}

// An account created for an invitation remains when a proven account accepts instead.
// SQL: the update depends on rows of other tables.
const RENEW_ACCOUNT: &str = "UPDATE users SET display_name = $3 \
     WHERE email = $2 AND password_hash IS NULL AND confined_tenant_id = $1 \
     AND NOT EXISTS (SELECT FROM members m JOIN users u ON u.user_id = m.user_id \
         WHERE m.tenant_id = $1 AND u.email = $2 AND u.user_id <> users.user_id) \
     RETURNING user_id, email, display_name";

/// Returns the account that this tenant created and that has no password yet, with the new display
/// name.
async fn renew(tx: &TenantTx, draft: &UserDraft) -> Result<Option<User>> {
    let values = [draft.email.as_str().into(), draft.display_name.as_str().into()];
    let row = tx.optional(RENEW_ACCOUNT, values).await?;
    Ok(row.map(|(id, email, display_name)| User { id: UserId(id), email, display_name }))
}

// SQL: one statement queries two tables.
const SELECT_IS_KNOWN: &str = "SELECT EXISTS (SELECT FROM users WHERE email = $2 AND setup_tenant_id = $1) \
     OR EXISTS (SELECT FROM members m JOIN users u ON u.user_id = m.user_id \
     WHERE m.tenant_id = $1 AND u.email = $2)";

/// Returns whether this tenant created an account for the address or has a member with it.
pub(crate) async fn is_known(tx: &TenantTx, email: &str) -> Result<bool> {
    tx.only(SELECT_IS_KNOWN, [email.into()]).await
}

pub(crate) async fn insert(tx: &TenantTx, cx: &Cx, draft: UserDraft) -> Result<User> {
    let UserDraft { email, display_name } = draft;
    let user = User { id: cx.governance.entropy().id(), email, display_name };
    let row = table::ActiveModel {
        user_id: Set(user.id.0),
        email: Set(user.email.clone()),
        display_name: Set(user.display_name.clone()),
        created_at: Set(to_column(cx.now)),
        setup_tenant_id: Set(Some(tx.tenant_id().0)),
        confined_tenant_id: Set(Some(tx.tenant_id().0)),
        ..Default::default()
    };
    let insert = table::Entity::insert(row);
    insert.exec_without_returning(tx.connection()).await.map_err(map_insert_error)?;
    Ok(user)
}

/// Converts the error of an account insert: `CONFLICT` when the tenant or the service already has the
/// address.
pub(crate) fn map_insert_error(error: DbErr) -> Error {
    map_violation(error, &["users_email_of_tenant", "users_proven_email"], email_taken)
}

/// Makes a confined account proven. Voids its links. Removes second factors that were added when accounts without a proven
/// address could have some, because an admin could have read a link and added a passkey, and ends the sessions that began
/// with them. Returns whether it had a second factor.
///
/// # Errors
/// `CONFLICT` when the address has a proven account.
pub(crate) async fn prove(tx: &TenantTx, user_id: UserId) -> Result<bool> {
    let changes = table::ActiveModel { confined_tenant_id: Set(None), ..Default::default() };
    let update = update_untenanted::<table::Entity>().set(changes);
    let update = update.filter(table::Column::UserId.eq(user_id.0));
    let update = update.exec(tx.connection()).await;
    update.map_err(|error| map_violation(error, &["users_proven_email"], address_proven))?;
    account_link::revoke_all(tx.connection(), user_id).await?;
    let had_second_factor = second_factor::delete_all(tx.connection(), user_id).await?;
    if had_second_factor {
        session::end_all(tx.connection(), user_id).await?;
    }
    Ok(had_second_factor)
}
