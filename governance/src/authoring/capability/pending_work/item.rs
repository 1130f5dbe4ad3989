//! The pending action of a version and the time since when it is pending, as pure functions.

use contract::{
    capability::pending_work::{EnteredStateSource, PendingItem, PendingKind, RequestedAct},
    policy::ReviewVerdict,
};
use entity::{policy::Model as Policy, policy_version::Model as Version};

use super::sealed::SealedSubmission;
use crate::base::prelude::*;

#[derive(Clone, Copy)]
pub(super) struct VersionState<'a> {
    pub(super) version: &'a Version,
    pub(super) last: Option<&'a SealedSubmission>,
}

/// The action that a version needs next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PendingAction<'a> {
    action: RequestedAct,
    since: Timestamp,
    source: EnteredStateSource,
    /// The submission that the action derives from.
    sealed: Option<&'a SealedSubmission>,
}

impl<'a> PendingAction<'a> {
    /// Returns the pending action of the head version. A returned version needs its author, which is not
    /// an item.
    pub(super) fn of_head(head: &VersionState<'a>) -> Option<Self> {
        let version = head.version;
        match version.status.0 {
            VersionStatus::Ratified if version.activated_at.is_none() => {
                let since = from_column(version.ratified_at?);
                let (action, source) = (RequestedAct::Activate, EnteredStateSource::RatifiedAt);
                Some(Self { action, since, source, sealed: None })
            }
            VersionStatus::Draft => Self::of_last_submission(head),
            VersionStatus::Submitted => {
                let is_returned = head.last.is_some_and(|last| last.returned().is_some());
                let submitted = || Some(Self::of_unsealed(from_column(version.submitted_at?)));
                Self::of_last_submission(head)
                    .or_else(|| if is_returned { None } else { submitted() })
            }
            _ => None,
        }
    }

    /// Returns the pending action of an earlier draft: at most a review, because it can no longer be
    /// ratified. A draft that was set aside takes no review.
    pub(super) fn of_earlier_draft(earlier: &VersionState<'a>) -> Option<Self> {
        let is_reviewable = earlier.version.status.0 != VersionStatus::SetAside;
        Self::of_last_submission(earlier)
            .filter(|action| is_reviewable && action.action == RequestedAct::Review)
    }

    /// Returns the pending action of the last submission: a review or, after an `ACCEPT` of the current
    /// revision, a ratification.
    fn of_last_submission(subject: &VersionState<'a>) -> Option<Self> {
        let last = subject.last?;
        let (action, since, source) = match &last.record {
            None => (RequestedAct::Review, last.submission.sealed_at, EnteredStateSource::SealedAt),
            Some(record)
                if record.verdict.0 == ReviewVerdict::Accept
                    && last.submission.candidate_revision == subject.version.draft_revision =>
            {
                (RequestedAct::Ratify, record.recorded_at, EnteredStateSource::AcceptRecordedAt)
            }
            Some(_) => return None,
        };
        Some(Self { action, since: from_column(since), source, sealed: Some(last) })
    }

    /// Returns the pending action of a submitted version whose revision was not sealed.
    fn of_unsealed(since: Timestamp) -> Self {
        let (action, source) = (RequestedAct::Review, EnteredStateSource::SubmittedAt);
        Self { action, since, source, sealed: None }
    }

    pub(super) fn item(
        self,
        policy: &Policy,
        subject: &VersionState<'_>,
        successor: Option<u32>,
    ) -> PendingItem {
        let version = subject.version;
        let status = version.status.0;
        let submission = self.sealed.map(|sealed| &sealed.submission);
        let is_activation = self.action == RequestedAct::Activate;
        let record = self.sealed.and_then(|sealed| sealed.record.as_ref());
        PendingItem {
            kind: if is_activation { PendingKind::Activation } else { PendingKind::Review },
            requested_act: self.action,
            policy_id: policy.id.into(),
            policy_name: policy.name.clone(),
            policy_code: policy.code.clone(),
            policy_version_id: version.id.into(),
            version: unsigned(version.version),
            status,
            draft_revision: unsigned(version.draft_revision),
            submission_id: submission.map(|sealed| sealed.id.into()),
            submission_sequence: submission.map(|sealed| unsigned(sealed.sequence)),
            candidate_revision: submission.map(|sealed| unsigned(sealed.candidate_revision)),
            accept_record_id: record.map(|record| record.id.into()),
            superseded_by_version: successor.filter(|_| status == VersionStatus::Replaced),
            entered_state_at: self.since,
            entered_state_source: self.source,
        }
    }
}
