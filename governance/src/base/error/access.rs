//! Refusals of authentication and authorization (contract, section 2).

use contract::{
    error::ErrorCode,
    scope::{Right, Role, Scope},
    second_factor::SecondFactorKind,
};

use super::{Details, Refusal, refusal};

refusals! {
    /// For missing, unknown, revoked and expired credentials. The cases are indistinguishable.
    unauthorized() = Unauthorized, "the credentials are missing or not valid";
    /// For an unknown email address or a wrong password. The cases are indistinguishable.
    invalid_credentials() = Unauthorized, "incorrect email or password";
    /// For a login code that is not valid, was used or has expired. The cases are indistinguishable.
    invalid_login_code() = NotFound, "the login code is not valid, was used or has expired; sign in again";
    /// For a correct password without the second factor of the account. `methods` are those that the account has.
    second_factor_missing(methods: &[SecondFactorKind]) = SecondFactorMissing,
        "the second factor of the account is missing",
        with_details(Details::SecondFactors { methods: methods.to_vec() });
    /// For a wrong, used or expired code, and for an account without such a factor. The cases are indistinguishable.
    invalid_code() = Unauthorized, "the code is not valid";
    /// For a passkey. `reason` is for programs.
    invalid_passkey(reason: &'static str) = Unauthorized, "the passkey is not valid", with_reason(reason);
    /// For a second factor without a password that was checked before, or was checked too long ago.
    no_pending_sign_in() = Unauthorized, "no sign-in waits for a second factor; sign in with your password";
    /// Of a tenant that requires a second factor, for a session without one.
    second_factor_required() = SecondFactorRequired,
        "this tenant requires a second factor; add one to your account, or sign in with it";
    /// To reset the second factors of an account that does not belong to the tenant.
    account_not_confined() = Forbidden,
        "the account does not belong to this tenant; its owner uses a recovery code, or asks the operator";
    /// Of the rate limit of a network address, key or user. `seconds` is the time until the next attempt may succeed.
    too_many_requests(subject: &str, seconds: u32) = TooManyRequests,
        "rate limit exceeded for this {subject}; try again in {seconds} s", with_wait(seconds);
    /// Of a request with more items than the rate limit allows in a minute.
    batch_beyond_quota(items: u32, limit: u32) = TooManyRequests,
        "this request counts as {items} requests, and the rate limit is {limit} a minute; send fewer items";
    /// For too many failed password checks. `seconds` is the time until the next attempt may succeed.
    too_many_attempts(seconds: u32) = TooManyRequests,
        "too many failed attempts; try again in {seconds} s", with_wait(seconds);
    /// For a key of another tenant or a user who is not a member.
    tenant_mismatch() = Forbidden, "these credentials do not belong to this tenant";
    /// For a sign-in that the settings of the tenant exclude.
    sign_in_excluded() = Forbidden,
        "the setting `sign_in` of this tenant excludes this kind of sign-in; sign in another way";
    /// For a session of an identity provider, which gives access to one tenant only.
    confined_session() = Forbidden,
        "this session belongs to an identity provider and gives access only to its tenant; sign in with your password";
    /// For a sign-in that is too old for an action that signs.
    reauthentication_required() = ConfirmationRequired,
        "confirm your sign-in; you signed in more than 15 minutes ago";
    insufficient_scope(required: Scope) = InsufficientScope,
        "the key lacks the scope `{required}`", with_details(Details::Scope { required });
    /// For a key that calls an operation reserved for users.
    human_required() = HumanRequired, "only a signed-in user may do this, not an API key";
    /// For a key that makes a change reserved for users by the tenant's settings.
    human_changes_only() = HumanRequired,
        "the setting `human_changes_only` is on: only a signed-in user may make this change";
}

/// Returns the refusal for an action that the role does not permit. `right` is the one that the action needs.
pub fn role_lacks_permission(action: &'static str, right: Right, role: Role) -> Refusal {
    let message = format!("the role `{}` does not permit {action}", role.as_str());
    let refusal = refusal(ErrorCode::Forbidden, message);
    let Some(required) = right.lowest_role() else { return refusal };
    refusal.with_details(Details::Role { action, required_role: required })
}
