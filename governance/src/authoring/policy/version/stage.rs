//! The stages of versions: their status together with the review of their last submission.

use contract::policy::{ReviewVerdict, VersionStage};
use entity::policy_version::Model;

use crate::{access::permission, base::prelude::*};

/// The stage of a version, and its submissions for review.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionProgress {
    pub stage: VersionStage,
    /// Oldest first.
    pub submissions: Vec<SubmissionEvents>,
}

/// A submission of a version for review, and its review.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubmissionEvents {
    pub revision: u32,
    pub at: Timestamp,
    /// The ID of the user or key that submitted it.
    pub by: String,
    /// The verdict, the time and the reviewer of its review record.
    pub review: Option<(ReviewVerdict, Timestamp, String)>,
}

impl VersionProgress {
    /// Creates the progress of a version from its submissions, as [`SELECT_SUBMISSIONS`] selects them.
    pub(super) fn new(version: &Model, submissions: &str) -> Result<Self> {
        let submissions = read_submissions(submissions)?;
        let last = submissions.last();
        let verdict = last.and_then(|last| last.review.as_ref()).map(|(verdict, ..)| *verdict);
        let facts = StageFacts {
            status: version.status.0,
            is_active: version.is_active,
            was_active: version.activated_at.is_some(),
            revision: unsigned(version.draft_revision),
            submitted_at: version.submitted_at.map(from_column),
            sealed: last.map(|last| (last.revision, last.at)),
            verdict,
        };
        Ok(Self { stage: facts.stage(), submissions })
    }
}

/// Returns the stage of the open version of each policy that has one.
///
/// # Errors
/// `INSUFFICIENT_SCOPE` for a key without `policies:read`.
pub async fn open_stages(cx: &Cx) -> Result<BTreeMap<PolicyId, VersionStage>> {
    let tx = cx.tenant(permission::READ_POLICIES)?.begin().await?;
    let versions = open(&tx).await?;
    tx.finish_read().await?;
    Ok(versions.into_iter().map(|version| (version.policy, version.stage)).collect())
}

/// An open version: a draft, or a version that waits for a review or a ratification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenVersion {
    pub policy: PolicyId,
    /// The code of the policy.
    pub code: String,
    /// The name of the policy.
    pub name: String,
    pub version: u32,
    pub stage: VersionStage,
}

/// Returns the open versions, longest waiting first. Each policy has at most one.
pub(crate) async fn open(tx: &TenantTx) -> Result<Vec<OpenVersion>> {
    let version = |row: &QueryResult| {
        let (policy, version, stage) = read(row)?;
        let (name, code) = (row.try_get_by_index(10)?, row.try_get_by_index(11)?);
        Ok(OpenVersion { policy, code, name, version, stage })
    };
    tx.all(SELECT_OPEN_PROGRESS, []).await?.iter().map(version).collect()
}

const SELECT_OPEN_PROGRESS: &str = include_str!("stage.sql");

// SQL: the submissions of a row of `policy_versions` with their reviews as JSON, oldest first, with times in
// milliseconds.
pub(super) const SELECT_SUBMISSIONS: &str = "(SELECT coalesce(json_agg(json_build_array( \
       s.candidate_revision, (extract(epoch FROM s.sealed_at) * 1000)::bigint, s.sealed_by, \
       r.verdict, (extract(epoch FROM r.recorded_at) * 1000)::bigint, r.recorded_by) \
       ORDER BY s.sequence), '[]')::text \
     FROM review_submissions s \
     LEFT JOIN review_records r ON r.tenant_id = s.tenant_id AND r.submission_id = s.id \
     WHERE s.tenant_id = policy_versions.tenant_id AND s.policy_version_id = policy_versions.id)";

/// Returns the policy, the number and the stage of a version.
fn read(row: &QueryResult) -> Result<(PolicyId, u32, VersionStage)> {
    let timestamp = |index: usize| -> Result<Option<Timestamp>> {
        Ok(row.try_get_by_index::<Option<DateTimeUtc>>(index)?.map(from_column))
    };
    let status: String = row.try_get_by_index(2)?;
    let verdict: Option<String> = row.try_get_by_index(9)?;
    let verdict = verdict.map(|name| name.parse::<ReviewVerdict>()).transpose();
    let revision: Option<i32> = row.try_get_by_index(7)?;
    let facts = StageFacts {
        status: status.parse().map_err(|()| Error::bug("a version without a status"))?,
        is_active: row.try_get_by_index(3)?,
        was_active: timestamp(4)?.is_some(),
        revision: unsigned(row.try_get_by_index(5)?),
        submitted_at: timestamp(6)?,
        sealed: revision.map(unsigned).zip(timestamp(8)?),
        verdict: verdict.map_err(|()| Error::bug("a review record without a verdict"))?,
    };
    let (policy, version) = (PolicyId(row.try_get_by_index(0)?), row.try_get_by_index(1)?);
    Ok((policy, unsigned(version), facts.stage()))
}

