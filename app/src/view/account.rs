//! The signed-in user's account.

use contract::session::ActiveSession;
use serde::{Deserialize, Serialize};

use super::{
    flash::RejectedForm,
    frame::{Person, SessionTime, TenantMembership},
    invitation::Invitation,
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
    /// Why the password was not changed. The text describes the errors of the new password.
    pub rejected: Option<RejectedForm>,
}
