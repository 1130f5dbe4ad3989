//! Session endpoints: sign in, sign out and the current user.

use crate::{
    id::{SessionId, TenantId, UserId},
    json::Object,
    read::{ObjectReader, password, schema::Shape, text},
    scope::Role,
    settings::AuthMethod,
    time::Timestamp,
};

/// The body of `POST /v1/session`.
#[body(derive_more::Debug)]
#[debug("SignInRequest {{ .. }}")]
pub struct SignInRequest {
    /// The email address, without regard to case.
    #[json(with = text(1, 320))]
    pub email: String,
    /// The password.
    #[json(with = password(1, 256))]
    pub password: String,
}

/// The body of `POST /v1/session/confirm`: the password, with `code` or `credential` if the account has a second factor;
/// or only `credential`.
#[body(derive_more::Debug, Default)]
#[debug("ReauthenticationRequest {{ .. }}")]
#[json(check = check_reauthentication())]
pub struct ReauthenticationRequest {
    /// The password of the signed-in user.
    #[json(with = password(1, 256))]
    pub password: Option<String>,
    /// The current code of the authenticator app (6 digits), or a recovery code.
    #[json(with = text(1, 50))]
    pub code: Option<String>,
    /// The used passkey: `AuthenticationResponseJSON` of `WebAuthn` Level 3. Without the password, the passkey must
    /// verify its user.
    pub credential: Option<Object>,
}

/// Requires `password` or `credential`, and at most one of `code` and `credential`.
fn check_reauthentication(members: &mut ObjectReader<'_, '_>) {
    if members.at_least_one_of(&["password", "credential"]).is_some() {
        members.at_most_one_of(&["code", "credential"]);
    }
    let shape = |required, absent| Shape {
        required: vec![required],
        absent: vec![absent],
        ..Shape::default()
    };
    members.one_of(|| vec![shape("password", "credential"), shape("credential", "code")]);
}

/// The signed-in user and the tenants of that user.
#[wire(Eq)]
pub struct Session {
    /// The signed-in user.
    pub user: User,
    /// The memberships of the user that the session gives access to.
    pub memberships: Vec<Membership>,
    /// The way the user signed in.
    pub auth_method: AuthMethod,
    /// The tenants of the user that require a second factor, which the session does not have.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub second_factor_required: Vec<TenantName>,
}

/// A tenant of the user.
#[wire(Eq)]
pub struct TenantName {
    /// The ID of the tenant.
    pub tenant_id: TenantId,
    /// The name of the tenant.
    pub tenant_name: String,
}

/// The active sessions of a user, last used first.
#[wire(Eq)]
pub struct ActiveSessions {
    /// The active sessions.
    pub items: Vec<ActiveSession>,
}

/// An active session of a user.
#[wire(Eq)]
pub struct ActiveSession {
    /// The ID of the session. It cannot be used to sign in.
    pub id: SessionId,
    /// The time of the sign-in.
    pub created_at: Timestamp,
    /// The time of the last use, to the minute.
    pub last_used_at: Timestamp,
    /// The network block of the sign-in: an IPv4 address, or a /64 of IPv6.
    pub network: Option<String>,
    /// The user agent that the browser reported at the sign-in.
    pub user_agent: Option<String>,
    /// Whether the request used this session.
    pub is_current: bool,
}

/// A user account.
#[wire(Eq)]
pub struct User {
    /// The ID of the user.
    pub id: UserId,
    /// The email address of the user.
    pub email: String,
    /// The display name of the user.
    pub display_name: String,
}

/// The membership of a user in a tenant.
#[wire(Eq)]
pub struct Membership {
    /// The ID of the tenant.
    pub tenant_id: TenantId,
    /// The name of the tenant.
    pub tenant_name: String,
    /// The role of the user in the tenant.
    pub role: Role,
}
