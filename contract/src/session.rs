//! People at the door: log-in, log-out, and who is signed in.

use serde::{Deserialize, Serialize};

use crate::{
    id::{TenantId, UserId},
    json::Value,
    read::{At, Errors, Members, Read, text},
    scope::Role,
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
