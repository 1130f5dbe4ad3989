//! The report: what each claim came to, and what that does and does not establish.

mod text;
mod words;

use std::collections::BTreeSet;

use contract::{
    json::{Number, Object, Value},
    verification,
};
use receipt::{bundle::Subject, log::Checkpoint};

use crate::{
    bundle::Kind,
    code::{Code, Note, Status},
};

pub use self::text::Shown;

/// What a bundle came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overall {
    /// Everything that exists was checked and holds.
    Verified,
    /// Something is wrong.
    Failed,
    /// Nothing is wrong, but something could not be decided.
    Incomplete,
}

impl Overall {
    /// The word of the report.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Verified => "verified",
            Self::Failed => "failed",
            Self::Incomplete => "incomplete",
        }
    }

    /// What `govern-verify` exits with.
    pub const fn exit_code(self) -> u8 {
        match self {
            Self::Verified => 0,
            Self::Failed => 1,
            Self::Incomplete => 3,
        }
    }

    /// What claims come to together.
    pub(crate) fn of(claims: &[ClaimReport], allow_withheld: bool) -> Self {
        let stands = |claim: &ClaimReport| match claim.status {
            Status::Verified | Status::NotApplicable => true,
            Status::Indeterminate => allow_withheld && claim.only_withheld,
            Status::Failed => false,
        };
        if claims.iter().any(|claim| claim.status == Status::Failed) {
            Self::Failed
        } else if claims.iter().all(stands) {
            Self::Verified
        } else {
            Self::Incomplete
        }
    }
}

/// What one claim came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimReport {
    /// Which claim.
    pub name: &'static str,
    /// How it stands.
    pub status: Status,
    /// Why, unless it is verified.
    pub code: Option<Code>,
    /// The same for people.
    pub detail: String,
    /// What else there is to know.
    pub notes: BTreeSet<Note>,
    /// What was looked at, for people.
    pub checked: Vec<&'static str>,
    /// What was not, for people.
    pub not_checked: Vec<&'static str>,
    /// Whether everything that could not be decided is context or evidence data that was withheld, for
    /// all receipts of the bundle.
    pub(crate) only_withheld: bool,
}

/// What a check of a bundle came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// All claims together.
    pub overall: Overall,
    /// `decision` or `chain`; absent when the bundle cannot be read.
    pub(crate) kind: Option<Kind>,
    /// What the members are about.
    pub subject: Option<Subject>,
    /// The ten claims, in order.
    pub claims: Vec<ClaimReport>,
    /// The newest version of the registry that was reached from a pinned one.
    pub registry_version: Option<u32>,
    /// The pinned kids.
    pub pins: BTreeSet<String>,
    /// The greatest checkpoint of a pinned log under which something was found.
    pub checkpoint: Option<Checkpoint>,
}

impl Report {
    /// The claim called `name`.
    pub fn claim(&self, name: &str) -> Option<&ClaimReport> {
        self.claims.iter().find(|claim| claim.name == name)
    }

    /// What follows, in sentences.
    pub fn established(&self) -> Vec<&'static str> {
        words::established(self)
    }

    /// What does not follow, in sentences.
    pub fn not_established(&self) -> Vec<String> {
        words::not_established(self)
    }

    /// The report as `govern-verify --json` prints it: its canonical text, and a line feed.
    pub fn to_line(&self) -> String {
        let mut text = self.to_value().to_canonical();
        text.push('\n');
        text
    }

    /// The report as an object.
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
    /// What the claim says, as far as it is verified.
    pub fn meaning(&self) -> &'static str {
        verification::meaning(self.name)
    }

    fn to_value(&self) -> Value {
        Object::from([
            ("name", self.name.into()),
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
