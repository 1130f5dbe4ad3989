//! The report of the verifier.

use contract::verification;

use crate::{prelude::*, verify::words::sentence};

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

    /// Returns the class of the color of the result.
    pub const fn tone(self) -> &'static str {
        match self {
            Self::Verified => "allow",
            Self::Failed => "deny",
            Self::Incomplete => "warn",
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

    /// Returns the class of the color of the status.
    pub const fn tone(self) -> &'static str {
        match self {
            Self::Verified => "allow",
            Self::Failed => "deny",
            Self::NotApplicable => "na",
            Self::Indeterminate => "warn",
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
    fn claims_are_counted_by_status() {
        let report = verify(b"", &Trust::default(), &Options::default()).to_line();
        let report: Report = serde_json::from_str(&report).unwrap();
        assert_eq!(report.counts(), "0 of 10 verified, 1 failed, 9 could not be checked.");
    }
}
