//! Policies and their versions.

mod approval;
mod diff;
mod patch;
mod review;
mod supersede;

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::{
    codification::{Codification, CodificationRecord},
    id::{PolicyGroupId, PolicyId, PolicyVersionId, TenantId},
    json::Value,
    read::{
        At, Change, Errors, Members, Read, array, boolean, code, id, list, name, prose, reason,
        text, whole,
    },
    rule::Rule,
    time::Timestamp,
};

pub use self::{
    approval::PolicyApproval,
    diff::{RuleChange, RuleMove, VersionDiff},
    patch::PolicyPatch,
    review::{
        COMMENTS_MAX, ReviewComment, ReviewDraft, ReviewRecord, ReviewVerdict, Seal, Submission,
    },
    supersede::{SupersedeDraft, Superseded},
};

/// How many decision types, regulatory references or ids one list holds.
pub const LIST_MAX: usize = 100;

/// A policy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Policy {
    /// The id.
    pub id: PolicyId,
    /// Its tenant.
    pub tenant_id: TenantId,
    /// Unique in the tenant, whatever the case of its letters.
    pub code: String,
    /// What people call it.
    pub name: String,
    /// Longer words about it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub description: Option<String>,
    /// The decision types that it governs; empty means every type.
    pub decision_types: Vec<String>,
    /// Its group.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub policy_group_id: Option<PolicyGroupId>,
    /// In shadow mode it contributes at most `ALERT`.
    pub shadow_mode: bool,
    /// Whether it also governs child tenants.
    pub inheritable: bool,
    /// The laws and standards that it serves.
    pub regulatory_refs: Vec<String>,
    /// Whether a version of it decides.
    pub is_active: bool,
    /// The version that decides.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub active_version: Option<u32>,
    /// The open draft or submitted version.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub draft_version: Option<u32>,
    /// The highest version number that was given out, and never is again; 0 while there is none.
    pub latest_version: u32,
    /// When it was made.
    pub created_at: Timestamp,
    /// By whom.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub created_by: Option<String>,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// One version in full, when asked for with `?version=`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub version: Option<Box<PolicyVersion>>,
}

/// Where a version stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum VersionStatus {
    /// Being written.
    Draft,
    /// Waiting for ratification; its rules are fixed.
    Submitted,
    /// Approved by a person.
    Ratified,
    /// Superseded while a draft; kept as history.
    Replaced,
    /// Closed without being used.
    SetAside,
}

impl VersionStatus {
    /// All states.
    pub const ALL: [Self; 5] =
        [Self::Draft, Self::Submitted, Self::Ratified, Self::Replaced, Self::SetAside];

    /// The word of the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Submitted => "submitted",
            Self::Ratified => "ratified",
            Self::Replaced => "replaced",
            Self::SetAside => "set_aside",
        }
    }
}

impl fmt::Display for VersionStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for VersionStatus {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|status| status.as_str() == text).ok_or(())
    }
}

/// One version of a policy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PolicyVersion {
    /// The id.
    pub id: PolicyVersionId,
    /// Its policy.
    pub policy_id: PolicyId,
    /// Its number, from 1.
    pub version: u32,
    /// The revision of the draft, from 1; the token of optimistic concurrency.
    pub draft_revision: u32,
    /// Its rules in authored order.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub rules: Option<Vec<Rule>>,
    /// Digest of the rules as authored (receipts, section 3).
    pub rules_digest: String,
    /// Whether it decides.
    pub is_active: bool,
    /// Where it stands.
    pub status: VersionStatus,
    /// When it was made.
    pub created_at: Timestamp,
    /// By whom.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub created_by: Option<String>,
    /// Why it was made.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub change_reason: Option<String>,
    /// When it was submitted.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub submitted_at: Option<Timestamp>,
    /// By whom.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub submitted_by: Option<String>,
    /// When it was last rejected.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub rejected_at: Option<Timestamp>,
    /// By whom.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub rejected_by: Option<String>,
    /// Why.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub rejection_reason: Option<String>,
    /// When it was ratified.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub ratified_at: Option<Timestamp>,
    /// By whom.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub ratified_by: Option<String>,
    /// When it last became the deciding version.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub activated_at: Option<Timestamp>,
    /// By whom.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub activated_by: Option<String>,
    /// When it was closed: replaced by another draft, or set aside.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub closed_at: Option<Timestamp>,
    /// By whom.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub closed_by: Option<String>,
    /// Why.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub closed_reason: Option<String>,
    /// The draft that this one corrects.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub supersedes_version: Option<u32>,
    /// The draft that corrects this one; only of a replaced version.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub superseded_by_version: Option<u32>,
    /// The clauses that its rules come from, and what the lint says of them.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub codification_record: Option<Box<CodificationRecord>>,
}

