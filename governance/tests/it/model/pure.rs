//! The rules of the state machine without a database, from the specification and the contract.

use std::collections::{BTreeMap, BTreeSet};

use contract::policy::ReviewVerdict;

use super::{
    action::{Action, SubmissionKey, USES_MAX},
    state::{Credential, Grant, Identity, Model, Ratification, Status, Submission, Version},
};

/// Success, or the summary of an error.
type ActionResult = Result<(), &'static str>;

const NOT_FOUND: &str = "404 NOT_FOUND";
const HUMAN_REQUIRED: &str = "403 HUMAN_REQUIRED";
const MAKER_CHECKER_VIOLATION: &str = "403 MAKER_CHECKER_VIOLATION";
const STALE: &str = "409 STALE_DRAFT_REVISION";
const NOT_DRAFT: &str = "409 INVALID_TRANSITION (VERSION_NOT_DRAFT)";
const NOT_SUBMITTED: &str = "409 INVALID_TRANSITION (VERSION_NOT_SUBMITTED)";

fn refuse_if(is_refused: bool, error: &'static str) -> ActionResult {
    if is_refused { Err(error) } else { Ok(()) }
}

impl Model {
    pub(super) fn new(max: u32, maker: usize, maker_checker: bool, review_required: bool) -> Self {
        let versions = BTreeMap::from([(1, Version::draft(max, maker, None))]);
        let grants = BTreeMap::new();
        Self { versions, grants, latest: 1, active: None, maker_checker, review_required }
    }

    /// Returns the previous submission of a version, or of the drafts that it corrects.
    pub(super) fn previous_submission(&self, number: u32) -> Option<(SubmissionKey, &Submission)> {
        let version = self.versions.get(&number)?;
        match version.submissions.last() {
            Some(last) => Some(((number, last.revision), last)),
            None => self.previous_submission(version.corrects?),
        }
    }

    pub(super) fn apply(
        &mut self,
        Identity { person, credential }: Identity,
        action: Action,
    ) -> ActionResult {
        if let Credential::Grant(grant) = credential {
            return self.apply_with_grant(grant, action);
        }
        let is_key = credential == Credential::Key;
        match action {
            Action::Create { max } => self.create(person, max),
            Action::Edit { version, expected, max } => self.edit(person, version, expected, max),
            Action::Submit { version } => self.submit(person, version),
            Action::Recall { version } | Action::Reject { version } => {
                self.return_to_draft(version)
            }
            Action::Delete { version } => self.delete(version),
            Action::Seal { version, answers } => self.seal(person, version, answers),
            Action::ChangeSettings { maker_checker, review_required } => {
                self.maker_checker = maker_checker;
                self.review_required = review_required;
                Ok(())
            }
            Action::Deactivate => {
                let error = "409 INVALID_TRANSITION (POLICY_NOT_ACTIVE)";
                self.active.take().map(drop).ok_or(error)
            }
            _ if is_key => Err(HUMAN_REQUIRED),
            Action::Issue { version, grant } => self.issue(person, version, grant),
            Action::Revoke { grant } => {
                self.grants.get_mut(&grant).ok_or(NOT_FOUND)?.is_revoked = true;
                Ok(())
            }
            Action::Record { version, submission, verdict } => {
                self.record(person, version, submission, verdict)
            }
            Action::Ratify { version, expected } => self.ratify(person, version, expected),
            Action::Activate { version } => self.activate(version),
            Action::SetAside { version } => self.set_aside(version),
            Action::Supersede { version, expected, max } => {
                self.supersede(person, version, expected, max)
            }
        }
    }

    /// Applies an action of a program: checks its grant, then applies the action for the issuer.
    fn apply_with_grant(&mut self, id: u32, action: Action) -> ActionResult {
        let Grant { version: own, issuer, uses, is_revoked } = self.grants[&id].clone();
        let (Action::Edit { version: number, .. }
        | Action::Submit { version: number }
        | Action::Seal { version: number, .. }) = action
        else {
            return Err(HUMAN_REQUIRED);
        };
        refuse_if(is_revoked, "403 AUTHORING_CAPABILITY_REVOKED")?;
        refuse_if(uses >= USES_MAX, "403 AUTHORING_CAPABILITY_EXHAUSTED")?;
        refuse_if(number != own, "403 AUTHORING_CAPABILITY_OUT_OF_SCOPE")?;
        let before = self.versions.get(&own).map(|version| version.submissions.len());
        self.apply(Identity { person: issuer, credential: Credential::Key }, action)?;
        let after = self.versions.get(&own).map(|version| version.submissions.len());
        // A repeated seal does not write.
        if !matches!(action, Action::Seal { .. }) || before != after {
            self.grants.entry(id).and_modify(|grant| grant.uses += 1);
        }
        Ok(())
    }

