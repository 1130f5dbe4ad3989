//! The rules of the state machine, written from the specification and the contract, without a store.

use std::collections::{BTreeMap, BTreeSet};

use contract::policy::ReviewVerdict;

use super::{
    act::{Act, Sealed, USES},
    state::{By, Grant, Model, Ratified, Status, Submission, Version, Who},
};

/// Done, or the words of a refusal.
type Ending = Result<(), &'static str>;

const MISSING: &str = "404 NOT_FOUND";
const HUMAN: &str = "403 HUMAN_REQUIRED";
const MAKER: &str = "403 MAKER_CHECKER_VIOLATION";
const STALE: &str = "409 STALE_DRAFT_REVISION";
const NOT_DRAFT: &str = "409 INVALID_TRANSITION (VERSION_NOT_DRAFT)";
const NOT_SUBMITTED: &str = "409 INVALID_TRANSITION (VERSION_NOT_SUBMITTED)";

fn unless(is_refused: bool, words: &'static str) -> Ending {
    if is_refused { Err(words) } else { Ok(()) }
}

impl Model {
    pub(super) fn new(mark: u32, maker: usize, maker_checker: bool, review_required: bool) -> Self {
        let versions = BTreeMap::from([(1, Version::draft(mark, maker, None))]);
        let grants = BTreeMap::new();
        Self { versions, grants, latest: 1, active: None, maker_checker, review_required }
    }

    /// The submission that the next seal of a version follows.
    pub(super) fn prior(&self, number: u32) -> Option<(Sealed, &Submission)> {
        let version = self.versions.get(&number)?;
        match version.submissions.last() {
            Some(last) => Some(((number, last.revision), last)),
            None => self.prior(version.corrects?),
        }
    }

    /// How the act of a person ends, and what becomes of the policy.
    pub(super) fn apply(&mut self, Who { person, by }: Who, act: Act) -> Ending {
        if let By::Grant(grant) = by {
            return self.under(grant, act);
        }
        let is_key = by == By::Key;
        match act {
            Act::Create { mark } => self.create(person, mark),
            Act::Edit { version, expected, mark } => self.edit(person, version, expected, mark),
            Act::Submit { version } => self.submit(person, version),
            Act::Recall { version } | Act::Reject { version } => self.send_back(version),
            Act::Delete { version } => self.delete(version),
            Act::Seal { version, answers } => self.seal(person, version, answers),
            Act::Switch { maker_checker, review_required } => {
                self.maker_checker = maker_checker;
                self.review_required = review_required;
                Ok(())
            }
            Act::Deactivate => {
                let words = "409 INVALID_TRANSITION (POLICY_NOT_ACTIVE)";
                self.active.take().map(drop).ok_or(words)
            }
            _ if is_key => Err(HUMAN),
            Act::Issue { version, grant } => self.issue(person, version, grant),
            Act::Revoke { grant } => {
                self.grants.get_mut(&grant).ok_or(MISSING)?.is_revoked = true;
                Ok(())
            }
            Act::Record { version, submission, verdict } => {
                self.record(person, version, submission, verdict)
            }
            Act::Ratify { version, expected } => self.ratify(person, version, expected),
            Act::Activate { version } => self.activate(version),
            Act::SetAside { version } => self.set_aside(version),
            Act::Supersede { version, expected, mark } => {
                self.supersede(person, version, expected, mark)
            }
        }
    }

