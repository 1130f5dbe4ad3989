//! Sentences about what a report establishes and does not establish.

use super::{ClaimReport, Report, Status};

/// Facts that no bundle can establish.
const LIMITS: [&str; 4] = [
    "that the input data were true",
    "that there are no further receipts outside the sealed or logged range",
    "that no key was revoked after the used copy of the trust registry",
    "the time of an event, except where a witness attests it",
];

pub(super) fn established(report: &Report) -> Vec<&'static str> {
    let verified = report.claims.iter().filter(|claim| claim.status == Status::Verified);
    verified.map(|claim| claim.name.meaning()).collect()
}

pub(super) fn not_established(report: &Report) -> Vec<String> {
    let is_unverified = |claim: &&ClaimReport| claim.status > Status::Verified;
    let unverified = report.claims.iter().filter(is_unverified);
    let unverified = unverified.map(|claim| format!("that {}", claim.name.meaning()));
    unverified.chain(LIMITS.into_iter().map(str::to_owned)).collect()
}
