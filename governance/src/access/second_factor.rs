//! Second factors of accounts: passkeys, authenticator apps and recovery codes (ADR 0016).
//!
//! A factor belongs to the account and not to a tenant. A session of an identity provider, which belongs to a tenant,
//! therefore cannot change factors. Each change needs a recent sign-in, which includes the current second factor, and
//! ends all other sessions of the account.

mod challenge;
mod change;
mod methods;
pub mod passkey;
pub mod recovery_code;
pub mod totp;
mod webauthn;

use contract::{
    second_factor::{SecondFactorKind, SecondFactorRequest, SecondFactors},
    settings::AuthMethod,
};
use entity::user;

use self::challenge::Step;
pub(crate) use self::{change::delete_all, methods::methods_of};
use crate::{
    access::{
        attempts::{self, Subject},
        audit_logs::AuditLogs,
        auth::lock_authority,
        mail::{self, FactorChange, Notice},
        membership, permission,
        session::{self, Client, PendingSignIn, SignedIn},
    },
    base::{
        error::{account_not_confined, invalid_code},
        prelude::*,
    },
};

/// Returns the second factors that the signed-in user can confirm with. Empty for an account without any.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` when the database is unavailable.
pub async fn methods(
    governance: &Governance,
    signed_in: &SignedIn,
) -> Result<Vec<SecondFactorKind>> {
    methods_of(governance, signed_in.user_id).await
}

/// Returns whether the signed-in user can add second factors: the address of the account is proven. Otherwise an admin who
/// created the account could add a factor that stays when the owner of the address takes the account over.
///
/// # Errors
/// `UNAUTHORIZED` when the account no longer exists.
pub async fn can_add(governance: &Governance, signed_in: &SignedIn) -> Result<bool> {
    let account = session::user(governance, signed_in.user_id).await?;
    Ok(signed_in.provider.is_none() && account.confined_tenant_id.is_none())
}

/// Returns the second factors of the signed-in user.
///
/// # Errors
/// `FORBIDDEN` for a session of an identity provider.
pub async fn list(governance: &Governance, signed_in: &SignedIn) -> Result<SecondFactors> {
    signed_in.require_unconfined()?;
    let user_id = signed_in.user_id;
    Ok(SecondFactors {
        passkeys: passkey::list(governance, user_id).await?,
        totp: totp::read(governance, user_id).await?,
        recovery_codes_left: recovery_code::count(governance, user_id).await?,
    })
}

/// Completes a pending sign-in with a second factor. The caller starts a session with the result.
///
/// # Errors
/// `UNAUTHORIZED` for a wrong, used or expired factor; `TOO_MANY_REQUESTS` after too many failures ([`attempts`]).
pub async fn finish_sign_in(
    governance: &Governance,
    client: &Client,
    pending: &PendingSignIn,
    factor: SecondFactorRequest,
) -> Result<SignedIn> {
    let user_id = pending.user_id;
    let step = Step::second_factor(pending);
    let auth_method = check(governance, client, user_id, step, factor).await?;
    Ok(SignedIn {
        session_id: governance.entropy().id(),
        password_generation: pending.password_generation,
        auth_method,
        ..SignedIn::new(user_id, governance.clock().now())
    })
}

/// Checks the second factor of a signed-in user whose password was just checked.
pub(crate) async fn confirm(
    governance: &Governance,
    signed_in: &SignedIn,
    client: &Client,
    factor: SecondFactorRequest,
) -> Result<AuthMethod> {
    check(governance, client, signed_in.user_id, Step::confirm(signed_in), factor).await
}

/// Checks a second factor after the password and returns the method of both. A failure is an audit event.
async fn check(
    governance: &Governance,
    client: &Client,
    user_id: UserId,
    step: Step,
    factor: SecondFactorRequest,
) -> Result<AuthMethod> {
    let subject = Subject::SecondFactor(user_id);
    let attempt = attempts::begin(governance, subject, client.address).await?;
    let result = match factor {
        SecondFactorRequest { credential: Some(credential), .. } => {
            let assertion = passkey::check(governance, step, &credential, user_id).await;
            assertion.map(|()| AuthMethod::PasswordPasskey)
        }
        SecondFactorRequest { code: Some(code), .. } => {
            check_code(governance, user_id, &code).await
        }
        SecondFactorRequest { code: None, credential: None } => {
            let message = "either `code` or `credential` is required";
            return Err(invalid_field("/code", "required", message).into());
        }
    };
    match &result {
        Ok(_) => attempt.succeed().await,
        Err(_) => session::record_failures(governance, vec![user_id], client),
    }
    result
}

