//! The signed-in user's account.

use contract::{error::FieldError, session::ActiveSession};
use serde::{Deserialize, Serialize};

use crate::{
    flash::RejectedForm,
    frame::view::{Person, SessionTime, TenantMembership},
    invitation::view::Invitation,
    second_factor::view::Security,
};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Account {
    pub person: Person,
    pub time: SessionTime,
    /// The user's tenants, with the role in each.
    pub memberships: Vec<TenantMembership>,
    /// The active sessions, most recently used first.
    pub sessions: Vec<ActiveSession>,
    /// The tenants that have invited the user.
    pub invitations: Vec<Invitation>,
    /// The second factors; absent for a session of an identity provider.
    pub security: Option<Security>,
    pub zone: TimeZoneForm,
    /// Why the password was not changed. The text describes the errors of the new password.
    pub rejected: Option<RejectedForm>,
}

/// The form of the time zone.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeZoneForm {
    /// The IANA name, or the rejected input.
    pub name: String,
    /// The offered names.
    pub names: Vec<String>,
    /// The errors of the rejected input.
    pub errors: Vec<FieldError>,
}
