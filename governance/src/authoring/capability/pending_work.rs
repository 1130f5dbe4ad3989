//! Pending work of a capability (specification, "pending-work"), read with several statements without a
//! snapshot.

mod sealed;

use contract::{
    capability::pending_work::{
        EnteredStateSource, PendingItem, PendingKind, PendingWork, RequestedAct,
    },
    policy::ReviewVerdict,
};
use entity::{
    capability_grant::Model as Grant,
    policy as policies,
    policy::Model as Policy,
    policy_version::{self as versions, Model as Version},
};

use self::sealed::SealedSubmission;
use super::lineage::GrantLineage;
use crate::{
    access::permission,
    authoring::policy::version::draft_lineage::{self, DraftLineage},
    base::{error::capability as refuse, prelude::*},
};

/// Returns the pending reviews and activations of the version that the calling key's grant names.
/// Includes the earlier draft whose requested changes its next seal addresses, if a grant of the
/// lineage names that draft.
///
/// # Errors
/// `FORBIDDEN` for callers other than capability holders; `AUTHORING_CAPABILITY_…`, of which
/// `_OBJECT_MISMATCH` also for a grant that was carried over during the call; `NOT_FOUND` when the
/// version no longer exists.
pub async fn pending_work(cx: &Cx) -> Result<PendingWork> {
    let (tenant, _) = cx.capability_holder(permission::READ_PENDING_WORK)?;
    let key = key_id(cx)?;
    let tx = tenant.begin().await?;
    let lineage = GrantLineage::load_valid(&tx, &cx.governance, key, cx.now).await?;
    let grant = lineage.governing()?;
    let scope = PendingScope::load(&tx, grant, &lineage).await?;
    let work = scope.work(grant, cx);
    if GrantLineage::load_valid(&tx, &cx.governance, key, cx.now).await?.governing()?.id != grant.id
    {
        return Err(refuse::carried_concurrently().into());
    }
    tx.finish_read().await?;
    Ok(work)
}

fn key_id(cx: &Cx) -> Result<ApiKeyId> {
    match &cx.caller {
        Caller::Key(key) => Ok(key.id),
        _ => Err(Error::bug("a capability holder that is not a key")),
    }
}

/// The versions that are visible to a capability.
struct PendingScope {
    policy: policies::Model,
    head: Version,
    lineage: DraftLineage,
    /// The earlier draft that the next seal refers to, unless the head has the last submission.
    earlier: Option<EarlierDraft>,
    /// The submissions of the head, the earlier draft and all versions that the lineage names.
    sealed: Vec<SealedSubmission>,
}

/// A draft before the head that has the last submission of the lineage.
struct EarlierDraft {
    version: Version,
    /// The version number of the draft that supersedes it.
    successor: u32,
    /// Whether a grant of the lineage names it.
    has_grant: bool,
}

impl PendingScope {
    async fn load(tx: &TenantTx, grant: &Grant, grant_lineage: &GrantLineage) -> Result<Self> {
        let (policy, head) = subject(tx, grant).await?;
        let lineage = draft_lineage::load(tx, &head).await?;
        let earlier = EarlierDraft::load(tx, &lineage, grant_lineage).await?;
        let mut visible: Vec<Uuid> = grant_lineage.versions().collect();
        visible.push(head.id);
        let mut loaded = visible.clone();
        loaded.extend(earlier.as_ref().map(|earlier| earlier.version.id));
        let previous = lineage.previous_submission().map(|previous| previous.submission_id);
        let mut sealed = sealed::of_versions(tx, PolicyId(policy.id), loaded).await?;
        // For a version without a grant, only the submission that the next seal refers to is visible.
        sealed.retain(|sealed_submission| {
            visible.contains(&sealed_submission.submission.policy_version_id)
                || previous.is_some_and(|previous| previous.0 == sealed_submission.submission.id)
        });
        Ok(Self { policy, head, lineage, earlier, sealed })
    }

