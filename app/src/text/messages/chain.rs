//! Texts of `/t/{tenant}/chains/{chain}`.

use contract::chain::ChainStatus;

use crate::{text::number::count, view::chain::SealPart};

pub(crate) const TITLE: &str = "Chain";
pub(crate) const LEAD: &str = "Decisions in the order in which they were recorded. Each link holds a receipt and names the link before \
     it, so that none can be changed, taken out or put in between unseen.";
pub(crate) const ID: &str = "Chain id";
pub(crate) const AGAIN: &str = "Check again";
pub(crate) const DOWNLOAD: &str = "Download the bundle";
pub(crate) const IN_LOG: &str = "As a list of decisions";
pub(crate) const CHECK: &str = "Check it yourself";
pub(crate) const BROKEN: &str = "This chain does not hold.";
pub(crate) const UNDECIDED: &str = "Not every signature could be checked.";
pub(crate) const FIRST_BAD: &str = "The first bad step is";
pub(crate) const STEPS: &str = "Steps";
pub(crate) const HEAD: [&str; 7] =
    ["Step", "Verdict", "Recorded (UTC)", "Actor", "Link", "Signature", "Log"];
pub(crate) const GONE: &str = "The decision is not there";
pub(crate) const HOLDS: &str = "Holds";
pub(crate) const DOES_NOT_HOLD: &str = "Does not hold";
pub(crate) const GOOD: &str = "Good";
pub(crate) const WRONG: &str = "Not good";
pub(crate) const UNCHECKED: &str = "Unknown key";
pub(crate) const UNSIGNED: &str = "Unsigned";
pub(crate) const LOGGED: &str = "In the log";
pub(crate) const NOT_LOGGED: &str = "Not yet";
pub(crate) const SEAL: &str = "Seal";
pub(crate) const SEALED_AT: &str = "Sealed at";
pub(crate) const NO_SEAL: &str = "The chain is closed, and its seal is not there.";
pub(crate) const LOG: &str = "Transparency log";

/// Returns the status on a badge.
pub(crate) const fn status(status: ChainStatus) -> &'static str {
    match status {
        ChainStatus::Open => "Open",
        ChainStatus::Sealed => "Sealed",
    }
}

/// Returns the status as a sentence.
pub(crate) const fn standing(status: ChainStatus) -> &'static str {
    match status {
        ChainStatus::Open => "Open. Later steps can still be added.",
        ChainStatus::Sealed => "Sealed. No step can be added.",
    }
}

/// Returns, for example, "Every link holds: 3 steps, checked now from what is stored."
pub(crate) fn holds(steps: u32) -> String {
    let steps = count(steps as usize, "step", "steps");
    format!("Every link holds: {steps}, checked now from what is stored.")
}

/// Returns, for example, "Steps without a decision: 2, 5 to 7."
pub(crate) fn missing(ranges: &[(u32, u32)]) -> String {
    let range = |(first, last): &(u32, u32)| match last - first {
        0 => first.to_string(),
        _ => format!("{first} to {last}"),
    };
    let ranges = ranges.iter().map(range).collect::<Vec<_>>().join(", ");
    format!("Steps without a decision: {ranges}. That is allowed: whoever records names the steps.")
}

/// Returns, for example, "The first 200 of 1,250 steps."
pub(crate) fn first(shown: usize, steps: u32) -> String {
    format!("The first {shown} of {}.", count(steps as usize, "step", "steps"))
}

/// Returns the name of a step, the text of the link to its decision.
pub(crate) fn step(number: u32) -> String {
    format!("Step {number}")
}

/// Returns the display name of a digest of the seal.
pub(crate) const fn part(part: SealPart) -> &'static str {
    match part {
        SealPart::Seal => "Seal digest",
        SealPart::Head => "Last link",
        SealPart::Root => "Root over all links",
        SealPart::Key => "Key id",
    }
}

/// Returns the description of an error code of a chain.
pub(crate) fn problem(code: &str) -> &'static str {
    match code {
        "CHAIN_FORK" => "Two links follow the same one.",
        "LINK_GAP" => "A position is missing.",
        "LINK_MISMATCH" => "A link is not what was hashed, or not of its decision.",
        "RECEIPT_MISSING" => "A decision of the chain is not there.",
        "LINK_SIGNATURE_INVALID" => "A signature over a link is wrong.",
        "PARENT_NOT_IN_CHAIN" => "A decision follows one that is not before it in the chain.",
        "SEAL_MISMATCH" => "The seal is not of these links.",
        "SEAL_SIGNATURE_INVALID" => "The signature over the seal is wrong.",
        "KEY_UNKNOWN" => "A key is none of this service.",
        "KEY_PURPOSE" => "A key has signed what it must not sign.",
        "KEY_REVOKED" => "A key was revoked.",
        _ => "Something else is wrong.",
    }
}
