//! What the model remembers of one policy.

use std::collections::{BTreeMap, BTreeSet};

use contract::policy::ReviewVerdict;

use super::act::Sealed;

/// Which person stands behind an act, and by what they act.
#[derive(Clone, Copy, Debug)]
pub(super) struct Who {
    pub(super) person: usize,
    pub(super) by: By,
}

/// By what a person acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum By {
    Session,
    Key,
    /// The key of a program, which carries this grant.
    Grant(u32),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    Draft,
    Submitted,
    Ratified,
    Replaced,
    SetAside,
}

impl Status {
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Submitted => "submitted",
            Self::Ratified => "ratified",
            Self::Replaced => "replaced",
            Self::SetAside => "set_aside",
        }
    }

    pub(super) const fn is_open(self) -> bool {
        matches!(self, Self::Draft | Self::Submitted)
    }
}

/// What was sealed, by whom, what it answers, and what was found.
#[derive(Clone, Debug)]
pub(super) struct Submission {
    pub(super) revision: u32,
    pub(super) sealer: usize,
    pub(super) answers: Option<Sealed>,
    pub(super) verdict: Option<ReviewVerdict>,
}

/// How a version was ratified.
#[derive(Clone, Debug)]
pub(super) struct Ratified {
    pub(super) by: usize,
    pub(super) makers: BTreeSet<usize>,
    pub(super) maker_checker: bool,
    pub(super) mark: u32,
}

/// A grant of work on one version.
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
    pub(super) mark: u32,
    pub(super) makers: BTreeSet<usize>,
    pub(super) was_active: bool,
    pub(super) corrects: Option<u32>,
    pub(super) submissions: Vec<Submission>,
    pub(super) ratified: Option<Ratified>,
}

impl Version {
    pub(super) fn draft(mark: u32, maker: usize, corrects: Option<u32>) -> Self {
        Self {
            status: Status::Draft,
            revision: 1,
            mark,
            makers: BTreeSet::from([maker]),
            was_active: false,
            corrects,
            submissions: Vec::new(),
            ratified: None,
        }
    }

    /// The verdict on the revision that the version now has.
    pub(super) fn verdict(&self) -> Option<ReviewVerdict> {
        self.submissions.iter().find(|sealed| sealed.revision == self.revision)?.verdict
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
