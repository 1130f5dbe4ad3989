//! Texts of `/t/{tenant}/chains/{chain}`.

use contract::chain::ChainStatus;

use crate::text::number::count;

pub(crate) const TITLE: &str = "Chain";
pub(crate) const INTRO: &str = "Decisions in the order they were recorded. Each link contains a receipt and the hash of the previous link, so changes, deletions and insertions are detectable.";
pub(crate) const ID: &str = "Chain ID";
pub(crate) const CHECK_AGAIN: &str = "Check again";
pub(crate) const DOWNLOAD: &str = "Download the bundle";
pub(crate) const AS_LIST: &str = "As a list of decisions";
pub(crate) const CHECK: &str = "Verify it yourself";
pub(crate) const VERIFICATION_FAILED: &str = "Chain verification failed.";
pub(crate) const PARTLY_CHECKED: &str = "Some signatures could not be checked.";
pub(crate) const FIRST_INVALID: &str = "First invalid step:";
pub(crate) const STEPS: &str = "Steps";
pub(crate) const HEAD: [&str; 7] =
    ["Step", "Verdict", "Recorded (UTC)", "Actor", "Link", "Signature", "Log"];
pub(crate) const DECISION_MISSING: &str = "Decision missing";
pub(crate) const LINK_VALID: &str = "Valid";
pub(crate) const LINK_INVALID: &str = "Invalid";
pub(crate) const SIGNATURE_VALID: &str = "Valid";
pub(crate) const SIGNATURE_INVALID: &str = "Invalid";
pub(crate) const UNKNOWN_KEY: &str = "Unknown key";
pub(crate) const UNSIGNED: &str = "Unsigned";
pub(crate) const ANCHORED: &str = "Anchored";
pub(crate) const NOT_ANCHORED: &str = "Pending";
pub(crate) const SEAL: &str = "Seal";
pub(crate) const SEALED_AT: &str = "Sealed at";
pub(crate) const NO_SEAL: &str = "The chain is sealed, but its seal is missing.";
pub(crate) const LOG: &str = "Transparency log";

/// Returns the status on a badge.
pub(crate) const fn status(status: ChainStatus) -> &'static str {
    match status {
        ChainStatus::Open => "Open",
        ChainStatus::Sealed => "Sealed",
    }
}

/// Returns the status as a sentence.
pub(crate) const fn status_sentence(status: ChainStatus) -> &'static str {
    match status {
        ChainStatus::Open => "Open: more steps can be added",
        ChainStatus::Sealed => "Sealed. No step can be added.",
    }
}

pub(crate) fn all_valid(steps: u32) -> String {
    let steps = count(steps as usize, "step", "steps");
    format!("All links are valid: {steps}, verified from the stored data.")
}

/// Returns, for example, "Unused step numbers: 2, 5 to 7."
pub(crate) fn unused_steps(ranges: &[(u32, u32)]) -> String {
    let range = |(first, last): &(u32, u32)| match last - first {
        0 => first.to_string(),
        _ => format!("{first} to {last}"),
    };
    let ranges = ranges.iter().map(range).collect::<Vec<_>>().join(", ");
    format!("Unused step numbers: {ranges}. This is allowed; callers choose step numbers.")
}

pub(crate) fn first_steps(shown: usize, steps: u32) -> String {
    format!("The first {shown} of {}.", count(steps as usize, "step", "steps"))
}

pub(crate) fn step(number: u32) -> String {
    format!("Step {number}")
}

/// Returns the description of an error code of a chain.
pub(crate) fn problem(code: &str) -> &'static str {
    match code {
        "CHAIN_FORK" => "Two links follow the same one.",
        "LINK_GAP" => "A position is missing.",
        "LINK_MISMATCH" => "A link does not match its hash or its decision.",
        "RECEIPT_MISSING" => "A decision of the chain is missing.",
        "LINK_SIGNATURE_INVALID" => "A link has an invalid signature.",
        "PARENT_NOT_IN_CHAIN" => {
            "The parent of a decision is not an earlier decision of the chain."
        }
        "SEAL_MISMATCH" => "The seal does not match the links.",
        "SEAL_SIGNATURE_INVALID" => "The seal has an invalid signature.",
        "KEY_UNKNOWN" => "Unknown signing key.",
        "KEY_PURPOSE" => "A key was used for another purpose than its own.",
        "KEY_REVOKED" => "A key was revoked.",
        _ => "Verification failed.",
    }
}
