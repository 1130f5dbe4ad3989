//! A change of the second factors of an account, with its audit events and the notice to the owner.

use contract::{second_factor::SecondFactorKind, settings::AuthMethod};
use entity::{passkey, recovery_code, totp_secret, user};

use super::methods::methods_in;
use crate::{
    access::{
        audit_logs::AuditLogs,
        authorization::check_recent,
        mail::{self, FactorChange, Notice},
        session,
        session::SignedIn,
    },
    base::{
        error::{address_not_proven, reauthentication_required},
        prelude::*,
    },
};

/// A started change. Dropping it changes nothing.
pub(super) struct Change {
    /// The context with the user as the caller.
    pub(super) cx: Cx,
    pub(super) tx: TenantTx,
    pub(super) email: String,
    logs: AuditLogs,
    signed_in: SignedIn,
}

impl Change {
    /// Begins a change by the signed-in user, and locks the account: changes of one account run one after the other.
    ///
    /// # Errors
    /// `FORBIDDEN` for a session of an identity provider; `CONFIRMATION_REQUIRED` for a sign-in that is too old, or
    /// without the second factor of the account; `UNAUTHORIZED` when the password was changed meanwhile.
    pub(super) async fn begin(cx: &Cx, signed_in: &SignedIn) -> Result<Self> {
        Ok(Self::lock(cx, signed_in).await?.0)
    }

    /// Begins the addition of a factor, as [`Self::begin`] does.
    ///
    /// # Errors
    /// Also `FORBIDDEN` for an account whose address is not proven.
    pub(super) async fn begin_addition(cx: &Cx, signed_in: &SignedIn) -> Result<Self> {
        let (change, account) = Self::lock(cx, signed_in).await?;
        check_proven(&account)?;
        Ok(change)
    }

    async fn lock(cx: &Cx, signed_in: &SignedIn) -> Result<(Self, user::Model)> {
        signed_in.require_unconfined()?;
        check_recent(signed_in.confirmed_at, cx.now)?;
        let user_id = signed_in.user_id;
        let logs = AuditLogs::of_user(&cx.governance, user_id).await?;
        let tx = logs.begin(cx).await?;
        let account = untenanted::<user::Entity>()
            .filter(user::Column::UserId.eq(user_id.0))
            .filter(user::Column::PasswordGeneration.eq(signed_in.password_generation))
            .lock_exclusive();
        let account = account.one(tx.connection()).await?.ok_or_else(unauthorized)?;
        let method = signed_in.confirmed_with.unwrap_or(signed_in.auth_method);
        // Adding the first factor ends all sessions without one, so this is only seen by a concurrent request.
        if !method.has_second_factor() && !methods_in(tx.connection(), user_id).await?.is_empty() {
            return Err(reauthentication_required().into());
        }
        let cx = cx.with_person(Person { user_id, email: account.email.clone() });
        let change = Self { cx, tx, email: account.email.clone(), logs, signed_in: *signed_in };
        Ok((change, account))
    }

    pub(super) fn user_id(&self) -> UserId {
        self.signed_in.user_id
    }

    /// Returns the session to continue with after the user has added a factor and used it after the password. `added` is
    /// the method of both.
    pub(super) fn with_added(&self, added: AuthMethod) -> SignedIn {
        let with_added =
            |method: AuthMethod| if method == AuthMethod::Password { added } else { method };
        SignedIn {
            auth_method: with_added(self.signed_in.auth_method),
            confirmed_with: self.signed_in.confirmed_with.map(with_added),
            ..self.signed_in
        }
    }

    /// Returns the session to continue with after a factor was removed. Its method names no kind of factor that the
    /// account no longer has. `None` if the user signed in with a passkey alone and has none.
    ///
    /// A session with another method has another ID, so that a login code of the command line that the earlier method has
    /// allowed is void.
    pub(super) async fn without_removed(&self) -> Result<Option<SignedIn>> {
        let kinds = methods_in(self.tx.connection(), self.user_id()).await?;
        let before = self.signed_in;
        let Some(auth_method) = left_of(before.auth_method, &kinds) else { return Ok(None) };
        let confirmed_with = before.confirmed_with.and_then(|with| left_of(with, &kinds));
        // A confirmation with a passkey alone does not count if the account has no passkey.
        let is_confirmation_void = before.confirmed_with.is_some() && confirmed_with.is_none();
        Ok(Some(SignedIn {
            session_id: if auth_method == before.auth_method {
                before.session_id
            } else {
                self.cx.governance.entropy().id()
            },
            auth_method,
            confirmed_at: if is_confirmation_void {
                before.signed_in_at
            } else {
                before.confirmed_at
            },
            confirmed_with,
            ..before
        }))
    }

    /// Commits the change with its audit event, ends all sessions of the account and mails a notice.
    pub(super) async fn commit(
        self,
        event: Event,
        change: FactorChange,
        name: Option<String>,
    ) -> Result<()> {
        let Self { cx, tx, logs, signed_in, .. } = self;
        let user_id = signed_in.user_id;
        session::end_all(tx.connection(), user_id).await?;
        let notice = Notice::SecondFactor { at: cx.now, change, name };
        mail::notify(&tx, &cx, user_id, notice).await?;
        logs.commit(tx, &cx, &[event]).await
    }
}

/// Returns what is left of a method for an account with these kinds of factors: the password, or nothing of a passkey alone.
fn left_of(method: AuthMethod, kinds: &[SecondFactorKind]) -> Option<AuthMethod> {
    let (kind, left) = match method {
        AuthMethod::Passkey => (SecondFactorKind::Passkey, None),
        AuthMethod::PasswordPasskey => (SecondFactorKind::Passkey, Some(AuthMethod::Password)),
        AuthMethod::PasswordTotp => (SecondFactorKind::Totp, Some(AuthMethod::Password)),
        AuthMethod::PasswordRecoveryCode => {
            (SecondFactorKind::RecoveryCode, Some(AuthMethod::Password))
        }
        AuthMethod::Password | AuthMethod::Oidc => return Some(method),
    };
    if kinds.contains(&kind) { Some(method) } else { left }
}

/// Checks that the address of an account is proven.
pub(super) fn check_proven(account: &user::Model) -> Result<()> {
    if account.confined_tenant_id.is_some() { Err(address_not_proven().into()) } else { Ok(()) }
}

/// Deletes the recovery codes of an account that has no other second factor.
pub(super) async fn delete_unneeded_codes(
    connection: &impl ConnectionTrait,
    user_id: UserId,
) -> Result<()> {
    if methods_in(connection, user_id).await?.is_empty() {
        let codes = delete_untenanted::<recovery_code::Entity>();
        codes.filter(recovery_code::Column::UserId.eq(user_id.0)).exec(connection).await?;
    }
    Ok(())
}

/// Deletes all second factors of an account. Returns whether it had any.
pub(crate) async fn delete_all(connection: &impl ConnectionTrait, user_id: UserId) -> Result<bool> {
    let had_any = !methods_in(connection, user_id).await?.is_empty();
    let passkeys = delete_untenanted::<passkey::Entity>();
    passkeys.filter(passkey::Column::UserId.eq(user_id.0)).exec(connection).await?;
    let secret = delete_untenanted::<totp_secret::Entity>();
    secret.filter(totp_secret::Column::UserId.eq(user_id.0)).exec(connection).await?;
    delete_unneeded_codes(connection, user_id).await?;
    Ok(had_any)
}
