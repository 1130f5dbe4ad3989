//! The verification report: the result of each claim, and what the results establish.

mod conclusions;
mod text;

use std::collections::BTreeSet;

use contract::{
    json::{Number, Object, Value},
    verification::Claim,
};
use receipt::{bundle::Subject, transparency_log::Checkpoint};

use crate::{
    bundle::Kind,
    code::{Code, Note, Status},
};

pub use self::text::ReportDisplay;
#[cfg(feature = "command")]
pub(crate) use self::text::without_controls;

contract::named_enum! {
    /// The overall result of a verification.
    pub enum Overall {
        /// All existing objects were checked and are valid.
        Verified = "verified",
        /// At least one claim failed.
        Failed = "failed",
        /// No claim failed, but at least one could not be checked.
        Incomplete = "incomplete",
    }
}

impl Overall {
    /// Returns the exit code of `govern-verify`.
    pub const fn exit_code(self) -> u8 {
        match self {
            Self::Verified => 0,
            Self::Failed => 1,
            Self::Incomplete => 3,
        }
    }

    pub(crate) fn from_claims(claims: &[ClaimReport], allow_withheld: bool) -> Self {
        let is_accepted = |claim: &ClaimReport| match claim.status {
            Status::Verified | Status::NotApplicable => true,
            Status::Indeterminate => allow_withheld && claim.only_withheld,
            Status::Failed => false,
        };
        if claims.iter().any(|claim| claim.status == Status::Failed) {
            Self::Failed
        } else if claims.iter().all(is_accepted) {
            Self::Verified
        } else {
            Self::Incomplete
        }
    }
}

/// The result of one claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimReport {
    /// The claim.
    pub name: Claim,
    /// The status of the claim.
    pub status: Status,
    /// The reason; absent when the claim is verified.
    pub code: Option<Code>,
    /// A description of the reason.
    pub detail: String,
    /// Additional information.
    pub notes: BTreeSet<Note>,
    /// The checked parts.
    pub checked: Vec<&'static str>,
    /// The parts that were not checked.
    pub not_checked: Vec<&'static str>,
    /// Whether only withheld context or evidence data prevented checks, for all receipts of the
    /// bundle.
    pub(crate) only_withheld: bool,
}

/// The result of verifying a bundle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The overall result.
    pub overall: Overall,
    /// `decision` or `chain`; absent if the bundle cannot be read.
    pub(crate) kind: Option<Kind>,
    /// The decision or chain that the bundle proves, according to its files.
    pub subject: Option<Subject>,
    /// The ten claims, in report order.
    pub claims: Vec<ClaimReport>,
    /// The newest registry version reached from a pinned one.
    pub registry_version: Option<u32>,
    /// The IDs of the pinned keys.
    pub pins: BTreeSet<String>,
    /// The largest checkpoint of a trusted log with a verified inclusion.
    pub checkpoint: Option<Checkpoint>,
}

impl Report {
    /// Returns the result of a claim.
    pub fn claim(&self, claim: Claim) -> Option<&ClaimReport> {
        self.claims.iter().find(|report| report.name == claim)
    }

    /// Returns sentences about what the report establishes.
    pub fn established(&self) -> Vec<&'static str> {
        conclusions::established(self)
    }

    /// Returns sentences about what the report does not establish.
    pub fn not_established(&self) -> Vec<String> {
        conclusions::not_established(self)
    }

    /// Returns the output of `govern-verify --json`: the canonical report and a line feed.
    pub fn to_line(&self) -> String {
        let mut text = self.to_value().to_canonical();
        text.push('\n');
        text
    }

    /// Returns the report as JSON.
    pub fn to_value(&self) -> Value {
        let subject = self.subject.as_ref().map_or(Value::Null, |subject| {
            let text = subject.canonical().text;
            Value::parse(text.as_bytes(), &contract::json::Limits::REQUEST).unwrap_or_default()
        });
        let version = self.registry_version.map_or(Value::Null, Value::from);
        let pins: Value = self.pins.iter().map(String::as_str).collect();
        let checkpoint = self.checkpoint.as_ref().map_or(Value::Null, |checkpoint| {
            let size = Number::try_from(checkpoint.size).unwrap_or_default();
            Value::from(Object::from([
                ("origin", checkpoint.origin.as_str().into()),
                ("size", size.into()),
                ("root", checkpoint.root.into()),
            ]))
        });
        Object::from([
            ("schema", "service-verification-report/v1".into()),
            ("overall", self.overall.as_str().into()),
            ("exit_code", u32::from(self.overall.exit_code()).into()),
            ("kind", self.kind.map_or(Value::Null, |kind| kind.as_str().into())),
            ("subject", subject),
            ("claims", self.claims.iter().map(ClaimReport::to_value).collect()),
            ("trust", Object::from([("registry_version", version), ("pins", pins)]).into()),
            ("checkpoint", checkpoint),
            ("established", self.established().into_iter().collect()),
            ("not_established", self.not_established().into_iter().collect()),
        ])
        .into()
    }
}

impl ClaimReport {
    fn to_value(&self) -> Value {
        Object::from([
            ("name", self.name.as_str().into()),
            ("status", self.status.as_str().into()),
            ("code", self.code.map_or(Value::Null, |code| code.as_str().into())),
            ("detail", self.detail.as_str().into()),
            ("notes", self.notes.iter().map(|note| note.as_str()).collect()),
            ("checked", self.checked.iter().copied().collect()),
            ("not_checked", self.not_checked.iter().copied().collect()),
        ])
        .into()
    }
}
