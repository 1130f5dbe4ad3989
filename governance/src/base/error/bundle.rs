//! Refusals of bundle exports.

use contract::error::ErrorCode;

use super::{Refusal, refusal};

/// Returns the refusal for a bundle larger than verifiers accept.
pub fn too_large() -> Refusal {
    refusal(
        ErrorCode::BundleTooLarge,
        "a bundle contains at most 4,096 files and 64 MiB; export the decisions individually",
    )
}
