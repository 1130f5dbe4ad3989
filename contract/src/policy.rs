//! Policies and their versions.

mod approval;
mod comment;
mod diff;
mod patch;
mod review;
mod stage;
mod supersede;

use crate::{
    codification::{Codification, CodificationRecord},
    filter::ListFilter,
    id::{PolicyGroupId, PolicyId, PolicyVersionId, TenantId},
    json::Value,
    read::{FieldPatch, array, code, integer, list, long_text, name, reason, text},
    rule::Rule,
    time::Timestamp,
};

pub use self::{
    approval::PolicyApproval,
    comment::{COMMENT_MAX, Comment, CommentDraft},
    diff::{RuleChange, RuleMove, VersionDiff},
    patch::PolicyPatch,
    review::{
        COMMENTS_MAX, ReviewComment, ReviewDraft, ReviewRecord, ReviewSubmission, ReviewVerdict,
        SealRequest,
    },
    stage::VersionStage,
    supersede::{SupersedeDraft, Superseded},
};

/// The maximum number of decision types, regulatory references or IDs in a list.
pub const LIST_MAX: usize = 100;

/// A policy.
#[wire]
pub struct Policy {
    /// The ID of the policy.
    pub id: PolicyId,
    /// The tenant of the policy.
    pub tenant_id: TenantId,
    /// The code, unique in the tenant without regard to case.
    pub code: String,
    /// The name of the policy.
    pub name: String,
    /// The description of the policy.
    pub description: Option<String>,
    /// The decision types that the policy governs; empty means all types.
    pub decision_types: Vec<String>,
    /// The ID of the group of the policy.
    pub policy_group_id: Option<PolicyGroupId>,
    /// Whether the policy is in shadow mode, in which it contributes at most `ALERT`.
    pub shadow_mode: bool,
    /// Whether the policy also applies to descendant tenants.
    pub inheritable: bool,
    /// The laws and standards that the policy implements.
    pub regulatory_refs: Vec<String>,
    /// Whether the policy has an active version.
    pub is_active: bool,
    /// The number of the active version.
    pub active_version: Option<u32>,
    /// The number of the open draft or submitted version.
    pub draft_version: Option<u32>,
    /// The highest version number that was ever assigned; 0 if the policy has no version. Numbers are not
    /// reused.
    pub latest_version: u32,
    /// The time at which the policy was created.
    pub created_at: Timestamp,
    /// The ID of the user or API key that created the policy.
    pub created_by: Option<String>,
    /// The time of the last change.
    pub updated_at: Timestamp,
    /// The full version that the query parameter `version` requests.
    pub version: Option<Box<PolicyVersion>>,
}

string_enum! {
    /// The status of a policy version.
    pub enum VersionStatus {
        /// The version can be edited.
        Draft = "draft",
        /// The version waits for ratification and cannot be edited.
        Submitted = "submitted",
        /// A person approved the version.
        Ratified = "ratified",
        /// The draft was superseded by another draft.
        Replaced = "replaced",
        /// The version was closed without being used.
        SetAside = "set_aside",
    }
}

/// A version of a policy.
#[wire]
pub struct PolicyVersion {
    /// The ID of the version.
    pub id: PolicyVersionId,
    /// The ID of the policy.
    pub policy_id: PolicyId,
    /// The version number, from 1.
    pub version: u32,
    /// The draft revision, from 1. It is used for optimistic locking.
    pub draft_revision: u32,
    /// The rules in their authored order.
    pub rules: Option<Vec<Rule>>,
    /// The digest of the rules as authored (receipts, section 3).
    pub rules_digest: String,
    /// Whether this is the active version.
    pub is_active: bool,
    /// The status of the version.
    pub status: VersionStatus,
    /// The time at which the version was created.
    pub created_at: Timestamp,
    /// The ID of the user or API key that created the version.
    pub created_by: Option<String>,
    /// The reason for the version.
    pub change_reason: Option<String>,
    /// The time at which the version was submitted.
    pub submitted_at: Option<Timestamp>,
    /// The ID of the user or API key that submitted the version.
    pub submitted_by: Option<String>,
    /// The time of the last rejection.
    pub rejected_at: Option<Timestamp>,
    /// The ID of the user or API key that rejected the version.
    pub rejected_by: Option<String>,
    /// The reason for the rejection.
    pub rejection_reason: Option<String>,
    /// The time at which the version was ratified.
    pub ratified_at: Option<Timestamp>,
    /// The ID of the user who ratified the version.
    pub ratified_by: Option<String>,
    /// The time of the last activation.
    pub activated_at: Option<Timestamp>,
    /// The ID of the user or API key that activated the version.
    pub activated_by: Option<String>,
    /// The time at which the version was closed: replaced by another draft, or set aside.
    pub closed_at: Option<Timestamp>,
    /// The ID of the user or API key that closed the version.
    pub closed_by: Option<String>,
    /// The reason for closing the version.
    pub closed_reason: Option<String>,
    /// The number of the draft that this version supersedes.
    pub supersedes_version: Option<u32>,
    /// The number of the draft that supersedes this version; only for replaced versions.
    pub superseded_by_version: Option<u32>,
    /// The clauses that the rules come from, and their lint.
    pub codification_record: Option<Box<CodificationRecord>>,
}

