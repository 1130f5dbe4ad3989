//! Which act a version waits for, and since when, as pure functions of what was read.

use contract::{
    capability::pending_work::{EnteredStateSource, PendingItem, PendingKind, RequestedAct},
    policy::{ReviewVerdict, VersionStatus},
    time::Timestamp,
};
use entity::{
    column::{instant, number},
    policy::Model as Policy,
    policy_version::Model as Version,
};

use super::sealed::Sealed;

/// A version, and what was sealed of it last.
#[derive(Clone, Copy)]
pub(super) struct Subject<'a> {
    pub(super) version: &'a Version,
    pub(super) last: Option<&'a Sealed>,
}

/// The act that a version waits for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Due<'a> {
    act: RequestedAct,
    since: Timestamp,
    source: EnteredStateSource,
    /// The submission from which it derives.
    from: Option<&'a Sealed>,
}

impl<'a> Due<'a> {
    /// What the head version waits for. A returned one waits for its author, which is no item.
    pub(super) fn of_head(head: &Subject<'a>) -> Option<Self> {
        let version = head.version;
        match version.status.0 {
            VersionStatus::Ratified if version.activated_at.is_none() => {
                let since = instant(version.ratified_at?);
                let (act, source) = (RequestedAct::Activate, EnteredStateSource::RatifiedAt);
                Some(Self { act, since, source, from: None })
            }
            VersionStatus::Draft => Self::of_sealed(head),
            VersionStatus::Submitted => {
                let is_judged = head.last.is_some_and(|last| last.returned().is_some());
                let submitted = || Some(Self::of_submitted(instant(version.submitted_at?)));
                Self::of_sealed(head).or_else(|| if is_judged { None } else { submitted() })
            }
            _ => None,
        }
    }

    /// What an earlier draft waits for: at most a review, because it cannot be ratified any more. One that
    /// was set aside takes no review.
    pub(super) fn of_earlier(earlier: &Subject<'a>) -> Option<Self> {
        let is_reviewable = earlier.version.status.0 != VersionStatus::SetAside;
        Self::of_sealed(earlier).filter(|due| is_reviewable && due.act == RequestedAct::Review)
    }

    /// What the last submission waits for: a record, or with an `ACCEPT` of the version as it now is, a
    /// ratification.
    fn of_sealed(subject: &Subject<'a>) -> Option<Self> {
        let last = subject.last?;
        let (act, at, source) = match &last.record {
            None => (RequestedAct::Review, last.submission.sealed_at, EnteredStateSource::SealedAt),
            Some(record)
                if record.verdict.0 == ReviewVerdict::Accept
                    && last.submission.candidate_revision == subject.version.draft_revision =>
            {
                (RequestedAct::Ratify, record.recorded_at, EnteredStateSource::AcceptRecordedAt)
            }
            Some(_) => return None,
        };
        Some(Self { act, since: instant(at), source, from: Some(last) })
    }

    /// A version that was submitted, and whose revision was not sealed.
    fn of_submitted(since: Timestamp) -> Self {
        let (act, source) = (RequestedAct::Review, EnteredStateSource::SubmittedAt);
        Self { act, since, source, from: None }
    }

    /// The item.
    pub(super) fn item(
        self,
        policy: &Policy,
        of: &Subject<'_>,
        successor: Option<u32>,
    ) -> PendingItem {
        let version = of.version;
        let status = version.status.0;
        let submission = self.from.map(|sealed| &sealed.submission);
        let is_activation = self.act == RequestedAct::Activate;
        let record = self.from.and_then(|sealed| sealed.record.as_ref());
        PendingItem {
            kind: if is_activation { PendingKind::Activation } else { PendingKind::Review },
            requested_act: self.act,
            policy_id: policy.id.into(),
            policy_name: policy.name.clone(),
            policy_code: policy.code.clone(),
            policy_version_id: version.id.into(),
            version: number(version.version),
            status,
            draft_revision: number(version.draft_revision),
            submission_id: submission.map(|sealed| sealed.id.into()),
            submission_sequence: submission.map(|sealed| number(sealed.sequence)),
            candidate_revision: submission.map(|sealed| number(sealed.candidate_revision)),
            accept_record_id: record.map(|record| record.id.into()),
            superseded_by_version: successor.filter(|_| status == VersionStatus::Replaced),
            entered_state_at: self.since,
            entered_state_source: self.source,
        }
    }
}