    fn work(self, grant: &Grant, cx: &Cx) -> PendingWork {
        let previous = self.lineage.previous_submission().map(|previous| previous.submission_id);
        let previous =
            previous.and_then(|id| self.sealed.iter().find(|sealed| sealed.submission.id == id.0));
        let returned = previous.and_then(SealedSubmission::returned);
        let is_sealable =
            matches!(self.head.status.0, VersionStatus::Draft | VersionStatus::Submitted);
        let lacks_grant = self.earlier.as_ref().is_some_and(|earlier| !earlier.has_grant);
        PendingWork {
            capability_id: grant.id.into(),
            root_capability_id: grant.root_id.into(),
            policy_id: grant.policy_id.into(),
            policy_version_id: self.head.id.into(),
            policy_version_number: unsigned(self.head.version),
            observed_at: cx.now,
            items: self.items(is_sealable),
            next_seal_answers: returned.filter(|_| is_sealable),
            returns_not_answerable: sealed::unanswerable_returns(
                &self.sealed,
                previous,
                is_sealable,
            ),
            lineage_unresolved: !self.lineage.is_resolved,
            lineage_not_backed_by_grant: lacks_grant,
        }
    }

    /// Returns the items of the head and, while the head can be sealed, of the earlier draft.
    fn items(&self, is_sealable: bool) -> Vec<PendingItem> {
        let head = VersionState { version: &self.head, last: self.last(self.head.id) };
        let head =
            PendingAction::of_head(&head).map(|action| action.item(&self.policy, &head, None));
        let earlier = self.earlier.as_ref().filter(|earlier| is_sealable && earlier.has_grant);
        let earlier = earlier.and_then(|earlier| {
            let subject =
                VersionState { version: &earlier.version, last: self.last(earlier.version.id) };
            let action = PendingAction::of_earlier_draft(&subject)?;
            Some(action.item(&self.policy, &subject, Some(earlier.successor)))
        });
        head.into_iter().chain(earlier).collect()
    }

    fn last(&self, version: Uuid) -> Option<&SealedSubmission> {
        let submissions =
            self.sealed.iter().filter(|sealed| sealed.submission.policy_version_id == version);
        submissions.max_by_key(|sealed| sealed.submission.sequence)
    }
}

impl EarlierDraft {
    async fn load(
        tx: &TenantTx,
        lineage: &DraftLineage,
        grant_lineage: &GrantLineage,
    ) -> Result<Option<Self>> {
        let index = lineage.drafts.iter().position(|draft| draft.sealed.is_some());
        // The head has no successor. If it has the last submission, there is no earlier draft.
        let pair = index.and_then(|index| {
            lineage.drafts.get(index.checked_sub(1)?..=index)?.first_chunk::<2>()
        });
        let Some([successor, draft]) = pair else { return Ok(None) };
        let (Some(version), Some(successor)) =
            (by_id(tx, draft.id.0).await?, by_id(tx, successor.id.0).await?)
        else {
            return Ok(None);
        };
        let has_grant = grant_lineage.versions().any(|id| id == version.id);
        Ok(Some(Self { version, successor: unsigned(successor.version), has_grant }))
    }
}

/// Returns the policy and the version that a grant names.
async fn subject(tx: &TenantTx, grant: &Grant) -> Result<(policies::Model, Version)> {
    let policy = tx.get::<policies::Entity>(grant.policy_id, ResourceKind::Policy).await?;
    let head = by_id(tx, grant.policy_version_id).await?;
    let head = head.or_not_found(ResourceKind::Version)?;
    Ok((policy, head))
}

async fn by_id(tx: &TenantTx, id: Uuid) -> Result<Option<Version>> {
    let rows = tx.find_by_id::<versions::Entity>(id);
    Ok(rows.one(tx.connection()).await?)
}

#[derive(Clone, Copy)]
struct VersionState<'a> {
    version: &'a Version,
    last: Option<&'a SealedSubmission>,
}

/// The action that a version needs next.
#[derive(Clone, Copy, Debug, PartialEq)]
struct PendingAction<'a> {
    action: RequestedAct,
    since: Timestamp,
    source: EnteredStateSource,
    /// The submission that the action derives from.
    sealed: Option<&'a SealedSubmission>,
}

impl<'a> PendingAction<'a> {
    /// Returns the pending action of the head version. A returned version needs its author, which is not
    /// an item.
    fn of_head(head: &VersionState<'a>) -> Option<Self> {
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
    fn of_earlier_draft(earlier: &VersionState<'a>) -> Option<Self> {
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

    fn item(
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