/// The body of `POST /v1/policies`.
#[body]
pub struct PolicyDraft {
    /// The code: 1 to 100 characters that match `[A-Za-z0-9][A-Za-z0-9._-]*`.
    #[json(with = code)]
    pub code: String,
    /// The name, 1 to 200 characters.
    #[json(with = name)]
    pub name: String,
    /// The description of the policy.
    #[json(with = long_text)]
    pub description: Option<String>,
    /// The decision types that the policy governs; absent or empty means all types.
    #[json(with = list(LIST_MAX, text(1, 100)))]
    pub decision_types: Option<Vec<String>>,
    /// The ID of the group of the policy.
    pub policy_group_id: Option<PolicyGroupId>,
    /// Whether the policy is in shadow mode; absent means false.
    pub shadow_mode: Option<bool>,
    /// Whether the policy also applies to descendant tenants; absent means false.
    pub inheritable: Option<bool>,
    /// The laws and standards that the policy implements.
    #[json(with = list(LIST_MAX, name))]
    pub regulatory_refs: Option<Vec<String>>,
    /// The rules of version 1. If present, version 1 is created as a draft.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Vec<Rule>>))]
    #[json(with = array)]
    pub rules: Option<Value>,
    /// The reason for version 1.
    #[json(with = reason)]
    pub change_reason: Option<String>,
    /// The clauses that the rules come from. If present, version 1 is created as a draft.
    pub codification: Option<Codification>,
}

/// A created policy, with its first version if the request contained rules.
#[wire]
pub struct PolicyCreated {
    /// The created policy.
    pub policy: Policy,
    /// Version 1, a draft.
    pub version: Option<PolicyVersion>,
}

/// The body of `POST /v1/policies/:id/versions`.
#[body]
pub struct VersionDraft {
    /// The rules of the version.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<Rule>))]
    #[json(with = array)]
    pub rules: Value,
    /// The reason for the version.
    #[json(with = reason)]
    pub change_reason: Option<String>,
    /// The number of the version that this one was derived from. It is informational only.
    #[json(with = integer(1, u32::MAX))]
    pub based_on_version: Option<u32>,
    /// The clauses that the rules come from.
    pub codification: Option<Codification>,
}

/// The body of `PATCH /v1/policies/:id/versions/:version`.
#[body]
#[json(nulls)]
pub struct VersionPatch {
    /// The `draft_revision` that the change is based on.
    #[json(with = integer(0, u32::MAX))]
    pub expected_revision: u32,
    /// The new rules.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Vec<Rule>>))]
    #[json(with = array)]
    pub rules: Option<Value>,
    /// The new reason; `null` clears it.
    #[json(with = reason)]
    pub change_reason: FieldPatch<String>,
    /// The clauses that the rules come from; `null` clears them. Absent means that the existing clauses are
    /// checked against the new rules.
    pub codification: FieldPatch<Codification>,
}

/// A body without members: `{}`.
#[body(Copy)]
pub struct EmptyBody {}

/// The body of `reject`, `set-aside` and `deactivate`.
#[body]
pub struct ReasonBody {
    /// The reason, 1 to 500 characters.
    #[json(with = reason)]
    pub reason: String,
}

/// The body of `ratify`.
#[body]
pub struct Ratification {
    /// The `draft_revision` that the ratifier has read.
    #[json(with = integer(0, u32::MAX))]
    pub expected_revision: u32,
    /// A note for the approval.
    #[json(with = long_text)]
    pub note: Option<String>,
}

/// The filters of `GET /v1/policies`.
#[derive(Clone, Debug, Default, PartialEq, Eq, ListFilter)]
pub struct PolicyFilter {
    /// Only policies whose code or name contains this text.
    #[filter(max = 200)]
    pub q: Option<String>,
    /// Only policies for this decision type.
    #[filter(page = "type", max = 100)]
    pub decision_type: Option<String>,
    /// Only policies of this group.
    #[filter(page = "group")]
    pub policy_group_id: Option<PolicyGroupId>,
    /// Only policies with (`true`) or without (`false`) an active version.
    pub is_active: Option<bool>,
    /// Only policies in shadow mode (`true`) or not (`false`).
    pub shadow_mode: Option<bool>,
}
