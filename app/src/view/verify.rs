//! A check of a bundle: what it came to, or why there was none.

use contract::time::Timestamp;
use serde::{Deserialize, Serialize};

/// What a file is given as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// What is checked.
    Bundle,
    /// What is trusted.
    Trust,
}

/// The most bytes of a file that are read. Source: console, part 5.5.
pub const BYTES_MAX: u32 = 20 << 20;

/// How many seconds one check may take. Source: console, part 5.5.
pub const SECONDS_MAX: u32 = 10;

/// Why nothing was checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The file has more than [`BYTES_MAX`] bytes.
    TooLong(String),
    /// A file could not be read.
    Unreadable,
    /// The file is no bundle at all.
    NotABundle(String),
    /// The line is no fingerprint.
    NoFingerprint(String),
    /// What is to be trusted cannot be.
    Trust(Unusable),
    /// The text is no decision's id.
    NoId(String),
    /// The service gives no bundle for this id.
    NoBundle(String),
    /// The service publishes no registry.
    NoRegistry,
    /// The service gave another answer, with this status.
    Answer(u16),
    /// The service could not be asked.
    Unreachable,
    /// The check took more than [`SECONDS_MAX`] seconds.
    TookTooLong,
    /// The verifier came to an end without an answer.
    Ended,
    /// The verifier did not arrive.
    NoVerifier,
}

/// Why what is to be trusted cannot be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unusable {
    /// It is neither a trust document nor a registry.
    Neither,
    /// There is a registry, and no key of its roots.
    NoRootKey,
    /// There is a key of roots, and no registry.
    NoRegistry,
    /// The registry is not signed by its own roots.
    Threshold,
    /// Too few of the roots that are trusted signed it.
    RootKeys,
}

impl Refused {
    /// What the verifier said of the file called `name`, in its words.
    pub fn of(said: &str, name: &str) -> Self {
        let (word, rest) = said.split_once(' ').unwrap_or((said, ""));
        match word {
            "UNREADABLE" => Self::Unreadable,
            "NO_BUNDLE" => Self::NotABundle(name.to_owned()),
            "NO_FINGERPRINT" => Self::NoFingerprint(rest.to_owned()),
            "NO_DOCUMENT" => Self::Trust(Unusable::Neither),
            "NO_ROOT_KEY" => Self::Trust(Unusable::NoRootKey),
            "NO_REGISTRY" => Self::Trust(Unusable::NoRegistry),
            "THRESHOLD" => Self::Trust(Unusable::Threshold),
            "ROOT_KEYS" => Self::Trust(Unusable::RootKeys),
            _ => Self::Ended,
        }
    }
}

/// What a check came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Checked {
    /// What the file is called.
    pub name: String,
    /// How many bytes it has.
    pub bytes: u32,
    /// What the verifier found.
    pub report: Report,
    /// The same as `govern-verify --json` prints it, to the byte.
    pub text: String,
    /// How long it took, in milliseconds.
    pub took_ms: f64,
    /// When it was done, by the reader's clock.
    pub at: Option<Timestamp>,
    /// Whether the keys came from the service itself.
    pub is_published: bool,
}

impl Checked {
    /// Whether the result rests on no key at all.
    pub fn is_unpinned(&self) -> bool {
        let roots = self.report.claims.iter().find(|claim| claim.name == "trust_roots");
        roots.is_some_and(|claim| claim.code.as_deref() == Some("UNPINNED"))
    }
}

/// What the service itself finds of a decision, for readers without scripts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum OwnCheck {
    /// What the verifier found.
    Found(Box<Report>),
    /// There is no bundle for the id.
    Missing,
}

/// A report `service-verification-report/v1`, as far as it is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// All claims together.
    pub overall: Overall,
    /// What the bundle is about.
    pub subject: Option<Subject>,
    /// The ten claims, in order.
    pub claims: Vec<Claim>,
    /// What was trusted.
    pub trust: Trusted,
    /// The greatest checkpoint of a trusted log under which something was found.
    pub checkpoint: Option<Checkpoint>,
    /// What follows, in sentences.
    pub established: Vec<String>,
    /// What does not, in sentences.
    pub not_established: Vec<String>,
}

/// What a bundle came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Overall {
    /// Everything that exists was checked and holds.
    Verified,
    /// Something is wrong.
    Failed,
    /// Nothing is wrong, but something could not be decided.
    Incomplete,
}

/// How a claim stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It exists and holds.
    Verified,
    /// It exists and is wrong.
    Failed,
    /// It does not exist for this decision.
    NotApplicable,
    /// It exists or should, and could not be decided.
    Indeterminate,
}

/// What one claim came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// Which claim.
    pub name: String,
    /// How it stands.
    pub status: Status,
    /// Why, unless it is verified.
    pub code: Option<String>,
    /// The same in words.
    pub detail: String,
    /// What else there is to know, in words of the report.
    pub notes: Vec<String>,
    /// What was looked at.
    pub checked: Vec<String>,
    /// What was not.
    pub not_checked: Vec<String>,
}

/// What a bundle is about: a decision or a chain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    /// The decision.
    pub decision_id: Option<String>,
    /// The chain.
    pub chain_id: Option<String>,
    /// Whose it is.
    pub tenant_id: Option<String>,
    /// Digest of the decision's statement.
    pub receipt_digest: Option<String>,
    /// How many links the chain has.
    pub step_count: Option<u32>,
    /// Hash of the last link.
    pub head: Option<String>,
}

/// What was trusted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trusted {
    /// The newest version of the registry that was reached.
    pub registry_version: Option<u32>,
    /// The pinned fingerprints.
    pub pins: Vec<String>,
}

/// A state of a log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// Which log.
    pub origin: String,
    /// How many entries it has.
    pub size: u64,
}

#[cfg(test)]
mod tests {
    use verify::{Options, Trust, verify};

    use super::*;

    #[test]
    fn the_report_of_the_verifier_is_read() {
        let report = verify(b"", &Trust::default(), &Options::default());
        let read: Report = serde_json::from_str(&report.to_line()).unwrap();
        assert_eq!(read.overall, Overall::Failed);
        assert_eq!(read.claims.len(), contract::verification::CLAIMS.len());
        let failed = read.claims.iter().find(|claim| claim.status == Status::Failed).unwrap();
        assert_eq!(failed.code.as_deref(), Some("ARCHIVE_MALFORMED"));
        assert_eq!(read.not_established.len(), report.not_established().len());
    }

    #[test]
    fn a_refusal_is_read_from_its_word() {
        assert_eq!(Refused::of("NO_FINGERPRINT a=b", ""), Refused::NoFingerprint("a=b".to_owned()));
        assert_eq!(Refused::of("NO_BUNDLE", "a.pdf"), Refused::NotABundle("a.pdf".to_owned()));
        assert_eq!(Refused::of("THRESHOLD", ""), Refused::Trust(Unusable::Threshold));
    }
}
