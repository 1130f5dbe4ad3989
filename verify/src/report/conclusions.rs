//! Sentences about what a report establishes and does not establish.

use contract::verification::CLAIMS;

use super::{Report, Status};

/// Facts that no bundle can establish.
const LIMITS: [&str; 4] = [
    "that the input data were true",
    "that there are no further receipts outside the sealed or logged range",
    "that no key was revoked after the used copy of the trust registry",
    "the time of an event, except where a witness attests it",
];

pub(super) fn established(report: &Report) -> Vec<&'static str> {
    let is_verified =
        |name: &str| report.claim(name).is_some_and(|claim| claim.status == Status::Verified);
    CLAIMS.into_iter().filter(|(name, _)| is_verified(name)).map(|(_, meaning)| meaning).collect()
}

pub(super) fn not_established(report: &Report) -> Vec<String> {
    let is_unverified = |name: &str| {
        let status = report.claim(name).map(|claim| claim.status);
        matches!(status, Some(Status::Failed | Status::Indeterminate))
    };
    let unverified = CLAIMS.into_iter().filter(|(name, _)| is_unverified(name));
    let unverified = unverified.map(|(_, meaning)| format!("that {meaning}"));
    unverified.chain(LIMITS.into_iter().map(str::to_owned)).collect()
}
