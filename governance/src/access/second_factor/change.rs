//! A change of the second factors of an account, with its audit events and the notice to the owner.

use contract::{id::UserId, settings::AuthMethod};
use entity::{passkey, recovery_code, totp_secret, user};
use sea_orm::{ColumnTrait, ConnectionTrait, QueryFilter, QuerySelect};

use super::methods_in;
use crate::{
    access::{
        account,
        audit_logs::AuditLogs,
        authorization::check_recent,
        mail::{self, FactorChange, Notice},
        session::SignedIn,
    },
    base::{
        audit_event::Event,
        caller::Person,
        cx::Cx,
        database::{delete_untenanted, untenanted},
        error::{Result, reauthentication_required, unauthorized},
        tenancy::TenantTx,
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
        Ok(Self { cx, tx, email: account.email, logs, signed_in: *signed_in })
    }

    pub(super) fn user_id(&self) -> UserId {
        self.signed_in.user_id
    }

    /// Commits the change with its audit event, ends all sessions of the account and mails a notice. Returns the session
    /// to continue with. `added` is the method of a password with the added factor, which the user has just used.
    pub(super) async fn commit(
        self,
        event: Event,
        change: FactorChange,
        name: Option<String>,
        added: Option<AuthMethod>,
    ) -> Result<SignedIn> {
        let Self { cx, tx, logs, signed_in, .. } = self;
        let user_id = signed_in.user_id;
        account::end_sessions(tx.connection(), user_id).await?;
        let notice = Notice::SecondFactor { at: cx.now, change, name };
        mail::notify(&tx, &cx, user_id, notice).await?;
        logs.commit(tx, &cx, &[event]).await?;
        let with_added = |method: AuthMethod| match added {
            Some(added) if method == AuthMethod::Password => added,
            _ => method,
        };
        Ok(SignedIn {
            auth_method: with_added(signed_in.auth_method),
            confirmed_with: signed_in.confirmed_with.map(with_added),
            ..signed_in
        })
    }
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
