//! The second factors that an account has.

use contract::second_factor::SecondFactorKind;

use crate::base::prelude::*;

/// Returns the second factors of an account.
pub(crate) async fn methods_of(
    governance: &Governance,
    user_id: UserId,
) -> Result<Vec<SecondFactorKind>> {
    methods_in(governance.database(), user_id).await
}

// SQL: one statement reads three tables at each sign-in.
const SELECT_METHODS: &str = "SELECT EXISTS (SELECT FROM passkeys WHERE user_id = $1), \
     EXISTS (SELECT FROM totp_secrets WHERE user_id = $1 AND confirmed_at IS NOT NULL), \
     EXISTS (SELECT FROM recovery_codes WHERE user_id = $1)";

/// Returns the second factors of an account, as a transaction sees them. Recovery codes alone are none.
pub(super) async fn methods_in(
    connection: &impl ConnectionTrait,
    user_id: UserId,
) -> Result<Vec<SecondFactorKind>> {
    let (has_passkey, has_totp, has_codes) =
        sql::only(connection, SELECT_METHODS, [user_id.0.into()]).await?;
    let kinds = [
        (SecondFactorKind::Passkey, has_passkey),
        (SecondFactorKind::Totp, has_totp),
        (SecondFactorKind::RecoveryCode, has_codes && (has_passkey || has_totp)),
    ];
    Ok(kinds.into_iter().filter_map(|(kind, is_present)| is_present.then_some(kind)).collect())
}
