//! The state of the model: one policy and the settings of its tenant.

use std::collections::{BTreeMap, BTreeSet};

use contract::policy::ReviewVerdict;

use super::action::SubmissionKey;

/// The person who performs an action, and the credential used for it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Identity {
    pub(super) person: usize,
    pub(super) credential: Credential,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Credential {
    Session,
    Key,
    /// The key of a program, with the number of its grant.
    Grant(u32),
}

contract::named_enum! {
    pub(super) enum Status {
        Draft = "draft",
        Submitted = "submitted",
        Ratified = "ratified",
        Replaced = "replaced",
        SetAside = "set_aside",
    }
}

impl Status {
    pub(super) const fn is_open(self) -> bool {
        matches!(self, Self::Draft | Self::Submitted)
    }
}

/// A review submission, with the returned submission that it answers and its verdict.
#[derive(Clone, Debug)]
pub(super) struct Submission {
    pub(super) revision: u32,
    pub(super) sealer: usize,
    pub(super) answers: Option<SubmissionKey>,
    pub(super) verdict: Option<ReviewVerdict>,
}

#[derive(Clone, Debug)]
pub(super) struct Ratification {
    pub(super) ratifier: usize,
    pub(super) makers: BTreeSet<usize>,
    pub(super) maker_checker: bool,
    pub(super) max: u32,
}

/// A capability grant for one version.
#[derive(Clone, Debug)]
pub(super) struct Grant {
    pub(super) version: u32,
    pub(super) issuer: usize,
    pub(super) uses: u32,
    pub(super) is_revoked: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Version {
    pub(super) status: Status,
    pub(super) revision: u32,
    pub(super) max: u32,
    pub(super) makers: BTreeSet<usize>,
    pub(super) was_active: bool,
    pub(super) corrects: Option<u32>,
    pub(super) submissions: Vec<Submission>,
    pub(super) ratification: Option<Ratification>,
}

impl Version {
    pub(super) fn draft(max: u32, maker: usize, corrects: Option<u32>) -> Self {
        Self {
            status: Status::Draft,
            revision: 1,
            max,
            makers: BTreeSet::from([maker]),
            was_active: false,
            corrects,
            submissions: Vec::new(),
            ratification: None,
        }
    }

    /// Returns the verdict on the current revision.
    pub(super) fn verdict(&self) -> Option<ReviewVerdict> {
        self.submissions.iter().find(|submission| submission.revision == self.revision)?.verdict
    }

    pub(super) fn is_accepted(&self) -> bool {
        self.verdict() == Some(ReviewVerdict::Accept)
    }
}

/// One policy and the settings of its tenant.
#[derive(Clone, Debug)]
pub(super) struct Model {
    pub(super) versions: BTreeMap<u32, Version>,
    pub(super) grants: BTreeMap<u32, Grant>,
    pub(super) latest: u32,
    pub(super) active: Option<u32>,
    pub(super) maker_checker: bool,
    pub(super) review_required: bool,
}
