//! Signing in with a password, and confirming a sign-in.

use contract::{
    email::fold_email,
    second_factor::SecondFactorRequest,
    session::{ReauthenticationRequest, SignInRequest},
    settings::AuthMethod,
};
use entity::user::{self as table, Column};

use crate::{
    access::{
        attempts::{self, Subject},
        second_factor,
        session::{self, Client, PendingSignIn, SignIn, SignedIn, record_failures},
    },
    base::{
        error::{invalid_credentials, second_factor_missing},
        prelude::*,
    },
};

/// Checks an email address and a password. An address may have several accounts: the password selects
/// the account. If several accounts have the same password, the first one is used.
///
/// An account with a second factor is not signed in yet: the result is a pending sign-in.
///
/// # Errors
/// `UNAUTHORIZED` when the address or the password is wrong, with the same message and response time;
/// `TOO_MANY_REQUESTS` after too many failures ([`attempts`]); `SERVICE_UNAVAILABLE` when too many
/// passwords wait to be checked.
pub async fn sign_in(
    governance: &Governance,
    client: &Client,
    request: SignInRequest,
) -> Result<SignIn> {
    let email = fold_email(&request.email);
    // The accounts of the address with a password, in the order in which they are tried.
    let accounts = untenanted::<table::Entity>()
        .filter(Column::Email.eq(email.as_str()))
        .filter(Column::PasswordHash.is_not_null())
        .order_by_asc(Column::ConfinedTenantId.is_not_null())
        .order_by_asc(Column::CreatedAt)
        .order_by_asc(Column::UserId);
    let rows = accounts.all(governance.database()).await?;
    let hashes = rows.iter().filter_map(|row| row.password_hash.clone()).collect();
    let subject = Subject::Account(&email);
    let password = request.password;
    let index = attempts::check(governance, subject, client.address, password, hashes).await?;
    let Some(row) = index.and_then(|index| rows.get(index)) else {
        let accounts = rows.iter().map(|row| UserId(row.user_id)).collect();
        record_failures(governance, accounts, client);
        return Err(invalid_credentials().into());
    };
    let user_id = UserId(row.user_id);
    let methods = second_factor::methods_of(governance, user_id).await?;
    if methods.is_empty() {
        return Ok(SignIn::Complete(SignedIn {
            session_id: governance.entropy().id(),
            password_generation: row.password_generation,
            ..SignedIn::new(user_id, governance.clock().now())
        }));
    }
    Ok(SignIn::Pending(PendingSignIn::new(governance, row, methods)))
}

/// Reauthenticates a user before an action that signs: with a passkey that verifies its user, or with the password and
/// the second factor, if the account has one.
///
/// # Errors
/// `UNAUTHORIZED` when the password or the second factor is wrong, or without a password and a passkey;
/// `SECOND_FACTOR_MISSING` for a correct password without the second factor of the account; `FORBIDDEN` for a session of
/// an identity provider; otherwise as [`sign_in`].
pub async fn confirm(
    governance: &Governance,
    signed_in: &SignedIn,
    client: &Client,
    request: ReauthenticationRequest,
) -> Result<SignedIn> {
    signed_in.require_unconfined()?;
    let method = match request {
        ReauthenticationRequest { password: Some(password), code, credential } => {
            session::check_password(governance, signed_in, client, password).await?;
            let factor = SecondFactorRequest { code, credential };
            confirm_second_factor(governance, signed_in, client, factor).await?
        }
        ReauthenticationRequest { password: None, credential, .. } => {
            let credential = credential.ok_or_else(unauthorized)?;
            second_factor::passkey::confirm(governance, signed_in, client, &credential).await?;
            AuthMethod::Passkey
        }
    };
    let confirmed_at = governance.clock().now();
    Ok(SignedIn { confirmed_at, confirmed_with: Some(method), ..*signed_in })
}

/// Checks the second factor of a user whose password is correct, and returns the method of both.
async fn confirm_second_factor(
    governance: &Governance,
    signed_in: &SignedIn,
    client: &Client,
    factor: SecondFactorRequest,
) -> Result<AuthMethod> {
    let methods = second_factor::methods_of(governance, signed_in.user_id).await?;
    if methods.is_empty() {
        return Ok(AuthMethod::Password);
    }
    if factor.code.is_none() && factor.credential.is_none() {
        return Err(second_factor_missing(&methods).into());
    }
    second_factor::confirm(governance, signed_in, client, factor).await
}