/// Checks a code: six digits are one of the authenticator app, anything else is a recovery code.
async fn check_code(governance: &Governance, user_id: UserId, code: &str) -> Result<AuthMethod> {
    let code = recovery_code::normalize(code);
    let method = if totp::is_code(&code) {
        totp::accept(governance, user_id, &code).await?.then_some(AuthMethod::PasswordTotp)
    } else {
        let is_valid = recovery_code::accept(governance, user_id, &code).await?;
        is_valid.then_some(AuthMethod::PasswordRecoveryCode)
    };
    Ok(method.ok_or_else(invalid_code)?)
}

/// Removes all second factors of a member whose account is confined to the tenant, and ends the sessions of the account.
/// The member signs in with the password and adds a factor again.
///
/// A proven account also gives access to other tenants, so only its owner and the operator can change its factors.
///
/// # Errors
/// `HUMAN_REQUIRED`, `FORBIDDEN`; `CONFIRMATION_REQUIRED`; `NOT_FOUND` for a user who is not a member; `FORBIDDEN` for
/// an account that is not confined to the tenant.
pub async fn reset(cx: &Cx, user_id: UserId) -> Result<()> {
    let tenant = cx.tenant(permission::RESET_SECOND_FACTORS)?;
    let tx = tenant.begin().await?;
    // Rows of accounts come before memberships in the lock order.
    let account = untenanted::<user::Entity>().filter(user::Column::UserId.eq(user_id.0));
    let account = account.lock_exclusive().one(tx.connection()).await?;
    lock_authority(&tx, cx, permission::RESET_SECOND_FACTORS).await?;
    let is_member = membership::lock_role(&tx, user_id).await?.is_some();
    let account = account.filter(|_| is_member).or_not_found(ResourceKind::Member)?;
    if account.confined_tenant_id != Some(tenant.id().0) {
        return Err(account_not_confined().into());
    }
    if !remove(&tx, cx, user_id).await? {
        return tx.finish_read().await;
    }
    tx.commit(cx, event(user_id)).await
}

/// Removes all second factors of an account for the operator: the account that `tenant` created for the address, or the
/// proven account of the address. Returns the ID of the account, and whether it had a factor.
///
/// # Errors
/// `NOT_FOUND` for an address without such an account.
pub(crate) async fn reset_by_operator(
    cx: &Cx,
    tenant: Option<TenantId>,
    email: &str,
) -> Result<(UserId, bool)> {
    let accounts = untenanted::<user::Entity>().filter(user::Column::Email.eq(email));
    let accounts = match tenant {
        Some(tenant) => accounts.filter(user::Column::ConfinedTenantId.eq(tenant.0)),
        None => accounts.filter(user::Column::ConfinedTenantId.is_null()),
    };
    let account = accounts.one(cx.governance.database()).await?;
    let account = account.or_not_found(ResourceKind::User)?;
    let user_id = UserId(account.user_id);
    let logs = AuditLogs::of_user(&cx.governance, user_id).await?;
    let tx = logs.begin(cx).await?;
    let locked = untenanted::<user::Entity>().filter(user::Column::UserId.eq(user_id.0));
    locked.lock_exclusive().one(tx.connection()).await?;
    let had_any = remove(&tx, cx, user_id).await?;
    let events = had_any.then(|| event(user_id));
    logs.commit(tx, cx, events.as_slice()).await?;
    Ok((user_id, had_any))
}

/// Removes the factors, ends the sessions and queues the notice. Returns whether the account had a factor.
async fn remove(tx: &TenantTx, cx: &Cx, user_id: UserId) -> Result<bool> {
    if !delete_all(tx.connection(), user_id).await? {
        return Ok(false);
    }
    session::end_all(tx.connection(), user_id).await?;
    let notice = Notice::SecondFactor { at: cx.now, change: FactorChange::Reset, name: None };
    mail::notify(tx, cx, user_id, notice).await?;
    Ok(true)
}

fn event(user_id: UserId) -> Event {
    Event::new("second_factor.reset", "user", user_id)
}
