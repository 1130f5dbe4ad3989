//! Refusals of authentication and authorization (contract, section 2).

use contract::{
    error::ErrorCode,
    scope::{Right, Role, Scope},
    second_factor::SecondFactorKind,
};

use super::{Details, Refusal, refusal};

/// Returns the refusal for missing, unknown, revoked and expired credentials. The cases are
/// indistinguishable.
pub fn unauthorized() -> Refusal {
    refusal(ErrorCode::Unauthorized, "the credentials are missing or not valid")
}

/// Returns the refusal for an unknown email address or a wrong password. The cases are
/// indistinguishable.
pub fn invalid_credentials() -> Refusal {
    refusal(ErrorCode::Unauthorized, "incorrect email or password")
}

/// Returns the refusal for a login code that is not valid, was used or has expired. The cases are indistinguishable.
pub fn invalid_login_code() -> Refusal {
    refusal(
        ErrorCode::NotFound,
        "the login code is not valid, was used or has expired; sign in again",
    )
}

/// Returns the refusal for a correct password without the second factor of the account. `methods` are those that the
/// account has.
pub fn second_factor_missing(methods: &[SecondFactorKind]) -> Refusal {
    refusal(ErrorCode::SecondFactorMissing, "the second factor of the account is missing")
        .with_details(Details::SecondFactors { methods: methods.to_vec() })
}

/// Returns the refusal for a wrong, used or expired code, and for an account without such a factor. The cases are
/// indistinguishable.
pub fn invalid_code() -> Refusal {
    refusal(ErrorCode::Unauthorized, "the code is not valid")
}

/// Returns the refusal for a passkey. `reason` is for programs.
pub fn invalid_passkey(reason: &'static str) -> Refusal {
    refusal(ErrorCode::Unauthorized, "the passkey is not valid").with_reason(reason)
}

/// Returns the refusal for a second factor without a password that was checked before, or was checked too long ago.
pub fn no_pending_sign_in() -> Refusal {
    refusal(
        ErrorCode::Unauthorized,
        "no sign-in waits for a second factor; sign in with your password",
    )
}

/// Returns the refusal of a tenant that requires a second factor, for a session without one.
pub fn second_factor_required() -> Refusal {
    refusal(
        ErrorCode::SecondFactorRequired,
        "this tenant requires a second factor; add one to your account, or sign in with it",
    )
}

/// Returns the refusal to reset the second factors of an account that does not belong to the tenant.
pub fn account_not_confined() -> Refusal {
    refusal(
        ErrorCode::Forbidden,
        "the account does not belong to this tenant; its owner uses a recovery code, or asks the operator",
    )
}

/// Returns the refusal of the rate limit of a network address, key or user. `seconds` is the time until
/// the next attempt may succeed.
pub fn too_many_requests(subject: &str, seconds: u32) -> Refusal {
    refusal(
        ErrorCode::TooManyRequests,
        format!("rate limit exceeded for this {subject}; try again in {seconds} s"),
    )
    .with_wait(seconds)
}

/// Returns the refusal of a request with more items than the rate limit allows in a minute.
pub fn batch_beyond_quota(items: u32, limit: u32) -> Refusal {
    let message = format!(
        "this request counts as {items} requests, and the rate limit is {limit} a minute; send fewer items"
    );
    refusal(ErrorCode::TooManyRequests, message)
}

/// Returns the refusal for too many failed password checks. `seconds` is the time until the next
/// attempt may succeed.
pub fn too_many_attempts(seconds: u32) -> Refusal {
    refusal(
        ErrorCode::TooManyRequests,
        format!("too many failed attempts; try again in {seconds} s"),
    )
    .with_wait(seconds)
}

/// Returns the refusal for a key of another tenant or a user who is not a member.
pub fn tenant_mismatch() -> Refusal {
    refusal(ErrorCode::Forbidden, "these credentials do not belong to this tenant")
}

/// Returns the refusal for a sign-in that the settings of the tenant exclude.
pub fn sign_in_excluded() -> Refusal {
    refusal(
        ErrorCode::Forbidden,
        "the setting `sign_in` of this tenant excludes this kind of sign-in; sign in another way",
    )
}

/// Returns the refusal for a session of an identity provider, which gives access to one tenant only.
pub fn confined_session() -> Refusal {
    refusal(
        ErrorCode::Forbidden,
        "this session belongs to an identity provider and gives access only to its tenant; sign in with your password",
    )
}

/// Returns the refusal for an action that the role does not permit. `right` is the one that the action needs.
pub fn role_lacks_permission(action: &'static str, right: Right, role: Role) -> Refusal {
    let message = format!("the role `{}` does not permit {action}", role.as_str());
    let refusal = refusal(ErrorCode::Forbidden, message);
    let Some(required) = right.lowest_role() else { return refusal };
    refusal.with_details(Details::Role { action, required_role: required })
}

/// Returns the refusal for a sign-in that is too old for an action that signs.
pub fn reauthentication_required() -> Refusal {
    refusal(
        ErrorCode::ConfirmationRequired,
        "confirm your sign-in; you signed in more than 15 minutes ago",
    )
}

pub fn insufficient_scope(required: Scope) -> Refusal {
    refusal(ErrorCode::InsufficientScope, format!("the key lacks the scope `{required}`"))
        .with_details(Details::Scope { required })
}

/// Returns the refusal for a key that calls an operation reserved for users.
pub fn human_required() -> Refusal {
    refusal(ErrorCode::HumanRequired, "only a signed-in user may do this, not an API key")
}

/// Returns the refusal for a key that makes a change reserved for users by the tenant's settings.
pub fn human_changes_only() -> Refusal {
    refusal(
        ErrorCode::HumanRequired,
        "the setting `human_changes_only` is on: only a signed-in user may make this change",
    )
}
