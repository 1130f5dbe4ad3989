//! What a report establishes and what it does not, in sentences.

use contract::verification::CLAIMS;

use super::{Report, Status};

/// What no bundle can show.
const LIMITS: [&str; 4] = [
    "that the input data were true",
    "that there are no further receipts beyond the sealed or logged range",
    "that no key was revoked after the copy of the registry that was used",
    "the time of anything, beyond what a witness attests",
];

pub(super) fn established(report: &Report) -> Vec<&'static str> {
    let verified =
        |name: &str| report.claim(name).is_some_and(|claim| claim.status == Status::Verified);
    CLAIMS.into_iter().filter(|(name, _)| verified(name)).map(|(_, meaning)| meaning).collect()
}

pub(super) fn not_established(report: &Report) -> Vec<String> {
    let undecided = |name: &str| {
        let status = report.claim(name).map(|claim| claim.status);
        matches!(status, Some(Status::Failed | Status::Indeterminate))
    };
    let open = CLAIMS.into_iter().filter(|(name, _)| undecided(name));
    let open = open.map(|(_, meaning)| format!("that {meaning}"));
    open.chain(LIMITS.into_iter().map(str::to_owned)).collect()
}