/// The body of `POST /v1/policies`.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PolicyDraft {
    /// 1 to 100 of `[A-Za-z0-9][A-Za-z0-9._-]*`.
    pub code: String,
    /// 1 to 200 characters.
    pub name: String,
    /// Longer words about it.
    pub description: Option<String>,
    /// The decision types that it governs; absent or empty means every type.
    pub decision_types: Option<Vec<String>>,
    /// Its group.
    pub policy_group_id: Option<PolicyGroupId>,
    /// Absent means false.
    pub shadow_mode: Option<bool>,
    /// Absent means false.
    pub inheritable: Option<bool>,
    /// The laws and standards that it serves.
    pub regulatory_refs: Option<Vec<String>>,
    /// With rules, version 1 is made too, as a draft.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Vec<Rule>>))]
    pub rules: Option<Value>,
    /// Why version 1 is made.
    pub change_reason: Option<String>,
    /// The clauses that the rules come from; with them, version 1 is made too.
    pub codification: Option<Codification>,
}

impl Read for PolicyDraft {
    fn read(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Self> {
        let mut members = Members::of(value, at, errors)?;
        let code = members.required("code", code);
        let name = members.required("name", name);
        let description = members.optional("description", prose);
        let decision_types = members.optional("decision_types", list(LIST_MAX, text(1, 100)));
        let policy_group_id = members.optional("policy_group_id", id);
        let shadow_mode = members.optional("shadow_mode", boolean);
        let inheritable = members.optional("inheritable", boolean);
        let regulatory_refs = members.optional("regulatory_refs", list(LIST_MAX, name_of_law));
        let rules = members.optional("rules", array);
        let change_reason = members.optional("change_reason", reason);
        let codification = members.optional("codification", Codification::read);
        members.finish()?;
        Some(Self {
            code: code?,
            name: name?,
            description,
            decision_types,
            policy_group_id,
            shadow_mode,
            inheritable,
            regulatory_refs,
            rules,
            change_reason,
            codification,
        })
    }
}

fn name_of_law(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<String> {
    text(1, 200)(value, at, errors)
}

/// A created policy, with its first version when rules were given.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PolicyCreated {
    /// The policy.
    pub policy: Policy,
    /// Version 1, a draft.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub version: Option<PolicyVersion>,
}

/// The body of `POST /v1/policies/:id/versions`.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct VersionDraft {
    /// The rules.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<Rule>))]
    pub rules: Value,
    /// Why the version is made.
    pub change_reason: Option<String>,
    /// The version it was written from; for people, nothing rests on it.
    pub based_on_version: Option<u32>,
    /// The clauses that the rules come from.
    pub codification: Option<Codification>,
}

impl Read for VersionDraft {
    fn read(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Self> {
        let mut members = Members::of(value, at, errors)?;
        let rules = members.required("rules", array);
        let change_reason = members.optional("change_reason", reason);
        let based_on_version = members.optional("based_on_version", whole(1, u32::MAX));
        let codification = members.optional("codification", Codification::read);
        members.finish()?;
        Some(Self { rules: rules?, change_reason, based_on_version, codification })
    }
}

/// The body of `PATCH /v1/policies/:id/versions/:version`.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct VersionPatch {
    /// The `draft_revision` that the change was made on.
    pub expected_revision: u32,
    /// The new rules.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Vec<Rule>>))]
    pub rules: Option<Value>,
    /// The new reason; `null` takes it away.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub change_reason: Change<String>,
    /// The clauses that the rules come from; `null` takes them away. When absent, those that the
    /// draft has are held against the new rules.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Codification>))]
    pub codification: Change<Codification>,
}

impl Read for VersionPatch {
    fn read(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Self> {
        let mut members = Members::exact(value, at, errors)?;
        let expected_revision = members.required("expected_revision", whole(0, u32::MAX));
        let rules = members.optional("rules", array);
        let change_reason = members.clearable("change_reason", reason);
        let codification = members.clearable("codification", Codification::read);
        members.finish()?;
        Some(Self {
            expected_revision: expected_revision?,
            rules,
            change_reason: change_reason?,
            codification: codification?,
        })
    }
}

/// A body without members: `{}`.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Empty {}

impl Read for Empty {
    fn read(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Self> {
        Members::of(value, at, errors)?.finish()?;
        Some(Self {})
    }
}

/// The body of `reject`, `set-aside` and `deactivate`.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WithReason {
    /// 1 to 500 characters.
    pub reason: String,
}

impl Read for WithReason {
    fn read(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Self> {
        let mut members = Members::of(value, at, errors)?;
        let reason = members.required("reason", reason);
        members.finish()?;
        Some(Self { reason: reason? })
    }
}

/// The body of `ratify`.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Ratification {
    /// The `draft_revision` that the person has read.
    pub expected_revision: u32,
    /// A note for the record.
    pub note: Option<String>,
}

impl Read for Ratification {
    fn read(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Self> {
        let mut members = Members::of(value, at, errors)?;
        let expected_revision = members.required("expected_revision", whole(0, u32::MAX));
        let note = members.optional("note", prose);
        members.finish()?;
        Some(Self { expected_revision: expected_revision?, note })
    }
}

/// The filters of `GET /v1/policies`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PolicyFilter {
    /// Part of the code or the name.
    pub q: Option<String>,
    /// Policies that govern this decision type.
    pub decision_type: Option<String>,
    /// Policies of this group.
    pub policy_group_id: Option<PolicyGroupId>,
    /// Policies that decide, or that do not.
    pub is_active: Option<bool>,
    /// Policies that only watch, or that enforce.
    pub shadow_mode: Option<bool>,
}
