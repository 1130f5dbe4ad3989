//! The inbox: versions that need the user's action, versions that wait for others, and the user's recent
//! actions.

use contract::{
    id::{PolicyId, TenantId},
    time::Timestamp,
};
use serde::{Deserialize, Serialize};

use crate::text::url;

/// The action that a version needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RequestedAction {
    /// Review the sealed revision.
    Review,
    Ratify,
    Activate,
    /// Address the requested changes and submit again.
    Answer,
}

impl RequestedAction {
    pub fn label(self) -> &'static str {
        match self {
            Self::Review => "Review",
            Self::Ratify => "Ratify",
            Self::Activate => "Activate",
            Self::Answer => "Address requested changes",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InboxPage {
    pub tenant: TenantId,
    /// The versions that need the user's action, longest waiting first.
    pub mine: Vec<WaitingRow>,
    /// The versions that only other users can act on.
    pub others: Vec<WaitingRow>,
    /// The user's recent actions, newest first.
    pub done: Vec<DoneRow>,
}

/// A version that needs an action.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaitingRow {
    pub requested_action: RequestedAction,
    pub policy: PolicyId,
    /// The policy's name.
    pub name: String,
    pub version: u32,
    /// The current revision.
    pub revision: u32,
    /// The last sealed revision.
    pub sealed: Option<u32>,
    /// The start of the waiting time.
    pub since: Timestamp,
    /// The name of the user whose action started it.
    pub by: Option<String>,
}

impl WaitingRow {
    /// Returns the page of the action.
    pub fn page(&self, tenant: TenantId) -> String {
        match self.requested_action {
            RequestedAction::Review | RequestedAction::Answer => {
                url::review(tenant, self.policy, self.version)
            }
            RequestedAction::Ratify | RequestedAction::Activate => {
                url::version(tenant, self.policy, self.version)
            }
        }
    }

    /// Returns the sealed and the current revision, if they differ.
    pub fn moved(&self) -> Option<(u32, u32)> {
        self.sealed.filter(|sealed| *sealed != self.revision).map(|sealed| (sealed, self.revision))
    }
}

/// An action of the user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DoneRow {
    /// The action, as in the audit log.
    pub action: String,
    pub policy: PolicyId,
    /// The policy's name.
    pub name: String,
    pub version: u32,
    pub at: Timestamp,
}
