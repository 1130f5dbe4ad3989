//! Refusals of those who export verification bundles.

use contract::error::ErrorCode;

use super::{Refusal, refusal};

/// The bundle would be beyond what verifiers read.
pub fn too_large() -> Refusal {
    refusal(
        ErrorCode::BundleTooLarge,
        "a bundle has at most 4,096 members and 64 MiB; take the bundles of single decisions",
    )
}
