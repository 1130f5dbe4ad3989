//! The version that an operation is about, and the state that the caller has read.

use contract::policy::VersionStatus;

/// A version number with the state that the caller has read. The operation is rejected if the state has
/// changed; the check is part of its transaction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Subject {
    /// The version number.
    pub number: u32,
    /// The draft revision that was read.
    pub revision: Option<u32>,
    /// The digest of the rules that were read.
    pub rules_digest: Option<String>,
    /// The status that was read.
    pub status: Option<VersionStatus>,
    /// The active version that was read.
    pub active: Option<ActiveVersion>,
}

/// The number of a policy's active version; `None` while the policy is inactive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActiveVersion(pub Option<u32>);

impl From<u32> for Subject {
    /// Creates a subject without expected state.
    fn from(number: u32) -> Self {
        Self { number, ..Self::default() }
    }
}
