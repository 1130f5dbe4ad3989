//! The version that an operation changes, and the state that the caller has read.

use contract::policy::VersionStatus;

/// A version number with the state that the caller has read. The operation is rejected if the state has
/// changed; the check is part of its transaction. Absent members are not checked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Subject {
    pub number: u32,
    pub revision: Option<u32>,
    pub rules_digest: Option<String>,
    pub status: Option<VersionStatus>,
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
