//! What people do, as values; and doing it.

use contract::{
    capability::CapabilityDraft,
    id::{CapabilityId, PolicyId, ReviewRecordId, SubmissionId},
    json::Value,
    policy::{ReviewDraft, ReviewVerdict, SealRequest},
    settings::SettingsPatch,
};
use governance::{
    Cx, Result,
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

use crate::fixtures::{body, limit, object, ratification, value, with};

/// A submission, by version and sealed revision: there is one at the most.
pub(super) type Sealed = (u32, u32);

/// One act on a policy. Numbers of versions and revisions may be wrong.
#[derive(Clone, Copy, Debug)]
pub(super) enum Act {
    Create {
        mark: u32,
    },
    Edit {
        version: u32,
        expected: u32,
        mark: u32,
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
        answers: Option<Sealed>,
    },
    Record {
        version: u32,
        submission: Sealed,
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
        mark: u32,
    },
    Switch {
        maker_checker: bool,
        review_required: bool,
    },
    /// `grant` names the new grant in this play.
    Issue {
        version: u32,
        grant: u32,
    },
    Revoke {
        grant: u32,
    },
}

/// How many writes a grant allows.
pub(super) const USES: u32 = 3;

impl Act {
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Create { .. } => "create",
            Self::Edit { .. } => "edit",
            Self::Submit { .. } => "submit",
            Self::Recall { .. } => "recall",
            Self::Reject { .. } => "reject",
            Self::Delete { .. } => "delete",
            Self::Seal { .. } => "seal",
            Self::Record { .. } => "record",
            Self::Ratify { .. } => "ratify",
            Self::Activate { .. } => "activate",
            Self::Deactivate => "deactivate",
            Self::SetAside { .. } => "set-aside",
            Self::Supersede { .. } => "supersede",
            Self::Switch { .. } => "switch",
            Self::Issue { .. } => "issue",
            Self::Revoke { .. } => "revoke",
        }
    }
}

/// The ids that the service gave to what the model knows by number.
#[derive(Clone, Default)]
pub(super) struct Ids {
    pub(super) submissions: std::collections::BTreeMap<Sealed, SubmissionId>,
    pub(super) records: std::collections::BTreeMap<Sealed, ReviewRecordId>,
    /// Grants, each with the key of its program.
    pub(super) grants: std::collections::BTreeMap<u32, (CapabilityId, String)>,
}

/// An id that an act gave out.
#[derive(Clone, Debug)]
pub(super) enum Given {
    Nothing,
    Submission(u32, SubmissionId),
    Record(ReviewRecordId),
    Grant(CapabilityId, String),
}

/// The rules that a mark stands for.
pub(super) fn rules(mark: u32) -> Value {
    limit("LIMIT", mark)
}

fn reason<T: contract::read::FromJson>() -> T {
    body(&object([("reason", "because".into())]))
}

/// The body of an edit; with a reason, that of a correction.
fn revised(expected: u32, mark: u32, reason: Option<&str>) -> Value {
    let edit = object([("expected_revision", expected.into()), ("rules", rules(mark))]);
    match reason {
        Some(reason) => with(&edit, "change_reason", reason),
        None => edit,
    }
}

/// A grant of three writes on a version, with all that writing needs.
fn asked(policy: PolicyId, version: u32) -> CapabilityDraft {
    body(&object([
        ("policy_id", policy.to_string().into()),
        ("version", version.into()),
        ("actions", value(r#"["policy.draft.edit", "policy.submit", "review.seal"]"#)),
        ("max_uses", USES.into()),
        ("name", "a program".into()),
    ]))
}

/// Does it.
pub(super) async fn perform(cx: &Cx, policy: PolicyId, act: Act, ids: &Ids) -> Result<Given> {
    let nobody = Uuid::nil();
    match act {
        Act::Create { mark } => {
            let new = body::<NewVersion>(&object([("rules", rules(mark))]));
            version::create(cx, policy, new).await.map(|_| Given::Nothing)
        }
        Act::Edit { version, expected, mark } => {
            let edit = body::<VersionEdit>(&revised(expected, mark, None));
            version::edit(cx, policy, version, edit).await.map(|_| Given::Nothing)
        }
        Act::Submit { version } => {
            version::submit(cx, policy, version).await.map(|_| Given::Nothing)
        }
        Act::Recall { version } => {
            version::recall(cx, policy, version).await.map(|_| Given::Nothing)
        }
        Act::Reject { version } => {
            version::reject(cx, policy, version, reason()).await.map(|_| Given::Nothing)
        }
        Act::Delete { version } => {
            version::delete(cx, policy, version).await.map(|()| Given::Nothing)
        }
        Act::Seal { version, answers } => {
            let named = |sealed| ids.records.get(&sealed).copied().unwrap_or(nobody.into());
            let seal = SealRequest { answers_record_id: answers.map(named) };
            let sealed = version::seal(cx, policy, version, seal).await?;
            Ok(Given::Submission(sealed.submission.candidate_revision, sealed.submission.id))
        }
        Act::Record { version, submission, verdict } => {
            let id = ids.submissions.get(&submission).copied().unwrap_or(nobody.into());
            let draft = ReviewDraft { verdict, comments: Vec::new(), note: None };
            let record = version::record(cx, policy, version, id, draft).await?;
            Ok(Given::Record(record.id))
        }
        Act::Ratify { version, expected } => {
            let read = ratification(expected);
            version::ratify(cx, policy, version, read).await.map(|_| Given::Nothing)
        }
        Act::Activate { version } => {
            version::activate(cx, policy, version).await.map(|_| Given::Nothing)
        }
        Act::Deactivate => {
            policy::deactivate(cx, policy, reason(), None).await.map(|_| Given::Nothing)
        }
        Act::SetAside { version } => {
            version::set_aside(cx, policy, version, reason()).await.map(|_| Given::Nothing)
        }
        Act::Supersede { version, expected, mark } => {
            let correction = body::<SupersedeInput>(&revised(expected, mark, Some("better")));
            version::supersede(cx, policy, version, correction).await.map(|_| Given::Nothing)
        }
        Act::Switch { maker_checker, review_required } => {
            let patch = SettingsPatch {
                maker_checker_enabled: Some(maker_checker),
                review_required: Some(review_required),
                ..SettingsPatch::default()
            };
            settings::change(cx, patch, None, None).await.map(|_| Given::Nothing)
        }
        Act::Issue { version, .. } => {
            let issued = capability::issue(cx, asked(policy, version)).await?;
            Ok(Given::Grant(issued.capability.id, issued.plaintext_key))
        }
        Act::Revoke { grant } => {
            let id = ids.grants.get(&grant).map_or(nobody.into(), |(id, _)| *id);
            capability::revoke(cx, id).await.map(|()| Given::Nothing)
        }
    }
}
