//! Actions as values, and their execution.

use contract::{
    capability::CapabilityDraft,
    id::{CapabilityId, ReviewRecordId, SubmissionId},
    policy::{ReviewVerdict, SealRequest},
    settings::SettingsPatch,
};
use governance::{
    Result,
    authoring::{
        capability,
        policy::{
            self,
            rule_input::{NewVersion, SupersedeInput, VersionEdit},
            version,
        },
        settings,
    },
};
use uuid::Uuid;

use crate::prelude::*;

/// Identifies a submission by version and sealed revision.
pub(super) type SubmissionKey = (u32, u32);

/// One action on a policy. Numbers of versions and revisions can be wrong.
#[derive(Clone, Copy, Debug)]
pub(super) enum Action {
    Create {
        max: u32,
    },
    Edit {
        version: u32,
        expected: u32,
        max: u32,
    },
    Submit {
        version: u32,
    },
    Recall {
        version: u32,
    },
    Reject {
        version: u32,
    },
    Delete {
        version: u32,
    },
    Seal {
        version: u32,
        answers: Option<SubmissionKey>,
    },
    Record {
        version: u32,
        submission: SubmissionKey,
        verdict: ReviewVerdict,
    },
    Ratify {
        version: u32,
        expected: u32,
    },
    Activate {
        version: u32,
    },
    Deactivate,
    SetAside {
        version: u32,
    },
    Supersede {
        version: u32,
        expected: u32,
        max: u32,
    },
    ChangeSettings {
        maker_checker: bool,
        review_required: bool,
    },
    /// `grant` identifies the new grant in this simulation.
    Issue {
        version: u32,
        grant: u32,
    },
    Revoke {
        grant: u32,
    },
}

pub(super) const USES_MAX: u32 = 3;

impl Action {
    /// Returns the name of the variant.
    pub(super) fn name(self) -> String {
        format!("{self:?}").split(' ').take(1).collect()
    }
}

/// The IDs in the service of the objects that the model numbers.
#[derive(Clone, Default)]
pub(super) struct Ids {
    pub(super) submissions: std::collections::BTreeMap<SubmissionKey, SubmissionId>,
    pub(super) records: std::collections::BTreeMap<SubmissionKey, ReviewRecordId>,
    /// The ID of each grant and the key of its program.
    pub(super) grants: std::collections::BTreeMap<u32, (CapabilityId, String)>,
}

#[derive(Clone, Debug)]
pub(super) enum CreatedId {
    None,
    Submission(u32, SubmissionId),
    Record(ReviewRecordId),
    Grant(CapabilityId, String),
}

/// Returns rules that allow amounts up to `max`.
pub(super) fn rules(max: u32) -> Value {
    limit("LIMIT", max)
}

/// Returns the body of an edit, or with a reason that of a correction.
fn edit_body(expected: u32, max: u32, reason: Option<&str>) -> Value {
    let edit = object([("expected_revision", expected.into()), ("rules", rules(max))]);
    match reason {
        Some(reason) => with(&edit, "change_reason", reason),
        None => edit,
    }
}

/// Returns the draft of a capability with all actions that write a version.
fn capability_draft(policy: PolicyId, version: u32) -> CapabilityDraft {
    body(&object([
        ("policy_id", policy.to_string().into()),
        ("version", version.into()),
        ("actions", value(r#"["policy.draft.edit", "policy.submit", "review.seal"]"#)),
        ("max_uses", USES_MAX.into()),
        ("name", "a program".into()),
    ]))
}

pub(super) async fn perform(
    cx: &Cx,
    policy: PolicyId,
    action: Action,
    ids: &Ids,
) -> Result<CreatedId> {
    let missing = Uuid::nil();
    match action {
        Action::Create { max } => {
            let new = body::<NewVersion>(&object([("rules", rules(max))]));
            version::create(cx, policy, new).await.map(|_| CreatedId::None)
        }
        Action::Edit { version, expected, max } => {
            let edit = body::<VersionEdit>(&edit_body(expected, max, None));
            version::edit(cx, policy, version, edit).await.map(|_| CreatedId::None)
        }
        Action::Submit { version } => {
            version::submit(cx, policy, version).await.map(|_| CreatedId::None)
        }
        Action::Recall { version } => {
            version::recall(cx, policy, version).await.map(|_| CreatedId::None)
        }
        Action::Reject { version } => {
            version::reject(cx, policy, version, reason()).await.map(|_| CreatedId::None)
        }
        Action::Delete { version } => {
            version::delete(cx, policy, version).await.map(|()| CreatedId::None)
        }
        Action::Seal { version, answers } => {
            let record_id = |key| ids.records.get(&key).copied().unwrap_or(missing.into());
            let request = SealRequest { answers_record_id: answers.map(record_id) };
            let submission = version::seal(cx, policy, version, request).await?.submission;
            Ok(CreatedId::Submission(submission.candidate_revision, submission.id))
        }
        Action::Record { version, submission, verdict } => {
            let id = ids.submissions.get(&submission).copied().unwrap_or(missing.into());
            let record = version::record(cx, policy, version, id, review(verdict)).await?;
            Ok(CreatedId::Record(record.id))
        }
        Action::Ratify { version, expected } => {
            let ratification = ratification(expected);
            version::ratify(cx, policy, version, ratification).await.map(|_| CreatedId::None)
        }
        Action::Activate { version } => {
            version::activate(cx, policy, version).await.map(|_| CreatedId::None)
        }
        Action::Deactivate => {
            policy::deactivate(cx, policy, reason(), None).await.map(|_| CreatedId::None)
        }
        Action::SetAside { version } => {
            version::set_aside(cx, policy, version, reason()).await.map(|_| CreatedId::None)
        }
        Action::Supersede { version, expected, max } => {
            let correction = body::<SupersedeInput>(&edit_body(expected, max, Some("better")));
            version::supersede(cx, policy, version, correction).await.map(|_| CreatedId::None)
        }
        Action::ChangeSettings { maker_checker, review_required } => {
            let patch = SettingsPatch {
                maker_checker_enabled: Some(maker_checker),
                review_required: Some(review_required),
                ..SettingsPatch::default()
            };
            settings::change(cx, patch, None, None).await.map(|_| CreatedId::None)
        }
        Action::Issue { version, .. } => {
            let created = capability::issue(cx, capability_draft(policy, version)).await?;
            Ok(CreatedId::Grant(created.capability.id, created.plaintext_key))
        }
        Action::Revoke { grant } => {
            let id = ids.grants.get(&grant).map_or(missing.into(), |(id, _)| *id);
            capability::revoke(cx, id).await.map(|()| CreatedId::None)
        }
    }
}
