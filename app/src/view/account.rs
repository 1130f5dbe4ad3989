//! A person's own account.

use contract::session::ActiveSession;
use serde::{Deserialize, Serialize};

use super::{
    frame::{Person, Place},
    invitation::Invitation,
    kept::Kept,
};

/// The page of an account.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Account {
    /// Whose it is.
    pub person: Person,
    /// Where the person belongs, and as what.
    pub places: Vec<Place>,
    /// The active sessions, the last used first.
    pub sessions: Vec<ActiveSession>,
    /// The tenants that have invited the person.
    pub invitations: Vec<Invitation>,
    /// Why the password was not changed; its text says what is wrong with the new one.
    pub kept: Option<Kept>,
}