    /// How the act of a program ends: its grant is looked at first. It acts for whoever issued it.
    fn under(&mut self, id: u32, act: Act) -> Ending {
        let Grant { version: own, issuer, uses, is_revoked } = self.grants[&id].clone();
        let (Act::Edit { version: number, .. }
        | Act::Submit { version: number }
        | Act::Seal { version: number, .. }) = act
        else {
            return Err(HUMAN);
        };
        unless(is_revoked, "403 AUTHORING_CAPABILITY_REVOKED")?;
        unless(uses >= USES, "403 AUTHORING_CAPABILITY_EXHAUSTED")?;
        unless(number != own, "403 AUTHORING_CAPABILITY_OUT_OF_SCOPE")?;
        let before = self.versions.get(&own).map(|version| version.submissions.len());
        self.apply(Who { person: issuer, by: By::Key }, act)?;
        let after = self.versions.get(&own).map(|version| version.submissions.len());
        // A seal that was there is no write.
        if !matches!(act, Act::Seal { .. }) || before != after {
            self.grants.entry(id).and_modify(|grant| grant.uses += 1);
        }
        Ok(())
    }

    fn issue(&mut self, person: usize, number: u32, grant: u32) -> Ending {
        let is_closed = matches!(self.version(number)?.status, Status::Replaced | Status::SetAside);
        unless(is_closed, "409 INVALID_TRANSITION (VERSION_CLOSED)")?;
        let issued = Grant { version: number, issuer: person, uses: 0, is_revoked: false };
        self.grants.insert(grant, issued);
        Ok(())
    }

    /// Whether a live grant names a version. One without uses left binds it still.
    fn is_bound(&self, number: u32) -> bool {
        self.grants.values().any(|grant| grant.version == number && !grant.is_revoked)
    }

    /// Who had a part in a version: its makers, and whoever ever issued a grant on it.
    fn involved(&self, number: u32) -> BTreeSet<usize> {
        let makers = self.versions.get(&number).map(|version| version.makers.clone());
        let grants = self.grants.values().filter(|grant| grant.version == number);
        makers.into_iter().flatten().chain(grants.map(|grant| grant.issuer)).collect()
    }

