//! The version that an act is about, and what the caller has read of it.

use contract::policy::VersionStatus;

/// A version by its number, with what the caller has read of it. An act is refused when the version is
/// no longer so; the check is part of the act's transaction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Subject {
    /// The number.
    pub number: u32,
    /// The draft revision that was read.
    pub revision: Option<u32>,
    /// The digest of the rules that were read.
    pub rules_digest: Option<String>,
    /// The status that was read.
    pub status: Option<VersionStatus>,
    /// The version that was active.
    pub active: Option<ActiveVersion>,
}

/// The number of a policy's active version; none while the policy is inactive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActiveVersion(pub Option<u32>);

impl From<u32> for Subject {
    /// A version of which nothing is expected.
    fn from(number: u32) -> Self {
        Self { number, ..Self::default() }
    }
}
