//! People at the door: log-in, log-out, and who is signed in.

use serde::{Deserialize, Serialize};

use crate::{
    id::{SessionId, TenantId, UserId},
    json::Value,
    read::{At, Errors, Members, Read, text},
    scope::Role,
    time::Timestamp,
};

/// The body of `POST /v1/session`.
#[derive(Clone)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LogIn {
    /// The e-mail address, in any case.
    pub email: String,
    /// The password.
    pub password: String,
}

impl std::fmt::Debug for LogIn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LogIn").finish_non_exhaustive()
    }
}

impl Read for LogIn {
    fn read(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Self> {
        let mut members = Members::of(value, at, errors)?;
        let email = members.required("email", text(1, 320));
        let password = members.required("password", text(1, 256));
        members.finish()?;
        Some(Self { email: email?, password: password? })
    }
}

/// The body of `POST /v1/session/confirm`.
#[derive(Clone)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Confirm {
    /// The password, once more.
    pub password: String,
}

impl std::fmt::Debug for Confirm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Confirm").finish_non_exhaustive()
    }
}

impl Read for Confirm {
    fn read(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Self> {
        let mut members = Members::of(value, at, errors)?;
        let password = members.required("password", text(1, 256));
        members.finish()?;
        Some(Self { password: password? })
    }
}

/// Who is signed in, and where they belong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Session {
    /// The person.
    pub user: User,
    /// The tenants of that person.
    pub memberships: Vec<Membership>,
}

/// The active sessions of a person, the last used first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ActiveSessions {
    /// The sessions.
    pub items: Vec<ActiveSession>,
}

/// An active session of a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ActiveSession {
    /// The id of the session. It cannot be used to sign in.
    pub id: SessionId,
    /// The time of the sign-in.
    pub created_at: Timestamp,
    /// The time of the last use, to the minute.
    pub last_used_at: Timestamp,
    /// The network block of the sign-in: an IPv4 address, or a /64 of IPv6.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<String>,
    /// The user agent of the sign-in, as it named itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_agent: Option<String>,
    /// Whether it is the session of this request.
    pub is_current: bool,
}

/// A person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct User {
    /// The id.
    pub id: UserId,
    /// The e-mail address.
    pub email: String,
    /// The name to show.
    pub display_name: String,
}

/// A person's place in a tenant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Membership {
    /// The tenant.
    pub tenant_id: TenantId,
    /// Its name.
    pub tenant_name: String,
    /// The person's role in it.
    pub role: Role,
}
