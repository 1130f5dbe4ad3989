//! The verification of a bundle: its result, or the reason why it was not possible.

use contract::{evaluation::Verdict, time::Timestamp, verification};
use serde::{Deserialize, Serialize};

use super::words::sentence;
use crate::text::number::{count, milliseconds};

/// The role of a file in a verification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Bundle,
    Trust,
}

/// The maximum size of a file in bytes. Source: console, part 5.5.
pub const BYTES_MAX: u32 = 20 << 20;

/// The time limit of one verification in seconds. Source: console, part 5.5.
pub const SECONDS_MAX: u32 = 10;

/// The reason why nothing was verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckError {
    /// The file is longer than [`BYTES_MAX`]. Contains its name.
    TooLong(String),
    Unreadable,
    /// The file is not a bundle. Contains its name.
    NotABundle(String),
    /// The line is not a fingerprint. Contains the line.
    NoFingerprint(String),
    Trust(TrustError),
    /// The text is not a decision ID. Contains the text.
    NoId(String),
    /// The service has no bundle for this ID.
    NoBundle(String),
    /// The service has not published a trust registry.
    NoRegistry,
    /// The service returned an unexpected status.
    Answer(u16),
    Unreachable,
    /// The verification took longer than [`SECONDS_MAX`].
    TookTooLong,
    /// The verifier stopped without a result.
    Ended,
    /// The verifier could not be loaded.
    NoVerifier,
}

/// The reason why the trust input is unusable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrustError {
    /// It is neither a trust document nor a trust registry.
    Neither,
    /// A registry without a root key.
    NoRootKey,
    /// A root key without a registry.
    NoRegistry,
    /// The registry has too few signatures of its own root keys.
    Threshold,
    /// The registry has too few signatures of trusted root keys.
    RootKeys,
}

impl TrustError {
    /// Returns the reason as a sentence.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Neither => {
                "The file is neither a trust document nor a trust registry that can be read."
            }
            Self::NoRootKey => {
                "A registry is trusted only with the fingerprint of a root. Add a line with `registry_root=` and the fingerprint."
            }
            Self::NoRegistry => {
                "The fingerprint of a root requires its registry. Choose the registry as the trust document."
            }
            Self::Threshold => "Too few of its own root keys signed the registry.",
            Self::RootKeys => "Too few of the root keys that you trust signed the registry.",
        }
    }
}

impl CheckError {
    /// Parses the error message of the verifier; `name` is the name of the bundle file.
    pub fn of(message: &str, name: &str) -> Self {
        let (code, rest) = message.split_once(' ').unwrap_or((message, ""));
        match code {
            "UNREADABLE" => Self::Unreadable,
            "NO_BUNDLE" => Self::NotABundle(name.to_owned()),
            "NO_FINGERPRINT" => Self::NoFingerprint(rest.to_owned()),
            "NO_DOCUMENT" => Self::Trust(TrustError::Neither),
            "NO_ROOT_KEY" => Self::Trust(TrustError::NoRootKey),
            "NO_REGISTRY" => Self::Trust(TrustError::NoRegistry),
            "THRESHOLD" => Self::Trust(TrustError::Threshold),
            "ROOT_KEYS" => Self::Trust(TrustError::RootKeys),
            _ => Self::Ended,
        }
    }

    /// Returns why nothing was verified, and the next step.
    pub fn text(&self) -> String {
        match self {
            Self::TooLong(name) => format!(
                "`{name}` is over 20 MiB, the limit of this page. Use `govern-verify` for larger bundles."
            ),
            Self::Unreadable => "A file can no longer be read. Choose it again.".to_owned(),
            Self::NotABundle(name) => format!(
                "`{name}` is not a bundle: it is neither an archive nor JSON. Choose the bundle that you downloaded from the service."
            ),
            Self::NoFingerprint(line) => format!(
                "`{line}` is not a fingerprint. A fingerprint has 43 characters; a purpose before it is optional."
            ),
            Self::Trust(why) => why.text().to_owned(),
            Self::NoId(text) => format!("`{text}` is not a valid decision ID."),
            Self::NoBundle(id) => format!(
                "No bundle of {id} was found. If you have its bundle as a file, choose the file."
            ),
            Self::NoRegistry => {
                "This service publishes no trust registry. Use keys from another source.".to_owned()
            }
            Self::Answer(status) => {
                format!("The service responded with status {status}. Try again shortly.")
            }
            Self::Unreachable => {
                "The service cannot be reached. A bundle file can be checked without it.".to_owned()
            }
            Self::TookTooLong => format!(
                "The check took more than {SECONDS_MAX} seconds and was stopped. `govern-verify` has no time limit."
            ),
            Self::Ended => {
                "The verifier stopped unexpectedly. Verify this bundle with `govern-verify`."
                    .to_owned()
            }
            Self::NoVerifier => {
                "The verifier could not be loaded. Reload this page when the service is available."
                    .to_owned()
            }
        }
    }
}

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

/// The displayed members of a report `service-verification-report/v1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    pub overall: Overall,
    pub subject: Option<Subject>,
    /// The ten claims, in order.
    pub claims: Vec<Claim>,
    /// The trust input that was used.
    pub trust: Trusted,
    /// The largest checkpoint of a trusted log under which something was found.
    pub checkpoint: Option<Checkpoint>,
    /// The established facts, as sentences.
    pub established: Vec<String>,
    /// The facts that are not established, as sentences.
    pub not_established: Vec<String>,
}

