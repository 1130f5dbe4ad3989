//! The verification of a bundle: its result, or the reason why it was not possible.

pub mod error;
pub mod report;

pub use self::{
    error::{CheckError, SECONDS_MAX},
    report::{Claim, Overall, Report, Status},
};
use crate::{prelude::*, text::number::milliseconds};

/// The role of a file in a verification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Bundle,
    Trust,
}

/// The maximum size of a file in bytes. Source: console, part 5.5.
pub const BYTES_MAX: u32 = 20 << 20;

#[derive(Clone, Debug, PartialEq)]
pub struct Checked {
    /// The name of the file.
    pub name: String,
    /// Its size in bytes.
    pub bytes: u32,
    pub report: Report,
    /// What the receipt states.
    pub stated: Option<Stated>,
    /// The report exactly as `govern-verify --json` prints it.
    pub text: String,
    pub took_ms: f64,
    /// The time of verification, from the clock of the browser.
    pub at: Option<Timestamp>,
    /// Whether the keys came from the service itself.
    pub is_published: bool,
}

impl Checked {
    /// Returns whether the result depends on no pinned key.
    pub fn is_unpinned(&self) -> bool {
        let roots = self.report.claims.iter().find(|claim| claim.name == "trust_roots");
        roots.is_some_and(|claim| claim.code.as_deref() == Some("UNPINNED"))
    }

    /// Returns the meaning of the result, and the next step.
    pub fn meaning(&self) -> &'static str {
        match self.report.overall {
            Overall::Verified if self.is_published => {
                "Everything in this bundle was checked with the keys that this service publishes."
            }
            Overall::Verified => {
                "Everything in this bundle was checked with the keys that you trust."
            }
            Overall::Failed => "Verification failed. Do not rely on this bundle.",
            Overall::Incomplete if self.is_unpinned() => {
                "No key is pinned, so the signers are unknown. Enter a fingerprint, or choose a trust document, from an independent source."
            }
            Overall::Incomplete => "No errors were detected, but not everything could be checked.",
        }
    }

    /// Returns, for example, ", 56,320 bytes, checked in 4.10 ms".
    pub fn size_and_time(&self) -> String {
        let size = count(self.bytes as usize, "byte", "bytes");
        format!(", {size}, checked in {} ms", milliseconds(self.took_ms))
    }
}

/// The service's own verification of a decision, for browsers without scripts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum OwnCheck {
    Checked(Box<Report>, Option<Stated>),
    /// The service has no bundle for the ID.
    Missing,
}

/// What the receipt of a bundle states. It is verified only if the claim about the receipt is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stated {
    pub verdict: Verdict,
    pub decision_type: Option<String>,
    pub recorded_at: Option<Timestamp>,
    /// The policy that determined the verdict.
    pub policy: Option<StatedPolicy>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatedPolicy {
    pub name: String,
    pub version: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_of_the_verifier_can_be_parsed() {
        let stated: Stated = serde_json::from_str(
            r#"{"decision_type":"payment","policy":{"name":"Payments","version":3},"recorded_at":"2026-09-02T08:14:00Z","verdict":"DENY"}"#,
        )
        .unwrap();
        assert_eq!(stated.verdict, Verdict::Deny);
        let least: Stated = serde_json::from_str(r#"{"verdict":"ALLOW"}"#).unwrap();
        assert_eq!((least.decision_type, least.policy), (None, None));
    }
}
