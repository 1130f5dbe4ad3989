//! What is found out about one claim while it is checked.

use std::collections::BTreeSet;

use receipt::fields::Malformed;

use crate::{
    claim::Claim,
    code::{Code, Note, Status},
    report::ClaimReport,
};

/// One claim under way. Of all that is found only what counts most is kept.
#[derive(Debug)]
pub(crate) struct Check {
    claim: Claim,
    worst: Option<(Code, String)>,
    /// All codes that were found, beside the worst one.
    codes: BTreeSet<Code>,
    holds: bool,
    notes: BTreeSet<Note>,
    checked: Vec<&'static str>,
    not_checked: Vec<&'static str>,
}

impl Check {
    pub(crate) const fn new(claim: Claim) -> Self {
        Self {
            claim,
            worst: None,
            codes: BTreeSet::new(),
            holds: false,
            notes: BTreeSet::new(),
            checked: Vec::new(),
            not_checked: Vec::new(),
        }
    }

    /// Notes that something is not as it should be.
    pub(crate) fn found(&mut self, code: Code, detail: impl Into<String>) {
        let counts_more = match &self.worst {
            None => true,
            Some((worst, _)) => self.weight(code) < self.weight(*worst),
        };
        self.codes.insert(code);
        if counts_more {
            self.worst = Some((code, detail.into()));
        }
    }

    /// Adds the findings of a check of one part of the same claim.
    pub(crate) fn absorb(&mut self, part: Self) {
        let Self { claim: _, worst, codes, holds, notes, checked, not_checked } = part;
        if let Some((code, detail)) = worst {
            self.found(code, detail);
        }
        self.codes.extend(codes);
        self.holds |= holds;
        self.notes.extend(notes);
        for what in checked {
            self.checked(what);
        }
        for what in not_checked {
            self.not_checked(what);
        }
    }

    /// Whether the claim is verified by what was found so far.
    pub(crate) fn is_verified(&self) -> bool {
        self.holds && self.codes.iter().all(|code| code.status() < Status::Verified)
    }

    /// The same, unless `good`.
    pub(crate) fn require(&mut self, good: bool, code: Code, detail: &str) {
        if !good {
            self.found(code, detail);
        }
    }

    /// An object that cannot be read: `SCHEMA_MISMATCH`, or else `code`.
    pub(crate) fn malformed(&mut self, fault: Malformed, code: Code) {
        let code = if fault == Malformed::Schema { Code::SchemaMismatch } else { code };
        self.found(code, fault.to_string());
    }

    /// Notes that something exists and was looked at, so that nothing found means verified.
    pub(crate) const fn holds(&mut self) {
        self.holds = true;
    }

    pub(crate) fn note(&mut self, note: Note) {
        self.notes.insert(note);
    }

    pub(crate) fn checked(&mut self, what: &'static str) {
        if !self.checked.contains(&what) {
            self.checked.push(what);
        }
    }

    pub(crate) fn not_checked(&mut self, what: &'static str) {
        if !self.not_checked.contains(&what) {
            self.not_checked.push(what);
        }
    }

    /// Lower counts more: the worst status, then the order of the format.
    fn weight(&self, code: Code) -> (std::cmp::Reverse<Status>, usize) {
        (std::cmp::Reverse(code.status()), self.claim.rank(code))
    }

    pub(crate) fn conclude(self) -> ClaimReport {
        let undecided = |code: &&Code| code.status() == Status::Indeterminate;
        let withheld = self.claim.withheld();
        let only_withheld = self.codes.iter().filter(undecided).all(|code| Some(*code) == withheld);
        let verified = self.holds.then_some(Status::Verified);
        let found = match self.worst {
            Some((code, detail)) if verified.is_none_or(|holds| code.status() > holds) => {
                Some((code, detail))
            }
            None if verified.is_none() => Some((Code::NotEvaluated, String::new())),
            _ => None,
        };
        let (code, detail) = found.unzip();
        ClaimReport {
            name: self.claim.name(),
            status: code.map_or(Status::Verified, Code::status),
            code,
            detail: detail.unwrap_or_default(),
            notes: self.notes,
            checked: self.checked,
            not_checked: self.not_checked,
            only_withheld,
        }
    }
}