    fn issue(&mut self, person: usize, number: u32, grant: u32) -> ActionResult {
        let is_closed = matches!(self.version(number)?.status, Status::Replaced | Status::SetAside);
        refuse_if(is_closed, "409 INVALID_TRANSITION (VERSION_CLOSED)")?;
        let issued = Grant { version: number, issuer: person, uses: 0, is_revoked: false };
        self.grants.insert(grant, issued);
        Ok(())
    }

    /// Returns whether a version has a grant that is not revoked. A grant without uses left counts.
    fn is_bound(&self, number: u32) -> bool {
        self.grants.values().any(|grant| grant.version == number && !grant.is_revoked)
    }

    /// Returns the makers of a version and the issuers of all its grants.
    fn makers_and_issuers(&self, number: u32) -> BTreeSet<usize> {
        let makers = self.versions.get(&number).map(|version| version.makers.clone());
        let grants = self.grants.values().filter(|grant| grant.version == number);
        makers.into_iter().flatten().chain(grants.map(|grant| grant.issuer)).collect()
    }

    fn version(&mut self, number: u32) -> Result<&mut Version, &'static str> {
        self.versions.get_mut(&number).ok_or(NOT_FOUND)
    }

    fn draft(&mut self, number: u32) -> Result<&mut Version, &'static str> {
        let version = self.version(number)?;
        refuse_if(version.status != Status::Draft, NOT_DRAFT)?;
        Ok(version)
    }

    fn add_draft(&mut self, max: u32, maker: usize, corrects: Option<u32>) {
        self.latest += 1;
        self.versions.insert(self.latest, Version::draft(max, maker, corrects));
    }

    fn create(&mut self, person: usize, max: u32) -> ActionResult {
        let is_open = self.versions.values().any(|version| version.status.is_open());
        refuse_if(is_open, "409 DRAFT_EXISTS")?;
        self.add_draft(max, person, None);
        Ok(())
    }

    fn edit(&mut self, person: usize, number: u32, expected: u32, max: u32) -> ActionResult {
        let version = self.draft(number)?;
        refuse_if(version.revision != expected, STALE)?;
        version.revision += 1;
        version.max = max;
        version.makers.insert(person);
        Ok(())
    }

    fn submit(&mut self, person: usize, number: u32) -> ActionResult {
        let version = self.draft(number)?;
        version.status = Status::Submitted;
        version.makers.insert(person);
        Ok(())
    }

    fn return_to_draft(&mut self, number: u32) -> ActionResult {
        let version = self.version(number)?;
        refuse_if(version.status != Status::Submitted, NOT_SUBMITTED)?;
        version.status = Status::Draft;
        Ok(())
    }

    fn delete(&mut self, number: u32) -> ActionResult {
        let version = self.draft(number)?;
        let is_sealed = !version.submissions.is_empty();
        refuse_if(is_sealed, "409 INVALID_TRANSITION (VERSION_WAS_SEALED)")?;
        self.versions.remove(&number);
        Ok(())
    }

    fn seal(&mut self, person: usize, number: u32, answers: Option<SubmissionKey>) -> ActionResult {
        const NOT_SEALABLE: &str = "409 INVALID_TRANSITION (VERSION_NOT_SEALABLE)";
        let version = self.versions.get(&number).ok_or(NOT_FOUND)?;
        let (is_open, revision) = (version.status.is_open(), version.revision);
        let returned = |(_, submission): &(SubmissionKey, &Submission)| {
            submission.verdict == Some(ReviewVerdict::Return)
        };
        let required = self.previous_submission(number).filter(returned).map(|(key, _)| key);
        refuse_if(!is_open && (answers.is_some() || required.is_none()), NOT_SEALABLE)?;
        let same = version.submissions.iter().find(|submission| submission.revision == revision);
        match (required, answers) {
            (Some(_), None) => return Err("400 RESUBMISSION_ANSWERS_RECORD_REQUIRED"),
            (Some(required), Some(answer)) if required != answer => {
                return Err("409 RESUBMISSION_ANSWERS_RECORD_MISMATCH");
            }
            (None, Some(answer)) if same.is_none_or(|same| same.answers != Some(answer)) => {
                return Err("409 RESUBMISSION_PRIOR_NOT_RETURNED");
            }
            _ => {}
        }
        if same.is_none() {
            let version = self.version(number)?;
            version.makers.insert(person);
            version.submissions.push(Submission {
                revision,
                sealer: person,
                answers,
                verdict: None,
            });
        }
        Ok(())
    }

    fn record(
        &mut self,
        person: usize,
        number: u32,
        (owner, revision): SubmissionKey,
        verdict: ReviewVerdict,
    ) -> ActionResult {
        let is_checked = self.maker_checker;
        let version = self.version(number)?;
        let status = version.status;
        let submission = version.submissions.iter_mut().find(|each| each.revision == revision);
        let submission = submission.filter(|_| owner == number).ok_or(NOT_FOUND)?;
        let is_over = matches!(status, Status::Ratified | Status::SetAside);
        refuse_if(is_over, "409 INVALID_TRANSITION (VERSION_NOT_REVIEWABLE)")?;
        refuse_if(is_checked && submission.sealer == person, MAKER_CHECKER_VIOLATION)?;
        refuse_if(submission.verdict.is_some(), "409 CONFLICT")?;
        submission.verdict = Some(verdict);
        Ok(())
    }

    fn ratify(&mut self, person: usize, number: u32, expected: u32) -> ActionResult {
        let (maker_checker, review_required) = (self.maker_checker, self.review_required);
        let makers = self.makers_and_issuers(number);
        let version = self.version(number)?;
        refuse_if(!version.status.is_open(), NOT_SUBMITTED)?;
        refuse_if(version.revision != expected, STALE)?;
        let error = "409 INVALID_TRANSITION (VERSION_RETURNED)";
        refuse_if(version.verdict() == Some(ReviewVerdict::Return), error)?;
        let (is_draft, is_accepted) = (version.status == Status::Draft, version.is_accepted());
        refuse_if(is_draft && !is_accepted && !review_required, NOT_SUBMITTED)?;
        refuse_if(maker_checker && makers.contains(&person), MAKER_CHECKER_VIOLATION)?;
        let error = "409 INVALID_TRANSITION (REVIEW_REQUIRED)";
        refuse_if(review_required && !is_accepted, error)?;
        version.status = Status::Ratified;
        let max = version.max;
        version.ratification = Some(Ratification { ratifier: person, makers, maker_checker, max });
        Ok(())
    }

    fn activate(&mut self, number: u32) -> ActionResult {
        let is_active = self.active == Some(number);
        let version = self.version(number)?;
        let error = "409 INVALID_TRANSITION (VERSION_NOT_RATIFIED)";
        refuse_if(version.status != Status::Ratified, error)?;
        refuse_if(is_active, "409 INVALID_TRANSITION (VERSION_ALREADY_ACTIVE)")?;
        version.was_active = true;
        self.active = Some(number);
        Ok(())
    }

    fn set_aside(&mut self, number: u32) -> ActionResult {
        let version = self.version(number)?;
        let is_closed = matches!(version.status, Status::Replaced | Status::SetAside);
        refuse_if(is_closed, "409 INVALID_TRANSITION (VERSION_CLOSED)")?;
        refuse_if(version.was_active, "409 INVALID_TRANSITION (VERSION_WAS_ACTIVE)")?;
        version.status = Status::SetAside;
        Ok(())
    }

    fn supersede(&mut self, person: usize, number: u32, expected: u32, max: u32) -> ActionResult {
        let is_bound = self.is_bound(number);
        let version = self.draft(number)?;
        refuse_if(is_bound, "409 INVALID_TRANSITION (VERSION_BOUND_TO_CAPABILITY)")?;
        refuse_if(version.revision != expected, STALE)?;
        version.status = Status::Replaced;
        self.add_draft(max, person, Some(number));
        Ok(())
    }
}
