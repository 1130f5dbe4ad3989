//! The inbox: what needs the person, what waits for others, and what the person has done.

use contract::{
    id::{PolicyId, TenantId},
    time::Timestamp,
};
use serde::{Deserialize, Serialize};

use crate::text::url;

/// The act that a version waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Asked {
    /// Judge what was sealed.
    Review,
    /// Approve it by signature.
    Ratify,
    /// Let it decide.
    Activate,
    /// Change what was sent back, and send it again.
    Answer,
}

/// The page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InboxPage {
    /// The tenant.
    pub tenant: TenantId,
    /// What the person could do now, longest waiting first.
    pub mine: Vec<WaitingRow>,
    /// What only others could do.
    pub others: Vec<WaitingRow>,
    /// What the person has done, newest first.
    pub done: Vec<DoneRow>,
}

/// A version that waits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaitingRow {
    /// For what.
    pub asked: Asked,
    /// The policy.
    pub policy: PolicyId,
    /// Its name.
    pub name: String,
    /// The version.
    pub version: u32,
    /// The revision of now.
    pub revision: u32,
    /// The revision that was sealed last.
    pub sealed: Option<u32>,
    /// Since when.
    pub since: Timestamp,
    /// Whose act made it wait.
    pub by: Option<String>,
}

impl WaitingRow {
    /// The page on which the act is done.
    pub fn page(&self, tenant: TenantId) -> String {
        match self.asked {
            Asked::Review | Asked::Answer => url::review(tenant, self.policy, self.version),
            Asked::Ratify | Asked::Activate => url::version(tenant, self.policy, self.version),
        }
    }

    /// The sealed revision and that of now, when the draft has moved since.
    pub fn moved(&self) -> Option<(u32, u32)> {
        self.sealed.filter(|sealed| *sealed != self.revision).map(|sealed| (sealed, self.revision))
    }
}

/// An act of the person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DoneRow {
    /// What, in the audit log's word.
    pub action: String,
    /// The policy.
    pub policy: PolicyId,
    /// Its name.
    pub name: String,
    /// The version.
    pub version: u32,
    /// When.
    pub at: Timestamp,
}
