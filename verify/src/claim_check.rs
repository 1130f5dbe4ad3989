//! The findings of one claim, collected during its check.

use std::collections::BTreeSet;

use contract::verification::Claim;
use receipt::object_reader::ParseFieldError;

use crate::{
    claim,
    code::{Code, Note, Status},
    report::ClaimReport,
};

/// Collects the result of one claim. Only the failure with the highest priority is reported.
#[derive(Debug)]
pub(crate) struct ClaimCheck {
    claim: Claim,
    worst: Option<(Code, String)>,
    /// All failure codes, including the reported one.
    codes: BTreeSet<Code>,
    is_present: bool,
    notes: BTreeSet<Note>,
    checked: Vec<&'static str>,
    not_checked: Vec<&'static str>,
}

impl ClaimCheck {
    pub(crate) const fn new(claim: Claim) -> Self {
        Self {
            claim,
            worst: None,
            codes: BTreeSet::new(),
            is_present: false,
            notes: BTreeSet::new(),
            checked: Vec::new(),
            not_checked: Vec::new(),
        }
    }

    pub(crate) fn add_failure(&mut self, code: Code, detail: impl Into<String>) {
        let is_worse = match &self.worst {
            None => true,
            Some((worst, _)) => self.priority(code) < self.priority(*worst),
        };
        self.codes.insert(code);
        if is_worse {
            self.worst = Some((code, detail.into()));
        }
    }

    /// Adds the findings for one part of the claim.
    pub(crate) fn merge(&mut self, part: Self) {
        let Self { claim: _, worst, codes, is_present, notes, checked, not_checked } = part;
        if let Some((code, detail)) = worst {
            self.add_failure(code, detail);
        }
        self.codes.extend(codes);
        self.is_present |= is_present;
        self.notes.extend(notes);
        for item in checked {
            self.add_checked(item);
        }
        for item in not_checked {
            self.add_not_checked(item);
        }
    }

    pub(crate) fn is_verified(&self) -> bool {
        self.is_present && self.codes.iter().all(|code| code.status() < Status::Verified)
    }

    /// Records a failure unless `condition` is true.
    pub(crate) fn require(&mut self, condition: bool, code: Code, detail: &str) {
        if !condition {
            self.add_failure(code, detail);
        }
    }

    /// Records a parse failure: `SCHEMA_MISMATCH` for another schema, otherwise `code`.
    pub(crate) fn add_parse_failure(&mut self, error: ParseFieldError, code: Code) {
        let code = if error == ParseFieldError::Schema { Code::SchemaMismatch } else { code };
        self.add_failure(code, error.to_string());
    }

    /// Returns the value, or records the code as a failure.
    pub(crate) fn ok_or_failure<T>(
        &mut self,
        result: Result<T, Code>,
        detail: impl Into<String>,
    ) -> Option<T> {
        result.map_err(|code| self.add_failure(code, detail)).ok()
    }

    /// Returns the value, or records a parse failure.
    pub(crate) fn parsed_or_failure<T>(
        &mut self,
        result: Result<T, ParseFieldError>,
        code: Code,
    ) -> Option<T> {
        result.map_err(|error| self.add_parse_failure(error, code)).ok()
    }

    /// Marks the object of the claim as present. Without failures, the claim is then verified.
    pub(crate) const fn mark_present(&mut self) {
        self.is_present = true;
    }

    pub(crate) fn add_note(&mut self, note: Note) {
        self.notes.insert(note);
    }

    pub(crate) fn add_checked(&mut self, item: &'static str) {
        if !self.checked.contains(&item) {
            self.checked.push(item);
        }
    }

    pub(crate) fn add_not_checked(&mut self, item: &'static str) {
        if !self.not_checked.contains(&item) {
            self.not_checked.push(item);
        }
    }

    /// Returns the priority of a code; the lowest value is reported. The status comes first, then
    /// the order of the format.
    fn priority(&self, code: Code) -> (std::cmp::Reverse<Status>, usize) {
        (std::cmp::Reverse(code.status()), claim::rank(self.claim, code))
    }

    pub(crate) fn into_report(self) -> ClaimReport {
        let is_indeterminate = |code: &&Code| code.status() == Status::Indeterminate;
        let withheld = claim::withheld(self.claim);
        let only_withheld =
            self.codes.iter().filter(is_indeterminate).all(|code| Some(*code) == withheld);
        let verified = self.is_present.then_some(Status::Verified);
        let result = match self.worst {
            Some((code, detail)) if verified.is_none_or(|verified| code.status() > verified) => {
                Some((code, detail))
            }
            None if verified.is_none() => Some((Code::NotEvaluated, String::new())),
            _ => None,
        };
        let (code, detail) = result.unzip();
        ClaimReport {
            name: self.claim,
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