/// A submission in JSON: its revision, time and author, and the verdict, the time and the author of its review.
type SubmissionRow = (u32, i64, String, Option<ReviewVerdict>, Option<i64>, Option<String>);

fn read_submissions(text: &str) -> Result<Vec<SubmissionEvents>> {
    let rows: Vec<SubmissionRow> = serde_json::from_str(text)?;
    let time = |ms| Timestamp::from_millis(ms).or_bug("a time without a date");
    let submission = |(revision, at, by, verdict, reviewed_at, reviewer): SubmissionRow| {
        let reviewed_at = reviewed_at.map(time).transpose()?;
        let review = match (verdict, reviewed_at, reviewer) {
            (Some(verdict), Some(at), Some(by)) => Some((verdict, at, by)),
            _ => None,
        };
        Ok(SubmissionEvents { revision, at: time(at)?, by, review })
    };
    rows.into_iter().map(submission).collect()
}

/// The facts about a version that determine its stage.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StageFacts {
    pub(crate) status: VersionStatus,
    pub(crate) is_active: bool,
    pub(crate) was_active: bool,
    pub(crate) revision: u32,
    pub(crate) submitted_at: Option<Timestamp>,
    /// The revision and the time of the last seal.
    pub(crate) sealed: Option<(u32, Timestamp)>,
    /// The verdict on the last submission.
    pub(crate) verdict: Option<ReviewVerdict>,
}

impl StageFacts {
    pub(crate) fn stage(&self) -> VersionStage {
        let is_submitted = match self.status {
            VersionStatus::Replaced => return VersionStage::Replaced,
            VersionStatus::SetAside => return VersionStage::SetAside,
            VersionStatus::Ratified if self.is_active => return VersionStage::Active,
            VersionStatus::Ratified if self.was_active => return VersionStage::Inactive,
            VersionStatus::Ratified => return VersionStage::Ratified,
            VersionStatus::Submitted => true,
            VersionStatus::Draft => false,
        };
        // A draft that was submitted after its last seal was recalled or rejected.
        let is_sent = self.sealed.is_some_and(|(revision, at)| {
            let is_closed = !is_submitted && self.submitted_at.is_some_and(|sent| sent >= at);
            revision == self.revision && !is_closed
        });
        match self.verdict {
            Some(ReviewVerdict::Return) => VersionStage::ChangesRequested,
            None if is_sent => VersionStage::WaitingForReview,
            _ if is_sent || is_submitted => VersionStage::WaitingForRatification,
            _ => VersionStage::Draft,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: i64) -> Timestamp {
        Timestamp::from_millis(millis).expect("within the calendar")
    }

    /// A version whose current revision was sealed and submitted at the same time.
    fn sent() -> StageFacts {
        StageFacts {
            status: VersionStatus::Submitted,
            is_active: false,
            was_active: false,
            revision: 3,
            submitted_at: Some(at(10)),
            sealed: Some((3, at(10))),
            verdict: None,
        }
    }

    #[test]
    fn a_submitted_version_has_the_stage_of_its_review() {
        use ReviewVerdict::{Accept, Return};
        for (verdict, stage) in [
            (None, VersionStage::WaitingForReview),
            (Some(Accept), VersionStage::WaitingForRatification),
            (Some(Return), VersionStage::ChangesRequested),
        ] {
            assert_eq!(StageFacts { verdict, ..sent() }.stage(), stage);
        }
        for sealed in [None, Some((2, at(5)))] {
            let unsealed = StageFacts { sealed, ..sent() };
            assert_eq!(unsealed.stage(), VersionStage::WaitingForRatification);
        }
    }

    #[test]
    fn a_draft_is_a_draft_unless_its_revision_is_sealed_or_was_returned() {
        let draft = StageFacts { status: VersionStatus::Draft, ..sent() };
        assert_eq!(draft.stage(), VersionStage::Draft, "recalled");
        let sealed_again = StageFacts { sealed: Some((3, at(11))), ..draft };
        assert_eq!(sealed_again.stage(), VersionStage::WaitingForReview);
        let edited = StageFacts { revision: 4, ..sealed_again };
        assert_eq!(edited.stage(), VersionStage::Draft);
        let returned = StageFacts { verdict: Some(ReviewVerdict::Return), ..edited };
        assert_eq!(returned.stage(), VersionStage::ChangesRequested);
    }

    #[test]
    fn a_ratified_version_is_active_inactive_or_was_never_active() {
        let ratified = StageFacts { status: VersionStatus::Ratified, ..sent() };
        assert_eq!(ratified.stage(), VersionStage::Ratified);
        let inactive = StageFacts { was_active: true, ..ratified };
        assert_eq!(inactive.stage(), VersionStage::Inactive);
        assert_eq!(StageFacts { is_active: true, ..inactive }.stage(), VersionStage::Active);
    }
}