    fn version(&mut self, number: u32) -> Result<&mut Version, &'static str> {
        self.versions.get_mut(&number).ok_or(MISSING)
    }

    fn draft(&mut self, number: u32) -> Result<&mut Version, &'static str> {
        let version = self.version(number)?;
        unless(version.status != Status::Draft, NOT_DRAFT)?;
        Ok(version)
    }

    fn open(&mut self, mark: u32, maker: usize, corrects: Option<u32>) {
        self.latest += 1;
        self.versions.insert(self.latest, Version::draft(mark, maker, corrects));
    }

    fn create(&mut self, person: usize, mark: u32) -> Ending {
        let is_open = self.versions.values().any(|version| version.status.is_open());
        unless(is_open, "409 DRAFT_EXISTS")?;
        self.open(mark, person, None);
        Ok(())
    }

    fn edit(&mut self, person: usize, number: u32, expected: u32, mark: u32) -> Ending {
        let version = self.draft(number)?;
        unless(version.revision != expected, STALE)?;
        version.revision += 1;
        version.mark = mark;
        version.makers.insert(person);
        Ok(())
    }

    fn submit(&mut self, person: usize, number: u32) -> Ending {
        let version = self.draft(number)?;
        version.status = Status::Submitted;
        version.makers.insert(person);
        Ok(())
    }

    fn send_back(&mut self, number: u32) -> Ending {
        let version = self.version(number)?;
        unless(version.status != Status::Submitted, NOT_SUBMITTED)?;
        version.status = Status::Draft;
        Ok(())
    }

    fn delete(&mut self, number: u32) -> Ending {
        let version = self.draft(number)?;
        let is_sealed = !version.submissions.is_empty();
        unless(is_sealed, "409 INVALID_TRANSITION (VERSION_WAS_SEALED)")?;
        self.versions.remove(&number);
        Ok(())
    }

    fn seal(&mut self, person: usize, number: u32, answers: Option<Sealed>) -> Ending {
        const NOT_SEALABLE: &str = "409 INVALID_TRANSITION (VERSION_NOT_SEALABLE)";
        let version = self.versions.get(&number).ok_or(MISSING)?;
        let (is_open, revision) = (version.status.is_open(), version.revision);
        let returned =
            |(_, sealed): &(Sealed, &Submission)| sealed.verdict == Some(ReviewVerdict::Return);
        let owed = self.prior(number).filter(returned).map(|(id, _)| id);
        unless(!is_open && (answers.is_some() || owed.is_none()), NOT_SEALABLE)?;
        let same = version.submissions.iter().find(|sealed| sealed.revision == revision);
        match (owed, answers) {
            (Some(_), None) => return Err("400 RESUBMISSION_ANSWERS_RECORD_REQUIRED"),
            (Some(owed), Some(named)) if owed != named => {
                return Err("409 RESUBMISSION_ANSWERS_RECORD_MISMATCH");
            }
            (None, Some(named)) if same.is_none_or(|same| same.answers != Some(named)) => {
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
        (owner, revision): Sealed,
        verdict: ReviewVerdict,
    ) -> Ending {
        let is_checked = self.maker_checker;
        let version = self.version(number)?;
        let status = version.status;
        let own = version.submissions.iter_mut().find(|sealed| sealed.revision == revision);
        let sealed = own.filter(|_| owner == number).ok_or(MISSING)?;
        let is_over = matches!(status, Status::Ratified | Status::SetAside);
        unless(is_over, "409 INVALID_TRANSITION (VERSION_NOT_REVIEWABLE)")?;
        unless(is_checked && sealed.sealer == person, MAKER)?;
        unless(sealed.verdict.is_some(), "409 CONFLICT")?;
        sealed.verdict = Some(verdict);
        Ok(())
    }

    fn ratify(&mut self, person: usize, number: u32, expected: u32) -> Ending {
        let (maker_checker, review_required) = (self.maker_checker, self.review_required);
        let makers = self.involved(number);
        let version = self.version(number)?;
        unless(!version.status.is_open(), NOT_SUBMITTED)?;
        unless(version.revision != expected, STALE)?;
        let words = "409 INVALID_TRANSITION (VERSION_RETURNED)";
        unless(version.verdict() == Some(ReviewVerdict::Return), words)?;
        let (is_draft, is_accepted) = (version.status == Status::Draft, version.is_accepted());
        unless(is_draft && !is_accepted && !review_required, NOT_SUBMITTED)?;
        unless(maker_checker && makers.contains(&person), MAKER)?;
        let words = "409 INVALID_TRANSITION (REVIEW_REQUIRED)";
        unless(review_required && !is_accepted, words)?;
        version.status = Status::Ratified;
        let mark = version.mark;
        version.ratified = Some(Ratified { by: person, makers, maker_checker, mark });
        Ok(())
    }

    fn activate(&mut self, number: u32) -> Ending {
        let is_active = self.active == Some(number);
        let version = self.version(number)?;
        let words = "409 INVALID_TRANSITION (VERSION_NOT_RATIFIED)";
        unless(version.status != Status::Ratified, words)?;
        unless(is_active, "409 INVALID_TRANSITION (VERSION_ALREADY_ACTIVE)")?;
        version.was_active = true;
        self.active = Some(number);
        Ok(())
    }

    fn set_aside(&mut self, number: u32) -> Ending {
        let version = self.version(number)?;
        let is_closed = matches!(version.status, Status::Replaced | Status::SetAside);
        unless(is_closed, "409 INVALID_TRANSITION (VERSION_CLOSED)")?;
        unless(version.was_active, "409 INVALID_TRANSITION (VERSION_WAS_ACTIVE)")?;
        version.status = Status::SetAside;
        Ok(())
    }

    fn supersede(&mut self, person: usize, number: u32, expected: u32, mark: u32) -> Ending {
        let is_bound = self.is_bound(number);
        let version = self.draft(number)?;
        unless(is_bound, "409 INVALID_TRANSITION (VERSION_BOUND_TO_CAPABILITY)")?;
        unless(version.revision != expected, STALE)?;
        version.status = Status::Replaced;
        self.open(mark, person, Some(number));
        Ok(())
    }
}