impl Report {
    /// Returns whether the receipt is verified, and with it what it states.
    pub fn is_receipt_verified(&self) -> bool {
        let receipt = self.claims.iter().find(|claim| claim.name == "receipt");
        receipt.is_some_and(|claim| claim.status == Status::Verified)
    }

    /// Returns, for example, "8 of 10 verified, 1 not applicable, 1 could not be checked."
    pub fn counts(&self) -> String {
        let count_of = |status| self.claims.iter().filter(|claim| claim.status == status).count();
        let rest = [
            (count_of(Status::Failed), "failed"),
            (count_of(Status::NotApplicable), "not applicable"),
            (count_of(Status::Indeterminate), "could not be checked"),
        ];
        let parts = rest.into_iter().filter(|(number, _)| *number > 0);
        let parts = parts.map(|(number, word)| format!("{number} {word}"));
        let first = format!("{} of {} verified", count_of(Status::Verified), self.claims.len());
        [first].into_iter().chain(parts).collect::<Vec<_>>().join(", ") + "."
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Overall {
    /// Everything that exists was checked and is valid.
    Verified,
    /// At least one claim failed.
    Failed,
    /// No claim failed, but at least one could not be checked.
    Incomplete,
}

impl Overall {
    pub const fn label(self) -> &'static str {
        match self {
            Self::Verified => "Verified",
            Self::Failed => "Failed",
            Self::Incomplete => "Incomplete",
        }
    }
}

/// The status of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It exists and is valid.
    Verified,
    /// It exists and is invalid.
    Failed,
    /// It does not exist for this decision.
    NotApplicable,
    /// It exists or is required, and could not be checked.
    Indeterminate,
}

impl Status {
    pub const fn label(self) -> &'static str {
        match self {
            Self::Verified => "Verified",
            Self::Failed => "Failed",
            Self::NotApplicable => "Not applicable",
            Self::Indeterminate => "Could not check",
        }
    }
}

/// The result of one claim.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    pub name: String,
    pub status: Status,
    /// The code of the reason; absent if the claim is verified.
    pub code: Option<String>,
    /// The reason as text.
    pub detail: String,
    /// Further notes, as codes of the report.
    pub notes: Vec<String>,
    /// The checks that were made.
    pub checked: Vec<String>,
    /// The checks that were not made.
    pub not_checked: Vec<String>,
}

impl Claim {
    /// Returns the result of a claim as a sentence.
    pub fn explanation(&self) -> String {
        if self.status == Status::Verified {
            return sentence(self.name.parse().map_or("", verification::Claim::meaning));
        }
        if self.detail.is_empty() {
            return "Nothing could be checked.".to_owned();
        }
        sentence(&self.detail)
    }
}

/// The subject of a bundle: a decision or a chain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    pub decision_id: Option<String>,
    pub chain_id: Option<String>,
    /// The tenant that it belongs to.
    pub tenant_id: Option<String>,
    /// Digest of the decision's statement.
    pub receipt_digest: Option<String>,
    /// The number of links of the chain.
    pub step_count: Option<u32>,
    /// The hash of the last link.
    pub head: Option<String>,
}

/// The trust input that was used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trusted {
    /// The newest version of the trust registry that was reached.
    pub registry_version: Option<u32>,
    /// The pinned fingerprints.
    pub pins: Vec<String>,
}

/// A checkpoint of a transparency log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checkpoint {
    pub origin: String,
    /// The number of entries.
    pub size: u64,
}

#[cfg(test)]
mod tests {
    use verify::{Options, Trust, verify};

    use super::*;

    #[test]
    fn a_report_of_the_verifier_can_be_parsed() {
        let report = verify(b"", &Trust::default(), &Options::default());
        let read: Report = serde_json::from_str(&report.to_line()).unwrap();
        assert_eq!(read.overall, Overall::Failed);
        assert_eq!(read.claims.len(), contract::verification::Claim::ALL.len());
        let failed = read.claims.iter().find(|claim| claim.status == Status::Failed).unwrap();
        assert_eq!(failed.code.as_deref(), Some("ARCHIVE_MALFORMED"));
        assert_eq!(read.not_established.len(), report.not_established().len());
    }

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

    #[test]
    fn claims_are_counted_by_status() {
        let report = verify(b"", &Trust::default(), &Options::default()).to_line();
        let report: Report = serde_json::from_str(&report).unwrap();
        assert_eq!(report.counts(), "0 of 10 verified, 1 failed, 9 could not be checked.");
    }

    #[test]
    fn check_errors_are_parsed_from_their_code() {
        assert_eq!(
            CheckError::of("NO_FINGERPRINT a=b", ""),
            CheckError::NoFingerprint("a=b".to_owned())
        );
        assert_eq!(
            CheckError::of("NO_BUNDLE", "a.pdf"),
            CheckError::NotABundle("a.pdf".to_owned())
        );
        assert_eq!(CheckError::of("THRESHOLD", ""), CheckError::Trust(TrustError::Threshold));
    }
}
