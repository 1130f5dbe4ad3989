//! One version with everything that its pages show: its policy, its lineage, its reviews, and whether the caller
//! can ratify it.

use contract::{
    policy::{Policy, ReviewRecord, ReviewSubmission, ReviewVerdict, VersionDiff},
    settings::Settings,
};
use entity::policy_version;

use super::{
    draft_lineage,
    history::{self, PolicyHistory},
    ratify, review,
    stage::VersionProgress,
    submission,
};
use crate::{
    access::permission::{self, Permission},
    authoring::{policy::diff, settings},
    base::prelude::*,
};

/// A version with its policy, its reviews, and the settings that apply to them.
#[derive(Clone, Debug)]
pub struct VersionDetails {
    pub policy: Policy,
    /// The version with its rules and its codification record.
    pub version: PolicyVersion,
    /// All versions of the policy, newest first, without their rules.
    pub versions: Vec<PolicyVersion>,
    /// The progress of all versions of the policy, by version number.
    pub progress: BTreeMap<u32, VersionProgress>,
    pub settings: Settings,
    /// Why the caller cannot ratify the open version now. `None` as well for users who are not ratifiers.
    pub ratification_refusal: Option<Refusal>,
    /// The submissions of the version and of the earlier drafts of its lineage with their records: those of the
    /// nearest draft first, newest first.
    lineage: Vec<ReviewSubmission>,
}

/// An earlier submission, and how the rules of a version differ from it.
#[derive(Clone, Debug)]
pub struct ChangesSince {
    /// The submission with its review record. It can be of an earlier draft of the lineage.
    pub submission: ReviewSubmission,
    pub diff: VersionDiff,
}

/// Returns one version with everything that its pages show.
///
/// # Errors
/// `HUMAN_REQUIRED` for an API key; `NOT_FOUND`.
pub async fn details(cx: &Cx, id: PolicyId, version: u32) -> Result<VersionDetails> {
    cx.human()?;
    let number = i32::try_from(version).unwrap_or(i32::MAX);
    let tx = cx.tenant(permission::READ_POLICIES)?.begin().await?;
    let rows = history::rows(&tx, id, policy_version::Column::Version.eq(number)).await?;
    let models: Vec<_> = rows.iter().map(|(row, _)| &row.version).collect();
    let own = models.iter().find(|row| unsigned(row.version) == version);
    let own = own.or_not_found(ResourceKind::Version)?;
    let lineage = review::of_versions(&tx, &draft_lineage::ids(&models, own)).await?;
    let settings = settings::load(&tx).await?;
    let revision_verdict = lineage.iter().find_map(|submission| {
        let is_current = submission.policy_version_id.0 == own.id
            && submission.candidate_revision == unsigned(own.draft_revision);
        record(submission).filter(|_| is_current).map(|record| record.verdict)
    });
    let ratification_refusal = refusal(&tx, cx, own, revision_verdict, &settings).await?;
    tx.finish_read().await?;
    let history = history::to_wire(rows)?.or_not_found(ResourceKind::Version)?;
    let PolicyHistory { policy, complete, versions, progress } = history;
    let version = complete.or_not_found(ResourceKind::Version)?;
    Ok(VersionDetails {
        policy,
        version,
        versions,
        progress,
        settings,
        ratification_refusal,
        lineage,
    })
}

/// Returns why the caller cannot ratify an open version now. The age of the sign-in does not matter, because the
/// action itself asks for the password.
async fn refusal(
    tx: &TenantTx,
    cx: &Cx,
    row: &policy_version::Model,
    verdict: Option<ReviewVerdict>,
    settings: &Settings,
) -> Result<Option<Refusal>> {
    let is_ratifier = cx.tenant(Permission { signs: false, ..permission::RATIFY }).is_ok();
    let is_open = matches!(row.status.0, VersionStatus::Draft | VersionStatus::Submitted);
    if !(is_ratifier && is_open) {
        return Ok(None);
    }
    ratify::refusal(tx, cx.human()?.user_id, row, verdict, settings).await
}

fn record(submission: &ReviewSubmission) -> Option<&ReviewRecord> {
    submission.records.as_ref()?.first()
}

impl VersionDetails {
    /// Returns the submissions of the version with their review records, newest first.
    pub fn submissions(&self) -> impl Iterator<Item = &ReviewSubmission> {
        self.lineage.iter().filter(|submission| submission.policy_version_id == self.version.id)
    }

    /// Returns the submission whose requested changes the next seal of the version must address, with its
    /// review record. `None` when no changes are requested.
    pub fn requested_changes(&self) -> Option<&ReviewSubmission> {
        let is_return = |record: &ReviewRecord| record.verdict == ReviewVerdict::Return;
        self.lineage.first().filter(|submission| record(submission).is_some_and(is_return))
    }

    /// Returns the differences between the version and the version `against`, by default as
    /// [`super::diff`].
    ///
    /// # Errors
    /// `NOT_FOUND` for the version `against`.
    pub async fn diff(&self, cx: &Cx, against: Option<u32>) -> Result<VersionDiff> {
        let versions = self.versions.iter().map(|other| (other.version, other.is_active));
        let against = against.or_else(|| history::diff_base(versions, self.version.version));
        let before = match against {
            Some(number) => history::read_rules(cx, self.policy.id, number).await?,
            None => Vec::new(),
        };
        Ok(VersionDiff { against, ..self.diff_from(&before) })
    }

    /// Returns how the version differs from the submission whose requested changes its next seal must address.
    /// `None` when no changes are requested.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` when the database is unavailable.
    pub async fn since_request(&self, cx: &Cx) -> Result<Option<ChangesSince>> {
        self.since(cx, self.requested_changes()).await
    }

    /// Returns how the version differs from the last submission that the caller reviewed, in the version or an
    /// earlier draft of its lineage. `None` without such a review, or if it concerns the current revision.
    ///
    /// # Errors
    /// `HUMAN_REQUIRED` for an API key.
    pub async fn since_own_review(&self, cx: &Cx) -> Result<Option<ChangesSince>> {
        let reviewer = cx.human()?.user_id.to_string();
        let own = |submission: &&ReviewSubmission| {
            let record = record(submission).filter(|record| record.recorded_by == reviewer)?;
            Some(record.recorded_at)
        };
        let reviewed = self.lineage.iter().filter(|submission| own(submission).is_some());
        let is_current = |submission: &&ReviewSubmission| {
            submission.policy_version_id == self.version.id
                && submission.candidate_revision == self.version.draft_revision
        };
        let last = reviewed.max_by_key(own);
        self.since(cx, last.filter(|submission| !is_current(submission))).await
    }

    async fn since(
        &self,
        cx: &Cx,
        submission: Option<&ReviewSubmission>,
    ) -> Result<Option<ChangesSince>> {
        let Some(submission) = submission.cloned() else { return Ok(None) };
        let diff = self.diff_from(&submission::read_rules(cx, submission.id).await?);
        Ok(Some(ChangesSince { submission, diff }))
    }

    fn diff_from(&self, before: &[Rule]) -> VersionDiff {
        diff::between(before, self.version.rules.as_deref().unwrap_or_default())
    }
}
